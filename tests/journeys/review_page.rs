//! The review in a browser: a parent reads a package on the phone, signs it at the signing page, and the service installs it.

use std::fs;

use tameclaw_tests::browser::Browser;
use tameclaw_tests::site::Site;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{World, workspace};

const HOST: &str = "sign.family.example";

/// From the queue to the decision: the review hands the request to the signing page of another origin, which shows and checks it by
/// itself, and the touch there installs the skill. No file is carried, and no line pasted.
#[test]
fn a_parent_approves_on_the_phone_from_the_page_of_the_review() {
    if compiler_is_missing() {
        return;
    }
    let page = fs::read(workspace().join("packaging/signing-page/index.html")).expect("the signing page");
    let site = Site::serve(HOST, &[("/", page, "text/html; charset=utf-8")]);
    let Some(phone) = Browser::start_trusting(390, 844, false, &[&site]) else { return };
    let fingerprint = phone.synced_authenticator();
    phone.open(&site.origin());
    phone.find("#name").type_text("mum");
    phone.click("#make");
    let line = phone.wait_for("#made", "passkey ");
    let passkey = fingerprint.passkeys().remove(0);
    let world = World::with_package("learn to roll dice");
    let file = world.outside().join("mum.passkey");
    fs::write(&file, line.trim()).expect("a file");
    world.admin(&["approver", "add", "mum", "--passkey", &file.display().to_string()]).done();
    let token = world.page_token("mums-phone", "mum");
    let review = world.shows_the_review(&[]);

    // A link of a notification leads to the package, after the log-in.
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    phone.open(&format!("http://{}/item/{id}", review.address));
    phone.find("[name=token]").type_text(&token);
    phone.click("form:has([name=token]) button[type=submit]");
    let shown = phone.wait_for("main", "roll-dice");
    assert!(shown.contains("mum") || phone.text("header").contains("mum"), "{shown}");
    phone.keep("review-page-phone");
    phone.click("#sign");
    let here = phone.in_the_new_window();
    phone.synced_authenticator().takes(&passkey);
    let facts = phone.wait_for("#facts", "roll-dice");
    assert!(facts.contains("version 1") && phone.text("#brought").contains(&review.address), "{facts}");
    phone.keep("signing-page-brought");
    phone.click("#sign");
    phone.wait_for("#done", "signature");
    phone.in_window(&here);
    phone.wait_for("#result", "is installed");
    phone.keep("review-page-done");
    assert_eq!(phone.console_errors(), Vec::<String>::new());
    world.bot(&["skill", "list"]).done().prints("roll-dice");
    let asked: Vec<String> = site.requests().into_iter().filter(|line| !line.contains("favicon")).collect();
    assert!(asked.iter().all(|line| line == "GET /"), "the signing page asks for nothing: {asked:?}");
}

/// A note, a try and a no need no script; who is not logged in sees nothing, and an address of another site is not followed.
#[test]
fn without_scripts_a_person_notes_tries_and_rejects() {
    if compiler_is_missing() {
        return;
    }
    let Some(browser) = Browser::start(1280, 800, true) else { return };
    browser.without_scripts();
    let world = World::with_package("learn to roll dice");
    let token = world.page_token("laptop", "owner");
    let review = world.shows_the_review(&[]);
    let at = |path: &str| format!("http://{}{path}", review.address);
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    browser.open(&at("/login?to=https://evil.example/"));
    browser.find("[name=token]").type_text("tameclaw_guess");
    browser.click("form:has([name=token]) button[type=submit]");
    assert!(!browser.source().contains("roll-dice"), "a stranger sees nothing");
    browser.open(&at("/login?to=https://evil.example/"));
    browser.find("[name=token]").type_text(&token);
    browser.click("form:has([name=token]) button[type=submit]");
    assert_eq!(browser.address(), at("/"));
    browser.wait_for("main", "roll-dice");
    browser.keep("review-page-queue");
    browser.open(&at(&format!("/item/{id}")));
    // The owner's key is stored on the machine: the command stands there, and no button.
    assert!(browser.text("main").contains(&format!("cl-admin approve {id} --approver owner")));
    assert!(!browser.source().contains("id=\"sign\""), "no button signs");
    browser.keep("review-page-item");
    browser.open(&at(&format!("/item/{id}")));
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    browser.find("form[action$='/note'] [name=text]").type_text("looks fine to me");
    browser.click("form[action$='/note'] button[type=submit]");
    browser.wait_for("main", "looks fine to me");
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))");
    browser.find("form[action$='/reject'] [name=reason]").type_text("no gambling");
    browser.click("form[action$='/reject'] button[type=submit]");
    browser.wait_for("main", "is rejected");
    world.admin(&["show", &id]).done().prints("no gambling").prints("looks fine to me");
}
