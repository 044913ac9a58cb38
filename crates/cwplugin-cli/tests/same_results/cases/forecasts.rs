//! Methods that promise something of new rows. They take longer, so there are few fits of each.

use crate::same_results::run::{Fit, fit};

fn named(fits: &[(&str, &str)]) -> Vec<Fit> {
    fits.iter().map(|&(name, flags)| fit(name, flags)).collect()
}

pub(crate) fn expected() -> Vec<Fit> {
    named(&[
        ("two", "two.csv --method expected"),
        ("three", "three.csv --method expected --weight w"),
        ("six", "six.csv --method expected"),
        ("twelve", "twelve.csv --method expected --metric accuracy"),
        ("cents", "cents.csv --method expected --metric mcc"),
        ("holes", "holes.csv --method expected --weight w --metric g-mean"),
        ("absent", "absent.csv --method expected"),
        ("never", "never.csv --method expected --metric balanced-accuracy"),
        ("tiny", "tiny.csv --method expected"),
        ("mute", "mute.csv --method expected"),
        ("oneclass", "oneclass.csv --method expected"),
        ("mixing-half", "partly.csv --method expected --mixing 0.5"),
        ("mixing-weighted", "partly.csv --method expected --mixing 0.25 --weight w --metric min-recall"),
        ("mixing-whole", "three.csv --method expected --mixing 1"),
        ("seed", "three.csv --method expected --seed 11"),
    ])
}

pub(crate) fn bagged() -> Vec<Fit> {
    named(&[
        ("two", "two.csv --method bagged"),
        ("three", "three.csv --method bagged --n-bootstrap 12 --weight w"),
        ("six", "six.csv --method bagged --n-bootstrap 3"),
        ("cents", "cents.csv --method bagged --n-bootstrap 6 --metric mcc"),
        ("twelve", "twelve.csv --method bagged --n-bootstrap 3"),
        ("holes", "holes.csv --method bagged --n-bootstrap 3 --metric g-mean --weight w"),
        ("absent", "absent.csv --method bagged --n-bootstrap 5"),
        ("never", "never.csv --method bagged --n-bootstrap 4 --metric accuracy"),
        ("tiny", "tiny.csv --method bagged --n-bootstrap 2"),
        ("seed", "three.csv --method bagged --n-bootstrap 5 --seed 9"),
        ("cost", "three.csv --method bagged --n-bootstrap 4 --metric cost:cost3.csv"),
        ("formula", "three.csv --method bagged --n-bootstrap 4 --metric 'expr:min(recall)'"),
    ])
}

pub(crate) fn auto() -> Vec<Fit> {
    named(&[
        ("two", "two.csv"),
        ("three", "three.csv --method auto --weight w"),
        ("cents", "cents.csv --metric mcc --seed 4"),
        ("partly", "partly.csv --metric balanced-accuracy"),
        ("tiny", "tiny.csv"),
        ("few", "few.csv"),
        ("oneclass", "oneclass.csv --metric accuracy"),
    ])
}

pub(crate) fn auto_of_more_classes() -> Vec<Fit> {
    named(&[
        ("absent", "absent.csv --method auto --metric macro-recall"),
        ("never", "never.csv --method auto"),
        ("six", "six.csv --method auto --weight w"),
        ("formula", "three.csv --metric 'expr:mean(f1)'"),
    ])
}

pub(crate) fn learning_curves() -> Vec<Fit> {
    named(&[
        ("algorithm1", "three.csv --method cwplugin --learning-curve"),
        ("grid", "six.csv --search grid:0.05 --learning-curve --weight w"),
        ("published", "cents.csv --method cwplugin:published --learning-curve --seed 2"),
        ("ascent", "two.csv --method ascent --metric mcc --learning-curve"),
        ("vector", "three.csv --method vector --learning-curve"),
        ("label-shift", "partly.csv --method label-shift --source-priors 0.5,0.3,0.2 --learning-curve"),
        ("expected", "two.csv --method expected --learning-curve"),
        ("tiny", "tiny.csv --method cwplugin --learning-curve"),
    ])
}
