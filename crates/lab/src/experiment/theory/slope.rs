//! A straight line through measured points, and the standard error of its slope.

use serde_json::{Value, json};

/// A measured point: the mean over draws and its standard error, 0 without draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) error: f64,
}

/// Which axes are logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A power law: the slope is the exponent.
    Power,
    /// y is multiplied by `e^slope` for every step of x.
    Decay,
    /// y grows by `slope` for every factor e of x.
    Growth,
}

/// `y = intercept + slope·x`, on the axes of a scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    pub(super) slope: f64,
    /// Its standard error; `None` for two points without errors.
    pub(super) error: Option<f64>,
    intercept: f64,
    scale: Scale,
    points: usize,
    from: f64,
    to: f64,
}

impl Scale {
    fn x(self, x: f64) -> f64 {
        if self == Self::Decay { x } else { x.ln() }
    }

    fn y(self, y: f64) -> f64 {
        if self == Self::Growth { y } else { y.ln() }
    }

    /// The standard error of the logarithm of y.
    fn error(self, point: &Point) -> f64 {
        if self == Self::Growth { point.error } else { point.error / point.y }
    }
}

impl Fit {
    /// Least squares, weighted by the errors of the points if all have one. If the points are further from the line than their
    /// errors allow, the standard error of the slope is increased accordingly.
    pub(super) fn of(points: &[Point], scale: Scale) -> Option<Self> {
        let usable = |p: &&Point| scale.x(p.x).is_finite() && scale.y(p.y).is_finite();
        let points: Vec<Point> = points.iter().filter(usable).copied().collect();
        let has_errors = points.iter().all(|point| point.error > 0.0);
        let weight = |p: &Point| if has_errors { scale.error(p).powi(-2) } else { 1.0 };
        let sum = |f: &dyn Fn(&Point) -> f64| points.iter().map(|p| weight(p) * f(p)).sum::<f64>();
        let total = sum(&|_| 1.0);
        let (x, y) = (sum(&|p| scale.x(p.x)) / total, sum(&|p| scale.y(p.y)) / total);
        let square = sum(&|p| (scale.x(p.x) - x).powi(2));
        if points.len() < 2 || square <= 0.0 {
            return None;
        }
        let slope = sum(&|p| (scale.x(p.x) - x) * (scale.y(p.y) - y)) / square;
        let intercept = y - slope * x;
        let rest = sum(&|p| (scale.y(p.y) - intercept - slope * scale.x(p.x)).powi(2));
        let freedom = points.len() - 2;
        let spread = (freedom > 0).then(|| rest / freedom as f64);
        let variance = if has_errors { Some(spread.unwrap_or(1.0).max(1.0)) } else { spread };
        let ends = |f: fn(f64, f64) -> f64| points.iter().map(|p| p.x).reduce(f);
        Some(Self {
            slope,
            error: variance.map(|variance| (variance / square).sqrt()),
            intercept,
            scale,
            points: points.len(),
            from: ends(f64::min)?,
            to: ends(f64::max)?,
        })
    }

    /// The value of the line.
    pub(super) fn at(&self, x: f64) -> f64 {
        let y = self.intercept + self.slope * self.scale.x(x);
        if self.scale == Scale::Growth { y } else { y.exp() }
    }

    /// Whether x is in the range of the fitted points.
    pub(super) fn covers(&self, x: f64) -> bool {
        (self.from..=self.to).contains(&x)
    }

    /// The fields of a fit in the result file.
    pub(super) fn json(&self) -> Value {
        let scale = match self.scale {
            Scale::Power => "power",
            Scale::Decay => "decay",
            Scale::Growth => "growth",
        };
        json!({
            "slope": self.slope, "error": self.error, "points": self.points, "from": self.from, "to": self.to,
            "scale": scale,
        })
    }

    /// `−0.333 ± 0.004`.
    pub(super) fn words(&self) -> String {
        let error = self.error.map_or_else(String::new, |error| format!(" ± {error:.3}"));
        format!("{:.3}{error}", self.slope).replace('-', "−")
    }
}

/// The mean of some draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Drawn {
    pub(super) mean: f64,
    /// Standard error; 0 for a single draw.
    pub(super) error: f64,
    pub(super) largest: f64,
    pub(super) draws: usize,
}

impl Drawn {
    /// `None` without draws.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = if values.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
        let largest = values.iter().copied().reduce(f64::max)?;
        Some(Self { mean, error, largest, draws: values.len() })
    }

    pub(super) fn at(&self, x: f64) -> Point {
        Point { x, y: self.mean, error: self.error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    /// Against `numpy.polyfit(x, y, 1, w=1/error, cov="unscaled")`, its error times `sqrt(χ²/2)`.
    #[test]
    fn a_weighted_slope_is_that_of_numpy() {
        let y = [1.0, 0.6, 0.35, 0.22];
        let points: Vec<Point> = [100.0, 1e3, 1e4, 1e5]
            .into_iter()
            .zip(y)
            .zip([0.02, 0.01, 0.005, 0.001])
            .map(|((x, y), error)| Point { x, y, error })
            .collect();
        let fit = Fit::of(&points, Scale::Power).unwrap();
        near(fit.slope, -0.217_109_947_117);
        near(fit.error.unwrap(), 0.004_167_300_994);
        near(fit.at(1e4).ln(), -1.016_335_027_434);
        let exact: Vec<Point> = points.iter().map(|point| Point { error: 0.0, ..*point }).collect();
        let fit = Fit::of(&exact, Scale::Power).unwrap();
        near(fit.slope, -0.220_681_516_357);
        near(fit.error.unwrap(), 0.004_492_492_815);
        let decay: Vec<Point> = exact.iter().map(|point| Point { x: point.x.ln(), ..*point }).collect();
        near(Fit::of(&decay, Scale::Decay).unwrap().slope, -0.220_681_516_357);
        let growth: Vec<Point> = exact.iter().map(|point| Point { y: point.y.ln(), ..*point }).collect();
        near(Fit::of(&growth, Scale::Growth).unwrap().slope, -0.220_681_516_357);
    }

    #[test]
    fn a_line_through_nothing_is_none() {
        let point = |x: f64, y: f64| Point { x, y, error: 0.0 };
        assert_eq!(Fit::of(&[], Scale::Power), None);
        assert_eq!(Fit::of(&[point(1.0, 1.0)], Scale::Power), None);
        assert_eq!(Fit::of(&[point(1.0, 1.0), point(1.0, 2.0)], Scale::Power), None);
        assert_eq!(Fit::of(&[point(1.0, 1.0), point(2.0, 0.0)], Scale::Power), None);
        let two = Fit::of(&[point(1.0, 1.0), point(4.0, 2.0)], Scale::Power).unwrap();
        near(two.slope, 0.5);
        assert_eq!(two.error, None);
    }

    #[test]
    fn a_mean_has_the_error_of_its_draws() {
        let mean = Drawn::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        near(mean.mean, 2.5);
        near(mean.error, (5.0_f64 / 12.0).sqrt());
        near(mean.largest, 4.0);
        assert_eq!(Drawn::of(&[]), None);
        near(Drawn::of(&[3.0]).unwrap().error, 0.0);
    }
}
