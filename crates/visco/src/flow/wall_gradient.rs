//! What walls add to the velocity gradient of a particle: a half-space of lattice particles behind each.
//!
//! Their velocity continues the line from the particle's to the wall's at the surface: all of it where there is no slip,
//! its normal part alone where the fluid may slide. Along such a wall its particles do as the fluid does, and count for
//! nothing. Along a wall with no slip they move as the wall does.

use super::Setting;
use crate::boundary::{Contact, Contacts, WallFriction};
use crate::math::{Sym3, outer, outer3a};
use glam::{Mat3, Mat3A, Vec3, Vec3A};

/// Walls along which a particle can slide at once: a corner has three.
const MOST_SLIDING: usize = 3;

/// Which walls act through the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WallKind {
    /// Those with no slip alone.
    NoSlip,
    /// Also those without friction, which hold normal motion alone.
    All,
}

/// The walls at a particle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallGradient {
    /// The gradient that multiplies u_wall − u_i.
    pub(crate) gradient: Vec3,
    /// Σ of the walls' velocity times their gradient: what moving walls add to Σ w u xᵀ.
    pub(crate) flow: Mat3,
    /// Σ of the walls' velocity times their weight.
    pub(crate) pull: Vec3,
    /// Part of the moment matrix.
    pub(crate) moment: Sym3,
    /// Σ w (z/s)²: the weight of the wall's particles, at depth z, in the control of unseen motion.
    pub(crate) weight: f32,
    sliding: [Sliding; MOST_SLIDING],
    count: usize,
}

/// A wall along which the fluid may slide.
#[derive(Clone, Copy, Debug)]
struct Sliding {
    normal: Vec3A,
    /// Gradient along −normal that multiplies the normal velocity.
    gradient: f32,
    weight: f32,
}

impl WallGradient {
    /// No wall in reach. (A derived default would hold the unit matrix.)
    pub(crate) const NONE: Self = Self {
        gradient: Vec3::ZERO,
        flow: Mat3::ZERO,
        pull: Vec3::ZERO,
        moment: Sym3::ZERO,
        weight: 0.0,
        sliding: [Sliding { normal: Vec3A::ZERO, gradient: 0.0, weight: 0.0 }; MOST_SLIDING],
        count: 0,
    };

    /// The walls at x⁰, where they are at the start of the step, if any act there; `counts` says which of those in
    /// reach do.
    pub(crate) fn at_start(
        step: &Setting,
        i: usize,
        kind: WallKind,
        counts: impl Fn(&Contact) -> bool,
    ) -> Option<Self> {
        let contacts = step.boundary.near_at_start(step.x0[i], step.wall_kernel.reach());
        Self::sum(step, &contacts, (kind, true), counts)
    }

    /// The walls with no slip at a point, where they are at the end of the step.
    pub(crate) fn at_end(step: &Setting, x: Vec3) -> Option<Self> {
        let contacts = step.boundary.near(x, step.wall_kernel.reach());
        Self::sum(step, &contacts, (WallKind::NoSlip, false), |_| true)
    }

    fn sum(
        step: &Setting,
        contacts: &Contacts,
        (kind, at_start): (WallKind, bool),
        counts: impl Fn(&Contact) -> bool,
    ) -> Option<Self> {
        let mut sum = Self::NONE;
        let mut any = false;
        for contact in contacts.as_slice() {
            // Coulomb's friction needs the whole load in the contact.
            let acts = match contact.friction {
                WallFriction::NoSlip => true,
                WallFriction::Slip => kind == WallKind::All,
                WallFriction::Coulomb(_) => false,
            };
            if acts && counts(contact) {
                sum.add(step, contact, step.boundary.spin(contact.wall, at_start));
                any = true;
            }
        }
        any.then_some(sum)
    }

    /// Adds a wall; `spin` is the gradient of its velocity.
    fn add(&mut self, step: &Setting, contact: &Contact, spin: Mat3) {
        // Not nearer than a quarter spacing: the line from particle to surface needs a length.
        let s = contact.point.distance.max(0.5 * step.clearance);
        let sums = step.wall_kernel.at(s);
        let n = contact.point.normal;
        let (gradient, weight) = (sums.normal_moment / s, sums.normal_moment / (s * s));
        self.moment += Sym3::outer(n) * sums.normal_moment;
        if contact.friction == WallFriction::NoSlip {
            self.moment += (Sym3::IDENTITY - Sym3::outer(n)) * sums.tangent_moment;
            self.gradient -= n * gradient;
            self.flow += outer(contact.velocity, n * -gradient);
            // Along the surface its particles move as a wall that turns does.
            self.flow += (spin - outer(spin * n, n)) * sums.tangent_moment;
            self.pull += contact.velocity * weight;
            self.weight += weight;
        } else if self.count < MOST_SLIDING {
            let advance = n * contact.velocity.dot(n);
            self.flow += outer(advance, n * -gradient);
            self.pull += advance * weight;
            self.sliding[self.count] = Sliding { normal: n.into(), gradient, weight };
            self.count += 1;
        }
    }

    fn sliding(&self) -> &[Sliding] {
        &self.sliding[..self.count]
    }

    /// Unit normals of the walls along which the fluid may slide.
    pub(crate) fn sliding_normals(&self) -> impl Iterator<Item = Vec3A> + '_ {
        self.sliding().iter().map(|w| w.normal)
    }

    /// What walls at rest add to Σ w u xᵀ for a particle of velocity u.
    #[inline]
    pub(crate) fn of(&self, u: Vec3A) -> Mat3A {
        let mut l = outer3a(-u, self.gradient.into());
        for w in self.sliding() {
            l += outer3a(w.normal * (w.normal.dot(u) * w.gradient), w.normal);
        }
        l
    }

    /// The transpose of [`WallGradient::of`], with the sign of Σ w T x.
    #[inline]
    pub(crate) fn transposed(&self, traction: &Mat3A) -> Vec3A {
        let mut sum = *traction * Vec3A::from(self.gradient);
        for w in self.sliding() {
            sum -= w.normal * (w.normal.dot(*traction * w.normal) * w.gradient);
        }
        sum
    }

    /// The control's pull towards walls at rest, per unit of its strength.
    #[inline]
    pub(crate) fn resist(&self, u: Vec3A) -> Vec3A {
        let mut sum = u * self.weight;
        for w in self.sliding() {
            sum += w.normal * (w.normal.dot(u) * w.weight);
        }
        sum
    }

    /// Σ |K g|² of the walls, in the directions that they hold.
    pub(crate) fn squares(&self, correction: Sym3) -> Sym3 {
        let mut sum = Sym3::isotropic(correction.mul_vec(self.gradient).length_squared());
        for w in self.sliding() {
            let along = correction.mul_vec3a(w.normal * w.gradient).length_squared();
            sum += Sym3::outer(w.normal.into()) * along;
        }
        sum
    }
}
