//! The pocket gate: an approver's key is on a phone, the page that shows the package is on another site, and the bot checks
//! what the phone signed.

use std::fs;

use minisign::{KeyPair, SecretKey};
use serde_json::{Value, json};
use shared_types::id::Digest;
use tameclaw_tests::action::Ask;
use tameclaw_tests::authenticator::{Passkey, Request};
use tameclaw_tests::browser::Browser;
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::site::Site;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

const HOST: &str = "sign.family.example";

/// The site with the signing page as it is shipped.
pub(crate) fn site() -> Site {
    let page = fs::read(workspace().join("packaging/signing-page/index.html")).expect("the signing page");
    Site::serve(HOST, &[("/", page, "text/html; charset=utf-8")])
}

/// A phone that shows the signing page of that site.
pub(crate) fn phone(site: &Site) -> Option<Browser> {
    let browser = Browser::start_trusting(390, 844, false, &[site])?;
    browser.open(&site.origin());
    Some(browser)
}

/// Has the page make a passkey under a name; answers its line.
fn made(phone: &Browser, name: &str) -> String {
    phone.find("#name").type_text(name);
    phone.click("#make");
    phone.wait_for("#made", "passkey ").trim().to_owned()
}

/// Opens a request on the page, as a person who was given its file.
pub(crate) fn opens(world: &World, phone: &Browser, site: &Site, request: &Value) {
    let file = world.outside().join("request.json");
    fs::write(&file, request.to_string()).expect("a request can be written");
    phone.open(&site.origin());
    phone.find("#request-file").type_text(&file.display().to_string());
    phone.until(
        "return !!document.querySelector('#sign:not([hidden])') || !!document.querySelector('.refusal')",
    );
}

/// Looks at a request and signs it.
fn signs(world: &World, phone: &Browser, site: &Site, request: &Request) -> String {
    opens(world, phone, site, &request.whole);
    phone.click("#sign");
    phone.wait_for("#answer", "signature").trim().to_owned()
}

/// From a wish to its use: the phone makes a passkey, shows the package and signs it, the service installs, and the page of the
/// chat uses what was learned.
#[test]
fn a_skill_is_approved_on_a_phone_and_used_from_the_page() {
    if compiler_is_missing() {
        return;
    }
    let site = site();
    let Some(phone) = phone(&site) else { return };
    let _fingerprint = phone.synced_authenticator();
    let world = World::with_package("learn to roll dice");
    let line = made(&phone, "mum");
    assert!(line.starts_with(&format!("passkey {} synced ", site.origin())), "{line}");
    let file = world.outside().join("mum.passkey");
    fs::write(&file, &line).expect("a file");
    world.admin(&["approver", "add", "mum", "--passkey", &file.display().to_string()]).done();
    world.admin(&["approver", "list"]).done().prints("mum").prints("synced passkey").prints(HOST);
    world.admin(&["doctor"]).prints("signs with a passkey");

    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let mut shown = String::new();
    let approve = ["approve", &id, "--yes", "--approver", "mum"];
    let ran = world.admin_asks(&approve, |request| {
        opens(&world, &phone, &site, &request.whole);
        shown = phone.text("#facts");
        phone.keep("signing-page-phone");
        phone.click("#sign");
        phone.wait_for("#answer", "signature").trim().to_owned()
    });
    ran.done().prints("is installed");
    for fact in ["roll-dice", "version 1", "learn to roll dice"] {
        assert!(shown.contains(fact), "{fact} is not shown:\n{shown}");
    }
    assert_eq!(phone.console_errors(), Vec::<String>::new());
    let asked: Vec<String> = site.requests().into_iter().filter(|line| !line.contains("favicon")).collect();
    assert!(asked.iter().all(|line| line == "GET /"), "the page asks for nothing: {asked:?}");

    let token = world.admin(&["door", "add", "phone", "--person"]).done().stdout.trim().to_owned();
    let door = Door::at_port(&world, &[]);
    let Place::Address(address) = door.place() else { panic!("it has an address") };
    phone.open(&format!("http://{address}/login"));
    phone.find("[name=token]").type_text(&token);
    phone.click("form:has([name=token]) button[type=submit]");
    phone.find("[name=message]").type_text("roll 3d6");
    phone.click("form:has([name=message]) button[type=submit]");
    phone.wait_for("[role=log]", "3d6 comes to");
    door.end();
}

