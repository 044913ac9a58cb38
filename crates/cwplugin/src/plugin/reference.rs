//! Which class stays fixed.

use crate::data::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;

/// The class `r` that keeps weight 1 while the others are tuned against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reference {
    /// The class whose labelled rows weigh most (without row weights: the most rows); the lowest index among equals.
    #[default]
    Largest,
    /// The last class: the paper's.
    Last,
    /// Tries every class that has labelled rows and keeps the one whose weights score best on the whole sample; among
    /// equals the one whose rows weigh most.
    Best,
    /// This class.
    Class(usize),
}

impl Reference {
    /// Reads `largest`, `last`, `best`, a class name, or `class:NAME` for a class that is called like one of the three.
    ///
    /// # Errors
    ///
    /// If it is neither a word nor a class.
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

    /// The class that is fixed on this sample, by number; the first of those that [`Reference::Best`] tries.
    ///
    /// # Errors
    ///
    /// If no row has a label, or there is no such class.
    pub fn class_in(self, sample: &Sample) -> Result<usize, Error> {
        self.candidates(sample.class_totals())?.first().copied().ok_or(Error::NoLabelledRows)
    }

    /// The classes to try, in order of preference.
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

/// Classes with labelled rows, largest first; a stable sort keeps equals in order of index.
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
