//! From a checked scene to a world.

use super::fill::volume;
use super::{World, vec3};
use crate::bodies;
use crate::boundary::{Boundary, MovingWall, Plate, Shape, Wall, WallFriction};
use crate::domain::Domain;
use crate::emitters::{Emitter, NozzleFlow, Opening};
use crate::grips::Grip;
use crate::material::{KeyedMaterial, Material};
use crate::mesh::Assets;
use crate::particles::{Motion, Particles};
use crate::random::Random;
use crate::scene::{self, Axis, Friction, HoldKind, NamedFriction, Problem, Scene, SceneError, Side};
use crate::shapes::Shapes;
use glam::Vec3;

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

pub(super) fn material_index(scene: &Scene, name: &str) -> u8 {
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
