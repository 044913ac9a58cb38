//! Quantiles of sorted values.

/// The quantile of sorted values, with linear interpolation as in NumPy's default; `None` for an empty slice.
///
/// `share` is from 0 (the smallest value) to 1 (the largest).
#[allow(clippy::cast_sign_loss)] // positions are not negative
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * (sorted.len().checked_sub(1)? as f64);
    let low = position.floor();
    let (below, above) = (sorted[low as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * (position - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[0.0, 1.0, 2.0], 0.25), Some(0.5));
        assert_eq!(quantile(&[3.0], 0.975), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
