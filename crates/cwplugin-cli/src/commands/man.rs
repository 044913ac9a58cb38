//! `cwplugin man`: manual pages.

use clap::{Command, CommandFactory as _};
use clap_mangen::Man as Page;
use cwplugin::data::did_you_mean;
use serde_json::json;

use super::{create_folder, deliver};
use crate::args::{Args, Common, Man};
use crate::atomic::write_file;
use crate::output::{Screen, count_of};
use crate::user_error::UserError;

pub(crate) fn run(args: &Man, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let Some(folder) = &args.dir else {
        let page = page(&args.command)?;
        let facts = json!({"page": String::from_utf8_lossy(&page)});
        return deliver(&page, None, common.json.then_some(&facts), screen);
    };
    create_folder(folder, "--dir needs a folder")?;
    let pages = pages()?;
    for (name, page) in &pages {
        write_file(&folder.join(name), page)?;
    }
    if common.json {
        return screen.json(&json!({"pages": pages.iter().map(|(name, _)| name).collect::<Vec<_>>()}));
    }
    screen.note(format_args!("wrote {} to {}", count_of(pages.len(), "page"), folder.display()));
    Ok(())
}

/// The pages of the program and of every command, by file name.
fn pages() -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
        let page = Page::new(command.clone());
        pages.push((page.get_filename(), rendered(&page)?));
        command.get_subcommands().filter(|command| !command.is_hide_set()).try_for_each(|sub| add(sub, pages))
    }
    let mut pages = Vec::new();
    add(&built(), &mut pages)?;
    Ok(pages)
}

/// The page of one command, by its words.
fn page(words: &[String]) -> anyhow::Result<Vec<u8>> {
    let root = built();
    let mut command = &root;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| {
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let all = format!("the commands are {}", names.join(", "));
            UserError::usage(format!("unknown command {}", words.join(" "))).hint(if names.is_empty() {
                "`cwplugin -h` lists the commands".into()
            } else {
                did_you_mean(word, &names, &all)
            })
        })?;
    }
    rendered(&Page::new(command.clone()))
}

/// The command line, with the full names of commands (`cwplugin-fit`).
fn built() -> Command {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    command
}

fn rendered(page: &Page) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_all_its_flags() {
        let pages = pages().unwrap();
        let page = |name: &str| {
            let (_, page) = pages.iter().find(|(page, _)| page == name).unwrap_or_else(|| panic!("{name}"));
            String::from_utf8(page.clone()).unwrap()
        };
        let fit = page("cwplugin-fit.1");
        for part in [
            ".TH cwplugin-fit 1",
            ".SH NAME",
            ".SH SYNOPSIS",
            ".SH DESCRIPTION",
            "\\-\\-metric",
            "\\-\\-json",
        ] {
            assert!(fit.contains(part), "{part}: {fit}");
        }
        assert!(page("cwplugin.1").contains("cwplugin\\-eval(1)"));
        assert!(page("cwplugin-elicit-start.1").contains("\\-\\-budget"));
        assert_eq!(pages.iter().filter(|(name, _)| name.contains("help")).count(), 0);
    }

    #[test]
    fn a_page_is_found_by_the_words_of_its_command() {
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert!(page(&words("elicit start")).is_ok() && page(&[]).is_ok());
        assert_eq!(page(&words("ftt")).unwrap_err().to_string(), "unknown command ftt");
        assert!(page(&words("fit x")).is_err());
    }
}
