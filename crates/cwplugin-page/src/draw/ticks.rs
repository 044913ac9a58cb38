//! Positions of ticks.

/// At most `most` round numbers between `low` and `high`, 1, 2 or 5 times a power of ten apart.
pub(crate) fn linear(low: f64, high: f64, most: usize) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) || most == 0 {
        return Vec::new();
    }
    let first_power = (span / most as f64).log10().floor() as i32 - 1;
    for power in first_power..first_power + 5 {
        for mantissa in [1.0, 2.0, 5.0] {
            let step = scaled(mantissa, power);
            // With a tolerance, as 0.3 is not exactly three steps of 0.1.
            let first = (low / step - 1e-9).ceil();
            let last = (high / step + 1e-9).floor();
            let count = last - first + 1.0;
            if count <= most as f64 {
                let ticks =
                    (0..count.max(0.0) as u32).map(|k| scaled((first + f64::from(k)) * mantissa, power));
                return ticks.map(|tick| tick.clamp(low, high)).collect();
            }
        }
    }
    Vec::new()
}

/// At most `most` round numbers between `low > 0` and `high`: 1, 2, 5 of each decade, or whole decades if there are many.
pub(crate) fn log(low: f64, high: f64, most: usize) -> Vec<f64> {
    if !(low > 0.0 && high > low && high.is_finite()) || most == 0 {
        return Vec::new();
    }
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let every = |mantissas: &[f64], stride: i32| -> Vec<f64> {
        (first..=last)
            .filter(|power| power.rem_euclid(stride) == 0)
            .flat_map(|power| mantissas.iter().map(move |&m| scaled(m, power)))
            .filter(|&tick| tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9))
            .map(|tick| tick.clamp(low, high))
            .collect()
    };
    let dense = every(&[1.0, 2.0, 5.0], 1);
    if dense.len() < 3 {
        // Less than a decade: evenly spaced numbers read better.
        return linear(low, high, most);
    }
    if dense.len() <= most {
        return dense;
    }
    // The smallest stride that can be enough; try longer ones until it is.
    let shortest = ((last - first) / most as i32).max(1);
    (shortest..=700).map(|stride| every(&[1.0], stride)).find(|ticks| ticks.len() <= most).unwrap_or_default()
}

/// `mantissa · 10^power`; divides by a power of ten, which is exact where multiplying by 0.1 is not.
fn scaled(mantissa: f64, power: i32) -> f64 {
    if power < 0 { mantissa / 10f64.powi(-power) } else { mantissa * 10f64.powi(power) }
}

/// Which labels to write so that none overlap, `gap` apart; always the last one. `centres` are in increasing order.
pub(crate) fn without_overlap(centres: &[f64], widths: &[f64], gap: f64) -> Vec<bool> {
    let edges: Vec<(f64, f64)> =
        centres.iter().zip(widths).map(|(c, w)| (c - w / 2.0, c + w / 2.0)).collect();
    let Some(&(last_start, _)) = edges.last() else {
        return Vec::new();
    };
    let mut end = f64::NEG_INFINITY;
    let mut kept = Vec::with_capacity(edges.len());
    for (i, &(start, stop)) in edges.iter().enumerate() {
        let keep = i + 1 == edges.len() || (start >= end + gap && stop + gap <= last_start);
        if keep {
            end = stop;
        }
        kept.push(keep);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(linear(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(linear(0.1, 0.3, 5), [0.1, 0.15, 0.2, 0.25, 0.3]);
        assert_eq!(linear(-7.0, 12.0, 5), [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(log(30.0, 1200.0, 8), [50.0, 100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(log(1.0, 1e6, 8), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(log(50.0, 80.0, 4), [50.0, 60.0, 70.0, 80.0]);
    }

    #[test]
    fn an_invalid_range_has_no_ticks() {
        assert!(linear(1.0, 1.0, 5).is_empty());
        assert!(linear(f64::NAN, 1.0, 5).is_empty());
        assert!(log(0.0, 1.0, 5).is_empty());
        assert!(log(1.0, f64::INFINITY, 5).is_empty());
    }

    #[test]
    fn overlapping_labels_are_left_out_but_never_the_last() {
        assert_eq!(
            without_overlap(&[0.0, 5.0, 50.0, 95.0, 100.0], &[10.0; 5], 2.0),
            [true, false, true, false, true]
        );
    }

    fn lawful(ticks: &[f64], low: f64, high: f64, most: usize) -> Result<(), TestCaseError> {
        prop_assert!(ticks.len() <= most);
        prop_assert!(ticks.iter().all(|&t| t >= low && t <= high));
        prop_assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]));
        Ok(())
    }

    proptest! {
        #[test]
        fn linear_ticks_are_inside_increasing_and_few(
            low in -1e6..1e6f64, relative in 1e-8..10.0f64, power in -290i32..290, most in 1usize..12,
        ) {
            let high = low + low.abs().max(1.0) * relative;
            let (low, high) = (low * 10f64.powi(power), high * 10f64.powi(power));
            let ticks = linear(low, high, most);
            lawful(&ticks, low, high, most)?;
            prop_assert!(most < 5 || ticks.len() >= 2, "{ticks:?}");
        }

        #[test]
        fn log_ticks_are_inside_increasing_and_few(
            low in -290.0..290.0f64, decades in 1e-3..10.0f64, most in 1usize..12,
        ) {
            let (low, high) = (10f64.powf(low), 10f64.powf(low + decades));
            let ticks = log(low, high, most);
            lawful(&ticks, low, high, most)?;
            prop_assert!(most < 5 || ticks.len() >= 2, "{ticks:?}");
        }

        #[test]
        fn kept_labels_never_touch(mut centres in prop::collection::vec(0.0..500.0f64, 0..12), width in 5.0..60.0f64) {
            centres.sort_by(f64::total_cmp);
            let kept = without_overlap(&centres, &vec![width; centres.len()], 4.0);
            let shown: Vec<f64> = centres.iter().zip(kept).filter_map(|(&c, keep)| keep.then_some(c)).collect();
            prop_assert!(shown.windows(2).all(|pair| pair[1] - pair[0] >= width + 4.0 - 1e-9));
        }
    }
}
