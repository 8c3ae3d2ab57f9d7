use super::*;

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
