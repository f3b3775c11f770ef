//! Spinnability, the experiment of Mukai et al. 2021: a cube of guar gum solution is pulled until it parts, and shrinks.

mod common;

use common::{advance, simulation};

/// What comes of the paper's cube, of seven particles a side.
struct Pulled {
    /// Way of the plate when sides meet, and when the cube parts, in mm.
    sides_meet: f64,
    parted: f64,
    /// Time until the lower piece is as high as the cube was, in ms.
    shrinking: f64,
    /// Particles in the narrowest section, over those at the start, when the plate has been drawn 4 mm.
    middle: f64,
    /// The same at 11 mm.
    late: f64,
    /// Least number of particles in a section before it parts, over that at the start.
    thinnest: f64,
}

/// Pulls it by the method and with the solver's settings of `head`.
fn pull(head: &str) -> Pulled {
    pull_of("", head)
}

/// Pulls one that differs from the paper's by some properties.
fn pull_of(properties: &str, head: &str) -> Pulled {
    const FRAMES: u32 = 100;
    let d = 0.0093 / 7.0;
    let (bottom, top, half) = (2.0 * d, 9.0 * d, 3.5 * d);
    let plate = |half: f64, low: f64| {
        format!(
            "{{ material = \"gum\", shape = {{ box = {{ min = [-{half}, {low}, -{half}], max = [{half}, {}, {half}] }} }} }}",
            low + 2.0 * d
        )
    };
    let mut run = simulation(&format!(
        r#"
name = "pull"
{head}
spacing = {d}
time = {{ fps = 50, frames = {FRAMES}, steps_per_frame = 8 }}
material = [{{ name = "gum", preset = "guar-gum", surface_tension = 0.06{properties} }}]
fluid = [
    {{ material = "gum", packing = "relaxed", shape = {{ box = {{ min = [-{half}, {bottom}, -{half}], max = [{half}, {top}, {half}] }} }} }},
    {}, {},
]
[[grip]]
shape = {{ box = {{ min = [-1, -1, -1], max = [1, {bottom}, 1] }} }}
[[grip]]
shape = {{ box = {{ min = [-1, {top}, -1], max = [1, 1, 1] }} }}
velocity = [0, 0.018, 0]
"#,
        plate(4.5 * d, top),
        plate(5.5 * d, 0.0),
    ));
    let (d, top) = (d as f32, top as f32);
    let heights = |run: &visco::Simulation| {
        let mut heights: Vec<f32> = run.world().particles.positions.iter().map(|x| x.y).collect();
        heights.sort_by(f32::total_cmp);
        heights
    };
    let narrowest = |heights: &[f32], plate: f32| {
        let section =
            |at: f32| heights.iter().map(|y| (1.0 - (y - at).abs() / (2.0 * d)).max(0.0)).sum::<f32>();
        let sections = ((plate - 6.0 * d) / (0.5 * d)) as usize;
        (0..=sections).map(|k| section(4.0 * d + 0.5 * d * k as f32)).fold(f32::INFINITY, f32::min)
    };
    let at_start = narrowest(&heights(&run), top);
    let mut found = Pulled {
        sides_meet: f64::NAN,
        parted: f64::NAN,
        shrinking: f64::NAN,
        middle: f64::NAN,
        late: f64::NAN,
        thinnest: f64::INFINITY,
    };
    for _ in 1..FRAMES {
        advance(&mut run, 1);
        let (time, heights) = (run.time(), heights(&run));
        let gap = heights.windows(2).find(|y| y[1] - y[0] > 2.1 * d);
        match gap {
            None => {
                let share = f64::from(narrowest(&heights, top + 0.018 * time as f32) / at_start);
                found.thinnest = found.thinnest.min(share);
                for (at, found) in [(4.0, &mut found.middle), (11.0, &mut found.late)] {
                    if found.is_nan() && 18.0 * time >= at {
                        *found = share;
                    }
                }
            }
            Some(_) if found.parted.is_nan() => found.parted = 18.0 * time,
            Some(gap) if gap[0] <= top - 0.5 * d => {
                found.shrinking = 1e3 * (time - found.parted / 18.0);
                break;
            }
            Some(_) => {}
        }
    }
    found.sides_meet = run.rupture().map_or(f64::NAN, |t| 18.0 * t);
    found
}

