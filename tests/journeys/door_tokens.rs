//! Who may use a profile's door, and where it listens: `cl-admin door`, and what becomes of the profile's file.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use documents::yaml;
use serde_json::{Value, json};
use shared_types::id::{Digest, ProfileId};
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{Program, World};

use crate::profiles::files_with;

const SOON: Duration = Duration::from_secs(60);

fn text(world: &World) -> String {
    fs::read_to_string(world.home().profile_file(&world.profile())).expect("the profile has a file")
}

fn set(world: &World, text: &str) {
    fs::write(world.home().profile_file(&world.profile()), text).expect("it can be written");
}

/// What the file says about the door.
fn door(world: &World) -> Value {
    let mut file: Value = yaml::from_own(&text(world)).expect("it can be read");
    file["door"].take()
}

/// The one line of stdout, which is a token.
#[track_caller]
fn token(ran: &Ran) -> String {
    let signs = ran.stdout.strip_prefix("tameclaw_").and_then(|rest| rest.strip_suffix('\n'));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    assert!(signs.is_some_and(|signs| signs.len() == 43 && signs.chars().all(is_sign)), "{}", ran.report());
    ran.stdout.trim_end().to_owned()
}

fn sha256(token: &str) -> String {
    Digest::of(token.as_bytes()).to_string()
}

#[test]
fn a_token_is_shown_once_and_the_profiles_file_keeps_its_digest_alone() {
    let world = World::new();
    let before = text(&world);
    let ran = world.admin(&["door", "add", "phone", "--person"]).done();
    let ran = ran.says("shown this once").says("typed by the person of `default`");
    let phone = token(&ran.says("cl-bot serve --profile default"));
    let after = text(&world);
    let hex = sha256(&phone);
    let written =
        if hex.starts_with(|c: char| c.is_ascii_digit()) { format!("\"{hex}\"") } else { hex.clone() };
    let lines = format!("door:\n  tokens:\n    - {{name: phone, person: true, sha256: {written}}}\n");
    assert!(after.contains(&lines) && before.lines().all(|line| after.lines().any(|l| l == line)), "{after}");
    world.bot(&["config", "validate"]).done().prints("profiles/default.yaml: no faults");

    let ran = world.admin(&["door", "add", "printer"]).done().says("content from outside").says("--person");
    let printer = token(&ran);
    assert_ne!(phone, printer);
    assert_eq!(
        door(&world)["tokens"],
        json!([{"name": "phone", "person": true, "sha256": hex},
               {"name": "printer", "sha256": sha256(&printer)}])
    );
    for token in [&phone, &printer] {
        let signs = token.trim_start_matches("tameclaw_");
        assert_eq!(
            files_with(world.home().root(), signs),
            Vec::<PathBuf>::new(),
            "the token is kept in plain text"
        );
    }
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert!(journal.contains("door-token-added") && !journal.contains(&hex), "{journal}");
}

#[test]
fn a_name_that_is_taken_and_one_that_is_none_are_refused_and_nothing_is_written() {
    let world = World::new();
    world.admin(&["door", "add", "phone"]).done();
    let before = text(&world);
    let ran = world.admin(&["door", "add", "phone", "--person"]).exited(3);
    let ran = ran.says("a token `phone` already").says("cl-admin door remove phone --profile default");
    assert_eq!(ran.stdout, "", "{}", ran.report());
    let long = "a".repeat(41);
    for name in ["Phone", "my phone", "my_phone", "../phone", &long] {
        for verb in ["add", "remove"] {
            let ran = world.admin(&["door", verb, name]).exited(2);
            let ran = ran.says("1 to 40 characters, lower-case letters, digits and `-`");
            assert_eq!(ran.stdout, "", "{}", ran.report());
        }
    }
    world.admin(&["door", "remove", "laptop"]).exited(1).says("no token `laptop`").says("cl-admin door list");
    for words in [&["add", "a"][..], &["list"], &["remove", "a"], &["listen", "off"]] {
        let words = [&["door"], words, &["--profile", "nobody"]].concat();
        world.admin(&words).exited(1).says("no profile `nobody`").hides("tameclaw_");
    }
    assert_eq!(text(&world), before);
    // A file with faults stays as it is, and no token is shown.
    set(&world, "colour: red\n");
    let ran = world.admin(&["door", "add", "laptop"]).exited(2).says("colour");
    assert_eq!((ran.stdout.as_str(), text(&world).as_str()), ("", "colour: red\n"));
}

