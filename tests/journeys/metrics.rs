//! Figures of the admin's service for a program that watches, with a service and without.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use tameclaw_tests::disk::Disk;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// The value of a figure, by all that stands before it on its line.
fn value(text: &str, figure: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {figure}\n{text}")).parse().expect("a number")
}

/// One wish was approved, one rejected, and one waits.
fn decided() -> World {
    let world = World::with_skill("learn to roll dice");
    world.ask("learn to tell leap years");
    world.admin(&["run", "--once"]).done();
    world.admin(&["reject", "tell-leap-years", "--reason", "because of rhubarb"]).done();
    world.ask("learn to convert temperatures");
    world.admin(&["run", "--once"]).done();
    world
}

/// What people decided and what waits is in the figures, the same with a service and without, and no word of a proposal is.
#[test]
fn the_figures_say_what_was_decided_and_what_waits_and_no_word_of_a_proposal() {
    if compiler_is_missing() {
        return;
    }
    let world = decided();
    let read = world.admin(&["metrics"]).done().stdout;
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], PATIENCE).expect("it serves");
    let asked = world.admin(&["metrics"]).done().stdout;
    let open = world.admin(&["metrics", "--openmetrics"]).done().stdout;
    for (text, running) in [(&read, 0), (&asked, 1), (&open, 1)] {
        assert_eq!(value(text, "tameclaw_admin_service_running"), running);
        for (figure, expected) in [
            ("proposals{state=\"accepted\"}", 1),
            ("proposals{state=\"rejected\"}", 1),
            ("proposals{state=\"human-review\"}", 1),
            ("proposals{state=\"new\"}", 0),
            ("waiting{on=\"person\"}", 1),
            ("decisions_total{kind=\"approved\"}", 1),
            ("decisions_total{kind=\"rejected\"}", 1),
            ("decisions_total{kind=\"reopened\"}", 0),
            ("sources_total", 3),
            ("skills_installed", 1),
            ("emergency_stop", 0),
            ("receipt_chains_valid", 1),
            ("configuration_valid", 1),
        ] {
            assert_eq!(value(text, &format!("tameclaw_admin_{figure}")), expected, "{figure}\n{text}");
        }
        assert!(value(text, "tameclaw_admin_disk_free_bytes") > 0);
        assert!(value(text, "tameclaw_admin_journal_records_total") > 3);
        for word in ["dice", "leap", "temperature", "rhubarb", "default", "owner"] {
            assert!(!text.contains(word), "`{word}` is in the figures\n{text}");
        }
        assert!(text.len() < 64 * 1024);
    }
    assert!(open.ends_with("# EOF\n") && !asked.contains("EOF"));
    // A decision that is taken back counts as well, and nothing that was counted goes.
    world.admin(&["reopen", "tell-leap-years"]).done();
    let text = world.admin(&["metrics"]).done().stdout;
    assert_eq!(value(&text, "tameclaw_admin_decisions_total{kind=\"rejected\"}"), 1);
    assert_eq!(value(&text, "tameclaw_admin_decisions_total{kind=\"reopened\"}"), 1);
    assert_eq!(value(&text, "tameclaw_admin_waiting{on=\"person\"}"), 2);
}

/// Under the emergency stop the service answers as ever, and the figures say that it is set.
#[test]
fn under_the_stop_the_service_tells_its_figures() {
    let world = World::new();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], PATIENCE).expect("it serves");
    world.admin(&["estop", "--reason", "rhubarb"]).done();
    let ran = world.admin(&["metrics"]).done().hides("rhubarb");
    assert_eq!(value(&ran.stdout, "tameclaw_admin_emergency_stop"), 1);
    assert_eq!(value(&ran.stdout, "tameclaw_admin_service_running"), 1);
    world.admin(&["estop", "--clear"]).done();
    let ran = world.admin(&["metrics"]).done();
    assert_eq!(value(&ran.stdout, "tameclaw_admin_emergency_stop"), 0);
}

