//! Plots and tables of what a rheometer measured.

use super::report::{FREQUENCIES, Results};
use super::{Course, Extension, Moduli, Oscillation, ShearStress, SteadyShear, TensileStress, Theory};
use crate::plot::{PALETTE, short};
use crate::{Figure, FigureError, Plot, Series, Style, save, write_csv};
use std::path::{Path, PathBuf};

impl Results {
    /// Writes plots and tables to a folder.
    pub(super) fn write(
        &self,
        (name, theory): (&str, &Theory),
        out: &Path,
    ) -> Result<Vec<PathBuf>, FigureError> {
        let mut panels = vec![
            course_plot("Start-up of shear", &self.start_up),
            course_plot("Relaxation after shear", &self.relaxation),
            self.moduli_plot(theory),
            self.steady_plot("Steady shear: viscosity", "η", "Pa·s", |s| s.0),
            self.steady_plot("Steady shear: normal stress", "N₁", "Pa", |s| s.1),
            self.extension_plot(),
        ];
        if theory.relaxation_time == 0.0 {
            // N₁ is 0, which a logarithmic axis has not.
            panels.remove(4);
        }
        let figure = Figure { title: format!("{name} in the rheometer"), panels, columns: 3 };
        let mut files = save(&figure, out.join("rheometer"))?.to_vec();
        for (file, course) in [("start-up.csv", &self.start_up), ("relaxation.csv", &self.relaxation)] {
            let column = |of: &[ShearStress], f: fn(&ShearStress) -> f64| of.iter().map(f).collect();
            let columns: [(&str, Vec<f64>); 5] = [
                ("time", column(&course.measured, |s| s.time)),
                ("shear_stress", column(&course.measured, |s| s.shear)),
                ("shear_stress_theory", column(&course.theory, |s| s.shear)),
                ("normal_stress", column(&course.measured, |s| s.normal)),
                ("normal_stress_theory", column(&course.theory, |s| s.normal)),
            ];
            files.push(table(out.join(file), &columns)?);
        }
        let column = |f: fn(&Oscillation) -> f64| self.oscillations.iter().map(f).collect();
        files.push(table(
            out.join("oscillation.csv"),
            &[
                ("omega", column(|o| o.omega)),
                ("storage", column(|o| o.measured.storage)),
                ("storage_theory", column(|o| o.theory.storage)),
                ("loss", column(|o| o.measured.loss)),
                ("loss_theory", column(|o| o.theory.loss)),
            ],
        )?);
        let column = |f: fn(&SteadyShear) -> f64| self.steady.iter().map(f).collect();
        files.push(table(
            out.join("steady-shear.csv"),
            &[
                ("rate", column(|s| s.rate)),
                ("viscosity", column(|s| s.measured.0)),
                ("viscosity_theory", column(|s| s.theory.0)),
                ("normal_stress", column(|s| s.measured.1)),
                ("normal_stress_theory", column(|s| s.theory.1)),
            ],
        )?);
        files.push(table(out.join("extension.csv"), &self.extension_table())?);
        Ok(files)
    }

    fn moduli_plot(&self, theory: &Theory) -> Plot {
        let points = |f: fn(&Oscillation) -> f64| self.oscillations.iter().map(|o| (o.omega, f(o))).collect();
        let [low, .., high] = FREQUENCIES.map(|x| x / theory.time());
        let omega = |k: i32| low * (high / low).powf(f64::from(k) / 60.0);
        let curve = |f: fn(&Moduli) -> f64| {
            (0..=60).map(|k| (omega(k), f(&theory.moduli(omega(k))))).collect::<Vec<_>>()
        };
        let mut series = vec![
            Series::new("G″", points(|o| o.measured.loss), Style::Markers),
            theory_line("theory", curve(|m| m.loss)),
        ];
        if theory.relaxation_time > 0.0 {
            series.push(Series::new("G′", points(|o| o.measured.storage), Style::Markers));
            series.push(theory_line("", curve(|m| m.storage)));
        }
        Plot {
            title: "Small oscillations".into(),
            x_label: "ω (rad/s)".into(),
            y_label: "modulus (Pa)".into(),
            log_x: true,
            log_y: true,
            series,
            ..Plot::default()
        }
    }