#[test]
fn a_door_has_32_tokens_at_most() {
    let world = World::new();
    let entry = |at: usize| format!("    - {{name: t{at}, sha256: \"{}\"}}\n", sha256(&at.to_string()));
    set(&world, &format!("door:\n  tokens:\n{}", (1..=32).map(entry).collect::<String>()));
    let ran = world.admin(&["door", "add", "one-more"]).exited(3).says("32 tokens").says("door remove NAME");
    assert_eq!(ran.stdout, "", "{}", ran.report());
    world.admin(&["door", "remove", "t7"]).done();
    token(&world.admin(&["door", "add", "one-more"]).done());
    assert_eq!(door(&world)["tokens"].as_array().map(Vec::len), Some(32));
}

#[test]
fn the_list_tells_who_may_come_and_where() {
    let world = World::new();
    let ran = world.admin(&["door", "list"]).done().prints("socket file");
    ran.says("no token").says("cl-admin door add NAME --profile default");
    world.admin(&["door", "add", "phone", "--person"]).done();
    world.admin(&["door", "add", "printer"]).done();
    world.admin(&["door", "listen", "127.0.0.1:8787"]).done();
    set(&world, &text(&world).replace("door:\n  tokens", "door:\n  hosts: [companion.lan]\n  tokens"));
    let ran = world.admin(&["door", "list"]).done().prints("address: 127.0.0.1:8787");
    let ran = ran.prints("hosts: companion.lan").hides("no token").hides("sha256");
    let row = |name: &str| {
        let line = ran.stdout.lines().find(|line| line.starts_with(name)).expect("it is listed");
        line.split_whitespace().last().map(str::to_owned)
    };
    assert_eq!((row("phone").as_deref(), row("printer").as_deref()), (Some("person"), Some("program")));
    assert_eq!(
        world.admin(&["door", "list", "--json"]).done().json(),
        json!({"profile": "default", "listen": "127.0.0.1:8787", "hosts": ["companion.lan"],
               "tls": null, "certificate": null,
               "tokens": [{"name": "phone", "person": true}, {"name": "printer", "person": false}]})
    );
}

/// What a person wrote into the file stays, byte by byte, regardless of what is added and removed.
#[test]
fn tokens_come_and_go_and_the_comments_of_the_file_stay() {
    let world = World::new();
    let digest = sha256("by hand");
    let file = format!(
        "# Anna's.\naudience: work\ndoor:\n  # only at home\n  listen: 127.0.0.1:8787   # loopback\n  tokens:\n    # the blue one\n    - {{name: phone, sha256: \"{digest}\"}}   # since May\n    # the end\ngrants: {{}}   # nothing yet\n"
    );
    set(&world, &file);
    world.admin(&["door", "add", "laptop"]).done();
    let laptop = door(&world)["tokens"][1]["sha256"].as_str().expect("a digest").to_owned();
    world.admin(&["door", "remove", "phone"]).done().prints("a running door refuses it from now on");
    let after = text(&world);
    assert!(!after.contains(&digest) && after.contains(&laptop), "{after}");
    let kept = |line: &&str| !line.contains("since May");
    assert!(file.lines().filter(kept).all(|line| after.lines().any(|l| l == line)), "{after}");
    world.admin(&["door", "remove", "phone"]).exited(1).says("no token `phone`");
    world.admin(&["door", "remove", "laptop"]).done();
    world.admin(&["door", "listen", "off"]).done();
    let after = text(&world);
    assert!(
        ["# only at home", "# the blue one", "# the end"].iter().all(|kept| after.contains(kept)),
        "{after}"
    );
    assert_eq!(door(&world), json!({"tokens": []}), "{after}");
    world.admin(&["door", "list"]).done().prints("socket file").says("no token");
    token(&world.admin(&["door", "add", "phone"]).done());
}

/// A browser sends the cookies of a host to all its ports, so two doors at one host are warned of, where an address is set and by
/// `doctor`; a name for each profile, or a socket file, ends the warning.
#[test]
fn two_doors_at_one_host_are_warned_of() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let words = "the doors of `anna` and `default` are both at 127.0.0.1";
    world.admin(&["door", "listen", "127.0.0.1:8787"]).done().hides("cookie");
    let of_anna = ["door", "listen", "127.0.0.1:8789", "--profile", "anna"];
    world.admin(&of_anna).done().says(words).says("door.hosts").says("socket file");
    world.admin(&["doctor"]).prints(words);
    for (profile, host) in [("anna", "anna.lan"), ("default", "home.lan")] {
        let file = world.home().profile_file(&profile.parse().expect("a profile"));
        let text = fs::read_to_string(&file).expect("it is there");
        fs::write(&file, text.replace("listen:", &format!("hosts: [{host}]\n  listen:")))
            .expect("it can be written");
    }
    world.admin(&of_anna).done().hides("cookie");
    world.admin(&["doctor"]).hides("cookie");
    world.admin(&["door", "listen", "off", "--profile", "anna"]).done().hides("cookie");
}

