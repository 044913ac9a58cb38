//! Owned or shared buffers of numbers.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// An owned or shared buffer; a shared one avoids copying, e.g. from a NumPy array.
#[derive(Clone)]
pub(crate) enum Numbers<T> {
    Own(Vec<T>),
    Shared(Arc<dyn AsRef<[T]> + Send + Sync>),
}

impl<T: Copy> Numbers<T> {
    /// A mutable vector; a shared buffer is copied first.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        if let Self::Shared(owner) = self {
            *self = Self::Own((**owner).as_ref().to_vec());
        }
        match self {
            Self::Own(values) => values,
            Self::Shared(_) => unreachable!("copied above"),
        }
    }
}

impl<T> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Own(values) => values,
            Self::Shared(owner) => (**owner).as_ref(),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> From<Vec<T>> for Numbers<T> {
    fn from(values: Vec<T>) -> Self {
        Self::Own(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_buffers_are_copied_only_on_write() {
        let owner = Arc::new(vec![1.0, 2.0]);
        let place = owner.as_ptr();
        let mut numbers = Numbers::Shared(owner);
        assert_eq!(numbers.as_ptr(), place);
        assert_eq!(numbers, Numbers::from(vec![1.0, 2.0]));
        assert_eq!(format!("{numbers:?}"), "[1.0, 2.0]");
        numbers.to_mut().push(3.0);
        assert_ne!(numbers.as_ptr(), place);
        assert_eq!(&*numbers, [1.0, 2.0, 3.0]);
    }
}
