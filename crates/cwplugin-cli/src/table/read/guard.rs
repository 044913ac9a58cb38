//! Panics of decoders become errors.
//!
//! On damaged files, arrow-ipc 59 unwraps (a negative block length, an unknown type: `read_block`, `fb_to_schema`) and
//! parquet 59 asserts (the bit width in a page: `BitReader::get_batch`).

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::super::errors;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `call`; an error or a panic means that the file is damaged.
pub(super) fn decode<T, E: Error + 'static>(
    name: &str,
    title: &str,
    call: impl FnOnce() -> Result<T, E>,
) -> anyhow::Result<T> {
    match guarded(call) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(err)) => Err(errors::damaged(name, title, &err)),
        Err(panic) => Err(errors::damaged_because(name, title, &panic)),
    }
}

/// Runs `call`; a panic is returned as its message, and nothing is printed. The decoder must not be used afterwards.
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
    text.and_then(|text| text.lines().next()).unwrap_or("its content is inconsistent").to_owned()
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
