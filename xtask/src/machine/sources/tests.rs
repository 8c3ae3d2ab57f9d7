use super::*;

#[test]
fn only_the_sources_of_the_release_itself_get_backports() {
    let stanzas = "Types: deb\nURIs: http://one.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\n\n\
                   Types: deb\nURIs: http://one.example/security\nSuites: bookworm-security\nComponents: main\n";
    let expected =
        "Types: deb\nURIs: http://one.example/debian\nSuites: bookworm-backports\nComponents: main\n\n";
    assert_eq!(backports(stanzas, "bookworm"), expected);
    let lines = "# deb http://two.example/old bookworm main\ndeb http://two.example/debian bookworm main contrib\n\
                 deb-src http://two.example/debian bookworm main\ndeb http://two.example/other stable main\n";
    assert_eq!(
        backports(lines, "bookworm"),
        "deb http://two.example/debian bookworm-backports main contrib\n"
    );
    assert_eq!(backports(lines, "trixie"), "");
}
