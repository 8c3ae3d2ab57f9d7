//! `cl-admin doctor`

mod backups;
mod door;
mod files;
mod fix;
mod folders;
mod look;
mod machine;
mod people;
mod plugins;
mod region;
mod schedules;
mod state;
mod telling;
pub(super) mod walls;

use std::io::{IsTerminal, Write};

use base::error::Error;
use base::home::Home;
use shared_types::text::line;

use crate::commands::out::{self, outln};
use look::{Health, Look};

/// Look at this machine and this home, and say what is missing and what to do.
///
/// Each line is `pass`, `warn` or `fail`; below what is not as it should be stands what helps. Nothing is changed without
/// --fix. docs/TROUBLESHOOTING.md has a paragraph for each line.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line: what, health, words, next
    #[arg(long)]
    json: bool,
    /// Try to reach the configured model servers too
    #[arg(long)]
    online: bool,
    /// First put right what is safe: missing folders, owners and modes, a dead socket, the country of the help lines by the
    /// locale; and the compiler, after a yes. A line `fixed` says each thing that was done
    #[arg(long)]
    fix: bool,
    /// With --fix: install the compiler without a question
    #[arg(long, requires = "fix")]
    install: bool,
}

/// Looks at everything; exit 1 when something fails.
///
/// # Errors
/// `--fix` without a home; no others: what cannot be looked at is reported as a line that fails.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let online = args.online;
    let looks: [(&str, &dyn Fn() -> Vec<Look>); 30] = [
        ("home", &|| vec![files::home(home)]),
        ("files", &|| files::modes(home)),
        ("leftovers", &|| files::leftovers(home)),
        ("disk", &|| machine::disk(home)),
        ("clock", &|| machine::clock(home)),
        ("isolation", &|| vec![walls::isolation(home)]),
        ("children", &|| vec![walls::children()]),
        ("compiler", &|| vec![machine::compiler(home)]),
        ("models", &|| machine::models(home, online)),
        ("templates", &|| machine::templates(home)),
        ("journal", &|| vec![state::journal(home)]),
        ("evidence", &|| state::evidence(home)),
        ("manifest", &|| vec![state::manifest(home)]),
        ("system", &|| state::system(home)),
        ("skills", &|| state::skills(home)),
        ("plugins", &|| plugins::plugins(home)),
        ("mirror", &|| vec![state::mirror(home)]),
        ("approvers", &|| people::approvers(home)),
        ("keys", &|| people::keys(home)),
        ("profiles", &|| people::profiles(home)),
        ("door", &|| door::doors(home)),
        ("folders", &|| folders::folders(home)),
        ("region", &|| vec![region::region(home)]),
        ("reserve", &|| vec![telling::reserve(home)]),
        ("halt", &|| vec![telling::halt(home)]),
        ("stop", &|| vec![telling::stop(home)]),
        ("notifiers", &|| telling::notifiers(home)),
        ("schedules", &|| schedules::schedules(home)),
        ("backups", &|| backups::backups(home)),
        ("service", &|| state::service(home)),
    ];
    let mut failed = false;
    // Without a home every further line would say so again.
    let lacks_home = !home.admin().is_dir();
    if args.fix && lacks_home {
        return Err(Error::NoHome(home.root().to_owned()));
    }
    if args.fix {
        for look in fix::fix(home, args.install) {
            show(&look, args.json);
        }
    }
    let without: &[&str] = &["home", "disk", "isolation", "children"];
    for (name, look) in looks {
        if lacks_home && !without.contains(&name) {
            continue;
        }
        let waiting = Waiting::on(name);
        let looked = look();
        drop(waiting);
        for look in looked {
            failed |= look.health == Health::Fail;
            show(&look, args.json);
        }
    }
    Ok(if failed { shared_types::exit::FAILED } else { shared_types::exit::DONE })
}

fn show(look: &Look, json: bool) {
    let word = look.health.word();
    if json {
        out::json(
            &serde_json::json!({"what": look.what, "health": word, "words": line(&look.words), "next": look.next}),
        );
        return;
    }
    outln!("{word:5} {:10} {}", look.what, line(&look.words));
    if let Some(next) = &look.next {
        outln!("                 -> {}", line(next));
    }
}

/// Says on a terminal what is being looked at, for as long as it lasts.
struct Waiting {
    shown: usize,
}

impl Waiting {
    fn on(name: &str) -> Waiting {
        let mut error = std::io::stderr();
        let plain = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if !error.is_terminal() || !std::io::stdout().is_terminal() || plain {
            return Waiting { shown: 0 };
        }
        let text = format!("looking at: {name} ...");
        let _ = write!(error, "{text}\r").and_then(|()| error.flush());
        Waiting { shown: text.len() }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.shown > 0 {
            let mut error = std::io::stderr();
            let _ = write!(error, "{}\r", " ".repeat(self.shown)).and_then(|()| error.flush());
        }
    }
}
