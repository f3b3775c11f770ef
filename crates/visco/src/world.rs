//! The world of a scene: particles, walls, nozzles, materials.

use crate::bodies::{self, Body};
use crate::boundary::{Boundary, MovingWall, Plate, Shape, Wall, WallFriction, WallMotion};
use crate::domain::Domain;
use crate::emitters::{Emitter, NozzleFlow, Opening};
use crate::flow::evenness;
use crate::flow::moved_body::MovedBody;
use crate::grips::Grip;
use crate::material::{KeyedMaterial, Material};
use crate::mesh::Assets;
use crate::neighbors::Neighbors;
use crate::parallel;
use crate::particles::{Motion, Particles};
use crate::random::Random;
use crate::scene::{
    self, Axis, Friction, HoldKind, NamedFriction, Note, Packing, Problem, Scene, SceneError, Side, Triple,
};
use crate::shapes::{Shapes, lattice};
use glam::Vec3;

/// Random offset of particles that are packed, in spacings.
const SHAKEN: f32 = 0.3;
/// Least depth of their centres below the shape's surface, in spacings.
const DEPTH: f32 = 0.4;

/// What a simulation moves and what it meets.
#[derive(Clone, Debug)]
pub struct World {
    /// Rest distance of particles, in m.
    pub spacing: f32,
    /// Gravity, in m/s².
    pub gravity: Vec3,
    /// Whether space repeats.
    pub domain: Domain,
    /// Simulated time, in s.
    pub time: f64,
    /// The particles.
    pub particles: Particles,
    /// The walls.
    pub boundary: Boundary,
    /// The walls whose velocity changes with time.
    pub plates: Vec<Plate>,
    /// The walls that move through space.
    pub moving_walls: Vec<MovingWall>,
    /// The nozzles.
    pub emitters: Vec<Emitter>,
    /// What holds particles, by index.
    pub grips: Vec<Grip>,
    /// The bodies, by index.
    pub bodies: Vec<Body>,
    /// The materials, by index, as they are now: those of the scene, then one for each body.
    pub materials: Vec<Material>,
    /// The materials that change with time.
    pub keyed_materials: Vec<KeyedMaterial>,
    /// What is worth knowing about the meshes of the scene.
    pub notes: Vec<Note>,
}

