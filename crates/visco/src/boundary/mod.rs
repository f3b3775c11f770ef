//! Walls and obstacles: one query for every shape.
//!
//! A boundary's surface is where the shape says; particle centres stay half a spacing away from it.

mod cone;
mod plate;
mod shape;
mod wall_kernel;

pub use cone::Cone;
pub use plate::Plate;
pub use shape::{Shape, SurfacePoint};
pub use wall_kernel::{WallKernel, WallSums};

use glam::Vec3;

/// Most surfaces that a particle can touch at once; farther ones are left out.
const MOST_CONTACTS: usize = 8;

/// How a wall holds the fluid back along its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WallFriction {
    /// Not at all.
    Slip,
    /// The fluid at the surface does not move along it.
    NoSlip,
    /// Coulomb friction with this coefficient.
    Coulomb(f32),
}

/// A wall. It stays where it is; its surface may move along itself.
#[derive(Clone, Debug)]
pub struct Wall {
    /// Its shape.
    pub shape: Shape,
    /// Whether the fluid is inside the shape.
    pub contains: bool,
    /// Its friction.
    pub friction: WallFriction,
    /// Velocity of the surface along itself, in m/s: its mean over the step that is next, or was last.
    pub velocity: Vec3,
}

/// A surface near a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Distance and normal.
    pub point: SurfacePoint,
    /// Friction of the wall.
    pub friction: WallFriction,
    /// Velocity of the surface along itself, in m/s.
    pub velocity: Vec3,
}

/// The surfaces near a particle.
#[derive(Clone, Copy, Debug)]
pub struct Contacts {
    list: [Contact; MOST_CONTACTS],
    len: usize,
}

impl Contacts {
    const NONE: Contact = Contact {
        point: SurfacePoint { distance: f32::INFINITY, normal: Vec3::Y },
        friction: WallFriction::Slip,
        velocity: Vec3::ZERO,
    };

    fn new() -> Self {
        Self { list: [Self::NONE; MOST_CONTACTS], len: 0 }
    }

    fn push(&mut self, contact: Contact) {
        if self.len < MOST_CONTACTS {
            self.list[self.len] = contact;
            self.len += 1;
            return;
        }
        let farthest = (0..MOST_CONTACTS)
            .max_by(|&a, &b| self.list[a].point.distance.total_cmp(&self.list[b].point.distance))
            .unwrap_or(0);
        if contact.point.distance < self.list[farthest].point.distance {
            self.list[farthest] = contact;
        }
    }

    /// The surfaces found.
    pub fn as_slice(&self) -> &[Contact] {
        &self.list[..self.len]
    }
}

/// All walls of a world.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    /// The walls, in the order of the scene.
    pub walls: Vec<Wall>,
}

impl Boundary {
    /// The surfaces closer than `range` to `x` (or behind which `x` lies).
    pub fn near(&self, x: Vec3, range: f32) -> Contacts {
        let mut contacts = Contacts::new();
        for wall in &self.walls {
            let visit = |point: SurfacePoint| {
                contacts.push(Contact { point, friction: wall.friction, velocity: wall.velocity });
            };
            if wall.contains {
                wall.shape.inside_within(x, range, visit);
            } else {
                wall.shape.outside_within(x, range, visit);
            }
        }
        contacts
    }

    /// Where a ball of radius `clearance` that moves from `from` towards `to` is stopped by an obstacle that
    /// it would enter or jump across. Containers and planes need no such test: behind them all is solid.
    pub fn stop_at_obstacles(&self, from: Vec3, to: Vec3, clearance: f32) -> Vec3 {
        let mut to = to;
        for wall in self.walls.iter().filter(|w| !w.contains && !matches!(w.shape, Shape::Plane { .. })) {
            to = stop_at(&wall.shape, from, to, clearance);
        }
        to
    }

    /// Whether the way from `from` to `to` leads into a mesh, however thin it is.
    pub fn enters_mesh(&self, from: Vec3, to: Vec3) -> bool {
        let side = |wall: &Wall| if wall.contains { -1.0 } else { 1.0 };
        self.walls.iter().any(|w| w.shape.entered(from, to, side(w)).is_some())
    }
}

