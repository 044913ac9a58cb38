//! What a model remembers about its input, and files of another form than those of the fit.

mod options; // every option: used, confirmed or contradicted
mod forms; // the same rows in another form
mod idle; // flags without an effect

use serde_json::{Value, json};

use crate::support::Folder;

/// A chat completion of these tokens; the first one is chosen.
fn chat(tokens: &[&str], top: &[(&str, f64)]) -> Value {
    let alternatives = |tokens: &[(&str, f64)]| -> Vec<Value> {
        tokens.iter().map(|(token, p)| json!({"token": token, "logprob": p.ln()})).collect()
    };
    let position = |token: &&str| {
        let top = if *token == top[0].0 { alternatives(top) } else { alternatives(&[(token, 1.0)]) };
        json!({"token": token, "logprob": top[0]["logprob"], "top_logprobs": top})
    };
    let content: Vec<Value> = tokens.iter().map(position).collect();
    json!({"choices": [{"message": {"content": tokens.concat()}, "logprobs": {"content": content}}]})
}

/// The same eight texts in every form; all of them are ham by the black box, and the last two are spam.
fn folder() -> Folder {
    let folder = Folder::new();
    let rows: Vec<(&str, f64)> = [0.9, 0.85, 0.8, 0.9, 0.95, 0.7, 0.6, 0.55]
        .into_iter()
        .enumerate()
        .map(|(i, p)| (if i < 6 { "ham" } else { "spam" }, p))
        .collect();
    let lines = |line: &dyn Fn(&str, f64) -> Value| -> String {
        rows.iter().map(|(label, p)| line(label, *p).to_string() + "\n").collect()
    };
    let labelled = |mut reply: Value, label: &str| {
        reply["label"] = json!(label);
        reply
    };
    folder.write(
        "chat.jsonl",
        lines(
            &|label, p| json!({"label": label, "response": chat(&["ham"], &[("ham", p), ("spam", 1.0 - p)])}),
        ),
    );
    folder.write(
        "junk.jsonl",
        lines(&|label, p| labelled(chat(&["good"], &[("good", p), ("junk", 1.0 - p)]), label)),
    );
    folder.write("map.toml", "ham = [\"good\", \"fine\"]\nspam = [\"junk\"]\n");
    folder.write(
        "answers.jsonl",
        lines(&|label, p| {
            let tokens = ["{\"kind\": \"", "ham", "\"}"];
            labelled(chat(&tokens, &[("ham", p), ("spam", 1.0 - p)]), label)
        }),
    );
    let texts = rows.iter().enumerate().flat_map(|(id, (label, p))| {
        let fourth = if *p > 0.7 { "ham" } else { "spam" };
        let vote = move |text: &str| json!({"id": id, "label": label, "text": text}).to_string() + "\n";
        ["ham", "ham", "ham", fourth, "spam"].map(vote)
    });
    folder.write("texts.jsonl", texts.collect::<String>());
    let table = |header: &str, row: &dyn Fn(f64) -> String| -> String {
        let rows = rows.iter().map(|(label, p)| format!("{label}{}", row(*p)));
        std::iter::once(header.to_owned()).chain(rows).collect::<Vec<_>>().join("\n") + "\n"
    };
    folder.write(
        "votes.csv",
        table("label,ham,spam", &|p| if p > 0.7 { ",4,1".into() } else { ",3,2".into() }),
    );
    folder.write("top.csv", table("label,p_ham,p_spam", &|p| format!(",{p},")));
    folder.write("logits.csv", table("label,p_ham,p_spam", &|p| format!(",{},0", (p / (1.0 - p)).ln())));
    folder
        .write("percent.csv", table("label,ham,spam", &|p| format!(",{},{}", 100.0 * p, 100.0 - 100.0 * p)));
    folder.write("sums.csv", table("label,p_ham,p_spam", &|p| format!(",{},{}", 7.0 * p, 7.0 - 7.0 * p)));
    folder.write("score.csv", table("label,score", &|p| format!(",{}", 1.0 - p)));
    let comma = |p: f64| p.to_string().replace('.', ",");
    folder.write("comma.csv", table("label;ham;spam", &|p| format!(";{};{}", comma(p), comma(1.0 - p))));
    folder
}

/// The words of flags; quotes are those of messages.
fn words(flags: &str) -> Vec<String> {
    flags.split(' ').filter(|word| !word.is_empty()).map(|word| word.replace('\'', "")).collect()
}

/// Predictions of a model for a file, with the notes.
fn applied(folder: &Folder, model: &str, file: &str) -> (Value, String) {
    let run = folder.ok(&["apply", model, file, "--json"]);
    (run.json()["predictions"].clone(), run.stderr)
}
