//! Base64, in which glTF and VTK files embed binary data.

/// Decodes a text; `None` where it is damaged.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| {
        Some(match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        })
    };
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for k in 0..4 {
            bits = bits << 6 | u32::from(group.get(k).map_or(Some(0), |c| digit(*c))?);
        }
        let whole = bits.to_be_bytes();
        match group.len() {
            1 => return None,
            n => bytes.extend(&whole[1..n]),
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn the_examples_of_rfc_4648() {
        for (text, plain) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(plain.as_bytes()), "{text}");
        }
        assert_eq!(decode("Zg=!"), None);
        assert_eq!(decode("Z"), None);
    }
}
