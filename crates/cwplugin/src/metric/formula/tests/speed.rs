use std::hint::black_box;
use std::time::Instant;

use super::*;

/// `cargo test --release -p cwplugin --lib -- --ignored --nocapture nanoseconds_per_evaluation`
#[test]
#[ignore = "a measurement"]
fn nanoseconds_per_evaluation() {
    let classes: Vec<String> = (0..10).map(|k| format!("c{k}")).collect();
    let c = Confusion::from_cells(10, |i, j| if i == j { 50.0 } else { ((3 * i + 5 * j) % 7) as f64 });
    for text in [
        "2*tp[c1]/(2*tp[c1]+fp[c1]+5*fn[c1])",
        "mean(f1)",
        "mean(5*tp/(4*support+predicted))",
        "(n*sum(tp)-sum(support*predicted))/(sqrt(n^2-sum(predicted^2))*sqrt(n^2-sum(support^2)))",
        "floor=0.2; gap=max(recall)-min(recall); mean(if(recall>floor, f1, 0))-gap/4",
    ] {
        let formula = Formula::new(text, &classes).unwrap();
        let times = 1_000_000;
        // The fastest of several runs has the least interference from other processes.
        let best = (0..5).map(|_| {
            let start = Instant::now();
            for _ in 0..times {
                black_box(formula.score(black_box(&c)));
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
        });
        println!("{:6.0} ns  {text}", best.fold(f64::INFINITY, f64::min));
    }
}
