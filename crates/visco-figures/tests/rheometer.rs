//! What a rheometer measures of a material is what was entered.

use std::f64::consts::TAU;
use visco::scene::{Material, Override};
use visco_figures::experiments::rheometer::{Course, Rheometer, ShearStress};

fn material(viscosity: f64, solvent: f64, relaxation_time: f64) -> Material {
    Material {
        density: Some(1000.0),
        viscosity: Some(viscosity),
        relaxation_time: Some(relaxation_time),
        solvent_viscosity: Some(solvent),
        ..Material::named("fluid")
    }
}

fn method(name: &str) -> Vec<Override> {
    vec![Override::parse(&format!("method={name}")).unwrap()]
}

/// η_p = 9, η_s = 1 Pa·s, λ = 0.5 s, by `dcpbd`.
fn polymer(dt: f64) -> Rheometer {
    Rheometer::suited(material(10.0, 1.0, 0.5), method("dcpbd"), dt).unwrap()
}

/// Largest difference between measured and theory, over the largest value of the theory.
fn error(course: &Course, f: fn(&ShearStress) -> f64) -> f64 {
    let largest = course.theory.iter().map(|s| f(s).abs()).fold(0.0, f64::max);
    let pairs = course.measured.iter().zip(&course.theory);
    pairs.map(|(m, t)| (f(m) - f(t)).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn shear_stress_of_a_newtonian_fluid_is_viscosity_times_rate() {
    for (viscosity, rate) in [(10.0, 0.3), (2.0, 3.0), (1e4, 1.0)] {
        let rheometer = Rheometer::suited(material(viscosity, 0.0, 0.0), method("dcpbd"), 0.05).unwrap();
        let steady = rheometer.steady_shear(rate).unwrap();
        assert!((steady.measured.0 / viscosity - 1.0).abs() < 0.03, "{steady:?}");
        assert!(steady.measured.1.abs() < 0.03 * viscosity * rate, "{steady:?}");
    }
}

#[test]
fn start_up_of_shear_is_that_of_oldroyd_b() {
    let course = polymer(0.005).start_up_shear(1.0, 2.5).unwrap();
    let errors = [error(&course, |s| s.shear), error(&course, |s| s.normal)];
    assert!(errors[0] < 0.03 && errors[1] < 0.05, "{errors:?}");
}

#[test]
fn stress_relaxes_when_the_plate_stops() {
    let course = polymer(0.005).relaxation(1.0, 1.0, 3.0).unwrap();
    assert!(error(&course, |s| s.shear) < 0.03);
    assert!(error(&course, |s| s.normal) < 0.05);
    let last = course.measured.last().unwrap();
    assert!(last.shear > 0.0 && last.shear < 0.03 * 10.0, "{last:?}");
}

#[test]
fn small_oscillations_give_both_moduli() {
    for x in [0.3, 1.0, 3.0] {
        let omega = x / 0.5;
        let o = polymer(TAU / omega / 120.0).oscillation(omega, 0.02).unwrap();
        assert!(
            (o.measured.storage / o.theory.storage - 1.0).abs() < 0.03,
            "{:?}, {:?}",
            o.measured,
            o.theory
        );
        assert!((o.measured.loss / o.theory.loss - 1.0).abs() < 0.03, "{:?}, {:?}", o.measured, o.theory);
    }
}

#[test]
fn steady_shear_does_not_thin_and_has_a_normal_stress() {
    for wi in [0.2, 1.0] {
        let steady = polymer(0.005).steady_shear(wi / 0.5).unwrap();
        assert!((steady.measured.0 / steady.theory.0 - 1.0).abs() < 0.03, "{steady:?}");
        assert!((steady.measured.1 / steady.theory.1 - 1.0).abs() < 0.05, "{steady:?}");
    }
}

/// The same fluid in the method `coupled`, whose polymers are Oldroyd-B in full.
fn coupled(solvent: f64, dt: f64) -> Rheometer {
    Rheometer::suited(material(10.0, solvent, 0.5), method("coupled"), dt).unwrap()
}

#[test]
fn oldroyd_b_has_its_normal_stress_at_long_steps() {
    for (solvent, steps, wi) in [(1.0, 10.0, 0.5), (1.0, 10.0, 3.0), (0.0, 30.0, 1.0), (1.0, 30.0, 3.0)] {
        let course = coupled(solvent, 0.5 / steps).start_up_shear(wi / 0.5, 2.5).unwrap();
        let errors = [error(&course, |s| s.shear), error(&course, |s| s.normal)];
        assert!(errors[0] < 0.01 && errors[1] < 0.02, "η_s {solvent}, Wi {wi}, λ/{steps}: {errors:?}");
    }
}

#[test]
fn coupled_relaxes_and_oscillates_as_it_should() {
    let course = coupled(1.0, 0.025).relaxation(1.0, 1.0, 3.0).unwrap();
    assert!(error(&course, |s| s.shear) < 0.03);
    assert!(error(&course, |s| s.normal) < 0.05);
    // 4 steps in 1/ω are 25 in a period. Where the solvent is most of the loss, none of it may show as elastic.
    for (x, steps) in [(0.3, 120.0), (1.0, 120.0), (3.0, 120.0), (1.0, 25.0), (10.0, 100.0), (10.0, 25.0)] {
        let omega = x / 0.5;
        let o = coupled(1.0, TAU / omega / steps).oscillation(omega, 0.02).unwrap();
        let ratios = [o.measured.storage / o.theory.storage, o.measured.loss / o.theory.loss];
        assert!(ratios.iter().all(|r| (r - 1.0).abs() < 0.03), "ωλ = {x}: {ratios:?}");
    }
}

#[test]
fn a_stretched_newtonian_bar_has_the_ratio_of_trouton() {
    let honey = Rheometer::suited(material(10.0, 0.0, 0.0), method("coupled"), 0.01).unwrap();
    let extension = honey.extension(1.0, 0.6).unwrap();
    let end = extension.measured.last().unwrap();
    assert!((extension.strain(end) - 0.6).abs() < 0.01, "{end:?}");
    for sample in &extension.measured {
        let trouton = extension.trouton(sample);
        assert!((trouton / 3.0 - 1.0).abs() < 0.05, "{trouton} at {sample:?}");
    }
}

#[test]
fn a_stretched_polymer_starts_up_and_hardens_as_oldroyd_b() {
    // λ ε̇ = 0.1 becomes steady above 3 η, 1 grows without end.
    for (wi, ratio) in [(0.1, 3.3), (1.0, 2.0)] {
        let extension = coupled(1.0, 0.01).extension(wi / 0.5, 0.6).unwrap();
        let (measured, theory) = (&extension.measured, &extension.theory);
        let largest = theory.last().unwrap().stress;
        assert!(extension.trouton(theory.last().unwrap()) > ratio);
        let errors = measured.iter().zip(theory).map(|(m, t)| (m.stress - t.stress).abs() / largest);
        let worst = errors.fold(0.0, f64::max);
        assert!(worst < 0.03, "Wi {wi}: {worst}");
    }
}

#[test]
fn changes_of_the_material_reach_the_experiments() {
    let set = |text: &str| Override::parse(text).unwrap();
    let overrides = vec![set("material.fluid.viscosity=1000"), set("method=coupled")];
    let changed = Rheometer::suited(material(10.0, 0.0, 0.0), overrides, 0.05).unwrap();
    let entered = Rheometer::suited(material(1000.0, 0.0, 0.0), method("coupled"), 0.05).unwrap();
    assert_eq!(changed.spacing, entered.spacing);
}
