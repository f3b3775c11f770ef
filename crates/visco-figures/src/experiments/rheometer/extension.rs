//! Uniaxial extension: a bar whose ends are pulled apart so that its length grows exponentially.
//!
//! What it shows of `coupled`: a bar of disordered particles carries its stress up to about twice its length (a Hencky
//! strain of 0.7), and comes apart near 0.9, where particles that were neighbours along the axis are a kernel's
//! support apart. Shifting has by then filled only a part of the gaps, and nothing of those in the grips.

use super::{Rheometer, RheometerError};
use crate::experiments::Bar;

/// Particles along the bar, and along a side of its section. The flow is the same in every section, so that the bar
/// need not be long, and a wide one has fewer particles at its surface.
const COUNT: u32 = 18;
const ACROSS: u32 = 10;
/// Disorder of the particles, in spacings: a lattice tears between its layers.
const JITTER: f64 = 0.15;
/// Tolerance of the velocity solve.
const TOLERANCE: f64 = 1e-5;
/// Spacing over that between the plates. Inertia takes ρ ε̇² L²/8 from the stress in the middle, so that the bar thins at
/// its ends first: 2 % of 3 η ε̇ at the spacing between the plates, 2·10⁻⁴ at this one.
const FINER: f64 = 0.1;
/// Steps in a Hencky strain of 1. The share of the deformation that shifting mends grows with it.
const STEPS: f64 = 150.0;

/// Axial stress at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TensileStress {
    /// Time, in s.
    pub time: f64,
    /// Stress along the axis less that across it, in Pa: the force over the section.
    pub stress: f64,
}

/// Extension at a constant rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extension {
    /// Rate ε̇, in 1/s.
    pub rate: f64,
    /// Viscosity η of the fluid in slow shear, in Pa·s.
    pub viscosity: f64,
    /// After every step, as measured.
    pub measured: Vec<TensileStress>,
    /// The Oldroyd-B fluid at the same times.
    pub theory: Vec<TensileStress>,
}

impl Extension {
    /// Viscosity in extension η_E = σ/ε̇, in Pa·s.
    pub fn viscosity(&self, at: &TensileStress) -> f64 {
        at.stress / self.rate
    }

    /// Trouton's ratio η_E/η.
    pub fn trouton(&self, at: &TensileStress) -> f64 {
        self.viscosity(at) / self.viscosity
    }

    /// Hencky strain ε̇ t: the logarithm of the length over that at the start.
    pub fn strain(&self, at: &TensileStress) -> f64 {
        self.rate * at.time
    }
}

impl Rheometer {
    /// Stretches a bar, without gravity, at a rate ε̇ (1/s) to a Hencky strain. Time step and spacing follow from the rate
    /// and the material; those of the plates do not matter. If the run fails, the measurement ends there.
    pub fn extension(&self, rate: f64, strain: f64) -> Result<Extension, RheometerError> {
        let theory = self.theory()?;
        let suited = Self::suited(self.material.clone(), self.overrides.clone(), 1.0 / (rate * STEPS))?;
        let bar = Bar {
            material: suited.material,
            overrides: suited.overrides,
            length: f64::from(COUNT) * FINER * suited.spacing,
            count: COUNT,
            across: ACROSS,
            dt: suited.dt,
            tolerance: TOLERANCE,
            jitter: JITTER,
        };
        let (samples, failure) = bar.stretch(rate, strain.exp())?;
        if let (true, Some(failure)) = (samples.is_empty(), failure) {
            return Err(failure.into());
        }
        let exact = |time| TensileStress { time, stress: theory.extension(rate, time) };
        Ok(Extension {
            rate,
            viscosity: theory.viscosity(),
            measured: samples.iter().map(|s| TensileStress { time: s.time, stress: s.stress }).collect(),
            theory: samples.iter().map(|s| exact(s.time)).collect(),
        })
    }
}
