//! `cl-admin provider bench`

mod place;
mod results;
mod waiting;
mod wishes;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::stop::{self, may_start};
use builder::toolchain::Toolchain;
use ledger::Ledger;
use models::config::ProviderConfig;
use nix::sys::signal::Signal;
use shared_types::exit;

use crate::commands::out::{self, listed, outln};
use place::{Ended, Place};
use results::Results;
use waiting::Waiting;
use wishes::Wish;

/// Why no model is put to the bench.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("no provider is named `{name}`; `providers` in admin/admin.yaml has: {}", listed(.known, ", "))]
    NoProvider { name: String, known: Vec<String> },
    #[error("no model is among the `implementers`; `providers` in admin/admin.yaml has: {}", listed(.known, ", "))]
    NoImplementer { known: Vec<String> },
    #[error(
        "today's budget of model tokens is spent ({tokens} of {budget}); it is there again {}, or raise `budgets.model_tokens` in \
         admin.yaml",
        pipeline::budget::FREES
    )]
    Spent { tokens: u64, budget: u64 },
}

/// Have a model server write ten skills, and count how many are right.
///
/// Each wish goes the way of a proposal: the model writes, the source is scanned, compiled in the jail and tried, and a failure is
/// repaired. The module that would come to your review then answers three inputs that the model was not shown. All of it
/// happens in a throw-away home: yours is not changed and nothing is installed. The bounds of admin.yaml hold, and so does the
/// emergency stop. With a small model on a small machine one wish takes minutes.
///
/// Exit code 0: every wish was put to the model, regardless of the results; 1: it ended before; 3: the emergency stop or a budget.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The provider, as admin.yaml names it [default: the first model among `implementers`]
    provider: Option<String>,
    /// These wishes alone: their numbers in the table, or their names
    #[arg(long, value_name = "WISH,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Keep each row in FILE as soon as it is there, and continue with what FILE holds
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// One JSON object a line: a row per wish, then the total
    #[arg(long)]
    json: bool,
}

/// Puts each wish to the model.
///
/// # Errors
/// An unknown provider or wish, no compiler, a stop or a spent budget, or a server that does not answer.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    may_start(home, None)?;
    let mut config = Config::read(home)?;
    let provider = chosen(&config, args.provider.as_deref())?.clone();
    let wishes = wishes::chosen(&args.only)?;
    Toolchain::find(&config.compiler).map_err(Error::step("no skill can be compiled"))?;
    let mut results = Results::open(args.resume.as_deref(), &provider)?;
    leave_what_is_spent(home, &mut config, &results)?;
    config.implementers = vec![provider.name.clone()];
    let cancel = confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
        .map_err(Error::step("catching signals"))?;
    let place = Place::make(home, config)?;
    if !args.json {
        let model = provider.model.as_deref().unwrap_or("its own model");
        outln!("{}, {}", provider.name, shared_types::text::cut(model, 100));
        outln!("{}", results::HEAD);
    }
    for wish in &wishes {
        if results.row(wish).is_none() {
            let row = match one(home, &place, wish, cancel)? {
                Ended::Row(row) => *row,
                Ended::Before(why) => return before(home, args, wish, &why),
            };
            results.keep(row)?;
        }
        let Some(row) = results.row(wish) else { continue };
        if args.json {
            out::json(row);
        } else {
            outln!("{}", row.line(wish.number));
        }
    }
    let total = results.total(&wishes);
    if args.json {
        out::json(&serde_json::json!({"total": total}));
    } else {
        outln!("{}", total.line());
    }
    Ok(exit::DONE)
}

/// Puts one wish to the model, until it has ended, a signal comes, or a stop holds in the home that this is about.
fn one(home: &Home, place: &Place, wish: &Wish, cancel: &AtomicBool) -> Result<Ended, Error> {
    let _waiting = Waiting::begin(format!("{} of {}: {}", wish.number, wishes::MANY, wish.name));
    stop::during(home, None, cancel, |cancel| place.put(wish, cancel))
}

/// What is said where a wish did not come to its end.
fn before(home: &Home, args: &Args, wish: &Wish, why: &str) -> Result<u8, Error> {
    may_start(home, None)?;
    eprintln!("error: ended at `{}`: {}", wish.name, shared_types::text::line(why));
    match &args.resume {
        Some(file) => eprintln!("hint: the same command continues with what {} holds", file.display()),
        None => eprintln!("hint: with `--resume FILE` a further start continues where this one ended"),
    }
    Ok(exit::FAILED)
}

/// The provider that is named, or the first model among the implementers.
fn chosen<'a>(config: &'a Config, name: Option<&str>) -> Result<&'a ProviderConfig, Error> {
    let named = |name: &str| config.providers.iter().find(|provider| provider.name == name);
    let found = match name {
        Some(name) => named(name),
        None => config.implementers.iter().find_map(|name| named(name)),
    };
    found.ok_or_else(|| {
        let known = config.providers.iter().map(|provider| provider.name.to_string()).collect();
        Error::usage(match name {
            Some(name) => Fault::NoProvider { name: shared_types::text::cut(name, 40), known },
            None => Fault::NoImplementer { known },
        })
    })
}

/// Takes from the budgets what this home has spent today, and what the rows of today have.
fn leave_what_is_spent(home: &Home, config: &mut Config, results: &Results) -> Result<(), Error> {
    let spent = Ledger::read(home)?.spent_today();
    let tokens = spent.tokens.saturating_add(results.tokens_today());
    let left = config.budgets.model_tokens.saturating_sub(tokens);
    if left == 0 {
        return Err(Error::refused(Fault::Spent { tokens, budget: config.budgets.model_tokens }));
    }
    config.budgets.model_tokens = left;
    let compiled = std::time::Duration::from_millis(spent.compile_ms);
    config.budgets.compile = config.budgets.compile.saturating_sub(compiled);
    Ok(())
}
