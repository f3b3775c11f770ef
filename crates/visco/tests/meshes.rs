//! Meshes as volumes and as walls: nothing leaks out of a bowl, through a thin wall or into a corner.

mod common;

use common::{advance, simulation};
use visco::glam::Vec3;
use visco::mesh::{Assets, Made, Solid, TriangleMesh};
use visco::{Scene, Simulation};

const METHODS: [&str; 2] = ["dcpbd", "coupled"];

/// A scene with gravity, a fluid of some viscosity, one step of 1/60 s a frame, and these parts.
fn scene(method: &str, spacing: f64, viscosity: f64, parts: &str) -> String {
    format!(
        r#"
name = "mesh"
method = "{method}"
spacing = {spacing}
time = {{ fps = 60, frames = 200, steps_per_frame = 2 }}
material = [{{ name = "syrup", viscosity = {viscosity} }}]
{parts}
"#
    )
}

/// The mesh of a boundary as the scene places it: the solid and its centre.
fn placed(made: Made, size: f32, center: Vec3) -> impl Fn(Vec3) -> f32 {
    let solid = Solid::new(&(*made.mesh("")).clone().mapped(|x| x * size)).expect("closed");
    move |x| solid.signed_distance(x - center).distance
}

#[test]
fn a_bowl_leaks_nothing() {
    for method in METHODS {
        for viscosity in [0.01, 20.0] {
            let mut run = simulation(&scene(
                method,
                0.008,
                viscosity,
                r#"
fluid = [{ material = "syrup", shape = { sphere = { center = [0, 0.05, 0], radius = 0.045 } }, velocity = [0, -1.5, 0] }]
boundary = [{ shape = { mesh = { made = "bowl", size = 0.24, center = [0, 0, 0] } } }]
"#,
            ));
            assert!(run.particle_count() > 700);
            let distance = placed(Made::Bowl, 0.24, Vec3::ZERO);
            for frame in 0..24 {
                advance(&mut run, 1);
                for x in run.frame().positions {
                    let gap = distance(x) / 0.008;
                    assert!(gap > 0.45, "{method}, {viscosity} Pa·s, frame {frame}: {gap} spacings at {x}");
                    // Splashes may leave over the rim, but none through the wall.
                    assert!(x.y > -0.08 || x.x.hypot(x.z) > 0.1, "{method}, {viscosity} Pa·s: leaked to {x}");
                }
            }
            let inside = run.frame().positions.iter().filter(|x| x.x.hypot(x.z) < 0.12).count();
            assert!(inside * 10 > run.particle_count() * 9, "{method}, {viscosity} Pa·s: {inside} stay");
        }
    }
}

/// A mesh plate that is thinner than a spacing, hit at more than a spacing a step.
#[test]
fn nothing_passes_a_thin_mesh_at_speed() {
    let plate = (*Made::Waffle.mesh("")).clone().mapped(|x| x * Vec3::new(0.6, 0.01, 0.6));
    for method in METHODS {
        let text = scene(
            method,
            0.02,
            0.01,
            r#"
fluid = [{ material = "syrup", shape = { box = { min = [-0.08, 0.1, -0.08], max = [0.08, 0.26, 0.08] } }, velocity = [1, -12, 0.5] }]
boundary = [{ shape = { mesh = { path = "plate" } } }]
"#,
        );
        let mut assets = Assets::new();
        assets.insert("plate", plate.clone());
        let scene = Scene::from_toml(&text).unwrap();
        let mut run = Simulation::with_assets(&scene, &assets).unwrap_or_else(|e| panic!("{e}"));
        assert!(run.notes()[0].message.contains("thinner than a spacing"), "{:?}", run.notes());
        for _ in 0..15 {
            advance(&mut run, 1);
            // Around the edge of the plate, 0.3 m away, it may flow.
            let below = |x: &Vec3| x.y < 0.0 && x.x.abs().max(x.z.abs()) < 0.22;
            let found = run.frame().positions.into_iter().find(below);
            assert_eq!(found, None, "{method}, t = {}", run.time());
        }
    }
}

/// Two chambers with a wall between them that is thinner than a spacing, as one container.
#[test]
fn nothing_passes_a_thin_wall_inside_a_container() {
    let chamber = |from: f32| {
        // A box of 0.2 m, as a mesh: the waffle without its pockets.
        let cube = (*Made::Waffle.mesh("")).clone().mapped(|x| Vec3::new(x.x, x.y.signum() * 0.5, x.z));
        cube.mapped(move |x| (x + Vec3::X * 0.5) * 0.2 + Vec3::X * from)
    };
    let mut both = chamber(0.0);
    both.append(&chamber(0.205));
    let mut assets = Assets::new();
    assets.insert("chambers", both);
    for method in METHODS {
        let text = scene(
            method,
            0.02,
            0.01,
            r#"
fluid = [{ material = "syrup", shape = { box = { min = [0.02, -0.1, -0.1], max = [0.14, 0.04, 0.1] } }, velocity = [8, 0, 0] }]
boundary = [{ shape = { mesh = { path = "chambers" } }, side = "inside" }]
"#,
        );
        let mut run = Simulation::with_assets(&Scene::from_toml(&text).unwrap(), &assets)
            .unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..15 {
            advance(&mut run, 1);
            let out = |x: &Vec3| !(0.008..0.192).contains(&x.x) || x.y.abs().max(x.z.abs()) > 0.092;
            assert_eq!(run.frame().positions.into_iter().find(out), None, "{method}, t = {}", run.time());
        }
    }
}

