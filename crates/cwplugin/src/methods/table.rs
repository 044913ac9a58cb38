//! All methods by name; read by the program, the package and the documentation.

use crate::error::Error;
use crate::methods::method::{Method, OptionSpec};
use crate::methods::{ascent, auto, bagged, calibrate, clean, cwplugin, expected, label_shift, probing};

/// All methods, the default first.
pub const METHODS: &[Method] = &[
    auto::METHOD,
    cwplugin::METHOD,
    cwplugin::PUBLISHED,
    cwplugin::LAST,
    cwplugin::BEST,
    ascent::METHOD,
    bagged::METHOD,
    expected::METHOD,
    clean::METHOD,
    probing::METHOD,
    label_shift::METHOD,
    calibrate::METHODS[0],
    calibrate::METHODS[1],
    calibrate::METHODS[2],
    calibrate::METHODS[3],
    calibrate::METHODS[4],
    calibrate::METHODS[5],
    calibrate::METHODS[6],
    calibrate::METHODS[7],
    calibrate::METHODS[8],
];

impl Method {
    /// Finds a method by its name; `unadjusted` is `clean`.
    ///
    /// # Errors
    ///
    /// If there is no method of this name.
    pub fn by_name(name: &str) -> Result<&'static Self, Error> {
        let name = if name == clean::UNADJUSTED { clean::METHOD.name } else { name };
        let found = METHODS.iter().find(|method| method.name == name);
        found.ok_or_else(|| Error::UnknownMethod { name: name.into() })
    }

    /// All options of all methods, without duplicates, in the order of the methods.
    pub fn all_options() -> Vec<&'static OptionSpec> {
        let mut all: Vec<&'static OptionSpec> = Vec::new();
        for option in METHODS.iter().flat_map(|method| method.options) {
            if !all.iter().any(|known| known.name == option.name) {
                all.push(option);
            }
        }
        all
    }

    /// The first method that supports an option.
    pub fn supporting(option: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.option(option).is_some())
    }
}
