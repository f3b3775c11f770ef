//! Figures of the papers, made again, and of flows with an analytic solution: each runs its experiments, draws them and
//! says what holds.
//!
//! A figure is a [`FigureSpec`] in [`FIGURES`]. [`make`] runs it and writes, beside its tables and plots,
//! a page `NAME.md` with what is claimed and what was measured.

use std::path::Path;

use crate::FigureError;
use visco::scene::Override;

mod barreiro2017_drift;
mod barreiro2017_fig04;
mod barreiro2017_fig05;
mod barreiro2017_fig06;
mod barreiro2017_fig07;
mod barreiro2017_fig09;
mod barreiro2017_sec06;
mod index;
mod jobs;
mod mukai2021;
mod pours;
mod report;
mod rheology;
mod sheet;
mod table;
mod takahashi2016;

pub use report::{FigureReport, Statement};

/// What a figure tells while it is made: the part that is done, from 0 to 1, and what it is at.
pub type Progress<'a> = dyn FnMut(f64, &str) + 'a;

/// A figure that can be made again.
#[derive(Clone, Copy, Debug)]
pub struct FigureSpec {
    /// Its name, of a paper's figure with year and number: `barreiro2017-fig04`. Also the stem of its files.
    pub name: &'static str,
    /// What it shows, in a line.
    pub title: &'static str,
    /// Where it is in the paper, or what it is about.
    pub source: &'static str,
    /// What it is to show; of a paper's figure, what the paper says about it, in our words.
    pub claim: &'static str,
    /// Runs the experiment and writes tables and plots to a folder.
    pub run: Making,
}

/// How a figure is made.
#[derive(Clone, Copy, Debug)]
pub enum Making {
    /// As it is.
    Fixed(fn(&Path, &mut Progress<'_>) -> Result<FigureReport, FigureError>),
    /// With fields of its scenes changed, like `quality=full`.
    Settable(fn(&Path, &[Override], &mut Progress<'_>) -> Result<FigureReport, FigureError>),
}

impl FigureSpec {
    /// Whether fields of its scenes can be changed.
    pub fn is_settable(&self) -> bool {
        matches!(self.run, Making::Settable(_))
    }
}

/// Every figure: those of papers by paper and number, then our own.
pub const FIGURES: &[FigureSpec] = &[
    barreiro2017_drift::FIG02,
    barreiro2017_drift::FIG03,
    barreiro2017_fig04::SPEC,
    barreiro2017_fig05::SPEC,
    barreiro2017_fig06::SPEC,
    barreiro2017_fig07::SPEC,
    barreiro2017_fig09::SPEC,
    barreiro2017_sec06::SPEC,
    takahashi2016::FIG02,
    takahashi2016::FIG04,
    takahashi2016::FIG05,
    takahashi2016::FIG06,
    takahashi2016::FIG07,
    takahashi2016::FIG09,
    takahashi2016::FIG11,
    takahashi2016::FIG12,
    takahashi2016::FIG13,
    takahashi2016::TABLE1,
    mukai2021::FIG02,
    mukai2021::SEC06,
    rheology::SPEC,
];

/// Plots that stand on the page of the figure whose experiment they are of: name, and that of the figure.
const ON_ANOTHER_PAGE: &[(&str, &str)] =
    &[("takahashi2016-fig08", takahashi2016::FIG07.name), ("takahashi2016-fig10", takahashi2016::FIG09.name)];

/// The figures whose name is, or else begins with, what the user typed.
pub fn find(name: &str) -> Vec<&'static FigureSpec> {
    let name = ON_ANOTHER_PAGE.iter().find(|(other, _)| *other == name).map_or(name, |(_, figure)| figure);
    match FIGURES.iter().find(|f| f.name == name) {
        Some(figure) => vec![figure],
        None => FIGURES.iter().filter(|f| !name.is_empty() && f.name.starts_with(name)).collect(),
    }
}

/// Makes a figure and its page in a folder, with changes to its scenes where it takes any. `README.md` there lists all
/// figures that were made in it.
pub fn make(
    figure: &FigureSpec,
    (out, changes): (&Path, &[Override]),
    progress: &mut Progress<'_>,
) -> Result<FigureReport, FigureError> {
    let mut report = match figure.run {
        Making::Settable(run) => run(out, changes, progress)?,
        Making::Fixed(run) if changes.is_empty() => run(out, progress)?,
        Making::Fixed(_) => return Err(FigureError::NotSettable(figure.name)),
    };
    let page = out.join(format!("{}.md", figure.name));
    crate::files::write_atomically(&page, report::page(figure, &report, changes).as_bytes())?;
    report.files.push(page);
    index::update(figure, &report, (out, changes))?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_distinct_and_found_by_a_unique_beginning() {
        let names: BTreeSet<&str> = FIGURES.iter().map(|f| f.name).collect();
        assert_eq!(names.len(), FIGURES.len());
        for figure in FIGURES {
            assert_eq!(find(figure.name).len(), 1, "{}", figure.name);
        }
        assert_eq!(find("barreiro2017-fig04")[0].name, "barreiro2017-fig04");
        assert_eq!(find("barreiro2017-fig07").len(), 1);
        assert!(find("barreiro").len() > 1);
        assert!(find("").is_empty());
        assert!(find("fig04").is_empty());
        for (name, figure) in ON_ANOTHER_PAGE {
            assert!(!names.contains(name) && names.contains(figure), "{name}, {figure}");
            assert_eq!(find(name)[0].name, *figure);
        }
    }
}
