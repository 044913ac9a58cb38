//! Selected rows of a block.

use crate::numeric::kernel::BLOCK;

/// The selected rows of a block, one bit each. Testing a whole block first and then visiting the selected rows avoids
/// unpredictable branches.
pub(super) struct SelectedRows(u32);

impl SelectedRows {
    /// One flag per row of the block, at most `BLOCK`.
    #[inline(always)]
    pub(super) fn of(is_wanted: impl Iterator<Item = bool>) -> Self {
        let mut flags = [0_u8; BLOCK];
        flags.iter_mut().zip(is_wanted).for_each(|(flag, is_wanted)| *flag = u8::from(is_wanted));
        // Two loops, so that both become vector instructions.
        Self(flags.iter().enumerate().fold(0, |bits, (row, &flag)| bits | u32::from(flag) << row))
    }

    /// The selected rows, if the block starts at row `first`.
    #[inline(always)]
    pub(super) fn rows(&self, first: usize) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let row = first + left.trailing_zeros() as usize;
            let is_any = left != 0;
            left &= left.wrapping_sub(1);
            is_any.then_some(row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_picked_in_order() {
        let selected = |wanted: &[usize], len: usize| {
            SelectedRows::of((0..len).map(|row| wanted.contains(&row))).rows(100).collect::<Vec<_>>()
        };
        assert_eq!(selected(&[0, 3, 4], 5), [100, 103, 104]);
        assert_eq!(selected(&[], 7), [0; 0]);
        let all: Vec<usize> = (0..BLOCK).collect();
        assert_eq!(selected(&all, BLOCK), (100..100 + BLOCK).collect::<Vec<_>>());
    }
}
