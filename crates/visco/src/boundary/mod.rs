//! Walls and obstacles: one query for every shape.
//!
//! A boundary's surface is where the shape says; particle centres stay half a spacing away from it.

mod cone;
mod moving;
mod plate;
pub(crate) mod samples;
mod shape;
mod wall_kernel;

pub use cone::Cone;
pub use moving::{MovingWall, Placement, WallMotion};
pub use plate::Plate;
pub use shape::{Shape, SurfacePoint};
pub use wall_kernel::{WallKernel, WallSums};

use glam::{Mat3, Vec3};

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

/// A wall. Its surface may move along itself, or all of it through space.
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
    /// Where it is in the step that is next, or was last, if it moves through space.
    pub motion: Option<WallMotion>,
}

/// A surface near a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Distance and normal.
    pub point: SurfacePoint,
    /// Friction of the wall.
    pub friction: WallFriction,
    /// Mean velocity of the surface over the step, at its nearest point, in m/s.
    pub velocity: Vec3,
    /// Index of the wall.
    pub wall: usize,
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
        wall: 0,
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
    /// The surfaces closer than `range` to `x` (or behind which `x` lies), where the walls are at the end of the step.
    pub fn near(&self, x: Vec3, range: f32) -> Contacts {
        self.collect(x, |m| &m.end, |_| range)
    }

    /// The same at the start of the step.
    pub fn near_at_start(&self, x: Vec3, range: f32) -> Contacts {
        self.collect(x, |m| &m.start, |_| range)
    }

    /// The surfaces at the start of the step that a particle at `x` could meet in it: those closer than `range` and
    /// the way that the wall makes there in `dt` seconds.
    pub fn within_reach(&self, x: Vec3, range: f32, dt: f32) -> Contacts {
        self.collect(x, |m| &m.start, |place| range + place.map_or(0.0, |p| p.velocity_at(x).length() * dt))
    }

    fn collect(
        &self,
        x: Vec3,
        place: impl Fn(&WallMotion) -> &Placement,
        range: impl Fn(Option<&Placement>) -> f32,
    ) -> Contacts {
        let mut contacts = Contacts::new();
        for (index, wall) in self.walls.iter().enumerate() {
            let place = wall.motion.as_ref().map(&place);
            wall.surfaces(place, (x, range(place)), |point| {
                let carried = place.map_or(Vec3::ZERO, |p| p.velocity_at(x - point.normal * point.distance));
                let velocity = wall.velocity + carried;
                contacts.push(Contact { point, friction: wall.friction, velocity, wall: index });
            });
        }
        contacts
    }

    /// ∇v of a wall at the start of the step or at its end, in 1/s; zero where it does not turn.
    pub(crate) fn spin(&self, wall: usize, at_start: bool) -> Mat3 {
        let gradient = |m: &WallMotion| if at_start { m.start.gradient() } else { m.end.gradient() };
        self.walls[wall].motion.as_ref().map_or(Mat3::ZERO, gradient)
    }

    /// Where a ball of radius `clearance` that moves from `from` towards `to` in a step is stopped by an obstacle that
    /// it would enter or jump across, or that would jump across it. Containers and planes need no such test: behind
    /// them all is solid.
    pub fn stop_at_obstacles(&self, from: Vec3, to: Vec3, clearance: f32) -> Vec3 {
        let mut to = to;
        for wall in self.walls.iter().filter(|w| !w.contains && !matches!(w.shape, Shape::Plane { .. })) {
            to = match &wall.motion {
                None => stop_at(&wall.shape, from, to, clearance),
                Some(motion) => {
                    // As the obstacle sees it: it stands, and the ball makes the way between them.
                    let (seen_from, seen_to) = (motion.start.to_shape(from), motion.end.to_shape(to));
                    let stopped = stop_at(&wall.shape, seen_from, seen_to, clearance);
                    if stopped == seen_to { to } else { motion.end.to_space(stopped) }
                }
            };
        }
        to
    }

    /// The displacement `s` of a particle that starts the step at `x`; where it leads into a mesh, however thin, one that
    /// does not: the particle stays, or goes with a wall that moves. Between walls that close on it, with the wall that it
    /// would enter.
    pub fn keep_out_of_meshes(&self, x: Vec3, s: Vec3) -> Vec3 {
        let entered = |s: Vec3| self.walls.iter().find(|w| w.is_entered(x, x + s));
        let Some(wall) = entered(s) else {
            return s;
        };
        let mut ways =
            [wall.carries(x), Vec3::ZERO].into_iter().chain(self.walls.iter().map(|w| w.carries(x)));
        ways.find(|&way| entered(way).is_none()).unwrap_or_else(|| wall.carries(x))
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
    use crate::motion::RigidMotion;
    use glam::DVec3;

    fn boundary(shape: Shape, contains: bool) -> Boundary {
        Boundary {
            walls: vec![Wall {
                shape,
                contains,
                friction: WallFriction::Slip,
                velocity: Vec3::ZERO,
                motion: None,
            }],
        }
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
        assert_eq!(boundary(waffle, false).keep_out_of_meshes(from, Vec3::X * 0.3), Vec3::ZERO);
    }

    #[test]
    fn a_thin_plate_does_not_jump_across_a_particle() {
        let half = Vec3::new(1.0, 0.001, 1.0);
        let plate = Shape::Box { center: Vec3::ZERO, half, rotation: glam::Quat::IDENTITY };
        let mut b = boundary(plate, false);
        let motion = RigidMotion::steady(DVec3::ZERO, DVec3::Y * 2.0, DVec3::Z * 1.0);
        b.walls[0].motion = Some(WallMotion::in_step(&motion, 0.0, 0.1));
        // The plate rises by 0.2 and turns by 0.1: what was above it is still above it.
        let place = b.walls[0].motion.expect("it moves").end;
        for from in [Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.5, 0.01, 0.2), Vec3::new(-0.6, 0.006, 0.0)] {
            let x = b.stop_at_obstacles(from, from, 0.005);
            assert!(place.to_shape(x).y > 0.0055, "{from} is left at {x}");
            let way = x - from;
            assert!(way.y > 0.0 && way.y < 0.27, "{way}");
        }
        let above = Vec3::Y * 0.4;
        assert_eq!(b.stop_at_obstacles(above, above, 0.005), above);
    }

    #[test]
    fn a_mesh_that_moves_takes_along_what_cannot_go_elsewhere() {
        let thin = (*crate::mesh::Made::Waffle.mesh("")).clone().mapped(|x| x * Vec3::new(1.0, 0.001, 1.0));
        let solid = std::sync::Arc::new(crate::mesh::Solid::new(&thin).expect("closed"));
        let mut b =
            boundary(Shape::Mesh { solid, center: Vec3::ZERO, rotation: glam::Quat::IDENTITY }, false);
        let (above, way) = (Vec3::new(0.1, 0.01, 0.05), Vec3::Y * -0.1);
        assert_eq!(b.keep_out_of_meshes(above, way), Vec3::ZERO);
        assert_eq!(b.keep_out_of_meshes(above, Vec3::X * 0.2), Vec3::X * 0.2);
        // It rises past the particle, and turns: to stay would be to pass through it.
        let motion = RigidMotion::steady(DVec3::ZERO, DVec3::Y * 2.0, DVec3::Z * 1.0);
        b.walls[0].motion = Some(WallMotion::in_step(&motion, 0.0, 0.1));
        let carried = b.keep_out_of_meshes(above, Vec3::ZERO);
        let to = Vec3::Y * 0.2 + glam::Quat::from_rotation_z(0.1) * above;
        assert!((above + carried).distance(to) < 1e-6, "{carried}");
        // What goes ahead of it, or away below it, is free.
        for (from, way) in [(above, Vec3::Y * 0.5), (-above, Vec3::Y * 0.1)] {
            assert_eq!(b.keep_out_of_meshes(from, way), way);
        }
        // A wall that stands in its way does not let it through either.
        let still = b.walls[0].clone();
        b.walls.push(Wall { motion: None, ..still });
        let below = -above;
        assert_eq!(b.keep_out_of_meshes(below, Vec3::Y * 0.3), Vec3::ZERO);
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
