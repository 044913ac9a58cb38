//! Title, note and description: what all plots share.

/// The texts around a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Captions {
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    pub(crate) note: String,
}

impl Captions {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }
}

/// The public methods that all plots share; they use the field `captions` and the methods `picture` and `describe`.
macro_rules! shared_methods {
    () => {
        /// The text for readers who do not see the plot; by default its values.
        pub fn description(mut self, text: impl Into<String>) -> Self {
            self.captions.description = Some(text.into());
            self
        }

        /// A note below the plot: what a band or bar shows, where the numbers come from.
        pub fn note(mut self, text: impl Into<String>) -> Self {
            self.captions.note = text.into();
            self
        }

        /// The plot as a standalone file; the same plot gives the same bytes.
        pub fn to_svg(&self) -> String {
            self.picture().file()
        }

        /// The plot as part of a page that contains [`style`](crate::draw::style) once, without its own colours and
        /// background.
        ///
        /// It shrinks with the page, but to no less than 80%, so that its text stays readable; put it into a box with
        /// `overflow-x: auto`.
        pub fn to_inline_svg(&self) -> String {
            self.picture().inline()
        }

        /// The given description, or the values.
        pub(crate) fn full_description(&self) -> String {
            self.captions.description.clone().unwrap_or_else(|| self.describe())
        }
    };
}

pub(crate) use shared_methods;