impl World {
    /// Builds the world of a checked scene that needs no files; finds volumes that overlap.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_assets(scene, &Assets::new())
    }

    /// Builds the world of a checked scene with the meshes of its files; finds volumes that overlap.
    pub fn with_assets(scene: &Scene, assets: &Assets) -> Result<Self, SceneError> {
        let Shapes { fluids, boundaries, grips, bodies, openings, notes } = Shapes::make(scene, assets)?;
        if let Some(problem) = scene.too_many_particles(assets) {
            return Err(SceneError { problems: vec![problem] });
        }
        let spacing = scene.spacing as f32;
        let walls = scene.boundary.iter().zip(boundaries).map(|(b, shape)| wall(b, shape)).collect();
        let boundary = Boundary { walls };
        let mut world = Self {
            spacing,
            gravity: vec3(scene.gravity),
            domain: domain(scene),
            time: 0.0,
            particles: Particles::default(),
            plates: plates(scene),
            moving_walls: moving_walls(scene, &boundary),
            boundary,
            emitters: emitters(scene, openings),
            grips: scene.grip.iter().map(grip).collect(),
            bodies: vec![],
            materials: materials(scene),
            keyed_materials: keyed_materials(scene),
            notes,
        };
        world.follow_time();
        let mut problems = world.check_nozzles();
        let mut owners = Vec::new();
        let mut random = Random::new(scene.seed);
        for (index, fluid) in scene.fluid.iter().enumerate() {
            let before = world.particles.len();
            world.fill(&volume(scene, fluid, &fluids[index]), Some(&mut random));
            owners.resize(world.particles.len(), index);
            if world.particles.len() == before {
                let message = "holds no particle: it is thinner than a spacing everywhere";
                problems.push(Problem::new(format!("fluid[{index}].shape"), None, message));
            }
            problems.extend(world.check_walls(&format!("fluid[{index}].shape"), before));
            world.lift_off_walls(before);
        }
        for (index, body) in scene.body.iter().enumerate() {
            let material = (scene.material.len() + index) as u8;
            problems.extend(world.add_body(index, body, (&bodies[index], material)));
            owners.resize(world.particles.len(), scene.fluid.len() + index);
        }
        world.make_room((&bodies, scene.fluid.len()), &mut owners);
        problems.extend(world.check_overlaps(scene.fluid.len(), &owners));
        if problems.is_empty() {
            world.relax((scene, &fluids), &owners, &mut random);
        }
        for (index, shape) in grips.iter().enumerate() {
            problems.extend(world.grip_particles(index, shape));
        }
        if problems.is_empty() { Ok(world) } else { Err(SceneError { problems }) }
    }

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
    fn relax(&mut self, (scene, shapes): (&Scene, &[Shape]), owners: &[usize], random: &mut Random) {
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
            let x = &mut self.particles.positions[i];
            *x = self.domain.wrap(within(&shapes[owner], *x + offset, DEPTH * d));
            for contact in self.boundary.near(*x, 0.5 * d).as_slice() {
                *x += contact.point.normal * (0.5 * d - contact.point.distance).max(0.0);
            }
        }
        evenness::pack(self, relaxed);
        for (i, &owner) in owners.iter().enumerate().filter(|&(i, _)| relaxed(i)) {
            let fluid = &scene.fluid[owner];
            let arm = self.particles.positions[i] - shapes[owner].center();
            self.particles.velocities[i] = vec3(fluid.velocity) + vec3(fluid.angular_velocity).cross(arm);
        }
    }

    /// Gives a grip the particles inside its shape.
    fn grip_particles(&mut self, index: usize, shape: &Shape) -> Option<Problem> {
        let field = format!("grip[{index}].shape");
        let p = &mut self.particles;
        let inside: Vec<usize> = (0..p.len())
            .filter(|&i| {
                !matches!(p.motions[i], Motion::Body(_))
                    && shape.outside(p.positions[i]).distance <= 1e-3 * self.spacing
            })
            .collect();
        if inside.is_empty() {
            let c = shape.center();
            let message = format!(
                "no particle's centre lies in it at the start (its centre is [{:.3}, {:.3}, {:.3}]); \
                 it must hold at least one",
                c.x, c.y, c.z
            );
            return Some(Problem::new(field, None, message));
        }
        for i in inside {
            if let Motion::Gripped(other) = p.motions[i] {
                let x = p.positions[i];
                let message = format!(
                    "overlaps grip[{other}] near [{:.3}, {:.3}, {:.3}]; a particle can be held by one grip only",
                    x.x, x.y, x.z
                );
                return Some(Problem::new(field, None, message));
            }
            p.motions[i] = Motion::Gripped(index as u16);
        }
        None
    }

    /// Sets what follows the time alone to how it is at the world's time, between steps: walls that move and materials
    /// that change.
    pub(crate) fn follow_time(&mut self) {
        self.change_materials(self.time);
        for moving in &self.moving_walls {
            self.boundary.walls[moving.wall].motion = Some(WallMotion::at_rest(&moving.motion, self.time));
        }
    }

    fn change_materials(&mut self, time: f64) {
        for keyed in &self.keyed_materials {
            self.materials[keyed.material] = keyed.at(time);
        }
    }

    /// An upper estimate of the speed of walls, nozzles and kinematic bodies that move, during `[time, time + seconds]`, in m/s.
    pub(crate) fn fastest_motion(&self, seconds: f64) -> f64 {
        let during = (self.time, self.time + seconds);
        let wall = |m: &MovingWall| m.motion.fastest(during, self.wall_radius(m));
        let nozzle = |e: &Emitter| e.fastest(during);
        let walls = self.moving_walls.iter().map(wall);
        let bodies = self.bodies.iter().map(|b| b.fastest(during));
        walls.chain(self.emitters.iter().map(nozzle)).chain(bodies).fold(0.0, f64::max)
    }

    /// Largest distance from a wall's pivot that matters: that of its own points; of a plane, that of the particles.
    fn wall_radius(&self, moving: &MovingWall) -> f64 {
        let (shape, pivot) = (&self.boundary.walls[moving.wall].shape, moving.motion.pose(self.time).pivot);
        if let Some((half, _)) = shape.own_box() {
            return f64::from(half.length()) + shape.center().as_dvec3().distance(pivot);
        }
        let (p, place) = (&self.particles, moving.motion.pose(self.time).place.as_vec3());
        f64::from(parallel::max(p.len(), 0.0, |i| p.positions[i].distance(place)))
    }

    /// Sets what follows the time alone for the step `[time, time + dt]`: plates, walls that move, materials that change
    /// (as they are in the middle of the step), what grips hold and kinematic bodies.
    pub(crate) fn begin_step(&mut self, dt: f64) {
        self.change_materials(self.time + 0.5 * dt);
        for moving in &self.moving_walls {
            let motion = WallMotion::in_step(&moving.motion, self.time, dt);
            self.boundary.walls[moving.wall].motion = Some(motion);
        }
        for plate in &self.plates {
            self.boundary.walls[plate.wall].velocity = plate.mean_velocity(self.time, dt);
        }
        for (index, grip) in self.grips.iter().enumerate() {
            grip.begin_step(index as u16, &mut self.particles, (self.time, dt));
        }
        bodies::begin_step(&self.bodies, (&mut self.particles, &self.domain), (self.time, dt));
    }

    /// Moves the particles by the displacements of a step, and rigid bodies to their new poses.
    pub(crate) fn finish_step(&mut self, displacement: &[Vec3], moved: &[MovedBody]) {
        let Self { particles, domain, bodies, .. } = self;
        parallel::for_each(&mut particles.positions, |i, x| *x = domain.wrap(*x + displacement[i]));
        for m in moved {
            bodies[m.body].pose = m.pose;
        }
        if !bodies.is_empty() {
            let Particles { positions, motions, ids, .. } = particles;
            parallel::for_each(positions, |i, x| {
                if let Motion::Body(b) = motions[i] {
                    let body = &bodies[b as usize];
                    if body.is_rigid() {
                        *x = domain.wrap(body.pose.apply(body.rest[(ids[i] - body.first_id) as usize]));
                    }
                }
            });
        }
    }

    /// Whether a nozzle, a grip or the motion of a kinematic body moves a particle, and nothing else does.
    pub(crate) fn is_driven(&self, i: usize) -> bool {
        match self.particles.motions[i] {
            Motion::Free => false,
            Motion::InNozzle(_) => true,
            Motion::Gripped(_) => self.held_axis(i).is_none(),
            Motion::Body(b) => self.bodies[b as usize].is_kinematic(),
        }
    }

    /// Where a grip holds one component of a particle's velocity: its unit vector and its value, in m/s.
    pub fn held_axis(&self, i: usize) -> Option<(Vec3, f32)> {
        let Motion::Gripped(index) = self.particles.motions[i] else {
            return None;
        };
        let grip = &self.grips[index as usize];
        grip.along.then(|| (grip.axis, grip.axis.dot(self.particles.velocities[i])))
    }

    fn check_nozzles(&self) -> Vec<Problem> {
        let problem = |index: usize, e: &Emitter| {
            let wall =
                self.boundary.walls.iter().position(|w| inside_wall(w, e.mouth(0.0), 0.0).is_some())?;
            Some(Problem::new(
                format!("emitter[{index}].position"),
                Some(format!("{:?}", e.mouth(0.0).to_array())),
                format!("the nozzle's mouth lies in the solid part of boundary[{wall}]; move one of them"),
            ))
        };
        self.emitters.iter().enumerate().filter_map(|(i, e)| problem(i, e)).collect()
    }

    /// Finds particles of a volume that stand in a wall; `field` is its shape in the scene.
    pub(crate) fn check_walls(&self, field: &str, from: usize) -> Option<Problem> {
        let (d, clearance) = (self.spacing, 0.5 * self.spacing);
        let mut worst: Option<(f32, usize, usize)> = None;
        let mut inside = 0;
        for i in from..self.particles.len() {
            for (w, wall) in self.boundary.walls.iter().enumerate() {
                let Some(depth) = inside_wall(wall, self.particles.positions[i], clearance) else {
                    continue;
                };
                if depth > 0.9 * clearance {
                    inside += 1;
                    if worst.is_none_or(|(deepest, ..)| depth > deepest) {
                        worst = Some((depth, w, i));
                    }
                }
            }
        }
        let (depth, w, i) = worst?;
        let at = self.particles.positions[i];
        Some(Problem::new(
            field,
            None,
            format!(
                "{inside} of its particles stand in boundary[{w}], up to {:.3} m deep (near [{:.3}, {:.3}, {:.3}]); \
                 it must lie outside walls: particle centres keep half a spacing ({:.4} m) away",
                depth - clearance + 0.5 * d,
                at.x,
                at.y,
                at.z,
                clearance
            ),
        ))
    }

    /// Moves particles that come too near to a wall, each by itself.
    fn lift_off_walls(&mut self, from: usize) {
        let clearance = 0.5 * self.spacing;
        for x in &mut self.particles.positions[from..] {
            for contact in self.boundary.near(*x, clearance).as_slice() {
                *x += contact.point.normal * (clearance - contact.point.distance).max(0.0);
            }
        }
    }

    /// Finds volumes that overlap; owners are first the fluids, then the bodies.
    fn check_overlaps(&self, fluids: usize, owners: &[usize]) -> Option<Problem> {
        let near = Neighbors::find(&self.particles.positions, 0.5 * self.spacing, &self.domain);
        let mut pairs = 0;
        let mut first = None;
        for i in 0..self.particles.len() {
            for &j in near.of(i) {
                if owners[j as usize] < owners[i] {
                    pairs += 1;
                    first.get_or_insert((owners[j as usize], owners[i], self.particles.positions[i]));
                }
            }
        }
        let (a, b, at) = first?;
        let name = |owner: usize| match owner.checked_sub(fluids) {
            Some(body) => format!("body[{body}]"),
            None => format!("fluid[{owner}]"),
        };
        let (a, b) = (name(a), name(b));
        Some(Problem::new(
            format!("{b}.shape"),
            None,
            format!(
                "overlaps {a} near [{:.3}, {:.3}, {:.3}] ({pairs} pairs of particles closer than half a spacing); \
                 volumes may touch but not overlap",
                at.x, at.y, at.z
            ),
        ))
    }
}

