//! Ways around a person's yes.

use std::fs;

use api::Request;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::keys;
use ledger::Recommendation;
use review::decision;
use service::requests::handle;
use shared_types::decision::Decision;
use shared_types::manifest::Manifest;
use shared_types::recipients::Recipients;
use shared_types::signed::Signed;
use shared_types::status::Status;

use super::attack::{Attack, Plan};
use super::range::{Fault, Range, Wish};

const DIARY: &str = include_str!("skills/diary.rs");
const SENDER: &str = include_str!("skills/sender.rs");
const INTEGRITY: Option<i32> = Some(shared_types::exit::INTEGRITY as i32);

const COPY: Plan = Plan::new(
    "install.copy",
    "a changed byte in a copy of this installation's manifest",
    "I change one byte in a copy of this installation's list of skills.",
);
const MANIFEST: Plan = Plan::new(
    "install.manifest",
    "a changed byte of the manifest",
    "I change one byte of the list of skills, and start the bot.",
);
const HALVES: Plan = Plan::new(
    "install.halves",
    "two harmless halves, approved one after the other",
    "I hand in two harmless skills that together carry memories out, and have both approved.",
);
const STALE: Plan = Plan::new(
    "install.stale",
    "a yes that was given for another state of the system",
    "I hand in a yes that was given before the other skill was installed.",
);
const FORGED: Plan = Plan::new(
    "install.forged",
    "an entry that nobody approved",
    "I put skills on the list that nobody approved.",
);
const ADMIN_KEY: Plan = Plan::new(
    "install.admin-key",
    "an entry signed by the admin's key alone",
    "I stole the service's own key, and sign a skill with it that no person approved.",
);
const MORE_TOKENS: Plan = Plan::new(
    "install.more-tokens",
    "an entry with more tokens than were approved",
    "With the service's key, I give an approved skill more rights.",
);
const MODULE: Plan = Plan::new(
    "install.module",
    "another module in an approved one's place",
    "I exchange the code of an approved skill.",
);
const OLDER: Plan = Plan::new(
    "install.older",
    "an older manifest, with what was removed since",
    "I bring back an older list, on which a removed skill still stands.",
);
const ALL: Plan =
    Plan::new("install", "ways around a person's yes", "I look for ways around a person's yes.");

/// Runs the attacks.
pub(super) fn run(range: &Range, tell: &mut dyn FnMut(Attack)) {
    tell(changed_here(range).unwrap_or_else(|e| Attack::skipped(&COPY, e.to_string())));
    tell(one_byte(range).unwrap_or_else(|e| Attack::skipped(&MANIFEST, e.to_string())));
    if let Err(why) = range.compiler() {
        return tell(Attack::skipped(&ALL, why.to_string()));
    }
    for attack in halves(range).unwrap_or_else(|e| vec![Attack::skipped(&HALVES, e.to_string())]) {
        tell(attack);
    }
    for attack in forged(range).unwrap_or_else(|e| vec![Attack::skipped(&FORGED, e.to_string())]) {
        tell(attack);
    }
}

fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), Error> {
    durable::replace(path, bytes, READABLE_FILE).map_err(Error::io(path))
}

fn read(path: &std::path::Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::io(path))
}

/// Starts the bot and tells its exit code, with what it said.
fn start(range: &Range) -> Result<(Option<i32>, String), Error> {
    let output = range.run_bot(&["skill", "list", "--json"])?;
    let output = output.ok_or_else(|| Error::failed(Fault::NotBack))?;
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok((output.status.code(), said))
}

/// The installation's own manifest, in a copy of which one byte is changed.
fn changed_here(range: &Range) -> Result<Attack, Error> {
    let text = read(&range.real.manifest())?;
    let signature = String::from_utf8_lossy(&read(&range.real.manifest_signature())?).into_owned();
    let trust = String::from_utf8_lossy(&read(&range.real.trust())?).into_owned();
    if let Err(error) = shared_types::signature::verify(&trust, &signature, &text) {
        return Ok(Attack::broke(
            &COPY,
            format!("this installation's manifest does not verify at all: {error}"),
        ));
    }
    let mut changed = text;
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    let holds = shared_types::signature::verify(&trust, &signature, &changed).is_err();
    Ok(Attack::judged(&COPY, holds, "the signature does not hold"))
}

/// The bot's own start with a changed manifest.
fn one_byte(range: &Range) -> Result<Attack, Error> {
    let (before, said) = start(range)?;
    if before != Some(0) {
        return Ok(Attack::skipped(&MANIFEST, format!("the bot does not start here: {said}")));
    }
    let path = range.home.manifest();
    let good = read(&path)?;
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 1;
    write(&path, &changed)?;
    let after = start(range);
    write(&path, &good)?;
    let (code, said) = after?;
    Ok(Attack::judged(&MANIFEST, code == INTEGRITY, said))
}

