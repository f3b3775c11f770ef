//! The world of a scene: particles, walls, nozzles, materials.

use crate::boundary::{Boundary, Plate, Shape, SurfacePoint, Wall, WallFriction, WallKernel};
use crate::domain::Domain;
use crate::emitters::{Emitter, NozzleFlow};
use crate::flow::evenness;
use crate::grips::Grip;
use crate::kernel::Kernel;
use crate::material::Material;
use crate::mesh::Assets;
use crate::neighbors::Neighbors;
use crate::particles::{Motion, Particles};
use crate::random::Random;
use crate::scene::{
    self, Axis, Friction, HoldKind, NamedFriction, Note, Nozzle, Packing, Problem, Scene, SceneError, Side,
    Triple,
};
use crate::shapes::{Shapes, lattice};
use glam::Vec3;

/// Random offset of particles that are packed, in spacings.
const SHAKEN: f32 = 0.15;
/// Kernel support with which they are packed, in spacings.
const PACKING_SUPPORT: f32 = 2.2;

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
    /// The nozzles.
    pub emitters: Vec<Emitter>,
    /// What holds particles, by index.
    pub grips: Vec<Grip>,
    /// The materials, by index.
    pub materials: Vec<Material>,
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
        let Shapes { fluids, boundaries, grips, notes } = Shapes::make(scene, assets)?;
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
            boundary,
            plates: plates(scene),
            emitters: emitters(scene),
            grips: scene.grip.iter().map(grip).collect(),
            materials: scene.material.iter().map(Material::from_scene).collect(),
            notes,
        };
        let mut problems = world.check_nozzles();
        let mut owners = Vec::new();
        let mut random = Random::new(scene.seed);
        for (index, fluid) in scene.fluid.iter().enumerate() {
            let before = world.particles.len();
            world.fill(fluid, &fluids[index], material_index(scene, &fluid.material), &mut random);
            owners.resize(world.particles.len(), index);
            if world.particles.len() == before {
                let message = "holds no particle: it is thinner than a spacing everywhere";
                problems.push(Problem::new(format!("fluid[{index}].shape"), None, message));
            }
            problems.extend(world.check_walls(index, before));
        }
        problems.extend(world.check_fluids(&owners));
        for (index, shape) in grips.iter().enumerate() {
            problems.extend(world.grip_particles(index, shape));
        }
        if problems.is_empty() { Ok(world) } else { Err(SceneError { problems }) }
    }

    /// Fills a volume with a lattice along the shape's own axes.
    fn fill(&mut self, fluid: &scene::Fluid, shape: &Shape, material: u8, random: &mut Random) {
        let d = self.spacing;
        let center = shape.center();
        let (velocity, spin) = (vec3(fluid.velocity), vec3(fluid.angular_velocity));
        let relaxed = fluid.packing == Packing::Relaxed;
        let jitter = if relaxed && fluid.jitter == 0.0 { SHAKEN } else { fluid.jitter as f32 } * d;
        let first = self.particles.len();
        for x in lattice(shape, d) {
            let offset = if jitter > 0.0 {
                (Vec3::from_array(random.triple()) * 2.0 - 1.0) * jitter
            } else {
                Vec3::ZERO
            };
            let v = velocity + spin.cross(x - center);
            self.particles.push(self.domain.wrap(x + offset), v, material, Motion::Free);
        }
        if relaxed {
            let kernel = Kernel::new(d, PACKING_SUPPORT * d);
            let walls = (&self.boundary, &WallKernel::new(&kernel));
            evenness::pack(&mut self.particles.positions[first..], &self.domain, &kernel, walls);
            for i in first..self.particles.len() {
                self.particles.velocities[i] = velocity + spin.cross(self.particles.positions[i] - center);
            }
        }
    }

    /// Gives a grip the particles inside its shape.
    fn grip_particles(&mut self, index: usize, shape: &Shape) -> Option<Problem> {
        let field = format!("grip[{index}].shape");
        let p = &mut self.particles;
        let inside: Vec<usize> =
            (0..p.len()).filter(|&i| shape.outside(p.positions[i]).distance <= 1e-3 * self.spacing).collect();
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

    /// Sets what follows the time alone for the step `[time, time + dt]`: plates and what grips hold.
    pub(crate) fn begin_step(&mut self, dt: f64) {
        for plate in &self.plates {
            self.boundary.walls[plate.wall].velocity = plate.mean_velocity(self.time, dt);
        }
        for (index, grip) in self.grips.iter().enumerate() {
            grip.begin_step(index as u16, &mut self.particles, (self.time, dt));
        }
    }

    /// Whether a nozzle or a grip moves a particle, and nothing else does.
    pub(crate) fn is_driven(&self, i: usize) -> bool {
        match self.particles.motions[i] {
            Motion::Free => false,
            Motion::InNozzle(_) => true,
            Motion::Gripped(_) => self.held_axis(i).is_none(),
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
                self.boundary.walls.iter().position(|w| inside_wall(w, e.flow.position, 0.0).is_some())?;
            Some(Problem::new(
                format!("emitter[{index}].position"),
                Some(format!("{:?}", e.flow.position.to_array())),
                format!("the nozzle's mouth lies in the solid part of boundary[{wall}]; move one of them"),
            ))
        };
        self.emitters.iter().enumerate().filter_map(|(i, e)| problem(i, e)).collect()
    }

    /// Finds particles of a fluid volume that stand in a wall; moves those that only come too near.
    fn check_walls(&mut self, fluid: usize, from: usize) -> Option<Problem> {
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
            let x = self.particles.positions[i];
            for contact in self.boundary.near(x, clearance).as_slice() {
                let lift = (clearance - contact.point.distance).max(0.0);
                self.particles.positions[i] += contact.point.normal * lift;
            }
        }
        let (depth, w, i) = worst?;
        let at = self.particles.positions[i];
        Some(Problem::new(
            format!("fluid[{fluid}].shape"),
            None,
            format!(
                "{inside} of its particles stand in boundary[{w}], up to {:.3} m deep (near [{:.3}, {:.3}, {:.3}]); \
                 fluid must lie outside walls: particle centres keep half a spacing ({:.4} m) away",
                depth - clearance + 0.5 * d,
                at.x,
                at.y,
                at.z,
                clearance
            ),
        ))
    }

    fn check_fluids(&self, owners: &[usize]) -> Option<Problem> {
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
        Some(Problem::new(
            format!("fluid[{b}].shape"),
            None,
            format!(
                "overlaps fluid[{a}] near [{:.3}, {:.3}, {:.3}] ({pairs} pairs of particles closer than half a spacing); \
                 volumes may touch but not overlap",
                at.x, at.y, at.z
            ),
        ))
    }
}

