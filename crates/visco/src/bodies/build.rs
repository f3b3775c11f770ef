//! From a scene's bodies to particles.

use super::{Body, BodyKind, BodyPose, Guide, Soft};
use crate::boundary::{Shape, WallFriction};
use crate::material::{Material, Rheology};
use crate::neighbors::Neighbors;
use crate::particles::{Motion, reorder};
use crate::scene::{self, Problem};
use crate::world::{Volume, World, vec3};
use glam::{DQuat, DVec3, Vec3};

/// Young's modulus of a soft body of which none is given, in Pa.
const MODULUS: f64 = 1e5;
/// Sweeps of a soft body of which no number is given.
const SWEEPS: u32 = 20;

/// The material of a body: of its own it flows without resistance, and its neighbours in the fluid lend it theirs.
pub(crate) fn material(index: usize, body: &scene::Body) -> Material {
    Material {
        name: format!("body {index}"),
        density: body.density as f32,
        rheology: Rheology::Measured { polymer_viscosity: 0.0, solvent_viscosity: 0.0, relaxation_time: 0.0 },
        surface_tension: 0.0,
        connections: None,
        springs: None,
        shape_matching: None,
        model: Some(scene::Model::Linear),
    }
}

impl World {
    /// Adds the particles of a body. A body that comes too near to a wall is moved as a whole.
    pub(crate) fn add_body(
        &mut self,
        index: usize,
        body: &scene::Body,
        (shape, material): (&Shape, u8),
    ) -> Option<Problem> {
        let from = self.particles.len();
        let volume = Volume {
            shape,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            jitter: 0.0,
            material,
            motion: Motion::Body(index as u16),
        };
        self.fill(&volume, None);
        let field = format!("body[{index}].shape");
        if self.particles.len() == from {
            let message = "no particle's centre lies in it; it must hold at least one".to_owned();
            return Some(Problem::new(field, None, message));
        }
        if let Some(problem) = self.check_walls(&field, from) {
            return Some(problem);
        }
        let before = self.particles.positions[from];
        self.move_off_walls(from);
        let moved = self.particles.positions[from] - before;
        let positions = &self.particles.positions[from..];
        let count = positions.len() as f64;
        let center = positions.iter().map(|x| x.as_dvec3()).sum::<DVec3>() / count;
        let rest: Vec<Vec3> = positions.iter().map(|x| (x.as_dvec3() - center).as_vec3()).collect();
        let kind = match body.kind {
            scene::BodyKind::Rigid => BodyKind::Rigid,
            scene::BodyKind::Soft => {
                let modulus = body.youngs_modulus.unwrap_or(MODULUS) as f32;
                let solver = (body.solver.unwrap_or_default(), body.iterations.unwrap_or(SWEEPS));
                BodyKind::Soft(Soft::new(&rest, self.spacing, modulus, solver))
            }
            scene::BodyKind::Kinematic => BodyKind::Kinematic,
        };
        let start = BodyPose { center, rotation: DQuat::IDENTITY };
        let until = match body.kind {
            scene::BodyKind::Kinematic => Some(f64::INFINITY),
            _ => body.release,
        };
        let guide = until.map(|until| {
            let motion = body.motion.clone().unwrap_or_default().build(center.as_vec3());
            Guide::new(motion, start, until)
        });
        let added = Body {
            kind,
            friction: body.friction.map(WallFriction::from),
            material,
            first_id: self.particles.ids[from],
            rest,
            shape: shape.clone().moved(moved - center.as_vec3()),
            pose: guide.as_ref().map_or(start, |guide| guide.pose(0.0)),
            guided: guide.is_some(),
            guide,
        };
        let (velocity, spin) = (vec3(body.velocity), vec3(body.angular_velocity));
        for (k, &arm) in added.rest.iter().enumerate() {
            let i = from + k;
            self.particles.velocities[i] = velocity + spin.cross(arm);
            self.particles.positions[i] = self.domain.wrap(added.pose.apply(arm));
        }
        self.bodies.push(added);
        None
    }

    /// Takes away the fluid that is inside bodies, or nearer to their particles than particles of one lattice; `shapes` are
    /// the bodies', and `owners` are first the fluids, then the bodies.
    pub(crate) fn make_room(&mut self, (shapes, fluids): (&[Shape], usize), owners: &mut Vec<usize>) {
        const NEAR: f32 = 0.75;
        if self.bodies.is_empty() {
            return;
        }
        let positions = &self.particles.positions;
        let near = Neighbors::find(positions, NEAR * self.spacing, &self.domain);
        let covered = |i: usize| {
            shapes.iter().any(|s| s.outside(positions[i]).distance <= 0.0)
                || near.of(i).iter().any(|&j| owners[j as usize] >= fluids)
        };
        let keep: Vec<u32> = (0..positions.len() as u32)
            .filter(|&i| owners[i as usize] >= fluids || !covered(i as usize))
            .collect();
        if keep.len() < owners.len() {
            self.particles.reorder(&keep);
            reorder(owners, &keep);
        }
    }

    /// Moves the particles from an index on, all by the same way, until none is too near to a wall.
    fn move_off_walls(&mut self, from: usize) {
        const ROUNDS: usize = 8;
        let clearance = 0.5 * self.spacing;
        for _ in 0..ROUNDS {
            let mut deepest = (1e-4 * clearance, Vec3::ZERO);
            for x in &self.particles.positions[from..] {
                for contact in self.boundary.near(*x, clearance).as_slice() {
                    let depth = clearance - contact.point.distance;
                    if depth > deepest.0 {
                        deepest = (depth, contact.point.normal);
                    }
                }
            }
            if deepest.1 == Vec3::ZERO {
                return;
            }
            for x in &mut self.particles.positions[from..] {
                *x += deepest.1 * deepest.0;
            }
        }
    }
}
