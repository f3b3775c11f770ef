//! Points that are spread evenly over a flat figure.

use super::outline::Outline;
use crate::random::Random;
use glam::{DVec2, Vec2};

/// Samples of the area for each point.
const SAMPLES: f64 = 24.0;
/// How often points are moved to the middle of what is nearest to them (Lloyd 1982).
const ROUNDS: usize = 12;

/// `count` points, each with about the same part of the figure around it; different random numbers give different
/// patterns.
pub(super) fn spread(figure: &Outline, count: usize, random: &mut Random) -> Vec<Vec2> {
    let samples = samples(figure, count);
    let mut points = scattered(figure, count, random);
    let reach = (figure.area() / count as f64).sqrt();
    for _ in 0..ROUNDS {
        let cells = Cells::new(&points, reach);
        let mut sums = vec![(DVec2::ZERO, 0.0); points.len()];
        for &s in &samples {
            let (sum, weight) = &mut sums[cells.nearest(&points, s)];
            *sum += s;
            *weight += 1.0;
        }
        for (point, (sum, weight)) in points.iter_mut().zip(sums) {
            // The middle of a bent part may lie outside it.
            let middle = sum / weight;
            if weight > 0.0 && figure.contains(middle) {
                *point = middle;
            }
        }
    }
    points.iter().map(|p| p.as_vec2()).collect()
}

/// A fine lattice over the figure.
fn samples(figure: &Outline, count: usize) -> Vec<DVec2> {
    let step = (figure.area() / (SAMPLES * count as f64)).sqrt();
    let (low, high) = figure.bounds();
    let cells = ((high - low) / step).ceil();
    let at = |i: u64, j: u64| low + (DVec2::new(i as f64, j as f64) + 0.5) * step;
    let columns = (0..cells.x as u64).flat_map(|i| (0..cells.y as u64).map(move |j| (i, j)));
    columns.map(|(i, j)| at(i, j)).filter(|&p| figure.contains(p)).collect()
}

/// Points of an additive sequence of low discrepancy in the plane (Roberts 2018) that lie in the figure.
fn scattered(figure: &Outline, count: usize, random: &mut Random) -> Vec<DVec2> {
    const PLASTIC: f64 = 1.324_717_957_244_746;
    let stride = DVec2::new(1.0 / PLASTIC, 1.0 / (PLASTIC * PLASTIC));
    let (low, high) = figure.bounds();
    let mut at = DVec2::new(f64::from(random.unit()), f64::from(random.unit()));
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        at = (at + stride).fract();
        let p = low + at * (high - low);
        if figure.contains(p) {
            points.push(p);
        }
    }
    points
}

/// Points sorted into square cells.
struct Cells {
    low: DVec2,
    size: f64,
    columns: i64,
    rows: i64,
    start: Vec<usize>,
    points: Vec<usize>,
}

impl Cells {
    fn new(points: &[DVec2], size: f64) -> Self {
        let (low, high) = points
            .iter()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        let extent = ((high - low) / size).floor();
        let (columns, rows) = (extent.x as i64 + 1, extent.y as i64 + 1);
        let mut cells =
            Self { low, size, columns, rows, start: vec![0; (columns * rows) as usize + 1], points: vec![] };
        let of: Vec<usize> = points.iter().map(|&p| cells.index(cells.cell(p))).collect();
        for &cell in &of {
            cells.start[cell + 1] += 1;
        }
        for cell in 1..cells.start.len() {
            cells.start[cell] += cells.start[cell - 1];
        }
        cells.points = (0..points.len()).collect();
        cells.points.sort_by_key(|&k| of[k]);
        cells
    }

    /// The cell of a point, or the nearest cell there is.
    fn cell(&self, p: DVec2) -> (i64, i64) {
        let at = (p - self.low) / self.size;
        ((at.x as i64).clamp(0, self.columns - 1), (at.y as i64).clamp(0, self.rows - 1))
    }

    fn index(&self, (i, j): (i64, i64)) -> usize {
        (i * self.rows + j) as usize
    }

    fn nearest(&self, points: &[DVec2], to: DVec2) -> usize {
        let (i, j) = self.cell(to);
        let mut best = (f64::INFINITY, 0);
        let mut ring = 0;
        loop {
            for a in (i - ring).max(0)..=(i + ring).min(self.columns - 1) {
                for b in (j - ring).max(0)..=(j + ring).min(self.rows - 1) {
                    if (a - i).abs().max((b - j).abs()) < ring {
                        continue;
                    }
                    let cell = self.index((a, b));
                    for &k in &self.points[self.start[cell]..self.start[cell + 1]] {
                        let distance = points[k].distance_squared(to);
                        if distance < best.0 {
                            best = (distance, k);
                        }
                    }
                }
            }
            // What is in no ring so far is farther than the ring is wide.
            if best.0 <= (ring as f64 * self.size).powi(2) || ring > self.columns.max(self.rows) {
                return best.1;
            }
            ring += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_the_figure_and_apart() {
        let ring = |r: f64| (0..40).map(|k| DVec2::from_angle(f64::from(k) * 0.157) * r).collect();
        let figures = [
            Outline::star(5, 0.02, 0.009),
            Outline::rectangle(0.03, 0.004),
            Outline::new(vec![ring(0.02), ring(0.012)]),
        ];
        for figure in figures {
            let (d, mut random) = (0.0015, Random::new(3));
            let count = (figure.area() / (d * d)).round() as usize;
            let points = spread(&figure, count, &mut random);
            assert_eq!(points.len(), count);
            assert!(points.iter().all(|p| figure.contains(p.as_dvec2())));
            let nearest = |i: usize| {
                let others = (0..count).filter(|&j| j != i).map(|j| points[i].distance(points[j]));
                others.fold(f32::INFINITY, f32::min) / d as f32
            };
            let distances: Vec<f32> = (0..count).map(nearest).collect();
            let least = distances.iter().copied().fold(f32::INFINITY, f32::min);
            let mean = distances.iter().sum::<f32>() / count as f32;
            assert!(least > 0.6 && (0.85..1.1).contains(&mean), "nearest {least}, mean {mean}");
        }
    }

    #[test]
    fn the_nearest_point_is_found() {
        let mut random = Random::new(5);
        let mut pick = || DVec2::new(f64::from(random.unit()), 3.0 * f64::from(random.unit()));
        let points: Vec<DVec2> = (0..60).map(|_| pick()).collect();
        let cells = Cells::new(&points, 0.1);
        for _ in 0..500 {
            let p = pick() * 1.4 - 0.2;
            let found = points[cells.nearest(&points, p)].distance(p);
            let exact = points.iter().map(|q| q.distance(p)).fold(f64::INFINITY, f64::min);
            assert_eq!(found, exact, "{p}");
        }
    }
}
