//! Which class is the reference.

use crate::data::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;

/// The reference class `r`: it keeps weight 1 while the others are tuned against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reference {
    /// The class with the largest total row weight (without row weights: the most rows); ties go to the lowest index.
    #[default]
    Largest,
    /// The last class, as in the paper.
    Last,
    /// Tries every class with labelled rows and keeps the one whose weights score best on the whole sample; ties go to the
    /// class with the largest total row weight.
    Best,
    /// This class.
    Class(usize),
}

impl Reference {
    /// Parses `largest`, `last`, `best`, a class name, or `class:NAME` for a class named like one of the keywords.
    ///
    /// # Errors
    ///
    /// If it is neither a keyword nor a class.
    pub fn by_name(text: &str, classes: &[String]) -> Result<Self, Error> {
        let class = |name: &str| classes.iter().position(|class| class == name).map(Self::Class);
        match text {
            "largest" => Ok(Self::Largest),
            "last" => Ok(Self::Last),
            "best" => Ok(Self::Best),
            name => class(name)
                .or_else(|| class(name.strip_prefix("class:")?))
                .ok_or_else(|| Error::UnknownReferenceName { name: name.into() }),
        }
    }

    /// The index of the reference on this sample; for [`Reference::Best`] the first candidate.
    ///
    /// # Errors
    ///
    /// If no row has a label, or the class index is out of range.
    pub fn class_in(self, sample: &Sample) -> Result<usize, Error> {
        self.candidates(sample.class_totals())?.first().copied().ok_or(Error::NoLabelledRows)
    }

    /// The candidate references, in order of preference.
    pub(crate) fn candidates(self, class_totals: &ClassTotals) -> Result<Vec<usize>, Error> {
        let classes = class_totals.n_classes();
        match self {
            Self::Last => Ok(vec![classes - 1]),
            Self::Class(class) if class < classes => Ok(vec![class]),
            Self::Class(class) => Err(Error::UnknownReference { class, classes }),
            Self::Largest => Ok(by_size(class_totals).into_iter().take(1).collect()),
            Self::Best => Ok(by_size(class_totals)),
        }
    }
}

/// Classes with labelled rows, largest first; the sort is stable, so ties keep the order of the indices.
fn by_size(class_totals: &ClassTotals) -> Vec<usize> {
    let mut present: Vec<usize> =
        (0..class_totals.n_classes()).filter(|&k| class_totals.rows(k) > 0).collect();
    present.sort_by(|&a, &b| class_totals.weight(b).total_cmp(&class_totals.weight(a)));
    present
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_before_classes_of_the_same_name() {
        let classes = ["best".to_string(), "a".into()];
        let by_name = |text| Reference::by_name(text, &classes);
        assert_eq!(by_name("best"), Ok(Reference::Best));
        assert_eq!(by_name("class:best"), Ok(Reference::Class(0)));
        assert_eq!(by_name("a"), Ok(Reference::Class(1)));
        assert_eq!(by_name("b"), Err(Error::UnknownReferenceName { name: "b".into() }));
    }
}