/// Sphere tracing along the way: the signed distance says how far it is safe to go.
fn stop_at(shape: &Shape, from: Vec3, to: Vec3, clearance: f32) -> Vec3 {
    const MOST_STEPS: usize = 64;
    let way = to - from;
    let length = way.length();
    if shape.is_clear(to, length + clearance) {
        return to;
    }
    let touch = 1e-3 * clearance;
    let start = shape.outside(from);
    if start.distance - clearance <= touch {
        // Already touching: it may slide and leave, but not go through.
        return slide(shape, from, way, start.normal);
    }
    let direction = way / length;
    let mut t = 0.0;
    for _ in 0..MOST_STEPS {
        let free = shape.outside(from + direction * t).distance - clearance;
        if free <= touch {
            return from + direction * t;
        }
        t += free;
        if t >= length {
            return to;
        }
    }
    from + direction * t
}

/// Where a way ends that does not lead into the surfaces that it meets, the first of which has this normal.
fn slide(shape: &Shape, from: Vec3, mut way: Vec3, mut normal: Vec3) -> Vec3 {
    const MOST_SURFACES: usize = 3;
    for _ in 0..MOST_SURFACES {
        way -= normal * way.dot(normal).min(0.0);
        match shape.entered(from, from + way, 1.0) {
            Some(next) => normal = next,
            None => return from + way,
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boundary(shape: Shape, contains: bool) -> Boundary {
        Boundary { walls: vec![Wall { shape, contains, friction: WallFriction::Slip, velocity: Vec3::ZERO }] }
    }

    #[test]
    fn a_fast_particle_does_not_jump_across_a_thin_plate() {
        let plate = Shape::Box {
            center: Vec3::ZERO,
            half: Vec3::new(1.0, 0.001, 1.0),
            rotation: glam::Quat::IDENTITY,
        };
        let b = boundary(plate, false);
        for (from, to) in [
            (Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.1, -0.7, 0.0)),
            (Vec3::new(0.0, 0.006, 0.0), Vec3::new(0.0, -0.5, 0.0)),
            (Vec3::new(0.3, 0.0061, 0.0), Vec3::new(0.5, -0.5, 0.1)),
        ] {
            let x = b.stop_at_obstacles(from, to, 0.005);
            assert!(x.y > 0.0055, "{from} → {to}: {x}");
        }
        let leaves = b.stop_at_obstacles(Vec3::Y * 0.006, Vec3::Y * 0.2, 0.005);
        assert_eq!(leaves, Vec3::Y * 0.2);
    }

    #[test]
    fn a_particle_that_slides_on_a_mesh_does_not_slide_through_a_wall_of_it() {
        let solid = crate::mesh::Solid::new(&crate::mesh::Made::Waffle.mesh("")).expect("closed");
        let waffle = Shape::Mesh {
            solid: std::sync::Arc::new(solid),
            center: Vec3::ZERO,
            rotation: glam::Quat::IDENTITY,
        };
        // On the floor of the first pocket, towards the second one: the rib between them begins at -0.2525.
        let from = Vec3::new(-0.345, 0.045, -0.345);
        let to =
            boundary(waffle.clone(), false).stop_at_obstacles(from, from + Vec3::new(0.3, -0.02, 0.0), 0.01);
        assert!(to.x < -0.2525 && waffle.outside(to).distance > 0.0, "{to}");
        assert!(boundary(waffle, false).enters_mesh(from, from + Vec3::X * 0.3));
    }

    #[test]
    fn a_corner_of_a_container_is_three_surfaces() {
        let b = boundary(
            Shape::Box { center: Vec3::ZERO, half: Vec3::ONE, rotation: glam::Quat::IDENTITY },
            true,
        );
        assert_eq!(b.near(Vec3::splat(-0.95), 0.1).as_slice().len(), 3);
        assert_eq!(b.near(Vec3::ZERO, 0.1).as_slice().len(), 0);
    }
}
