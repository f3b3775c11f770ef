//! Fills volumes with particles.

use super::build::material_index;
use super::{World, vec3};
use crate::boundary::Shape;
use crate::flow::evenness;
use crate::particles::Motion;
use crate::random::Random;
use crate::scene::{self, Packing, Scene};
use crate::shapes::lattice;
use glam::Vec3;

/// Random offset of particles that are packed, in spacings.
const SHAKEN: f32 = 0.3;
/// Least depth of their centres below the shape's surface, in spacings.
const DEPTH: f32 = 0.4;

/// A volume to be filled with particles.
pub(crate) struct Volume<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) velocity: Vec3,
    /// Angular velocity about the shape's centre, in rad/s.
    pub(crate) spin: Vec3,
    /// Random offset, in m.
    pub(crate) jitter: f32,
    pub(crate) material: u8,
    pub(crate) motion: Motion,
}

pub(super) fn volume<'a>(scene: &Scene, fluid: &scene::Fluid, shape: &'a Shape) -> Volume<'a> {
    Volume {
        shape,
        velocity: vec3(fluid.velocity),
        spin: vec3(fluid.angular_velocity),
        jitter: match fluid.packing {
            Packing::Lattice => fluid.jitter as f32 * scene.spacing as f32,
            Packing::Relaxed => 0.0,
        },
        material: material_index(scene, &fluid.material),
        motion: Motion::Free,
    }
}

impl World {
    /// Fills a volume with a lattice along the shape's own axes; without `random` it is neither jittered nor wrapped.
    pub(crate) fn fill(&mut self, volume: &Volume, mut random: Option<&mut Random>) {
        let center = volume.shape.center();
        for x in lattice(volume.shape, self.spacing) {
            let v = volume.velocity + volume.spin.cross(x - center);
            let x = match &mut random {
                Some(random) if volume.jitter > 0.0 => {
                    let offset = Vec3::from_array(random.triple()) * 2.0 - 1.0;
                    self.domain.wrap(x + offset * volume.jitter)
                }
                Some(_) => self.domain.wrap(x),
                None => x,
            };
            self.particles.push(x, v, volume.material, volume.motion);
        }
    }

    /// Shakes the particles of relaxed fluids and spreads them evenly; `owners` are the indices of their fluids.
    pub(super) fn relax(
        &mut self,
        (scene, shapes): (&Scene, &[Shape]),
        owners: &[usize],
        random: &mut Random,
    ) {
        let d = self.spacing;
        let packing = |owner: usize| scene.fluid.get(owner).map(|f| f.packing);
        let relaxed = |i: usize| packing(owners[i]) == Some(Packing::Relaxed);
        if !(0..owners.len()).any(relaxed) {
            return;
        }
        for (i, &owner) in owners.iter().enumerate().filter(|&(i, _)| relaxed(i)) {
            let jitter =
                if scene.fluid[owner].jitter > 0.0 { scene.fluid[owner].jitter as f32 } else { SHAKEN };
            let offset = (Vec3::from_array(random.triple()) * 2.0 - 1.0) * (jitter * d);
            let x = self.particles.positions[i] + offset;
            let x = self.domain.wrap(within(&shapes[owner], x, DEPTH * d));
            self.particles.positions[i] = self.off_walls(x);
        }
        evenness::pack(self, relaxed);
        for (i, &owner) in owners.iter().enumerate().filter(|&(i, _)| relaxed(i)) {
            let fluid = &scene.fluid[owner];
            let arm = self.particles.positions[i] - shapes[owner].center();
            self.particles.velocities[i] = vec3(fluid.velocity) + vec3(fluid.angular_velocity).cross(arm);
        }
    }

    /// Moves particles that come too near to a wall, each by itself.
    pub(super) fn lift_off_walls(&mut self, from: usize) {
        for i in from..self.particles.len() {
            self.particles.positions[i] = self.off_walls(self.particles.positions[i]);
        }
    }

    /// The point, moved along the walls' normals until it lies half a spacing away from each.
    fn off_walls(&self, mut x: Vec3) -> Vec3 {
        let clearance = 0.5 * self.spacing;
        for contact in self.boundary.near(x, clearance).as_slice() {
            x += contact.point.normal * (clearance - contact.point.distance).max(0.0);
        }
        x
    }
}

/// The point, moved along the normal until it lies `depth` below the shape's surface.
fn within(shape: &Shape, x: Vec3, depth: f32) -> Vec3 {
    let p = shape.outside(x);
    x - p.normal * (p.distance + depth).max(0.0)
}
