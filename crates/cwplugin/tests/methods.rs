//! The table of methods and options, which the program, the package and the documentation read.

use std::collections::BTreeSet;

use cwplugin::methods::OptionSpec;
use cwplugin::metric::MacroF1;
use cwplugin::{Error, Fit, METHODS, Method};

use crate::support::tables::{Kind, random_table};

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<&str> = METHODS.iter().map(|method| method.name).collect();
    assert_eq!(names.len(), METHODS.len());
    for method in METHODS {
        assert_eq!(Method::by_name(method.name), Ok(method));
        assert!(!method.summary.is_empty() && !method.summary.ends_with('.'), "{}", method.name);
        let options: BTreeSet<&str> = method.options.iter().map(|option| option.name).collect();
        assert_eq!(options.len(), method.options.len(), "{}", method.name);
    }
    assert_eq!(METHODS[0].name, "auto", "the default comes first");
    assert_eq!(Method::by_name("magic"), Err(Error::UnknownMethod { name: "magic".into() }));
}

#[test]
fn every_option_is_listed_once_with_a_method_that_supports_it() {
    let all: Vec<&str> = Method::all_options().iter().map(|option| option.name).collect();
    assert_eq!(
        all,
        [
            "reference",
            "search",
            "ties",
            "absent",
            "force",
            "n-bootstrap",
            "mixing",
            "source-priors",
            "select"
        ]
    );
    for name in all {
        assert!(Method::supporting(name).unwrap().option(name).is_some(), "{name}");
    }
    assert_eq!(Method::supporting("magic"), None);
}

/// A default that is a value, not words for people.
fn default(option: &OptionSpec) -> Option<&'static str> {
    Some(option.default).filter(|default| !default.is_empty() && !default.contains(' '))
}

#[test]
fn every_default_is_what_an_unset_option_means() {
    let sample = random_table(6, Kind::AbsentClass, 3).sample();
    let mut defaults = 0;
    for method in METHODS {
        for option in method.options {
            assert_eq!(option.is_switch(), option.value.is_empty());
            assert!(option.help.starts_with(char::is_uppercase) && !option.help.ends_with('.'), "{option:?}");
            let Some(default) = default(option) else { continue };
            assert_eq!(option.check(default), Ok(()), "{option:?}");
            let fit = || Fit::new(MacroF1).method(method.name);
            let [unset, set] = [fit(), fit().option(option.name, default)].map(|fit| fit.fit(&sample));
            match (unset, set) {
                (Ok(unset), Ok(set)) => assert_eq!(unset.rule(), set.rule(), "{} {option:?}", method.name),
                (unset, set) => assert_eq!(unset, set, "{} {option:?}", method.name),
            }
            defaults += 1;
        }
    }
    assert_eq!(defaults, 19, "four of each method of Algorithm 1, mixing, and select twice");
}

#[test]
fn an_option_that_is_not_supported_or_has_no_such_value_is_an_error() {
    let sample = random_table(6, Kind::Continuous, 3).sample();
    for method in METHODS {
        for option in Method::all_options().into_iter().filter(|option| method.option(option.name).is_none())
        {
            let refused =
                Fit::new(MacroF1).method(method.name).option(option.name, option.default).fit(&sample);
            let (option, method) = (option.name.to_string(), method.name.to_string());
            assert_eq!(refused.unwrap_err(), Error::UnsupportedOption { option, method });
        }
        for option in method.options {
            let refused = Fit::new(MacroF1).method(method.name).option(option.name, "zebra").fit(&sample);
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("\"zebra\""), "{}: {refused}", method.name);
        }
    }
}