/// A phone that did not recognise its owner signs nothing, and the approval still waits.
#[test]
fn a_phone_that_does_not_recognise_its_owner_signs_nothing() {
    let site = site();
    let Some(phone) = phone(&site) else { return };
    let fingerprint = phone.authenticator();
    let world = World::without_kit();
    let line = made(&phone, "mum");
    assert!(line.contains(" one-device "), "{line}");
    let file = world.outside().join("mum.passkey");
    fs::write(&file, &line).expect("a file");
    world.admin(&["approver", "add", "mum", "--passkey", &file.display().to_string()]).done();
    fingerprint.verified(false);
    let rule = ["approver", "rule", "add", "--tokens", "network:write", "--approver", "mum"];
    let ran = world.admin_asks(&rule, |request| {
        opens(&world, &phone, &site, &request.whole);
        phone.click("#sign");
        phone.until("return !!document.querySelector('#sign-problem')?.innerText");
        String::new()
    });
    ran.exited(3).says("did not sign");
    fingerprint.verified(true);
    world.admin_asks(&rule, |request| signs(&world, &phone, &site, request)).done();
    world.admin(&["approver", "rule", "list"]).done().prints("network:write");
}

/// The request for mum's yes to the newest proposal, which she leaves without an answer.
pub(crate) fn honest_request(world: &World) -> Value {
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let mut honest = Value::Null;
    world
        .admin_asks(&["approve", &id, "--yes", "--approver", "mum"], |request| {
            honest = request.whole.clone();
            String::new()
        })
        .exited(3);
    honest
}

/// A request in which anything differs from what its digests, its module or its texts say gets no button; the page says why.
#[test]
fn the_page_refuses_a_package_that_is_not_what_it_says() {
    if compiler_is_missing() {
        return;
    }
    let site = site();
    let Some(phone) = phone(&site) else { return };
    let world = World::with_package("learn to roll dice");
    let key = Passkey::new(&site.origin());
    world.adds_passkey("mum", &key);
    let honest = honest_request(&world);
    opens(&world, &phone, &site, &honest);
    phone.until("return !document.querySelector('.refusal') && !document.querySelector('#sign').hidden");
    // The text is signed as it stands, so what it grants is altered in it, as canonical as before.
    let granting = |key: &str, value: Value| {
        let mut request = honest.clone();
        let text = request["statements"][0]["text"].as_str().expect("a text").to_owned();
        let mut text: Value = serde_json::from_str(&text).expect("a statement");
        text[key] = value;
        request["statements"][0]["text"] = text.to_string().into();
        request
    };
    let part = |name: &str, value: &str| {
        let mut request = honest.clone();
        request["statements"][0]["package"][name] = value.into();
        request
    };
    let source = honest["statements"][0]["package"]["source"].as_str().expect("a source").to_owned();
    let spaced = {
        let mut request = honest.clone();
        let text = request["statements"][0]["text"].as_str().expect("a text").replacen(':', ": ", 1);
        request["statements"][0]["text"] = text.into();
        request
    };
    let top = |name: &str, value: &str| {
        let mut request = honest.clone();
        request[name] = value.into();
        request
    };
    let elsewhere = Passkey::new("https://sign.other.example").public_key();
    for (what, request, why) in [
        ("another source", part("source", &(source + "\n// harmless")), "digest"),
        ("another module", part("module", "AGFzbQEAAAA="), "digest"),
        ("another description", part("described", "{}"), "digest"),
        ("another report", part("report", "recommendation: approve\n"), "digest"),
        (
            "a token that the module does not need",
            granting("capabilities", json!(["network:write"])),
            "tokens",
        ),
        ("an event that it does not say", granting("emits_events", json!(["user_input"])), "described"),
        ("another approver", granting("approver", json!(7)), "form"),
        ("a verdict in another spelling", granting("verdict", json!({"approve": null})), "form"),
        ("a text that is spelled in another way", spaced, "canonical"),
        ("a key of another site", top("key", &elsewhere), "origin"),
        ("another form", top("tameclaw", "signing-request-9"), "form"),
        (
            "no statement",
            {
                let mut request = honest.clone();
                request["statements"] = json!([]);
                request
            },
            "form",
        ),
    ] {
        opens(&world, &phone, &site, &request);
        let found =
            phone.run("return [...document.querySelectorAll('.refusal')].map(r => r.dataset.why).join(' ')");
        let found = found.as_str().unwrap_or_default().to_owned();
        assert!(found.split(' ').any(|each| each == why), "{what}: {found}, and not {why}");
        let offered =
            phone.run("const b = document.querySelector('#sign'); return !!b && !b.hidden && !b.disabled");
        assert_eq!(offered, false, "{what} can be signed");
    }
    assert_eq!(phone.console_errors(), Vec::<String>::new());
}

/// Two passkeys in software, of which the second is kept in a drawer, alone decide about this home.
fn decided_by_passkeys() -> (World, Passkey, Passkey) {
    let world = World::new();
    let [mum, drawer] = ["mum", "drawer"].map(|name| {
        let key = Passkey::new(&format!("https://{HOST}"));
        world.adds_passkey(name, &key);
        key
    });
    world.admin_signed(&["approver", "passkeys", "--yes", "--approver", "mum"], &mum).done();
    (world, mum, drawer)
}

