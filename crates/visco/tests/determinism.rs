//! The same bits for any number of threads, and stable ids.

mod common;

use common::{advance, simulation};
use visco::scene::Method;

/// Everything at once: two materials, one of which changes, a nozzle that moves, opens and closes, an obstacle that moves,
/// memory, friction, a body that is pushed.
const SCENE: &str = r#"
name = "all"
spacing = 0.01
[time]
fps = 60
frames = 20
steps_per_frame = 2
[[material]]
name = "slime"
viscosity = 20
relaxation_time = 0.1
[[material]]
name = "honey"
viscosity = 10
keys = [{ time = 0.1 }, { time = 0.2, viscosity = 1 }]
[[fluid]]
material = "slime"
shape = { box = { min = [-0.06, 0.05, -0.06], max = [0.06, 0.17, 0.06] } }
jitter = 0.1
[[emitter]]
material = "honey"
nozzle = { star = { points = 5, outer_radius = 0.03, inner_radius = 0.015 } }
motion = { angular_velocity = [0, 5, 0], about = [0.01, 0.25, 0] }
position = [0, 0.25, 0]
direction = [0, -1, 0]
speed = 0.5
active = [[0.03, 0.15], [0.2, 0.5]]
[[boundary]]
shape = { plane = { point = [0, 0, 0], normal = [0, 1, 0] } }
friction = 0.3
[[boundary]]
shape = { sphere = { center = [0, 0, 0], radius = 0.04 } }
motion = { keys = [{ time = 0 }, { time = 0.3, translate = [0.02, 0.02, 0] }] }
[[body]]
shape = { box = { min = [-0.12, 0.01, -0.04], max = [-0.07, 0.09, 0.04] } }
density = 600
velocity = [0.5, 0, 0]
"#;

fn hashes(method: &str, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut run = simulation(&format!("method = \"{method}\"\n{SCENE}"));
        let mut hashes = vec![run.frame().hash()];
        for _ in 1..20 {
            advance(&mut run, 1);
            hashes.push(run.frame().hash());
        }
        hashes
    })
}

#[test]
fn frames_are_the_same_for_1_2_3_and_8_threads() {
    for method in Method::ALL.map(Method::name) {
        let one = hashes(method, 1);
        let mut different = one.clone();
        different.dedup();
        assert_eq!(different.len(), one.len(), "every frame differs from the one before");
        for threads in [2, 3, 8] {
            assert_eq!(hashes(method, threads), one, "{method}, {threads} threads");
        }
    }
}

#[test]
fn ids_stay_with_their_particles() {
    let mut run = simulation(SCENE);
    let mut before = run.frame();
    for _ in 1..20 {
        advance(&mut run, 1);
        let after = run.frame();
        assert!(after.ids.is_sorted_by(|a, b| a < b), "ids are unique and ordered");
        for (i, id) in before.ids.iter().enumerate() {
            // Only particles inside a nozzle that closes may vanish.
            let Ok(k) = after.ids.binary_search(id) else {
                assert_eq!(before.materials[i], 1);
                continue;
            };
            assert_eq!(before.materials[i], after.materials[k]);
            let way = before.positions[i].distance(after.positions[k]);
            assert!(way < 0.06, "particle {id} moved {way} m in a frame");
        }
        before = after;
    }
}
