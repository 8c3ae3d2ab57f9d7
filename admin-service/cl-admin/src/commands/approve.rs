//! `cl-admin approve`

use std::io::{BufRead, IsTerminal, Write};

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use console::line_mode::{ask_line, columns};
use review::ahead;
use review::queue::{DECISIVE, Package};
use review::words::Words;
use service::session::DOORS;
use shared_types::id::Digest;
use shared_types::recipients::Recipients;
use shared_types::status::{Status, Wait};

use crate::commands::decider::Decider;
use crate::commands::out::outln;

/// Why nothing is approved.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0} is an action of one profile: --for is for skills")]
    ForSkills(String),
    #[error("{0} is not a waiting action: --always is for those")]
    ForActions(String),
    #[error("{name} is in {status}{}; only what waits for a person can be approved", waits(*.waits_for))]
    NotWaiting { name: String, status: Status, waits_for: Option<Wait> },
    #[error("the package has the digest {0}: look at it again")]
    OtherPackage(Digest),
    #[error("the action has the digest {0}: look at it again")]
    OtherAction(Digest),
    #[error("nobody can be asked here: give --yes after looking at `cl-admin show`")]
    NobodyHere,
}

fn waits(waits_for: Option<Wait>) -> String {
    let incomplete =
        if waits_for == Some(Wait::Person) { "; there is no complete package to compare yet" } else { "" };
    waits_for.map(|wait| format!(" and waits for {}{incomplete}", wait.as_str())).unwrap_or_default()
}

/// Say yes to a reviewed proposal, with the approver's key; it is then installed. What is held at a gate continues by one step.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// Only if the package still has this digest, as `show` prints it
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    /// Of an action: allow exactly the same one for this many days, without the network, as long as its programs stay what
    /// they are; 1 to 365, and 30 if no number is given
    #[arg(long, value_name = "DAYS", num_args = 0..=1, default_missing_value = "30")]
    always: Option<u16>,
    /// Of a skill: the profiles that get it, with commas between them: everyone, child, teen, adult, work, profile:ID;
    /// without it those of the version before, or everyone
    #[arg(long = "for", value_name = "WHO")]
    recipients: Option<Recipients>,
    /// Do not ask; for scripts that have looked at the package
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    decider: Decider,
}

/// Approves the proposal.
///
/// # Errors
/// A package that is not complete or has changed, a person who says no, a decision that is refused.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let digest: Option<Digest> =
        args.digest.as_deref().map(str::parse).transpose().map_err(Error::option("--digest"))?;
    let desk = Desk::new(home, &args.decider.approver, DOORS);
    let found = desk.found(&args.id)?;
    let package = match &args.recipients {
        Some(recipients) => desk.for_whom(found, recipients.clone())?,
        None => found,
    };
    let item = &package.item;
    let (waits, name) = (item.waits_for == Some(Wait::Person), &item.name);
    if package.asked.is_some() {
        if args.recipients.is_some() {
            return Err(Error::usage(Fault::ForSkills(name.clone())));
        }
        return action(&desk, &package, args, digest);
    }
    if args.always.is_some() {
        return Err(Error::usage(Fault::ForActions(name.clone())));
    }
    let Some(seen) = &package.seen else {
        if !waits || digest.is_some() {
            let (name, status, waits_for) = (name.clone(), item.status, item.waits_for);
            return Err(Error::refused(Fault::NotWaiting { name, status, waits_for }));
        }
        if !args.yes && !agreed(desk.words(), &package, &["gate"], "Let it continue? [y/N] ")? {
            outln!("not approved; it still waits");
            return Ok(shared_types::exit::FAILED);
        }
        outln!("{}", desk.open_gate(&item.id)?);
        return Ok(shared_types::exit::DONE);
    };
    if digest.is_some_and(|d| d != seen.report_sha256) {
        return Err(Error::refused(Fault::OtherPackage(seen.report_sha256.clone())));
    }
    if !args.yes
        && !agreed(
            desk.words(),
            &package,
            &DECISIVE,
            &format!("For {}. Approve? [y/N] ", package.recipients),
        )?
    {
        outln!("not approved; it still waits");
        return Ok(shared_types::exit::FAILED);
    }
    let proof = args.decider.proof(home, desk.needs()?)?;
    outln!("{}", desk.approve(&package, &proof)?);
    Ok(shared_types::exit::DONE)
}

/// Allows an action.
fn action(desk: &Desk, package: &Package, args: &Args, digest: Option<Digest>) -> Result<u8, Error> {
    let seen = package.asked.as_ref().map(|seen| &seen.action_sha256);
    if let (Some(seen), Some(_)) = (seen, digest.filter(|d| Some(d) != seen)) {
        return Err(Error::refused(Fault::OtherAction(seen.clone())));
    }
    if !args.yes && !agreed(desk.words(), package, &DECISIVE, "Approve? [y/N] ")? {
        outln!("not approved; it still waits");
        return Ok(shared_types::exit::FAILED);
    }
    let proof = args.decider.proof(desk.home(), desk.needs()?)?;
    outln!("{}", desk.allow(package, &proof, args.always)?);
    Ok(shared_types::exit::DONE)
}

/// Shows the pages and asks; anything but a typed yes is a no, and what was typed before the question does not count.
fn agreed(words: Words, package: &Package, pages: &[&str], question: &str) -> Result<bool, Error> {
    outln!("{}", package.text(words, pages, columns()));
    if !std::io::stdin().is_terminal() {
        return Err(Error::usage(Fault::NobodyHere));
    }
    ahead::forget_typed_ahead();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let answer = ask_line(&mut input as &mut dyn BufRead, &mut output as &mut dyn Write, question)?;
    Ok(answer.is_some_and(|a| words.is_yes(&a)))
}
