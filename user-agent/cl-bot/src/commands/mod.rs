//! The command line: one verb per file.

use std::ffi::OsString;
use std::path::PathBuf;

use bot_base::error::Error;
use clap::{Parser, Subcommand};
use shared_types::id::ProfileId;

use crate::start::Options;

pub mod agent;
pub mod completions;
pub mod config;
pub mod estop;
pub mod guard;
pub mod login;
mod look;
pub mod memory;
pub mod probe;
pub mod proposal;
pub mod provider;
pub mod receipt;
pub mod serve;
pub mod skill;
pub mod sop;
pub mod stdio;
pub mod tool;
pub mod voice;

use look::{Format, asked, booted, looking, print, print_json};

/// An assistant that can grow, but only through a human's hand
#[derive(Debug, Parser)]
#[command(name = "cl-bot", version, max_term_width = 100)]
pub struct CommandLine<V: Subcommand = Verb> {
    /// The home folder [default: $TAMECLAW_HOME, or ~/.tameclaw]
    #[arg(long, global = true, value_name = "FOLDER")]
    home: Option<PathBuf>,

    /// The profile: whose memory, workspace and proposals these are
    #[arg(long, global = true, value_name = "ID", default_value = "default")]
    profile: ProfileId,

    /// The file (mode 0600) that holds the profile's PIN; without it a person at a terminal is asked
    #[arg(long, global = true, value_name = "FILE")]
    pin_file: Option<PathBuf>,

    #[command(flatten)]
    agent: agent::Arguments,

    #[command(subcommand)]
    verb: Option<V>,
}

/// The verb of a conversation alone.
#[derive(Debug, Subcommand)]
enum Talk {
    Agent(agent::Arguments),
}

/// A verb.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Talk: a prompt, a pipe, or one message (this is what happens without a command)
    Agent(agent::Arguments),
    /// Check or show the configuration
    #[command(subcommand)]
    Config(config::Verb),
    /// Show who may be asked to think, and try one out
    #[command(subcommand)]
    Provider(provider::Verb),
    /// Find out what the guard says of a text, and why
    #[command(subcommand)]
    Guard(guard::Verb),
    /// Show the active skills
    #[command(subcommand)]
    Skill(skill::Verb),
    /// Show what the skills can do
    #[command(subcommand)]
    Tool(tool::Verb),
    /// Look into what is remembered
    #[command(subcommand)]
    Memory(memory::Verb),
    /// Show what was asked for and where it stands
    #[command(subcommand)]
    Proposal(proposal::Verb),
    /// Stop every tool of the profile at once; --clear lets them run again
    Estop(estop::Arguments),
    /// Show what is on record of the calls of tools, or verify it
    #[command(subcommand)]
    Receipt(receipt::Verb),
    /// List, check and run workflows: a few steps in a file, one after the other
    #[command(subcommand)]
    Sop(sop::Verb),
    /// Offer the approved skills to a client of the Model Context Protocol, on standard input and output
    Mcp(stdio::Arguments),
    /// Talk in an editor that speaks the Agent Client Protocol, on standard input and output
    Acp(stdio::Arguments),
    /// Talk with the profile's person through a Matrix server, as the profile's file says, until a signal ends it
    Matrix(stdio::Arguments),
    /// Talk with the profile's person through a Telegram bot, as the profile's file says, until a signal ends it
    Telegram(stdio::Arguments),
    /// Talk by voice, with services of this machine that hear and speak, until the sound ends
    Voice(voice::Arguments),
    /// Answer programs over HTTP, on a socket of this user alone or on a TCP address, until a signal ends it
    Serve(serve::Arguments),
    /// Log in to a provider: prints an address, takes the address that the browser is sent to
    Login(login::In),
    /// Forget a login, here and at the server if it has a place for that
    Logout(login::Out),
    /// Try from inside what an owned bot would try; for `cl-admin selftest`
    #[command(hide = true)]
    Probe(probe::Arguments),
    /// Print what a shell needs to complete this command line
    Completions {
        /// The shell
        shell: completions::Known,
    },
}

impl CommandLine {
    /// Reads the words that the program was started with; ends it where they are wrong, or ask for help.
    pub fn read() -> CommandLine {
        let words: Vec<OsString> = std::env::args_os().collect();
        CommandLine::of_talk(&words).unwrap_or_else(|| CommandLine::parse_from(words))
    }

    /// The command line of a conversation. Most starts are one, and the parser of all verbs takes longer to make than anything
    /// else before the home is read. Everything that it does not take is left to that parser, help and faults included.
    fn of_talk(words: &[OsString]) -> Option<CommandLine> {
        if words.get(1).is_some_and(|word| word != "agent" && !word.as_encoded_bytes().starts_with(b"-")) {
            return None;
        }
        let CommandLine { home, profile, pin_file, agent, verb } =
            CommandLine::<Talk>::try_parse_from(words).ok()?;
        match verb {
            Some(_) if !agent.is_empty() => None,
            Some(Talk::Agent(arguments)) => {
                Some(CommandLine { home, profile, pin_file, agent, verb: Some(Verb::Agent(arguments)) })
            }
            None => Some(CommandLine { home, profile, pin_file, agent, verb: None }),
        }
    }

    /// Runs the verb.
    ///
    /// # Errors
    /// What kept it from being done.
    pub fn run(self) -> Result<u8, Error> {
        let options = Options { home: self.home, profile: self.profile, pin_file: self.pin_file };
        if self.verb.is_some() && !self.agent.is_empty() {
            use clap::CommandFactory;
            Self::command()
                .error(
                    clap::error::ErrorKind::ArgumentConflict,
                    "the options of `agent` belong behind it, as in: cl-bot agent -m TEXT",
                )
                .exit();
        }
        match self.verb.unwrap_or(Verb::Agent(self.agent)) {
            Verb::Agent(arguments) => agent::run(&options, arguments),
            Verb::Config(verb) => config::run(&options, &verb),
            Verb::Provider(verb) => provider::run(&options, &verb),
            Verb::Guard(verb) => guard::run(&options, &verb),
            Verb::Skill(verb) => skill::run(&options, &verb),
            Verb::Tool(verb) => tool::run(&options, &verb),
            Verb::Memory(verb) => memory::run(&options, &verb),
            Verb::Proposal(verb) => proposal::run(&options, &verb),
            Verb::Estop(arguments) => estop::run(&options, &arguments),
            Verb::Receipt(verb) => receipt::run(&options, &verb),
            Verb::Sop(verb) => sop::run(&options, &verb),
            Verb::Mcp(arguments) => stdio::run(&options, &arguments, "--mcp"),
            Verb::Acp(arguments) => stdio::run(&options, &arguments, "--acp"),
            Verb::Matrix(arguments) => stdio::run(&options, &arguments, "--matrix"),
            Verb::Telegram(arguments) => stdio::run(&options, &arguments, "--telegram"),
            Verb::Voice(arguments) => voice::run(&options, arguments),
            Verb::Serve(arguments) => serve::run(&options, &arguments),
            Verb::Login(arguments) => login::log_in_to(&options, &arguments),
            Verb::Logout(arguments) => login::log_out_of(&options, &arguments),
            Verb::Probe(arguments) => probe::run(&options, &arguments),
            Verb::Completions { shell } => completions::run(shell),
        }
    }
}

#[cfg(test)]
mod tests;
