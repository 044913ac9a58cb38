//! A program with its child processes, which never outlives us.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Running programs: a signal must kill them, since no destructor runs then.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Interval between checks whether a program has ended.
const PAUSE: Duration = Duration::from_millis(1);

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every running program with its child processes; this program must end next.
pub(crate) fn kill_all() {
    let running = running();
    running.iter().for_each(|&id| system::kill(id));
    // It stays locked, so that no other thread reports a killed program as a failure.
    std::mem::forget(running);
}

/// A process in its own process group; dropping it kills the group.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    status: Option<ExitStatus>,
    is_stopped: bool,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        system::own_group(command);
        let mut running = running(); // locked before the start, so that a signal does not miss it
        let child = command.spawn()?;
        running.push(child.id());
        Ok(Self { child, status: None, is_stopped: false })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the process ends within this time.
    pub(super) fn ends_within(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        loop {
            if self.is_stopped || system::has_ended(&mut self.child) {
                return true;
            }
            if start.elapsed() >= limit {
                return false;
            }
            thread::sleep(PAUSE);
        }
    }

    /// Kills the group if it runs; returns the exit status of the process.
    pub(super) fn stop(&mut self) -> Option<ExitStatus> {
        if self.is_stopped {
            return self.status;
        }
        let mut running = running();
        let id = self.child.id();
        // Before `wait`: until then its id is not reused.
        system::kill(id);
        let _ = self.child.kill(); // usually it has ended already
        self.status = self.child.wait().ok();
        self.is_stopped = true;
        running.retain(|&other| other != id);
        self.status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    pub(super) fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn kill(id: u32) {
        if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL); // the group may be empty
        }
    }

    /// Does not reap the process: its group id is not reused until `wait`.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command};

    // No process groups: child processes of the program may outlive it.
    pub(super) fn own_group(_: &mut Command) {}

    pub(super) fn kill(_: u32) {}

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }
}
