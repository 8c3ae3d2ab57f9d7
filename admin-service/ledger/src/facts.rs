//! All that a person decides on when a plugin is installed, and its digest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use compose::graph::Node;
use serde::{Deserialize, Serialize};
use shared_types::capability::{Token, TokenSet};
use shared_types::id::{Digest, HostName, SkillName, ToolName};
use shared_types::plugin::Plugin;

/// What runs, with which arguments, and what it can reach. The journal keeps it; the bot knows its digest alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The plugin.
    pub name: SkillName,
    pub version: String,
    /// How it is spoken to.
    pub kind: Kind,
    /// SHA-256 of its files; none for what has no files of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_sha256: Option<Digest>,
    /// Files of the machine that it runs or is started with, each with its digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<PinnedFile>,
    /// Its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Files and folders of the machine that it reads besides; what they hold is not pinned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<PathBuf>,
    /// The hosts that a program of it may reach, each with its port, in order and none twice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<HostName>,
    /// The address of a server elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The headers that this server gets with each request; a secret stands as `{{secret:NAME}}`, never as its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Whether it reads the workspace of the profile that calls it.
    pub workspace: bool,
    /// Its address space, in MiB.
    pub memory_mb: u64,
    /// SHA-256 of the tools that an MCP server listed, those that are left out too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed_sha256: Option<Digest>,
    /// The program of an MCP server with its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// How each tool is called.
    pub calls: BTreeMap<ToolName, Way>,
    /// The schema of each tool of an MCP server as it lists it: JSON as text, so that no reading changes a digit.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub schemas: BTreeMap<ToolName, String>,
}

/// How a plugin is spoken to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A program that reads one JSON object and answers one, started anew for each call.
    #[default]
    Exec,
    /// An MCP server on the pipes of a process of ours.
    McpStdio,
    /// An MCP server elsewhere, over streamable HTTP.
    McpHttp,
}

impl Kind {
    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Exec => "exec",
            Kind::McpStdio => "mcp-stdio",
            Kind::McpHttp => "mcp-http",
        }
    }
}

/// A file of the machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedFile {
    /// Its path, as it is named; if that is a link, its target is pinned.
    pub path: PathBuf,
    /// SHA-256 of it.
    pub sha256: Digest,
}

/// How one tool is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// A program is started with these arguments.
    Argv(Vec<String>),
    /// The server knows it by this name.
    Named(String),
}

/// An installed plugin: what the bot learns of it, and what runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Installed {
    /// The manifest's entry.
    pub plugin: Plugin,
    /// What runs.
    pub facts: Facts,
}

impl Facts {
    /// SHA-256 of all of it, as canonical JSON.
    pub fn digest(&self) -> Digest {
        let text = serde_json_canonicalizer::to_string(self).expect("facts have text keys and whole numbers");
        Digest::of(text.as_bytes())
    }

    /// Whether anything leaves this machine by it.
    pub fn is_online(&self) -> bool {
        self.kind == Kind::McpHttp || !self.network.is_empty()
    }

    /// What it can reach, as tokens.
    pub fn tokens(&self) -> TokenSet {
        let workspace = self.workspace.then_some(Token::FileRead);
        let online = self.is_online().then_some([Token::NetworkRead, Token::NetworkWrite]);
        workspace.into_iter().chain(online.into_iter().flatten()).collect()
    }

    /// A plugin as a node: nothing is handed to it by events, and it sends none.
    pub fn node(&self) -> Node {
        Node {
            name: self.name.to_string(),
            version: None,
            tokens: self.tokens(),
            profile_memory: false,
            profile_files: true,
            emits: vec![],
            handles: vec![],
        }
    }
}
