//! Tables with cells, headers and forms that need a clear message, or are read although they are odd.

use crate::support::Folder;

fn fit<'a>(folder: &Folder, table: &str) -> [&'a str; 2] {
    folder.write("t.csv", table);
    ["fit", "t.csv"]
}

#[test]
fn cells_without_a_value_are_missing_however_they_are_written() {
    let folder = Folder::new();
    for text in ["NA", "N/A", "null", "NULL", "None", "\\N", ""] {
        let args =
            fit(&folder, &format!("label,p_a,p_b,p_c\na,{text},0.2,0.7\nb,0.1,0.8,0.1\nc,0.1,0.1,0.8\n"));
        let written = if text.is_empty() { String::new() } else { format!(": {text}") };
        let error = format!("t.csv: row 1, column \"p_a\": the value is missing{written}");
        folder.refuses(&args, &error, "use --missing spread");
        folder.ok(&[&args[..], &["--missing", "spread"]].concat());
    }
    let args = fit(&folder, "label,p_a,p_b\na,0.7,0.3\nb,,\n");
    let error = "t.csv: row 2, columns \"p_a\", \"p_b\": every value is missing";
    folder.refuses(&[&args[..], &["--missing", "spread"]].concat(), error, "fill one in, or drop the row");
    // What is listed is not divided by a sum that is far off.
    let args = fit(&folder, "label,p_a,p_b,p_c\na,0.9,0.8,\nb,0.1,0.8,\n");
    let error = "t.csv: row 1, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.7, not to 1";
    folder.refuses(&[&args[..], &["--missing", "spread"]].concat(), error, "--normalize");
    folder.ok(&[&args[..], &["--missing", "spread", "--normalize"]].concat());
    let args = fit(&folder, "label,p_a,p_b,p_c\na,70,20,\nb,10,85,\n");
    let error = "t.csv: row 1, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 90, not to 1";
    folder.refuses(
        &[&args[..], &["--missing", "spread"]].concat(),
        error,
        "for percentages add --scores percentages",
    );
    folder.ok(&[&args[..], &["--missing", "spread", "--scores", "percentages"]].concat());
}

#[test]
fn a_quote_that_is_not_closed_swallows_no_rows() {
    let folder = Folder::new();
    let args = fit(&folder, "label,p_a,p_b,text\na,0.7,0.3,x\nb,0.2,0.8,\"y\na,0.7,0.3,z\n");
    folder.refuses(&args, "t.csv: row 2: a quote is not closed", "close it");
    let args = fit(&folder, "label,p_a,\"p_b\na,0.7,0.3\n");
    folder.refuses(&args, "t.csv: header: a quote is not closed", "close it");
    folder.ok(&fit(&folder, "label,p_a,p_b,text\na,0.7,0.3,x\nb,0.2,0.8,\"y\n\"\"z\"\"\""));
}

#[test]
fn json_is_recognised_in_a_table_of_another_name() {
    let folder = Folder::new();
    let json = "{\"label\":\"a\",\"p_a\":0.7,\"p_b\":0.3}\r\n{\"label\":\"b\",\"p_a\":0.2,\"p_b\":0.8}\r\n";
    for text in
        [json.to_owned(), format!("\u{feff}{json}"), format!("\u{feff}\n\n{json}"), format!("[{json}")]
    {
        folder.refuses(
            &fit(&folder, &text),
            "t.csv: looks like a JSON lines file, not CSV",
            "--format jsonl",
        );
    }
    fit(&folder, &format!("\u{feff}{json}"));
    folder.ok(&["fit", "t.csv", "--format", "jsonl"]);
}

