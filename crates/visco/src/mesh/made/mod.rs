//! Meshes made by code. Each has the largest extent 1, is closed, and stands upright along y.

mod blobs;
mod figure;
mod flower;
mod hand;
mod lathe;
mod letters;
mod waffle;

pub(crate) use letters::is_known as is_letter;

use super::TriangleMesh;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Cells along the longest axis of a mesh that is made of an implicit function.
const CELLS: f32 = 56.0;

/// A mesh that visco makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// A bowl with a flat bottom, open at the top.
    Bowl,
    /// A hollow cone, tip down, as ice cream is served in.
    Cornet,
    /// A square plate with pockets on both sides.
    Waffle,
    /// A ring, lying flat.
    Torus,
    /// An animal that stands on two legs.
    Figure,
    /// A flower with six petals, lying flat.
    Flower,
    /// An open hand, upright.
    Hand,
    /// The letters of `text`, upright, seen from +z.
    Letters,
}

impl Made {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Bowl,
        Self::Cornet,
        Self::Waffle,
        Self::Torus,
        Self::Figure,
        Self::Flower,
        Self::Hand,
        Self::Letters,
    ];

    /// The mesh; `text` is what letters spell.
    pub fn mesh(self, text: &str) -> Arc<TriangleMesh> {
        if self == Self::Letters {
            return Arc::new(fitted(letters::mesh(text)));
        }
        static MADE: [OnceLock<Arc<TriangleMesh>>; Made::ALL.len()] =
            [const { OnceLock::new() }; Made::ALL.len()];
        let make = || match self {
            Self::Bowl => lathe::bowl(),
            Self::Cornet => lathe::cornet(),
            Self::Torus => lathe::torus(),
            Self::Waffle => waffle::mesh(),
            Self::Figure => figure::mesh(),
            Self::Flower => flower::mesh(),
            Self::Hand => hand::mesh(),
            Self::Letters => TriangleMesh::default(),
        };
        MADE[self as usize].get_or_init(|| Arc::new(fitted(make()))).clone()
    }
}

/// The mesh about the centre of its box, with the largest extent 1.
fn fitted(mesh: TriangleMesh) -> TriangleMesh {
    let Some((low, high)) = mesh.bounds() else {
        return mesh;
    };
    let (center, size) = (0.5 * (low + high), (high - low).max_element());
    mesh.mapped(|x| (x - center) / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Solid;

    #[test]
    fn every_mesh_is_a_solid_of_size_one() {
        for made in Made::ALL {
            let mesh = made.mesh("Visco 42");
            let solid = Solid::new(&mesh).unwrap_or_else(|e| panic!("{made:?}: {e}"));
            let size = 2.0 * solid.half().max_element();
            assert!((size - 1.0).abs() < 1e-5, "{made:?}: {size}");
            assert!(solid.volume() > 0.001, "{made:?}: {}", solid.volume());
            let count = mesh.triangles.len();
            assert!((100..60_000).contains(&count), "{made:?}: {count} triangles");
        }
    }

    #[test]
    fn vessels_are_hollow() {
        for made in [Made::Bowl, Made::Cornet] {
            let solid = Solid::new(&made.mesh("")).expect("closed");
            let top = solid.half().y;
            let middle = solid.signed_distance(glam::Vec3::ZERO);
            assert!(middle.distance > 0.05, "{made:?}: {middle:?}");
            let mut crossed = solid.crossing(glam::Vec3::ZERO, glam::Vec3::Y * (top + 1.0), 1.0);
            assert_eq!(crossed, None, "{made:?} is open at the top");
            crossed = solid.crossing(glam::Vec3::ZERO, -glam::Vec3::Y * (top + 1.0), 1.0);
            assert!(crossed.is_some_and(|n| n.y > 0.2), "{made:?} has a bottom: {crossed:?}");
        }
    }
}
