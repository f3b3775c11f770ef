//! Colours of particles by a quantity.

use crate::args::Show;
use crate::console::Usage;
use anyhow::Result;
use visco::Frame;
use visco::math::Sym3;
use visco::world::World;
use visco_render::gradient;

/// Part of the values that the range of colours covers: a few strays do not darken everything else.
const COVERED: f64 = 0.995;

impl Show {
    /// What the legend says.
    pub(super) fn title(self) -> Option<&'static str> {
        match self {
            Self::Fluid | Self::Mesh | Self::Material => None,
            Self::Speed => Some("speed (m/s)"),
            Self::Density => Some("density (kg/m³)"),
            Self::Stretch => Some("stretch of the polymer, tr Q/3"),
            Self::Stress => Some("stress of the polymer, |G (Q − I)| (Pa)"),
        }
    }

    /// Refuses a frame that does not have what is to be shown.
    pub(super) fn check(self, frame: &Frame) -> Result<()> {
        let asks = matches!(self, Self::Stretch | Self::Stress);
        if asks && frame.conformations.is_none() && !frame.is_empty() {
            let name = format!("{self:?}").to_lowercase();
            let message = format!(
                "--show {name} needs the conformations of the polymer, which frame {} does not hold",
                frame.number
            );
            return Err(Usage(message).into());
        }
        Ok(())
    }

    /// What the user should know before some frames are shown.
    pub(super) fn note(self, frames: &[Frame], world: &World) -> Option<String> {
        let has_polymer = |frame: &Frame| moduli(world, frame.time).iter().any(|g| *g > 0.0);
        let nowhere = self == Self::Stress && !frames.iter().any(has_polymer);
        nowhere.then(|| "no material has a relaxation time: the stress of the polymer is zero".into())
    }

    /// The value of every particle.
    fn values(self, frame: &Frame, world: &World) -> Vec<f32> {
        let conformations = frame.conformations.as_deref().unwrap_or_default().iter();
        match self {
            Self::Fluid | Self::Mesh | Self::Material => vec![],
            Self::Speed => frame.velocities.iter().map(|v| v.length()).collect(),
            Self::Density => frame.densities.clone(),
            Self::Stretch => conformations.map(|q| (q[0] + q[1] + q[2]) / 3.0).collect(),
            Self::Stress => {
                let moduli = moduli(world, frame.time);
                // Bodies, whose numbers follow those of materials, have no polymer.
                let modulus = |m: &u8| moduli.get(usize::from(*m)).copied().unwrap_or(0.0);
                conformations.zip(frame.materials.iter().map(modulus)).map(|(q, g)| stress(*q, g)).collect()
            }
        }
    }

    /// The range of values over some frames.
    pub(super) fn range(self, frames: &[Frame], world: &World) -> [f32; 2] {
        let mut all: Vec<f32> =
            frames.iter().flat_map(|f| self.values(f, world)).filter(|v| v.is_finite()).collect();
        if all.is_empty() {
            return [0.0, 1.0];
        }
        all.sort_by(f32::total_cmp);
        let at = |part: f64| all[((all.len() - 1) as f64 * part).round() as usize];
        let low = if matches!(self, Self::Speed | Self::Stress) { 0.0 } else { at(1.0 - COVERED) };
        let high = at(COVERED);
        [low, if high > low { high } else { low + low.abs().max(1e-6) * 0.01 }]
    }

    /// The colour of every particle.
    pub(super) fn colors(
        self,
        (frame, world): (&Frame, &World),
        [low, high]: [f32; 2],
        looks: &[[u8; 3]],
    ) -> Vec<[u8; 3]> {
        match self {
            Self::Fluid | Self::Mesh | Self::Material => {
                let color = |m: &u8| looks.get(usize::from(*m)).copied().unwrap_or([150; 3]);
                frame.materials.iter().map(color).collect()
            }
            _ => self.values(frame, world).iter().map(|v| gradient((v - low) / (high - low))).collect(),
        }
    }
}

