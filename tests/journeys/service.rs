//! systemd keeps the service running: what it reads of `cl-admin run`, the units, and the verbs that install them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tameclaw_tests::points;
use tameclaw_tests::run::{Background, Ran, run};
use tameclaw_tests::skip;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

const SOON: Duration = Duration::from_secs(60);
/// The watchdog of these tests, in microseconds, as systemd names it; a report comes in a third of it.
const WATCHDOG: &str = "900000";
/// Long enough for several reports.
const A_WHILE: Duration = Duration::from_millis(2_000);

/// What systemd would read.
struct Manager {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Manager {
    fn beside(world: &World) -> Manager {
        let path = world.outside().join("notify.sock");
        let socket = UnixDatagram::bind(&path).expect("a socket can be made");
        Manager { socket, path }
    }

    fn start(&self, world: &World, program: &Path, points: Option<&str>) -> Background {
        let mut command = world.command_of(program, &["run", "--headless"]);
        command.env("NOTIFY_SOCKET", &self.path).env("WATCHDOG_USEC", WATCHDOG);
        if let Some(points) = points {
            command.env("FAILPOINTS", points);
        }
        Background::start(command)
    }

    /// The next report, if one comes in time.
    fn next(&self, limit: Duration) -> Option<String> {
        self.socket.set_read_timeout(Some(limit)).expect("a limit");
        let mut bytes = [0; 4096];
        let count = self.socket.recv(&mut bytes).ok()?;
        Some(String::from_utf8(bytes[..count].to_vec()).expect("a report is text").trim().to_owned())
    }

    #[track_caller]
    fn wait_for(&self, wanted: &str) -> Vec<String> {
        let (start, mut seen) = (Instant::now(), vec![]);
        while start.elapsed() < SOON {
            let Some(report) = self.next(SOON) else { break };
            let found = report.starts_with(wanted);
            seen.push(report);
            if found {
                return seen;
            }
        }
        panic!("`{wanted}` was not reported: {seen:?}");
    }

    /// How often life is reported within a while.
    fn beats(&self) -> usize {
        let start = Instant::now();
        let mut count = 0;
        while let Some(left) = A_WHILE.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            count += usize::from(self.next(left).as_deref() == Some("WATCHDOG=1"));
        }
        count
    }
}

#[test]
fn the_service_reports_when_it_answers_what_it_does_that_it_lives_and_that_it_ends() {
    let world = World::new();
    let manager = Manager::beside(&world);
    let service = manager.start(&world, &Program::Admin.path(), None);
    let before = manager.wait_for("READY=1");
    assert_eq!(before, ["READY=1"], "nothing is reported before it answers");
    assert!(world.home().admin().join("service.sock").exists(), "it answers");
    world.admin(&["list"]).done();
    manager.wait_for("STATUS=nothing waits for a person");
    assert!(manager.beats() >= 2);
    world.admin(&["estop", "--reason", "a trial"]).done();
    manager.wait_for("STATUS=the emergency stop holds: a trial");
    service.signal(Signal::SIGTERM);
    manager.wait_for("STOPPING=1");
    assert_eq!(service.ended(SOON).status, 0);
}

/// A thread of its own would still report while the loop hangs, and systemd would never start the service again.
#[test]
fn a_loop_that_hangs_reports_no_life() {
    let world = World::new();
    let manager = Manager::beside(&world);
    let _service = manager.start(&world, &points::program(), Some("intake.before=sleep(60000)"));
    manager.wait_for("READY=1");
    assert!(manager.beats() >= 2);
    world.ask("learn to roll dice");
    // What was reported before the file was seen.
    manager.beats();
    assert_eq!(manager.beats(), 0);
}

#[test]
fn without_systemd_each_verb_says_what_does_the_same() {
    if Path::new("/run/systemd/system").exists() {
        skip("this machine was started by systemd");
        return;
    }
    let world = World::empty();
    for words in [
        &["service", "install", "--yes"][..],
        &["service", "install", "--user", "--yes"],
        &["service", "start"],
        &["service", "stop"],
        &["service", "status"],
        &["service", "logs"],
        &["service", "uninstall", "--yes"],
    ] {
        let ran = of_a_user(&world, words).exited(1);
        ran.says("was not started by systemd").says("cl-admin up").says("cl-admin run");
    }
    assert!(!world.home().root().exists(), "nothing was made");
}

