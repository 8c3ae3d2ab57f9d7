use bot_testing::World;

use super::*;

#[test]
fn many_names_are_counted_and_never_wrap() {
    let names: Vec<String> = (0..40).map(|n| format!("skill-{n}")).collect();
    let line = row("  learned    ", &names, 79, Tongue::ENGLISH);
    assert!(line.width() < 80 && line.contains("skill-0") && line.ends_with(" more"), "{line}");
    let shown = line.matches("skill-").count();
    assert!(line.ends_with(&format!("and {} more", 40 - shown)), "{line}");
    assert_eq!(row("  learned    ", &[], 79, Tongue::ENGLISH), "  learned    none");
    assert_eq!(row("x ", &names[..2], 79, Tongue::ENGLISH), "x skill-0 skill-1");
}

#[test]
fn the_banner_fits_a_serial_console_and_names_what_matters() {
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let shown = lines(&kernel.context_of("cli").unwrap(), 79);
    assert!(shown.len() <= 12 && shown.iter().all(|line| line.width() < 80), "{shown:#?}");
    let text = shown.join("\n");
    for part in [
        env!("CARGO_PKG_VERSION"),
        "profile default",
        "model      embedded",
        "reasoning",
        "memory     on",
        "isolation",
        "shell      no command is granted, so none runs",
        "workspace  ",
        "autonomy   supervised: low risk runs, medium risk asks, the rest is refused",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let kernel = world.boot(world.built_in(&["memory"])).unwrap();
    assert!(lines(&kernel.context_of("cli").unwrap(), 79).join("\n").contains("memory     off"));
}
