//! Every kind of input: formats, precisions, kinds of numbers, choices of columns.

use crate::same_results::run::{Fit, fit};

pub(crate) fn inputs() -> Vec<Fit> {
    let mut fits = Vec::new();
    for (name, flags) in [
        ("parquet", "three.parquet --weight w"),
        ("jsonl", "three.jsonl --weight w"),
        ("npz", "three.npz"),
        ("semicolon", "three-semicolon.csv"),
    ] {
        for (method, more) in
            [("exact", "--search exact"), ("grid", "--search grid:0.05"), ("bcts", "--method bcts")]
        {
            fits.push(
                fit(format!("{name}/{method}"), format!("{flags} {more}")).applied_to("three-test.csv"),
            );
        }
    }
    for (method, more) in [("exact", "--search exact"), ("published", "--method cwplugin:published")] {
        for kind in ["logits", "logprobs"] {
            let flags = format!("three-{kind}.csv --scores {kind} {more}");
            let test = format!("three-test-{kind}.csv --scores {kind}");
            fits.push(fit(format!("{kind}/{method}"), flags).applied_to(&test));
        }
        fits.push(
            fit(format!("normalize/{method}"), format!("three-counts.csv --normalize {more}"))
                .applied_to("three-test-counts.csv --normalize"),
        );
        fits.push(fit(format!("f32/{method}"), format!("six-f32.parquet {more}")).applied_to("six-test.csv"));
        let flags = format!("six-f32.npy --label six-labels.npy --classes a,b,c,d,e,f {more}");
        fits.push(fit(format!("npy/{method}"), flags).applied_to("six-test.csv"));
        fits.push(fit(
            format!("order/{method}"),
            format!("six.csv --classes f,a,c,b,e,d --prefix p_ {more}"),
        ));
        fits.push(fit(format!("tsv/{method}"), format!("two.tsv --weight w {more}")));
    }
    fits.push(fit("f32/dirichlet", "six-f32.parquet --method dirichlet-diag").applied_to("six-test.csv"));
    fits.push(fit("f32/ascent", "six-f32.parquet --method ascent --weight w").applied_to("six-test.csv"));
    fits.push(fit("f32/probing", "six-f32.parquet --method probing").applied_to("six-test.csv"));
    fits.push(fit("f32/label-shift", "six-f32.parquet --method label-shift").applied_to("six-test.csv"));
    fits.push(fit("f32/expected", "six-f32.parquet --method expected").applied_to("six-test.csv"));
    fits
}
