//! Materials that are too stiff for single precision at the scene's time step.

use crate::material::{Material, Rheology};
use crate::scene::error::Problem;
use crate::scene::path::{child, item, number, rounded_down};
use crate::scene::{Method, SHORTEST_STEP, Scene};

/// Largest Δt η/(ρ d²): with the bulk viscosity's 15 times that, f32 keeps no digit of a particle's inertia beside it.
/// A block that lands on its edge tips over at a third of this, and stands at this, however well the solve converges.
const STIFFEST: f64 = 1e6;

/// Materials whose viscosity single precision cannot carry, with the values that it can.
pub(in crate::scene) fn too_stiff(scene: &Scene) -> Vec<Problem> {
    if matches!(scene.method, Method::Pbf | Method::Sph) || scene.solver.as_iisph().is_some() {
        // They feel no more than an explicit step carries, or divide it, and say so in a note.
        return vec![];
    }
    let dt = scene.longest_step();
    let place = |i: usize, key: usize| match key {
        0 => item("material", i),
        key => item(&child(&item("material", i), "keys"), key - 1),
    };
    let of_material = |(i, m): (usize, &crate::scene::Material)| -> Vec<Problem> {
        let stages = m.stages();
        let found = |(key, (_, stage)): (usize, &(f64, crate::scene::Material))| {
            problem(scene, &place(i, key), stage, dt)
        };
        stages.iter().enumerate().filter_map(found).collect()
    };
    scene.material.iter().enumerate().flat_map(of_material).collect()
}

fn problem(scene: &Scene, at: &str, given: &crate::scene::Material, dt: f64) -> Option<Problem> {
    let material = Material::from_scene(given);
    let Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time } = material.rheology
    else {
        return None;
    };
    let viscosity = polymer_viscosity + solvent_viscosity;
    let felt = material.rheology.viscosity_in_step(dt)?;
    let allowed = STIFFEST * f64::from(material.density) * scene.spacing.powi(2) / dt;
    // A rigid material has a treatment of its own; a limit that was written down is rounded.
    if viscosity.is_infinite() || felt <= allowed * (1.0 + 1e-6) {
        return None;
    }
    let (field, value) = given.stated_viscosity(at);
    let ratio = allowed / felt;
    let shorter = match dt * ratio {
        dt if dt >= SHORTEST_STEP => format!(", or a time step of {} s", number(rounded_down(dt))),
        _ => String::new(),
    };
    let rigid = if relaxation_time > 0.0 { "" } else { ", or viscosity = inf for a rigid body" };
    let message = format!(
        "too stiff for single precision in steps of {} s; at most {}{shorter}{rigid}",
        number(rounded_down(dt)),
        number(rounded_down(value * ratio)),
    );
    Some(Problem::new(field, Some(number(value)), message))
}
