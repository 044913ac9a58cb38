//! The fit once more, by what the model file tells of it.

use cwplugin::{
    Constraint, FitOptions, FitRecord, Fitted, Fitter, Method, Metric, Model, Recipe, Reference, Sample,
    Select, Settings,
};

/// A fit as the record of a model describes it, ready for rows.
///
/// ```
/// use cwplugin::{Model, Plugin, Probabilities, Sample, metric::MacroF1};
/// use cwplugin_page::Again;
///
/// let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(5), 2)?;
/// let sample = Sample::new(p, [0, 1, 1, 1].map(Some).repeat(5))?;
/// let fitted = Plugin::new(MacroF1).fit(&sample)?;
/// let model = Model::from_fit(vec!["a".into(), "b".into()], &fitted, "cwplugin", 0)?;
/// let again = Again::of(&model, &MacroF1).and_then(|again| again.on(&sample, &model));
/// assert!(again.is_some_and(|(_, fitted)| fitted.rule() == model.rule()));
/// # Ok::<(), cwplugin::Error>(())
/// ```
pub struct Again<'a> {
    method: &'static Method,
    metric: &'a dyn Metric,
    options: FitOptions,
    settings: Option<Settings>,
    constraints: Vec<Constraint>,
}

impl std::fmt::Debug for Again<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Again").field(&self.fitter()).finish()
    }
}

impl<'a> Again<'a> {
    /// The fit of this model for its metric; `None` if its record does not tell all that it takes, or names a file or a
    /// program among its constraints.
    pub fn of(model: &Model, metric: &'a dyn Metric) -> Option<Self> {
        let record = model.fit()?;
        let method = Method::by_name(&record.method).ok()?;
        let constraint =
            |record: &cwplugin::ConstraintRecord| Constraint::by_name(&record.constraint, model.classes());
        Some(Self {
            method,
            metric,
            options: FitOptions {
                seed: record.seed.unwrap_or_default(),
                mixing: record.mixing.unwrap_or_default(),
                source_priors: record.source_priors.clone(),
                bags: record.bags,
                ..FitOptions::default()
            },
            settings: settings(method, record, model.classes())?,
            constraints: record.constraints.iter().map(constraint).collect::<Result<_, _>>().ok()?,
        })
    }

    /// What fits.
    pub fn fitter(&self) -> Fitter<'_> {
        let fitter =
            Fitter::new(self.method, self.metric, self.options.clone()).subject_to(&self.constraints);
        // A model that was fitted with --force was fitted.
        let fitter = fitter.allow_any_metric(true);
        match self.settings {
            Some(settings) => fitter.settings(settings),
            None => fitter,
        }
    }

    /// The fit of these rows, and itself with the one setting that no record tells: how a penalty was chosen. It is the way
    /// that gives the model again, if one does. `None` if the rows cannot be fitted.
    pub fn on(mut self, sample: &Sample, model: &Model) -> Option<(Self, Fitted)> {
        let fitted = self.fitter().fit(sample).ok()?;
        if fitted.rule() == model.rule() || !self.method.has_penalty() {
            return Some((self, fitted));
        }
        self.options.select = Select::CrossValidation;
        match self.fitter().fit(sample) {
            Ok(other) if other.rule() == model.rule() => Some((self, other)),
            _ => {
                self.options.select = Select::InSample;
                Some((self, fitted))
            }
        }
    }

    /// The flags of `cwplugin fit` that ask for this fit, but for those about the table.
    pub fn flags(&self, record: &FitRecord) -> Vec<String> {
        let mut flags = vec!["--method".into(), self.method.name.into()];
        let mut flag = |name: &str, value: String| flags.extend([name.to_string(), value]);
        flag("--metric", self.metric.name().into());
        if self.settings.is_some() {
            let told = [
                ("--reference", record.reference.as_ref().map(|name| format!("class:{name}"))),
                ("--search", record.search.clone()),
                ("--ties", record.ties.clone()),
                ("--absent", record.absent.clone()),
            ];
            for (name, value) in told {
                if let Some(value) = value {
                    flag(name, value);
                }
            }
        }
        for constraint in &record.constraints {
            flag("--subject-to", constraint.constraint.clone());
        }
        let list = |shares: &Vec<f64>| shares.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        record.source_priors.iter().for_each(|shares| flag("--source-priors", list(shares)));
        record.bags.iter().for_each(|bags| flag("--bags", bags.to_string()));
        record
            .mixing
            .iter()
            .filter(|share| **share > 0.0)
            .for_each(|share| flag("--mixing", share.to_string()));
        if self.options.select == Select::CrossValidation {
            flag("--select", "cv".into());
        }
        if self.options.seed != 0 {
            flag("--seed", self.options.seed.to_string());
        }
        let needs_force =
            self.settings.is_some_and(|settings| matches!(settings.search, cwplugin::Search::Binary(_)));
        flags.extend((needs_force && !self.metric.is_quasi_concave()).then(|| "--force".to_string()));
        flags.extend((self.settings.is_some() && record.score.is_none()).then(|| "--unscored".to_string()));
        flags.extend(record.learning_curve.as_ref().map(|_| "--learning-curve".to_string()));
        flags
    }
}

/// The settings of Algorithm 1, if it was at work; `None` if the record does not tell them.
#[allow(clippy::option_option)] // not told, and none to tell, are two things
fn settings(method: &Method, record: &FitRecord, classes: &[String]) -> Option<Option<Settings>> {
    let Recipe::Plugin(_) = method.recipe else { return Some(None) };
    let reference = record.reference.as_ref()?;
    Some(Some(Settings {
        reference: Reference::Class(classes.iter().position(|class| class == reference)?),
        search: record.search.as_ref()?.parse().ok()?,
        ties: record.ties.as_ref()?.parse().ok()?,
        absent: record.absent.as_ref()?.parse().ok()?,
    }))
}
