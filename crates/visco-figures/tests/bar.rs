//! Bars of fluid by `coupled`: pulled, they resist with 3 η ε̇ and keep their volume; hanging, they carry their weight.

use visco::scene::Override;
use visco_figures::experiments::{Bar, BarSample};

/// Viscosity, in Pa·s, and rate, in 1/s.
const VISCOSITY: f64 = 5000.0;
const RATE: f64 = 0.5;

fn coupled(settings: &[&str]) -> Bar {
    let overrides = ["method=coupled"].iter().chain(settings).map(|s| Override::parse(s).unwrap()).collect();
    Bar { overrides, ..Bar::default() }.of_viscosity(VISCOSITY)
}

fn stretched(bar: &Bar) -> BarSample {
    let (samples, failure) = bar.stretch(RATE, 1.4).unwrap();
    assert_eq!(failure, None);
    *samples.last().unwrap()
}

fn trouton(sample: &BarSample) -> f64 {
    sample.stress / (VISCOSITY * RATE)
}

#[test]
fn a_stretched_bar_resists_and_keeps_its_volume() {
    let end = stretched(&coupled(&[]));
    assert!((trouton(&end) / 3.0 - 1.0).abs() < 0.05, "{end:?}");
    assert!((end.volume - 1.0).abs() < 0.02, "{end:?}");
}

#[test]
fn without_control_a_stretched_bar_tears() {
    let end = stretched(&coupled(&["solver.control=false"]));
    assert!(trouton(&end) < 2.0 && end.volume > 1.05, "{end:?}");
}

#[test]
fn a_hanging_bar_carries_what_is_below() {
    let loads = coupled(&[]).of_viscosity(1e4).hang().unwrap();
    assert!(loads.len() > 5);
    for load in loads {
        assert!((load.measured / load.theory - 1.0).abs() < 0.05, "{load:?}");
    }
}
