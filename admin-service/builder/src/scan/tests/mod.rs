//! The scan against what is harmless, what evades, and what is made to crash it.

mod definitions;
mod evasions;
mod harmless;
mod hostile;
mod more_evasions;
mod more_harmless;
mod print;

use super::*;

const SKILL: &str = "use skill_sdk::prelude::*;\n\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {\n    \
    fn describe(&self) -> Description {\n        Description::new()\n    }\n}\n";

/// Runs all of a table and tells the rate of what is as it should be, with everything that is not.
fn all_of(table: &[(&str, String)], fits: impl Fn(&str, &str) -> Option<String>) {
    let wrong: Vec<String> = table.iter().filter_map(|(name, source)| fits(name, source)).collect();
    let right = table.len() - wrong.len();
    assert!(
        wrong.is_empty(),
        "{right} of {} are as they should be; not so:\n{}",
        table.len(),
        wrong.join("\n")
    );
}

fn broken(source: &str) -> Vec<String> {
    match rules_only(source) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.into_iter().map(|violation| violation.rule.into_owned()).collect(),
    }
}

#[test]
fn a_skill_is_accepted() {
    let scanned = scan(SKILL).unwrap();
    assert_eq!(scanned.source, SKILL.replace("\n\n", "\n"));
    assert_eq!(scanned.lines, 7);
}

#[test]
fn the_entry_point_is_required_once_and_resolved() {
    let trait_alias = SKILL
        .replace("use skill_sdk::prelude::*;", "use skill_sdk::prelude::*; use skill_sdk::Skill as Able;");
    let trait_alias = trait_alias.replace("impl skill_sdk::Skill", "impl Able");
    let crate_alias =
        SKILL.replace("use skill_sdk::prelude::*;", "use skill_sdk as sdk; use sdk::prelude::*;");
    let crate_alias = crate_alias.replace("impl skill_sdk::Skill", "impl sdk::Skill");
    for accepted in [SKILL.to_owned(), trait_alias, crate_alias, SKILL.replace("impl skill", "impl ::skill")]
    {
        assert!(scan(&accepted).is_ok(), "{accepted}\n{:?}", scan(&accepted));
    }
    let refused = [
        "fn f() {}".to_owned(),
        String::new(),
        SKILL.replace("pub struct", "struct"),
        SKILL.replace("struct Skill;", "struct Skill { n: u8 }"),
        SKILL.replace("impl skill_sdk::Skill", "impl Clone"),
        SKILL.replace("pub struct Skill;", "mod inner { pub struct Skill; } use inner::Skill;"),
        SKILL.replace("pub struct", "#[cfg(test)] pub struct"),
        format!("{SKILL} mod skill {{ pub trait Skill {{}} }} impl skill::Skill for Skill {{}}")
            .replace("skill_sdk::Skill", "skill::Skill"),
    ];
    for source in refused {
        let violations = scan(&source).unwrap_err();
        assert!(
            violations.iter().any(|violation| violation.rule == "entry-point"),
            "{source}: {violations:?}"
        );
        assert!(rules_only(&source).is_ok(), "{source}");
    }
}

#[test]
fn a_violation_says_where_and_what_to_do() {
    let violations =
        rules_only("fn a() {}\nfn b() {\n    let x = std::fs::read(\"/etc/passwd\");\n}\n").unwrap_err();
    let [violation] = &violations[..] else { panic!("{violations:?}") };
    assert_eq!((violation.rule.as_ref(), violation.line, violation.column), ("no-files", 3, 13));
    assert_eq!(violation.excerpt, "let x = std::fs::read(\"/etc/passwd\");");
    assert!(violation.next.contains("skill_sdk::files"));
    let json = serde_json::to_string(violation).unwrap();
    assert_eq!(&serde_json::from_str::<Violation>(&json).unwrap(), violation);
}

#[test]
fn violations_are_sorted_and_limited() {
    let source = "fn f() { std::env::args(); }\n".repeat(150);
    let violations = rules_only(&source).unwrap_err();
    assert_eq!(violations.len(), MOST_VIOLATIONS);
    assert!(violations.windows(2).all(|pair| pair[0].line <= pair[1].line));
    let mixed = rules_only("fn f() { unsafe { std::fs::read(\"\"); } println!(); }\nmod x;").unwrap_err();
    let rules: Vec<&str> = mixed.iter().map(|violation| violation.rule.as_ref()).collect();
    assert_eq!(rules, ["no-unsafe", "no-files", "no-printing", "no-outside-module"]);
}

#[test]
fn an_excerpt_shows_what_a_terminal_would_hide_and_stays_short() {
    let violations =
        rules_only(&format!("{} let \u{202e}x = \"\u{1b}[2J\";", "/* long */".repeat(30))).unwrap_err();
    assert_eq!(violations.len(), 2);
    for violation in &violations {
        assert!(
            violation.excerpt.contains("\\u{202e}") && violation.excerpt.contains("\\u{1b}"),
            "{violation:?}"
        );
        assert!(violation.excerpt.chars().count() <= breach::LONGEST_EXCERPT);
        assert!(violation.excerpt.chars().all(|c| !c.is_control() && !breach::is_hidden(c)));
    }
}

#[test]
fn every_rule_has_its_own_name_and_says_what_to_do() {
    let ids: BTreeSet<&str> = rules().iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), rules().len());
    for rule in rules() {
        assert!(rule.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.id);
        assert!(rule.why.ends_with('.') && rule.next.ends_with('.'), "{}", rule.id);
    }
}

#[test]
fn what_does_not_parse_names_the_line_before_and_the_odd_bracket() {
    for (source, said) in [
        ("fn a() -> u8 {\n    let x = 1\n    x\n}\n", "The line before it: `let x = 1`."),
        ("fn a() {\n    b('{', \"}\"); // }\n}\n}\n", "The `}` on line 4 is one too many."),
        ("fn a() {\n    b(1;\n}\n", "The `}` on line 3 does not close the `(` of line 2."),
        ("fn a<'a>(x: &'a str) {\n    if x.is_empty() {\n}\n", "The `{` of line 1 is not closed."),
        ("fn a() { b('\\''; }\n", "does not close the `(` of line 1"),
    ] {
        let violations = rules_only(source).unwrap_err();
        assert!(violations.iter().any(|v| v.why.contains(said)), "{source}: {violations:?}");
    }
}