/// The units that `install` would write, by their names.
fn units(ran: &Ran) -> Vec<(String, String)> {
    let sections = ran.stdout.split("\n==> ").skip(1);
    let unit = |section: &str| {
        let (path, text) = section.split_once(" <==\n").expect("a path stands above each unit");
        (Path::new(path).file_name().expect("a name").to_string_lossy().into_owned(), text.to_owned())
    };
    sections.map(unit).collect()
}

/// The program as it is started by somebody whose home folder is that of the test.
fn of_a_user(world: &World, arguments: &[&str]) -> Ran {
    let mut command = world.command(Program::Admin, arguments);
    command.env("HOME", world.outside());
    run(command, b"", PATIENCE)
}

#[test]
fn a_dry_run_shows_each_unit_with_the_paths_of_this_machine() {
    let world = World::empty();
    let program = Program::Admin.path();
    let ran = of_a_user(&world, &["--home", "/srv/tame/home", "service", "install", "--dry-run"]).done();
    let ran = ran.prints("makes a home at /srv/tame/home").prints("enables tameclaw-admin.service");
    let units = units(&ran);
    let unit = |name: &str| {
        let (_, text) = units.iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("no {name}"));
        assert!(!text.contains("/var/lib/tameclaw") && !text.contains("/usr/bin/"), "{text}");
        text
    };
    for name in
        ["tameclaw-bot@.socket", "tameclaw-door@.socket", "tameclaw-review.socket", "tameclaw-admin.socket"]
    {
        unit(name);
    }
    for name in ["tameclaw-admin.service", "tameclaw-bot@.service"] {
        let start = format!("ExecStart={} --home /srv/tame/home ", program.display());
        assert!(unit(name).contains(&start), "{}", unit(name));
    }
    let door = unit("tameclaw-door@.service");
    assert!(
        door.contains(&format!("ExecStart={} serve --profile %i\n", Program::Bot.path().display())),
        "{door}"
    );
    assert!(door.contains("\nEnvironment=TAMECLAW_HOME=/srv/tame/home\n"), "{door}");
    let page = unit("tameclaw-review.service");
    let start = format!(
        "ExecStart={} --service /run/tameclaw-review/service.sock\n",
        Program::Review.path().display()
    );
    assert!(page.contains(&start), "{page}");
    assert!(page.contains("\nInaccessiblePaths=-/srv/tame/home\n"), "{page}");
    // They wait until a person opens them.
    for name in ["matrix", "telegram"] {
        let messenger = unit(&format!("tameclaw-{name}@.service"));
        let start = format!("ExecStart={} {name} --profile %i\n", Program::Bot.path().display());
        assert!(messenger.contains(&start), "{messenger}");
        assert!(!ran.stdout.contains(&format!("enables tameclaw-{name}")), "{}", ran.report());
    }
    for waits in ["enables tameclaw-door", "enables tameclaw-review", "enables tameclaw-admin.socket"] {
        assert!(!ran.stdout.contains(waits), "{}", ran.report());
    }
    // The drivers are beside this program.
    for (driver, path) in [("ear", Program::Ear), ("mouth", Program::Mouth), ("pins", Program::Pins)] {
        let service = unit(&format!("tameclaw-{driver}.service"));
        let start = format!("ExecStart={} serve --socket /run/tameclaw-drivers/", path.path().display());
        assert!(service.contains(&start), "{service}");
        unit(&format!("tameclaw-{driver}.socket"));
        assert!(!ran.stdout.contains(&format!("enables tameclaw-{driver}")), "{}", ran.report());
    }
    let _ = ran.prints("makes the user tameclaw-pins");
    // A user's own units have no other user.
    let ran = of_a_user(&world, &["service", "install", "--user", "--dry-run"]).done();
    assert!(!ran.stdout.contains("User="), "{}", ran.report());
    ran.prints(".config/systemd/user/tameclaw-admin.service")
        .prints(".config/systemd/user/tameclaw-ear.socket");
    let refused = |home: &str, code: i32, why: &str| {
        world.admin(&["--home", home, "service", "install", "--dry-run"]).exited(code).says(why);
    };
    refused("/srv/a home", 2, "cannot stand in a unit");
    refused("/srv/100%", 2, "cannot stand in a unit");
    refused("/home/anna/home", 3, "is hidden from the unit");
}

