//! Named settings: what `--method` means, here and in every other face.

use crate::{Absent, Error, Reference, Search, Step, Ties};

/// A method by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Method {
    /// Stable name, e.g. `cwplugin`.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Which class stays fixed.
    pub reference: Reference,
    /// Which α are tried.
    pub search: Search,
    /// Which of equally good α is taken.
    pub ties: Ties,
    /// What becomes of a class without labelled rows.
    pub absent: Absent,
}

/// Every method, the default first.
pub const METHODS: &[Method] = &[
    Method {
        name: "cwplugin",
        summary: "tune every class against one fixed class: every cut, middle of the widest best stretch (default)",
        reference: Reference::Largest,
        search: Search::Exact,
        ties: Ties::Middle,
        absent: Absent::Keep,
    },
    Method {
        name: "cwplugin:published",
        summary: "the same as the paper prints it: grid:0.01, last class fixed, first of ties, absent classes dropped",
        reference: Reference::Last,
        search: Search::Grid(Step::HUNDREDTH),
        ties: Ties::First,
        absent: Absent::Drop,
    },
];

impl Method {
    /// Finds a method by its name.
    ///
    /// # Errors
    ///
    /// If no method bears the name.
    pub fn by_name(name: &str) -> Result<&'static Self, Error> {
        METHODS
            .iter()
            .find(|method| method.name == name)
            .ok_or_else(|| Error::UnknownMethod { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plugin;
    use crate::metric::Accuracy;

    #[test]
    fn methods_are_found_by_their_names_and_the_first_is_the_default() {
        for method in METHODS {
            assert_eq!(Method::by_name(method.name), Ok(method));
        }
        assert_eq!(Method::by_name("x"), Err(Error::UnknownMethod { name: "x".into() }));
        let default = format!("{:?}", Plugin::new(Accuracy));
        assert_eq!(format!("{:?}", Plugin::new(Accuracy).method(&METHODS[0])), default);
    }
}
