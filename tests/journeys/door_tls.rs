//! The door of `cl-bot serve` by TLS: with a certificate that is given, or one that `cl-admin` makes for the home.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::eventually;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::tls::{Trust, connect, fingerprint};
use tameclaw_tests::world::{PATIENCE, World};

const MADE: [&str; 4] = ["door", "listen", "127.0.0.1:8787", "--tls-made"];

/// The file of the made certificate and its key.
fn made(world: &World) -> PathBuf {
    world.home().made_certificate(&world.profile())
}

fn token(world: &World) -> String {
    world.admin(&["door", "add", "phone", "--person"]).done().stdout.trim().to_owned()
}

/// A certificate for `localhost` until the first day of a year, and its key of this mode.
fn given(folder: &Path, name: &str, end: i32, mode: u32) -> (String, String) {
    let key = KeyPair::generate().expect("random bytes");
    let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a name");
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(end, 1, 1));
    let certificate = params.self_signed(&key).expect("a certificate");
    let files = [folder.join(format!("{name}.crt")), folder.join(format!("{name}.key"))];
    fs::write(&files[0], certificate.pem()).expect("a file");
    fs::write(&files[1], key.serialize_pem()).expect("a file");
    fs::set_permissions(&files[1], fs::Permissions::from_mode(mode)).expect("a mode");
    let [certificate, key] = files.map(|file| file.display().to_string());
    (certificate, key)
}

fn listen(certificate: &str, key: &str) -> Vec<String> {
    let words = ["door", "listen", "127.0.0.1:8787", "--tls-certificate", certificate, "--tls-key", key];
    words.map(str::to_owned).to_vec()
}

