//! The index of releases: an attacker who controls its server, or the way to it, makes nobody believe in another release, and
//! nothing is ever installed.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use documents::releases::{FILE, File, Index};
use minisign::KeyPair;
use tameclaw_tests::http::{Response, Server, dead_port};
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::World;

/// Higher than any version of this program.
const NEWER: &str = "99.0.0";
const OWN: &str = env!("CARGO_PKG_VERSION");

/// A home, a release key, and a folder that plays the server.
struct Releases {
    world: World,
    pair: KeyPair,
}

impl Releases {
    fn new() -> Releases {
        let releases = Releases {
            world: World::without_kit(),
            pair: KeyPair::generate_unencrypted_keypair().expect("a key"),
        };
        fs::create_dir(releases.folder()).expect("a folder can be made");
        releases
    }

    fn folder(&self) -> PathBuf {
        self.world.outside().join("releases")
    }

    fn sign(pair: &KeyPair, text: &str) -> String {
        minisign::sign(None, &pair.sk, Cursor::new(text), None, None).expect("it signs").into_string()
    }

    fn index(serial: u64, version: &str) -> String {
        let file = File {
            name: format!("tameclaw_{version}.deb"),
            architecture: None,
            bytes: 7,
            sha256: "0".repeat(64),
        };
        let version = version.parse().expect("a version");
        Index::new(serial, jiff::Timestamp::now(), version, vec![file]).to_text().expect("a text")
    }

    fn put(&self, text: &str, signature: &str) {
        fs::write(self.folder().join(FILE), text).expect("it can be written");
        fs::write(self.folder().join(format!("{FILE}.minisig")), signature).expect("it can be written");
    }

    fn publish(&self, serial: u64, version: &str) {
        let text = Releases::index(serial, version);
        self.put(&text, &Releases::sign(&self.pair, &text));
    }

    fn check(&self) -> Ran {
        self.check_at(&self.folder().display().to_string(), &[])
    }

    fn check_at(&self, place: &str, more: &[&str]) -> Ran {
        let key = self.pair.pk.to_base64();
        let words = [&["update", "--check", "--index", place, "--key", &key], more].concat();
        self.world.admin(&words)
    }
}

/// What the release key signed is believed; without this the attacks below would prove nothing.
#[test]
fn a_newer_release_is_told_with_its_files_and_installs_nothing() {
    let releases = Releases::new();
    releases.publish(4, OWN);
    releases.check().exited(0).prints("is the newest release");
    releases.publish(5, NEWER);
    let told =
        releases.check().exited(10).prints("TameClaw 99.0.0 is available").prints("tameclaw_99.0.0.deb");
    told.prints("Nothing was downloaded or installed");
    let json = releases.check_at(&releases.folder().display().to_string(), &["--json"]).exited(10).json();
    assert_eq!((json["newer"].as_bool(), json["serial"].as_u64()), (Some(true), Some(5)), "{json}");
    assert_eq!(json["files"][0]["name"], "tameclaw_99.0.0.deb");
}

#[test]
fn an_index_of_another_key_or_with_a_changed_byte_is_refused() {
    let releases = Releases::new();
    let text = Releases::index(4, NEWER);
    let other = KeyPair::generate_unencrypted_keypair().expect("a key");
    releases.put(&text, &Releases::sign(&other, &text));
    releases.check().exited(4).says("signature").hides(NEWER);
    let signature = Releases::sign(&releases.pair, &text);
    for (from, to) in [(NEWER, "98.0.0"), ("\"serial\": 4", "\"serial\": 9"), ("tameclaw_", "tameclaw-")] {
        releases.put(&text.replacen(from, to, 1), &signature);
        releases.check().exited(4).says("signature").hides("available");
    }
    releases.put(&text, "");
    releases.check().exited(4).says("minisign's format");
    assert!(!releases.world.home().admin().join("release.seen").exists(), "a forged serial is remembered");
}

