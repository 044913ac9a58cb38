//! Selected rows of a block.

use crate::numeric::kernel::BLOCK;

/// The selected rows of a block. Testing a whole block first and then visiting the selected rows avoids unpredictable
/// branches.
pub(super) struct SelectedRows {
    places: [u32; BLOCK],
    len: usize,
}

impl SelectedRows {
    /// One flag per row of the block, at most `BLOCK`.
    #[inline(always)]
    pub(super) fn of(is_wanted: impl Iterator<Item = bool>) -> Self {
        let mut flags = [0_u8; BLOCK];
        flags.iter_mut().zip(is_wanted).for_each(|(flag, is_wanted)| *flag = u8::from(is_wanted));
        let mut selected = Self { places: [0; BLOCK], len: 0 };
        for (place, flag) in (0..).zip(flags) {
            selected.places[selected.len] = place;
            selected.len += usize::from(flag);
        }
        selected
    }

    /// The selected rows, if the block starts at row `first`.
    #[inline(always)]
    pub(super) fn rows(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        self.places[..self.len].iter().map(move |&place| first + place as usize)
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
