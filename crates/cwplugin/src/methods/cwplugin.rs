//! `cwplugin`: Algorithm 1 with its options; the algorithm itself is in [`crate::plugin`].

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options};
use crate::metric::Metric;
use crate::plugin::{Absent, Plugin, Reference, Search, Settings, Ties};
use crate::report::Fitted;

pub(crate) const METHOD: Method = Method {
    name: "cwplugin",
    summary: "Algorithm 1: tune every class against one fixed class, over every cut",
    options: OPTIONS,
    uses_metric: true,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::Search,
    fit: |sample, metric, options| fit(sample, metric, options, Settings::EXACT),
};

pub(crate) const PUBLISHED: Method = Method {
    name: "cwplugin:published",
    summary: "Algorithm 1 as published: grid:0.01, last class fixed, first of ties, absent classes dropped",
    options: &[
        OptionSpec { default: "last", ..OPTIONS[0] },
        OptionSpec { default: "grid:0.01", ..OPTIONS[1] },
        OptionSpec { default: "first", ..OPTIONS[2] },
        OptionSpec { default: "drop", ..OPTIONS[3] },
        OPTIONS[4],
    ],
    fit: |sample, metric, options| fit(sample, metric, options, Settings::PUBLISHED),
    ..METHOD
};

pub(crate) const LAST: Method = Method {
    name: "cwplugin:last",
    summary: "cwplugin with the last class fixed, as `auto` tries it",
    options: &[OptionSpec { default: "last", ..OPTIONS[0] }, OPTIONS[1], OPTIONS[2], OPTIONS[3], OPTIONS[4]],
    fit: |sample, metric, options| fit(sample, metric, options, LAST_FIXED),
    ..METHOD
};

pub(crate) const BEST: Method = Method {
    name: "cwplugin:best",
    summary: "cwplugin with every class fixed in turn, as `auto` tries it: the best on these rows",
    options: &[OptionSpec { default: "best", ..OPTIONS[0] }, OPTIONS[1], OPTIONS[2], OPTIONS[3], OPTIONS[4]],
    fit: |sample, metric, options| fit(sample, metric, options, BEST_FIXED),
    ..METHOD
};

const LAST_FIXED: Settings = Settings { reference: Reference::Last, ..Settings::EXACT };
const BEST_FIXED: Settings = Settings { reference: Reference::Best, ..Settings::EXACT };

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "reference",
        value: "CLASS",
        default: "largest",
        help: "Keep this class fixed: last, largest, best, NAME or class:NAME",
        check: |_| Ok(()), // any text may be the name of a class
    },
    OptionSpec {
        name: "search",
        value: "SEARCH",
        default: "exact",
        help: "Try these alphas: exact, grid:EPS or binary:EPS",
        check: |text| text.parse::<Search>().map(drop),
    },
    OptionSpec {
        name: "ties",
        value: "RULE",
        default: "middle",
        help: "Among equally good alphas take: first, nearest-half or middle",
        check: |text| text.parse::<Ties>().map(drop),
    },
    OptionSpec {
        name: "absent",
        value: "RULE",
        default: "keep",
        help: "Give a class without labelled rows weight 1 (keep) or 0 (drop)",
        check: |text| text.parse::<Absent>().map(drop),
    },
    OptionSpec {
        name: "force",
        value: "",
        default: "",
        help: "Allow binary search on a metric that may have several peaks",
        check: |text| match text {
            "true" => Ok(()),
            _ => Err(Error::UnknownOption { option: "force", value: text.into() }),
        },
    },
];

/// The default settings of a variant of Algorithm 1; `None` for other methods.
pub(crate) fn settings(method: &Method) -> Option<Settings> {
    let variants =
        [(METHOD, Settings::EXACT), (PUBLISHED, Settings::PUBLISHED), (LAST, LAST_FIXED), (BEST, BEST_FIXED)];
    variants.into_iter().find(|(variant, _)| variant == method).map(|(_, settings)| settings)
}

/// Algorithm 1 with the given options; the rest comes from the default settings.
pub(crate) fn plugin<'a>(
    metric: &'a dyn Metric,
    options: &Options<'_>,
    own: Settings,
    classes: &[String],
) -> Result<Plugin<'a>, Error> {
    let settings = Settings {
        reference: options
            .read("reference", |name| Reference::by_name(name, classes))?
            .unwrap_or(own.reference),
        search: options.read("search", str::parse)?.unwrap_or(own.search),
        ties: options.read("ties", str::parse)?.unwrap_or(own.ties),
        absent: options.read("absent", str::parse)?.unwrap_or(own.absent),
    };
    Ok(Plugin { metric, settings, any_metric: options.get("force").is_some() })
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>, own: Settings) -> Result<Fitted, Error> {
    let plugin = plugin(metric, options, own, sample.classes())?;
    if options.unscored {
        plugin.fit_unscored(sample, options.observer)
    } else {
        plugin.fit(sample, options.observer)
    }
}