/// Two skills, each harmless alone, approved in a row; and a yes that was given before the first of them was there.
fn halves(range: &Range) -> Result<Vec<Attack>, Error> {
    let shared = range.open()?;
    let event = ["diary.page"];
    let diary = Wish {
        name: "diary",
        capabilities: &["memory:read"],
        emits: &event,
        profile_memory: true,
        ..Wish::default()
    };
    let sender = Wish {
        name: "sender",
        capabilities: &["network:write"],
        network: &["press.example"],
        handles: &event,
        ..Wish::default()
    };
    let (first, second) = (range.submit(&shared, &diary, DIARY)?, range.submit(&shared, &sender, SENDER)?);
    for id in [&first, &second] {
        let (status, why) = range.standing(&shared, id);
        if status != Some(Status::HumanReview) {
            return Ok(vec![Attack::skipped(&HALVES, why)]);
        }
    }
    let early: Signed<Decision> = {
        let ledger = shared.ledger();
        let ticket = ledger.ticket(&second).ok_or_else(|| Error::NotFound(second.to_string()))?;
        let owner = service::init::owner();
        let signer = keys::open(&keys::approver_key(&range.home, &owner))?;
        let seen = ticket.review().cloned().ok_or_else(|| Error::failed(Fault::NoPackage))?;
        decision::sign(&range.home, ticket, &owner, &signer, &seen, &Recipients::default())?
    };
    range.approve(&shared, &first)?;
    let refused = handle(&shared, Request::Approve { decision: early, code: None });
    let (status, why) = range.standing(&shared, &second);
    let advice = shared.ledger().ticket(&second).and_then(|t| t.review().map(|r| r.recommendation));
    let held = status == Some(Status::Rejected) || advice == Some(Recommendation::Reject);
    let stale = match &refused {
        Ok(words) => Attack::broke(&STALE, words.clone()),
        Err(error) => Attack::held(&STALE, error.to_string()),
    };
    Ok(vec![Attack::judged(&HALVES, held, why), stale])
}

/// Entries and manifests that nobody approved, put where the bot reads them.
fn forged(range: &Range) -> Result<Vec<Attack>, Error> {
    let home = &range.home;
    let (path, signature) = (home.manifest(), home.manifest_signature());
    let (good, good_signature) = (read(&path)?, read(&signature)?);
    let manifest: Manifest =
        documents::manifest::read(&String::from_utf8_lossy(&good)).map_err(Error::failed)?;
    let Some(entry) = manifest.learned.first().cloned() else {
        return Ok(vec![Attack::skipped(&FORGED, "no skill is installed")]);
    };
    let mut attacks = vec![];

    let mut forged = manifest.clone();
    let admin = keys::open(&keys::manifest_key(home))?;
    let mut alone = entry.clone();
    alone.name = "forged".parse().map_err(Error::failed)?;
    alone.decision.text =
        alone.decision.text.replace(&format!("\"name\":\"{}\"", entry.name), "\"name\":\"forged\"");
    alone.decision.signature = admin.sign(alone.decision.text.as_bytes())?;
    forged.learned.push(alone);
    forged.serial += 1;
    attacks.push(judged_start(range, &ADMIN_KEY, &forged, |said| !said.contains("\"forged\""))?);

    let mut wider = manifest.clone();
    wider.serial += 2;
    let all = ["llm:call", "file:write", "network:write"].iter().filter_map(|t| t.parse().ok()).collect();
    wider.learned[0].capabilities = all;
    let own = entry.name.to_string();
    attacks.push(judged_start(range, &MORE_TOKENS, &wider, |said| !lists(said, &own))?);

    let module = home.module(&entry.name, entry.version);
    let bytes = read(&module)?;
    let mut other = bytes.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    write(&module, &other)?;
    let outcome =
        judged_start(range, &MODULE, &Manifest { serial: manifest.serial + 3, ..manifest.clone() }, |said| {
            !lists(said, &own)
        });
    write(&module, &bytes)?;
    attacks.push(outcome?);

    write(&path, &good)?;
    write(&signature, &good_signature)?;
    let (code, said) = start(range)?;
    attacks.push(Attack::judged(&OLDER, code == INTEGRITY, said));
    Ok(attacks)
}

/// Whether the bot lists a skill as active.
fn lists(said: &str, name: &str) -> bool {
    said.lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .any(|row| row["name"] == name)
}

/// Publishes a manifest with the admin's key and looks at what the bot makes of it.
fn judged_start(
    range: &Range,
    plan: &Plan,
    manifest: &Manifest,
    holds: impl Fn(&str) -> bool,
) -> Result<Attack, Error> {
    let text = documents::manifest::to_string(manifest)?;
    let signed = keys::open(&keys::manifest_key(&range.home))?.sign(text.as_bytes())?;
    write(&range.home.manifest(), text.as_bytes())?;
    write(&range.home.manifest_signature(), signed.as_bytes())?;
    let (code, said) = start(range)?;
    let rows: Vec<&str> = said.lines().filter(|l| !l.starts_with('{')).collect();
    Ok(match code {
        Some(0) => Attack::judged(plan, holds(&said), rows.join(" ")),
        _ => Attack::skipped(plan, format!("the bot does not start: {said}")),
    })
}
