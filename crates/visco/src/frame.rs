//! The state of the particles at one moment, as writers and renderers take it.

use glam::Vec3;

/// A snapshot of the particles, ordered by id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Number of the frame, from 0 (the initial state).
    pub number: u32,
    /// Simulated time, in s.
    pub time: f64,
    /// Rest distance of particles, in m.
    pub spacing: f32,
    /// Positions, in m.
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Stable identifiers, ascending.
    pub ids: Vec<u32>,
    /// Index of the scene's material.
    pub materials: Vec<u8>,
    /// Densities, in kg/m³.
    pub densities: Vec<f32>,
    /// Conformation tensors as xx yy zz xy xz yz, where the method has them.
    pub conformations: Option<Vec<[f32; 6]>>,
}

impl Frame {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// A 64-bit FNV-1a hash over every bit of the particle data: equal hashes mean equal frames.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut eat = |bytes: &[u8]| {
            for &b in bytes {
                hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        eat(&self.time.to_le_bytes());
        eat(bytemuck::cast_slice(&self.positions));
        eat(bytemuck::cast_slice(&self.velocities));
        eat(bytemuck::cast_slice(&self.ids));
        eat(&self.materials);
        eat(bytemuck::cast_slice(&self.densities));
        if let Some(q) = &self.conformations {
            eat(bytemuck::cast_slice(q));
        }
        hash
    }
}
