//! Ends the program when it is interrupted, with the exit code that shells expect.

/// On Ctrl-C, a termination signal or the loss of the terminal, cleans up and exits with 128 and the number of the signal.
#[cfg(unix)]
pub(crate) fn end_on_signals(clean_up: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // `nohup` lets a program run on when its terminal is closed.
    let wanted =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    // If no handler can be set, the default applies: the program ends, and the next run removes what it leaves.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let end = move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            std::process::exit(128 + signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(end);
}

/// Whether a signal is ignored from the start; known on Linux only.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// On Ctrl-C, cleans up and exits.
#[cfg(not(unix))]
pub(crate) fn end_on_signals(clean_up: impl FnOnce() + Send + 'static) {
    let mut clean_up = Some(clean_up);
    // If no handler can be set, the default applies.
    let _ = ctrlc::set_handler(move || {
        if let Some(clean_up) = clean_up.take() {
            clean_up();
        }
        std::process::exit(130);
    });
}
