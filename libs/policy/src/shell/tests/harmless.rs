//! What a careful person grants runs.

use super::*;

#[test]
fn what_a_careful_person_grants_is_medium() {
    let lines = include_str!("../../../tests/lines/harmless.txt");
    let lines: Vec<_> = lines.lines().collect();
    assert!(lines.len() >= 60, "{}", lines.len());
    let mut allowed = SANE.to_vec();
    allowed.push("git --no-pager log");
    for line in lines {
        let (parsed, found) = (parse(line), judged(line, &allowed, &[]));
        assert!(parsed.is_ok() && found.risk == Risk::Medium, "{line}: {parsed:?} {found:?}");
        assert!(found.parts.iter().all(|part| part.rule == "allowed"), "{line}: {found:?}");
        assert_eq!(risk(line, &[]), Risk::High, "{line} without a grant");
    }
}

#[test]
fn a_line_granted_word_for_word_is_the_persons_own_choice_unless_it_is_never_done() {
    for line in [
        "make test",
        "python3 tools/report.py",
        "git push",
        "sort -o out names",
        "timeout 60 make test",
        "sudo id",
    ] {
        assert_eq!(risk(line, &[line]), Risk::Medium, "{line}");
        assert_eq!(risk(&format!("{line} more"), &[line.split(' ').next().unwrap()]), Risk::High, "{line}");
    }
    assert_eq!(risk("/bin/ls -l", &["/bin/ls"]), Risk::Medium);
    for line in ["rm x", "sudo rm x", "find . -delete", "mkfs.ext4 disk", "env reboot", "chown -R me ."] {
        assert_eq!(risk(line, &[line]), Risk::Blocked, "{line}");
    }
}

#[test]
fn the_worst_part_decides_and_each_part_says_its_own() {
    let found = judged("ls; frob x | wc -l && rm y", SANE, &[]);
    assert_eq!(found.risk, Risk::Blocked);
    let risks: Vec<_> =
        found.parts.iter().map(|part| (part.argv[0].as_str(), part.risk, part.rule)).collect();
    let expected = [
        ("ls", Risk::Medium, "allowed"),
        ("frob", Risk::High, "not-listed"),
        ("wc", Risk::Medium, "allowed"),
        ("rm", Risk::Blocked, "forbidden-command"),
    ];
    assert_eq!(risks, expected);
}

#[test]
fn configured_words_are_forbidden_too() {
    let forbidden = ["cat", "git push"];
    assert_eq!(judged("nice cat x", SANE, &forbidden).risk, Risk::Blocked);
    assert_eq!(judged("git push --force", SANE, &forbidden).risk, Risk::Blocked);
    assert_eq!(judged("git status", SANE, &forbidden).risk, Risk::Medium);
}
