//! What only the particles of a scene show to be wrong with it.

use super::World;
use crate::boundary::Wall;
use crate::emitters::Emitter;
use crate::neighbors::Neighbors;
use crate::scene::Problem;
use glam::Vec3;

impl World {
    pub(super) fn check_nozzles(&self) -> Vec<Problem> {
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

    /// Finds volumes that overlap; owners are first the fluids, then the bodies.
    pub(super) fn check_overlaps(&self, fluids: usize, owners: &[usize]) -> Option<Problem> {
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

/// How far a point is nearer to a wall than `clearance` allows.
fn inside_wall(wall: &Wall, x: Vec3, clearance: f32) -> Option<f32> {
    wall.distance_within(x, clearance).map(|distance| clearance - distance)
}
