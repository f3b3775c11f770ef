//! The particles: a structure of arrays.

use crate::checkpoint::raw;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Where a particle's motion comes from.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum Motion {
    /// It moves by the fluid's equations.
    #[default]
    Free,
    /// It is still inside the nozzle of the emitter with this index and moves with its flow.
    InNozzle(u16),
    /// The grip with this index holds it.
    Gripped(u16),
    /// It belongs to the body with this index.
    Body(u16),
}

/// The particles of a world. All arrays have the same length; the order changes between steps, ids do not.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Particles {
    /// Positions, in m.
    #[serde(with = "raw")]
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    #[serde(with = "raw")]
    pub velocities: Vec<Vec3>,
    /// Index of the material.
    #[serde(with = "raw")]
    pub materials: Vec<u8>,
    /// Stable identifiers.
    #[serde(with = "raw")]
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

    /// Whether all arrays have the same length and no id is still to be given.
    pub(crate) fn is_consistent(&self) -> bool {
        let Self { positions, velocities, materials, ids, motions, next_id } = self;
        let lengths = [velocities.len(), materials.len(), ids.len(), motions.len()];
        lengths.iter().all(|&n| n == positions.len()) && ids.iter().all(|id| id < next_id)
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
