//! Bodies: what is refused, and in which words.

use super::{SCENE, error_of, read_with};
use crate::scene::BodyKind;
use crate::world::World;

fn with(body: &str) -> String {
    format!("{SCENE}\n[[body]]\n{body}\n")
}

const BALL: &str = "shape = { sphere = { center = [0, 2, 0], radius = 0.5 } }";

#[test]
fn mistakes_are_named() {
    let cases: &[(&str, &str)] = &[
        ("kind = \"rigit\"", "body[0].kind = \"rigit\": expected \"rigid\", \"soft\" or \"kinematic\""),
        ("density = 0", "body[0].density = 0: must be between 0.01 and 1000000"),
        (
            "kind = \"soft\"\nyoungs_modulus = -1",
            "body[0].youngs_modulus = -1: must be between 0.001 and 1e12",
        ),
        ("kind = \"soft\"\niterations = 0", "body[0].iterations = 0: must be between 1 and 10000"),
        (
            "kind = \"soft\"\nsolver = \"cg\"",
            "body[0].solver = \"cg\": expected \"gauss_seidel\" or \"jacobi\"",
        ),
        ("youngs_modulus = 10", "body[0].youngs_modulus: only for kind = \"soft\""),
        ("iterations = 5", "body[0].iterations: only for kind = \"soft\""),
        ("motion = { velocity = [1, 0, 0] }", "body[0].motion: only for kind = \"kinematic\""),
        (
            "kind = \"kinematic\"\nvelocity = [1, 0, 0]",
            "body[0].velocity = [1, 0, 0]: a kinematic body moves by `motion`",
        ),
        ("release = -1", "body[0].release = -1: must be between 0 and 1e9"),
        ("kind = \"kinematic\"\nrelease = 1", "body[0].release: a kinematic body never becomes free"),
        (
            "release = 1\nangular_velocity = [0, 1, 0]",
            "body[0].angular_velocity = [0, 1, 0]: a body with a `release` moves by `motion`",
        ),
        ("friction = -1", "body[0].friction = -1: must be between 0 and 100"),
        ("rotate = { axis = [0, 0, 0], degrees = 3 }", "body[0].rotate.axis = [0, 0, 0]: must not be zero"),
    ];
    for (fields, expected) in cases {
        let error = error_of(&with(&format!("{BALL}\n{fields}")), &[]).to_string();
        assert!(error.contains(expected), "{fields}: {error}");
    }
    let plane = with("shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }");
    assert!(error_of(&plane, &[]).to_string().contains("body[0].shape.plane: a body needs a volume"));
    let small = with("shape = { sphere = { center = [0, 2, 0], radius = 0.01 } }");
    assert!(error_of(&small, &[]).to_string().contains("must be at least half a spacing"));
}

#[test]
fn settings_that_cannot_move_bodies_are_refused() {
    let jacobi = error_of(&with(BALL), &["method=dcpbd", "solver.velocity_solver=jacobi"]).to_string();
    assert!(jacobi.contains("solver: bodies need formulation"), "{jacobi}");
    let stiff = error_of(&with(BALL), &["method=dcpbd", "material.honey.viscosity=inf"]).to_string();
    assert!(stiff.contains("material[0].viscosity = inf: must be finite where there are bodies"), "{stiff}");
}

#[test]
fn bodies_in_walls_and_in_each_other_are_refused_and_fluid_makes_room() {
    let problem = |body: &str| {
        let scene = read_with(&with(body), &[]).expect("passes the check");
        World::new(&scene).expect_err("cannot be built").to_string()
    };
    let low = problem("shape = { sphere = { center = [3, 0, 0], radius = 0.5 } }");
    assert!(low.starts_with("body[0].shape: ") && low.contains("stand in boundary[0]"), "{low}");
    let twice = problem(&format!("{BALL}\n[[body]]\n{BALL}"));
    assert!(twice.contains("body[1].shape: overlaps body[0] near ["), "{twice}");

    let whole = World::new(&read_with(SCENE, &[]).expect("valid")).expect("a world");
    let inside = "shape = { sphere = { center = [0.5, 0.5, 0.5], radius = 0.3 } }";
    let scene = read_with(&with(inside), &[]).expect("valid");
    let world = World::new(&scene).expect("a world");
    let body = world.bodies[0].rest.len();
    let left = world.particles.len() - body;
    assert!(body > 90 && left + body <= whole.particles.len(), "{body} + {left}");
    assert!(left + body > whole.particles.len() - 60, "{body} + {left} of {}", whole.particles.len());
    assert_eq!(world.materials.len(), 3, "two materials, then that of the body");
    assert!(scene.estimate().particles_at_start > 1000);
}

#[test]
fn defaults_are_those_of_a_rigid_body_and_a_scene_reads_back() {
    let scene = read_with(&with(BALL), &[]).expect("valid");
    assert_eq!((scene.body[0].kind, scene.body[0].density), (BodyKind::Rigid, 1000.0));
    assert_eq!(crate::Scene::from_toml(&scene.to_toml()).expect("its own text"), scene);
}
