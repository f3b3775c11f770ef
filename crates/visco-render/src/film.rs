//! Films that every browser plays: H.264 in MP4.

use image::RgbImage;
use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use openh264::OpenH264API;
use openh264::encoder::{
    Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange, RateControlMode,
};
use openh264::formats::{RgbSliceU8, YUVBuffer};
use thiserror::Error;

/// Quantisation of every frame, 0 (exact) to 51: no blocks are seen.
const QUANTISATION: u8 = 22;

/// Why there is no film.
#[derive(Debug, Error)]
pub enum FilmError {
    /// The encoder failed.
    #[error("cannot encode the film: {0}")]
    Encode(#[from] openh264::Error),
    /// The file could not be put together.
    #[error("cannot put the film together: {0}")]
    Mux(String),
    /// A picture has another size than the film.
    #[error("a picture of {0:?} pixels does not fit into a film of {1:?}")]
    Size((u32, u32), (u32, u32)),
}

/// A film under way, in memory.
pub struct Film {
    encoder: Encoder,
    muxer: Muxer<Vec<u8>>,
    size: (u32, u32),
    fps: f64,
    frames: u32,
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("size", &self.size)
            .field("fps", &self.fps)
            .field("frames", &self.frames)
            .finish()
    }
}

impl Film {
    /// A film of pictures of a size, so many a second. Colour is stored for two pixels by two: an odd last row or column
    /// is left out.
    pub fn new(size: (u32, u32), fps: f64) -> Result<Self, FilmError> {
        let (width, height) = (size.0 & !1, size.1 & !1);
        let config = EncoderConfig::new()
            .max_frame_rate(FrameRate::from_hz(fps as f32))
            .rate_control_mode(RateControlMode::Off)
            .skip_frames(false)
            .qp(QpRange::new(QUANTISATION, QUANTISATION))
            .intra_frame_period(IntraFramePeriod::from_num_frames(60));
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config)?;
        let muxer = MuxerBuilder::new(Vec::new())
            .video(VideoCodec::H264, width, height, fps)
            .with_fast_start(true)
            .build()
            .map_err(|e| FilmError::Mux(e.to_string()))?;
        Ok(Self { encoder, muxer, size, fps, frames: 0 })
    }

    /// Adds a picture.
    pub fn push(&mut self, picture: &RgbImage) -> Result<(), FilmError> {
        if picture.dimensions() != self.size {
            return Err(FilmError::Size(picture.dimensions(), self.size));
        }
        let (width, height) = (self.size.0 as usize & !1, self.size.1 as usize & !1);
        let rows = picture.as_raw().chunks(3 * self.size.0 as usize).take(height);
        let pixels: Vec<u8> = rows.flat_map(|row| &row[..3 * width]).copied().collect();
        let yuv = YUVBuffer::from_rgb8_source(RgbSliceU8::new(&pixels, (width, height)));
        let bits = self.encoder.encode(&yuv)?;
        let key = matches!(bits.frame_type(), FrameType::IDR | FrameType::I);
        let time = f64::from(self.frames) / self.fps;
        self.muxer.write_video(time, &bits.to_vec(), key).map_err(|e| FilmError::Mux(e.to_string()))?;
        self.frames += 1;
        Ok(())
    }

    /// The bytes of the film.
    pub fn finish(mut self) -> Result<Vec<u8>, FilmError> {
        self.muxer.finish_in_place().map_err(|e| FilmError::Mux(e.to_string()))?;
        Ok(self.muxer.into_writer())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn a_film_has_its_boxes_and_its_frames() {
        let mut film = Film::new((65, 49), 30.0).unwrap();
        for k in 0..12_u8 {
            film.push(&RgbImage::from_pixel(65, 49, Rgb([20 * k, 100, 50]))).unwrap();
        }
        assert!(matches!(film.push(&RgbImage::new(2, 2)), Err(FilmError::Size((2, 2), (65, 49)))));
        let bytes = film.finish().unwrap();
        assert_eq!(&bytes[4..8], b"ftyp");
        let place = |name: &[u8]| bytes.windows(4).position(|w| w == name);
        assert!(place(b"moov").unwrap() < place(b"mdat").unwrap(), "it plays before it is loaded whole");
        // The table of sample sizes: version and flags, a size for all, how many there are.
        let at = place(b"stsz").unwrap() + 12;
        assert_eq!(u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()), 12);
    }
}
