//! The spacing of particles whose file does not tell it.

use glam::Vec3;

/// Particles whose nearest neighbour is looked for.
const SAMPLES: usize = 1000;

/// The mean distance of a particle from the nearest other one, over a sample; 0 for fewer than two particles.
pub(super) fn mean_nearest_distance(positions: &[Vec3]) -> f32 {
    let mut points: Vec<Vec3> = positions.iter().copied().filter(|x| x.is_finite()).collect();
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    // Along the longest side the fewest particles are near.
    let axis = (high - low).max_position();
    points.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
    let step = (points.len() / SAMPLES).max(1);
    let distances: Vec<f32> =
        (0..points.len()).step_by(step).filter_map(|i| nearest(&points, i, axis)).collect();
    if distances.is_empty() {
        return 0.0;
    }
    (distances.iter().map(|d| f64::from(*d)).sum::<f64>() / distances.len() as f64) as f32
}

/// The distance of the nearest other point, among points that are sorted along an axis.
fn nearest(points: &[Vec3], i: usize, axis: usize) -> Option<f32> {
    let mut best = f32::INFINITY;
    let mut look = |others: &mut dyn Iterator<Item = &Vec3>| {
        for other in others {
            if (other[axis] - points[i][axis]).abs() >= best {
                return;
            }
            best = best.min(other.distance(points[i]));
        }
    };
    look(&mut points[i + 1..].iter());
    look(&mut points[..i].iter().rev());
    best.is_finite().then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_has_its_own_spacing() {
        let at = |i: u32| Vec3::new((i % 7) as f32, (i / 7 % 11) as f32, (i / 77) as f32) * 0.02;
        let lattice: Vec<Vec3> = (0..7 * 11 * 40).map(at).collect();
        let spacing = mean_nearest_distance(&lattice);
        assert!((spacing / 0.02 - 1.0).abs() < 1e-4, "{spacing}");
    }

    #[test]
    fn what_has_no_neighbours_has_no_spacing() {
        assert_eq!(mean_nearest_distance(&[]), 0.0);
        assert_eq!(mean_nearest_distance(&[Vec3::ONE]), 0.0);
        assert_eq!(mean_nearest_distance(&[Vec3::ONE, Vec3::NAN]), 0.0);
        assert_eq!(mean_nearest_distance(&[Vec3::ZERO, Vec3::X, Vec3::INFINITY]), 1.0);
    }
}
