use clap::CommandFactory;
use clap::error::ErrorKind;

use super::*;

fn parse(words: &[&str]) -> Result<CommandLine, clap::Error> {
    CommandLine::try_parse_from(std::iter::once("cl-bot").chain(words.iter().copied()))
}

#[test]
fn the_command_line_is_consistent() {
    <CommandLine>::command().debug_assert();
}

#[test]
fn a_message_needs_no_verb() {
    assert!(parse(&["-m", "hi"]).unwrap().verb.is_none());
    assert!(matches!(parse(&["agent", "-m", "hi"]).unwrap().verb, Some(Verb::Agent(_))));
    assert!(parse(&["agent", "--home", "/x", "--profile", "anna", "--conversation", "last"]).is_ok());
}

/// The short way of a conversation and the parser of all verbs read the same, or the short way leaves it.
#[test]
fn a_conversation_is_read_alike_on_both_ways() {
    let read = |words: &[&str]| {
        let all: Vec<OsString> =
            std::iter::once("cl-bot").chain(words.iter().copied()).map(OsString::from).collect();
        CommandLine::of_talk(&all)
    };
    for words in [
        &[][..],
        &["-m", "hi"],
        &["-m", "config"],
        &["--message=-h"],
        &["agent"],
        &["agent", "-m", "-V", "--json"],
        &["--home", "/x", "agent", "--profile", "anna", "--conversation", "last", "--timeout", "5"],
    ] {
        let short = read(words).unwrap_or_else(|| panic!("{words:?} is left"));
        assert_eq!(format!("{short:?}"), format!("{:?}", parse(words).unwrap()), "{words:?}");
    }
    for words in [
        &["config", "show"][..],
        &["--home", "/x", "config", "show"],
        &["-m", "hi", "agent"],
        &["agent", "--fly"],
        &["agent", "config"],
        &["agent", "--timeout", "0"],
        &["--help"],
        &["agent", "-h"],
        &["help"],
        &["agent", "help"],
        &["-V"],
    ] {
        assert!(read(words).is_none(), "{words:?} is taken");
    }
}

#[test]
fn an_unknown_verb_or_flag_is_wrong_use() {
    for words in [&["fly"][..], &["--fly"], &["config"], &["config", "fly"], &["--profile", "../x"], &["-m"]]
    {
        assert_eq!(parse(words).unwrap_err().exit_code(), 2, "{words:?}");
    }
    assert_eq!(parse(&["--help"]).unwrap_err().kind(), ErrorKind::DisplayHelp);
}