/// A home whose backup holds no keys comes back by a touch: a passkey signs the service's new key, and nobody else can.
#[test]
fn a_home_comes_back_by_a_touch() {
    let (world, _, drawer) = decided_by_passkeys();
    let backup = world.back_up_plain("plain.tar").display().to_string();
    let fresh = World::empty();
    let restore = ["restore", &backup, "--yes", "--approver", "drawer"];
    fresh.admin(&["restore", &backup, "--yes"]).exited(3).says("--approver NAME").says("drawer");
    fresh
        .admin(&["restore", &backup, "--yes", "--approver", "owner"])
        .exited(3)
        .says("no approver of the backup");
    assert!(!fresh.home().root().exists(), "nothing was made");
    fresh.admin_signed(&restore, &Passkey::new(&format!("https://{HOST}"))).exited(3).says("did not sign");
    fresh.admin_signed(&restore, &drawer).done().prints("restored a home");
    fresh.ask("what time is it?");
    fresh.admin(&["audit", "verify"]).done();
    fresh.admin(&["approver", "list"]).done().prints("passkeys alone decide");
}

/// A yes to an action takes a touch as well, and the page is given what its digests stand for.
#[test]
fn an_action_is_allowed_by_a_touch() {
    let (world, mum, _) = decided_by_passkeys();
    world.allow("audience: child\ngrants: {commands: [echo]}\n");
    let id = world.wants(&Ask::line("echo hello"));
    world.admin(&["run", "--once"]).done();
    world.admin(&["show", &id]).done().prints("human-review");
    let allow = ["approve", &id, "--yes", "--approver", "mum"];
    world
        .admin_asks(&allow, |request| {
            let action = &request.whole["statements"][0]["action"];
            let text: Value = serde_json::from_str(&request.texts[0]).expect("a statement");
            for (part, digest) in [("asked", "action_sha256"), ("judged", "judgement_sha256")] {
                let part = action[part].as_str().expect("a text");
                assert_eq!(Digest::of(part.as_bytes()).as_str(), text[digest].as_str().expect("a digest"));
            }
            request.signed(&mum)
        })
        .done();
    world.admin(&["run", "--once"]).done();
    world.admin(&["show", &id]).done().prints("hello");
}

/// An approver whose minisign key is on another machine signs the same request there, and gives the file of the signature.
#[test]
fn a_key_of_another_machine_signs_there() {
    let world = World::without_kit();
    let pair = KeyPair::generate_unencrypted_keypair().expect("a key");
    world.admin(&["approver", "add", "ben", "--public-key", &pair.pk.to_base64()]).done();
    let rule = ["approver", "rule", "add", "--tokens", "network:write", "--approver", "ben"];
    let answer = |key: &SecretKey, text: &str| {
        let signature = minisign::sign(None, key, std::io::Cursor::new(text), None, None).expect("it signs");
        let file = world.outside().join("statement.json.minisig");
        fs::write(&file, signature.into_string()).expect("a file");
        file.display().to_string()
    };
    let stranger = KeyPair::generate_unencrypted_keypair().expect("a key");
    world.admin_asks(&rule, |request| answer(&stranger.sk, &request.texts[0])).exited(3).says("did not sign");
    world.admin_asks(&rule, |_| "no-such-file".into()).exited(3).says("no-such-file");
    world.admin_asks(&rule, |request| answer(&pair.sk, &request.texts[0])).done();
    world.admin(&["approver", "rule", "list"]).done().prints("network:write");
    assert!(!world.home().admin().join("signing/ben.json").exists(), "a request that was answered is gone");
}

/// The review asks nobody for a touch, on lines or on the whole screen; it says which command does.
#[test]
fn the_review_names_the_command_for_a_touch() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    world.adds_passkey("mum", &Passkey::new(&format!("https://{HOST}")));
    world
        .typed(Program::Admin, &["review", "--approver", "mum"], "a\ny\n")
        .prints("signs on another device")
        .prints("cl-admin approve");
    let mut pty = Pty::start(world.command(Program::Admin, &["review", "--approver", "mum"]));
    pty.see("REVIEW by mum", PATIENCE);
    pty.keys("\r");
    pty.see("[>View<]", PATIENCE);
    pty.keys("a");
    pty.see("signs on another device", PATIENCE);
    assert_eq!(world.newest()["status"], "human-review");
}

/// An approver who takes over what others had approved touches once for the change and once for all of their skills.
#[test]
fn one_touch_signs_all_that_a_change_takes_over() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    world.learn("learn to tell leap years");
    let keys = ["mum", "drawer"].map(|name| {
        let key = Passkey::new(&format!("https://{HOST}"));
        world.adds_passkey(name, &key);
        key
    });
    let mut touches = vec![];
    world
        .admin_asks(&["approver", "passkeys", "--yes", "--approver", "mum"], |request| {
            touches.push(request.texts.len());
            request.signed(&keys[0])
        })
        .done();
    assert_eq!(touches, [1, 2], "one touch for the change, and one for both skills");
    let listed = world.bot(&["skill", "list"]).done();
    listed.prints("roll-dice").prints("leap").hides("left out");
}