#[test]
fn an_address_is_set_and_taken_away_and_one_for_other_machines_is_warned_of() {
    let world = World::new();
    let before = text(&world);
    world.admin(&["door", "listen", "127.0.0.1:8787"]).done().prints("127.0.0.1:8787").hides("TLS");
    assert_eq!(door(&world), json!({"listen": "127.0.0.1:8787"}));
    world.admin(&["door", "listen", "127.0.0.1:8787"]).done().prints("it was so before");
    world.admin(&["door", "listen", "[::1]:8787"]).done().hides("TLS");
    let ran = world.admin(&["door", "listen", "0.0.0.0:8788"]).done().says("warning").says("no TLS");
    ran.says("Caddy").says("Tailscale serve").says("door.hosts");
    assert_eq!(door(&world), json!({"listen": "0.0.0.0:8788"}));
    for wrong in ["localhost:8787", "127.0.0.1", "8787", "127.0.0.1:99999", "Off"] {
        world.admin(&["door", "listen", wrong]).exited(2).says("IP:PORT").says("`off`");
    }
    world.admin(&["door", "listen", "off"]).done().prints("socket file");
    world.admin(&["door", "listen", "off"]).done().prints("it was so before");
    let after = text(&world);
    assert!(
        before.lines().all(|line| after.lines().any(|l| l == line)) && !after.contains("8788"),
        "{after}"
    );
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert_eq!(journal.matches("door-address-set").count(), 4, "{journal}");
}

/// The service is the journal's only writer; the verbs have it done there.
#[test]
fn doors_are_changed_beside_a_running_service_and_of_a_minors_profile_too() {
    let world = World::new();
    let kid: ProfileId = "kid".parse().expect("a profile name");
    world.admin(&["profile", "add", "kid", "--audience", "child"]).done();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.expect("serving", SOON);
    let ran = world.admin(&["door", "add", "tablet", "--profile", "kid", "--person"]).done();
    let tablet = token(&ran.says("cl-bot serve --profile kid"));
    world.admin(&["door", "listen", "127.0.0.1:8787", "--profile", "kid"]).done();
    world.admin(&["door", "add", "tablet", "--profile", "kid"]).exited(3).says("already");
    let of_kid = || fs::read_to_string(world.home().profile_file(&kid)).expect("the profile has a file");
    assert!(of_kid().contains(&sha256(&tablet)), "{}", of_kid());
    world.admin(&["door", "list"]).done().says("no token");
    world.admin(&["door", "remove", "tablet", "--profile", "kid"]).done().prints("from now on");
    assert!(!of_kid().contains(&sha256(&tablet)), "{}", of_kid());
}

/// A household begins at a page that links to the doors of its profiles, by their names where they have some; it opens nothing.
#[test]
fn a_page_links_to_the_doors_of_the_household() {
    let world = World::new();
    for id in ["anna", "ben", "eva"] {
        world.admin(&["profile", "add", id, "--audience", "adult"]).done();
    }
    world.admin(&["door", "listen", "127.0.0.1:8787"]).done();
    world.admin(&["door", "listen", "127.0.0.1:8788", "--profile", "anna"]).done();
    world.admin(&["door", "listen", "0.0.0.0:8789", "--profile", "ben", "--tls-made"]).done();
    let names = |id: &str, name: &str| {
        let file = world.home().profile_file(&id.parse().expect("an id"));
        let text = fs::read_to_string(&file).expect("it is there");
        fs::write(&file, text.replacen("door:\n", &format!("door:\n  hosts: [{name}]\n"), 1))
            .expect("it can be written");
    };
    names("anna", "anna.home.example");
    let token = world.admin(&["door", "add", "phone"]).done().stdout;
    let page = world.admin(&["door", "page"]).done();
    assert!(
        page.stderr.contains("`eva` has no address") && page.stderr.contains("`ben` has no address"),
        "{}",
        page.stderr
    );
    let links: Vec<&str> = page.stdout.lines().filter(|line| line.starts_with("<li>")).collect();
    assert_eq!(
        links,
        [
            "<li><a href=\"https://anna.home.example/\">anna</a></li>",
            "<li><a href=\"http://127.0.0.1:8787/\">default</a></li>",
        ]
    );
    names("ben", "ben.home.example");
    let page = world.admin(&["door", "page"]).done().stdout;
    assert!(page.contains("<a href=\"https://ben.home.example:8789/\">ben</a>"), "{page}");
    assert!(
        page.starts_with("<!DOCTYPE html>") && !page.contains("<script") && !page.contains(token.trim()),
        "{page}"
    );
}
