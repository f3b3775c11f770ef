//! Frames that are missing between others.

use crate::text;
use std::path::Path;

/// Numbers that are told in full.
const TOLD: usize = 8;

/// What to say of the frames that a folder lacks, if it lacks some; their numbers ascend.
pub(crate) fn told(folder: &Path, numbers: impl Iterator<Item = u32> + Clone) -> Option<String> {
    let gaps: Vec<u32> = numbers.clone().zip(numbers.skip(1)).flat_map(|(a, b)| a + 1..b).collect();
    if gaps.is_empty() {
        return None;
    }
    let mut told: Vec<String> = gaps.iter().take(TOLD).map(|n| format!("{n:06}")).collect();
    if gaps.len() > TOLD {
        told.push(format!("and {} more", gaps.len() - TOLD));
    }
    let what = text::counted(gaps.len() as u64, "frame");
    Some(format!("{what} missing in {}: {}", folder.display(), told.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_counted_and_the_first_are_named() {
        let told = |numbers: &[u32]| told(Path::new("a"), numbers.iter().copied());
        assert_eq!(told(&[3, 4, 5]), None);
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[0, 2]).unwrap(), "1 frame missing in a: 000001");
        assert!(told(&[0, 20]).unwrap().ends_with("000008, and 11 more"));
    }
}
