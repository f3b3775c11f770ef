//! A small generator of pseudo-random numbers, the same on every machine: xorshift64*, Vigna 2016.

use serde::{Deserialize, Serialize};

/// The generator; its state is one number, so it can be kept with the state of a simulation.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Random(u64);

impl Random {
    /// A generator; different seeds give unrelated sequences.
    pub fn new(seed: u64) -> Self {
        // splitmix64 spreads small seeds over all bits and never yields the forbidden zero twice.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((z ^ (z >> 31)).max(1))
    }

    /// The next number, uniform in [0, 1).
    pub fn unit(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40;
        bits as f32 / (1_u32 << 24) as f32
    }

    /// Three numbers, each uniform in [0, 1).
    pub fn triple(&mut self) -> [f32; 3] {
        [self.unit(), self.unit(), self.unit()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform() {
        let mut random = Random::new(0);
        let numbers: Vec<f32> = (0..100_000).map(|_| random.unit()).collect();
        assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = numbers.iter().sum::<f32>() / 1e5;
        let below = numbers.iter().filter(|&&x| x < 0.1).count();
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!((below as f32 / 1e5 - 0.1).abs() < 0.005, "{below}");
    }
}
