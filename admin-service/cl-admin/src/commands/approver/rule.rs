//! `cl-admin approver rule`

use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use shared_types::approvers::TwoPersons;
use shared_types::capability::{Token, TokenSet};

use super::by::{By, Set};
use crate::commands::out::{self, outln};

/// Why the rules stay as they are.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("there is a rule for {0} already")]
    Present(TokenSet),
    #[error("a two-person rule needs two approvers: `cl-admin approver add NAME` comes first")]
    OneApprover,
    #[error("there is no rule for {0}; see `approver rule list`")]
    NoRule(TokenSet),
}

/// Tokens that need the yes of two approvers.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List the rules
    List(List),
    /// A package that is granted all of these tokens needs two approvers from now on
    ///
    /// While a rule holds, two approvers sign every change of the approvers too, but for further rules.
    Add(Change),
    /// Take a rule back; two approvers sign that
    Remove(Change),
}

/// What `list` takes.
#[derive(Debug, clap::Args)]
pub struct List {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What `add` and `remove` take.
#[derive(Debug, clap::Args)]
pub struct Change {
    /// The tokens, separated by commas, such as network:write,memory:read
    #[arg(long, value_name = "TOKENS", value_delimiter = ',', required = true)]
    tokens: Vec<String>,
    #[command(flatten)]
    by: By,
}

/// Lists or changes the rules.
///
/// # Errors
/// Unknown tokens, a rule that is or is not there, a change that is refused.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    let mut ledger = Ledger::read(home)?;
    let present = ledger.people().approvers()?;
    let mut rules = present.rules().to_vec();
    let args = match verb {
        Verb::List(args) => {
            for rule in &rules {
                if args.json {
                    out::json(&serde_json::json!({ "tokens": rule.tokens }));
                } else {
                    outln!("two approvers for {}", rule.tokens);
                }
            }
            if rules.is_empty() && !args.json {
                eprintln!("no rules: one approver's yes is enough");
            }
            return Ok(shared_types::exit::DONE);
        }
        Verb::Add(args) => {
            let rule = TwoPersons { tokens: tokens(&args.tokens)? };
            if rules.contains(&rule) {
                return Err(Error::usage(Fault::Present(rule.tokens)));
            }
            if present.listed().len() < 2 {
                return Err(Error::refused(Fault::OneApprover));
            }
            rules.push(rule);
            args
        }
        Verb::Remove(args) => {
            let rule = TwoPersons { tokens: tokens(&args.tokens)? };
            let before = rules.len();
            rules.retain(|r| *r != rule);
            if rules.len() == before {
                return Err(Error::usage(Fault::NoRule(rule.tokens)));
            }
            args
        }
    };
    let signers = args.by.open(home, &present)?;
    let (words, _) =
        signers.change(home, &mut ledger, Set { rules, ..Set::with(&present, present.listed().to_vec()) })?;
    outln!("{words}");
    Ok(shared_types::exit::DONE)
}

fn tokens(words: &[String]) -> Result<TokenSet, Error> {
    let read = |word: &String| word.trim().parse::<Token>().map_err(Error::option("--tokens"));
    words.iter().map(read).collect()
}
