//! One-time codes where they count: used up once, waited for after wrong ones, set and ended by signed words. This layer uses
//! `ledger` and the layers below it.
#![forbid(unsafe_code)]

mod fault;

use std::collections::BTreeMap;

use base::error::Error;
use base::home::Home;
use base::keys;
use base::totp::{self, Match, Seed};
pub use fault::CodeError;
use ledger::statements::StatementError;
use ledger::{Ledger, PeopleRecord};
use shared_types::id::{ApproverId, Digest};

/// The one-time codes of those who sign.
pub type Codes = BTreeMap<ApproverId, String>;

/// Uses up the one-time code of an approver who needs one.
///
/// # Errors
/// No code, a wrong or used one, too many wrong ones a moment ago, or a secret that is gone.
pub fn spend(
    home: &Home,
    ledger: &mut Ledger,
    approver: &ApproverId,
    code: Option<&str>,
) -> Result<(), Error> {
    let Some(codes) = ledger.people().codes(approver) else { return Ok(()) };
    let now = now();
    let since = codes.wrong_at.as_deref().map(|at| now.saturating_sub(seconds(at))).unwrap_or(u64::MAX);
    let left = totp::pause(codes.wrong).saturating_sub(since);
    if left > 0 {
        return Err(CodeError::Pause { approver: approver.clone(), wrong: codes.wrong, left }.into());
    }
    let Some(code) = code else {
        return Err(CodeError::Missing(approver.clone()).into());
    };
    let code = totp::tidy(code)?;
    match seed(home, approver)?.step_of(&code, now, Some(codes.last_step)) {
        Match::Step(step) => ledger.append(PeopleRecord::CodeUsed { approver: approver.clone(), step }),
        Match::Used => Err(CodeError::Used.into()),
        Match::Wrong => {
            ledger.append(PeopleRecord::CodeWrong { approver: approver.clone() })?;
            Err(CodeError::Wrong(approver.clone()).into())
        }
    }
}

/// What an approver signs to need one-time codes.
pub fn text_to_set(approver: &ApproverId, secret: &str) -> String {
    let secret = Digest::of(secret.as_bytes());
    serde_json::json!({"act": "set-one-time-codes", "approver": approver, "secret_sha256": secret})
        .to_string()
}

/// What is signed to end the need: good for the codes that were set at that moment, and no later ones.
pub fn text_to_remove(approver: &ApproverId, set_at: &str) -> String {
    serde_json::json!({"act": "remove-one-time-codes", "approver": approver, "set_at": set_at}).to_string()
}

/// Needs codes of this approver from now on.
///
/// # Errors
/// Codes that are needed already, a signature that is not the approver's, or a code that is not the secret's.
pub fn set_codes(
    home: &Home,
    ledger: &mut Ledger,
    approver: &ApproverId,
    secret: &str,
    code: &str,
    signature: &str,
) -> Result<String, Error> {
    if ledger.people().codes(approver).is_some() {
        return Err(CodeError::SetAlready(approver.clone()).into());
    }
    check_signed(ledger, approver, signature, &text_to_set(approver, secret))?;
    let seed = Seed::parse(secret)?;
    let Match::Step(step) = seed.step_of(&totp::tidy(code)?, now(), None) else {
        return Err(CodeError::NotOfTheSecret.into());
    };
    let path = keys::codes(home, approver);
    durable::replace(&path, secret.as_bytes(), 0o600).map_err(Error::io(&path))?;
    ledger.append(PeopleRecord::CodesSet { approver: approver.clone(), step })?;
    Ok(format!("every yes of `{approver}` needs a one-time code from now on"))
}

/// Needs codes of this approver no more.
///
/// # Errors
/// No codes, a signature or a code that does not hold.
pub fn remove_codes(
    home: &Home,
    ledger: &mut Ledger,
    approver: &ApproverId,
    by: &ApproverId,
    signature: &str,
    codes: &Codes,
) -> Result<String, Error> {
    let Some(set_at) = ledger.people().codes(approver).map(|c| c.set_at.clone()) else {
        return Err(CodeError::None(approver.clone()).into());
    };
    check_signed(ledger, by, signature, &text_to_remove(approver, &set_at))?;
    spend(home, ledger, by, codes.get(by).map(String::as_str))?;
    ledger.append(PeopleRecord::CodesRemoved { approver: approver.clone(), by: by.clone() })?;
    forget(&keys::codes(home, approver));
    Ok(format!("`{approver}` needs no one-time code any more"))
}

fn check_signed(ledger: &Ledger, by: &ApproverId, signature: &str, text: &str) -> Result<(), Error> {
    let approvers = ledger.people().approvers()?;
    let listed = approvers.named(by).ok_or_else(|| StatementError::NotAnApprover(by.clone()))?;
    listed
        .verify(signature, text.as_bytes())
        .map_err(|why| CodeError::Signature { by: by.clone(), why }.into())
}

fn seed(home: &Home, approver: &ApproverId) -> Result<Seed, Error> {
    let path = keys::codes(home, approver);
    let text = keys::from_file(&path).map_err(|why| CodeError::NoSecret {
        approver: approver.clone(),
        path: path.clone(),
        why: Box::new(why),
    })?;
    Seed::parse(text.expose())
}

/// A secret that is not needed any more; one that stays behind opens nothing.
pub fn forget(path: &std::path::Path) {
    let _ = std::fs::remove_file(path);
}

fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0)
}

/// Seconds since 1970; what cannot be read counts as now, which waits longest.
fn seconds(at: &str) -> u64 {
    at.parse::<jiff::Timestamp>().ok().and_then(|t| u64::try_from(t.as_second()).ok()).unwrap_or(u64::MAX)
}
