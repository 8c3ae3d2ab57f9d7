use super::*;

/// A root with these files, each with its text.
fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn a_board_is_known_by_its_name_and_a_container_by_its_mark() {
    let board = |name: &str| platform(root(&[("proc/device-tree/model", name)]).path());
    assert_eq!(board("Raspberry Pi 4 Model B Rev 1.4\0"), Platform::RaspberryPi4);
    assert_eq!(board("Raspberry Pi Compute Module 4 Rev 1.0\0"), Platform::RaspberryPi4);
    assert_eq!(board("Raspberry Pi 3 Model B Plus Rev 1.3\0"), Platform::RaspberryPi3);
    assert_eq!(board("Raspberry Pi 5 Model B Rev 1.0\0"), Platform::RaspberryPi5);
    assert_eq!(board("Raspberry Pi Zero 2 W Rev 1.0\0"), Platform::RaspberryPiZero2);
    assert_eq!(board("Raspberry Pi Model B Rev 2\0"), Platform::RaspberryPi);
    assert_eq!(board("linux,dummy-virt\0"), Platform::Linux);
    assert_eq!(platform(root(&[]).path()), Platform::Linux);
    for mark in [".dockerenv", "run/.containerenv"] {
        assert_eq!(platform(root(&[(mark, "")]).path()), Platform::Container);
    }
    let written = yaml::to_string(&board("Raspberry Pi 4 Model B\0")).unwrap();
    assert_eq!(written.trim(), Platform::RaspberryPi4.as_str());
}

#[test]
fn pins_are_offered_where_there_is_a_chip_or_a_service_that_a_profile_names() {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().to_owned(), None);
    fs::create_dir_all(home.profile_files()).unwrap();
    assert_eq!(pins(&home, root(&[("dev/gpio", "")]).path()), None);
    assert_eq!(pins(&home, root(&[("dev/gpiochip0", "")]).path()), Some(SystemCapability::Gpio));
    let socket = place.path().join("pins.sock");
    fs::write(home.profile_files().join("default.yaml"), format!("pins: {}\n", socket.display())).unwrap();
    assert_eq!(pins(&home, root(&[]).path()), None);
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert_eq!(pins(&home, root(&[]).path()), Some(SystemCapability::Gpio));
}

/// A microphone without what understands it is of no use: the programs beside this one count, the ear with PocketSphinx, and the socket
/// files that a profile names, while they are there.
#[test]
fn speech_is_offered_where_something_understands_and_makes_it() {
    use SystemCapability::{AudioInput, AudioOutput};
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().to_owned(), None);
    fs::create_dir_all(home.profile_files()).unwrap();
    let library = ("usr/lib/x86_64-linux-gnu/libpocketsphinx.so.3", "");
    let model = ("usr/share/pocketsphinx/model/en-us/en-us/mdef", "");
    let (bare, half, whole) = (root(&[library]), root(&[model]), root(&[library, model]));
    let programs = root(&[("cl-ear", ""), ("cl-mouth", "")]);
    let at = |root: &tempfile::TempDir, beside: Option<&Path>| voice(&home, root.path(), beside);
    assert_eq!(at(&whole, None), []);
    assert_eq!(at(&bare, Some(programs.path())), [AudioOutput]);
    assert_eq!(at(&half, Some(programs.path())), [AudioOutput]);
    assert_eq!(at(&whole, Some(programs.path())), [AudioInput, AudioOutput]);
    let ear = place.path().join("ear.sock");
    let named = |text: &str| fs::write(home.profile_files().join("default.yaml"), text).unwrap();
    named(&format!("voice: {{ear: {}}}\n", ear.display()));
    assert_eq!(at(&bare, None), []);
    fs::write(&ear, "").unwrap();
    assert_eq!(at(&bare, None), [], "a file is not a service");
    fs::remove_file(&ear).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(&ear).unwrap();
    assert_eq!(at(&bare, None), [AudioInput]);
}

const ROUTE: &str = "Iface\tDestination\tGateway\tFlags\neth0\t00000000\t010200C0\t0003\n";

/// Each key of the configuration that lets the chat reach a model or a host is looked at; what cannot be read adds nothing. Hosts
/// elsewhere are offered where the machine has a network, as the shipped weather service is.
#[test]
fn models_and_hosts_are_found_where_they_are_configured() {
    use SystemCapability::{LanguageModel, Network};
    let at = |routes: &str, config: &str, profile: &str| {
        let root = root(&[("proc/self/net/route", routes)]);
        let place = tempfile::tempdir().unwrap();
        let home = Home::new(place.path().to_owned(), None);
        fs::create_dir_all(home.profile_files()).unwrap();
        fs::write(home.bot_config(), config).unwrap();
        fs::write(home.profile_files().join("anna.yaml"), profile).unwrap();
        configured(&home, root.path())
    };
    let of = |config: &str, profile: &str| at(ROUTE, config, profile);
    for nothing in ["", "providers:\n  - {name: c, kind: embedded}\n", "providers: [", "services: []\n"] {
        assert_eq!(of(nothing, ""), [], "{nothing}");
    }
    let model = |kind: &str| of(&format!("providers:\n  - {{name: m, kind: {kind}}}\n"), "");
    assert_eq!(model("openai-compatible"), [LanguageModel, Network]);
    assert_eq!(model("mock"), [LanguageModel]);
    assert_eq!(of("web_search: {engine: searxng, url: \"https://search.example.org\"}\n", ""), [Network]);
    assert_eq!(of("", "grants: {hosts: [example.org]}\n"), [Network]);
    assert_eq!(of("", "grants: {hosts: 3}\n"), []);
    let weather = "services: [{topic: weather, host: wttr.in, url: \"https://wttr.in/{place}\"}]\n";
    assert_eq!(of(weather, ""), [Network]);
    for table in ["", "Iface\tDestination\n", "Iface\tDestination\nlo\t0000007F\n"] {
        assert_eq!(at(table, weather, "grants: {hosts: [example.org]}\n"), [], "{table}");
        let here = format!("{weather}network: {{local: [\"127.0.0.1:8080\"]}}\n");
        assert_eq!(at(table, &here, ""), [Network]);
    }
}

#[test]
fn a_machine_is_connected_by_a_route_that_leaves_it() {
    let of = |name: &str, text: &str| is_connected(root(&[(&format!("proc/self/net/{name}"), text)]).path());
    assert!(of("route", ROUTE));
    assert!(!of("route", "Iface\tDestination\n") && !of("route", ""));
    let route =
        |to: &str, by: &str| format!("{to} 40 {to} 00 {to} 00000100 00000001 00000000 00000001     {by}\n");
    let (anywhere, link) = ("20010db8000000000000000000000000", "fe800000000000000000000000000000");
    assert!(of("ipv6_route", &(route(link, "eth0") + &route(anywhere, "eth0"))));
    for table in
        [route(link, "eth0"), route(anywhere, "lo"), route("ff000000000000000000000000000000", "eth0")]
    {
        assert!(!of("ipv6_route", &table), "{table}");
    }
    assert!(!is_connected(root(&[]).path()));
}
