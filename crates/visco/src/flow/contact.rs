//! Contact with walls, in velocities and in positions.
//!
//! Velocities: a particle at distance s from a wall may not move so that it comes nearer than half a spacing,
//! u·n ≥ (d/2 − s)/Δt + v·n, where v is the mean velocity of the wall over the step. Positions: what is nearer is moved out along the normal.

use super::Setting;
use crate::boundary::WallFriction;
use crate::math::Sym3;
use crate::neighbors::Neighbors;
use glam::{Vec3, Vec3A};
use rayon::prelude::*;

/// How far an impact may press layers together in one step.
const LAYER_COMPRESSION: f32 = 0.8;

/// What a contact does in the velocity projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nothing.
    Open,
    /// Holds the normal component.
    Slide,
    /// Holds all components.
    Stick,
}

/// A wall that a particle can reach in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityContact {
    pub(crate) particle: u32,
    pub(crate) normal: Vec3A,
    /// Velocity of the wall.
    pub(crate) surface: Vec3A,
    /// Smallest normal velocity that keeps the particle off the wall.
    pub(crate) lowest: f32,
    /// Friction coefficient; infinite for a wall that holds by contact.
    pub(crate) friction: f32,
    pub(crate) mode: Mode,
    /// Change of velocity by sliding friction.
    pub(crate) drag: Vec3A,
}

/// What remains free of a held particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hold {
    /// Projects onto the free directions.
    pub(crate) free: Sym3,
    /// The held components.
    pub(crate) fixed: Vec3A,
}

impl Hold {
    pub(crate) const NONE: Self = Self { free: Sym3::IDENTITY, fixed: Vec3A::ZERO };

    /// Replaces the held components of a velocity.
    #[inline]
    pub(crate) fn apply(&self, u: Vec3A) -> Vec3A {
        self.free.mul_vec3a(u) + self.fixed
    }
}

/// The contacts of a step, ordered by particle.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocityContacts {
    pub(crate) list: Vec<VelocityContact>,
    /// Components that grips hold: index, unit vector, value.
    held: Vec<(u32, Vec3A, f32)>,
}

/// The friction coefficient that acts at a contact. With the corrected gradients a no-slip wall drags the
/// fluid by viscosity, so its contact itself is smooth.
pub(crate) fn contact_friction(step: &Setting, friction: WallFriction) -> f32 {
    match friction {
        WallFriction::Slip => 0.0,
        WallFriction::Coulomb(mu) => mu,
        WallFriction::NoSlip if step.viscous_walls => 0.0,
        WallFriction::NoSlip => f32::INFINITY,
    }
}

impl VelocityContacts {
    /// Finds the walls that free particles could reach with the predicted velocities.
    pub(crate) fn find(step: &Setting, u: &[Vec3A], neighbors: &Neighbors) -> Self {
        let held = step.held.iter().map(|&(i, axis, value)| (i, axis.into(), value)).collect();
        if step.boundary.walls.is_empty() {
            return Self { list: vec![], held };
        }
        let reach = |i: usize| step.clearance * 3.0 + 1.5 * u[i].length() * step.dt;
        let list = (0..u.len())
            .into_par_iter()
            .filter(|&i| step.is_free(i))
            .flat_map_iter(|i| {
                let contacts = step.boundary.within_reach(step.x0[i], reach(i), 1.5 * step.dt);
                let list: Vec<VelocityContact> = contacts
                    .as_slice()
                    .iter()
                    .map(|c| VelocityContact {
                        particle: i as u32,
                        normal: c.point.normal.into(),
                        surface: c.velocity.into(),
                        lowest: (step.clearance - c.point.distance) / step.dt
                            + c.velocity.dot(c.point.normal),
                        friction: step.friction(i, c.friction),
                        mode: Mode::Open,
                        drag: Vec3A::ZERO,
                    })
                    .collect();
                list
            })
            .collect();
        let mut contacts = Self { list, held };
        contacts.keep_layers_apart(step, u, neighbors);
        contacts
    }

