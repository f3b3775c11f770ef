//! Tables of curves.

use std::path::{Path, PathBuf};

use crate::{FigureError, write_csv};

/// Rows of a table that is to be kept beside the text; finer curves are thinned to fewer.
const MAX_ROWS: usize = 400;

/// Writes columns of curves over a common time, thinned and rounded to what was measured. A curve that
/// ends early leaves empty cells.
pub(super) fn write_curves(
    path: PathBuf,
    curves: &[(String, Vec<(f64, f64)>)],
) -> Result<PathBuf, FigureError> {
    let longest = curves.iter().max_by_key(|(_, c)| c.len());
    let time: Vec<f64> = longest.iter().flat_map(|(_, c)| c.iter().map(|p| p.0)).collect();
    let step = time.len().div_ceil(MAX_ROWS).max(1);
    let thin = |values: &mut dyn Iterator<Item = f64>| values.step_by(step).map(rounded).collect::<Vec<_>>();
    let mut columns = vec![("time".to_owned(), thin(&mut time.iter().copied()))];
    for (name, curve) in curves {
        columns.push((name.clone(), thin(&mut curve.iter().map(|p| p.1))));
    }
    write_columns(&path, &columns)?;
    Ok(path)
}

/// Writes named columns.
pub(super) fn write_columns(path: &Path, columns: &[(String, Vec<f64>)]) -> Result<(), FigureError> {
    let columns: Vec<(&str, &[f64])> =
        columns.iter().map(|(name, v)| (name.as_str(), v.as_slice())).collect();
    write_csv(path, &columns)
}

/// Six significant digits: more than single precision keeps after hundreds of steps.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_are_thinned_and_short_ones_end() {
        let folder = tempfile::tempdir().unwrap();
        let long: Vec<(f64, f64)> =
            (0..1000).map(f64::from).map(|i| (i * 0.001, (1.0 + i).recip())).collect();
        let short = long[..10].to_vec();
        let path = folder.path().join("curves.csv");
        write_curves(path.clone(), &[("long".into(), long), ("short".into(), short)]).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["time,long,short", "0,1,1", "0.003,0.25,0.25"]);
        assert_eq!(lines.len(), 1 + 334);
        assert!(lines[9].ends_with(','), "{}", lines[9]);
    }
}
