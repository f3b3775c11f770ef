//! How materials look.

use glam::Vec3;
use visco::Scene;

/// How a material looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colour of what it reflects or scatters, linear.
    pub color: Vec3,
    /// Whether no light goes through.
    pub opaque: bool,
    /// Absorption, in 1/m.
    pub absorption: Vec3,
    /// Roughness of the surface, 0 to 1.
    pub roughness: f32,
    /// Light scattered inside a translucent material, in 1/m.
    pub scatter: f32,
    /// How far light creeps around the terminator of an opaque one, 0 to 1.
    pub softness: f32,
    /// Reflectance at right angles.
    pub reflectance: f32,
}

impl Look {
    /// Lets light through: white becomes `color` (as in a picture, 0 to 255) after `depth` m.
    const fn clear(color: [u8; 3], depth: f32, scatter: f32) -> Style {
        Style::Clear { color, depth, scatter }
    }

    const fn solid(color: [u8; 3], roughness: f32, softness: f32) -> Style {
        Style::Opaque { color, roughness, softness }
    }

    /// The look of a name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        NAMED_LOOKS.iter().find(|(n, _)| *n == name).map(|(_, style)| style.look())
    }

    /// The looks of a scene: of its materials, then of its bodies.
    pub fn of_scene(scene: &Scene) -> Vec<Self> {
        let materials = scene.material.iter().map(|m| m.look.as_deref().or(m.preset.as_deref()));
        let bodies = scene.body.iter().map(|b| b.look.as_deref());
        let look =
            |(k, name): (usize, Option<&str>)| name.and_then(Self::named).unwrap_or_else(|| Self::palette(k));
        materials.chain(bodies).enumerate().map(look).collect()
    }

    /// The colours of a scene's walls.
    pub fn of_walls(scene: &Scene) -> Vec<Vec3> {
        let named = |b: &visco::scene::Boundary| Some(Self::named(b.look.as_deref()?)?.color);
        let color = |(k, wall)| named(wall).unwrap_or(WALLS[k % WALLS.len()]);
        scene.boundary.iter().enumerate().map(color).collect()
    }

    /// Its colour in a picture of particles.
    pub fn swatch(&self) -> [u8; 3] {
        let encode = |c: f32| if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        self.color.to_array().map(|c| (255.0 * encode(c.clamp(0.0, 1.0))).round() as u8)
    }

    /// A look for a material without one: colours that are told apart.
    pub fn palette(index: usize) -> Self {
        Look::solid(PALETTE[index % PALETTE.len()], 0.35, 0.25).look()
    }
}

/// What a look is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// Translucent.
    Clear { color: [u8; 3], depth: f32, scatter: f32 },
    /// Opaque.
    Opaque { color: [u8; 3], roughness: f32, softness: f32 },
}

impl Style {
    fn look(self) -> Look {
        match self {
            Self::Clear { color, depth, scatter } => {
                let linear = linear(color);
                let absorption = -linear.max(Vec3::splat(1e-3)).map(f32::ln) / depth;
                Look {
                    color: linear,
                    opaque: false,
                    absorption,
                    roughness: 0.05,
                    scatter,
                    softness: 0.0,
                    reflectance: 0.04,
                }
            }
            Self::Opaque { color, roughness, softness } => Look {
                color: linear(color),
                opaque: true,
                absorption: Vec3::ZERO,
                roughness,
                scatter: 0.0,
                softness,
                reflectance: 0.04,
            },
        }
    }
}

/// From a colour of a picture to light.
fn linear(color: [u8; 3]) -> Vec3 {
    Vec3::from_array(color.map(|c| {
        let c = f32::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }))
}

/// The looks that have names, `visco::material::LOOKS`.
const NAMED_LOOKS: &[(&str, Style)] = &[
    ("honey", Look::clear([242, 160, 28], 0.018, 22.0)),
    ("golden-syrup", Look::clear([248, 190, 60], 0.012, 2.0)),
    ("strawberry-syrup", Look::clear([200, 18, 30], 0.004, 10.0)),
    ("water", Look::clear([225, 244, 250], 0.6, 0.0)),
    ("egg-white", Look::clear([250, 244, 220], 0.02, 8.0)),
    ("slime", Look::clear([90, 215, 60], 0.02, 20.0)),
    ("guar-gum", Look::clear([240, 240, 225], 0.03, 25.0)),
    ("molten-chocolate", Look::solid([92, 48, 24], 0.22, 0.15)),
    ("whipped-cream", Look::solid([252, 248, 238], 0.6, 0.45)),
    ("ice-cream", Look::solid([250, 236, 200], 0.55, 0.45)),
    ("toothpaste", Look::solid([225, 245, 250], 0.3, 0.4)),
    ("clay", Look::solid([205, 120, 84], 0.75, 0.15)),
    ("petal", Look::solid([240, 120, 165], 0.5, 0.4)),
    ("gold", Look::solid([236, 178, 60], 0.2, 0.1)),
    ("waffle", Look::solid([212, 150, 82], 0.8, 0.2)),
    ("sponge", Look::solid([226, 176, 110], 0.9, 0.3)),
    ("porcelain", Look::solid([236, 238, 242], 0.25, 0.2)),
    ("skin", Look::solid([226, 172, 142], 0.6, 0.4)),
];

const PALETTE: [[u8; 3]; 8] = [
    [232, 150, 40],
    [64, 132, 214],
    [86, 178, 92],
    [214, 84, 72],
    [150, 106, 200],
    [60, 180, 190],
    [226, 190, 70],
    [150, 150, 150],
];

/// Quiet colours of walls, so that the fluid is what is seen.
const WALLS: [Vec3; 4] = [
    Vec3::new(0.42, 0.40, 0.38),
    Vec3::new(0.36, 0.40, 0.45),
    Vec3::new(0.46, 0.36, 0.26),
    Vec3::new(0.34, 0.42, 0.38),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_preset_has_a_look() {
        let presets = visco::material::PRESETS.iter().map(|p| p.name);
        for name in presets.chain(visco::material::LOOKS.iter().copied()) {
            assert!(Look::named(name).is_some(), "{name}");
        }
        assert_eq!(NAMED_LOOKS.len(), visco::material::LOOKS.len());
    }

    #[test]
    fn white_light_has_the_named_colour_after_the_named_depth() {
        let honey = Look::named("honey").unwrap();
        let left = (-honey.absorption * 0.018).map(f32::exp);
        assert!(left.distance(linear([242, 160, 28])) < 1e-5, "{left}");
    }
}
