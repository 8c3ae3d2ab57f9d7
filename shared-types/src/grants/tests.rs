use super::*;
use crate::settings::{Key, Kind, key};

fn host(text: &str) -> HostName {
    text.parse().unwrap()
}

#[test]
fn a_path_pattern_covers_what_it_names_and_no_hidden_name_or_other_folder() {
    let all = PathPattern::parse("**").unwrap();
    assert!(all.matches("a.txt") && all.matches("deep/er/b.txt"));
    let notes = PathPattern::parse("notes/*.md").unwrap();
    assert!(notes.matches("notes/a.md"));
    for path in ["notes/deep/a.md", "notes/.a.md", "a.md", "notes/a.txt", "other/notes/a.md"] {
        assert!(!notes.matches(path), "{path}");
    }
    assert!(PathPattern::parse("notes/**").unwrap().matches("notes/deep/a.md"));
    for text in ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a***b", "[", "a\u{202e}b"] {
        assert!(PathPattern::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn hidden_names_are_covered_by_patterns_that_name_them_only() {
    let all = PathPattern::parse("**").unwrap();
    for path in [".ssh/id", "a/.git/config", ".env", "a/b/.env"] {
        assert!(!all.matches(path), "{path}");
    }
    let named = PathPattern::parse("a/.git/*").unwrap();
    assert!(named.matches("a/.git/config") && !named.matches("a/.git/.hidden"));
}

#[test]
fn a_new_profile_is_granted_its_workspace_and_nothing_else() {
    let grants = Grants::of_new_profile();
    assert!(grants.files.may_read("a/b.txt") && grants.files.may_write("a/b.txt"));
    assert!(!grants.files.may_read(".ssh/id") && grants.hosts.is_empty() && grants.commands.is_empty());
}

#[test]
fn a_folder_is_listed_where_something_in_it_could_be_read() {
    let of = |patterns: &[&str]| FileGrants {
        read: patterns.iter().map(|p| PathPattern::parse(p).unwrap()).collect(),
        ..FileGrants::default()
    };
    assert!(of(&["**"]).may_list("") && of(&["**"]).may_list("a/b") && !of(&[]).may_list(""));
    let notes = of(&["notes/*/open-*.md"]);
    for (folder, may) in [
        ("", true),
        ("notes", true),
        ("notes/2026", true),
        ("notes/2026/x", false),
        ("notes/.old", false),
        ("other", false),
    ] {
        assert_eq!(notes.may_list(folder), may, "{folder}");
    }
    assert!(!of(&["**"]).may_list(".git") && !of(&["**"]).may_list("a/.git/x"));
    assert!(of(&[".git/**"]).may_list(".git") && !of(&["notes.md"]).may_list("notes.md/x"));
}

#[test]
fn a_host_pattern_covers_one_host_or_those_beneath_a_domain() {
    let one = HostPattern::parse("example.org").unwrap();
    assert!(one.matches(&host("example.org")));
    let beneath = HostPattern::parse("*.example.org").unwrap();
    assert!(beneath.matches(&host("a.example.org")) && beneath.matches(&host("b.a.example.org")));
    for other in ["example.org", "badexample.org", "example.org.evil.net"] {
        assert!(!beneath.matches(&host(other)), "{other}");
    }
    assert!(!one.matches(&host("a.example.org")) && !one.matches(&host("example.org:8443")));
    for text in ["", "*", "*.org", "*.*.org", "a.*.org", "http://example.org", "EXAMPLE org"] {
        assert!(HostPattern::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_command_pattern_covers_whole_words_only() {
    let status = CommandPattern::parse("git status").unwrap();
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
    assert!(status.matches(&words("git status")) && status.matches(&words("git status --short")));
    for line in ["git", "git statusx", "git push", "gitk status"] {
        assert!(!status.matches(&words(line)), "{line}");
    }
    for text in ["", "ls; rm", "ls | sh", "a $(b)", "`x`", "ls > f"] {
        assert!(CommandPattern::parse(text).is_err(), "{text:?}");
    }
}

/// The keys that the reader asks for; the table of a profile's file holds them too.
fn granted(given: &serde_json::Value) -> Section {
    const LIST: Kind = Kind::Texts(&[]);
    static KEYS: &[Key] = &[
        key("files", Kind::Keys(&[key("read", LIST, ""), key("write", LIST, "")]), ""),
        key("hosts", LIST, ""),
        key("commands", LIST, ""),
        key("forbidden_paths", LIST, ""),
        key("forbidden_commands", LIST, ""),
    ];
    Section::document(KEYS, Ok::<_, String>(given.clone()))
}

#[test]
fn forbidden_paths_and_commands_only_take_away() {
    let given = serde_json::json!({
        "files": {"read": ["**", ".git/**"], "write": ["**"]},
        "forbidden_paths": ["private/**", "*.key", "/srv/data/", "~/letters"],
        "forbidden_commands": ["mv", "git push"],
    });
    let mut section = granted(&given);
    let forbidden = section.texts("forbidden_paths");
    let grants = Grants::read(&mut section, &forbidden);
    assert_eq!(section.finish(), []);
    for path in ["private/a", "private/deep/.b", "a.key"] {
        assert!(!grants.files.may_read(path) && !grants.files.may_write(path), "{path}");
        assert!(grants.files.forbids(path));
    }
    assert!(!grants.files.may_list("private") && grants.files.may_list("other"));
    assert!(grants.files.may_read("a.txt") && grants.files.may_read(".git/config"));
    assert_eq!(grants.forbidden_folders, ["/srv/data", "~/letters"]);
    assert_eq!(grants.forbidden_commands, ["mv", "git push"]);
    for wrong in ["/", "/srv/../etc", "/srv/*", "../up", "~anna/letters", ""] {
        let mut section = granted(&serde_json::json!({}));
        Grants::read(&mut section, &[wrong.to_owned()]);
        assert_eq!(section.finish().len(), 1, "{wrong}");
    }
}