    fn steady_plot(&self, title: &str, symbol: &str, unit: &str, f: fn((f64, f64)) -> f64) -> Plot {
        let points =
            |of: fn(&SteadyShear) -> (f64, f64)| self.steady.iter().map(|s| (s.rate, f(of(s)))).collect();
        let theory: Vec<(f64, f64)> = points(|s| s.theory);
        let (least, most) =
            theory.iter().fold((f64::INFINITY, 0.0_f64), |(lo, hi), (_, y)| (lo.min(*y), hi.max(*y)));
        Plot {
            title: title.into(),
            x_label: "γ̇ (1/s)".into(),
            y_label: format!("{symbol} ({unit})"),
            log_x: true,
            log_y: true,
            // A constant would fill the axis with its last digits.
            y_range: (most < 2.0 * least).then_some((0.3 * least, 3.0 * most)),
            series: vec![
                Series::new(symbol, points(|s| s.measured), Style::Markers),
                theory_line("theory", theory),
            ],
            ..Plot::default()
        }
    }

    /// Trouton's ratio over the Hencky strain, a colour for each rate.
    fn extension_plot(&self) -> Plot {
        let mut series = Vec::new();
        for (e, color) in self.extensions.iter().zip(PALETTE) {
            let curve = |of: &[TensileStress]| of.iter().map(|s| (e.strain(s), e.trouton(s))).collect();
            let name = format!("ε̇ = {} 1/s", short(e.rate));
            let line = Series::new(name, curve(&e.measured), Style::Line);
            let theory = Series::new("", curve(&e.theory), Style::Dashed);
            series.extend([line, theory].map(|s| Series { color: Some(color), ..s }));
        }
        let strains = self.extensions.iter().flat_map(|e| e.measured.iter().map(|s| e.strain(s)));
        let ratios = self.extensions.iter().flat_map(|e| e.theory.iter().map(|s| e.trouton(s)));
        let largest = ratios.fold(3.0, f64::max);
        let newtonian = vec![(0.0, 3.0), (strains.fold(0.0, f64::max), 3.0)];
        series.push(theory_line("Newtonian", newtonian));
        Plot {
            title: "Extension (dashed: theory)".into(),
            x_label: "Hencky strain ε̇t".into(),
            y_label: "Trouton ratio η_E/η".into(),
            y_range: Some((0.0, 1.1 * largest)),
            series,
            ..Plot::default()
        }
    }

    fn extension_table(&self) -> [(&'static str, Vec<f64>); 5] {
        let column = |f: &dyn Fn(&Extension, usize) -> f64| {
            let rows = self.extensions.iter().flat_map(|e| (0..e.measured.len()).map(move |k| (e, k)));
            rows.map(|(e, k)| f(e, k)).collect()
        };
        [
            ("rate", column(&|e, _| e.rate)),
            ("time", column(&|e, k| e.measured[k].time)),
            ("strain", column(&|e, k| e.strain(&e.measured[k]))),
            ("viscosity", column(&|e, k| e.viscosity(&e.measured[k]))),
            ("viscosity_theory", column(&|e, k| e.viscosity(&e.theory[k]))),
        ]
    }
}

fn course_plot(title: &str, course: &Course) -> Plot {
    let curve = |of: &[ShearStress], f: fn(&ShearStress) -> f64| of.iter().map(|s| (s.time, f(s))).collect();
    Plot {
        title: title.into(),
        x_label: "time (s)".into(),
        y_label: "stress (Pa)".into(),
        series: vec![
            Series::new("σ_xy", curve(&course.measured, |s| s.shear), Style::Line),
            Series::new("N₁", curve(&course.measured, |s| s.normal), Style::Line),
            theory_line("theory", curve(&course.theory, |s| s.shear)),
            theory_line("", curve(&course.theory, |s| s.normal)),
        ],
        ..Plot::default()
    }
}

/// A dashed grey line.
fn theory_line(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), points, style: Style::Dashed, color: Some([70; 3]) }
}

fn table(path: PathBuf, columns: &[(&str, Vec<f64>)]) -> Result<PathBuf, FigureError> {
    let columns: Vec<(&str, &[f64])> = columns.iter().map(|(name, v)| (*name, v.as_slice())).collect();
    write_csv(&path, &columns)?;
    Ok(path)
}
