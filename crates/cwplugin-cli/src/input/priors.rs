//! The shares of the classes that the black box learned from: on the command line, or in a file.

use std::collections::BTreeMap;
use std::path::Path;

use super::columns::quoted;
use crate::refusal::Refusal;

const FLAG: &str = "--source-priors";

/// How far the sum may be from 1, as the library has it.
const SUM_TOLERANCE: f64 = 1e-3;

/// One share for each class: `a=0.6,b=0.4`, or `0.6,0.4` in the order of the classes, or a file with the same.
pub(crate) fn source_priors(text: &str, classes: &[String]) -> Result<Vec<f64>, Refusal> {
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
            return Err(place.refuse(&what).hint(form(classes)));
        }
        Given::ByName(shares) => by_name(&shares, classes, place)?,
    };
    let sum: f64 = priors.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        let shares: Vec<String> =
            classes.iter().zip(&priors).map(|(class, prior)| format!("{class}={:.4}", prior / sum)).collect();
        let what = format!("the shares sum to {}, not to 1", rounded(sum));
        return Err(place.refuse(&what).hint(format!("divided by their sum they are {}", shares.join(","))));
    }
    Ok(priors)
}

/// Whether a value of the flag means a file; a list of shares has no such ending.
pub(crate) fn is_priors_file(path: &Path) -> bool {
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    ending.is_some_and(|ending| ending == "json" || ending == "csv") || path.is_file()
}

/// Where the shares stand: in this file, or on the command line.
struct Place<'a>(Option<&'a str>);

impl Place<'_> {
    fn refuse(&self, what: &str) -> Refusal {
        match self.0 {
            Some(file) => Refusal::new(format!("{FLAG} {file}: {what}")),
            None => Refusal::usage(format!("{FLAG}: {what}")),
        }
    }
}

/// Shares as they stand there.
enum Given {
    InOrder(Vec<String>),
    ByName(Vec<(String, String)>),
}

fn inline(text: &str) -> Given {
    let pieces: Vec<&str> = text.split(',').map(str::trim).collect();
    // A class may have an equals sign in its name: the last one stands before the share.
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

/// `{"class": share, …}`, `[share, …]`, or lines of `class,share` with or without a header.
fn read(path: &Path, place: &Place, classes: &[String]) -> Result<Given, Refusal> {
    let refuse = |what: String| {
        place.refuse(&what).hint("the file has lines of class,share, or is a JSON object of shares by class")
    };
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse("no such file".into()),
        _ => refuse(error.to_string()),
    })?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '[']) {
        let written = |share: serde_json::Value| match share {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        // A class that stands there twice would be lost in a map.
        if let Ok(shares) = serde_json::from_str::<Vec<serde_json::Value>>(text) {
            return Ok(Given::InOrder(shares.into_iter().map(written).collect()));
        }
        let shares: BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        return Ok(Given::ByName(shares.into_iter().map(|(class, share)| (class, written(share))).collect()));
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut shares = Vec::new();
    for (i, line) in reader.records().enumerate() {
        let line = line.map_err(|error| refuse(error.to_string()))?;
        let [class, share] = [line.get(0), line.get(1)].map(Option::unwrap_or_default);
        if line.len() != 2 {
            return Err(refuse(format!("line {} has {} fields, not 2", i + 1, line.len())));
        }
        let is_header = i == 0 && share.parse::<f64>().is_err() && !classes.iter().any(|name| name == class);
        if !is_header {
            shares.push((class.to_string(), share.to_string()));
        }
    }
    Ok(Given::ByName(shares))
}

fn by_name(shares: &[(String, String)], classes: &[String], place: &Place) -> Result<Vec<f64>, Refusal> {
    for (i, (class, _)) in shares.iter().enumerate() {
        if !classes.contains(class) {
            let names = quoted(classes.iter().map(String::as_str));
            return Err(place
                .refuse(&format!("there is no class \"{class}\""))
                .hint(format!("the classes are {names}")));
        }
        if shares[..i].iter().any(|(other, _)| other == class) {
            return Err(place
                .refuse(&format!("class \"{class}\" is named twice"))
                .hint("name every class once"));
        }
    }
    let share = |class: &String| match shares.iter().find(|(name, _)| name == class) {
        Some((_, share)) => number(share, class, place),
        None => Err(place.refuse(&format!("class \"{class}\" is missing")).hint(form(classes))),
    };
    classes.iter().map(share).collect()
}

fn number(text: &str, class: &str, place: &Place) -> Result<f64, Refusal> {
    let refuse = |what: &str| place.refuse(&format!("class \"{class}\": \"{text}\" is {what}"));
    match text.parse::<f64>() {
        Ok(share) if (1e-100..f64::INFINITY).contains(&share) => Ok(share),
        Ok(_) => Err(refuse("not a share above 0").hint(
            "give a class that the black box has hardly seen a small share, such as 0.001; one that it does not \
             know is left out with --classes",
        )),
        Err(_) => Err(refuse("not a number").hint("write the share as 0.25, not as 25% or 1/4")),
    }
}

/// How the flag is written for these classes.
fn form(classes: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut parts: Vec<String> = classes.iter().take(SHOWN).map(|class| format!("{class}=SHARE")).collect();
    if classes.len() > SHOWN {
        parts.push("…".into());
    }
    format!("write {FLAG} {}, one share for each class, or a share each in this order", parts.join(","))
}

/// Four digits after the point, and no zeros behind them.
fn rounded(sum: f64) -> f64 {
    (sum * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_by_name_or_in_order() {
        let classes = ["a=b", "c", "d"].map(String::from);
        let priors = |text: &str| source_priors(text, &classes).map_err(|refusal| refusal.to_string());
        assert_eq!(priors("0.5, 0.25,0.25"), Ok(vec![0.5, 0.25, 0.25]));
        assert_eq!(priors("c=0.5,a=b=0.3, d = 0.2"), Ok(vec![0.3, 0.5, 0.2]));
        assert_eq!(priors("0.5,0.5"), Err("--source-priors: 2 given, but there are 3 classes".into()));
        assert_eq!(priors("c=1"), Err("--source-priors: class \"a=b\" is missing".into()));
        assert_eq!(priors("c=1,c=1"), Err("--source-priors: class \"c\" is named twice".into()));
        assert_eq!(priors("x=1"), Err("--source-priors: there is no class \"x\"".into()));
        assert_eq!(priors("c=1,d"), Err("--source-priors: class \"a=b\" is missing".into()));
    }
}
