//! Writing results: to a temporary name first, so that a reader never sees half a file.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use image::RgbImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] visco_io::Error),
    /// A folder could not be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A picture could not be read.
    #[error("cannot read the picture {}: {reason}", path.display())]
    Picture {
        /// The picture.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A figure whose scenes cannot be changed was to be made with changes.
    #[error("{0} takes no settings: its experiments are fixed")]
    NotSettable(&'static str),
    /// With the changes asked for, a scene of the figure does not pass the check.
    #[error("the figure cannot be made with these settings\n{0}")]
    Scene(String),
    /// The drawing itself failed.
    #[error("cannot draw the figure: {0}")]
    Draw(String),
    /// The picture could not be encoded as PNG.
    #[error("cannot encode the picture: {0}")]
    Encode(#[from] image::ImageError),
}

/// Writes `bytes` to a file that is either complete or not there. Makes the folders.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FigureError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|source| FigureError::Folder { path: folder.to_path_buf(), source })?;
    }
    Ok(visco_io::atomic::write(path, |file| file.write_all(bytes))?)
}

/// Reads a PNG picture.
pub fn load_png(path: impl AsRef<Path>) -> Result<RgbImage, FigureError> {
    let path = path.as_ref();
    let unreadable = |reason: String| FigureError::Picture { path: path.to_path_buf(), reason };
    let bytes = fs::read(path).map_err(|e| unreadable(e.to_string()))?;
    let picture = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png);
    Ok(picture.map_err(|e| unreadable(e.to_string()))?.into_rgb8())
}

/// Writes a picture as PNG, as small as can be: plots are mostly white, and become many times smaller.
pub fn save_png(picture: &RgbImage, path: impl AsRef<Path>) -> Result<(), FigureError> {
    save_compressed(picture, path.as_ref(), CompressionType::Best)
}

/// Writes a picture as PNG, quickly: one of many of a film.
pub fn save_png_quickly(picture: &RgbImage, path: impl AsRef<Path>) -> Result<(), FigureError> {
    save_compressed(picture, path.as_ref(), CompressionType::Fast)
}

fn save_compressed(picture: &RgbImage, path: &Path, how: CompressionType) -> Result<(), FigureError> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_with_encoder(PngEncoder::new_with_quality(&mut bytes, how, FilterType::Adaptive))?;
    write_atomically(path, bytes.get_ref())
}

/// Rounds every channel to a multiple of `step`; white stays white.
pub(crate) fn reduce_shades(picture: &mut RgbImage, step: u16) {
    for channel in picture.iter_mut() {
        let rounded = (u16::from(*channel) + step / 2) / step * step;
        *channel = rounded.min(255) as u8;
    }
}

/// Writes named columns as CSV. Shorter columns end in empty cells; numbers read back exactly.
pub fn write_csv(path: impl AsRef<Path>, columns: &[(&str, &[f64])]) -> Result<(), FigureError> {
    let names: Vec<String> = columns.iter().map(|(name, _)| csv_name(name)).collect();
    let mut text = names.join(",");
    text.push('\n');
    let rows = columns.iter().map(|(_, v)| v.len()).max().unwrap_or(0);
    for row in 0..rows {
        for (i, (_, values)) in columns.iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            if let Some(&value) = values.get(row) {
                push_number(&mut text, value);
            }
        }
        text.push('\n');
    }
    write_atomically(path.as_ref(), text.as_bytes())
}

fn csv_name(name: &str) -> String {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_string()
    }
}

fn push_number(text: &mut String, value: f64) {
    // Plain decimals of very small or large numbers are exact too, but nobody can read them.
    let plain = value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&value.abs());
    let written = if plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
    written.expect("writing to a String does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_reads_back_exactly() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/folder/data.csv");
        let x = [0.1, 1e-9, -3.0, 1.0 / 3.0];
        write_csv(&path, &[("x, m", &x), ("y", &[7.0])]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("\"x, m\",y"));
        assert_eq!(lines.next(), Some("0.1,7"));
        let rest: Vec<f64> = lines.map(|line| line.strip_suffix(',').unwrap().parse().unwrap()).collect();
        assert_eq!(rest, x[1..]);
    }

    #[test]
    fn an_unwritable_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let blocker = folder.path().join("file");
        fs::write(&blocker, "").unwrap();
        let error = write_csv(blocker.join("data.csv"), &[]).unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
    }

    #[test]
    fn no_temporary_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        write_csv(folder.path().join("a.csv"), &[("a", &[1.0])]).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
