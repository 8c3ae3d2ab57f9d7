//! A shell line as a model writes it: parsed to argument vectors, spelled, and judged.

use policy::shell::{MAX_COMMANDS, MAX_WORDS, Rules, judge, judge_text, parse};
use shared_types::grants::CommandPattern;
use shared_types::risk::Risk;
use shared_types::text::is_unsafe;

use crate::harness::{Verdict, target};

#[test]
fn a_line_that_is_taken_reads_back_the_same_and_more_grants_never_unblock_it() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let granted = ["ls", "git", "env", "sh", "xargs", "find", "sed", "tar"];
    let granted: Vec<_> =
        granted.iter().map(|words| CommandPattern::parse(words).expect("a pattern")).collect();
    let (none, many) = (Rules::default(), Rules { allowed: &granted, ..Rules::default() });
    let (_, strict) = judge_text(text, &none);
    let (line, found) = judge_text(text, &many);
    assert!(
        strict.risk >= Risk::High && found.risk >= Risk::Medium && found.risk <= strict.risk,
        "{found:?} {strict:?}"
    );
    assert_eq!(found.risk == Risk::Blocked, strict.risk == Risk::Blocked, "{found:?} {strict:?}");
    assert!(
        strict.parts.iter().all(|part| !part.why.is_empty() && !part.why.contains(is_unsafe)),
        "{strict:?}"
    );
    let Some(line) = line else {
        assert!(found.risk >= Risk::High);
        return Verdict::Refused;
    };
    assert_eq!(found.parts.len(), line.commands().count());
    assert!(
        found.parts.len() <= MAX_COMMANDS
            && line.commands().map(|c| c.argv.len()).sum::<usize>() <= MAX_WORDS
    );
    assert!(line.commands().all(|c| !c.argv.is_empty() && c.argv.len() == c.globs.len() && !c.globs[0]));
    let spelled = parse(&line.to_string());
    // Quotes may make a line longer than a line may be.
    assert!(
        spelled.as_ref() == Ok(&line) || line.to_string().len() > policy::shell::MAX_BYTES,
        "{line} {spelled:?}"
    );
    assert_eq!(judge(&line, &many), found);
    Verdict::Taken
}
