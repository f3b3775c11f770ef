//! How large a surface will be, before it is made.

use crate::Settings;
use crate::cells::Cells;
use glam::Vec3;
use visco::Frame;

/// Width of the blocks that particles are counted in, in spacings.
const BLOCK: f32 = 2.0;

/// Corners for every square of a cell's edge: a plane has 1, one that lies aslant up to 1.73, on fewer faces of blocks.
const CORNERS: f64 = 1.5;

/// Bytes for each particle, each corner, and at all.
const OF_PARTICLE: f64 = 700.0;
const OF_CORNER: f64 = 260.0;
const FIXED: f64 = 3e7;

/// Bytes for each point of the grid, where anisotropic kernels are summed up.
const OF_POINT: f64 = 40.0;

/// The coarsest cell that still shows something, in spacings.
const COARSEST: f32 = 1.5;

/// The extent of the particles of a frame, as far as memory goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    particles: f64,
    /// Blocks that hold particles, or lie beside such.
    blocks: f64,
    /// Faces between blocks that hold particles and others.
    faces: f64,
}

impl Size {
    /// Counts a frame.
    pub fn of(frame: &Frame) -> Self {
        let finite: Vec<Vec3> = frame.positions.iter().copied().filter(|x| x.is_finite()).collect();
        let cells = Cells::new(&finite, (BLOCK * frame.spacing).max(f32::MIN_POSITIVE));
        let occupied = cells.occupied();
        let is_free = |key: &[i32; 3], axis: usize, side: i32| {
            let mut beside = *key;
            beside[axis] = beside[axis].saturating_add(side);
            occupied.binary_search(&beside).is_err()
        };
        let sides = [0, 1, 2].into_iter().flat_map(|axis| [(axis, -1), (axis, 1)]);
        let free = |key| sides.clone().filter(|&(axis, side)| is_free(key, axis, side)).count();
        let faces: usize = occupied.iter().map(free).sum();
        Self { particles: finite.len() as f64, blocks: (occupied.len() + faces) as f64, faces: faces as f64 }
    }

    /// Corners of the surface, roughly and rather too many.
    pub fn corners(&self, settings: &Settings) -> f64 {
        CORNERS * self.faces * f64::from(BLOCK / settings.cell).powi(2)
    }

    /// Bytes that making the surface takes, roughly and rather too many.
    pub fn bytes(&self, settings: &Settings) -> u64 {
        let mut bytes = FIXED + OF_PARTICLE * self.particles + OF_CORNER * self.corners(settings);
        if settings.anisotropic {
            bytes += OF_POINT * self.blocks * f64::from(BLOCK / settings.cell).powi(3);
        }
        bytes as u64
    }

    /// The smallest cell with which a surface takes no more than so many bytes, in spacings, with two digits; `None` if
    /// no cell that is worth it does.
    pub fn fitting_cell(&self, settings: &Settings, bytes: u64) -> Option<f32> {
        let fits = |cell: f32| self.bytes(&Settings { cell, ..*settings }) <= bytes;
        let rounded = |exponent: i32| {
            let unit = 10_f64.powi(exponent - 1);
            // Through text, so that 0.42 is not 0.41999999.
            (10..100).map(move |n| format!("{:.1e}", f64::from(n) * unit).parse::<f32>().unwrap_or(f32::MAX))
        };
        (-5..1).flat_map(rounded).find(|&cell| fits(cell)).filter(|&cell| cell <= COARSEST)
    }
}
