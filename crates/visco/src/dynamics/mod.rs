//! Rigid bodies that forces move, by rapier3d: their motion, and what they meet.
//!
//! For methods in which fluid acts on bodies by forces. These have changed the velocities of a body's particles; rapier
//! lets bodies meet each other and the walls, with Coulomb's friction, and moves them. Its world is made anew in every
//! step from poses and velocities, so that it has no state of its own to be stored, and impulses are found from nothing.

mod colliders;

use crate::bodies::{Body, BodyPose};
use crate::boundary::{Boundary, WallFriction};
use crate::flow::Setting;
use crate::flow::moved_body::{MovedBody, inertia_at, spin_of};
use crate::flow::rigid::{BodyMotion, RigidBodies};
use crate::world::World;
use colliders::Piece;
use glam::{DQuat, DVec3, Vec3, Vec3A};
use rapier3d_f64::math::{Matrix, Pose, Rotation, Vector};
use rapier3d_f64::prelude::{
    ActiveHooks, ColliderBuilder, ColliderHandle, ContactModificationContext, MassProperties, PhysicsHooks,
    PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SpringCoefficients,
};

/// Friction between bodies of which none is given.
const USUAL_FRICTION: f64 = 0.5;
/// What holds without slip, as a coefficient.
const NO_SLIP: f64 = 1e6;
/// Parts of a step in which contacts are solved for, and sweeps over them in each.
const PARTS: usize = 4;
const SWEEPS: usize = 8;
/// How fast what has come too near is pushed apart, in 1/part of a step, and the damping of that.
const STIFFNESS: f64 = 2.0;
const DAMPING: f64 = 1.0;
/// Depth that contacts may have, and the distance from which they are seen, in spacings.
const DEPTH: f64 = 0.01;
const AHEAD: f64 = 0.25;

/// The shapes of bodies and walls, as rapier has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dynamics {
    /// Of every body, about its centre of mass.
    bodies: Vec<Vec<Piece>>,
    /// Of every wall, where the scene has it.
    walls: Vec<Vec<Piece>>,
}

/// A body in rapier's world.
struct Added {
    handle: RigidBodyHandle,
    /// Index of the body.
    body: usize,
    /// Its angular momentum at the end of the step if it meets nothing, over the mass of a particle.
    momentum: DVec3,
    /// The angular velocity that it then has in rapier's world.
    free_spin: DVec3,
}

impl Added {
    /// The body after the step.
    fn moved(self, step: &Setting, world: &PhysicsWorld) -> MovedBody {
        let body = &world.bodies[self.handle];
        let rotation = DQuat::from_array(body.rotation().to_array()).normalize();
        let pose = BodyPose { center: vec3(body.translation()), rotation };
        let met = vec3(body.angvel()) - self.free_spin;
        let momentum = self.momentum + inertia_at(&step.bodies[self.body].rest, rotation) * met;
        MovedBody { body: self.body, pose, velocity: vec3(body.linvel()), momentum }
    }
}

/// Whom a collider belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Body(usize),
    Wall(usize),
}

impl Owner {
    fn data(self) -> u128 {
        match self {
            Self::Body(b) => 2 * b as u128,
            Self::Wall(w) => 2 * w as u128 + 1,
        }
    }

    fn of(data: u128) -> Self {
        let index = (data / 2) as usize;
        if data.is_multiple_of(2) { Self::Body(index) } else { Self::Wall(index) }
    }
}

/// Gives contacts their friction, and the velocity of surfaces that move along themselves.
struct Rub<'a> {
    bodies: &'a [Body],
    boundary: &'a Boundary,
}

impl Dynamics {
    /// The shapes of a world; none where nothing in it is rigid.
    pub(crate) fn new(world: &World) -> Self {
        if !world.bodies.iter().any(Body::may_be_rigid) {
            return Self::default();
        }
        let of_body = |b: &Body| if b.is_hard() { colliders::of_body(&b.shape) } else { vec![] };
        Self {
            bodies: world.bodies.iter().map(of_body).collect(),
            walls: world.boundary.walls.iter().map(colliders::of_wall).collect(),
        }
    }

