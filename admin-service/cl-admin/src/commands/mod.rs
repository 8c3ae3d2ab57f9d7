//! One verb per file; the doc comment of each is its help.

mod analyze;
mod approve;
mod approver;
mod attend;
mod audit;
mod backup;
mod child;
mod compiler;
mod completions;
mod config;
mod decider;
mod digest;
mod doctor;
mod door;
mod edit;
mod estop;
mod grant;
pub(crate) mod init;
mod learn;
mod list;
mod memory;
mod metrics;
mod migrate;
mod model;
mod note;
mod notify;
mod onboard;
mod others;
pub(crate) mod out;
mod page;
mod plugin;
mod profile;
mod prompt;
mod proposal;
mod provider;
mod reject;
mod reopen;
mod restore;
mod review;
mod run;
mod scan;
mod schedule;
mod secret;
mod selftest;
mod service;
mod show;
mod skill;
mod status;
mod try_tool;
mod up;
mod update;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use base::error::{Error, report};
use base::home::Home;
use base::layout;
use base::version;
use clap::{CommandFactory, Parser, Subcommand};
use nix::sys::stat::{Mode, umask};

/// Builds, reviews and installs what the assistant wishes for; only a person's yes installs.
///
/// Without a verb, at a terminal, it runs the service with a prompt beside it; anywhere else it does what `run` does.
#[derive(Debug, Parser)]
#[command(name = "cl-admin", version, max_term_width = 100)]
struct Cli {
    /// The home folder [default: TAMECLAW_HOME, else ~/.tameclaw]
    #[arg(long, global = true, value_name = "FOLDER")]
    home: Option<PathBuf>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Init(init::Args),
    Onboard(onboard::Args),
    Up(up::Args),
    Run(run::Args),
    List(list::Args),
    Show(show::Args),
    Approve(approve::Args),
    Reject(reject::Args),
    Reopen(reopen::Args),
    Review(review::Args),
    #[command(subcommand)]
    Approver(approver::Verb),
    #[command(subcommand)]
    Profile(profile::Verb),
    Model(model::Args),
    #[command(subcommand)]
    Memory(memory::Verb),
    #[command(subcommand)]
    Door(door::Verb),
    #[command(subcommand)]
    Page(page::Verb),
    Scan(scan::Args),
    #[command(subcommand)]
    Proposal(proposal::Verb),
    #[command(subcommand)]
    Secret(secret::Verb),
    #[command(subcommand)]
    Config(config::Verb),
    Backup(backup::Args),
    Restore(restore::Args),
    Migrate(migrate::Args),
    Status(status::Args),
    Metrics(metrics::Args),
    Doctor(doctor::Args),
    #[command(subcommand)]
    Service(service::Verb),
    Selftest(selftest::Args),
    #[command(subcommand)]
    Notify(notify::Verb),
    Edit(edit::Args),
    Note(note::Args),
    Try(try_tool::Args),
    #[command(subcommand)]
    Skill(skill::Verb),
    Learn(learn::Args),
    Remove(skill::remove::Args),
    Analyze(analyze::Args),
    Estop(estop::Args),
    #[command(subcommand)]
    Provider(provider::Verb),
    #[command(subcommand)]
    Audit(audit::Verb),
    #[command(subcommand)]
    Grant(grant::Verb),
    #[command(subcommand)]
    Plugin(plugin::Verb),
    #[command(subcommand)]
    Schedule(schedule::Verb),
    Digest(digest::Args),
    Update(update::Args),
    Attend(attend::Args),
    Completions(completions::Args),
}

/// The whole command line, for its manual pages.
pub fn command_line() -> clap::Command {
    Cli::command()
}

/// Runs the program; answers the exit code.
pub fn main() -> ExitCode {
    // The modes that the code names are what files get, regardless of the caller's mask; nothing is for others.
    umask(Mode::from_bits_truncate(0o027));
    // The hidden verb comes first: a child must not read a configuration, nor even parse a command line at length.
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if words.first().is_some_and(|w| w == "child") {
        return child::serve(&words[1..]);
    }
    if let Err(error) = confine::stop::as_first_process() {
        return ExitCode::from(report(&Error::step("catching signals")(error)));
    }
    let cli = Cli::parse();
    match dispatch(cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => ExitCode::from(report(&error)),
    }
}

