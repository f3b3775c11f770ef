//! Flow between two plates: the viscosity that is entered is the one measured, and flow starts as theory says.

use visco::scene::Override;
use visco_figures::experiments::channel::Channel;

fn channel(method: &str) -> Channel {
    let method = Override::parse(&format!("method={method}")).unwrap();
    Channel { overrides: vec![method], ..Channel::default() }
}

#[test]
fn dcpbd_measures_the_viscosity_that_is_entered() {
    let base = || channel("dcpbd");
    for channel in [base(), Channel { viscosity: 1e4, ..base() }, Channel { jitter: 0.15, ..base() }] {
        let ratio = channel.apparent_viscosity().unwrap();
        assert!((ratio - 1.0).abs() < 0.05, "{channel:?}: {ratio} of the viscosity entered");
    }
}

#[test]
fn the_viscosity_entered_is_the_one_measured() {
    let base = || channel("coupled");
    let cases = [
        base(),
        Channel { dt: 1e-3, ..base() },
        Channel { dt: 1.0 / 33.0, ..base() },
        Channel { spacing: 0.005, ..base() },
        Channel { spacing: 0.02, ..base() },
        Channel { viscosity: 1.0, ..base() },
        Channel { viscosity: 1e4, ..base() },
        Channel { jitter: 0.15, ..base() },
    ];
    for channel in &cases {
        let ratio = channel.apparent_viscosity().unwrap();
        assert!((ratio - 1.0).abs() < 0.03, "{channel:?}: {ratio} of the viscosity entered");
    }
}

#[test]
fn an_elastic_fluid_overshoots_as_waters_and_king_say() {
    for method in ["coupled", "dcpbd"] {
        let channel = Channel { spacing: 0.005, ..channel(method) };
        let channel = Channel { dt: channel.diffusion_time() / 80.0, ..channel };
        let course = channel.start_up((1.0, 1.0 / 9.0), 10.0).unwrap();
        assert_eq!(course.len(), 800);
        for k in [16, 40, 80, 160, 240, 400, 800] {
            let v = course[k - 1];
            assert!((v.measured / v.theory - 1.0).abs() < 0.05, "{method}: {v:?}");
        }
    }
}

#[test]
fn a_plate_drags_the_fluid_as_couette_says() {
    for (method, dt) in [("coupled", 0.01), ("coupled", 0.00125), ("dcpbd", 0.01)] {
        let channel = Channel { spacing: 0.005, dt, ..channel(method) };
        for profile in channel.couette(&[0.1, 0.3, 1.0]).unwrap() {
            // The lattice is sheared into disorder on the way: single particles scatter, the profile holds.
            let (mean, rms) = profile.error();
            assert!(
                mean.abs() < 0.01 && rms < 0.03,
                "{method}, t = {}: mean {mean}, RMS {rms} of U",
                profile.time
            );
        }
    }
}
