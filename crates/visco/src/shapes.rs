//! From the shapes of a scene to shapes in space, meshes included, and to the points that fill them.

use crate::boundary::{Cone, Shape};
use crate::emitters::Opening;
use crate::mesh::{Assets, MeshError, Solid, Thin, TriangleMesh};
use crate::scene::{self, Note, Nozzle, Problem, Scene, SceneError, Side, Turn, unfit, upright};
use crate::world::vec3;
use glam::{Quat, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Part of a surface that may be thin without being mentioned: points and edges always are.
const UNMENTIONED: f32 = 2e-3;

/// The shapes of a scene, in its order.
pub(crate) struct Shapes {
    pub(crate) fluids: Vec<Shape>,
    pub(crate) boundaries: Vec<Shape>,
    pub(crate) grips: Vec<Shape>,
    pub(crate) bodies: Vec<Shape>,
    /// Of the nozzles.
    pub(crate) openings: Vec<Opening>,
    pub(crate) notes: Vec<Note>,
}

impl Shapes {
    /// Makes every shape; meshes must be there, and closed.
    pub(crate) fn make(scene: &Scene, assets: &Assets) -> Result<Self, SceneError> {
        let mut maker =
            Maker { scene, assets, solids: HashMap::new(), problems: Vec::new(), notes: Vec::new() };
        let fluids = maker.all("fluid", scene.fluid.iter().map(|f| (&f.shape, &f.rotate)));
        let boundaries = maker.all("boundary", scene.boundary.iter().map(|b| (&b.shape, &b.rotate)));
        let grips = maker.all("grip", scene.grip.iter().map(|g| (&g.shape, &g.rotate)));
        let bodies = maker.all("body", scene.body.iter().map(|b| (&b.shape, &b.rotate)));
        let openings = maker.openings();
        for (i, shape) in fluids.iter().enumerate() {
            maker.note_thin(format!("fluid[{i}]"), shape, "they hold few particles or none");
        }
        for (i, shape) in bodies.iter().enumerate() {
            maker.note_thin(format!("body[{i}]"), shape, "they hold few particles or none");
        }
        // A container's mesh is as thick as the fluid in it.
        for (i, shape) in
            boundaries.iter().enumerate().filter(|(i, _)| scene.boundary[*i].side == Side::Outside)
        {
            maker.note_thin(format!("boundary[{i}]"), shape, "fluid on both sides acts through them");
        }
        match maker.problems.is_empty() {
            true => Ok(Self { fluids, boundaries, grips, bodies, openings, notes: maker.notes }),
            false => Err(SceneError { problems: maker.problems }),
        }
    }
}

struct Maker<'a> {
    scene: &'a Scene,
    assets: &'a Assets,
    /// Solids by mesh, factor and whether they are flipped: a model that is used often is prepared once.
    solids: HashMap<(*const TriangleMesh, u64, bool), Prepared>,
    problems: Vec<Problem>,
    notes: Vec<Note>,
}

/// A solid with the mesh that it was made of, which is kept, as another one could else come to lie at its place.
struct Prepared {
    solid: Arc<Solid>,
    _mesh: Arc<TriangleMesh>,
}

impl<'a> Maker<'a> {
    /// The shapes of one kind; where one cannot be made, its problem.
    fn all(
        &mut self,
        key: &str,
        shapes: impl Iterator<Item = (&'a scene::Shape, &'a Option<Turn>)>,
    ) -> Vec<Shape> {
        let mut made = Vec::new();
        for (i, (shape, turn)) in shapes.enumerate() {
            match self.shape(shape) {
                Ok(shape) => made.push(turned(shape, turn.as_ref())),
                Err((value, message)) => {
                    let field = format!("{key}[{i}].shape.mesh");
                    self.problems.push(Problem::new(field, value, message));
                }
            }
        }
        made
    }