/// What is left open of a unit, by the words of `systemd-analyze security`, and how exposed it is.
fn analysed(unit: &Path) -> Option<(BTreeSet<String>, f64)> {
    let ran = Command::new("systemd-analyze")
        .args(["security", "--no-pager", "--offline=true"])
        .arg(unit)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let open = text.lines().filter_map(|line| line.strip_prefix("✗ "));
    let open = open.filter_map(|line| line.split('=').next()).map(str::to_owned).collect();
    let (_, level) = text.split_once("Overall exposure level for ")?;
    let level = level.split_once(": ")?.1.split_whitespace().next()?.parse().ok()?;
    Some((open, level))
}

/// The units in a folder of their own, each with a program that is there; a template gets an instance.
fn laid_out(world: &World) -> PathBuf {
    let folder = world.outside().join("units");
    fs::create_dir(&folder).expect("a folder");
    for (name, text) in shipped() {
        let programs = ["cl-admin", "cl-bot", "cl-review", "cl-ear", "cl-mouth", "cl-pins"];
        let programs = programs.map(|name| format!("/usr/bin/{name}"));
        let text = programs.iter().fold(text, |text, program| text.replace(program, "/bin/true"));
        fs::write(folder.join(name.replace('@', "@default")), text).expect("it can be written");
    }
    folder
}

fn shipped() -> Vec<(String, String)> {
    let folder = workspace().join("packaging/systemd");
    let names = [
        "tameclaw-admin.service",
        "tameclaw-bot@.service",
        "tameclaw-bot@.socket",
        "tameclaw-door@.service",
        "tameclaw-door@.socket",
        "tameclaw-matrix@.service",
        "tameclaw-telegram@.service",
        "tameclaw-model.service",
        "tameclaw-model-proxy.service",
        "tameclaw-model.socket",
        "tameclaw-admin.socket",
        "tameclaw-review.service",
        "tameclaw-review.socket",
        "tameclaw-ear.service",
        "tameclaw-ear.socket",
        "tameclaw-mouth.service",
        "tameclaw-mouth.socket",
        "tameclaw-pins.service",
        "tameclaw-pins.socket",
    ];
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a unit");
    names.map(|name| (name.to_owned(), read(name))).to_vec()
}

#[test]
fn systemd_finds_no_fault_in_the_units_and_each_open_directive_has_its_reason() {
    let world = World::empty();
    let folder = laid_out(&world);
    let page = fs::read_to_string(workspace().join("docs/OPERATING.md")).expect("a page");
    let units = [
        ("tameclaw-admin.service", 5.0),
        ("tameclaw-bot@default.service", 1.5),
        ("tameclaw-door@default.service", 1.5),
        ("tameclaw-matrix@default.service", 1.5),
        ("tameclaw-telegram@default.service", 1.5),
        ("tameclaw-model.service", 1.0),
        ("tameclaw-model-proxy.service", 1.0),
        ("tameclaw-review.service", 0.5),
        ("tameclaw-ear.service", 0.5),
        ("tameclaw-mouth.service", 0.5),
        ("tameclaw-pins.service", 0.5),
    ];
    for (name, most) in units {
        let Some((open, level)) = analysed(&folder.join(name)) else {
            skip("systemd-analyze is not installed, or knows no --offline: apt-get install systemd");
            return;
        };
        assert!(level <= most, "{name}: {level}");
        let unit = fs::read_to_string(folder.join(name)).expect("it was written");
        let comments: String = unit.lines().filter(|line| line.starts_with('#')).collect();
        // A directive that is set stands below its comment; one that is not is named in a comment.
        for directive in open {
            let is_set = unit.lines().any(|line| line.starts_with(&format!("{directive}=")));
            let directive = directive.split('/').next().unwrap_or_default();
            assert!(
                is_set || comments.contains(directive),
                "{name} leaves {directive} open without a reason"
            );
            assert!(
                page.contains(&format!("`{directive}")),
                "docs/OPERATING.md has no reason for {directive}"
            );
        }
    }
    let mut command = Command::new("systemd-analyze");
    command.args(["verify", "--man=no"]);
    let files = fs::read_dir(&folder).expect("it is there").map(|entry| entry.expect("an entry").path());
    command.args(files.collect::<Vec<_>>()).env("LC_ALL", "C").current_dir(world.outside());
    let ran = run(command, b"", PATIENCE);
    let ours: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("tameclaw")).collect();
    assert!(ours.is_empty(), "{ours:#?}");
}

