//! The program `cwplugin`: adapt a classifier that you can only query.

use std::process::ExitCode;

fn main() -> ExitCode {
    cwplugin_cli::main(std::env::args_os())
}
