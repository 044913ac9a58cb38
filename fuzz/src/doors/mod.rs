//! The doors.

mod tables;
mod label_files;
mod reply_files;
mod replies;
mod votes;
mod class_maps;
mod lists;
mod models;
mod remembered;
mod statistics;
mod sessions;
mod formulas;
mod metrics;
mod exports;
mod onnx;
mod kernels;

use crate::Door;

/// All doors.
pub const DOORS: [Door; 18] = [
    tables::DOOR,
    label_files::DOOR,
    reply_files::DOOR,
    replies::DOOR,
    votes::DOOR,
    class_maps::DOOR,
    lists::DOOR,
    models::DOOR,
    remembered::DOOR,
    statistics::DOOR,
    statistics::FILES,
    sessions::DOOR,
    formulas::DOOR,
    metrics::DOOR,
    metrics::FILES,
    exports::DOOR,
    onnx::DOOR,
    kernels::DOOR,
];
