//! `cwplugin report`: one page; what it looks like in a browser is tested in `python/tests/page`.

use crate::support::Folder;
use crate::support::samples::{csv, rows};

fn page(folder: &Folder, flags: &[&str]) -> String {
    folder.ok(&[&["report", "model.json", "data.csv", "-o", "report.html"], flags].concat());
    folder.text("report.html")
}

#[test]
fn the_page_needs_no_other_file_and_is_the_same_each_time() {
    let folder = Folder::with_model();
    let html = page(&folder, &[]);
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    for outside in ["src=", "<link", "@import", "url(", "http://"] {
        let places = html
            .match_indices(outside)
            .filter(|(at, _)| !html[*at..].starts_with("http://www.w3.org/2000/svg"));
        assert_eq!(places.count(), 0, "{outside}");
    }
    assert_eq!(html, page(&folder, &[]));
    // The command on the page is different.
    let told =
        |html: &str| html[html.find("<main").unwrap()..html.find("id=\"reproduce\"").unwrap()].to_string();
    assert_eq!(told(&html), told(&page(&folder, &["--threads", "1"])));
}

#[test]
fn json_is_that_of_eval_and_names_the_page() {
    let folder = Folder::with_model();
    let mut told = folder.ok(&["report", "model.json", "data.csv", "-o", "report.html", "--json"]).json();
    assert_eq!(told.as_object_mut().unwrap().remove("report"), Some("report.html".into()));
    assert_eq!(told, folder.ok(&["eval", "model.json", "data.csv", "--json"]).json());
}

#[test]
fn without_a_file_the_page_goes_to_standard_output() {
    let folder = Folder::with_model();
    let printed = folder.ok(&["report", "model.json", "data.csv"]).text();
    assert!(printed.starts_with("<!doctype html>"));
}

#[test]
fn what_is_left_out_is_said() {
    let html = page(&Folder::with_model(), &[]);
    assert!(html.contains("Learning curve: the model file contains no fit report."));
}

