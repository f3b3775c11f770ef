//! Fig. 2 of Mukai et al. 2021: a cube of guar gum solution is pulled until it is ruptured, and shrinks.

use std::path::Path;

use super::pull::{Pull, Pulled, panels, write};
use crate::figures::report::digits;
use crate::figures::sheet::{self, Look};
use crate::figures::{FigureReport, FigureSpec, Making, Progress, Statement};
use crate::runner::run_all;
use crate::{Figure, FigureError, Lens, View, save, save_png};
use visco::glam::Vec3;

pub(in super::super) const SPEC: FigureSpec = FigureSpec {
    name: "mukai2021-fig02",
    title: "a fluid that is pulled, by the share of its elasticity",
    source: "Mukai et al. 2021, Fig. 2 and section 6",
    claim: "The paper (section 6, Fig. 2) pulls a cube of 9.3 mm at 18 mm/s, with C = 0.03, 0.05 and 0.07 for the share \
            of the elastic stress. The middle is the thinner the larger C is. With C = 0.05 the fluid is stretched by \
            1.4 mm, and then shrinks within 500 ms; of the real fluid, guar gum, these are 41.8 mm and 4,333 ms.",
    run: Making::Fixed(run),
};

/// C of the runs by the paper's method.
const SHARES: [f64; 3] = [0.03, 0.05, 0.07];
/// What makes the paper's method the printed one, with C = 0.05.
const PRINTED: &str = "as printed";
const AS_PRINTED: [&str; 3] = ["solver.bulk=0.66667", "solver.tension=false", "solver.repulsion=0"];
/// 0.2 Pa·s, with C = 0.05 and the paper's Young's modulus: νΔt/l₀² is then 0.2 for its spacing and step, the most that an
/// explicit stress allows.
const THIN: &str = "0.2 Pa·s";
const AS_THIN: [&str; 3] =
    ["material.0.viscosity=0.2", "material.0.relaxation_time=5.714e-4", "time.steps_per_frame=20"];
/// Other methods, which know the fluid by its viscosity and relaxation time.
const OTHERS: [&str; 2] = ["dcpbd", "coupled"];
/// The variant of the scene.
const QUALITY: &str = "quality=printed-small";
/// Speed of the upper plate, in mm/s.
const SPEED: f64 = 18.0;
/// A factor that is still the same order of magnitude: √10.
const HALF_AN_ORDER: f64 = 3.2;
/// The time at which necks are compared, in s.
const COMPARED: f64 = 0.7;
/// The frame after 750 steps of 1 ms, in s.
const PICTURED: f64 = 0.76;
/// Frames that are drawn, with what they show: 20 ms a frame.
const DRAWN: [(u32, &str); 5] = [(4, "80 ms"), (20, "400 ms"), (35, "700 ms"), (45, "900 ms"), (75, "1.5 s")];

fn pulls() -> Vec<Pull> {
    let pull = |name: &str, sets: &[&str]| {
        let sets: Vec<&str> = std::iter::once(&QUALITY).chain(sets).copied().collect();
        Pull::new(name, &sets, &DRAWN.map(|(frame, _)| frame))
    };
    let shares = SHARES.iter().map(|c| pull(&format!("C = {c}"), &[&format!("solver.elastic_share={c}")]));
    let others = OTHERS.iter().map(|method| pull(method, &[&format!("method={method}")]));
    let printed = [pull(PRINTED, &AS_PRINTED), pull(THIN, &AS_THIN)];
    shares.chain(printed).chain(others).collect()
}

fn run(out: &Path, progress: &mut Progress<'_>) -> Result<FigureReport, FigureError> {
    let pulls = pulls();
    let pulled = run_all(&pulls, progress);
    let names: Vec<String> = pulls.iter().map(|p| p.name.clone()).collect();
    let plot = Figure {
        title: "A cube of guar gum solution is pulled".into(),
        panels: panels(&names, &pulled).into(),
        columns: 2,
    };
    let [svg, png] = save(&plot, out.join(SPEC.name))?;
    let csv = write(out.join(format!("{}.csv", SPEC.name)), &names, &pulled)?;
    let pictures = out.join(format!("{}-particles.png", SPEC.name));
    save_png(&picture(&names, &pulled, pulls[0].scene.spacing as f32)?, &pictures)?;
    Ok(FigureReport {
        files: vec![csv, svg, png.clone(), pictures.clone()],
        pictures: vec![
            (pictures, "The fluid between its plates.".into()),
            (
                png,
                "Height of the lower piece, and particles in the narrowest section over those at the start."
                    .into(),
            ),
        ],
        statements: statements(&names, &pulled),
        remarks: REMARKS.map(String::from).to_vec(),
    })
}

