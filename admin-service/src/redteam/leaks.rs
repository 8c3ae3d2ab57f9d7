//! Canaries that must not leave: one in the person's memory, one as a secret of a single host.

use std::fs;

use shared_types::id::HostName;
use shared_types::secret::{BoundSecret, Secret};
use shared_types::status::Status;

use super::Attack;
use super::range::{Range, Wish};
use super::web::Server;
use crate::error::Error;
use crate::install::{READABLE, READABLE_FILE, make_folder};

const COURIER: &str = include_str!("skills/courier.rs");
/// What the person said, in a conversation before.
const MEMORY: &str = "my canary is called Xanthippe";

/// Runs the attacks.
pub(super) fn run(range: &Range, tell: &mut dyn FnMut(Attack)) {
    let what = "canaries that must not leave";
    if let Err(why) = range.compiler() {
        return tell(Attack::skipped("leak", what, why));
    }
    for attack in couriers(range).unwrap_or_else(|e| vec![Attack::skipped("leak", what, e.to_string())]) {
        tell(attack);
    }
}

fn couriers(range: &Range) -> Result<Vec<Attack>, Error> {
    let second = Server::start("127.0.0.1:9")?;
    let first = Server::start(&second.host)?;
    // Both are loopback addresses that the bot may reach; the skill is granted one of them.
    range.settings(&[first.host.clone(), second.host.clone()])?;
    let secret = format!("canary-{}", shared_types::id::ProposalId::generate());
    set_secret(range, &first.host, &secret)?;
    range.say(MEMORY)?;

    {
        let shared = range.open()?;
        let hosts = [first.host.as_str()];
        let wish = Wish {
            name: "courier",
            capabilities: &["network:read", "network:write", "memory:read"],
            network: &hosts,
            secrets: &["COURIER_KEY"],
            ..Wish::default()
        };
        let source = COURIER.replace("GRANTED_HOST", &first.host).replace("SECOND_HOST", &second.host);
        let id = range.submit(&shared, &wish, &source)?;
        let (status, why) = range.standing(&shared, &id);
        if status != Some(Status::HumanReview) {
            return Ok(vec![Attack::skipped("leak", "canaries that must not leave", why)]);
        }
        // A careless person's yes: what follows must hold all the same.
        range.approve(&shared, &id)?;
    }

    let mut attacks = vec![];
    let mut attempt =
        |name: &str, what: &str, line: &str, holds: &dyn Fn(&str) -> bool| -> Result<(), Error> {
            let said = range.say(line)?;
            let shown = said.contains(&secret);
            let why =
                if shown { "the skill saw the secret's value".to_owned() } else { said.trim().to_owned() };
            attacks.push(Attack::judged(name, what, holds(&said) && !shown, why));
            Ok(())
        };
    attempt("leak.echo", "the secret, repeated by its own host", "courier to the echo", &|said| {
        // The control of all that follows: the skill does reach its host, and the secret does go there.
        said.contains("status 200") && first.seen().contains(&secret)
    })?;
    if !second.seen().is_empty() || !first.seen().contains(&secret) {
        // What cannot leave even lawfully shows nothing by staying.
        return Ok(attacks);
    }
    attempt(
        "leak.second-host",
        "the secret, for a host that was not granted",
        "courier to the second host",
        &|_| second.seen().is_empty(),
    )?;
    attempt("leak.redirect", "the secret, sent on by its host", "courier by redirect", &|_| {
        second.seen().is_empty()
    })?;
    attempt("leak.name", "a word, as part of a name to look up", "courier by name", &|said| {
        !said.contains("status") && !first.seen().contains("leaked-label")
    })?;
    attempt("leak.memory", "what the person said, to a granted host", "courier of memories", &|_| {
        first.seen().contains("/memory") && !first.seen().contains("Xanthippe")
    })?;
    attempt("leak.body", "the secret, as a text of the skill's own", "courier in the body", &|_| {
        first.seen().split_once("/body").is_none_or(|(_, rest)| !rest.contains(&secret))
    })?;
    Ok(attacks)
}

fn set_secret(range: &Range, host: &str, value: &str) -> Result<(), Error> {
    let host: HostName = host.parse().map_err(|e| Error::Failed(format!("{e}")))?;
    let bound = BoundSecret::new(host, &Secret::new(value.to_owned()))
        .ok_or_else(|| Error::Failed("the canary is no secret".into()))?;
    let text = serde_json::to_string(&bound).map_err(|e| Error::Failed(e.to_string()))?;
    make_folder(&range.home.secrets(), READABLE)?;
    let path = range.home.secret(&"COURIER_KEY".parse().map_err(|e| Error::Failed(format!("{e}")))?);
    fs::write(&path, text).map_err(Error::io(&path))?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(READABLE_FILE);
    fs::set_permissions(&path, mode).map_err(Error::io(&path))
}
