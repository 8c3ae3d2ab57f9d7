//! `cl-admin model`

use base::error::Error;
use base::home::Home;
use nix::sys::signal::Signal;
use shared_types::exit;

use crate::commands::onboard::{self, ModelArgs};

pub(super) mod available;
pub(super) mod connect;
pub(super) mod fetch;
pub(super) mod fetcher;
mod key;
pub(super) mod list;
pub(super) mod place;
mod ready;
pub(super) mod serve;

/// Choose who answers in the chat: a model server of this machine, another one, or the built-in companion.
///
/// It looks for servers on the usual ports of this machine, says whose process each is, and asks. What is chosen is tried by a turn.
/// Where none runs and `llama-server` is installed, it offers to fetch a model.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Show the servers of this machine and their models, and change nothing
    #[arg(long, conflicts_with = "model")]
    list: bool,
    /// One JSON object a line
    #[arg(long, requires = "list")]
    json: bool,
    #[command(flatten)]
    chosen: ModelArgs,
}

/// A model on this machine, run by llama.cpp's `llama-server`.
#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show the models that can be fetched, what each needs, and what is here
    Available {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Fetch a model whose digest is pinned; after Ctrl-C or a break the same command continues
    Fetch(fetch::Args),
    /// Have a fetched model answer in the chat: with a key of its own, and a turn to try it
    Connect(ConnectArgs),
    /// Run `llama-server` with a model, behind walls: it connects to nobody, writes nothing and starts nothing
    Serve(serve::Args),
    /// Wait until a server has loaded its model, and see that it asks for a key
    Ready(ready::Args),
}

/// What `connect` takes.
#[derive(Debug, clap::Args)]
pub struct ConnectArgs {
    /// A model that was fetched
    name: list::ModelName,
    /// The port of 127.0.0.1 on which it will answer
    #[arg(long, value_name = "PORT", default_value_t = serve::PORT)]
    port: u16,
    /// The program for the trial [default: the `llama-server` of PATH]
    #[arg(long, value_name = "PATH")]
    program: Option<std::path::PathBuf>,
    /// Only write it down: no server and no turn
    #[arg(long)]
    no_try: bool,
}

/// Lists, or asks and sets, or does what the verb says.
///
/// # Errors
/// A flag that is wrong or missing, or a step that failed.
pub fn run(
    named: &dyn Fn() -> Result<Home, Error>,
    existing: &dyn Fn() -> Result<Home, Error>,
    args: &Args,
) -> Result<u8, Error> {
    match &args.verb {
        None if args.list => {
            existing()?;
            onboard::list_servers(&args.chosen, args.json);
        }
        None => return onboard::model_alone(&existing()?, &args.chosen),
        Some(Verb::Available { json }) => available::run(&existing()?, *json)?,
        Some(Verb::Fetch(args)) => {
            let home = existing()?;
            let cancel = confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM])
                .map_err(Error::step("catching signals"))?;
            if !fetch::run(&home, args, cancel)? {
                return Ok(onboard::INTERRUPTED);
            }
        }
        Some(Verb::Connect(args)) => {
            return onboard::connect_alone(
                &existing()?,
                &args.name,
                args.port,
                args.program.as_ref(),
                !args.no_try,
            );
        }
        // A unit shows the server of its home the folder of models alone.
        Some(Verb::Serve(args)) => return serve::run(&named()?, args),
        Some(Verb::Ready(args)) => ready::run(args)?,
    }
    Ok(exit::DONE)
}
