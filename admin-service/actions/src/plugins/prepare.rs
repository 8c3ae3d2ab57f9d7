//! From a folder, a program or an address to what a person is asked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::stop::{self, may_start};
use beneath::Folder;
use ledger::facts::{Facts, Kind, PinnedFile, Way};
use shared_types::capability::Token;
use shared_types::id::{ProposalId, SkillName, ToolName};
use shared_types::plugin::PluginTool;

use super::form::{self, Form};
use super::mcp::{self, client::List};
use super::offered;
use super::pin;
use super::tools::LeftOut;
use super::{arguments, network, servers, tools, tree};

/// The beginning of the names of folders whose plugin nobody decided yet.
pub const STAGED: &str = ".staged-";

/// Folders of the system's own, which no plugin is given to read.
const SYSTEM: [&str; 6] = ["/proc", "/sys", "/dev", "/etc", "/run", "/var/run"];

/// Why nobody is asked about a plugin.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("none of its tools can be offered: it lists none")]
    ListsNone,
    #[error("none of its tools can be offered: {}", .0.join("; "))]
    NoneOffered(Vec<String>),
    #[error("the server of `{plugin}`: {fault}")]
    Server { plugin: SkillName, fault: mcp::Fault },
    #[error("command `{0}`: a path within the plugin's folder, or an absolute one such as /usr/bin/node")]
    Command(String),
    #[error("command `{0}`: there is no such file in the plugin's folder")]
    NoCommand(String),
    #[error("command `{0}`: the file cannot be executed; chmod +x it")]
    NotExecutable(String),
    #[error("read `{path}`: an absolute path that is there, and not of the system's own ({})", SYSTEM.join(" "))]
    Read { path: String },
    #[error("{} overlaps with the home {}", .path.display(), .home.display())]
    Overlaps { path: PathBuf, home: PathBuf },
}

/// Everything that a person is asked about, and the copy of the files that waits for the answer.
#[derive(Debug)]
pub struct Prepared {
    /// What runs.
    pub facts: Facts,
    /// One line about it.
    pub description: String,
    /// The tools that will be offered.
    pub tools: Vec<PluginTool>,
    /// Further lines about a tool for the review page; safe to show.
    pub notes: BTreeMap<ToolName, Vec<String>>,
    /// Tools that are not, with the reasons.
    pub left_out: Vec<(String, LeftOut)>,
    pub files: Option<tree::Tree>,
    /// The copy.
    pub staged: Option<Staged>,
}

/// A copy that goes with the value unless it was taken over.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
}

impl Staged {
    fn place(home: &Home) -> Result<Staged, Error> {
        let parent = super::folder(home);
        make_folder(&parent, PRIVATE)?;
        Ok(Staged { path: parent.join(format!("{STAGED}{}", ProposalId::generate())) })
    }

