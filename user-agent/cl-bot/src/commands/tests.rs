use clap::CommandFactory;
use clap::error::ErrorKind;

use super::*;

fn parse(words: &[&str]) -> Result<CommandLine, clap::Error> {
    CommandLine::try_parse_from(std::iter::once("cl-bot").chain(words.iter().copied()))
}

#[test]
fn the_command_line_is_consistent() {
    CommandLine::command().debug_assert();
}

#[test]
fn a_message_needs_no_verb() {
    assert!(parse(&["-m", "hi"]).unwrap().verb.is_none());
    assert!(matches!(parse(&["agent", "-m", "hi"]).unwrap().verb, Some(Verb::Agent(_))));
    assert!(parse(&["agent", "--home", "/x", "--profile", "anna", "--conversation", "last"]).is_ok());
}

#[test]
fn an_unknown_verb_or_flag_is_wrong_use() {
    for words in [&["fly"][..], &["--fly"], &["config"], &["config", "fly"], &["--profile", "../x"], &["-m"]]
    {
        assert_eq!(parse(words).unwrap_err().exit_code(), 2, "{words:?}");
    }
    assert_eq!(parse(&["--help"]).unwrap_err().kind(), ErrorKind::DisplayHelp);
}
