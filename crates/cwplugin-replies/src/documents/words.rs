//! Brackets and strings, eight bytes at a time.

/// One in every byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
const LOW_BITS: u64 = ONES * 0x7f;

/// What is open at a place of a JSON text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// Objects and lists.
    pub(super) depth: usize,
    pub(super) in_string: bool,
}

impl Open {
    /// Passes over words as long as something stays open and no character is escaped; returns how many bytes.
    pub(super) fn skip_words(&mut self, bytes: &[u8]) -> usize {
        let mut passed = 0;
        for word in bytes.chunks_exact(8) {
            let Ok(word) = word.try_into().map(u64::from_le_bytes) else { break };
            if ones_where(word, b'\\') != 0 {
                break;
            }
            // Braces differ from brackets in one bit.
            let braces = word | (ONES * 0x20);
            let (open, close) = (ones_where(braces, b'{'), ones_where(braces, b'}'));
            let quotes = ones_where(word, b'"');
            if open | close | quotes == 0 {
                passed += 8;
                continue;
            }
            // Bytes after an odd number of quotes are in a string.
            let strings = (sums(quotes) & ONES) ^ u64::from(self.in_string).wrapping_mul(ONES);
            let opened = (sums(open & !strings) >> 56) as usize;
            let closed = (sums(close & !strings) >> 56) as usize;
            if closed >= self.depth {
                break;
            }
            self.depth = self.depth - closed + opened;
            self.in_string = strings >> 56 != 0;
            passed += 8;
        }
        passed
    }
}

/// One in every byte that is equal to `byte`.
fn ones_where(word: u64, byte: u8) -> u64 {
    let zero_if_equal = word ^ (ONES * u64::from(byte));
    // The highest bit stays 0 only if all bits of the byte are 0.
    let not_equal = ((zero_if_equal & LOW_BITS) + LOW_BITS) | zero_if_equal;
    (!not_equal >> 7) & ONES
}

/// In every byte, the sum of the bytes up to it; there are no carries for bytes of 0 and 1.
fn sums(word: u64) -> u64 {
    word.wrapping_mul(ONES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_compared_alone() {
        for byte in 0..=255_u8 {
            let word = u64::from_le_bytes([byte, 0, byte, 1, 0x7f, 0x80, 0xff, byte]);
            let expected = |other: u8| u64::from(other == byte);
            let found = ones_where(word, byte).to_le_bytes().map(u64::from);
            let others = [expected(0), 1, expected(1), expected(0x7f), expected(0x80), expected(0xff)];
            assert_eq!(found, [1, others[0], 1, others[2], others[3], others[4], others[5], 1]);
        }
    }

    #[test]
    fn words_agree_with_single_bytes() {
        let text = br#"{"a]}": [[{}, "{[", {"b": [1, 2, 3]}], ["]]]"]], "d": {"e": []}, "f": "0123456789"}"#;
        for start in 1..text.len() {
            let at = |end: usize| {
                let mut open = Open { depth: 8, in_string: false }; // as if inside others
                for byte in &text[..end] {
                    match byte {
                        b'"' => open.in_string = !open.in_string,
                        b'{' | b'[' if !open.in_string => open.depth += 1,
                        b'}' | b']' if !open.in_string => open.depth -= 1,
                        _ => {}
                    }
                }
                open
            };
            let mut open = at(start);
            let n = open.skip_words(&text[start..]);
            assert_eq!(open, at(start + n), "{start} {n}");
            assert_eq!(n, (text.len() - start) / 8 * 8);
        }
        assert_eq!(Open { depth: 1, in_string: true }.skip_words(b"abcdefg\\"), 0);
        assert_eq!(Open { depth: 2, in_string: false }.skip_words(b"] ,{ } ]"), 0);
    }
}