const REMARKS: [&str; 7] = [
    "The scene `spinnability` with `quality = \"printed-small\"`: 1,000 particles of fluid instead of the paper's 29,791, \
     plates of three layers, Δt = 2 ms (the stress is implicit), r_e = 2.1 spacings, surface tension 0.06 N/m. The paper \
     defines neither length nor time. Here the stretched length is the way of the upper plate until a gap of r_e parts the \
     fluid, and the fluid has shrunk when its lower piece is no higher than the cube was. The sides of section 5 meet \
     earlier.",
    "The paper's 1.4 mm are the way of its plate in the 750 steps (75 ms) after which its Fig. 2 shows the fluid. In this \
     time a fluid of 28 Pa·s that keeps its volume cannot get thin: neither the pull, 1.9/s, nor its weight, ρgh/3η = \
     1.3/s, strain it by more than a quarter; with the paper's particles and steps (`visco run spinnability --set \
     quality=printed`, C = 0.05) the narrowest section then has 0.83 of its particles. Nor can C be seen then: the elastic \
     stress is (1 − n^k/n⁰) C μ t/(αη₀), less than 1 %, of the viscous one. C shows when the neck is thin, as the paper has \
     it: the larger C, the thinner the neck.",
    "All of that would fit if the paper's 750 steps were of 1 ms, ten times what its Table 2 has, and its 1.4 centimetres: \
     the plate's way is then 13.5 mm, the necks are as thin as its pictures and a little thinner for a larger C, and the \
     fluid is about to part. That is a guess. One run of its equations with its number of particles, but with steps of 0.2 ms, \
     our surface tension and an implicit stress, parts at 13.9 mm (below); 1.4 mm stays what is compared with.",
    "As printed: the stress 2η₀D alone in the solve, pressures of at least zero, no repulsion (`bulk = 0.66667`, `tension = \
     false`, `repulsion = 0`). The cube is stretched without getting thinner, until it comes off the upper plate, for any C. \
     That is because steps are long, so that viscosity reaches half the cube in one. With the paper's particles \
     (`quality=printed`) and steps of 0.2 ms it gets thinner, tears across between layers from 12 mm on, parts after \
     13.9 mm and shrinks within 340 ms (paper: 1.4 mm, 500 ms): `visco run spinnability --set quality=printed --set \
     time.steps_per_frame=50 --set solver.bulk=0.66667 --set solver.tension=false --set solver.repulsion=0 --frames 121`, \
     then `visco measure pull out/spinnability`. Steps of 0.1 ms, as in Table 2, were taken up to 5.4 mm, where the \
     narrowest section has 0.54 of its particles with either; 0.82 at 75 ms.",
    "Another guess. The stress is implicit here, as it must be: with the 28 Pa·s, the spacing and the step of Table 2 \
     νΔt/l₀² is 27, while an explicit stress, the usual one of MPS, is stable up to about 0.2, which is 0.2 Pa·s. The paper \
     does not say which it has. Of 0.2 Pa·s, with C = 0.05, the Young's modulus of Table 2 and Δt = 1 ms (`--set \
     material.0.viscosity=0.2 --set material.0.relaxation_time=5.714e-4 --set time.steps_per_frame=20`), the cube has a thin \
     neck when the paper's picture is taken, its sides meet by section 5 where the paper has its length, and it parts soon after; with the paper's particles \
     and steps (`quality=printed`) the narrowest section has 0.29 of its particles at 75 ms, and parts after 3.24 mm. But what \
     has parted lies at once lower than the cube was, and the larger C the thicker the neck: length and picture would be the \
     paper's then, time and trend are those of 28 Pa·s.",
    "`dcpbd` and `coupled` know the fluid by Table 2's viscosity and by the relaxation time η₀/μ = 80 ms, which at 1.9/s is \
     a Weissenberg number of 0.15. What they reach with the paper's number of particles is on the page of \
     [section 6](mukai2021-sec06.md).",
    "A neck parts when it is a few particles wide: with 3,375 particles of fluid (`--set spacing=0.00062`) it is drawn into a \
     thread, which parts after 20.5 mm for C = 0.05; with the paper's 29,791 (`quality=printed`, steps of 2 ms) it \
     parts after 24.5 mm and shrinks within 600 ms.",
];

