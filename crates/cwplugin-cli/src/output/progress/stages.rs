//! What a progress line says: stage, fraction and time left.

use std::time::Duration;

use crate::output::width::shortened;

/// Nothing is shown earlier.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// Characters of a bar.
const BAR: usize = 24;

/// The current stage of the work. Times are measured from the start of the program.
#[derive(Debug, Default)]
pub(super) struct Stages {
    stage: Option<Stage>,
}

#[derive(Debug)]
struct Stage {
    name: &'static str,
    began: Duration,
    done: u64,
    /// The number of steps or bytes, if it is known.
    total: Option<u64>,
    /// More about what is done.
    detail: String,
}

impl Stages {
    /// Begins a stage of so many steps; the one before it ends.
    pub(super) fn begin(&mut self, name: &'static str, total: Option<u64>, now: Duration) {
        let total = total.filter(|total| *total > 0);
        self.stage = Some(Stage { name, began: now, done: 0, total, detail: String::new() });
    }

    /// So many steps are done; threads may say so out of order.
    pub(super) fn done(&mut self, done: u64) {
        if let Some(stage) = &mut self.stage {
            stage.done = stage.done.max(done);
        }
    }

    /// So much of a file was read.
    pub(super) fn read(&mut self, (bytes, total): (u64, Option<u64>), rows: usize) {
        if let Some(stage) = &mut self.stage {
            (stage.done, stage.total) = (bytes, total.filter(|total| *total > 0));
            stage.detail = format!("{rows} rows");
        }
    }

    /// Ends the work.
    pub(super) fn end(&mut self) {
        self.stage = None;
    }

    /// The line at a time, in at most `width` columns; `None` if there is nothing to show yet.
    pub(super) fn line(&self, now: Duration, width: usize) -> Option<String> {
        let stage = self.stage.as_ref().filter(|_| now >= PATIENCE)?;
        let elapsed = now.saturating_sub(stage.began);
        let mut parts = vec![stage.name.to_string()];
        if let Some(total) = stage.total {
            let share = (stage.done as f64 / total as f64).clamp(0.0, 1.0);
            parts.push(bar(share));
            parts.push(format!("{:.0}%", (100.0 * share).floor()));
        }
        if !stage.detail.is_empty() {
            parts.push(stage.detail.clone());
        }
        parts.push(match stage.left(elapsed) {
            Some(left) => format!("{} left", time(left)),
            None => time(elapsed),
        });
        Some(shortened(&parts.join("  "), width))
    }
}

impl Stage {
    /// The time left at the speed so far.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let total = self.total.filter(|_| self.done > 0)?;
        let share = (total.saturating_sub(self.done)) as f64 / self.done as f64;
        Some(elapsed.mul_f64(share.min(1e6)))
    }
}

fn bar(share: f64) -> String {
    #[allow(clippy::cast_sign_loss)] // a share is not negative
    let full = (share * BAR as f64).floor() as usize;
    "━".repeat(full) + &"─".repeat(BAR - full)
}

/// A time in words; seconds are rounded up, since 0 s is never left.
fn time(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000).max(1);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn nothing_is_shown_before_half_a_second_or_without_work() {
        let mut stages = Stages::default();
        assert_eq!(stages.line(at(9.0), 80), None);
        stages.begin("fitting", None, at(0.0));
        assert_eq!(stages.line(at(0.49), 80), None);
        assert_eq!(stages.line(at(0.5), 80).as_deref(), Some("fitting  1 s"));
        stages.end();
        assert_eq!(stages.line(at(1.0), 80), None);
    }

    #[test]
    fn a_stage_shows_its_fraction_and_the_time_left() {
        let mut stages = Stages::default();
        stages.begin("cross-validating", Some(20), at(1.0));
        assert_eq!(
            stages.line(at(2.0), 80).unwrap(),
            format!("cross-validating  {}  0%  1 s", "─".repeat(24))
        );
        stages.done(5);
        stages.done(4); // another thread, later
        let bar = "━".repeat(6) + &"─".repeat(18);
        assert_eq!(stages.line(at(3.0), 80).unwrap(), format!("cross-validating  {bar}  25%  6 s left"));
        assert!(stages.line(at(3.0), 20).unwrap().ends_with('…'));
        stages.begin("refitting", None, at(9.0));
        assert_eq!(stages.line(at(12.0), 80).unwrap(), "refitting  3 s", "each stage has its own time");
    }

    #[test]
    fn a_file_shows_its_rows_and_a_stream_has_no_end() {
        let mut stages = Stages::default();
        stages.begin("reading", None, at(0.0));
        stages.read((50, Some(100)), 7);
        let line = stages.line(at(10.0), 80).unwrap();
        assert!(line.ends_with("50%  7 rows  10 s left"), "{line}");
        stages.read((50, None), 8);
        assert_eq!(stages.line(at(90.0), 80).unwrap(), "reading  8 rows  1 min 30 s");
        assert_eq!(time(at(7322.0)), "2 h 02 min");
    }
}