/// The server has no way out by its unit either, and the proxy speaks with the port on which it answers.
#[test]
fn the_units_of_the_model_server_have_a_network_of_their_own_and_agree_on_the_ports() {
    let units: std::collections::BTreeMap<String, String> = shipped().into_iter().collect();
    let (server, proxy) = (&units["tameclaw-model.service"], &units["tameclaw-model-proxy.service"]);
    let has = |unit: &str, line: &str| assert!(unit.lines().any(|other| other == line), "{line} in {unit}");
    for unit in [server, proxy] {
        has(unit, "PrivateNetwork=yes");
        has(unit, "IPAddressDeny=any");
        has(unit, "User=tameclaw-model");
        has(unit, "TemporaryFileSystem=/var/lib/tameclaw/home:ro");
    }
    assert!(server.lines().any(|line| line.starts_with("SystemCallFilter=~") && line.contains(" connect ")));
    has(server, "StopWhenUnneeded=yes");
    has(proxy, "BindsTo=tameclaw-model.service");
    has(proxy, "JoinsNamespaceOf=tameclaw-model.service");
    assert!(server.contains("model serve --port 8094\n") && proxy.contains("model ready --port 8094 "));
    assert!(proxy.contains("--exit-idle-time=10min 127.0.0.1:8094\n"));
    has(&units["tameclaw-model.socket"], "ListenStream=127.0.0.1:8093");
    let world = World::empty();
    world.admin(&["model", "connect", "--help"]).done().prints("[default: 8093]");
}

/// The door has the walls of the bot and sees the folder of certificates besides; what listens is its socket, on this machine alone.
#[test]
fn the_unit_of_the_door_has_the_walls_of_the_bots() {
    let units: std::collections::BTreeMap<String, String> = shipped().into_iter().collect();
    let walls = |name: &str| -> Vec<String> {
        let (_, walls) = units[name].split_once("\n# The view: ").expect("the walls begin here");
        walls.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    assert!(walls("tameclaw-door@.service").len() > 30, "{:?}", walls("tameclaw-door@.service"));
    let of_the_door = walls("tameclaw-door@.service");
    let (sees, of_both): (Vec<String>, Vec<String>) =
        of_the_door.into_iter().partition(|line| line.ends_with("/certificates"));
    assert_eq!(sees, ["BindReadOnlyPaths=-/var/lib/tameclaw/home/certificates"]);
    assert_eq!(of_both, walls("tameclaw-bot@.service"));
    let (door, socket) = (&units["tameclaw-door@.service"], &units["tameclaw-door@.socket"]);
    for line in ["User=cl-bot", "Group=cl-bot", "UMask=0077", "Restart=always", "RestartForceExitStatus=75"] {
        assert!(door.lines().any(|other| other == line), "{line} in {door}");
    }
    let listens: Vec<&str> = socket.lines().filter(|line| line.starts_with("Listen")).collect();
    assert_eq!(listens, ["ListenStream=127.0.0.1:8787"]);
    assert!(socket.lines().any(|line| line == "Accept=no"), "{socket}");
}

/// A messenger has the walls of the bot and no socket; both messengers have the same unit but for their names.
#[test]
fn the_units_of_the_messengers_have_the_walls_of_the_bots() {
    let units: std::collections::BTreeMap<String, String> = shipped().into_iter().collect();
    let lines = |name: &str| -> Vec<String> {
        let lines = units[name].lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| line.replace("Telegram", "Matrix").replace("telegram", "matrix")).collect()
    };
    let matrix = lines("tameclaw-matrix@.service");
    assert_eq!(matrix, lines("tameclaw-telegram@.service"));
    let (_, walls) =
        units["tameclaw-bot@.service"].split_once("\n# The view: ").expect("the walls begin here");
    let walls: Vec<&str> =
        walls.lines().filter(|line| line.contains('=') && !line.starts_with('#')).collect();
    assert!(walls.len() > 30, "{walls:?}");
    for line in walls.into_iter().chain([
        "User=cl-bot",
        "Group=cl-bot",
        "UMask=0077",
        "Restart=always",
        "RestartForceExitStatus=75",
        "RestartPreventExitStatus=2 3 4",
        "WantedBy=multi-user.target",
    ]) {
        assert!(matrix.iter().any(|other| other == line), "{line} in {matrix:#?}");
    }
    let binds = matrix.iter().filter(|line| line.starts_with("Bind"));
    assert!(!{ binds }.any(|line| line.ends_with("/certificates")), "{matrix:#?}");
    assert!(!matrix.iter().any(|line| line.contains(".socket") || line.starts_with("Listen")), "{matrix:#?}");
}

