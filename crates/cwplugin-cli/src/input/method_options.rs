//! Options of methods, checked against the classes. Source priors are the class priors of the black box's training data.

use std::collections::BTreeMap;
use std::path::Path;

use cwplugin::Reference;
use cwplugin::data::{classes_hint, did_you_mean, quoted, refuse_repeated_fields};

use crate::args::MethodOptions;
use crate::user_error::UserError;
use crate::whole_file::{SMALL, csv_lines, read_text};

const FLAG: &str = "--source-priors";

/// How far the sum may be from 1, as in the library.
const SUM_TOLERANCE: f64 = 1e-3;

/// The values as the library reads them: source priors in the order of the classes, and a reference that exists.
pub(crate) fn resolved_options(
    options: &MethodOptions,
    classes: &[String],
) -> Result<Vec<(&'static str, String)>, UserError> {
    let resolve = |(&option, value): (&&'static str, &String)| match option {
        "source-priors" => {
            let priors = source_priors(value, classes)?;
            Ok((option, priors.iter().map(f64::to_string).collect::<Vec<_>>().join(",")))
        }
        "reference" => reference(value, classes, "last, largest, best").map(|_| (option, value.clone())),
        _ => Ok((option, value.clone())),
    };
    options.0.iter().map(resolve).collect()
}

/// The reference class of `--reference`; `words` are the values that are not names of classes.
pub(crate) fn reference(name: &str, classes: &[String], words: &str) -> Result<Reference, UserError> {
    Reference::by_name(name, classes).map_err(|_| {
        let all = format!(
            "write {words} or one of {} (class:NAME for a class called last, largest or best)",
            quoted(classes)
        );
        let names = classes.iter().map(String::as_str).chain(words.split(", "));
        UserError::usage(format!("--reference {name}: unknown class")).hint(did_you_mean(name, names, &all))
    })
}

/// One prior for each class: `a=0.6,b=0.4`, or `0.6,0.4` in the order of the classes, or a file.
fn source_priors(text: &str, classes: &[String]) -> Result<Vec<f64>, UserError> {
    let path = Path::new(text);
    let place = &Place(Some(text).filter(|_| is_priors_file(path)));
    let given = if place.0.is_some() { read(path, place, classes)? } else { inline(text) };
    let priors = match given {
        Given::InOrder(shares) if shares.len() == classes.len() => {
            let shares = classes.iter().zip(&shares);
            shares.map(|(class, share)| number(share, class, place)).collect::<Result<Vec<_>, _>>()?
        }
        Given::InOrder(shares) => {
            let what = format!("{} given, but there are {} classes", shares.len(), classes.len());
            return Err(place.error(&what).hint(form(classes)));
        }
        Given::ByName(shares) => by_name(&shares, classes, place)?,
    };
    let sum: f64 = priors.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        let shares: Vec<String> =
            classes.iter().zip(&priors).map(|(class, prior)| format!("{class}={:.4}", prior / sum)).collect();
        let what = format!("the priors sum to {}, not to 1", rounded(sum));
        return Err(place.error(&what).hint(format!("divided by their sum they are {}", shares.join(","))));
    }
    Ok(priors)
}

/// Whether a value of the flag is a file.
pub(crate) fn is_priors_file(path: &Path) -> bool {
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    ending.is_some_and(|ending| ending == "json" || ending == "csv") || path.is_file()
}

/// The place of the priors: this file, or the command line.
struct Place<'a>(Option<&'a str>);

impl Place<'_> {
    fn error(&self, what: &str) -> UserError {
        match self.0 {
            Some(file) => UserError::new(format!("{FLAG} {file}: {what}")),
            None => UserError::usage(format!("{FLAG}: {what}")),
        }
    }
}

/// Priors as text.
enum Given {
    InOrder(Vec<String>),
    ByName(Vec<(String, String)>),
}

fn inline(text: &str) -> Given {
    let pieces: Vec<&str> = text.split(',').map(str::trim).collect();
    // The last equals sign separates the prior, since the name of a class may have one too.
    let pair = |piece: &&str| {
        let (class, share) = piece.rsplit_once('=').unwrap_or((piece, ""));
        (class.trim().to_string(), share.trim().to_string())
    };
    if pieces.iter().any(|piece| piece.contains('=')) {
        Given::ByName(pieces.iter().map(pair).collect())
    } else {
        Given::InOrder(pieces.into_iter().map(String::from).collect())
    }
}

