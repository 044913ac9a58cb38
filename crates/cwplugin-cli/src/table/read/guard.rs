//! Other people's panics become errors.
//!
//! arrow-ipc 59 unwraps while it reads: a negative block length in a damaged footer, an unknown type in a
//! damaged schema (`read_block` and `fb_to_schema` in its sources). parquet 59 asserts: the width of the numbers
//! in a damaged page (`BitReader::get_batch`). Our users' files are damaged now and then, and a refusal is what
//! they deserve.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::super::refuse;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `call`, whose errors and panics both mean that the file is damaged.
pub(super) fn decode<T, E: Error + 'static>(
    name: &str,
    title: &str,
    call: impl FnOnce() -> Result<T, E>,
) -> anyhow::Result<T> {
    match guarded(call) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(err)) => Err(refuse::damaged(name, title, &err)),
        Err(panic) => Err(refuse::damaged_because(name, title, &panic)),
    }
}

/// Runs `call`; a panic in it is returned as its message, and nothing is printed.
///
/// After an error the decoder's state is unknown: the caller gives up the file.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                usual(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(outer);
    outcome.map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.and_then(|text| text.lines().next()).unwrap_or("its content contradicts itself").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_returned_as_its_message() {
        assert_eq!(guarded(|| 1), Ok(1));
        assert_eq!(guarded(|| panic!("broken\nbadly")), Err::<(), _>("broken".to_owned()));
        assert!(!GUARDED.get());
    }
}
