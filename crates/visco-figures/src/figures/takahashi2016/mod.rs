//! Figures of Takahashi et al. 2016, *Volume preserving viscoelastic fluids with large deformations using position-based
//! velocity corrections*.
//!
//! The paper gives its scenes as pictures and numbers of particles (Table 1), not as measures: sizes and speeds are ours.
//! `quality=full` has the paper's numbers of particles; the figures are made with `quality=small`, at twice the spacing
//! and twice the time step or so, which leaves c ρ d²/Δt², the stiffness, as it is.

mod draw;
mod fig02;
mod fig04;
mod fig05;
mod fig06;
mod fig07;
mod fig09;
mod fig11;
mod fig12;
mod fig13;
mod measure;
mod table1;
mod take;

pub(super) use fig02::SPEC as FIG02;
pub(super) use fig04::SPEC as FIG04;
pub(super) use fig05::SPEC as FIG05;
pub(super) use fig06::SPEC as FIG06;
pub(super) use fig07::SPEC as FIG07;
pub(super) use fig09::SPEC as FIG09;
pub(super) use fig11::SPEC as FIG11;
pub(super) use fig12::SPEC as FIG12;
pub(super) use fig13::SPEC as FIG13;
pub(super) use table1::SPEC as TABLE1;

use super::{FigureReport, Statement, table};
use crate::{Figure, FigureError, RgbImage, save, save_png};
use std::path::Path;

/// What a figure shows and found.
struct Found {
    name: &'static str,
    plot: (Figure, &'static str),
    picture: (RgbImage, &'static str),
    curves: Vec<(String, Vec<(f64, f64)>)>,
    statements: Vec<Statement>,
    remark: &'static str,
}

/// What holds for all of these figures.
const COMMON: &str = "Method `velocity_correction`. The paper gives no sizes, speeds, time steps or coefficients of its \
                      scenes; those here are ours, ρ = 1000 kg/m³ and 0.5 Pa·s. `--set quality=full` makes the figure \
                      with about the paper's number of particles (Table 1); without it there are fewer, at a time step \
                      longer by as much as the spacing, so that the stiffness cρd²/Δt² is the same.";

impl Found {
    /// Writes plots, tables and pictures.
    fn publish(self, out: &Path) -> Result<FigureReport, FigureError> {
        let [svg, png] = save(&self.plot.0, out.join(self.name))?;
        let csv = table::write_curves(out.join(format!("{}.csv", self.name)), &self.curves)?;
        let picture = out.join(format!("{}-particles.png", self.name));
        save_png(&self.picture.0, &picture)?;
        Ok(FigureReport {
            files: vec![csv, svg, png.clone(), picture.clone()],
            pictures: vec![(picture, self.picture.1.into()), (png, self.plot.1.into())],
            statements: self.statements,
            remarks: vec![self.remark.into(), COMMON.into()],
        })
    }
}
