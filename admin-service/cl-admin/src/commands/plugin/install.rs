//! `cl-admin plugin install`

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use actions::plugins::form::{self, Form};
use actions::plugins::{decide, page, prepare, tools, tree};
use api::Request;
use base::error::Error;
use base::home::Home;
use beneath::Folder;
use console::line_mode::ask_line;
use ledger::Ledger;
use ledger::facts::Kind;
use nix::sys::signal::Signal;
use review::ahead;
use review::recipients;
use service::session::submit_on;
use shared_types::id::{Digest, HostName};
use shared_types::recipients::Recipients;
use shared_types::text::cut;

use crate::commands::decider::Decider;
use crate::commands::out::outln;

/// Why nobody decides on a plugin.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("all that would be approved has the digest {0}: look at it again")]
    OtherDigest(Digest),
    #[error("--header: `{0}` is there twice")]
    HeaderTwice(String),
    #[error(
        "nobody can be asked here, so nothing was installed: after looking at the page above, give --yes --digest {0}"
    )]
    NobodyHere(Digest),
}

/// Install a plugin, with the approver's key: from a folder with a plugin.toml, or an MCP server by its program or address.
///
/// An MCP server is started once in its jail, without its hosts and without workspace, to ask for its tools.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder with a plugin.toml
    #[arg(required_unless_present_any = ["mcp_stdio", "mcp_http"])]
    folder: Option<PathBuf>,
    /// An MCP server by its program, an absolute path; its arguments follow by --arg
    #[arg(long, value_name = "PROGRAM", requires = "name", conflicts_with_all = ["folder", "mcp_http"])]
    mcp_stdio: Option<String>,
    /// An argument of that program; may be given again
    #[arg(long, value_name = "WORD", requires = "mcp_stdio", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// A file or folder that this program reads, besides the system's; may be given again
    #[arg(long, value_name = "PATH", requires = "mcp_stdio")]
    read: Vec<PathBuf>,
    /// A host that this program reaches, by name; may be given again [port: 443]
    #[arg(long, value_name = "HOST[:PORT]", requires = "mcp_stdio")]
    network: Vec<HostName>,
    /// An MCP server by its address: https, or http on this machine
    #[arg(long, value_name = "URL", requires = "name", conflicts_with = "folder")]
    mcp_http: Option<String>,
    /// A header that this server gets with each request, as in 'Authorization: Bearer {{secret:NAME}}'; may be given again
    #[arg(long, value_name = "NAME: VALUE", requires = "mcp_http")]
    header: Vec<String>,
    /// The name of a plugin without a folder
    #[arg(long, value_name = "NAME", conflicts_with = "folder")]
    name: Option<String>,
    /// How risky calls of a tool are: low runs, medium asks a person [default: medium], high is refused; as in count=low
    #[arg(long, value_name = "TOOL=RISK")]
    risk: Vec<String>,
    /// The profiles that get it, with commas between them: everyone, child, teen, adult, work, profile:ID
    /// [default: those that have it now, else everyone]
    #[arg(long = "for", value_name = "WHO")]
    recipients: Option<Recipients>,
    /// Do not ask; for scripts that have looked at it, together with --digest
    #[arg(long, requires = "digest")]
    yes: bool,
    /// Only if all that would be approved has this digest, as the last line of the page prints it
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    #[command(flatten)]
    decider: Decider,
}

/// Installs the plugin.
///
/// # Errors
/// A plugin that is refused, a person who says no, or a key that does not open.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let wanted: Option<Digest> =
        args.digest.as_deref().map(str::parse).transpose().map_err(Error::option("--digest"))?;
    args.recipients.as_ref().map_or(Ok(()), |recipients| recipients::known(home, recipients))?;
    let source = args.folder.as_deref().map(tree::open_source).transpose()?;
    let form = form(args, source.as_ref())?;
    if form.kind != Kind::Exec {
        eprintln!("asking {} for its tools ...", form.name);
    }
    // A server that hangs, or a large folder, ends with Ctrl-C, and leaves nothing behind.
    let cancel =
        confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM]).map_err(Error::step("signals"))?;
    let mut prepared = prepare::prepare(home, form, source.as_ref(), cancel)?;
    tools::set_risks(&mut prepared.tools, &args.risk)?;
    let mut ledger = Ledger::read(home)?;
    let findings = decide::check_installable(home, &ledger, &prepared.facts, &prepared.tools)?;
    let installed = ledger.plugins().get(&prepared.facts.name).map(|installed| &installed.plugin.recipients);
    let recipients = args.recipients.as_ref().or(installed).cloned().unwrap_or_default();
    let digest = decide::digest(&prepared, &recipients);
    if wanted.as_ref().is_some_and(|wanted| *wanted != digest) {
        return Err(Error::refused(Fault::OtherDigest(digest)));
    }
    if !args.yes {
        outln!("{}", page::page(&prepared, &recipients, &digest, &findings).join("\n"));
        if !agreed(&digest)? {
            outln!("not installed");
            return Ok(shared_types::exit::FAILED);
        }
    }
    let signer = args.decider.key(home)?;
    let code = args.decider.code(&ledger)?;
    let plugin = decide::sign(&prepared, &recipients, &args.decider.approver, &signer)?;
    let staged = prepared.staged.as_ref().map(prepare::Staged::name);
    let facts = Box::new(prepared.facts.clone());
    let request = Request::InstallPlugin { plugin: Box::new(plugin), facts, staged, code };
    outln!("{}", submit_on(home, &mut ledger, request)?);
    Ok(shared_types::exit::DONE)
}

fn form(args: &Args, source: Option<&Folder>) -> Result<Form, Error> {
    if let Some(folder) = source {
        return form::read(folder);
    }
    let name = args.name.as_deref().unwrap_or_default();
    let name = name.parse().map_err(Error::option("--name"))?;
    let (kind, url) = match &args.mcp_http {
        Some(url) => (Kind::McpHttp, Some(url.clone())),
        None => (Kind::McpStdio, None),
    };
    let form = Form {
        description: format!("The MCP server `{name}`"),
        name,
        version: "1".to_owned(),
        kind,
        command: args.mcp_stdio.clone(),
        args: args.arg.clone(),
        url,
        headers: headers(&args.header)?,
        capabilities: shared_types::capability::TokenSet::new(),
        env: BTreeMap::new(),
        read: args.read.clone(),
        network: args.network.clone(),
        memory_mb: 4096,
        tools: vec![],
    };
    form::check(&form).map_err(|faults| Error::usage(faults.join("\n  ")))?;
    Ok(form)
}

/// The headers of a command line, each with its name before the first colon.
fn headers(words: &[String]) -> Result<BTreeMap<String, String>, Error> {
    let mut headers = BTreeMap::new();
    for word in words {
        let (name, value) = word.split_once(':').unwrap_or((word, ""));
        if headers.insert(name.trim().to_owned(), value.trim().to_owned()).is_some() {
            return Err(Error::usage(Fault::HeaderTwice(cut(name, 40))));
        }
    }
    Ok(headers)
}

/// Asks; anything but a typed yes is a no, and what was typed before the question does not count.
fn agreed(digest: &Digest) -> Result<bool, Error> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::refused(Fault::NobodyHere(digest.clone())));
    }
    ahead::forget_typed_ahead();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
    let question = "Install it? [y/N] ";
    let answer = ask_line(&mut input as &mut dyn BufRead, &mut output as &mut dyn Write, question)?;
    Ok(answer.is_some_and(|a| matches!(a.to_lowercase().as_str(), "y" | "yes")))
}
