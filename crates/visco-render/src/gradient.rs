//! Colours for numbers.

/// From dark blue through green to yellow, even in brightness: a polynomial fit in the manner of viridis.
pub fn gradient(t: f32) -> [u8; 3] {
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    let stops: [[f32; 3]; 6] = [
        [0.27, 0.00, 0.33],
        [0.25, 0.27, 0.53],
        [0.16, 0.47, 0.56],
        [0.13, 0.66, 0.52],
        [0.48, 0.82, 0.32],
        [0.99, 0.91, 0.15],
    ];
    let at = t * (stops.len() - 1) as f32;
    let k = (at as usize).min(stops.len() - 2);
    let part = at - k as f32;
    std::array::from_fn(|c| (255.0 * (stops[k][c] + part * (stops[k + 1][c] - stops[k][c]))).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brightness_rises_all_the_way() {
        let light =
            |t: f32| gradient(t).map(f32::from).iter().zip([0.3, 0.6, 0.1]).map(|(c, w)| c * w).sum::<f32>();
        let steps: Vec<f32> = (0..=20).map(|k| light(k as f32 / 20.0)).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0]), "{steps:?}");
        assert_eq!(gradient(f32::NAN), gradient(0.0));
    }
}
