//! `diagnostics.csv`: one row for every step.

use crate::{Error, Result};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use visco::StepReport;

/// Rows are kept back up to this size, so that a run of tiny steps does not wait for the disk.
const KEPT_BACK: usize = 1 << 16;

/// Writes the reports of steps. The file grows by whole rows, so that it can be read at any time.
#[derive(Debug)]
pub struct DiagnosticsWriter {
    path: PathBuf,
    file: File,
    rows: String,
}

impl DiagnosticsWriter {
    /// Creates the file with its header, in place of an earlier one.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(Error::file("write", path))?;
        let mut writer = Self { path: path.to_owned(), file, rows: StepReport::COLUMNS.join(",") + "\n" };
        writer.flush()?;
        Ok(writer)
    }

    /// Adds a row.
    pub fn write(&mut self, report: &StepReport) -> Result<()> {
        for (i, value) in report.row().into_iter().enumerate() {
            if i > 0 {
                self.rows.push(',');
            }
            self.rows.push_str(&number(value));
        }
        self.rows.push('\n');
        if self.rows.len() >= KEPT_BACK {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands all rows to the system.
    pub fn flush(&mut self) -> Result<()> {
        let result = self.file.write_all(self.rows.as_bytes());
        self.rows.clear();
        result.map_err(Error::file("write", &self.path))
    }
}

/// Shortest text that gives the same number again: plain for usual sizes (whole numbers without a
/// point), with an exponent for tiny and huge ones.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if (1e-5..1e15).contains(&size) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn numbers_are_short_and_exact() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (48.0, "48"),
            (1e12, "1000000000000"),
            (0.1, "0.1"),
            (-0.00012, "-0.00012"),
            (1.23e-9, "1.23e-9"),
            (1e20, "1e20"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        let third = 1.0 / 3.0;
        assert_eq!(number(third).parse(), Ok(third));
    }

    #[test]
    fn the_file_has_the_header_and_a_row_for_every_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diagnostics.csv");
        let mut writer = DiagnosticsWriter::create(&path).unwrap();
        for step in 1..=1000 {
            let report = StepReport {
                step,
                time: 0.25 * step as f64,
                particles: 7,
                momentum: [0.0, -1.5, 1e-7],
                ..StepReport::default()
            };
            writer.write(&report).unwrap();
            // What is on the disk always ends with a whole row.
            assert!(fs::read(&path).unwrap().ends_with(b"\n"));
        }
        writer.flush().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1001);
        assert_eq!(lines[0], StepReport::COLUMNS.join(","));
        assert!(lines[0].starts_with("step,time,dt,particles,velocity_iterations,"));
        assert_eq!(lines[2], "2,0.5,0,7,0,0,0,0,0,0,0,0,0,-1.5,1e-7,0,0,0,0,0,0,0");
    }
}
