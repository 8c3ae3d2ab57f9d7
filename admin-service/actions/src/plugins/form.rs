//! `plugin.toml`: what a plugin's maker says of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::error::Error;
use beneath::{Folder, NotOpened};
use confine::MOST_LISTENERS;
use ledger::facts::Kind;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use shared_types::capability::TokenSet;
use shared_types::id::{HostName, SkillName, ToolName};
use shared_types::text::{cut, is_unsafe};

use super::credential;

/// The names that the file may have.
pub const FILES: [&str; 2] = ["plugin.toml", "manifest.toml"];
/// The largest file, in bytes.
const MOST: u64 = 256 * 1024;
/// The most tools that a plugin may offer.
pub const MOST_TOOLS: usize = 64;

/// The file, as it is written; [`check`] says what is wrong with it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The name; its tools are called `<name>.<tool>`.
    pub name: SkillName,
    /// The version, as its maker counts.
    pub version: String,
    /// One line about it.
    #[serde(default)]
    pub description: String,
    /// How it is spoken to.
    #[serde(default)]
    pub kind: Kind,
    /// The program: a path within the folder, or an absolute one.
    #[serde(default)]
    pub command: Option<String>,
    /// Its arguments; `{tree}` stands for the folder, `{workspace}` for the profile's workspace.
    #[serde(default)]
    pub args: Vec<String>,
    /// The address of an MCP server.
    #[serde(default)]
    pub url: Option<String>,
    /// The headers that this server gets with each request, by name; `{{secret:NAME}}` in a value stands for a secret that was set for
    /// its host.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What it needs: `file:read` for the workspace; `network:read` or `network:write` for a server elsewhere. `tools`, which every
    /// plugin offers, needs no token.
    #[serde(default, deserialize_with = "capabilities")]
    pub capabilities: TokenSet,
    /// Its environment, beside the few variables that every child gets.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Files and folders of this machine that it reads, beside its own and the system's.
    #[serde(default)]
    pub read: Vec<PathBuf>,
    /// The hosts that its programs reach, by name; the port is 443 where none is named.
    #[serde(default)]
    pub network: Vec<HostName>,
    /// The address space that it may use, in MiB.
    #[serde(default = "default_memory")]
    pub memory_mb: u64,
    /// The tools of an `exec` plugin; an MCP server lists its own.
    #[serde(default)]
    pub tools: Vec<FormTool>,
}

/// A tool of an `exec` plugin.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormTool {
    /// The name within the plugin.
    pub name: ToolName,
    /// One line that the assistant will read.
    #[serde(default)]
    pub description: String,
    /// A program of its own.
    #[serde(default)]
    pub command: Option<String>,
    /// The arguments of that program.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its parameters as JSON Schema; `schema` is the name that others give them.
    #[serde(default, alias = "schema")]
    pub parameters: Option<serde_json::Value>,
    /// Sentences by which a person calls it without a model, by language, as in `en = ["count the words of {text}"]`.
    #[serde(default)]
    pub phrases: BTreeMap<String, Vec<String>>,
}

fn capabilities<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TokenSet, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    let tokens =
        words.iter().filter(|word| *word != "tools").map(|word| word.parse().map_err(D::Error::custom));
    tokens.collect()
}

fn default_memory() -> u64 {
    1024
}

/// Why a folder has no form that can be used.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} holds no plugin.toml (or manifest.toml); docs/guides/write-a-plugin.md shows one", .0.display())]
    Lacks(PathBuf),
    #[error("{} has more than {most} bytes", .path.display())]
    TooLarge { path: PathBuf, most: u64 },
    #[error("{}:\n  {}", .path.display(), .faults.join("\n  "))]
    Faults { path: PathBuf, faults: Vec<String> },
}

/// Reads the file of a plugin's folder.
///
/// # Errors
/// A folder without one, or one with faults: each with its line or key.
pub fn read(folder: &Folder) -> Result<Form, Error> {
    let opened = FILES.iter().map(|name| (name, folder.file(name)));
    let found = opened.into_iter().find(|(_, file)| !matches!(file, Err(NotOpened::Gone)));
    let Some((name, file)) = found else {
        return Err(Error::usage(Fault::Lacks(folder.path().to_owned())));
    };
    let path = folder.path().join(name);
    let text = file.and_then(|file| file.text(MOST)).map_err(|why| match why {
        NotOpened::TooLarge { most } => Error::usage(Fault::TooLarge { path: path.clone(), most }),
        why => Error::NotOpened { path: path.clone(), why },
    })?;
    parse(&text).map_err(|faults| Error::usage(Fault::Faults { path, faults }))
}

/// Reads the text of such a file.
///
/// # Errors
/// Every fault with its line or key.
pub fn parse(text: &str) -> Result<Form, Vec<String>> {
    let mut form: Form =
        toml::from_str(text).map_err(|e| vec![shared_types::text::block(e.to_string().trim_end())])?;
    let named = |description: &mut String, words: String| {
        if description.is_empty() {
            *description = words;
        }
    };
    named(&mut form.description, format!("The plugin {}", form.name));
    for tool in &mut form.tools {
        named(&mut tool.description, format!("The tool {} of the plugin {}", tool.name, form.name));
    }
    check(&form)?;
    Ok(form)
}

