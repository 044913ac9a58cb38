//! Choices, numbers and texts from the bytes of an input; when they end, zeros.

/// The bytes that are left.
#[derive(Debug, Clone)]
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        Self(input)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The rest, if it is text.
    pub(crate) fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// A share from 0 to 1: of 16 or of 255 parts, so that many are equal.
    pub(crate) fn share(&mut self) -> f64 {
        match self.byte() {
            byte @ 0..=16 => f64::from(byte) / 16.0,
            byte => f64::from(byte) / 255.0,
        }
    }
}