    /// Raises `lowest` for particles that would be driven through others onto the wall: a body that hits a wall
    /// by more than a layer in one step is compressed, but its layers stay in order.
    fn keep_layers_apart(&mut self, step: &Setting, u: &[Vec3A], neighbors: &Neighbors) {
        let distance = |c: &VelocityContact| step.clearance - c.lowest * step.dt;
        let violated =
            |k: &usize| u[self.list[*k].particle as usize].dot(self.list[*k].normal) < self.list[*k].lowest;
        let mut order: Vec<usize> = (0..self.list.len()).filter(violated).collect();
        order.sort_by(|&a, &b| distance(&self.list[a]).total_cmp(&distance(&self.list[b])).then(a.cmp(&b)));
        let mut ground: Vec<Option<f32>> = vec![None; self.list.len()];
        let of = |list: &[VelocityContact], particle: u32| {
            let from = list.partition_point(|c| c.particle < particle);
            from..from + list[from..].iter().take_while(|c| c.particle == particle).count()
        };
        for k in order {
            let (i, normal) = (self.list[k].particle as usize, self.list[k].normal);
            let mut height = step.clearance;
            for (j, depth) in covering(step, i, normal, neighbors) {
                for other in of(&self.list, j as u32) {
                    if let Some(below) = ground[other].filter(|_| self.list[other].normal.dot(normal) > 0.9) {
                        height = height.max(below + LAYER_COMPRESSION * depth);
                    }
                }
            }
            ground[k] = Some(height);
        }
        for (c, height) in self.list.iter_mut().zip(ground) {
            if let Some(height) = height {
                c.lowest += (height - step.clearance) / step.dt;
            }
        }
    }

    /// Closes every open contact that `u` violates and that belongs to the layer next to the wall, but for those of rigid
    /// bodies; returns how many. Holding also the particles behind that layer would stop the body dead.
    pub(crate) fn close_violated(&mut self, step: &Setting, u: &[Vec3A], neighbors: &Neighbors) -> usize {
        self.list
            .par_iter_mut()
            .filter(|c| c.mode == Mode::Open && !step.is_rigid(c.particle as usize))
            .map(|c| {
                let i = c.particle as usize;
                let violated = u[i].dot(c.normal) < c.lowest - 1e-6 * step.clearance / step.dt;
                if !violated || covering(step, i, c.normal, neighbors).next().is_some() {
                    return 0;
                }
                // Whether friction holds it shows once the normal impulse is known.
                c.mode = if c.friction == f32::INFINITY { Mode::Stick } else { Mode::Slide };
                1
            })
            .sum()
    }

    /// Closes the contacts that held at the end of the last step, where the particle still touches; `held` is the sum
    /// of the normals that held it.
    pub(crate) fn resume(&mut self, step: &Setting, held: &[Vec3]) {
        const TOUCHING: f32 = 0.02;
        for c in &mut self.list {
            let gap = (c.surface.dot(c.normal) - c.lowest) * step.dt;
            let near = gap < TOUCHING * step.kernel.spacing();
            if near && held[c.particle as usize].dot(c.normal.into()) > 0.5 {
                c.mode = if c.friction == f32::INFINITY { Mode::Stick } else { Mode::Slide };
            }
        }
    }

    /// The sum of the normals that hold each particle.
    pub(crate) fn held_normals(&self, held: &mut [Vec3]) {
        held.fill(Vec3::ZERO);
        for c in self.list.iter().filter(|c| c.mode != Mode::Open) {
            held[c.particle as usize] += Vec3::from(c.normal);
        }
    }

    /// Opens contacts that pull, lets sticking ones slide where friction does not suffice and sliding ones stick
    /// where it would stop them; `impulse(i)` is the change of velocity that holding particle i has cost. Contacts that
    /// `chosen` leaves out stay as they are. Returns how many contacts changed.
    pub(crate) fn release(
        &mut self,
        u: &[Vec3A],
        chosen: impl Fn(usize) -> bool + Sync,
        impulse: impl Fn(usize) -> Vec3A + Sync,
    ) -> usize {
        self.list
            .par_iter_mut()
            .filter(|c| c.mode != Mode::Open && chosen(c.particle as usize))
            .map(|c| {
                let i = c.particle as usize;
                let push = impulse(i);
                let normal = push.dot(c.normal);
                if normal < 0.0 {
                    (c.mode, c.drag) = (Mode::Open, Vec3A::ZERO);
                    return 1;
                }
                let along = push - c.normal * normal;
                match c.mode {
                    Mode::Stick if along.length() > c.friction * normal => {
                        c.mode = Mode::Slide;
                        c.drag = along * (c.friction * normal / along.length());
                        1
                    }
                    Mode::Slide if c.friction > 0.0 => {
                        let relative = u[i] - c.surface;
                        let sliding = relative - c.normal * relative.dot(c.normal);
                        let speed = sliding.length();
                        if c.friction * normal >= speed {
                            (c.mode, c.drag) = (Mode::Stick, Vec3A::ZERO);
                            return 1;
                        }
                        let first = c.drag == Vec3A::ZERO;
                        c.drag = sliding * (-c.friction * normal / speed);
                        usize::from(first)
                    }
                    _ => 0,
                }
            })
            .sum()
    }

    /// The held components and friction of every particle: writes `holds` and adds friction to `u_star`.
    pub(crate) fn holds(&self, holds: &mut [Hold], u_star: &mut [Vec3A]) {
        holds.fill(Hold::NONE);
        for &(i, axis, value) in &self.held {
            hold_direction(&mut holds[i as usize], axis, value);
        }
        for c in &self.list {
            let i = c.particle as usize;
            u_star[i] += c.drag;
            match c.mode {
                Mode::Open => {}
                Mode::Stick => hold_all(&mut holds[i], c),
                Mode::Slide => hold_direction(&mut holds[i], c.normal, c.lowest),
            }
        }
    }

