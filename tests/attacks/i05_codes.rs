//! Invariant 5: a one-time code stands beside the key, and the service itself counts each code once.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha1::Sha1;
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::run::{Background, Ran};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::forge;

/// An authenticator program: the code of this many steps from now.
fn code(secret: &str, steps: i64) -> String {
    let key = data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).expect("base32");
    let step = (now() / 30).checked_add_signed(steps).expect("a step");
    let mut mac = Hmac::<Sha1>::new_from_slice(&key).expect("a key");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let at = usize::from(hash[19] & 15);
    let word = u32::from_be_bytes(hash[at..at + 4].try_into().expect("four bytes"));
    format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

/// Waits out the last seconds of a step, so that a test's codes stay those of one step.
fn early_in_a_step() {
    let left = 30 - now() % 30;
    if left < 12 {
        std::thread::sleep(Duration::from_secs(left));
    }
}

/// Sets codes for the owner, confirmed with the code of the step before; answers the secret.
fn set(world: &World) -> String {
    let shown =
        world.admin(&["approver", "totp", "set"]).done().prints("otpauth://totp/TameClaw:owner?secret=");
    let line = shown.stdout.lines().find_map(|l| l.strip_prefix("secret: ")).expect("it is shown");
    let secret = line.trim().to_owned();
    world.admin(&["approver", "totp", "set", "--confirm", "000000"]).exited(3).says("not the code");
    world.admin(&["approver", "totp", "set", "--confirm", &code(&secret, -1)]).done();
    secret
}

fn approve(world: &World, id: &str, code: &str) -> Ran {
    world.admin(&["approve", id, "--yes", "--code", code])
}

#[test]
fn every_yes_needs_a_code_and_a_code_counts_once() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    for wish in ["learn to roll dice", "learn to tell leap years"] {
        world.ask(wish);
    }
    world.admin(&["run", "--once"]).done();
    let ids: Vec<String> =
        world.list().iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect();
    early_in_a_step();
    let secret = set(&world);
    let kept = world.home().keys().join("totp-owner");
    assert_eq!(fs::metadata(&kept).expect("it is kept").permissions().mode() & 0o777, 0o600);
    world.admin(&["approver", "list"]).done().prints("one-time codes");
    world.admin(&["approve", &ids[0], "--yes"]).exited(3).says("--code");
    approve(&world, &ids[0], "12345").exited(3).says("six digits");
    // The one that confirmed the secret is used up.
    approve(&world, &ids[0], &code(&secret, -1)).exited(3).says("used already");
    // Past the verb, with the key alone.
    let service = forge::serving(&world);
    let right = forge::right_decision(&world, &ids[0], "owner");
    let key = forge::approver_key(&world, &"owner".parse().expect("a name"));
    assert_eq!(forge::hand_in(&world, &right, &key), 3, "the key without a code");
    drop(service);
    // A secret that is taken away opens nothing.
    let text = fs::read(&kept).expect("it can be read");
    fs::remove_file(&kept).expect("it can be removed");
    approve(&world, &ids[0], &code(&secret, 0)).exited(3).says("totp remove");
    fs::write(&kept, text).expect("it can be written");
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).expect("a mode");
    assert!(forge::manifest(&world).learned.is_empty());
    let now = code(&secret, 0);
    approve(&world, &ids[0], &now).done().prints("is installed");
    approve(&world, &ids[1], &now).exited(3).says("used already");
    approve(&world, &ids[1], &code(&secret, 1)).done().prints("is installed");
}

#[test]
fn wrong_codes_wait_and_only_key_and_code_together_end_the_need() {
    let world = World::new();
    early_in_a_step();
    let secret = set(&world);
    let mallory = minisign::KeyPair::generate_unencrypted_keypair().expect("a key").pk.to_base64();
    let add =
        |code: &str| world.admin(&["approver", "add", "mallory", "--public-key", &mallory, "--code", code]);
    let wrong = format!("{:06}", (code(&secret, 0).parse::<u32>().expect("digits") + 1) % 1_000_000);
    // The key alone removes nothing; a signature by another key does not either.
    world.admin(&["approver", "totp", "remove"]).exited(3).says("--code");
    let service = forge::serving(&world);
    let by_stranger = json!({"ask": "people", "people": "remove-codes", "approver": "owner", "by": "owner",
        "signature": forge::sign(&forge::stranger(), "x"), "codes": {"owner": code(&secret, 0)}});
    assert_eq!(forge::ask(&world, &by_stranger)["failed"]["exit"], 3);
    drop(service);
    for _ in 0..3 {
        add(&wrong).exited(3).says("not the one-time code");
    }
    // The right one has to wait as well, and a restart of the program forgets nothing.
    add(&code(&secret, 0)).exited(3).says("the next try is in");
    world.admin(&["approver", "list"]).done().hides("mallory");
}

