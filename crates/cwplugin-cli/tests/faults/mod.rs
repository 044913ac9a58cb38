//! Faults of the system under every operation that writes: nothing is torn, and nothing acknowledged is lost.
//!
//! `inject.c` is preloaded and makes the n-th call of a kind fail, fall short, or kill the process. `make faults` tries
//! every n for every operation; `make test` a part of them.

#![cfg(target_os = "linux")]

mod injection; // the library, and runs of the program with a fault
mod operations; // what writes, and what it writes
mod outcome; // whole, as before, or wrong
mod by_call; // every call, one after the other
mod by_time; // killed at any moment
mod changed; // inputs that are replaced while they are read
mod table; // the table of `make faults`
