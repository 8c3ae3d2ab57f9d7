//! Who may decide, their keys, and whose profiles there are.

use std::fs;

use base::home::Home;
use base::keys;
use base::profiles::Listed;
use base::totp::Seed;
use ledger::Ledger;
use review::approvers;
use shared_types::approvers::ChainError;

use super::look::Look;

const PASSPHRASE: &str = "`cl-admin approver passphrase` gives it one";

/// Whether the approvers' chain holds and is the journal's.
pub(super) fn approvers(home: &Home) -> Vec<Look> {
    let file = match approvers::file(home) {
        Ok(file) => file,
        Err(error) => {
            let next = "`cl-admin run --once` writes it again from the journal; without one, `cl-admin init`";
            return vec![Look::fail("approvers", error.to_string(), next)];
        }
    };
    let chain = match file.verify() {
        Ok(chain) => chain,
        Err(ChainError::Unsigned) => {
            return vec![Look::fail(
                "approvers",
                "the list is not signed: the bot does not start",
                "`cl-admin approver seal` signs it with the approver's key",
            )];
        }
        Err(e) => {
            return vec![Look::fail(
                "approvers",
                format!("{e}: the bot does not start"),
                "`cl-admin run --once` writes it again from the journal",
            )];
        }
    };
    if Ledger::read(home)
        .is_ok_and(|ledger| approvers::expected(home, &ledger).is_ok_and(|expected| expected != file))
    {
        return vec![Look::fail(
            "approvers",
            "config/approvers.yaml is not what journal and keys say",
            "`cl-admin run --once` writes it again",
        )];
    }
    let names: Vec<&str> = chain.listed().iter().map(|a| a.id.as_str()).collect();
    let rules = match chain.rules().len() {
        0 => String::new(),
        n => format!(", {n} two-person rule(s)"),
    };
    vec![Look::pass("approvers", format!("{}{rules}; change {}, signed", names.join(" "), chain.serial()))]
}

/// Every key: there, closed to others, with a passphrase, and the one that is trusted.
pub(super) fn keys(home: &Home) -> Vec<Look> {
    let mut looks = vec![manifest_key(home)];
    let Ok(chain) = approvers::read(home) else { return looks };
    let ledger = Ledger::read(home).ok();
    if let ([only], Some(_)) = (chain.listed(), chain.passkeys()) {
        looks.push(Look::warn(
            "keys",
            format!("the passkey of `{}` alone decides: if it is lost, nobody can any more", only.id),
            "`cl-admin approver add NAME --passkey FILE` adds a second one",
        ));
    }
    for approver in chain.listed() {
        let id = &approver.id;
        let path = keys::approver_key(home, id);
        if ledger.as_ref().is_some_and(|ledger| ledger.people().codes(id).is_some()) {
            looks.push(codes(home, id));
        }
        if let Some(key) = approver.passkey() {
            looks.push(Look::pass("keys", format!("`{id}` signs with a passkey of {}", key.origin())));
            continue;
        }
        if !path.exists() {
            looks.push(Look::warn(
                "keys",
                format!("the key of `{id}` is not kept here"),
                format!(
                    "that is fine if `{id}` keeps it elsewhere; else put {} back from a backup",
                    path.display()
                ),
            ));
            continue;
        }
        looks.push(match keys::has_passphrase(&path) {
            Err(error) => Look::of("keys", &error, &format!("chmod 600 {}", path.display())),
            Ok(true) => Look::pass("keys", format!("the key of `{id}` asks for its passphrase")),
            Ok(false) => match keys::open(&path).and_then(|signer| signer.public_key()) {
                Err(error) => Look::of("keys", &error, "put it back from a backup"),
                Ok(public) if public != approver.public_key => Look::fail(
                    "keys",
                    format!("{} is not the key that is listed for `{id}`", path.display()),
                    "put the right one back from a backup",
                ),
                Ok(_) => Look::warn(
                    "keys",
                    format!("the key of `{id}` has no passphrase: anyone who can read it can approve"),
                    if id.as_str() == "owner" {
                        PASSPHRASE.to_owned()
                    } else {
                        format!("`cl-admin approver passphrase --approver {id}` gives it one")
                    },
                ),
            },
        });
    }
    looks
}

fn manifest_key(home: &Home) -> Look {
    let path = keys::manifest_key(home);
    match keys::open(&path).and_then(|signer| signer.public_key()) {
        Err(error) => Look::of("keys", &error, "put it back from a backup; without it nothing is installed"),
        Ok(public) => {
            let trust = fs::read_to_string(home.trust()).unwrap_or_default();
            if trust.lines().any(|line| line.trim() == public) {
                Look::pass("keys", "the manifest's key fits config/trust.pub")
            } else {
                Look::fail(
                    "keys",
                    format!("{} does not fit config/trust.pub", path.display()),
                    "put the pair back from one backup: the bot trusts the one, and the other signs",
                )
            }
        }
    }
}

fn codes(home: &Home, id: &shared_types::id::ApproverId) -> Look {
    let path = keys::codes(home, id);
    match keys::from_file(&path).and_then(|text| Seed::parse(text.expose())) {
        Ok(_) => Look::pass("keys", format!("every yes of `{id}` needs a one-time code")),
        Err(error) => Look::of(
            "keys",
            &error,
            &format!(
                "put {} back from a backup, or `cl-admin approver totp remove {id} --approver OTHER`",
                path.display()
            ),
        ),
    }
}

/// Whether each profile can be opened.
pub(super) fn profiles(home: &Home) -> Vec<Look> {
    let listed = match base::profiles::list(home) {
        Ok(listed) => listed,
        Err(error) => return vec![Look::of("profiles", &error, "`cl-admin init` makes the folder")],
    };
    let guarded = approvers::read(home).is_ok_and(|a| a.all_have_passphrases().is_ok());
    let mut looks = vec![];
    for Listed { id, settings } in &listed {
        match settings {
            Err(faults) => looks.push(Look::fail(
                "profiles",
                format!("{id} cannot be opened: {}", faults[0]),
                "`cl-bot config validate` tells every fault",
            )),
            Ok(profile) if profile.audience.is_minor() && !guarded => looks.push(Look::fail(
                "profiles",
                format!(
                    "{id} is for a {} and does not start while an approver's key has no passphrase",
                    profile.audience
                ),
                PASSPHRASE,
            )),
            Ok(_) => {}
        }
    }
    if looks.is_empty() {
        let names: Vec<String> = listed.iter().map(|l| l.id.to_string()).collect();
        looks.push(Look::pass("profiles", names.join(" ")));
    }
    looks
}
