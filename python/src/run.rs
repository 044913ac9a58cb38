//! Long work: on threads of its own, without the interpreter's lock, until it is done or the user has had enough.

use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How soon a Ctrl-C is seen.
const TICK: Duration = Duration::from_millis(50);

/// What work and the thread that waits for it tell each other.
#[derive(Default)]
pub(crate) struct Watch {
    is_stopped: AtomicBool,
    failure: Mutex<Option<PyErr>>,
    stage: Mutex<&'static str>,
    done: AtomicUsize,
    total: AtomicUsize,
}

/// What unwinds the work when it is stopped.
struct Stopped;

impl Watch {
    /// Ends the work here if it is not wanted any more. Unwinding is the one way out of any loop, on any thread; nothing
    /// of the work is looked at again.
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

    /// What is done now, in so many steps.
    pub(crate) fn begin(&self, stage: &'static str, total: usize) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn done(&self, done: usize) {
        self.check();
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    fn words(&self, elapsed: Duration) -> String {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = elapsed.as_secs();
        match self.total.load(Ordering::Relaxed) {
            0 => format!("[cwplugin] {stage}: {seconds} s"),
            total => {
                format!("[cwplugin] {stage}: {} of {total}, {seconds} s", self.done.load(Ordering::Relaxed))
            }
        }
    }
}

/// Where the work is done, and who is told of it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Means {
    /// Threads; `None` for one per processor.
    pub(crate) jobs: Option<usize>,
    /// Whether progress is printed.
    pub(crate) is_verbose: bool,
}

/// Does the work on other threads while this one looks out for Ctrl-C.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    means: Means,
    watch: &Watch,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = pool(means.jobs)?;
    let begun = Instant::now();
    let result = py.detach(|| {
        pool.in_place_scope(|scope| {
            let (done, wait) = sync_channel(1);
            scope.spawn(move |_| {
                let _ = done.send(panic::catch_unwind(AssertUnwindSafe(work)));
            });
            let mut said = Duration::ZERO;
            loop {
                match wait.recv_timeout(TICK) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is for one lifetime
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    watch.stop(error);
                }
                let elapsed = begun.elapsed();
                // Ever more seldom: a line a second would fill the screen of whoever waits for an hour.
                if means.is_verbose && elapsed > said + Duration::from_secs(1).max(said / 2) {
                    said = elapsed;
                    say(&watch.words(elapsed));
                }
            }
        })
    });
    if let Some(error) = watch.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    match result {
        Some(Ok(value)) => Ok(value),
        Some(Err(panic)) => panic::resume_unwind(panic),
        None => Err(PyRuntimeError::new_err("the work ended without a result")),
    }
}

/// A line on standard error, through Python, so that notebooks show it.
fn say(line: &str) {
    let said = Python::attach(|py| -> PyResult<()> {
        let stderr = py.import("sys")?.getattr("stderr")?;
        stderr.call_method1("write", (format!("{line}\n"),))?;
        stderr.call_method0("flush").map(drop)
    });
    if said.is_err() {
        let _ = writeln!(std::io::stderr(), "{line}"); // whoever took sys.stderr away may still want to know
    }
}

/// Threads for this process. Those of rayon itself do not outlive a fork, and whoever waits for them would wait for ever.
fn pool(jobs: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<Vec<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(Vec::new());
    let threads = jobs.unwrap_or(0); // 0 is rayon's word for one per processor
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
            std::mem::forget(known); // its threads are the parent's: nobody here can end them
        }
    }
    pools.push((process, threads, Arc::clone(&pool)));
    Ok(pool)
}