#[test]
fn two_documents_do_not_share_a_stream_and_inputs_are_not_replaced() {
    let folder = Folder::with_model();
    let report = |flags: &[&'static str]| [&["report", "model.json"], flags].concat();
    let both = "--json and the page both write to standard output";
    folder.run(&report(&["data.csv", "--json"])).refused(2, both, "-o report.html");
    let both = "DATA and --test both read standard input";
    folder.run(&report(&["-", "--test", "-", "-o", "r.html"])).refused(
        2,
        both,
        "write one of them to a file",
    );
    for (file, what) in [("data.csv", "the table"), ("model.json", "the model")] {
        let error = format!("-o {file}: would overwrite {what}");
        folder.run(&["report", "model.json", "data.csv", "-o", file]).refused(
            2,
            &error,
            "write to another file",
        );
    }
    assert_ne!(folder.run(&report(&["data.csv", "-o", "no/report.html"])).code, 0);
    for flag in ["--label", "--features"] {
        let run = folder.run(&report(&["data.csv", "--test", "data.csv", "-o", "r.html", flag, "one.npy"]));
        run.refused(2, "one.npy: cannot be used for both DATA and --test", "columns of both tables");
    }
}

#[test]
fn rows_without_labels_or_for_other_classes_are_refused() {
    let folder = Folder::with_model()
        .with("bare.csv", "label,p_a,p_b,p_c\n,0.5,0.3,0.2\n")
        .with("other.csv", "label,p_a,p_b\na,0.5,0.5\n");
    let run = folder.run(&["report", "model.json", "bare.csv", "-o", "r.html"]);
    assert!(run.code == 1 && run.stderr.contains("bare.csv"), "{}", run.stderr);
    let run = folder.run(&["report", "model.json", "data.csv", "--test", "other.csv", "-o", "r.html"]);
    assert!(run.code == 1 && run.stderr.contains("other.csv"), "{}", run.stderr);
    assert_eq!(folder.names(), ["bare.csv", "data.csv", "model.json", "other.csv"], "nothing is left behind");
}

#[test]
fn the_commands_of_the_page_carry_the_flags_of_the_table() {
    let rows = "A;1;0.7;0.3\nB;2;0.6;0.4\nB;1;0.2;0.8\n".repeat(8);
    let folder = Folder::new().with("odd name.csv", format!("truth;w;A;B\n{rows}"));
    let table = ["--label", "truth", "--classes", "A,B", "--weight", "w", "--delimiter", ";"];
    let fit =
        ["fit", "odd name.csv", "--method", "ascent", "--metric", "mcc", "--seed", "7", "-o", "model.json"];
    folder.ok(&[&fit[..], &table].concat());
    let report = ["report", "model.json", "odd name.csv", "-o", "report.html", "--refits", "2"];
    folder.ok(&[&report[..], &table].concat());
    let html = folder.text("report.html");
    let commands = html.split("<pre id=\"commands\"").nth(1).unwrap().split("</pre>").next().unwrap();
    let fit = "cwplugin fit 'odd name.csv' --label truth --classes 'A,B' --weight w --delimiter ';' --method ascent \
               --metric mcc --seed 7 -o model.json";
    assert!(commands.replace("&#x27;", "'").contains(fit), "{commands}");
    assert!(html.contains("reproduced this model exactly"));
}

/// The part of a page with this id, as a text without its tags.
fn section(html: &str, id: &str) -> String {
    let part =
        html.split(&format!("<section id=\"{id}\"")).nth(1).unwrap().split("</section>").next().unwrap();
    let text: Vec<&str> = part.split('<').filter_map(|piece| piece.split('>').nth(1)).collect();
    text.concat().replace("&#x27;", "'").replace("&gt;", ">").replace("&quot;", "\"")
}

fn fitted(flags: &[&str]) -> Folder {
    let folder = Folder::new().with("data.csv", csv(&rows(60, 1))).with("other.csv", csv(&rows(60, 2)));
    folder.ok(&[&["fit", "data.csv", "-o", "model.json", "--id", "w,x,y"], flags].concat());
    folder
}

#[test]
fn rows_that_give_another_model_have_no_command_for_this_one() {
    let folder = fitted(&["--method", "ascent"]);
    let html = folder.ok(&["report", "model.json", "other.csv", "--refits", "5"]).text();
    assert!(!section(&html, "reproduce").contains("cwplugin fit"));
    assert!(section(&html, "data").contains("a refit gives another model"));
    let html = page(&folder, &["--refits", "5"]);
    assert!(section(&html, "reproduce").contains("reproduced this model exactly"));
    assert!(section(&html, "verdict").contains("The model was fitted on these rows"));
    let html = page(&folder, &["--refits", "0"]);
    assert!(section(&html, "reproduce").contains("was not checked"));
}

#[test]
fn the_command_of_a_model_on_features_names_them() {
    let folder = fitted(&["--method", "logistic", "--features", "x,y"]);
    let html = page(&folder, &["--refits", "5"]);
    let told = section(&html, "reproduce");
    assert!(told.contains("--features 'x,y'") && told.contains("reproduced this model exactly"), "{told}");
    assert!(section(&html, "data").contains("this method learns a calibration map instead"));
}

#[test]
fn the_choice_of_auto_is_explained_with_what_was_tried() {
    let folder = fitted(&[]);
    let html = page(&folder, &["--refits", "0"]);
    let told = section(&html, "verdict");
    let printed = folder.ok(&["fit", "data.csv", "--id", "w,x,y"]).text();
    let plain = |text: &str| text.replace('−', "-").split_whitespace().collect::<Vec<_>>().join(" ");
    let explanation =
        printed.split("\n\n").find(|part| part.contains("estimated gain of") || part.starts_with("Chose"));
    let explanation = explanation.unwrap_or_else(|| panic!("{printed}"));
    assert!(plain(&told).contains(&plain(explanation)), "{explanation}\n{told}");
    for method in ["unadjusted", "expected", "cwplugin:last", "cwplugin:best", "ascent"] {
        assert!(html.contains(&format!("<th scope=\"row\">{method}")), "{method}");
    }
    assert_eq!(html.matches("<i>chosen</i>").count(), 1);
    // Other methods are not chosen by anybody.
    let html = page(&fitted(&["--method", "ascent"]), &["--refits", "0"]);
    assert!(!html.contains("id=\"why\"") && !html.contains("id=\"candidate-table\""));
}

#[test]
fn a_metric_that_is_not_shown_is_not_said_to_be() {
    let folder = fitted(&["--method", "clean"]).with("costs.csv", "0,1,2\n3,0,1\n1,1,0\n");
    folder.ok(&["fit", "data.csv", "--method", "ascent", "--metric", "cost:costs.csv", "-o", "model.json"]);
    let html = page(&folder, &["--refits", "0"]);
    assert!(section(&html, "verdict").contains("cost:costs.csv, is not among the metrics of this page"));
    assert!(section(&html, "verdict").contains("If the model was fitted on these rows"));
    assert!(!html.contains("(optimised)"));
    let html = page(&folder, &["--refits", "0", "--metric", "all,cost:costs.csv"]);
    assert!(
        html.contains("cost:costs.csv (optimised)")
            && !section(&html, "verdict").contains("is not among the metrics")
    );
}

#[test]
fn an_edited_report_is_not_an_error() {
    let folder = fitted(&["--method", "bagged", "--n-bootstrap", "5"]);
    let mut model = folder.json("model.json");
    model["fit"]["spread"].as_array_mut().unwrap().truncate(1);
    model["fit"]["metric"] = "no-such-metric".into();
    folder.write("model.json", model.to_string());
    let html = page(&folder, &[]);
    assert!(section(&html, "verdict").contains("no-such-metric, is not among the metrics of this page"));
}
