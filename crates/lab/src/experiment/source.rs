//! The source of a task's rows, with a hash that identifies it.

use std::fs;
use std::path::Path;

use cwplugin::Sample;
use serde_json::{Value, json};

use super::tasks::Rows;

impl Rows {
    /// The file, or the parameters of the generator.
    pub(super) fn source(&self, folder: &Path, samples: [&Sample; 2]) -> anyhow::Result<Value> {
        let Self::Generated(law) = self else {
            let file = self.file().unwrap_or_default();
            let bytes = fs::read(folder.join(file))?;
            return Ok(json!({"file": file, "bytes": bytes.len(), "fnv": fnv(bytes.iter().copied())}));
        };
        let bytes = samples.into_iter().flat_map(|sample| {
            let probabilities = sample.probabilities();
            let numbers =
                (0..sample.n_rows()).flat_map(|row| probabilities.row(row).flat_map(f64::to_le_bytes));
            numbers.chain(sample.codes().flat_map(u32::to_le_bytes))
        });
        Ok(json!({
            "generated": {
                "stream": law.stream, "classes": law.classes, "dimensions": law.dimensions, "spread": law.spread,
                "source": law.source, "target": law.target, "slope": law.slope,
            },
            "fnv": fnv(bytes),
        }))
    }
}

/// FNV-1a, which is enough to distinguish two files.
fn fnv(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