fn told(world: &World, words: &[String]) -> tameclaw_tests::run::Ran {
    world.admin(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a client gets that trusts the certificate of a file, and looks at names and dates.
fn strict(door: &Door, certificate: &Path) -> std::io::Result<String> {
    let Place::Tls(address, _) = door.place() else { panic!("{:?}", door.place()) };
    let mut client = connect(door.bare(), "localhost", Trust::Certificate(certificate.to_owned()));
    let port = address.rsplit(':').next().expect("a port");
    let head = format!("GET /health HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
    client.write_all(head.as_bytes())?;
    let mut answer = String::new();
    client.read_to_string(&mut answer)?;
    Ok(answer)
}

/// The certificate that the home makes is shown by the same fingerprint in every place, and a client that trusts it is answered; the
/// cookie of the log-in is for TLS alone, and pages without TLS are strangers.
#[test]
fn a_made_certificate_is_the_one_that_a_client_sees() {
    let world = World::new();
    let token = token(&world);
    let ran = world.admin(&MADE).done();
    let shown = fingerprint(&made(&world));
    ran.prints(&shown).hides("no TLS");
    world.admin(&["door", "list"]).done().prints(&format!("SHA-256 {shown}"));
    world.admin(&["door", "list", "--json"]).done().prints(&shown);
    world.admin(&["doctor"]).prints(&format!("certificate SHA-256 {shown}"));
    let mode = fs::metadata(made(&world)).expect("a key").permissions().mode();
    assert_eq!(mode & 0o7777, 0o640, "others read nothing of the key");

    let door = Door::at_port(&world, &[]);
    let Place::Tls(address, said) = door.place().clone() else { panic!("{:?}", door.place()) };
    assert_eq!(said, shown);
    door.get("/status", Some(&token)).has(200);
    let answer = strict(&door, &made(&world)).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");

    let form = format!("token={token}");
    let log_in = |origin: &str| {
        let length = form.len();
        door.send(&format!(
            "POST /login HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}://{address}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
        ))
    };
    let cookie = log_in("https").has(303).header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.contains("; Secure") && cookie.contains("HttpOnly"), "{cookie}");
    log_in("http").has(403);
    let cookie = door.send(&door.head(
        "POST",
        "/logout",
        None,
        &format!("Origin: https://{address}\r\nContent-Length: 0\r\n"),
    ));
    assert!(cookie.header("set-cookie").is_some_and(|cookie| cookie.contains("; Secure")), "{cookie:?}");
    drop(door);

    // Done again it is another one, and the next start has it.
    world.admin(&MADE).done().hides(&shown);
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert_eq!(journal.matches("\"certificate\":").count(), 2, "each certificate is on record: {journal}");
    let again = fingerprint(&made(&world));
    let Place::Tls(_, said) = Door::at_port(&world, &[]).place().clone() else { panic!("no TLS") };
    assert_eq!(said, again);
    // The record tells TLS that was taken away from TLS that was kept.
    let removed = || {
        let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
        journal.matches("\"tls_removed\":true").count()
    };
    world.admin(&["door", "listen", "127.0.0.1:8788"]).done();
    assert!(matches!(Door::at_port(&world, &[]).place(), Place::Tls(..)));
    assert_eq!(removed(), 0);
    world.admin(&["door", "listen", "127.0.0.1:8787", "--no-tls"]).done();
    assert_eq!(removed(), 1);
    assert!(matches!(Door::at_port(&world, &[]).place(), Place::Address(_)));
}

/// The name under which a browser calls the door is one of the certificate's.
#[test]
fn a_given_certificate_is_served_and_a_socket_file_has_none() {
    let world = World::new();
    let (certificate, key) = given(world.outside(), "home", 2040, 0o600);
    told(&world, &listen(&certificate, &key)).done().prints(&fingerprint(Path::new(&certificate)));
    let door = Door::at_port(&world, &[]);
    assert!(strict(&door, Path::new(&certificate)).expect("an answer").starts_with("HTTP/1.1 200"));
    let (other, _) = given(world.outside(), "other", 2040, 0o600);
    assert!(strict(&door, Path::new(&other)).is_err(), "another certificate is not the door's");
    drop(door);
    let file = world.outside().join("s");
    assert!(matches!(Door::open(&world, &["--socket", &file.display().to_string()]).place(), Place::File(_)));
    world.admin(&["door", "listen", "off", "--tls-made"]).exited(2).says("a socket file has no TLS");
    world.admin(&["door", "listen", "off"]).done();
    world.admin(&["door", "list"]).done().hides("certificate");
}

/// What cannot be used is refused where it is chosen, and where the door starts: each time with the file, and the next step.
#[test]
fn a_key_that_does_not_fit_is_missing_or_is_open_to_others_is_refused() {
    let world = World::new();
    let (certificate, key) = given(world.outside(), "home", 2040, 0o600);
    let (_, other) = given(world.outside(), "other", 2040, 0o600);
    let (_, open) = given(world.outside(), "open", 2040, 0o644);
    told(&world, &listen(&certificate, &other)).exited(3).says("does not fit").says("other.key");
    told(&world, &listen(&certificate, &open)).exited(3).says("mode 0644").says("chmod");
    told(&world, &listen(&certificate, "/nowhere/a.key")).exited(3).says("/nowhere/a.key");
    told(&world, &listen(&key, &key)).exited(3).says("no certificate");
    world.admin(&["door", "listen", "127.0.0.1:8787", "--tls-key", &key]).exited(2);
    world.admin(&["door", "list"]).done().prints("socket file");

    told(&world, &listen(&certificate, &key)).done();
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("a mode");
    world.bot(&serve).exited(2).says("mode 0644").says("chmod").hides("listening");
    world.admin(&["doctor"]).prints("fail  door").prints("mode 0644");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).expect("a mode");
    let kept = fs::read(&key).expect("a key");
    fs::copy(&other, &key).expect("a key");
    world.bot(&serve).exited(2).says("does not fit").hides("listening");
    fs::remove_file(&key).expect("a key");
    world.bot(&serve).exited(2).says("home.key").says("--tls-made").hides("listening");
    fs::write(&key, kept).expect("a key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).expect("a mode");
    Door::at_port(&world, &[]).get("/health", None).has(200);
}

/// An end that is near or over is said, and whether it counts is the client's to decide.
#[test]
fn a_certificate_that_is_over_is_said_and_served() {
    let world = World::new();
    let (certificate, key) = given(world.outside(), "old", 2024, 0o600);
    told(&world, &listen(&certificate, &key)).done();
    world.admin(&["doctor"]).prints("warn  door").prints("the certificate ended on 2024-01-01");
    let door = Door::at_port(&world, &[]);
    assert!(door.said().contains("warning: the certificate ended on 2024-01-01"), "{}", door.said());
    door.get("/health", None).has(200);
    assert!(strict(&door, Path::new(&certificate)).is_err(), "a client that looks at dates refuses it");
}

/// Plain HTTP at the port of TLS gets no answer of HTTP; neither that nor handshakes that stop in the middle harm anybody else.
#[test]
fn plain_http_and_half_handshakes_harm_nobody() {
    let world = World::new();
    world.admin(&MADE).done();
    let door = Door::at_port(&world, &[]);
    for _ in 0..20 {
        let mut plain = door.bare();
        plain.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it is sent");
        let mut answer = Vec::new();
        let _ = plain.read_to_end(&mut answer);
        assert!(answer.len() < 16 && !answer.starts_with(b"HTTP"), "{answer:?}");
    }
    // More than there are places: they are let go, after ten seconds.
    let mut half: Vec<_> = (0..520).map(|_| door.bare()).collect();
    for connection in half.iter_mut().take(100) {
        connection.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01]).expect("it is sent");
    }
    let begun = Instant::now();
    door.get("/health", None).has(200);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    // At the end they are not waited for.
    let _more: Vec<_> = (0..20).map(|_| door.bare()).collect();
    let begun = Instant::now();
    door.end();
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

/// After an installation the door starts again, with TLS, and with the certificate that is there then.
#[test]
fn a_restart_keeps_tls_and_takes_a_renewed_certificate() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    world.admin(&MADE).done();
    let door = Door::at_port(&world, &[]);
    let old = made(&world);
    let before = world.outside().join("before.crt");
    fs::copy(&old, &before).expect("a copy");
    strict(&door, &before).expect("an answer");
    world.admin(&MADE).done();
    // The socket is open until the door ends, and with it its TLS.
    world.admin(&["door", "listen", "off"]).done();
    let id = world.newest()["id"].as_str().expect("an identifier").to_owned();
    world.admin(&["approve", &id, "--yes"]).done();
    let renewed =
        eventually(PATIENCE, "it answers with the renewed certificate", || strict(&door, &old).ok());
    assert!(renewed.starts_with("HTTP/1.1 200"), "{renewed}");
    assert!(strict(&door, &before).is_err(), "the old certificate is served no more");
}

