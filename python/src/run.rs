//! Long work: on threads of its own, without the interpreter's lock, until it is done or interrupted.

use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cwplugin::report::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How soon a Ctrl-C is seen.
const TICK: Duration = Duration::from_millis(50);

/// Fewer rows are counted and fitted sooner than another thread starts.
pub(crate) const FEW_ROWS: usize = 2_000;

/// What work and the thread that waits for it tell each other.
#[derive(Default)]
pub(crate) struct Monitor {
    is_stopped: AtomicBool,
    failure: Mutex<Option<PyErr>>,
    stage: Mutex<&'static str>,
    done: AtomicUsize,
    total: AtomicUsize,
}

/// What unwinds the work when it is stopped.
struct Stopped;

impl Monitor {
    /// Ends the work here if it was interrupted. Unwinding is the one way out of any loop, on any thread; nothing of the
    /// work is used afterwards.
    pub(crate) fn check(&self) {
        if self.is_stopped.load(Ordering::Relaxed) {
            panic::resume_unwind(Box::new(Stopped));
        }
    }

    /// Ends the work on all threads because of this.
    pub(crate) fn fail(&self, error: PyErr) -> ! {
        self.stop(error);
        panic::resume_unwind(Box::new(Stopped))
    }

    fn stop(&self, error: PyErr) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// A stage of so many steps begins.
    pub(crate) fn begin(&self, stage: &'static str, total: usize) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn done(&self, done: usize) {
        self.check();
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    fn message(&self, elapsed: Duration) -> String {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = elapsed.as_secs();
        match self.total.load(Ordering::Relaxed) {
            0 => format!("[cwplugin] {stage}: {seconds} s"),
            total => {
                let percent = 100 * self.done.load(Ordering::Relaxed) / total;
                format!("[cwplugin] {stage}: {percent}%, {seconds} s")
            }
        }
    }
}

/// The stages of the library's work.
impl Progress for Monitor {
    fn begin(&self, stage: &'static str, steps: usize) {
        Self::begin(self, stage, steps);
    }
    fn done(&self, steps: usize) {
        Self::done(self, steps);
    }
}

/// Where the work is done, and whether progress is printed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RunOptions {
    /// Threads; `None` for one per processor.
    pub(crate) jobs: Option<usize>,
    /// Whether progress is printed.
    pub(crate) is_verbose: bool,
    /// Whether the work is done sooner than another thread starts, and calls no Python.
    pub(crate) is_short: bool,
}

/// Does the work on other threads while this one looks out for Ctrl-C; short work is done on this one.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    options: RunOptions,
    monitor: &Monitor,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if options.is_short {
        return Ok(py.detach(work));
    }
    let pool = pool(options.jobs)?;
    let started = Instant::now();
    let result = py.detach(|| {
        pool.in_place_scope(|scope| {
            let (done, wait) = sync_channel(1);
            scope.spawn(move |_| {
                let _ = done.send(panic::catch_unwind(AssertUnwindSafe(work)));
            });
            let mut last_print = Duration::ZERO;
            loop {
                match wait.recv_timeout(TICK) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is for one lifetime
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    monitor.stop(error);
                }
                let elapsed = started.elapsed();
                // Less and less often: a line a second would fill the screen within an hour.
                if options.is_verbose && elapsed > last_print + Duration::from_secs(1).max(last_print / 2) {
                    last_print = elapsed;
                    print_line(&monitor.message(elapsed));
                }
            }
        })
    });
    if let Some(error) = monitor.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    match result {
        Some(Ok(value)) => Ok(value),
        Some(Err(panic)) => panic::resume_unwind(panic),
        None => Err(PyRuntimeError::new_err("the work ended without a result")),
    }
}

/// A line on standard error, through Python, so that notebooks show it.
fn print_line(line: &str) {
    let printed = Python::attach(|py| -> PyResult<()> {
        let stderr = py.import("sys")?.getattr("stderr")?;
        stderr.call_method1("write", (format!("{line}\n"),))?;
        stderr.call_method0("flush").map(drop)
    });
    if printed.is_err() {
        let _ = writeln!(std::io::stderr(), "{line}"); // sys.stderr may be None
    }
}

/// Threads for this process. Those of rayon itself do not survive a fork, and waiting for them would never end.
fn pool(jobs: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<Vec<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(Vec::new());
    let threads = jobs.unwrap_or(0); // 0 means one per processor to rayon
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, pool)) = pools.iter().find(|(of, size, _)| (*of, *size) == (process, threads)) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("cwplugin-{i}")).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    for (of, size, known) in std::mem::take(&mut *pools) {
        if of == process {
            pools.push((of, size, known));
        } else {
            std::mem::forget(known); // its threads belong to the parent process and cannot be joined here
        }
    }
    pools.push((process, threads, Arc::clone(&pool)));
    Ok(pool)
}