#[test]
fn a_cone_and_a_capsule_hold_and_stop_fluid() {
    let cup = "shape = { cone = { start = [0, 0, 0], end = [0, 0.4, 0], start_radius = 0.05, end_radius = 0.25 } }, side = \"inside\"";
    let rod = "shape = { capsule = { start = [-0.03, 0.12, 0], end = [0.03, 0.13, 0], radius = 0.02 } }";
    for method in METHODS {
        let mut run = simulation(&scene(
            method,
            0.012,
            0.5,
            &format!(
                "fluid = [{{ material = \"syrup\", shape = {{ sphere = {{ center = [0, 0.27, 0], radius = 0.08 }} }}, \
                 velocity = [0, -3, 0] }}]\nboundary = [{{ {cup} }}, {{ {rod} }}]"
            ),
        ));
        for _ in 0..25 {
            advance(&mut run, 1);
            let walls = &run.world().boundary.walls;
            for x in run.frame().positions {
                let mut nearest = walls[1].shape.outside(x).distance;
                walls[0].shape.inside(x, |p| nearest = nearest.min(p.distance));
                assert!(nearest > 0.0058, "{method}: {nearest} at {x}");
            }
        }
    }
}

#[test]
fn relaxed_fluid_in_a_mesh_keeps_its_shape() {
    let run = simulation(&scene(
        "coupled",
        0.03,
        1.0,
        r#"fluid = [{ material = "syrup", shape = { mesh = { made = "figure" } }, packing = "relaxed" }]"#,
    ));
    let distance = placed(Made::Figure, 1.0, Vec3::ZERO);
    let frame = run.frame();
    let farthest = frame.positions.iter().map(|x| distance(*x)).fold(f32::MIN, f32::max);
    assert!(farthest < 0.03, "{farthest}");
    // Most particles are at the surface, where kernels are not full: the densest are inside, at the rest density.
    let mut densities = frame.densities.clone();
    densities.sort_by(f32::total_cmp);
    let inside = densities[densities.len() * 9 / 10] / 1000.0;
    assert!((inside - 1.0).abs() < 0.05, "{inside} of the rest density");
    let volume = frame.len() as f64 * 0.03_f64.powi(3);
    let exact = Solid::new(&Made::Figure.mesh("")).expect("closed").volume();
    assert!((volume / exact - 1.0).abs() < 0.03, "{volume} for {exact}");
}

#[test]
fn problems_of_meshes_name_the_field() {
    let error = |parts: &str, assets: &Assets| {
        let scene = Scene::from_toml(&scene("coupled", 0.1, 1.0, parts)).unwrap_or_else(|e| panic!("{e}"));
        Simulation::with_assets(&scene, assets).map(|_| ()).expect_err("a problem").to_string()
    };
    let mut assets = Assets::new();
    let fluid = "fluid = [{ material = \"syrup\", shape = { mesh = { path = \"a.obj\", scale = 2 } } }]";
    assert_eq!(
        error(fluid, &assets),
        "fluid[0].shape.mesh = \"a.obj\": this mesh was not given along with the scene"
    );
    let mut open = (*Made::Torus.mesh("")).clone();
    let [a, b, c] = open.corners(0);
    open.triangles.remove(0);
    assets.insert("a.obj", open);
    let said = error(fluid, &assets);
    assert!(said.contains("the mesh is open: 3 of its edges have one triangle only"), "{said}");
    // The place is that of the file, not of the scene.
    let edges = [a + b, b + c, c + a].map(|sum| format!("near {:?}", (0.5 * sum).to_array()));
    assert!(edges.iter().any(|place| said.contains(place)), "{said}: {edges:?}");
    assets.insert("a.obj", (*Made::Torus.mesh("")).clone().flipped());
    assert!(error(fluid, &assets).contains("the mesh is inside out"));
    let flipped = fluid.replace("scale = 2", "scale = 2, flip = true");
    let scene = Scene::from_toml(&scene("coupled", 0.1, 1.0, &flipped)).unwrap();
    assert!(Simulation::with_assets(&scene, &assets).is_ok());
    let empty = TriangleMesh::default();
    assets.insert("a.obj", empty);
    assert!(error(fluid, &assets).contains("no triangles"));
}
