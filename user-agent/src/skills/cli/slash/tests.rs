use super::*;

#[test]
fn a_slip_of_the_finger_finds_the_command() {
    assert_eq!(nearest("/hlep"), Some("/help"));
    assert_eq!(nearest("/skill"), Some("/skills"));
    assert_eq!(nearest("/proposal"), Some("/proposals"));
    assert_eq!(nearest("/completely-else"), None);
}

#[test]
fn the_distance_counts_letters() {
    for (a, b, n) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("größe", "grösse", 2)]
    {
        assert_eq!(distance(a, b), n, "{a} {b}");
    }
}

#[test]
fn every_command_has_a_help_line_and_a_name_of_its_own() {
    let mut seen = std::collections::BTreeSet::new();
    for command in &COMMANDS {
        assert!(command.name.starts_with('/') && !command.help.is_empty());
        assert!(seen.insert(command.name));
    }
}