    /// Moves the rigid bodies by a step in which forces have given their particles the velocities `u`.
    pub(crate) fn advance(&self, step: &Setting, rigid: &RigidBodies, u: &[Vec3A]) -> Vec<MovedBody> {
        if rigid.is_empty() {
            return vec![];
        }
        let motions = rigid.motions(u);
        let u0: Vec<Vec3A> = step.u0.iter().map(|&u| u.into()).collect();
        let before = rigid.motions(&u0);
        let fastest = motions.iter().map(|m| m.velocity.length()).fold(0.0, f64::max);
        let mut world = self.world(step, u, fastest);
        let added: Vec<Added> = motions
            .iter()
            .zip(&before)
            .map(|(after, before)| self.add(&mut world, step, before, after))
            .collect();
        world.step_with_events(&Rub { bodies: step.bodies, boundary: step.boundary }, &());
        added.into_iter().map(|a| a.moved(step, &world)).collect()
    }

    /// Adds a body whose motion forces change in the step from one to another.
    fn add(
        &self,
        world: &mut PhysicsWorld,
        step: &Setting,
        before: &BodyMotion,
        after: &BodyMotion,
    ) -> Added {
        let (index, dt) = (before.body, f64::from(step.dt));
        let body = &step.bodies[index];
        let particle = 1.0 / f64::from(step.inverse_mass(step.members[index][0] as usize));
        let mass = particle * body.rest.len() as f64;
        let inertia = inertia_at(&body.rest, DQuat::IDENTITY) * particle;
        let inertia = Matrix::from_cols_array(&inertia.to_cols_array());
        let turned = inertia_at(&body.rest, body.pose.rotation);
        // A body turns with the angular velocity of the step's middle; so angular momentum is kept.
        let halfway = DQuat::from_scaled_axis(before.spin * (0.5 * dt)) * body.pose.rotation;
        let spin = spin_of(turned * before.spin, &body.rest, halfway.normalize());
        let moving = RigidBodyBuilder::dynamic()
            .additional_mass_properties(MassProperties::with_inertia_matrix(Vector::ZERO, mass, inertia))
            .linvel(vector(before.velocity))
            .angvel(vector(spin))
            .gyroscopic_forces_enabled(false)
            .can_sleep(false)
            .pose(pose(body.pose.center, body.pose.rotation));
        let handle = world.insert_body(moving);
        insert(world, (&self.bodies[index], Owner::Body(index)), handle, Vec3::ZERO);
        let faster = after.spin - before.spin;
        let moving = &mut world.bodies[handle];
        moving.add_force(vector((after.velocity - before.velocity) * (mass / dt)), true);
        moving.add_torque(vector(turned * faster * (particle / dt)), true);
        Added { handle, body: index, momentum: turned * after.spin, free_spin: spin + faster }
    }