#[test]
fn spreadsheets_and_tables_without_a_header_are_named() {
    let folder = Folder::new();
    folder.write("t.xlsx", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml");
    folder.refuses(&["fit", "t.xlsx"], "t.xlsx: is a spreadsheet (xlsx)", "save it as CSV");
    let args = fit(&folder, "a,0.7,0.3\nb,0.2,0.8\n");
    folder.refuses(&args, "t.csv: first line looks like data (a, 0.7, 0.3)", "add a header line");
}

#[test]
fn columns_that_cannot_be_classes_are_named_with_their_value() {
    let folder = Folder::new();
    let args = fit(&folder, "label,a,b\na,70%,30%\nb,20%,80%\n");
    let error = "t.csv: row 1, column \"a\": \"70%\" is not a number";
    folder.refuses(&args, error, "remove the percent signs");
    let args = fit(&folder, "label,x,y\na,70%,30%\nb,20%,80%\n");
    folder.refuses(&args, "t.csv: column \"x\": \"70%\" is not a number", "remove the percent signs");
    let args = fit(&folder, "label,probs\na,\"[0.7, 0.3]\"\n");
    folder.refuses(&args, "t.csv: column \"probs\": \"[0.7, 0.3]\" is not a number", "one column per class");
    // A column that is named after a label is a class, also if its first cell is broken.
    let args = fit(&folder, "label,a,b\na,oops,0.3\nb,0.2,0.8\n");
    folder.refuses(
        &args,
        "t.csv: row 1, column \"a\": \"oops\" is not a number",
        "class columns must hold numbers",
    );
    let args = fit(&folder, "label,a,b\na,0,0\nb,0.2,0.8\n");
    let error = "t.csv: row 1, columns \"a\", \"b\": the values sum to 0, not to 1";
    folder.refuses(&args, error, "drop the row");
}

#[test]
fn a_percentage_above_100_is_named() {
    let folder = Folder::new();
    let args = fit(&folder, "label,p_spam\nham,20\nspam,100.5\n");
    let error = "t.csv: row 2, column \"p_spam\": percentage 100.5 is above 100";
    folder.refuses(&[&args[..], &["--scores", "percentages"]].concat(), error, "correct the number");
}

/// A hint that names columns names those of the labels, not whatever is numeric.
#[test]
fn suggested_classes_are_those_of_the_labels() {
    let folder = Folder::new();
    let args = fit(&folder, "label,ham,spam,total\nham,3,2,5\nspam,0,5,5\n");
    let error = "t.csv: which of the columns \"ham\", \"spam\", \"total\" are classes is not certain";
    folder.refuses(&[&args[..], &["--from", "votes"]].concat(), error, "for example --classes ham,spam");
    let args = fit(&folder, "label,votes_ham,votes_spam\nham,3,2\nspam,0,5\n");
    let error = "t.csv: which of the columns \"votes_ham\", \"votes_spam\" are classes is not certain";
    folder.refuses(&[&args[..], &["--from", "votes"]].concat(), error, "--prefix votes_");
    folder.ok(&[&args[..], &["--from", "votes", "--prefix", "votes_"]].concat());
    let args = fit(&folder, "user_id,age,label,ham,spam\n1,33,ham,7.5,3\n2,44,spam,2,9\n");
    let error =
        "t.csv: which of the columns \"user_id\", \"age\", \"ham\", \"spam\" are classes is not certain";
    folder.refuses(&[&args[..], &["--normalize"]].concat(), error, "for example --classes ham,spam");
    // Columns that are exactly the labels are the classes, and the row that is off is named.
    let args = fit(&folder, "label,a,b,c\na,60.1,20.1,19\nb,10,80,0\nc,1,2,97\n");
    let error = "t.csv: row 2, columns \"a\", \"b\", \"c\": the percentages sum to 90, not to 100";
    folder.refuses(&args, error, "--normalize instead of --scores divides");
    folder.ok(&[&args[..], &["--normalize"]].concat());
    let args = fit(&folder, "y,score\n1,0.7\n0,0.2\n");
    let run = folder.run(&[&args[..], &["--label", "y", "--classes", "0,1"]].concat());
    assert!(run.code == 1 && run.stderr.contains("name its class, e.g. --positive 1"), "{}", run.stderr);
}

#[test]
fn a_map_of_labels_needs_a_header() {
    let folder = Folder::new().with("map.csv", "x,a\ny,b\n");
    let args = fit(&folder, "label,p_a,p_b\nx,0.7,0.3\ny,0.2,0.8\n");
    let error = "map.csv: the first line names class \"a\", but it must be a header";
    folder.refuses(&[&args[..], &["--label-map", "map.csv"]].concat(), error, "`label,class`");
    folder.write("map.csv", "label,class\nx,a\ny,b\n");
    folder.ok(&[&args[..], &["--label-map", "map.csv"]].concat());
}
