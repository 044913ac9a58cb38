#![no_main]
#![allow(missing_docs, unsafe_code)] // libFuzzer calls a function by its name

use cwplugin_fuzz::Door;

libfuzzer_sys::fuzz_target!(init: Door::by_name("formulas").write_inputs(), |input: &[u8]| Door::by_name("formulas").run(input));
