//! The pocket gate: an approver's key is on a phone, the page that shows the package lies on another site, and the bot checks
//! what the phone signed.

use std::fs;

use serde_json::{Value, json};
use tameclaw_tests::authenticator::{Passkey, Request};
use tameclaw_tests::browser::Browser;
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::site::Site;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{World, workspace};

const HOST: &str = "sign.family.example";

/// The site with the signing page as it is shipped.
fn site() -> Site {
    let page = fs::read(workspace().join("packaging/signing-page/index.html")).expect("the signing page");
    Site::serve(HOST, &[("/", page, "text/html; charset=utf-8")])
}

/// A phone that shows the signing page of that site.
fn phone(site: &Site) -> Option<Browser> {
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
fn opens(world: &World, phone: &Browser, site: &Site, request: &Value) {
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

/// Whoever did not recognise its owner signs nothing, and the approval goes on waiting.
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
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let mut honest = Value::Null;
    world
        .admin_asks(&["approve", &id, "--yes", "--approver", "mum"], |request| {
            honest = request.whole.clone();
            String::new()
        })
        .exited(3);
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