/// How far a point is nearer to a wall than `clearance` allows.
fn inside_wall(wall: &Wall, x: Vec3, clearance: f32) -> Option<f32> {
    let mut distance = f32::INFINITY;
    let visit = |p: SurfacePoint| distance = distance.min(p.distance);
    match wall.contains {
        true => wall.shape.inside_within(x, clearance, visit),
        false => wall.shape.outside_within(x, clearance, visit),
    }
    (distance < clearance).then_some(clearance - distance)
}

pub(crate) fn vec3(t: Triple) -> Vec3 {
    Vec3::from_array(t.map(|c| c as f32))
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

fn wall(b: &scene::Boundary, shape: Shape) -> Wall {
    Wall {
        shape,
        contains: b.side == Side::Inside,
        friction: match b.friction {
            Friction::Named(NamedFriction::Slip) => WallFriction::Slip,
            Friction::Named(NamedFriction::NoSlip) => WallFriction::NoSlip,
            Friction::Coulomb(mu) if mu <= 0.0 => WallFriction::Slip,
            Friction::Coulomb(mu) => WallFriction::Coulomb(mu as f32),
        },
        velocity: vec3(b.velocity),
    }
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

fn emitters(scene: &Scene) -> Vec<Emitter> {
    let emitter = |(index, e): (usize, &scene::Emitter)| {
        let Nozzle::Disc { radius } = e.nozzle;
        let area = std::f64::consts::PI * radius * radius;
        let speed = e.speed.or(e.flow_rate.map(|q| q / area)).unwrap_or(0.0);
        let flow = NozzleFlow {
            material: material_index(scene, &e.material),
            position: vec3(e.position),
            direction: vec3(e.direction).normalize(),
            radius: radius as f32,
            speed,
            active: e.active.clone().unwrap_or_else(|| vec![[0.0, f64::INFINITY]]),
        };
        Emitter::new(flow, scene.spacing as f32, scene.seed.wrapping_add(1 + index as u64))
    };
    scene.emitter.iter().enumerate().map(emitter).collect()
}