/// The point, moved along the normal until it lies `depth` below the shape's surface.
fn within(shape: &Shape, x: Vec3, depth: f32) -> Vec3 {
    let p = shape.outside(x);
    x - p.normal * (p.distance + depth).max(0.0)
}

/// How far a point is nearer to a wall than `clearance` allows.
fn inside_wall(wall: &Wall, x: Vec3, clearance: f32) -> Option<f32> {
    wall.distance_within(x, clearance).map(|distance| clearance - distance)
}

pub(crate) fn vec3(t: Triple) -> Vec3 {
    Vec3::from_array(t.map(|c| c as f32))
}

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

fn volume<'a>(scene: &Scene, fluid: &scene::Fluid, shape: &'a Shape) -> Volume<'a> {
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

/// The scene's materials, then those of the bodies.
fn materials(scene: &Scene) -> Vec<Material> {
    let bodies = scene.body.iter().enumerate().map(|(k, body)| bodies::material(k, body));
    scene.material.iter().map(Material::from_scene).chain(bodies).collect()
}

fn domain(scene: &Scene) -> Domain {
    let Some(p) = &scene.periodic else {
        return Domain::UNBOUNDED;
    };
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|a| p.axes.contains(&a));
    Domain::periodic(vec3(p.min), vec3(p.max), axes)
}