fn mps(share: f64) -> Pulled {
    pull(&format!("method = \"mps\"\nsolver = {{ elastic_share = {share}, tension = true }}"))
}

#[test]
fn a_pulled_cube_gets_a_neck_parts_and_shrinks() {
    let Pulled { sides_meet, parted, shrinking, middle, thinnest, .. } = mps(0.05);
    // A bar that keeps its volume would have 0.70 of its section; that of the cube, held at its ends, has a neck.
    assert!((0.5..0.65).contains(&middle), "{middle} of the section at 4 mm");
    assert!(thinnest < 0.1, "{thinnest} of the section before it parts");
    assert!((9.0..17.0).contains(&parted), "parts after {parted} mm");
    assert!(
        sides_meet > 0.5 * parted && sides_meet <= parted,
        "sides meet after {sides_meet} mm of {parted}"
    );
    // The paper's is 500 ms.
    assert!((250.0..1000.0).contains(&shrinking), "shrinks within {shrinking} ms");
}

/// Figure 2: "the middle part width becomes thinner as C becomes larger".
#[test]
fn the_more_elastic_the_fluid_the_thinner_its_neck() {
    let [little, paper, much] = [0.03, 0.05, 0.07].map(|share| mps(share).late);
    assert!(
        much < 0.97 * paper && paper < 0.97 * little,
        "{little}, {paper}, {much} of the section at 11 mm"
    );
}

/// Powers of ten between what is measured and what the paper has.
fn orders(measured: f64, paper: f64) -> f64 {
    (measured / paper).log10().abs()
}

#[test]
fn as_printed_it_parts_and_shrinks_as_the_paper_has_it_within_an_order() {
    let Pulled { parted, shrinking, middle, .. } = pull(
        "method = \"mps\"\nsolver = { elastic_share = 0.05, bulk = 0.66667, tension = false, repulsion = 0 }",
    );
    // The paper has 1.4 mm and 500 ms. It comes off its plate without a neck.
    assert!(orders(parted, 1.4) < 0.5, "parts after {parted} mm");
    // 120 ms; of 1,000 particles 160.
    assert!(orders(shrinking, 500.0) < 0.7, "shrinks within {shrinking} ms");
    assert!(middle.is_nan(), "{middle} of the section at 4 mm");
}

#[test]
fn with_no_more_viscosity_than_an_explicit_stress_allows_it_gets_a_neck_and_parts_at_the_papers_length() {
    // νΔt/l₀² = 0.2 for the paper's spacing and step; E is the paper's.
    let Pulled { sides_meet, parted, thinnest, .. } = pull_of(
        ", viscosity = 0.2, relaxation_time = 5.714e-4",
        "method = \"mps\"\nsolver = { elastic_share = 0.05, tension = true }",
    );
    assert!(orders(sides_meet, 1.4) < 0.2, "sides meet after {sides_meet} mm");
    assert!(orders(parted, 1.4) < 0.2, "parts after {parted} mm");
    // As frames are 20 ms apart, the thinnest is not seen; 28 Pa·s leave more than 0.8.
    assert!(thinnest < 0.6, "{thinnest} of the section before it parts");
}

#[test]
fn the_conformation_model_draws_a_longer_thread_by_both_methods() {
    for method in ["dcpbd", "coupled"] {
        let Pulled { parted, shrinking, middle, thinnest, .. } = pull(&format!("method = {method:?}"));
        assert!((0.5..0.65).contains(&middle), "{method}: {middle} of the section at 4 mm");
        assert!(thinnest < 0.1, "{method}: {thinnest} of the section before it parts");
        // The real fluid's are 41.8 mm and 4,333 ms, the paper's 1.4 mm and 500 ms; of more particles it is longer.
        assert!(parted > 11.0, "{method}: parts after {parted} mm");
        assert!(shrinking > 500.0, "{method}: shrinks within {shrinking} ms");
    }
}