    /// A world of walls and of the bodies that the scene moves, for bodies up to this fast.
    fn world(&self, step: &Setting, u: &[Vec3A], fastest: f64) -> PhysicsWorld {
        let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
        let dt = f64::from(step.dt);
        let spacing = f64::from(step.kernel.spacing());
        let p = &mut world.integration_parameters;
        p.dt = dt;
        p.length_unit = spacing;
        p.normalized_allowed_linear_error = DEPTH;
        p.normalized_prediction_distance = AHEAD.max(2.0 * fastest * dt / spacing);
        p.normalized_max_linear_velocity = f64::MAX;
        p.normalized_max_corrective_velocity = 1.0 / dt;
        p.contact_softness = SpringCoefficients::new(STIFFNESS * PARTS as f64 / dt, DAMPING);
        p.static_contact_softness = p.contact_softness;
        p.num_solver_iterations = PARTS;
        p.num_internal_pgs_iterations = SWEEPS;
        p.num_internal_stabilization_iterations = SWEEPS;
        p.friction_in_bias_pass = true;
        p.contact_recycling = false;
        for (index, (wall, pieces)) in step.boundary.walls.iter().zip(&self.walls).enumerate() {
            let owned = (pieces.as_slice(), Owner::Wall(index));
            match &wall.motion {
                None => {
                    let handle = world.insert_body(RigidBodyBuilder::fixed());
                    insert(&mut world, owned, handle, Vec3::ZERO);
                }
                Some(motion) => {
                    let ((from, turn), (to, turned)) = (motion.start.pose(), motion.end.pose());
                    let start = pose(from.as_dvec3(), turn.as_dquat());
                    let handle = world.insert_body(RigidBodyBuilder::kinematic_position_based().pose(start));
                    insert(&mut world, owned, handle, motion.start.pivot());
                    world.bodies[handle].set_next_kinematic_position(pose(to.as_dvec3(), turned.as_dquat()));
                }
            }
        }
        for (index, body) in step.bodies.iter().enumerate().filter(|(_, b)| b.guided && b.is_hard()) {
            // The pose of such a body is where the step brings it.
            let (velocity, spin) = MovedBody::driven(step, index, u);
            let turn = DQuat::from_scaled_axis(spin * -dt) * body.pose.rotation;
            let start = pose(body.pose.center - velocity * dt, turn.normalize());
            let handle = world.insert_body(RigidBodyBuilder::kinematic_position_based().pose(start));
            insert(&mut world, (&self.bodies[index], Owner::Body(index)), handle, Vec3::ZERO);
            let end = pose(body.pose.center, body.pose.rotation);
            world.bodies[handle].set_next_kinematic_position(end);
        }
        world
    }
}

/// Adds pieces to a body of a world, less the point of theirs that is at its centre.
fn insert(world: &mut PhysicsWorld, (pieces, owner): (&[Piece], Owner), to: RigidBodyHandle, center: Vec3) {
    for piece in pieces {
        let mut place = piece.place;
        place.translation -= vector(center.as_dvec3());
        let collider = ColliderBuilder::new(piece.shape.clone())
            .density(0.0)
            .restitution(0.0)
            .position(place)
            .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS)
            .user_data(owner.data());
        world.insert_collider(collider, Some(to));
    }
}

fn coefficient(friction: WallFriction) -> f64 {
    match friction {
        WallFriction::Slip => 0.0,
        WallFriction::NoSlip => NO_SLIP,
        WallFriction::Coulomb(mu) => f64::from(mu),
    }
}

impl Rub<'_> {
    /// Friction of a body: its own, or what it meets has.
    fn friction(&self, owners: (Owner, Owner)) -> f64 {
        let own = |b: usize| self.bodies[b].friction;
        match owners {
            (Owner::Body(a), Owner::Body(b)) => match (own(a), own(b)) {
                (Some(a), Some(b)) => 0.5 * (coefficient(a) + coefficient(b)),
                (Some(one), None) | (None, Some(one)) => coefficient(one),
                (None, None) => USUAL_FRICTION,
            },
            (Owner::Body(b), Owner::Wall(w)) | (Owner::Wall(w), Owner::Body(b)) => {
                coefficient(own(b).unwrap_or(self.boundary.walls[w].friction))
            }
            (Owner::Wall(_), Owner::Wall(_)) => 0.0,
        }
    }

    /// Velocity along itself of what a collider belongs to.
    fn surface(&self, owner: Owner) -> Vector {
        match owner {
            Owner::Wall(w) => vector(self.boundary.walls[w].velocity.as_dvec3()),
            Owner::Body(_) => Vector::ZERO,
        }
    }
}

impl PhysicsHooks for Rub<'_> {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let owner = |handle: ColliderHandle| Owner::of(context.colliders[handle].user_data);
        let owners = (owner(context.collider1), owner(context.collider2));
        let friction = self.friction(owners);
        let relative = self.surface(owners.0) - self.surface(owners.1);
        if let Some(manifold) = context.rigid_mut() {
            *manifold.friction = friction;
            *manifold.restitution = 0.0;
            for contact in manifold.solver_contacts.iter_mut() {
                contact.tangent_velocity = relative;
            }
        }
    }
}

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn vec3(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}

fn pose(center: DVec3, rotation: DQuat) -> Pose {
    Pose::from_parts(vector(center), Rotation::from_array(rotation.to_array()))
}