/// Shear moduli of the materials at a time, in Pa.
fn moduli(world: &World, time: f64) -> Vec<f32> {
    let mut moduli: Vec<f32> = world.materials.iter().map(|m| m.rheology.shear_modulus() as f32).collect();
    for keyed in &world.keyed_materials {
        moduli[keyed.material] = keyed.at(time).rheology.shear_modulus() as f32;
    }
    moduli
}

/// Frobenius norm of the stress G (Q − I), in Pa.
fn stress(conformation: [f32; 6], modulus: f32) -> f32 {
    let strain = Sym3::new(conformation) - Sym3::IDENTITY;
    modulus * strain.dot(strain).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(speeds: &[f32]) -> Frame {
        let v = |&s: &f32| glam::Vec3::new(s, 0.0, 0.0);
        Frame { velocities: speeds.iter().map(v).collect(), ..Frame::default() }
    }

    fn world(material: &str) -> World {
        let text = format!(
            "name = \"w\"\nspacing = 0.01\ntime = {{ fps = 10, frames = 2, steps_per_frame = 1 }}\n\
             material = [{{ name = \"m\", {material} }}]\n\
             fluid = [{{ material = \"m\", shape = {{ sphere = {{ center = [0, 0, 0], radius = 0.02 }} }} }}]"
        );
        World::new(&visco::Scene::from_toml(&text).expect("a scene")).expect("a world")
    }

    #[test]
    fn a_polymer_pulled_along_one_axis_has_its_modulus_times_its_strain_as_stress() {
        // G = η/τ = 400 Pa.
        let world = world("viscosity = 200, relaxation_time = 0.5");
        let pulled = Frame {
            materials: vec![0, 0, 1],
            conformations: Some(vec![
                [1.0, 3.5, 1.0, 0.0, 0.0, 0.0],
                [1.0, 1.0, 1.0, 0.3, 0.0, 0.0],
                [9.0; 6],
            ]),
            ..Frame::default()
        };
        let values = Show::Stress.values(&pulled, &world);
        assert!((values[0] - 400.0 * 2.5).abs() < 1e-2, "{values:?}");
        // In shear both σ_xy and σ_yx count.
        assert!((values[1] - 400.0 * 0.3 * 2f32.sqrt()).abs() < 1e-2, "{values:?}");
        assert_eq!(values[2], 0.0, "a body has no polymer");
        assert!(Show::Stress.title().is_some_and(|t| t.ends_with("(Pa)")));
        assert_eq!(Show::Stress.note(&[pulled], &world), None);
    }

    #[test]
    fn stress_follows_a_modulus_that_changes() {
        let world = world("viscosity = 100, relaxation_time = 1, keys = [{ time = 1, viscosity = 1 }]");
        let at = |time| {
            let conformations = Some(vec![[2.0, 1.0, 1.0, 0.0, 0.0, 0.0]]);
            let frame = Frame { time, materials: vec![0], conformations, ..Frame::default() };
            Show::Stress.values(&frame, &world)[0]
        };
        assert!(
            (at(0.0) - 100.0).abs() < 1e-3 && (at(0.5) - 10.0).abs() < 1e-3 && (at(2.0) - 1.0).abs() < 1e-3
        );
    }

    #[test]
    fn what_has_no_polymer_is_told() {
        let frame = Frame { number: 7, positions: vec![glam::Vec3::ZERO], ..Frame::default() };
        let error = Show::Stress.check(&frame).unwrap_err().to_string();
        assert!(error.contains("frame 7") && error.contains("conformations"), "{error}");
        assert!(Show::Speed.check(&frame).is_ok() && Show::Stress.check(&Frame::default()).is_ok());
        assert!(Show::Stress.note(&[frame], &world("viscosity = 3")).is_some());
    }

    #[test]
    fn a_stray_does_not_set_the_range() {
        let mut speeds = vec![1.0; 999];
        speeds.push(1000.0);
        assert_eq!(Show::Speed.range(&[frame(&speeds)], &world("viscosity = 3")), [0.0, 1.0]);
    }

    #[test]
    fn a_range_is_never_empty() {
        let [low, high] = Show::Speed.range(&[frame(&[0.0; 5])], &world("viscosity = 3"));
        assert!(high > low);
        assert_eq!(Show::Density.range(&[], &world("viscosity = 3")), [0.0, 1.0]);
    }
}