fn dispatch(cli: Cli) -> Result<u8, Error> {
    let home = || -> Result<Home, Error> {
        let cwd = std::env::current_dir().map_err(Error::io("the current folder".as_ref()))?;
        Home::choose(cli.home.as_deref(), |name| std::env::var_os(name), &cwd).ok_or(Error::NoHomeNamed)
    };
    // A home that may be made now, and is not closed to this user.
    let opened = || -> Result<Home, Error> {
        let home = home()?;
        match owners::closed::on_the_way(&home.config()) {
            Some(closed) => Err(Error::Closed(closed)),
            None => Ok(home),
        }
    };
    let existing = || -> Result<Home, Error> {
        let home = opened()?;
        layout::trust::check(&home).map_err(|error| others::told(&home, error))?;
        version::check(&home)?;
        if home.admin().is_dir() && home.trust().is_file() {
            Ok(home)
        } else {
            Err(Error::NoHome(home.root().to_owned()))
        }
    };
    let Some(verb) = cli.verb else {
        let home = existing()?;
        let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        return if at_terminal { prompt::run(&home) } else { run::run(&home, &run::Args::default()) };
    };
    match verb {
        Verb::Init(args) => init::run(&opened()?, &args),
        Verb::Onboard(args) => onboard::run(&opened()?, &args),
        Verb::Up(args) => up::run(&opened()?, &args),
        Verb::Run(args) => run::run(&existing()?, &args),
        Verb::List(args) => list::run(&existing()?, &args),
        Verb::Show(args) => show::run(&existing()?, &args),
        Verb::Approve(args) => approve::run(&existing()?, &args),
        Verb::Reject(args) => reject::run(&existing()?, &args),
        Verb::Reopen(args) => reopen::run(&existing()?, &args),
        Verb::Review(args) => review::run(&existing()?, &args),
        Verb::Config(verb) => config::run(existing, &verb),
        Verb::Approver(verb) => approver::run(&existing()?, &verb),
        Verb::Profile(verb) => profile::run(&home()?, &existing, &verb),
        Verb::Model(args) => model::run(&home, &existing, &args),
        Verb::Memory(verb) => memory::run(&existing()?, &verb),
        Verb::Door(verb) => door::run(&existing()?, &verb),
        Verb::Page(verb) => page::run(&existing, &verb),
        Verb::Scan(args) => scan::run(home().ok().as_ref(), &args),
        Verb::Proposal(verb) => proposal::run(existing().ok().as_ref(), &verb),
        Verb::Secret(verb) => secret::run(&existing()?, &verb),
        Verb::Backup(args) => backup::run(&home, &existing, &args),
        Verb::Restore(args) => restore::run(&home()?, &existing, &args),
        Verb::Migrate(args) => migrate::run(&home()?, &existing, &args),
        Verb::Status(args) => status::run(&existing()?, &args),
        Verb::Metrics(args) => metrics::run(&existing()?, &args),
        Verb::Service(verb) => service::run(cli.home.as_deref(), &verb),
        Verb::Doctor(args) => doctor::run(&opened()?, &args),
        Verb::Selftest(args) => selftest::run(&existing()?, &args),
        Verb::Notify(verb) => notify::run(&existing()?, &verb),
        Verb::Edit(args) => edit::run(&existing()?, &args),
        Verb::Note(args) => note::run(&existing()?, &args),
        Verb::Try(args) => try_tool::run(&existing()?, &args),
        Verb::Skill(verb) => skill::run(&existing()?, &verb),
        Verb::Learn(args) => learn::run(&existing()?, &args),
        Verb::Remove(args) => skill::remove::run(&existing()?, &args),
        Verb::Analyze(args) => analyze::run(&existing()?, &args),
        Verb::Provider(verb) => provider::run(&existing()?, &verb),
        Verb::Estop(args) => estop::run(&existing()?, &args),
        Verb::Audit(verb) => audit::run(&existing()?, &verb),
        Verb::Grant(verb) => grant::run(&existing()?, &verb),
        Verb::Plugin(verb) => plugin::run(&existing()?, &verb),
        Verb::Schedule(verb) => schedule::run(&existing()?, &verb),
        Verb::Digest(args) => digest::run(&existing()?, &args),
        Verb::Update(args) => update::run(&existing()?, &args),
        Verb::Attend(args) => attend::run(&home()?, &args),
        Verb::Completions(args) => Ok(completions::run(&args, &mut Cli::command())),
    }
}
