//! `cl-admin doctor`

use shared_types::home::Home;

use crate::build::toolchain::{ADVICE, Toolchain};
use crate::commands::out::outln;
use crate::config::Config;
use crate::error::Error;
use crate::journal::Book;
use crate::keys;
use crate::profiles::Listed;
use crate::review::approvers;
use crate::service::lock;

/// Look at this machine and this home, and say what is missing and what to do.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What one look came to.
enum Health {
    Good,
    Note,
    Bad,
}

struct Look {
    what: &'static str,
    health: Health,
    words: String,
    next: Option<String>,
}

/// Looks at everything; exit 1 when something is bad.
///
/// # Errors
/// None of its own: what cannot be looked at is told as bad.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let looks = [
        home_look(home),
        isolation(home),
        compiler(home),
        journal(home),
        models(home),
        key(home),
        profiles(home),
        service(home),
    ];
    let mut bad = false;
    for look in looks {
        let word = match look.health {
            Health::Good => "ok",
            Health::Note => "note",
            Health::Bad => "bad",
        };
        bad |= matches!(look.health, Health::Bad);
        if args.json {
            outln!(
                "{}",
                serde_json::json!({"what": look.what, "health": word, "words": look.words, "next": look.next})
            );
        } else {
            outln!("{word:5} {:10} {}", look.what, shared_types::text::line(&look.words));
            if let Some(next) = look.next {
                outln!("                 -> {next}");
            }
        }
    }
    Ok(if bad { shared_types::exit::FAILED } else { shared_types::exit::DONE })
}

fn look(what: &'static str, health: Health, words: impl Into<String>, next: Option<&str>) -> Look {
    Look { what, health, words: words.into(), next: next.map(str::to_owned) }
}

fn home_look(home: &Home) -> Look {
    let place = home.root().display();
    match super::home::check(home) {
        Err(error) => look("home", Health::Bad, error.to_string(), error.hint().as_deref()),
        Ok(()) if !home.trust().exists() => {
            look("home", Health::Bad, format!("there is none at {place}"), Some("`cl-admin init` makes one"))
        }
        Ok(()) => look("home", Health::Good, format!("{place}"), None),
    }
}

fn isolation(home: &Home) -> Look {
    use std::os::unix::fs::MetadataExt;
    let held = confine::support().reachable();
    let owner = |path: &std::path::Path| std::fs::metadata(path).map(|m| m.uid()).ok();
    let own_user =
        match (owner(&home.config()), owner(&home.profile(&"default".parse().expect("a valid name")))) {
            (Some(admin), Some(bot)) => admin != bot && bot != 0,
            _ => false,
        };
    let tier = confine::tier(&held, own_user);
    let words = format!("the bot reaches `{tier}` ({held})");
    if held.landlock_abi.is_none() || !held.seccomp {
        let next = "a kernel with Landlock (version 3 or later) and seccomp; without Landlock nothing is compiled, and the \
                    bot lays a mount namespace around its files at its start, if this system lets it";
        return look("isolation", Health::Bad, words, Some(next));
    }
    if own_user {
        look("isolation", Health::Good, words, None)
    } else {
        look(
            "isolation",
            Health::Note,
            words,
            Some(
                "bot and admin share a user: the kernel's sandbox is what holds; `security.user` gives the bot its own",
            ),
        )
    }
}

fn compiler(home: &Home) -> Look {
    let configured = Config::read(home).map_or_else(|_| "auto".to_owned(), |c| c.compiler);
    match Toolchain::find(&configured) {
        Ok(found) => {
            look("compiler", Health::Good, format!("{} at {}", found.version, found.rustc.display()), None)
        }
        Err(why) => {
            let next = format!("until then proposals wait; install {ADVICE}");
            look("compiler", Health::Bad, why, Some(&next))
        }
    }
}

fn journal(home: &Home) -> Look {
    match Book::read(home) {
        Ok(book) => {
            let words = format!(
                "{} proposals, {} learned skills, manifest {}; the chain holds",
                book.tickets().count(),
                book.active().len(),
                book.serial()
            );
            look("journal", Health::Good, words, None)
        }
        Err(error) => {
            look("journal", Health::Bad, error.to_string(), Some("restore `admin/journal` from a backup"))
        }
    }
}

fn models(home: &Home) -> Look {
    match Config::read(home) {
        Err(error) => look("config", Health::Bad, error.to_string(), error.hint().as_deref()),
        Ok(config) if config.implementers.iter().all(|i| i == "templates") => look(
            "models",
            Health::Note,
            "skills are written by the offline templates alone",
            Some("name a model in admin.yaml for wishes that no template knows"),
        ),
        Ok(config) => {
            look("models", Health::Good, format!("written by {}", config.implementers.join(", then ")), None)
        }
    }
}

fn key(home: &Home) -> Look {
    let set = Some("`cl-admin approver passphrase` gives it one");
    match keys::has_passphrase(&keys::approver_key(home, &super::init::owner())) {
        Ok(true) => look("approver", Health::Good, "the approver's key asks for its passphrase", None),
        Ok(false) => look(
            "approver",
            Health::Note,
            "the approver's key has no passphrase: whoever can read it can approve",
            set,
        ),
        Err(error) => look("approver", Health::Bad, error.to_string(), error.hint().as_deref()),
    }
}

fn profiles(home: &Home) -> Look {
    let listed = match crate::profiles::list(home) {
        Ok(listed) => listed,
        Err(error) => return look("profiles", Health::Bad, error.to_string(), error.hint().as_deref()),
    };
    let guarded = approvers::read(home).is_ok_and(|a| a.all_have_passphrases().is_ok());
    for Listed { id, settings } in &listed {
        match settings {
            Err(faults) => {
                let words = format!("{id} cannot be opened: {}", faults[0]);
                return look(
                    "profiles",
                    Health::Bad,
                    words,
                    Some("`cl-bot config validate` tells every fault"),
                );
            }
            Ok(profile) if profile.audience.is_minor() && !guarded => {
                let words = format!(
                    "{id} is for a {} and does not start while an approver's key has no passphrase",
                    profile.audience
                );
                return look("profiles", Health::Bad, words, Some("`cl-admin approver passphrase`"));
            }
            Ok(_) => {}
        }
    }
    let names: Vec<String> = listed.iter().map(|l| l.id.to_string()).collect();
    look("profiles", Health::Good, names.join(" "), None)
}

fn service(home: &Home) -> Look {
    match lock::holder(home) {
        Some(pid) => look("service", Health::Good, format!("runs as process {pid}"), None),
        None => look("service", Health::Note, "does not run", Some("`cl-admin up`, or `cl-admin run`")),
    }
}
