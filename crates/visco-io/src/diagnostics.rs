//! `diagnostics.csv`: one row for every step.

use crate::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
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
    /// Bytes of whole rows in the file.
    length: u64,
}

impl DiagnosticsWriter {
    /// Creates the file with its header, in place of an earlier one.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(Error::file("write", path))?;
        let mut writer = Self { path: path.to_owned(), file, rows: header(), length: 0 };
        writer.flush()?;
        Ok(writer)
    }

    /// Goes on after a step: later rows are removed. Returns the last step that the file has, which is less than
    /// `step` where rows are missing; a file that is missing or has other columns is begun anew.
    pub fn resume(path: &Path, step: u64) -> Result<(Self, u64)> {
        let Some((length, last)) = rows_up_to(path, step).map_err(Error::file("read", path))? else {
            return Ok((Self::create(path)?, 0));
        };
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().append(true).open(path)?;
            file.set_len(length)?;
            Ok(file)
        };
        let file = open().map_err(Error::file("write", path))?;
        Ok((Self { path: path.to_owned(), file, rows: String::new(), length }, last))
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

    /// Hands all rows to the system: all of them, or none where it refuses.
    pub fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let result = match self.path.try_exists() {
            // Else the rows would go to a file without a name, and be lost.
            Ok(false) => Err(io::Error::new(io::ErrorKind::NotFound, "it was removed during the run")),
            _ => self.file.write_all(rows.as_bytes()),
        };
        match result {
            Ok(()) => self.length += rows.len() as u64,
            // A row that is cut off must not stay; the reason of the failure is what is told.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        result.map_err(Error::file("write", &self.path))
    }

    /// Hands all rows to the disk, so that they survive a power cut.
    pub fn sync(&mut self) -> Result<()> {
        self.flush()?;
        self.file.sync_data().map_err(Error::file("write", &self.path))
    }
}

/// The columns of a `diagnostics.csv`, of this version of visco or another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiagnosticsTable {
    columns: Vec<(String, Vec<f64>)>,
}

impl DiagnosticsTable {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::file("read", path))?;
        let unfit = || io::Error::new(io::ErrorKind::InvalidData, "it is not a table of numbers");
        Self::parse(&text).ok_or_else(unfit).map_err(Error::file("read", path))
    }

    /// Reads a table; `None` if it has a cell that is not a number. A last row without its end is left out.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = &text[..=text.rfind('\n')?];
        let mut lines = whole.lines();
        let mut columns: Vec<(String, Vec<f64>)> =
            lines.next()?.split(',').map(|name| (name.to_owned(), vec![])).collect();
        for line in lines {
            let mut cells = line.split(',');
            for (_, values) in &mut columns {
                values.push(cells.next()?.parse().ok()?);
            }
            if cells.next().is_some() {
                return None;
            }
        }
        Some(Self { columns })
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(column, _)| column == name).map(|(_, values)| &values[..])
    }
}

fn header() -> String {
    StepReport::COLUMNS.join(",") + "\n"
}

/// Bytes of the header and the whole rows up to a step, and the last of those steps; `None` if there is no such file.
fn rows_up_to(path: &Path, step: u64) -> io::Result<Option<(u64, u64)>> {
    if !path.try_exists()? {
        return Ok(None);
    }
    let mut lines = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    lines.read_until(b'\n', &mut line)?;
    if line != header().as_bytes() {
        return Ok(None);
    }
    let (mut length, mut last) = (line.len() as u64, 0);
    loop {
        line.clear();
        lines.read_until(b'\n', &mut line)?;
        match step_of(&line) {
            Some(found) if found > last && found <= step => {
                (length, last) = (length + line.len() as u64, found);
            }
            _ => return Ok(Some((length, last))),
        }
    }
}

/// The step of a whole row.
fn step_of(row: &[u8]) -> Option<u64> {
    let row = std::str::from_utf8(row).ok()?.strip_suffix('\n')?;
    let whole = row.split(',').count() == StepReport::COLUMNS.len();
    whole.then(|| row.split(',').next()?.parse().ok())?
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
        assert_eq!(lines[2], "2,0.5,0,7,0,0,0,0,0,0,0,0,0,-1.5,1e-7,0,0,0,0,0,0,0,0,0");
    }

    #[test]
    fn what_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diagnostics.csv");
        let mut writer = DiagnosticsWriter::create(&path).unwrap();
        (1..=3).for_each(|step| writer.write(&report(step)).unwrap());
        writer.flush().unwrap();
        let table = DiagnosticsTable::read(&path).unwrap();
        assert_eq!(table.column("step"), Some(&[1.0, 2.0, 3.0][..]));
        assert_eq!(table.column("time"), Some(&[0.5, 1.0, 1.5][..]));
        assert_eq!(table.column("no_such_column"), None);
        // A row that a kill cut off is none.
        let cut = DiagnosticsTable::parse("a,b\n1,2\n3,4").unwrap();
        assert_eq!(cut.column("b"), Some(&[2.0][..]));
        for bad in ["", "a,b", "a,b\n1\n", "a,b\n1,2,3\n", "a\nx\n"] {
            assert_eq!(DiagnosticsTable::parse(bad), None, "{bad:?}");
        }
        fs::write(&path, "a\nx\n").unwrap();
        assert!(DiagnosticsTable::read(&path).unwrap_err().to_string().contains("not a table"));
    }

    fn report(step: u64) -> StepReport {
        StepReport { step, time: 0.5 * step as f64, ..StepReport::default() }
    }

    #[test]
    fn rows_after_the_step_are_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diagnostics.csv");
        let mut writer = DiagnosticsWriter::create(&path).unwrap();
        (1..=9).for_each(|step| writer.write(&report(step)).unwrap());
        writer.sync().unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for cut in [whole.len(), whole.len() - 3] {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut writer, last) = DiagnosticsWriter::resume(&path, 6).unwrap();
            assert_eq!(last, 6);
            (7..=9).for_each(|step| writer.write(&report(step)).unwrap());
            writer.flush().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
        assert_eq!(DiagnosticsWriter::resume(&path, 12).unwrap().1, 9);
        fs::write(&path, "other,columns\n1,2\n").unwrap();
        assert_eq!(DiagnosticsWriter::resume(&path, 6).unwrap().1, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), header());
    }

    #[test]
    fn a_file_that_vanishes_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diagnostics.csv");
        let mut writer = DiagnosticsWriter::create(&path).unwrap();
        fs::remove_file(&path).unwrap();
        writer.write(&report(1)).unwrap();
        let told = writer.flush().unwrap_err().to_string();
        assert!(told.contains("diagnostics.csv: it was removed"), "{told}");
    }
}