/// `{"class": prior, …}`, `[prior, …]`, or lines of `class,prior` with or without a header.
fn read(path: &Path, place: &Place, classes: &[String]) -> Result<Given, UserError> {
    const HINT: &str = "write lines of class,prior, or a JSON object of priors by class";
    let error = |what: String| place.error(&what).hint(HINT);
    let text = &read_text(path, "source priors", SMALL, HINT)?;
    if text.trim_start().starts_with(['{', '[']) {
        let written = |share: serde_json::Value| match share {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        if let Ok(shares) = serde_json::from_str::<Vec<serde_json::Value>>(text) {
            return Ok(Given::InOrder(shares.into_iter().map(written).collect()));
        }
        refuse_repeated_fields(text).map_err(|err| error(err.to_string()))?;
        let shares: BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).map_err(|err| error(err.to_string()))?;
        return Ok(Given::ByName(shares.into_iter().map(|(class, share)| (class, written(share))).collect()));
    }
    let mut shares = Vec::new();
    for (i, line) in csv_lines(text).map_err(|err| error(err.to_string()))?.iter().enumerate() {
        let [class, share] = [line.get(0), line.get(1)].map(Option::unwrap_or_default);
        if line.len() != 2 {
            return Err(error(format!("line {} has {} fields, not 2", i + 1, line.len())));
        }
        let is_header = i == 0 && share.parse::<f64>().is_err() && !classes.iter().any(|name| name == class);
        if !is_header {
            shares.push((class.to_string(), share.to_string()));
        }
    }
    Ok(Given::ByName(shares))
}

fn by_name(shares: &[(String, String)], classes: &[String], place: &Place) -> Result<Vec<f64>, UserError> {
    for (i, (class, _)) in shares.iter().enumerate() {
        if !classes.contains(class) {
            let error = place.error(&format!("unknown class \"{class}\""));
            return Err(error.hint(classes_hint(class, classes)));
        }
        if shares[..i].iter().any(|(other, _)| other == class) {
            return Err(place.error(&format!("class \"{class}\" occurs twice")).hint("name each class once"));
        }
    }
    let share = |class: &String| match shares.iter().find(|(name, _)| name == class) {
        Some((_, share)) => number(share, class, place),
        None => Err(place.error(&format!("class \"{class}\" is missing")).hint(form(classes))),
    };
    classes.iter().map(share).collect()
}

fn number(text: &str, class: &str, place: &Place) -> Result<f64, UserError> {
    let error = |what: &str| place.error(&format!("class \"{class}\": \"{text}\" is {what}"));
    match text.parse::<f64>() {
        Ok(share) if (1e-100..f64::INFINITY).contains(&share) => Ok(share),
        Ok(_) => Err(error("not a number above 0").hint(
            "give a very rare class a small prior, such as 0.001; omit a class that the black box does not know with --classes",
        )),
        Err(_) => Err(error("not a number").hint("write 0.25, not 25% or 1/4")),
    }
}

/// The syntax of the flag for these classes.
fn form(classes: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut parts: Vec<String> = classes.iter().take(SHOWN).map(|class| format!("{class}=PRIOR")).collect();
    if classes.len() > SHOWN {
        parts.push("…".into());
    }
    format!("write {FLAG} {}, or one number per class in this order", parts.join(","))
}

/// Rounded to four decimals.
fn rounded(sum: f64) -> f64 {
    (sum * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_given_by_name_or_in_order() {
        let classes = ["a=b", "c", "d"].map(String::from);
        let priors = |text: &str| source_priors(text, &classes).map_err(|error| error.to_string());
        assert_eq!(priors("0.5, 0.25,0.25"), Ok(vec![0.5, 0.25, 0.25]));
        assert_eq!(priors("c=0.5,a=b=0.3, d = 0.2"), Ok(vec![0.3, 0.5, 0.2]));
        assert_eq!(priors("0.5,0.5"), Err("--source-priors: 2 given, but there are 3 classes".into()));
        assert_eq!(priors("c=1"), Err("--source-priors: class \"a=b\" is missing".into()));
        assert_eq!(priors("c=1,c=1"), Err("--source-priors: class \"c\" occurs twice".into()));
        assert_eq!(priors("x=1"), Err("--source-priors: unknown class \"x\"".into()));
        assert_eq!(priors("c=1,d"), Err("--source-priors: class \"a=b\" is missing".into()));
    }
}
