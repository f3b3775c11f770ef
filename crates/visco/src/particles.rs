//! The particles: a structure of arrays.

use glam::Vec3;

/// Where a particle's motion comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// It moves by the fluid's equations.
    #[default]
    Free,
    /// It is still inside the nozzle of the emitter with this index and moves with its flow.
    InNozzle(u16),
    /// The grip with this index holds it.
    Gripped(u16),
}

/// The particles of a world. All arrays have the same length; the order changes between steps, ids do not.
#[derive(Clone, Debug, Default)]
pub struct Particles {
    /// Positions, in m.
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Index of the material.
    pub materials: Vec<u8>,
    /// Stable identifiers.
    pub ids: Vec<u32>,
    /// What moves each particle.
    pub motions: Vec<Motion>,
    next_id: u32,
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds a particle with a new id.
    pub fn push(&mut self, position: Vec3, velocity: Vec3, material: u8, motion: Motion) {
        self.positions.push(position);
        self.velocities.push(velocity);
        self.materials.push(material);
        self.ids.push(self.next_id);
        self.motions.push(motion);
        self.next_id += 1;
    }

    /// Brings the particles into the order `order[new] = old`; particles that `order` leaves out vanish.
    pub(crate) fn reorder(&mut self, order: &[u32]) {
        reorder(&mut self.positions, order);
        reorder(&mut self.velocities, order);
        reorder(&mut self.materials, order);
        reorder(&mut self.ids, order);
        reorder(&mut self.motions, order);
    }
}

/// `items[new] = items[order[new]]`.
pub(crate) fn reorder<T: Copy + Send + Sync>(items: &mut Vec<T>, order: &[u32]) {
    *items = order.iter().map(|&old| items[old as usize]).collect();
}
