//! Whole numbers as binary layers compress them: differences, of which the most frequent takes two bits, then LZ4.

/// Numbers of 32 bits.
pub(super) fn compress_32(values: impl Iterator<Item = i32>) -> Vec<u8> {
    let mut last = 0_i32;
    let differences = values.map(|value| i64::from(value.wrapping_sub(std::mem::replace(&mut last, value))));
    compress(&encode(&differences.collect::<Vec<_>>(), 1))
}

/// Numbers of 64 bits.
pub(super) fn compress_64(values: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut last = 0_i64;
    let differences = values.map(|value| value.wrapping_sub(std::mem::replace(&mut last, value)));
    compress(&encode(&differences.collect::<Vec<_>>(), 2))
}

/// One chunk of LZ4, after a byte that says so.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = vec![0];
    compressed.extend(lz4_flex::block::compress(bytes));
    compressed
}

/// The most frequent difference in 4 `unit` bytes, two bits for each number, then the differences of other size: in
/// `unit`, 2 `unit` or 4 `unit` bytes.
fn encode(differences: &[i64], unit: usize) -> Vec<u8> {
    let common = most_frequent(differences);
    let mut encoded = common.to_le_bytes()[..4 * unit].to_vec();
    let codes = encoded.len();
    encoded.resize(codes + differences.len().div_ceil(4), 0);
    for (i, &difference) in differences.iter().enumerate() {
        let code: u8 = match difference {
            d if d == common => 0,
            d if fits(d, unit) => 1,
            d if fits(d, 2 * unit) => 2,
            _ => 3,
        };
        encoded[codes + i / 4] |= code << (2 * (i % 4));
        if code > 0 {
            encoded.extend_from_slice(&difference.to_le_bytes()[..unit << (code - 1)]);
        }
    }
    encoded
}

/// Whether a number survives in so many bytes.
fn fits(value: i64, bytes: usize) -> bool {
    let shift = 64 - 8 * bytes as u32;
    value << shift >> shift == value
}

/// The number that comes most often; 0 if there are none.
fn most_frequent(values: &[i64]) -> i64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map_or(0, |run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_format() {
        // Differences 123, 1, 0, 1, 1, 100000 of the numbers 123, 124, 124, 125, 126, 100126.
        let encoded = encode(&[123, 1, 0, 1, 1, 100_000], 1);
        let expected = [
            &[1, 0, 0, 0][..],
            // From the lowest bits on: 01 00 01 00, 00 11.
            &[0b0001_0001, 0b0000_1100],
            &[123, 0, 0xa0, 0x86, 0x01, 0x00],
        ];
        assert_eq!(encoded, expected.concat());
    }

    #[test]
    fn numbers_at_the_ends_of_their_range_fit() {
        assert!(fits(-128, 1) && !fits(128, 1) && fits(32_767, 2) && !fits(-32_769, 2));
        assert!(fits(i64::MIN, 8) && fits(i64::MAX, 8));
        assert_eq!(compress_32([i32::MIN, i32::MAX].into_iter())[0], 0);
        assert_eq!(most_frequent(&[]), 0);
        assert_eq!(most_frequent(&[3, -1, 3]), 3);
    }
}