/// Several programs at once with one right code: it counts for one of them, with a service between them and without one.
#[test]
fn one_code_counts_once_however_many_hand_it_in_at_once() {
    for beside_a_service in [false, true] {
        let world = World::new();
        early_in_a_step();
        let secret = set(&world);
        let service = beside_a_service.then(|| forge::serving(&world));
        let now = code(&secret, 0);
        let adding = |number: usize| {
            let key = minisign::KeyPair::generate_unencrypted_keypair().expect("a key").pk.to_base64();
            let name = format!("mallory-{number}");
            let words = ["approver", "add", &name, "--public-key", &key, "--code", &now];
            Background::start(world.command(Program::Admin, &words))
        };
        let tries: Vec<Background> = (0..8).map(adding).collect();
        let ended: Vec<i32> = tries.into_iter().map(|ran| ran.ended(PATIENCE).status).collect();
        let added = ended.iter().filter(|status| **status == 0).count();
        assert_eq!(added, 1, "beside a service: {beside_a_service}; the exit codes are {ended:?}");
        let listed = world.admin(&["approver", "list"]).done().stdout.matches("mallory-").count();
        assert_eq!(listed, 1, "beside a service: {beside_a_service}");
        drop(service);
    }
}

/// Codes of other times are invalid: those of two steps ago and of two steps on, by a clock that is wrong on either device, and
/// each that is tried counts as a wrong one, regardless of the program that tries it.
#[test]
fn codes_of_a_wrong_clock_are_wrong_and_guessing_waits_longer_each_time() {
    let world = World::new();
    early_in_a_step();
    let secret = set(&world);
    let mallory = minisign::KeyPair::generate_unencrypted_keypair().expect("a key").pk.to_base64();
    let words =
        |code: &str| world.admin(&["approver", "add", "mallory", "--public-key", &mallory, "--code", code]);
    let far = [-20, -3, 3, 20].map(|steps| code(&secret, steps));
    let near = [-1, 0, 1].map(|steps| code(&secret, steps));
    let mut wrong = 0;
    for code in far.iter().filter(|code| !near.contains(code)).take(3) {
        words(code).exited(3).says("not the one-time code");
        wrong += 1;
    }
    assert_eq!(wrong, 3);
    // From now on it waits: ten programs at once bring no guess more.
    let service = forge::serving(&world);
    let tries: Vec<Background> = (0..10)
        .map(|guess| {
            let guess = format!("{guess:06}");
            let words = ["approver", "add", "mallory", "--public-key", &mallory, "--code", &guess];
            Background::start(world.command(Program::Admin, &words))
        })
        .collect();
    for ran in tries {
        ran.ended(PATIENCE).exited(3).says("the next try is in");
    }
    drop(service);
    let journal = fs::read_to_string(world.home().journal()).expect("a journal");
    assert_eq!(journal.matches("code-wrong").count(), 3, "no guess more was looked at");
    world.admin(&["approver", "list"]).done().hides("mallory");
}

/// On a terminal the secret stands on a screen that is gone with the confirmation: nothing is left to scroll back to, and a
/// pipe gets no code at all.
#[test]
fn the_secret_on_the_screen_is_gone_once_it_is_confirmed() {
    let world = World::new();
    let mut command = world.command(Program::Admin, &["approver", "totp", "set"]);
    command.env("LANG", "C.UTF-8");
    let mut pty = Pty::start(command);
    pty.expect("the code that your program shows now: ", PATIENCE);
    let shown = pty.sees(24, 80);
    assert!(shown.alternate_screen() && shown.contents().contains('\u{2588}'), "{}", shown.contents());
    let secret = fs::read_to_string(world.home().keys().join("totp-owner.new")).expect("a secret");
    assert!(shown.contents().contains(secret.trim()), "{}", shown.contents());
    assert!(!shown.contents().lines().any(|line| line.chars().count() > 80));
    early_in_a_step();
    pty.line(&code(secret.trim(), 0));
    assert_eq!(pty.ended(PATIENCE), 0, "{}", pty.screen.tail());
    let left = pty.sees(24, 80);
    assert!(!left.alternate_screen() && !left.contents().contains(secret.trim()), "{}", left.contents());
    world.admin(&["approver", "list"]).done().prints("code");
    let world = World::new();
    let piped = world.admin(&["approver", "totp", "set"]).done().stdout;
    assert!(piped.is_ascii(), "{piped}");
    // Ctrl-C leaves nothing either.
    let mut command = world.command(Program::Admin, &["approver", "totp", "set"]);
    command.env("LANG", "C.UTF-8");
    let mut pty = Pty::start(command);
    pty.expect("the code that your program shows now: ", PATIENCE);
    pty.keys(CTRL_C);
    pty.ended(PATIENCE);
    assert!(!pty.sees(24, 80).alternate_screen() && pty.is_cooked());
}
