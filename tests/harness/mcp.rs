//! Plugins of the tests' own: a server in Python that can be made to misbehave, and what a person does to install one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::eventually;
use crate::run::{Background, Ran};
use crate::world::{PATIENCE, Program, World};

/// The interpreter of the server; a test without it says that it was skipped.
pub const PYTHON: &str = "/usr/bin/python3";

/// Lets a client that speaks HTTP talk with a server on standard input and output.
const BRIDGE: &str = include_str!("mcp/bridge.py");

/// The server's source; its first argument is how it behaves.
const SERVER: &str = include_str!("mcp/server.py");

/// Whether the server cannot run here; says so.
pub fn python_is_missing() -> bool {
    let missing = !Path::new(PYTHON).exists();
    if missing {
        crate::skip("there is no /usr/bin/python3");
    }
    missing
}

/// The folder of a plugin around the server, called after its way to behave; `more` is added to its plugin.toml.
pub fn server(world: &World, way: &str, args: &[&str], more: &str) -> PathBuf {
    let folder = world.outside().join("plugins").join(way);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("server.py"), SERVER).expect("the server");
    let args: Vec<String> = ["{tree}/server.py", way].iter().chain(args).map(|a| format!("{a:?}")).collect();
    let text = format!(
        "name = {way:?}\nversion = \"1\"\ndescription = \"A server of a test\"\nkind = \"mcp-stdio\"\n\
         command = {PYTHON:?}\nargs = [{}]\n{more}\n",
        args.join(", ")
    );
    fs::write(folder.join("plugin.toml"), text).expect("the form");
    folder
}

/// Starts a bridge before `cl-bot mcp`, which hides what stands before the tools' names; answers it and its address.
#[track_caller]
pub fn bridged(world: &World, prefix: &str) -> (Background, String) {
    let script = world.outside().join("bridge.py");
    fs::write(&script, BRIDGE).expect("the bridge");
    let bot = Program::Bot.path();
    let words = [script.as_path(), Path::new(prefix), &bot, Path::new("mcp")];
    let words: Vec<&str> = words.iter().map(|word| word.to_str().expect("UTF-8")).collect();
    let running = Background::start(world.command_of(Path::new(PYTHON), &words));
    let port = eventually(PATIENCE, "the bridge says its port", || {
        running.stdout.text().split_once('\n').map(|(port, _)| port.to_owned())
    });
    (running, format!("http://127.0.0.1:{port}/mcp"))
}

/// The digest that the page for a person ends with.
#[track_caller]
pub fn digest(page: &Ran) -> String {
    let last = page.stdout.lines().last().unwrap_or_default();
    let digest = last.rsplit(' ').next().unwrap_or_default();
    assert!(digest.len() == 64, "the page has no digest\n{}", page.report());
    digest.to_owned()
}

/// Looks at a plugin and installs it, as a script would; answers the page.
#[track_caller]
pub fn install(world: &World, arguments: &[&str]) -> Ran {
    let asked = [&["plugin", "install"], arguments].concat();
    let page = world.admin(&asked).exited(3);
    let digest = digest(&page);
    world.admin(&[&asked[..], &["--yes", "--digest", &digest]].concat()).done();
    page
}

/// Calls a tool of an installed plugin by hand, once for each of the arguments.
pub fn call(world: &World, plugin: &str, tool: &str, args: &[&str]) -> Ran {
    let mut words = vec!["plugin", "try", plugin, tool, "--timeout", "5"];
    for text in args {
        words.extend(["--json", text]);
    }
    world.admin(&words)
}

/// The processes whose command line holds a word.
pub fn processes(word: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let holds = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word)
    };
    entries.filter_map(number).filter(|pid| *pid != std::process::id()).filter(holds).collect()
}