fn statements(names: &[String], pulled: &[Pulled]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (name, p) in names.iter().zip(pulled) {
        if let Some(why) = &p.failure {
            found.push(Statement::failed(format!("{name}: ended early"), why));
        }
        found.push(Statement::note(format!("{name}: stretched length, shrinking time"), p.told()));
        if let Some(rupture) = p.rupture {
            found.push(Statement::note(
                format!("{name}: stretched length when the rupture begins"),
                format!("{} mm", digits(SPEED * rupture)),
            ));
        }
    }
    let middle = &pulled[1];
    let [printed, thin] = [&pulled[SHARES.len()], &pulled[SHARES.len() + 1]];
    // How many times longer or shorter.
    let off = |value: Option<f64>, paper: f64| {
        let ratio = value.unwrap_or(f64::NAN) / paper;
        (ratio.max(1.0 / ratio), "")
    };
    for (name, p) in [(names[1].as_str(), middle), (PRINTED, printed), (THIN, thin)] {
        let text = format!("{name}: stretched length, times longer or shorter than the paper's 1.4 mm");
        found.push(Statement::below(text, off(p.stretched(), 1.4), HALF_AN_ORDER));
    }
    found.push(Statement::below(
        format!("{PRINTED}: shrinking time, times longer or shorter than the paper's 500 ms"),
        off(printed.shrinking(), 500.0),
        HALF_AN_ORDER,
    ));
    found.push(Statement::within(
        format!("{THIN}: stretched length when the rupture begins, the paper's stretched length"),
        (SPEED * thin.rupture.unwrap_or(f64::NAN), " mm"),
        (1.4, 0.5),
    ));
    found.push(Statement::below(
        format!("narrowest section at 80 ms (the paper's picture: 75 ms), {THIN} over 28 Pa·s"),
        (thin.narrowest_at(0.08) / middle.narrowest_at(0.08), ""),
        0.5,
    ));
    let necks = (0..SHARES.len()).map(|k| digits(pulled[k].narrowest_at(PICTURED))).collect::<Vec<_>>();
    found.push(Statement::note(
        "narrowest section at 760 ms, after about 750 steps of 1 ms, for C = 0.03, 0.05 and 0.07",
        necks.join(", "),
    ));
    found.push(Statement::note(
        "C = 0.05: stretched length over 14 mm, should the paper's 1.4 be centimetres",
        digits(middle.stretched().unwrap_or(f64::NAN) / 14.0),
    ));
    let time = middle.shrinking().unwrap_or(f64::NAN);
    found.push(Statement::within("C = 0.05: shrinking time, the paper's", (time, " ms"), (500.0, 0.5)));
    let thinnest = middle.thread.last_whole().map_or(f64::NAN, |s| s.narrowest);
    found.push(Statement::below("C = 0.05: narrowest section before it parts", (thinnest, ""), 0.1));
    let narrowest = |k: usize| pulled[k].narrowest_at(COMPARED);
    for (k, text) in [(0, "C = 0.05 over C = 0.03"), (1, "C = 0.07 over C = 0.05")] {
        let text = format!("narrowest section at 700 ms, {text}");
        found.push(Statement::below(text, (narrowest(k + 1) / narrowest(k), ""), 1.0));
    }
    let shares = &pulled[..SHARES.len()];
    let lengths: Vec<f64> = shares.iter().map(|p| p.stretched().unwrap_or(f64::NAN)).collect();
    found.push(Statement::below(
        "stretched length, C = 0.07 over C = 0.03",
        (lengths[2] / lengths[0], ""),
        1.0,
    ));
    for (name, p) in names.iter().zip(pulled).skip(SHARES.len() + 2) {
        let part = |value: Option<f64>, real: f64| value.map_or("never".into(), |v| digits(v / real));
        found.push(Statement::note(
            format!("{name}: stretched length and shrinking time over the real fluid's 41.8 mm and 4,333 ms"),
            format!("{}, {}", part(p.stretched(), 41.8), part(p.shrinking(), 4333.0)),
        ));
    }
    found
}

fn picture(names: &[String], pulled: &[Pulled], spacing: f32) -> Result<crate::RgbImage, FigureError> {
    let look = Look {
        view: View {
            eye: Vec3::new(0.02, 0.03, 0.1),
            target: Vec3::new(0.0, 0.016, 0.0),
            up: Vec3::Y,
            lens: Lens::Perspective(0.42),
        },
        radius: 0.55 * spacing,
        ground: None,
        size: (260, 380),
    };
    let rows = DRAWN.map(|(_, text)| text.to_owned());
    let places = (0..rows.len()).flat_map(|frame| (0..names.len()).map(move |k| (frame, k)));
    sheet::draw(&look, (&rows, names), &places.map(|(frame, k)| pulled[k].cell(frame)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::Simulation;
    use visco::particles::Motion;
    use visco::scene::{BuiltinScene, Override};

    #[test]
    fn every_run_has_the_scene_s_fluid_and_its_own_method() {
        let pulls = pulls();
        let methods: Vec<_> = pulls.iter().map(|p| p.scene.method).collect();
        use visco::scene::Method::{Coupled, Dcpbd, Mps};
        assert_eq!(methods, [Mps, Mps, Mps, Mps, Mps, Dcpbd, Coupled]);
        assert!(pulls.iter().all(|p| p.scene.spacing == 0.00093));
    }

    #[test]
    fn the_scene_has_the_paper_s_particles() {
        let scene = |quality: &str| {
            let set = Override::parse(&format!("quality={quality}")).expect("a change");
            BuiltinScene::find("spinnability").expect("built in").scene(&[set]).expect("valid")
        };
        let printed = scene("printed");
        assert_eq!(printed.longest_step(), 1e-4);
        let run = Simulation::new(&printed).expect("it can be built");
        let count = |motion: Motion| run.world().particles.motions.iter().filter(|m| **m == motion).count();
        let counts = [Motion::Free, Motion::Gripped(1), Motion::Gripped(0)].map(count);
        assert_eq!(counts, [29_791, 5_043, 11_907], "Table 3");
        assert_eq!(
            Simulation::new(&scene("printed-small")).expect("it can be built").particle_count(),
            1000 + 588 + 1200
        );
    }
}