fn material_index(scene: &Scene, name: &str) -> u8 {
    scene.material.iter().position(|m| m.name == name).unwrap_or(0) as u8
}

impl From<Friction> for WallFriction {
    fn from(friction: Friction) -> Self {
        match friction {
            Friction::Named(NamedFriction::Slip) => Self::Slip,
            Friction::Named(NamedFriction::NoSlip) => Self::NoSlip,
            Friction::Coulomb(mu) if mu <= 0.0 => Self::Slip,
            Friction::Coulomb(mu) => Self::Coulomb(mu as f32),
        }
    }
}

fn wall(b: &scene::Boundary, shape: Shape) -> Wall {
    Wall {
        shape,
        contains: b.side == Side::Inside,
        friction: b.friction.into(),
        velocity: vec3(b.velocity),
        motion: None,
    }
}

fn moving_walls(scene: &Scene, boundary: &Boundary) -> Vec<MovingWall> {
    let moving = |(wall, b): (usize, &scene::Boundary)| {
        let center = boundary.walls[wall].shape.center();
        let motion = b.motion.as_ref()?.build(center);
        Some(MovingWall { wall, motion })
    };
    scene.boundary.iter().enumerate().filter_map(moving).collect()
}

fn keyed_materials(scene: &Scene) -> Vec<KeyedMaterial> {
    scene.material.iter().enumerate().filter_map(|(i, m)| KeyedMaterial::from_scene(i, m)).collect()
}