/// A key that an earlier release made where the process with the network reads is used, and the doctor names the way out.
#[test]
fn a_key_beside_the_secrets_is_used_and_warned_of() {
    let world = World::new();
    fs::create_dir_all(world.home().secrets()).expect("a folder");
    let (certificate, key) = given(&world.home().secrets(), "door.default", 2040, 0o640);
    told(&world, &listen(&certificate, &key)).done();
    world.admin(&["doctor"]).prints("warn  door").prints(&format!("the key {key} is where other processes"));
    let door = Door::at_port(&world, &[]);
    assert!(strict(&door, Path::new(&certificate)).expect("an answer").starts_with("HTTP/1.1 200"));
    world.admin(&MADE).done();
    assert!(made(&world).is_file());
    world.admin(&["doctor"]).hides("warn  door").prints(&fingerprint(&made(&world)));
}

/// A certificate that could not be put into the profile's file is not made: the old one stays with its door.
#[test]
fn a_file_that_cannot_be_changed_keeps_its_certificate() {
    let world = World::new();
    world.admin(&MADE).done();
    let before = fingerprint(&made(&world));
    let file = world.home().profile_file(&world.profile());
    let text = fs::read_to_string(&file).expect("a file");
    let (rest, _) = text.split_once("\ndoor:").expect("a door");
    // A block could take its comments along, so the program replaces none.
    let by_hand = "door:\n  listen: 127.0.0.1:8788\n  tls:\n    certificate: a.crt\n    key: a.key\n";
    fs::write(&file, format!("{rest}\n{by_hand}")).expect("a file");
    world.admin(&MADE).exited(3).hides("SHA-256");
    assert_eq!(fingerprint(&made(&world)), before);
}

/// The configuration names both files, or none.
#[test]
fn a_certificate_without_its_key_is_a_fault() {
    let world = World::new();
    let file = world.home().profile_file(&world.profile());
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, format!("{text}door: {{listen: \"127.0.0.1:8787\", tls: {{certificate: a.crt}}}}\n"))
        .expect("a file");
    world.bot(&["config", "validate"]).exited(2).says("a certificate and its key");
}

/// An address of other machines without TLS is warned of at each start and by the doctor; with TLS it is not.
#[test]
fn other_machines_without_tls_are_warned_of() {
    let world = World::new();
    world.admin(&["door", "listen", "0.0.0.0:18788"]).done().says("no TLS").says("--tls-made");
    world.admin(&["doctor"]).prints("warn  door").prints("no TLS");
    let door = Door::start(&world, &["serve"]);
    assert!(door.said().contains("the connection has no TLS"), "{}", door.said());
    drop(door);
    world.admin(&["door", "listen", "0.0.0.0:18788", "--tls-made"]).done().hides("no TLS");
    world.admin(&["doctor"]).hides("no TLS");
}