    /// A shape; or the mesh that is not fit for one, and why.
    fn shape(&mut self, shape: &scene::Shape) -> Result<Shape, (Option<String>, String)> {
        Ok(match shape {
            scene::Shape::Plane { point, normal } => {
                Shape::Plane { point: vec3(*point), normal: vec3(*normal).normalize() }
            }
            scene::Shape::Box { min, max } => Shape::Box {
                center: 0.5 * (vec3(*min) + vec3(*max)),
                half: 0.5 * (vec3(*max) - vec3(*min)),
                rotation: Quat::IDENTITY,
            },
            scene::Shape::Sphere { center, radius } => {
                Shape::Sphere { center: vec3(*center), radius: *radius as f32 }
            }
            scene::Shape::Cylinder { start, end, radius } => {
                let (a, b) = (vec3(*start), vec3(*end));
                Shape::Cylinder {
                    center: 0.5 * (a + b),
                    axis: (b - a).normalize(),
                    half_length: 0.5 * a.distance(b),
                    radius: *radius as f32,
                }
            }
            scene::Shape::Cone { start, end, start_radius, end_radius } => {
                let (a, b) = (vec3(*start), vec3(*end));
                Shape::Cone(Cone {
                    center: 0.5 * (a + b),
                    axis: (b - a).normalize(),
                    half_length: 0.5 * a.distance(b),
                    radii: [*start_radius as f32, *end_radius as f32],
                })
            }
            scene::Shape::Capsule { start, end, radius } => {
                let (a, b) = (vec3(*start), vec3(*end));
                Shape::Capsule { center: 0.5 * (a + b), half_axis: 0.5 * (b - a), radius: *radius as f32 }
            }
            scene::Shape::Mesh(mesh) => self.mesh(mesh)?,
        })
    }

    fn mesh(&mut self, mesh: &scene::Mesh) -> Result<Shape, (Option<String>, String)> {
        let model = self.scene.model.as_deref();
        let name = || mesh.file(model).map(|path| format!("{path:?}"));
        let triangles = mesh
            .triangles(model, self.assets)
            .ok_or_else(|| (name(), "this mesh was not given along with the scene".to_owned()))?;
        let (low, high) = triangles.bounds().unwrap_or_default();
        let factor = mesh.factor(f64::from((high - low).max_element()));
        let key = (Arc::as_ptr(&triangles), factor.to_bits(), mesh.flip);
        let solid = match self.solids.get(&key) {
            Some(known) => known.solid.clone(),
            None => {
                let solid = solid(&triangles, factor, mesh.flip).map_err(|e| (name(), e.to_string()))?;
                let prepared = Prepared { solid: Arc::new(solid), _mesh: triangles };
                self.solids.entry(key).or_insert(prepared).solid.clone()
            }
        };
        let center = mesh.center(solid.center(), solid.half().y);
        Ok(Shape::Mesh { solid, center, rotation: Quat::IDENTITY })
    }

    /// The mouths of the nozzles; where one cannot be made, its problem.
    fn openings(&mut self) -> Vec<Opening> {
        let scene = self.scene;
        let mut made = Vec::new();
        for (i, emitter) in scene.emitter.iter().enumerate() {
            let up = emitter.up.map_or_else(|| upright(vec3(emitter.direction).normalize()), vec3);
            let opening = emitter.nozzle.opening(up, (scene.model.as_deref(), self.assets));
            if let Nozzle::Section(section) = &emitter.nozzle {
                let field = format!("emitter[{i}].nozzle.section");
                if let Err((value, message)) = self.mesh(&section.mesh) {
                    self.problems.push(Problem::new(format!("{field}.mesh"), value, message));
                } else if let Some(message) = opening.as_ref().and_then(|opening| self.unfit(opening)) {
                    self.problems.push(Problem::new(field, None, message));
                }
            }
            made.extend(opening);
        }
        made
    }

    /// Why the section of a mesh cannot be a nozzle's mouth.
    fn unfit(&self, opening: &Opening) -> Option<String> {
        match opening {
            Opening::Outline { figure, .. } if figure.all_edges().next().is_none() => {
                Some("the plane does not cut the mesh; move the point".into())
            }
            Opening::Outline { figure, .. } => unfit(figure, Some(self.scene.spacing)),
            Opening::Disc { .. } => None,
        }
    }