/// The page of the review has the walls of the door and more: no network, and nothing of the home. Its two sockets are there while
/// the service is, so nobody who reaches the page starts a service that a person stopped.
#[test]
fn the_unit_of_the_page_has_more_walls_than_the_doors_and_its_sockets_go_with_the_service() {
    let units: std::collections::BTreeMap<String, String> = shipped().into_iter().collect();
    let lines = |name: &str| -> BTreeSet<&str> {
        units[name].lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
    };
    let page = lines("tameclaw-review.service");
    let (_, of_the_door) =
        units["tameclaw-door@.service"].split_once("\n# The view: ").expect("the walls begin here");
    // What the door sees of the home, and that it reaches others.
    let opens = ["TemporaryFileSystem=", "Bind", "RestrictAddressFamilies=", "SystemCallFilter=~"];
    let walls: Vec<&str> = of_the_door
        .lines()
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .filter(|line| !opens.iter().any(|open| line.starts_with(open)))
        .collect();
    assert!(walls.len() > 25, "{walls:?}");
    for wall in walls.into_iter().chain([
        "User=tameclaw-review",
        "Group=tameclaw-review",
        "InaccessiblePaths=/var/lib",
        "InaccessiblePaths=-/var/lib/tameclaw/home",
        "BindReadOnlyPaths=/run/tameclaw-review",
        "PrivateNetwork=yes",
        "PrivateUsers=yes",
        "IPAddressDeny=any",
        "RestrictAddressFamilies=AF_UNIX",
        "RestrictSUIDSGID=yes",
        "SystemCallFilter=~@privileged @resources bind listen",
        "MemoryMax=128M",
        "Restart=always",
        "Requires=tameclaw-review.socket",
    ]) {
        assert!(page.contains(wall), "{wall} in {page:#?}");
    }
    let opened = page.iter().filter(|line| line.starts_with("Bind") || line.starts_with("ReadWrite"));
    assert_eq!(opened.collect::<Vec<_>>(), [&"BindReadOnlyPaths=/run/tameclaw-review"]);
    let (port, asks) = (lines("tameclaw-review.socket"), lines("tameclaw-admin.socket"));
    for line in [
        "ListenStream=127.0.0.1:8788",
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
        "Accept=no",
        "Requires=tameclaw-admin.socket",
        "Also=tameclaw-admin.socket",
    ] {
        assert!(port.contains(line), "{line} in {port:#?}");
    }
    for line in [
        "ListenStream=/run/tameclaw-review/service.sock",
        "SocketUser=tameclaw-review",
        "SocketMode=0600",
        "FileDescriptorName=review",
        "Accept=no",
        "BindsTo=tameclaw-admin.service",
        "Service=tameclaw-admin.service",
    ] {
        assert!(asks.contains(line), "{line} in {asks:#?}");
    }
    for socket in [port, asks] {
        let wanted = socket.iter().filter(|line| line.starts_with("WantedBy="));
        assert_eq!(wanted.collect::<Vec<_>>(), [&"WantedBy=tameclaw-admin.service"]);
        assert_eq!(socket.iter().filter(|line| line.starts_with("Listen")).count(), 1);
    }
    // The service starts without them.
    let service = lines("tameclaw-admin.service");
    assert!(!service.iter().any(|line| line.contains(".socket")), "{service:#?}");
}

