//! Small tensors: symmetric 3×3 matrices, the best-fit rotation, eigenvalues.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat3A, Quat, Vec3, Vec3A};
use std::ops::{Add, AddAssign, Mul, Sub};

/// A symmetric 3×3 tensor, stored as xx yy zz xy xz yz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Sym3 {
    /// Diagonal element.
    pub xx: f32,
    /// Diagonal element.
    pub yy: f32,
    /// Diagonal element.
    pub zz: f32,
    /// Off-diagonal element.
    pub xy: f32,
    /// Off-diagonal element.
    pub xz: f32,
    /// Off-diagonal element.
    pub yz: f32,
}

impl Sym3 {
    /// All elements zero.
    pub const ZERO: Self = Self::new([0.0; 6]);
    /// The unit tensor.
    pub const IDENTITY: Self = Self::new([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);

    /// From the elements xx yy zz xy xz yz.
    pub const fn new(e: [f32; 6]) -> Self {
        Self { xx: e[0], yy: e[1], zz: e[2], xy: e[3], xz: e[4], yz: e[5] }
    }

    /// The elements xx yy zz xy xz yz.
    pub const fn to_array(self) -> [f32; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// A multiple of the unit tensor.
    pub const fn isotropic(v: f32) -> Self {
        Self::new([v, v, v, 0.0, 0.0, 0.0])
    }

    /// v vᵀ.
    #[inline]
    pub fn outer(v: Vec3) -> Self {
        Self::new([v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z])
    }

    /// M + Mᵀ.
    #[inline]
    pub fn twice_symmetric_part(m: &Mat3) -> Self {
        let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
        Self::new([2.0 * a.x, 2.0 * b.y, 2.0 * c.z, a.y + b.x, a.z + c.x, b.z + c.y])
    }

    /// (M + Mᵀ)/2.
    #[inline]
    pub fn symmetric_part(m: &Mat3) -> Self {
        Self::twice_symmetric_part(m) * 0.5
    }

    /// As a full matrix.
    #[inline]
    pub fn to_mat3(self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(self.xx, self.xy, self.xz),
            Vec3::new(self.xy, self.yy, self.yz),
            Vec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(self) -> f32 {
        self.xx + self.yy + self.zz
    }

    /// The tensor without its isotropic part.
    #[inline]
    pub fn deviator(self) -> Self {
        self - Self::isotropic(self.trace() / 3.0)
    }

    /// Frobenius product A : B.
    #[inline]
    pub fn dot(self, o: Self) -> f32 {
        self.xx * o.xx
            + self.yy * o.yy
            + self.zz * o.zz
            + 2.0 * (self.xy * o.xy + self.xz * o.xz + self.yz * o.yz)
    }

    /// A v.
    #[inline]
    pub fn mul_vec(self, v: Vec3) -> Vec3 {
        Vec3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }

    /// A v, with vectors in SIMD registers.
    #[inline]
    pub fn mul_vec3a(self, v: Vec3A) -> Vec3A {
        Vec3A::new(self.xx, self.xy, self.xz) * v.x
            + Vec3A::new(self.xy, self.yy, self.yz) * v.y
            + Vec3A::new(self.xz, self.yz, self.zz) * v.z
    }

    /// A B, which is not symmetric in general.
    #[inline]
    pub fn mul_sym(self, b: Self) -> Mat3 {
        Mat3::from_cols(
            self.mul_vec(Vec3::new(b.xx, b.xy, b.xz)),
            self.mul_vec(Vec3::new(b.xy, b.yy, b.yz)),
            self.mul_vec(Vec3::new(b.xz, b.yz, b.zz)),
        )
    }

    /// M A Mᵀ.
    #[inline]
    pub fn congruent(self, m: &Mat3) -> Self {
        Self::symmetric_part(&(*m * self.to_mat3() * m.transpose()))
    }

    /// Determinant.
    #[inline]
    pub fn determinant(self) -> f32 {
        self.xx * (self.yy * self.zz - self.yz * self.yz) - self.xy * (self.xy * self.zz - self.yz * self.xz)
            + self.xz * (self.xy * self.yz - self.yy * self.xz)
    }

    /// The inverse; the determinant must not be zero.
    #[inline]
    pub fn inverse(self) -> Self {
        let s = 1.0 / self.determinant();
        Self::new([
            (self.yy * self.zz - self.yz * self.yz) * s,
            (self.xx * self.zz - self.xz * self.xz) * s,
            (self.xx * self.yy - self.xy * self.xy) * s,
            (self.xz * self.yz - self.xy * self.zz) * s,
            (self.xy * self.yz - self.xz * self.yy) * s,
            (self.xy * self.xz - self.xx * self.yz) * s,
        ])
    }

    /// The three eigenvalues, ascending (closed form; f64 inside).
    pub fn eigenvalues(self) -> [f32; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.to_array().map(f64::from);
        let off = xy * xy + xz * xz + yz * yz;
        let mean = (xx + yy + zz) / 3.0;
        let p2 = (xx - mean).powi(2) + (yy - mean).powi(2) + (zz - mean).powi(2) + 2.0 * off;
        if p2 <= 1e-30 * (1.0 + mean * mean) {
            return [mean as f32; 3];
        }
        let p = (p2 / 6.0).sqrt();
        let (a, b, c) = ((xx - mean) / p, (yy - mean) / p, (zz - mean) / p);
        let (d, e, f) = (xy / p, xz / p, yz / p);
        let det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
        let phi = (det / 2.0).clamp(-1.0, 1.0).acos() / 3.0;
        let largest = mean + 2.0 * p * phi.cos();
        let smallest = mean + 2.0 * p * (phi + 2.0 * std::f64::consts::FRAC_PI_3).cos();
        [smallest as f32, (3.0 * mean - largest - smallest) as f32, largest as f32]
    }
}

impl Sym3 {
    /// The inverse on the space of eigenvalues that are at least `smallest`, zero on the rest.
    pub fn pseudo_inverse(self, smallest: f32) -> Self {
        if self.least_of_discs() >= smallest {
            return self.inverse();
        }
        let (values, vectors) = self.eigen();
        if values.iter().all(|&value| value >= smallest) {
            return self.inverse();
        }
        let mut inverse = Self::ZERO;
        for (value, axis) in values.into_iter().zip([vectors.x_axis, vectors.y_axis, vectors.z_axis]) {
            if value >= smallest {
                inverse += Self::outer(axis) * (1.0 / value);
            }
        }
        inverse
    }

    /// A number that no eigenvalue is less than, by Gershgorin's discs.
    #[inline]
    fn least_of_discs(self) -> f32 {
        let [xy, xz, yz] = [self.xy.abs(), self.xz.abs(), self.yz.abs()];
        (self.xx - xy - xz).min(self.yy - xy - yz).min(self.zz - xz - yz)
    }

    /// Eigenvalues with their unit eigenvectors as columns, by Jacobi rotations.
    pub fn eigen(self) -> ([f32; 3], Mat3) {
        const SWEEPS: usize = 8;
        /// Squares of what is off the diagonal, over those on it, that are not worth another sweep.
        const NOTHING: f32 = 1e-12;
        let Self { mut xx, mut yy, mut zz, mut xy, mut xz, mut yz } = self;
        let mut vectors = Mat3::IDENTITY;
        for _ in 0..SWEEPS {
            if xy * xy + xz * xz + yz * yz <= NOTHING * (xx * xx + yy * yy + zz * zz) {
                break;
            }
            turn([&mut xx, &mut yy, &mut xy], [&mut xz, &mut yz], [&mut vectors.x_axis, &mut vectors.y_axis]);
            turn([&mut xx, &mut zz, &mut xz], [&mut xy, &mut yz], [&mut vectors.x_axis, &mut vectors.z_axis]);
            turn([&mut yy, &mut zz, &mut yz], [&mut xy, &mut xz], [&mut vectors.y_axis, &mut vectors.z_axis]);
        }
        ([xx, yy, zz], vectors)
    }
}

/// The rotation of a plane that takes the element `pq` of a symmetric tensor away, from the elements of that plane, those
/// that join it with the third direction, and the two axes.
#[inline(always)]
fn turn([pp, qq, pq]: [&mut f32; 3], [pr, qr]: [&mut f32; 2], [p, q]: [&mut Vec3; 2]) {
    if *pq == 0.0 {
        return;
    }
    let theta = (*qq - *pp) / (2.0 * *pq);
    let t = 1.0_f32.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    *pp -= t * *pq;
    *qq += t * *pq;
    *pq = 0.0;
    (*pr, *qr) = (c * *pr - s * *qr, s * *pr + c * *qr);
    (*p, *q) = (*p * c - *q * s, *p * s + *q * c);
}

impl Add for Sym3 {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self::new([
            self.xx + o.xx,
            self.yy + o.yy,
            self.zz + o.zz,
            self.xy + o.xy,
            self.xz + o.xz,
            self.yz + o.yz,
        ])
    }
}

impl AddAssign for Sym3 {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Sub for Sym3 {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self + o * -1.0
    }
}

impl Mul<f32> for Sym3 {
    type Output = Self;
    #[inline]
    fn mul(self, s: f32) -> Self {
        Self::new(self.to_array().map(|v| v * s))
    }
}

/// a bᵀ.
#[inline]
pub fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// a bᵀ, with vectors in SIMD registers.
#[inline]
pub fn outer3a(a: Vec3A, b: Vec3A) -> Mat3A {
    Mat3A::from_cols(a * b.x, a * b.y, a * b.z)
}

/// I − R for the rotation R of a unit quaternion, without the cancellation of subtracting matrices.
#[inline]
pub fn identity_minus_rotation(q: Quat) -> Mat3 {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    Mat3::from_cols(
        2.0 * Vec3::new(y * y + z * z, -x * y - z * w, -x * z + y * w),
        2.0 * Vec3::new(-x * y + z * w, x * x + z * z, -y * z - x * w),
        2.0 * Vec3::new(-x * z - y * w, -y * z + x * w, x * x + y * y),
    )
}

/// The rotation nearest to `a`, that is arg max R : A, by the iteration of Müller et al. 2016,
/// "A robust method to extract the rotational part of deformations", started at `start`.
pub fn best_fit_rotation(a: &Mat3, start: Quat) -> Quat {
    const MOST_ITERATIONS: usize = 20;
    let mut q = start;
    for _ in 0..MOST_ITERATIONS {
        let r = Mat3::from_quat(q);
        let torque = r.x_axis.cross(a.x_axis) + r.y_axis.cross(a.y_axis) + r.z_axis.cross(a.z_axis);
        let hold = (r.x_axis.dot(a.x_axis) + r.y_axis.dot(a.y_axis) + r.z_axis.dot(a.z_axis)).abs();
        if hold <= f32::MIN_POSITIVE {
            break;
        }
        let turn = torque / hold;
        let angle = turn.length();
        if angle < 1e-7 {
            break;
        }
        let (s, c) = (0.5 * angle).sin_cos();
        let axis = turn * (s / angle);
        q = (Quat::from_xyzw(axis.x, axis.y, axis.z, c) * q).normalize();
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sym3 {
        Sym3::new([2.0, 3.0, 1.5, 0.4, -0.3, 0.7])
    }

    #[test]
    fn inverse_times_tensor_is_identity() {
        let p = sample().mul_sym(sample().inverse());
        assert!(p.abs_diff_eq(Mat3::IDENTITY, 1e-5), "{p}");
    }

    #[test]
    fn eigenvalues_have_the_invariants_of_the_tensor() {
        let e = sample().eigenvalues();
        assert!(e[0] <= e[1] && e[1] <= e[2]);
        assert!((e.iter().sum::<f32>() - sample().trace()).abs() < 1e-5);
        assert!((e.iter().product::<f32>() - sample().determinant()).abs() < 1e-4);
        let turned = sample().congruent(&Mat3::from_quat(Quat::from_rotation_z(0.7)));
        for (a, b) in e.iter().zip(turned.eigenvalues()) {
            assert!((a - b).abs() < 1e-5);
        }
    }

    #[test]
    fn pseudo_inverse_drops_the_directions_without_support() {
        let turn = Mat3::from_quat(Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.9));
        let flat = Sym3::new([0.7, 0.5, 0.01, 0.0, 0.0, 0.0]).congruent(&turn);
        let expected = Sym3::new([1.0 / 0.7, 2.0, 0.0, 0.0, 0.0, 0.0]).congruent(&turn);
        let found = flat.pseudo_inverse(0.15);
        assert!((found - expected).dot(found - expected) < 1e-8, "{found:?}");
        assert_eq!(sample().pseudo_inverse(0.15), sample().inverse());
    }

    #[test]
    fn a_tensor_is_the_sum_of_its_axes_times_its_eigenvalues() {
        let mut random = crate::random::Random::new(7);
        for k in 0..200 {
            let [a, b] = [random.triple(), random.triple()];
            let scale = 10.0_f32.powi(k % 7 - 3);
            let tensor = Sym3::new([a[0], a[1], a[2], b[0], b[1], b[2]]) * scale;
            // Some are flat, and some have no more than a line.
            let tensor = match k % 3 {
                0 => tensor,
                1 => Sym3::outer(a.into()) * scale + Sym3::outer(b.into()) * scale,
                _ => Sym3::outer(a.into()) * scale,
            };
            let (values, axes) = tensor.eigen();
            let turned = axes.transpose() * axes;
            assert!(turned.abs_diff_eq(Mat3::IDENTITY, 1e-5), "{turned}");
            let again = Sym3::new([values[0], values[1], values[2], 0.0, 0.0, 0.0]).congruent(&axes);
            let error = again - tensor;
            assert!(error.dot(error) < 1e-10 * tensor.dot(tensor), "{tensor:?} became {again:?}");
        }
    }

    #[test]
    fn best_fit_rotation_undoes_a_turn_of_a_stretched_body() {
        let q = Quat::from_axis_angle(Vec3::new(0.3, 0.8, -0.5).normalize(), 1.3);
        let a = Mat3::from_quat(q) * sample().to_mat3();
        let found = best_fit_rotation(&a, Quat::IDENTITY);
        assert!(found.angle_between(q) < 1e-3, "{}", found.angle_between(q));
        let (direct, apart) = (Mat3::IDENTITY - Mat3::from_quat(q), identity_minus_rotation(q));
        assert!(direct.abs_diff_eq(apart, 1e-6));
    }

    #[test]
    fn small_turns_keep_their_digits() {
        let m = identity_minus_rotation(Quat::from_rotation_z(1e-5));
        assert!((m.x_axis.y + 1e-5).abs() < 1e-11, "{}", m.x_axis.y);
        assert!((m.x_axis.x - 0.5e-10).abs() < 1e-15, "{}", m.x_axis.x);
    }
}