    fn note_thin(&mut self, at: String, shape: &Shape, effect: &str) {
        let Shape::Mesh { solid, center, rotation } = shape else {
            return;
        };
        let spacing = self.scene.spacing;
        let Some(Thin { thickness, at: place, share }) =
            solid.thinner_than(spacing as f32).filter(|thin| thin.share > UNMENTIONED)
        else {
            return;
        };
        let x = center + *rotation * place;
        let percent = 100.0 * share;
        self.notes.push(Note {
            field: format!("{at}.shape"),
            value: "mesh".into(),
            message: format!(
                "{percent:.1} % of it is thinner than a spacing ({spacing} m), down to {thickness:.2e} m near \
                 [{:.4}, {:.4}, {:.4}]: {effect}",
                x.x, x.y, x.z
            ),
        });
    }
}

/// The solid of a mesh in metres. Errors give places in the mesh's own coordinates, as its maker knows them.
fn solid(triangles: &TriangleMesh, factor: f64, flip: bool) -> Result<Solid, MeshError> {
    let oriented = |mesh: TriangleMesh| if flip { mesh.flipped() } else { mesh };
    let scaled = triangles.clone().mapped(|x| (x.as_dvec3() * factor).as_vec3());
    Solid::new(&oriented(scaled))
        .map_err(|error| Solid::new(&oriented(triangles.clone())).err().unwrap_or(error))
}

fn turned(shape: Shape, turn: Option<&Turn>) -> Shape {
    let Some(turn) = turn else {
        return shape;
    };
    let rotation = Quat::from_axis_angle(vec3(turn.axis).normalize(), turn.degrees.to_radians() as f32);
    let about = turn.about.map_or(shape.center(), vec3);
    shape.turned(rotation, about)
}

/// The points of a lattice along the shape's own axes that lie in it.
pub(crate) fn lattice(shape: &Shape, spacing: f32) -> Vec<Vec3> {
    let d = spacing;
    let Some((half, frame)) = shape.own_box() else {
        return Vec::new();
    };
    let center = shape.center();
    if let Shape::Mesh { solid, .. } = shape {
        let inside = solid.lattice(d);
        return inside.into_iter().map(|x| center + frame * x).collect();
    }
    let count = (half * (2.0 / d) + 1e-3).floor().max(Vec3::ONE);
    let [nx, ny, nz] = count.to_array().map(|n| n as i64);
    let mut points = Vec::new();
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                let index = Vec3::new(i as f32, j as f32, k as f32);
                let x = center + frame * ((index - 0.5 * (count - 1.0)) * d);
                if shape.outside(x).distance <= 1e-3 * d {
                    points.push(x);
                }
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Vec<usize> {
        let body = |letter| {
            format!(
                "[[body]]\ndensity = 1000\nshape = {{ mesh = {{ made = 'letters', text = '{letter}', size = 0.1, \
                 center = [0, 0, 0] }} }}\n"
            )
        };
        let bodies: String = text.chars().map(body).collect();
        let scene = format!(
            "name = 'letters'\nspacing = 0.004\ntime = {{ frames = 1, steps_per_frame = 1 }}\n[[material]]\nname = 'm'\npreset = 'honey'\n{bodies}"
        );
        let shapes = Shapes::make(&Scene::from_toml(&scene).unwrap(), &Assets::default()).unwrap();
        shapes.bodies.iter().map(|shape| lattice(shape, 0.004).len()).collect()
    }

    #[test]
    fn every_letter_is_itself_in_any_company() {
        let text = "VISCOVISCO";
        let alone: Vec<usize> = text.chars().flat_map(|c| letters(&c.to_string())).collect();
        assert_eq!(letters(text), alone);
        assert_ne!(alone[0], alone[1]);
    }
}