    /// The folder's name.
    pub fn name(&self) -> String {
        self.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // The installation has moved it away by then.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Copies a plugin's files, pins what it runs, and learns its tools; an MCP server is started once for that, in its jail and
/// without a workspace.
///
/// # Errors
/// Files that are refused, a server that does not keep to the protocol, or no tool that could be offered.
pub fn prepare(
    home: &Home,
    mut form: Form,
    source: Option<&Folder>,
    cancel: &AtomicBool,
) -> Result<Prepared, Error> {
    may_start(home, None)?;
    let (staged, copied) = match source {
        Some(source) => {
            // The folder that is open, regardless of where its name leads by now.
            // `plugins/` of the home is the admin's own, and its folders are copied like any other.
            if !lies_in(&offered::folder(home), &source.by_handle()) {
                apart(home, &source.by_handle())?;
            }
            let staged = Staged::place(home)?;
            let copied = tree::copy(source, &staged.path)?;
            (Some(staged), Some(copied))
        }
        None => (None, None),
    };
    let tree = staged.as_ref().map(|s| s.path.as_path());
    // Read again from the copy: that is what was digested.
    if let Some(tree) = tree {
        let copy = Folder::open(tree).map_err(|why| Error::NotOpened { path: tree.to_owned(), why })?;
        form = form::read(&copy)?;
    }
    for path in &mut form.read {
        *path = readable(home, path)?;
    }
    let mut pinned = vec![];
    let programs = form.command.iter_mut().chain(form.tools.iter_mut().filter_map(|t| t.command.as_mut()));
    for program in programs {
        *program = placed(home, program, tree, &mut pinned)?;
    }
    for arg in form.args.iter().chain(form.tools.iter().flat_map(|t| &t.args)) {
        let path = Path::new(arg);
        if path.is_absolute() && path.is_file() {
            readable(home, path)?;
            pinned.push(pin::pin(path)?);
        }
    }
    pinned.sort();
    pinned.dedup();
    let argv = form.command.iter().chain(&form.args).cloned().collect();
    let mut facts = Facts {
        name: form.name.clone(),
        version: form.version.clone(),
        kind: form.kind,
        tree_sha256: copied.as_ref().map(|c| c.digest.clone()),
        pinned,
        env: form.env.clone(),
        read: form.read.clone(),
        network: network::with_ports(&form.network),
        url: form.url.clone(),
        headers: form.headers.clone(),
        workspace: form.capabilities.contains(Token::FileRead),
        memory_mb: form.memory_mb,
        listed_sha256: None,
        argv: if form.kind == Kind::McpStdio { argv } else { vec![] },
        calls: BTreeMap::new(),
        schemas: BTreeMap::new(),
    };
    let offer = match form.kind {
        Kind::Exec => tools::of_form(&form)?,
        Kind::McpStdio | Kind::McpHttp => {
            let (digest, offer) = stop::during(home, None, cancel, |cancel| {
                let list = list(home, &facts, tree, cancel)?;
                let offer = tools::of_server(&list.tools, &|schema| arguments::look(schema, cancel))?;
                Ok::<_, Error>((list.digest, offer))
            })?;
            facts.listed_sha256 = Some(digest);
            offer
        }
    };
    if offer.tools.is_empty() {
        let why: Vec<String> = offer.left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        return Err(Error::refused(if why.is_empty() { Fault::ListsNone } else { Fault::NoneOffered(why) }));
    }
    facts.calls = offer.calls;
    facts.schemas = offer.schemas;
    Ok(Prepared {
        facts,
        description: form.description,
        tools: offer.tools,
        notes: offer.notes,
        left_out: offer.left_out,
        files: copied,
        staged,
    })
}

/// Asks a server for its tools, once, and without any host: nobody has agreed to them yet. It is ended then.
fn list(home: &Home, facts: &Facts, tree: Option<&Path>, cancel: &AtomicBool) -> Result<List, Error> {
    let until = Instant::now() + servers::START;
    let facts = &Facts { network: vec![], ..facts.clone() };
    let nowhere = super::jail::WorkFolder::make(home)?;
    let start = servers::Start { home, facts, tree, workspace: Some(nowhere.path()), reach: None, until };
    let listed = servers::with(&start, cancel, |client, cancel| client.tools(until, cancel));
    listed.map_err(|fault| Error::failed(Fault::Server { plugin: facts.name.clone(), fault }))
}

/// The program of a command line as it will be started: within the plugin's files, or pinned at its place.
fn placed(
    home: &Home,
    program: &str,
    tree: Option<&Path>,
    pinned: &mut Vec<PinnedFile>,
) -> Result<String, Error> {
    let path = Path::new(program);
    if path.is_absolute() {
        apart(home, path)?;
        let own = pin::pin(path)?;
        for interpreter in pin::interpreters(&own.path)? {
            pinned.push(pin::pin(&interpreter)?);
        }
        pinned.push(own.clone());
        return Ok(program.to_owned());
    }
    let inner = program.trim_start_matches("{tree}/").trim_start_matches("./");
    let shown = shared_types::text::cut(program, 100);
    let within = Path::new(inner).components().all(|c| matches!(c, std::path::Component::Normal(_)));
    let Some(tree) = tree.filter(|_| within && !inner.is_empty()) else {
        return Err(Error::usage(Fault::Command(shown)));
    };
    let place = tree.join(inner);
    if !place.is_file() {
        return Err(Error::usage(Fault::NoCommand(shown)));
    }
    if !runs(&place) {
        return Err(Error::usage(Fault::NotExecutable(shown)));
    }
    for interpreter in pin::interpreters(&place)? {
        pinned.push(pin::pin(&interpreter)?);
    }
    Ok(format!("{{tree}}/{inner}"))
}

fn runs(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|facts| facts.permissions().mode() & 0o100 != 0)
}

/// What a plugin may be given to read of the machine, every link on the way followed.
pub(super) fn readable(home: &Home, path: &Path) -> Result<PathBuf, Error> {
    let shown = shared_types::text::cut(&path.display().to_string(), 200);
    let wrong = || Error::usage(Fault::Read { path: shown.clone() });
    let real = fs::canonicalize(path).map_err(|_| wrong())?;
    let too_much = real.parent().is_none() || SYSTEM.iter().any(|s| real.starts_with(s));
    if !path.is_absolute() || too_much {
        return Err(wrong());
    }
    apart(home, &real)?;
    Ok(real)
}

/// Whether an opened folder is beneath another.
fn lies_in(folder: &Path, opened: &Path) -> bool {
    let (folder, opened) = (fs::canonicalize(folder), fs::canonicalize(opened));
    folder.is_ok_and(|folder| opened.is_ok_and(|opened| opened != folder && opened.starts_with(folder)))
}

/// Refuses what overlaps with the home: neither a plugin's origin nor anything that it reads is inside it or contains it.
fn apart(home: &Home, path: &Path) -> Result<(), Error> {
    let real = fs::canonicalize(path).map_err(Error::io(path))?;
    for own in [home.root().to_owned(), home.data().unguarded_path()] {
        let Ok(own) = fs::canonicalize(own) else { continue };
        if real.starts_with(&own) || own.starts_with(&real) {
            return Err(Error::refused(Fault::Overlaps { path: real, home: own }));
        }
    }
    Ok(())
}

/// How a tool is called, in words that cannot be misread.
pub fn spelled(way: &Way) -> String {
    match way {
        Way::Argv(argv) => quoted(argv),
        Way::Named(name) => quoted(std::slice::from_ref(name)),
    }
}

/// A command line, each word quoted as JSON unless it is plain: no blank and no sign can hide in it.
pub fn quoted(argv: &[String]) -> String {
    let plain = |word: &String| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+=:@{},".contains(&b))
    };
    let word = |word: &String| {
        if plain(word) {
            word.clone()
        } else {
            shared_types::text::line(&serde_json::json!(word).to_string())
        }
    };
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}