/// Prometheus' own tool finds nothing wrong with either format.
#[test]
fn promtool_finds_nothing_wrong_with_either_format() {
    let world = World::new();
    let Ok(mut tool) = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    else {
        return tameclaw_tests::skip("promtool is not installed");
    };
    let text = world.admin(&["metrics"]).done().stdout;
    tool.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("promtool reads");
    let ran = tool.wait_with_output().expect("promtool ends");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    // It reads OpenMetrics only where each sample has a time.
    let text = world.admin(&["metrics", "--openmetrics"]).done().stdout;
    let timed = text.lines().map(|line| match line.starts_with('#') {
        true => format!("{line}\n"),
        false => format!("{line} 1700000000\n"),
    });
    let file = world.outside().join("figures.txt");
    fs::write(&file, timed.collect::<String>()).expect("it can be written");
    let mut tool = Command::new("promtool");
    tool.args(["tsdb", "create-blocks-from", "openmetrics"]).arg(&file).arg(world.outside().join("blocks"));
    let ran = tool.output().expect("promtool runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// A file of figures is for everybody to read and replaced whole; a link is not followed, and what cannot be written leaves the
/// old file.
#[test]
fn a_file_of_figures_is_replaced_whole_and_no_link_is_followed() {
    let world = World::new();
    let folder = world.outside().join("collector");
    fs::create_dir(&folder).expect("a folder can be made");
    let file = folder.join("tameclaw.prom");
    let named = file.display().to_string();
    let to = |file: &str| world.admin(&["metrics", "--out", file]);
    fs::write(&file, "old").expect("it can be written");
    to(&named).done().hides("tameclaw_admin_");
    let written = fs::read_to_string(&file).expect("a file");
    assert!(written.starts_with("# HELP tameclaw_admin_") && written.ends_with('\n'), "{written}");
    let mode = fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o644);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing else is left there");

    let kept = world.outside().join("kept");
    fs::write(&kept, "kept").expect("it can be written");
    let link = folder.join("link.prom");
    symlink(&kept, &link).expect("a link can be made");
    to(&link.display().to_string()).exited(3).says("is a link");
    assert!(link.is_symlink() && fs::read_to_string(&kept).expect("a file") == "kept");
    to(&folder.display().to_string()).exited(2);
    to(&folder.join("missing/x.prom").display().to_string()).exited(1);
    to("/proc/tameclaw.prom").exited(1);
    assert_eq!(fs::read_to_string(&file).expect("a file"), written);
}

/// No file of the home is replaced, by any path that names it.
#[test]
fn a_file_of_the_home_is_never_replaced_by_figures() {
    let world = World::new();
    let home = world.home();
    let link = world.outside().join("home-by-link");
    symlink(home.root(), &link).expect("a link can be made");
    let workspace = home.profile(&world.profile()).join("workspace");
    fs::create_dir_all(&workspace).expect("a folder can be made");
    for file in [home.journal(), home.manifest(), link.join("config/new.prom"), workspace.join("new.prom")] {
        let before = fs::read(&file).ok();
        let named = file.display().to_string();
        world.admin(&["metrics", "--out", &named]).exited(2).says("is within the home").hides("# HELP");
        assert_eq!(fs::read(&file).ok(), before, "{named}");
    }
    world.admin(&["doctor"]).hides("fail");
}

/// A service that ends while it is asked gives no answer; the figures are read from the home then.
#[test]
fn a_service_that_ends_while_it_is_asked_costs_no_figures() {
    let world = World::new();
    let admin = world.home().admin();
    let mut lock = File::options()
        .create(true)
        .write(true)
        .truncate(true)
        .open(admin.join("service.lock"))
        .expect("a lock");
    lock.lock().expect("no service runs");
    lock.write_all(std::process::id().to_string().as_bytes()).expect("it can be written");
    let listener = UnixListener::bind(admin.join("service.sock")).expect("a socket");
    let ending = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("somebody asks");
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).expect("a request");
        assert!(line.contains("metrics"), "{line}");
        drop((lock, listener));
    });
    let figures = world.admin(&["metrics"]).done().stdout;
    assert_eq!(value(&figures, "tameclaw_admin_service_running"), 0);
    ending.join().expect("it was asked once");
}

/// On a full disk the old file of figures stays as it was.
#[test]
fn on_a_full_disk_the_old_file_of_figures_stays() {
    let world = World::empty();
    let Some(own) = Disk::for_home(&world, 16) else { return };
    world.admin(&["init"]).done();
    let Some(disk) = Disk::at(&world.outside().join("disk"), 16) else { return };
    let folder = disk.path().join("collector");
    fs::create_dir(&folder).expect("a folder can be made");
    let file = folder.join("tameclaw.prom");
    let named = file.display().to_string();
    world.admin(&["metrics", "--out", &named]).done();
    let before = fs::read_to_string(&file).expect("a file");
    disk.fill();
    own.fill();
    world.admin(&["metrics", "--out", &named]).exited(1).says("the disk is full");
    assert_eq!(fs::read_to_string(&file).expect("a file"), before);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing else is left there");
    // Printing needs no room.
    let ran = world.admin(&["metrics"]).done();
    assert!(value(&ran.stdout, "tameclaw_admin_disk_free_bytes") < 4096);
}

/// A journal that does not hold gives no figures: the verb fails, and a file of before stays with its age.
#[test]
fn a_journal_that_does_not_hold_gives_no_figures() {
    let world = World::new();
    let file = world.outside().join("tameclaw.prom");
    world.admin(&["metrics", "--out", &file.display().to_string()]).done();
    let before = fs::read_to_string(&file).expect("a file");
    let journal = fs::read_to_string(world.home().journal()).expect("a journal");
    assert!(journal.contains("builtins"));
    fs::write(world.home().journal(), journal.replacen("builtins", "builtin5", 1))
        .expect("it can be written");
    world.admin(&["metrics"]).exited(4).hides("tameclaw_admin_");
    world.admin(&["metrics", "--out", &file.display().to_string()]).exited(4);
    assert_eq!(fs::read_to_string(&file).expect("a file"), before);
}