/// What is wrong with a form, every fault with its key.
///
/// # Errors
/// The faults.
pub fn check(form: &Form) -> Result<(), Vec<String>> {
    let mut faults = vec![];
    let mut must = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    let version_fits = (1..=32).contains(&form.version.len())
        && form.version.bytes().all(|b| b.is_ascii_alphanumeric() || b".+-_".contains(&b));
    must(
        version_fits,
        format!("version `{}`: 1 to 32 letters, digits, `.`, `+`, `-`, `_`", cut(&form.version, 40)),
    );
    must(one_line(&form.description, 200), "description: one line of 1 to 200 characters".into());
    let known = TokenSet::from_iter(facts_tokens());
    let unknown = form.capabilities.without(&known);
    must(
        unknown.is_empty(),
        format!("capabilities: `{unknown}` cannot be given to a plugin; allowed: {known}"),
    );
    must((64..=65_536).contains(&form.memory_mb), "memory_mb: 64 to 65536".into());
    for (name, value) in &form.env {
        let name_fits = (1..=64).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !name.as_bytes()[0].is_ascii_digit();
        must(name_fits, format!("env `{}`: a name has letters, digits and `_`", cut(name, 40)));
        let reserved = name.starts_with("LD_") || ["PATH", "HOME", "TMPDIR"].contains(&name.as_str());
        must(!reserved, format!("env `{}`: this one is not a plugin's to set", cut(name, 40)));
        let value_fits = value.len() <= 4096 && !value.chars().any(is_unsafe);
        must(value_fits, format!("env `{}`: at most 4096 bytes without control characters", cut(name, 40)));
    }
    for arg in form
        .command
        .iter()
        .chain(&form.args)
        .chain(form.tools.iter().flat_map(|t| t.command.iter().chain(&t.args)))
    {
        let fits = arg.len() <= 4096 && !arg.contains('\0');
        must(fits, "command, args: at most 4096 bytes each".into());
    }
    let count = form.network.len();
    must(count <= MOST_LISTENERS, format!("network: at most {MOST_LISTENERS} hosts, and there are {count}"));
    for host in &form.network {
        must(
            is_name(host),
            format!("network: `{host}` is not a name; an address cannot be given to a plugin"),
        );
    }
    match form.kind {
        Kind::McpHttp => {
            must(
                form.network.is_empty(),
                "network: an mcp-http plugin reaches the host of its url alone".into(),
            );
            must(form.url.is_some(), "url: missing; an mcp-http plugin needs one".into());
            credential::faults(&form.headers).into_iter().for_each(|fault| must(false, fault));
            let bare =
                form.command.is_none() && form.args.is_empty() && form.env.is_empty() && form.read.is_empty();
            must(bare, "command, args, env, read: an mcp-http plugin runs nothing here".into());
            let workspace = form.capabilities.contains(shared_types::capability::Token::FileRead);
            must(!workspace, "capabilities: an mcp-http plugin reads no files".into());
        }
        Kind::Exec | Kind::McpStdio => {
            must(form.url.is_none(), "url: only for `kind = \"mcp-http\"`".into());
            must(form.headers.is_empty(), "headers: only for `kind = \"mcp-http\"`".into());
            let each = form.kind == Kind::Exec
                && !form.tools.is_empty()
                && form.tools.iter().all(|t| t.command.is_some());
            must(form.command.is_some() || each, "command: missing".into());
            let online = form.capabilities.iter().any(|t| t.as_str().starts_with("network:"));
            must(!online, "capabilities: a program of a plugin reaches the hosts that `network` names and gets no other network; a server elsewhere is reached by `kind = \"mcp-http\"`".into());
        }
    }
    match form.kind {
        Kind::Exec => {
            let count = form.tools.len();
            must(
                (1..=MOST_TOOLS).contains(&count),
                format!("tools: 1 to {MOST_TOOLS}, and there are {count}"),
            );
        }
        Kind::McpStdio | Kind::McpHttp => {
            must(form.tools.is_empty(), "tools: an MCP server lists its own".into());
        }
    }
    for tool in &form.tools {
        let again = form.tools.iter().filter(|t| t.name == tool.name).count();
        must(again == 1, format!("tools: `{}` is there {again} times", tool.name));
        must(
            one_line(&tool.description, 200),
            format!("tools.{}: description: one line of 1 to 200 characters", tool.name),
        );
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn facts_tokens() -> [shared_types::capability::Token; 3] {
    use shared_types::capability::Token::{FileRead, NetworkRead, NetworkWrite};
    [FileRead, NetworkRead, NetworkWrite]
}

/// Whether a host has a name: what reads as an address in any spelling is not a name.
fn is_name(host: &HostName) -> bool {
    let last = host.host().rsplit('.').next().unwrap_or_default();
    !last.starts_with(|c: char| c.is_ascii_digit())
}

fn one_line(text: &str, most: usize) -> bool {
    !text.trim().is_empty() && text.chars().count() <= most && !text.chars().any(is_unsafe)
}

#[cfg(test)]
mod tests;
