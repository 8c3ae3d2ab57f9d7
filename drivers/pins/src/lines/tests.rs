use super::*;

#[test]
fn a_file_names_its_lines() {
    let lines = parse(
        "lines:\n\
         - {name: lamp, offset: 17, direction: out, safe: off, most_changes: 2}\n\
         - {name: button, chip: /dev/gpiochip1, offset: 4, direction: in, pull: up, active_low: true, debounce: 20}\n",
    )
    .unwrap();
    assert_eq!(lines[0].direction, Direction::Out { safe: false, most_changes: 2 });
    assert_eq!((lines[0].chip.to_str(), lines[0].offset), (Some("/dev/gpiochip0"), 17));
    assert_eq!(lines[1].direction, Direction::In { pull: Pull::Up, debounce: 20 });
    assert!(lines[1].active_low && !lines[0].active_low);
}

#[test]
fn every_fault_is_named_with_its_line() {
    let faults = |text: &str| -> String {
        parse(text).unwrap_err().iter().map(|fault| format!("{}: {}\n", fault.key, fault.message)).collect()
    };
    for (text, parts) in [
        ("", &["names no line"][..]),
        ("lines: [{name: lamp, direction: out}]\n", &["lines[0].offset", "gpioinfo"]),
        ("lines: [{name: pin 17, offset: 1, direction: out}]\n", &["lines[0].name", "letters, digits"]),
        ("lines: [{name: lamp, offset: 1, direction: up}]\n", &["lines[0].direction"]),
        ("lines: [{name: lamp, offset: 1, direction: out, pull: up}]\n", &["lines[0].pull"]),
        ("lines: [{name: lamp, offset: 1, direction: in, safe: on}]\n", &["lines[0].safe"]),
        ("lines: [{name: lamp, offset: 1, direction: in, chip: /etc/shadow}]\n", &["lines[0].chip"]),
        ("lines: [{name: lamp, offset: 1, direction: out, most_changes: 1000}]\n", &["most_changes", "100"]),
        (
            "lines: [{name: a, offset: 1, direction: out}, {name: a, offset: 1, direction: out}]\n",
            &["lines[1].name", "lines[1].offset"],
        ),
        ("lines: [{name: a, offset: 1, direction: out, colour: red}]\n", &["colour"]),
    ] {
        let said = faults(text);
        assert!(parts.iter().all(|part| said.contains(part)), "{text}: {said}");
    }
}
