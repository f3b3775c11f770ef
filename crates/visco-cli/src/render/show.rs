//! Colours of particles by a quantity.

use crate::args::Show;
use visco::Frame;
use visco_render::gradient;

/// Part of the values that the range of colours covers: a few strays do not darken everything else.
const COVERED: f64 = 0.995;

impl Show {
    /// What the legend says.
    pub(super) fn title(self) -> Option<&'static str> {
        match self {
            Self::Fluid | Self::Material => None,
            Self::Speed => Some("speed (m/s)"),
            Self::Density => Some("density (kg/m³)"),
            Self::Stretch => Some("stretch of the polymer, tr Q/3"),
        }
    }

    /// The value of every particle.
    fn values(self, frame: &Frame) -> Vec<f32> {
        match self {
            Self::Fluid | Self::Material => vec![],
            Self::Speed => frame.velocities.iter().map(|v| v.length()).collect(),
            Self::Density => frame.densities.clone(),
            Self::Stretch => match &frame.conformations {
                Some(q) => q.iter().map(|q| (q[0] + q[1] + q[2]) / 3.0).collect(),
                None => vec![1.0; frame.len()],
            },
        }
    }

    /// The range of values over some frames.
    pub(super) fn range(self, frames: &[Frame]) -> [f32; 2] {
        let mut all: Vec<f32> =
            frames.iter().flat_map(|f| self.values(f)).filter(|v| v.is_finite()).collect();
        if all.is_empty() {
            return [0.0, 1.0];
        }
        all.sort_by(f32::total_cmp);
        let at = |part: f64| all[((all.len() - 1) as f64 * part).round() as usize];
        let low = if self == Self::Speed { 0.0 } else { at(1.0 - COVERED) };
        let high = at(COVERED);
        [low, if high > low { high } else { low + low.abs().max(1e-6) * 0.01 }]
    }

    /// The colour of every particle.
    pub(super) fn colors(self, frame: &Frame, [low, high]: [f32; 2], looks: &[[u8; 3]]) -> Vec<[u8; 3]> {
        match self {
            Self::Fluid | Self::Material => {
                let color = |m: &u8| looks.get(usize::from(*m)).copied().unwrap_or([150; 3]);
                frame.materials.iter().map(color).collect()
            }
            _ => self.values(frame).iter().map(|v| gradient((v - low) / (high - low))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(speeds: &[f32]) -> Frame {
        let v = |&s: &f32| glam::Vec3::new(s, 0.0, 0.0);
        Frame { velocities: speeds.iter().map(v).collect(), ..Frame::default() }
    }

    #[test]
    fn a_stray_does_not_set_the_range() {
        let mut speeds = vec![1.0; 999];
        speeds.push(1000.0);
        assert_eq!(Show::Speed.range(&[frame(&speeds)]), [0.0, 1.0]);
    }

    #[test]
    fn a_range_is_never_empty() {
        let [low, high] = Show::Speed.range(&[frame(&[0.0; 5])]);
        assert!(high > low);
        assert_eq!(Show::Density.range(&[]), [0.0, 1.0]);
    }
}
