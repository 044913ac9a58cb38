//! Labels as names, indices or options of either.

use crate::error::Error;

/// A label: a class name, the index of a class, or `None` for an unlabelled row.
pub trait Label {
    /// The index of the class, or `None` for an unlabelled row; `row` is reported in the error.
    ///
    /// # Errors
    ///
    /// If there is no such class.
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error>;
}

impl Label for str {
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error> {
        match classes.iter().position(|class| class == self) {
            Some(class) => Ok(Some(class)),
            None => Err(Error::UnknownLabel { row, label: self.into() }),
        }
    }
}

impl Label for String {
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error> {
        self.as_str().index(row, classes)
    }
}

impl Label for usize {
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error> {
        let (label, classes) = (*self, classes.len());
        if label < classes { Ok(Some(label)) } else { Err(Error::LabelOutOfRange { row, label, classes }) }
    }
}

impl<L: Label> Label for Option<L> {
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error> {
        self.as_ref().map_or(Ok(None), |label| label.index(row, classes))
    }
}

impl<L: Label + ?Sized> Label for &L {
    fn index(&self, row: usize, classes: &[String]) -> Result<Option<usize>, Error> {
        (**self).index(row, classes)
    }
}