fn plates(scene: &Scene) -> Vec<Plate> {
    let plate = |(wall, b): (usize, &scene::Boundary)| Plate {
        wall,
        velocity: vec3(b.velocity),
        frequency: b.frequency.unwrap_or(0.0),
        active: b.active.clone().unwrap_or_else(|| vec![[0.0, f64::INFINITY]]),
    };
    let varies = |b: &scene::Boundary| b.frequency.is_some() || b.active.is_some();
    scene.boundary.iter().enumerate().filter(|(_, b)| varies(b)).map(plate).collect()
}

fn grip(g: &scene::Grip) -> Grip {
    Grip {
        velocity: vec3(g.velocity),
        axis: vec3(g.axis.unwrap_or(g.velocity)).normalize_or_zero(),
        along: g.hold == HoldKind::Along,
        rate: g.stretch.as_ref().map_or(0.0, |s| s.rate),
        about: g.stretch.as_ref().map_or(Vec3::ZERO, |s| vec3(s.about)),
        release: g.release.unwrap_or(f64::INFINITY),
    }
}

fn emitters(scene: &Scene, openings: Vec<Opening>) -> Vec<Emitter> {
    let emitter = |(index, (e, opening)): (usize, (&scene::Emitter, Opening))| {
        let (position, direction) = (vec3(e.position), vec3(e.direction).normalize());
        let speed = e.speed.or(e.flow_rate.map(|q| q / opening.area())).unwrap_or(0.0);
        let flow = NozzleFlow {
            material: material_index(scene, &e.material),
            position,
            direction,
            opening,
            speed,
            active: e.active.clone().unwrap_or_else(|| vec![[0.0, f64::INFINITY]]),
            motion: e.motion.as_ref().map(|m| m.build(position)),
        };
        Emitter::new(flow, scene.spacing as f32, scene.seed.wrapping_add(1 + index as u64))
    };
    scene.emitter.iter().zip(openings).enumerate().map(emitter).collect()
}
