//! One screen that says how things stand, with a service and without.

use std::fs;

use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

#[test]
fn the_status_fits_one_screen_and_names_what_waits_and_what_stopped() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let ran = world.admin(&["status"]).done();
    ran.prints("service    does not run").prints("1 for you: cl-admin review").prints("stop       none");
    let shown = world.admin(&["status", "--json"]).done().json();
    assert_eq!((&shown["service"], &shown["waiting"]["person"]), (&serde_json::Value::Null, &1.into()));
    assert_eq!((&shown["stop"], &shown["skills"], &shown["backup"]), (&().into(), &0.into(), &().into()));
    assert!(shown["disk"]["data_bytes"].as_u64() > Some(0) && shown["disk"]["free_bytes"].as_u64() > Some(0));
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], std::time::Duration::from_secs(60)).expect("it serves");
    world.admin(&["status"]).done().prints(&format!("runs as process {}", service.pid()));
    world.admin(&["estop", "--reason", &"a reason ".repeat(40)]).done();
    fs::write(world.home().profile_stop(&world.profile()), "").expect("it can be written");
    fs::write(world.home().halt(), "full ".repeat(60)).expect("it can be written");
    let ran = world.admin(&["status"]).done();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() <= 23, "{}", ran.report());
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", ran.report());
    assert!(ran.stdout.chars().all(|c| c == '\n' || !c.is_control()), "plain text: {}", ran.report());
    ran.prints("EMERGENCY STOP: a reason").prints("the bot is stopped: full");
    let shown = world.admin(&["status", "--json"]).done().json();
    assert_eq!(shown["stopped_profiles"][0], "default");
    // What is wrong with the configuration does not take the rest away.
    fs::write(world.home().admin_config(), "poll_interval_seconds: soon\n").expect("it can be written");
    world.admin(&["status"]).done().prints("settings").prints("1 fault(s)").prints("alarms     none");
}