#[test]
fn an_older_index_than_one_that_was_seen_is_refused() {
    let releases = Releases::new();
    releases.publish(7, NEWER);
    releases.check().exited(10);
    releases.publish(6, OWN);
    releases.check().exited(4).says("serial 6, but serial 7 was seen before").hides("newest release (");
    // Nor is it forgotten by a look at an index of another key in between.
    let other = KeyPair::generate_unencrypted_keypair().expect("a key");
    let text = Releases::index(1, NEWER);
    releases.put(&text, &Releases::sign(&other, &text));
    let place = releases.folder().display().to_string();
    let key = other.pk.to_base64();
    releases.world.admin(&["update", "--check", "--index", &place, "--key", &key]).exited(10);
    releases.publish(6, OWN);
    releases.check().exited(4).says("serial 7 was seen before");
    // What was seen is not forgotten by being damaged.
    fs::write(releases.world.home().admin().join("release.seen"), "{").expect("it can be written");
    releases.check().exited(4).says("release.seen is damaged");
}

/// A first look has seen no serial: an index from before this program was released is recognised by its version.
#[test]
fn an_index_from_before_this_release_is_refused() {
    let releases = Releases::new();
    releases.publish(1, "0.0.1");
    releases.check().exited(4).says("names 0.0.1 as the newest release");
}

#[test]
fn a_signed_document_about_something_else_is_no_index() {
    let releases = Releases::new();
    let text = Releases::index(4, NEWER).replace("\"tameclaw\"", "\"another\"");
    releases.put(&text, &Releases::sign(&releases.pair, &text));
    releases.check().exited(4).says("product `another`");
    let text = Releases::index(4, NEWER).replace("tameclaw_99.0.0.deb", "../../etc/profile");
    releases.put(&text, &Releases::sign(&releases.pair, &text));
    releases.check().exited(4).says("forbidden characters");
}

#[test]
fn a_server_is_asked_without_redirect_and_within_a_size() {
    let releases = Releases::new();
    let text = Releases::index(4, NEWER);
    let signature = Releases::sign(&releases.pair, &text);
    let server = Server::start(move |request| match request.path.as_str() {
        "/good/tameclaw-index.json" => proper(200, text.clone().into_bytes()),
        "/good/tameclaw-index.json.minisig" => proper(200, signature.clone().into_bytes()),
        path if path.starts_with("/large/") => proper(200, vec![b' '; 300 * 1024]),
        path if path.starts_with("/moved/") => Response::Bytes(
            b"HTTP/1.1 302 Found\r\nlocation: /good/tameclaw-index.json\r\ncontent-length: 0\r\n\r\n"
                .to_vec(),
        ),
        _ => proper(404, vec![]),
    });
    let at = |path: &str| releases.check_at(&format!("http://{}/{path}", server.host()), &[]);
    at("good").exited(10).prints(NEWER);
    at("large").exited(1).says("more than 262144 bytes");
    at("moved").exited(1).says("status 302");
    at("none").exited(1).says("status 404").says("nothing is known about newer releases");
}

fn proper(status: u16, body: Vec<u8>) -> Response {
    Response::Proper { status, kind: "application/json", body }
}

#[test]
fn without_network_key_or_index_it_says_so() {
    let releases = Releases::new();
    let closed = format!("http://127.0.0.1:{}", dead_port());
    releases.check_at(&closed, &[]).exited(1).says("cannot be fetched").says("nothing is known");
    releases.check_at("http://mirror.example", &[]).exited(2).says("plain http is for this machine only");
    releases
        .world
        .admin(&["update", "--check", "--key", &releases.pair.pk.to_base64()])
        .exited(2)
        .says("--index");
    let folder = releases.folder().display().to_string();
    releases.world.admin(&["update", "--check", "--index", &folder]).exited(2).says("release.pub");
    releases.world.admin(&["update"]).exited(2);
    // The key in the home serves as well; it is a file of `minisign`.
    releases.publish(4, OWN);
    let file = format!("untrusted comment: the release key\n{}\n", releases.pair.pk.to_base64());
    fs::write(releases.world.home().admin().join("release.pub"), file).expect("it can be written");
    releases.world.admin(&["update", "--check", "--index", &folder]).exited(0);
}