    /// Moves velocities out of all violated contacts, with friction: contact inside a Jacobi iteration. Contacts of
    /// rigid bodies are left out: a body moves as one.
    pub(crate) fn project(&self, step: &Setting, u: &mut [Vec3A]) {
        for c in self.list.iter().filter(|c| !step.is_rigid(c.particle as usize)) {
            let v = &mut u[c.particle as usize];
            let lift = c.lowest - v.dot(c.normal);
            if lift > 0.0 {
                *v += c.normal * lift;
                let relative = *v - c.surface;
                let along = relative - c.normal * relative.dot(c.normal);
                *v -= stopped(along, c.friction * lift);
            }
        }
        for &(i, axis, value) in &self.held {
            let v = &mut u[i as usize];
            *v += axis * (value - axis.dot(*v));
        }
    }
}

/// The part of a tangential motion that friction up to `most` takes away.
fn stopped(along: Vec3A, most: f32) -> Vec3A {
    let length = along.length();
    if length <= most { along } else { along * (most / length) }
}

/// How far friction holds back what a wall has pushed out by `depth`: without slip all the way, however light the touch.
fn friction_reach(friction: f32, depth: f32) -> f32 {
    if friction == f32::INFINITY { friction } else { friction * depth }
}

/// The particles between particle i and the wall, with how much nearer to it they are.
fn covering<'a>(
    step: &'a Setting,
    i: usize,
    normal: Vec3A,
    neighbors: &'a Neighbors,
) -> impl Iterator<Item = (usize, f32)> + 'a {
    let d = 2.0 * step.clearance;
    neighbors.of(i).iter().filter_map(move |&j| {
        let e = Vec3A::from(step.offset(i, j as usize));
        let depth = -e.dot(normal);
        let below = depth > 0.6 * d && (e + normal * depth).length_squared() < (1.1 * d).powi(2);
        below.then_some((j as usize, depth))
    })
}

/// Holds one more direction of a particle at a velocity.
pub(crate) fn hold_direction(hold: &mut Hold, normal: Vec3A, value: f32) {
    // Gram–Schmidt against what is already held; a direction that is held already adds nothing.
    let new = hold.free.mul_vec3a(normal);
    let length = new.length();
    if length < 0.1 {
        return;
    }
    let n = new / length;
    let value = (value - normal.dot(hold.fixed)) / length;
    hold.fixed += n * value;
    hold.free = hold.free - Sym3::outer(n.into());
}

fn hold_all(hold: &mut Hold, c: &VelocityContact) {
    hold_direction(hold, c.normal, c.lowest);
    hold.fixed += hold.free.mul_vec3a(c.surface);
    hold.free = Sym3::ZERO;
}

/// The displacement s of particle i, moved out of walls.
pub(crate) fn contact_displacement(step: &Setting, i: usize, s: Vec3) -> Vec3 {
    const ROUNDS: usize = 3;
    let x0 = step.x0[i];
    let mut s = stop(step, x0, s);
    // In a corner one wall pushes into another: a few rounds settle it.
    for _ in 0..ROUNDS {
        let contacts = step.boundary.near(x0 + s, step.clearance);
        let mut moved = false;
        for c in contacts.as_slice() {
            let depth = step.clearance - c.point.distance;
            s += c.point.normal * depth;
            let friction = step.friction(i, c.friction);
            if friction > 0.0 {
                let relative = s - c.velocity * step.dt;
                let along = relative - c.point.normal * relative.dot(c.point.normal);
                s -= Vec3::from(stopped(along.into(), friction_reach(friction, depth)));
            }
            moved |= depth > 1e-4 * step.clearance;
        }
        if !moved {
            break;
        }
        // What one wall pushes out must not be pushed across another.
        s = stop(step, x0, s);
    }
    // Between walls that are nearer to each other than particles are, one could push through the other.
    step.boundary.keep_out_of_meshes(x0, s)
}

/// The displacement up to the first obstacle in its way.
fn stop(step: &Setting, x0: Vec3, s: Vec3) -> Vec3 {
    let stopped_at = step.boundary.stop_at_obstacles(x0, x0 + s, step.clearance);
    if stopped_at == x0 + s { s } else { stopped_at - x0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_slip_the_lightest_touch_holds() {
        let along = Vec3A::new(0.3, 0.0, -0.1);
        assert_eq!(stopped(along, friction_reach(f32::INFINITY, 0.0)), along);
        assert_eq!(stopped(along, friction_reach(0.5, 0.0)), Vec3A::ZERO);
    }
}