/// A driver has the walls of the page of the review, and connects to nobody. The bot's user alone reaches its socket; the ear and the
/// mouth see nothing of the home and no device, the pins one chip and the folders of the stop files.
#[test]
fn the_units_of_the_drivers_have_more_walls_than_the_pages_and_the_bots_user_alone_reaches_them() {
    let units: std::collections::BTreeMap<String, String> = shipped().into_iter().collect();
    let lines = |name: &str| -> BTreeSet<&str> {
        units[name].lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
    };
    let (_, of_the_page) =
        units["tameclaw-review.service"].split_once("\n# The view: ").expect("the walls begin here");
    // What the page sees and reaches; the pins see less of `/var/lib` than a path can say.
    let opens = ["BindReadOnlyPaths=", "IPAddressAllow=", "SystemCallFilter=~", "InaccessiblePaths="];
    let walls: Vec<&str> = of_the_page
        .lines()
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .filter(|line| !opens.iter().any(|open| line.starts_with(open)))
        .collect();
    assert!(walls.len() > 30, "{walls:?}");
    for driver in ["ear", "mouth", "pins"] {
        let service = lines(&format!("tameclaw-{driver}.service"));
        let own = [
            format!("User=tameclaw-{driver}"),
            format!("Group=tameclaw-{driver}"),
            format!("Requires=tameclaw-{driver}.socket"),
            "SystemCallFilter=~@privileged @resources bind listen connect".to_owned(),
        ];
        for wall in walls.iter().copied().chain(own.iter().map(String::as_str)) {
            assert!(service.contains(wall), "{driver}: {wall} in {service:#?}");
        }
        let start =
            format!("ExecStart=/usr/bin/cl-{driver} serve --socket /run/tameclaw-drivers/{driver}.sock");
        assert!(service.iter().any(|line| line.starts_with(&start)), "{service:#?}");
        let opened: Vec<&&str> = service
            .iter()
            .filter(|line| ["Bind", "ReadWrite", "DeviceAllow"].iter().any(|open| line.starts_with(open)))
            .collect();
        match driver {
            "pins" => assert_eq!(
                opened,
                [
                    &"BindPaths=-/dev/gpiochip0",
                    &"BindReadOnlyPaths=/var/lib/tameclaw/home/config",
                    &"BindReadOnlyPaths=/var/lib/tameclaw/home/data/profiles/default",
                    &"DeviceAllow=/dev/gpiochip0 rw",
                ]
            ),
            _ => {
                assert!(opened.is_empty(), "{opened:?}");
                assert!(service.contains("InaccessiblePaths=-/var/lib/tameclaw/home"), "{service:#?}");
                assert!(!service.iter().any(|line| line.starts_with("SupplementaryGroups=")), "{service:#?}");
            }
        }
        let socket = lines(&format!("tameclaw-{driver}.socket"));
        let path = format!("ListenStream=/run/tameclaw-drivers/{driver}.sock");
        for line in [path.as_str(), "SocketUser=cl-bot", "SocketMode=0600", "Accept=no"] {
            assert!(socket.contains(line), "{line} in {socket:#?}");
        }
        assert_eq!(socket.iter().filter(|line| line.starts_with("Listen")).count(), 1);
    }
    let pins = lines("tameclaw-pins.service");
    for line in [
        "SupplementaryGroups=gpio cl-bot",
        "TemporaryFileSystem=/var/lib:ro",
        "InaccessiblePaths=-/var/lib/tameclaw/home/config/profiles",
        "InaccessiblePaths=-/var/lib/tameclaw/home/data/profiles/default/memory",
        "InaccessiblePaths=-/var/lib/tameclaw/home/data/profiles/default/logs",
        "InaccessiblePaths=-/var/lib/tameclaw/home/data/profiles/default/workspace",
    ] {
        assert!(pins.contains(line), "{line} in {pins:#?}");
    }
}

/// A unit in /etc that differs from the package's is what systemd reads: install, status and doctor name both and what to do.
#[test]
fn a_unit_that_takes_the_place_of_the_packages_is_named() {
    let world = World::without_kit();
    let own = Path::new("/etc/systemd/system/tameclaw-admin.service");
    let packaged = Path::new("/usr/lib/systemd/system/tameclaw-admin.service");
    let ran = |text: &str, arguments: &[&str]| {
        let inner = world.command(Program::Admin, arguments);
        let mut command = Command::new("unshare");
        // Folders of this view alone.
        let script = "text=$1; shift; for folder in /etc/systemd /usr/lib/systemd; do mount -t tmpfs none $folder && \
            mkdir $folder/system || exit 1; done; echo \"$text\" >/etc/systemd/system/tameclaw-admin.service; \
            echo '[Unit]' >/usr/lib/systemd/system/tameclaw-admin.service; exec \"$@\"";
        command.args(["--mount", "sh", "-c", script, "sh", text]);
        command.arg(inner.get_program()).args(inner.get_args()).current_dir(world.outside());
        command.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(command, b"", PATIENCE)
    };
    let words =
        format!("systemd reads {} in the place of {}, and they differ", own.display(), packaged.display());
    let next = format!("rm {} && systemctl daemon-reload", own.display());
    let looked = ran("[Service]", &["doctor"]);
    if ["unshare:", "mount:"].iter().any(|word| looked.stderr.contains(word)) {
        return skip("nothing can be mounted here");
    }
    looked.prints(&words).prints(&next);
    let install = ["--home", "/srv/home", "service", "install", "--dry-run"];
    ran("[Service]", &install).done().says(&words).says(&next).prints(&format!("writes {}", own.display()));
    ran("[Service]", &["service", "status"]).says(&words).says(&next);
    // What `install` wrote from the same text is not another unit.
    let same = "# Written by `cl-admin service install`, and written again by it.\n[Unit]";
    ran(same, &["doctor"]).hides("in the place of");
}
