//! Materials that change with time: melting, setting.
//!
//! The conformation of the polymer is left as it is: strain is continuous, and the stress G (Q − I) follows the modulus.

use super::{Material, Rheology};
use crate::scene;

/// A material at several times.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedMaterial {
    /// Index of the material.
    pub material: usize,
    times: Vec<f64>,
    stages: Vec<Material>,
}

impl KeyedMaterial {
    /// The material with index `material`; none where it does not change.
    pub fn from_scene(material: usize, m: &scene::Material) -> Option<Self> {
        if m.keys.is_empty() {
            return None;
        }
        let (times, stages) = m.stages().iter().map(|(t, m)| (*t, Material::from_scene(m))).unzip();
        Some(Self { material, times, stages })
    }

    /// The material at a time, in s.
    pub fn at(&self, time: f64) -> Material {
        let next = self.times.partition_point(|t| *t <= time);
        let from = next.max(1) - 1;
        let (Some(to), Some(end)) = (self.stages.get(next), self.times.get(next)) else {
            return self.stages[from].clone();
        };
        let start = self.times[from];
        blend(&self.stages[from], to, ((time - start) / (end - start)).clamp(0.0, 1.0))
    }
}

/// By equal factors where both are above zero, else by equal amounts.
fn between(a: f64, b: f64, part: f64) -> f64 {
    match a > 0.0 && b > 0.0 {
        true => a * (b / a).powf(part),
        false => a + part * (b - a),
    }
}

fn blend(a: &Material, b: &Material, part: f64) -> Material {
    let rheology = match (a.rheology, b.rheology) {
        (
            Rheology::Measured { polymer_viscosity, solvent_viscosity, relaxation_time },
            Rheology::Measured {
                polymer_viscosity: polymer_to,
                solvent_viscosity: solvent_to,
                relaxation_time: time_to,
            },
        ) => Rheology::Measured {
            polymer_viscosity: between(polymer_viscosity, polymer_to, part),
            solvent_viscosity: between(solvent_viscosity, solvent_to, part),
            relaxation_time: between(relaxation_time, time_to, part),
        },
        (
            Rheology::Printed { compliance, relaxation_time },
            Rheology::Printed { compliance: compliance_to, relaxation_time: time_to },
        ) => Rheology::Printed {
            compliance: between(compliance, compliance_to, part),
            relaxation_time: between(relaxation_time, time_to, part),
        },
        // A material is described in one way only.
        (_, other) => other,
    };
    let tension = f64::from(a.surface_tension) * (1.0 - part) + f64::from(b.surface_tension) * part;
    Material { rheology, surface_tension: tension as f32, ..a.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn melting(keys: &str) -> KeyedMaterial {
        let text = format!("name = \"m\"\nviscosity = 1000\nrelaxation_time = 4\nkeys = {keys}");
        let given: scene::Material = toml::from_str(&text).expect("a material");
        KeyedMaterial::from_scene(0, &given).expect("it has keys")
    }

    fn at(m: &KeyedMaterial, time: f64) -> (f64, f64) {
        let Rheology::Measured { polymer_viscosity, relaxation_time, .. } = m.at(time).rheology else {
            panic!("real units")
        };
        (polymer_viscosity, relaxation_time)
    }

    #[test]
    fn values_change_by_equal_factors_and_hold_beyond_the_keys() {
        let m = melting(
            "[{ time = 1 }, { time = 3, viscosity = 10, relaxation_time = 1 }, \
             { time = 5, relaxation_time = 0 }]",
        );
        let close = |(a, b): (f64, f64), (c, d): (f64, f64)| {
            assert!((a / c - 1.0).abs() < 1e-12 && (b - d).abs() < 1e-12, "{a} {b} for {c} {d}");
        };
        close(at(&m, 0.0), (1000.0, 4.0));
        close(at(&m, 1.0), (1000.0, 4.0));
        close(at(&m, 2.0), (100.0, 2.0));
        close(at(&m, 3.0), (10.0, 1.0));
        // To nothing by equal amounts.
        close(at(&m, 4.5), (10.0, 0.25));
        close(at(&m, 99.0), (10.0, 0.0));
    }
}
