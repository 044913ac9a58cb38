//! Lists of alternatives and of scores: the quick readers and the general parser agree.

#![no_main]

use cwplugin_replies::fuzzing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|list: &str| {
    fuzzing::alternatives_agree(list);
    fuzzing::scores_agree(list);
});
