//! Source that deceives the eye: what a person is shown must be what is compiled, and all of it.

use std::sync::atomic::AtomicBool;

use builder::scan::{Scanned, Violation};
use builder::workers::{self, ChildFault, Job};

use super::attack::{Attack, Plan};
use super::range::Range;

/// The longest line that a person is shown of source that holds no long literal, in characters.
const WIDEST: usize = 120;

/// Comments that promise, and code that is pushed out of sight.
const HIDDEN: &str = include_str!("skills/hidden.rs");

/// Runs the attacks; none of them needs a compiler.
pub(super) fn run(_: &Range, tell: &mut dyn FnMut(Attack)) {
    tell(hidden());
    let spelled = |middle: &str| HIDDEN.replace("the weather", middle);
    tell(refused(
        &Plan::new(
            "source.direction",
            "text that runs the other way on the screen",
            "In a skill's source, I make text run the other way on the screen.",
        ),
        &spelled("a\u{202e}b"),
    ));
    tell(refused(
        &Plan::new(
            "source.invisible",
            "a character without a shape",
            "I hide a character without a shape in the source.",
        ),
        &spelled("a\u{200b}b"),
    ));
    let looks_alike = HIDDEN.replace("fn answer", "fn \u{430}nswer");
    tell(refused(
        &Plan::new(
            "source.look-alike",
            "a letter of another script that looks like an `a`",
            "I name a function with a Cyrillic letter that looks like an `a`.",
        ),
        &looks_alike,
    ));
    tell(refused(
        &Plan::new("source.unsafe", "memory without rules", "I use memory without Rust's rules."),
        &HIDDEN.replace("x + 1", "unsafe { x + 1 }"),
    ));
    let renamed = format!("use std::{{process as pure}};\n{HIDDEN}").replace("x + 1", "pure::id() as i64");
    tell(refused(
        &Plan::new("source.renamed", "a process under another name", "I start a process under another name."),
        &renamed,
    ));
    let included = HIDDEN.replace("x + 1", "include_bytes!(\"/etc/passwd\").len() as i64");
    tell(refused(
        &Plan::new(
            "source.include",
            "a file of this machine, read by the compiler",
            "I have the compiler read a file of this machine into the skill.",
        ),
        &included,
    ));
    tell(survived());
}

fn scan(source: &str) -> Result<Result<Scanned, Vec<Violation>>, ChildFault> {
    workers::run(Job::Scan, source.as_bytes(), &AtomicBool::new(false))
}

/// The print has no comment, and nothing stands far to the right.
fn hidden() -> Attack {
    let plan = &Plan::new(
        "source.layout",
        "comments that promise, and code that is pushed out of sight",
        "I write comments that promise harmless things, and push the real code out of sight.",
    );
    match scan(HIDDEN) {
        Err(why) => Attack::skipped(plan, why.to_string()),
        Ok(Err(violations)) => Attack::held(plan, format!("refused: {}", violations[0].rule)),
        Ok(Ok(scanned)) => {
            let widest = scanned.source.lines().map(|l| l.chars().count()).max().unwrap_or(0);
            let promises = scanned.source.contains("only reads");
            let shown = scanned.source.contains("out_of_sight");
            let why = format!("the print has no comment, and {widest} columns");
            Attack::judged(plan, widest <= WIDEST && !promises && shown, why)
        }
    }
}

fn refused(plan: &Plan, source: &str) -> Attack {
    match scan(source) {
        Err(why) => Attack::skipped(plan, why.to_string()),
        Ok(Ok(_)) => Attack::broke(plan, "it was let through"),
        Ok(Err(violations)) => {
            let first = violations.first().map(|v| v.rule.to_string()).unwrap_or_default();
            Attack::held(plan, format!("refused by {first}"))
        }
    }
}

/// Source nested so deep that it crashes its reader; the service must survive it.
fn survived() -> Attack {
    let plan = &Plan::new(
        "source.nest",
        "source nested so deep that it crashes its reader",
        "I nest the source so deep that its reader dies.",
    );
    let nest = format!("fn f() {{ {}1{}; }}", "(".repeat(20_000), ")".repeat(20_000));
    match scan(&nest) {
        Ok(Ok(_)) => Attack::broke(plan, "it was let through"),
        Ok(Err(_)) => Attack::held(plan, "refused before it was parsed"),
        Err(fault) if fault.blames_input() => Attack::held(plan, format!("the confined reader: {fault}")),
        Err(fault) => Attack::skipped(plan, fault.to_string()),
    }
}
