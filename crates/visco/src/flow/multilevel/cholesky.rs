//! The coarsest grid, solved directly.

use glam::Vec3A;

/// A Cholesky factor, row by row, in f64: the grids leave little between a lonely node and a stiff one.
pub(super) struct Cholesky {
    n: usize,
    factor: Vec<f64>,
}

impl Cholesky {
    /// Factorises a symmetric matrix; `None` if it is not positive definite.
    pub(super) fn new(mut a: Vec<f64>) -> Option<Self> {
        let n = a.len().isqrt();
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = a[i * n..i * n + j].iter().zip(&a[j * n..j * n + j]).map(|(x, y)| x * y).sum();
                let rest = a[i * n + j] - dot;
                if i == j {
                    if rest <= 0.0 || !rest.is_finite() {
                        return None;
                    }
                    a[i * n + i] = rest.sqrt();
                } else {
                    a[i * n + j] = rest / a[j * n + j];
                }
            }
        }
        Some(Self { n, factor: a })
    }

    /// The solution, three unknowns a node.
    pub(super) fn solve(&self, right: &[Vec3A]) -> Vec<Vec3A> {
        let (n, l) = (self.n, &self.factor);
        let mut x: Vec<f64> = right.iter().flat_map(|r| r.to_array().map(f64::from)).collect();
        for i in 0..n {
            let dot: f64 = l[i * n..i * n + i].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - dot) / l[i * n + i];
        }
        for i in (0..n).rev() {
            x[i] /= l[i * n + i];
            let value = x[i];
            for (k, x) in x[..i].iter_mut().enumerate() {
                *x -= l[i * n + k] * value;
            }
        }
        x.chunks_exact(3).map(|c| Vec3A::new(c[0] as f32, c[1] as f32, c[2] as f32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_factorised() {
        let n = 6;
        let a: Vec<f64> = (0..n * n)
            .map(|k| 1.0 / (1.0 + (k / n + k % n) as f64) + if k / n == k % n { 0.5 } else { 0.0 })
            .collect();
        let x = [Vec3A::new(1.0, -2.0, 0.5), Vec3A::new(0.25, 3.0, -1.0)];
        let flat: Vec<f64> = x.iter().flat_map(|v| v.to_array().map(f64::from)).collect();
        let image: Vec<f64> = (0..n).map(|r| (0..n).map(|c| a[r * n + c] * flat[c]).sum()).collect();
        let right: Vec<Vec3A> =
            image.chunks(3).map(|c| Vec3A::new(c[0] as f32, c[1] as f32, c[2] as f32)).collect();
        let found = Cholesky::new(a).unwrap().solve(&right);
        assert!(found.iter().zip(x).all(|(f, x)| (*f - x).length() < 1e-5), "{found:?}");
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0]).is_none());
    }
}
