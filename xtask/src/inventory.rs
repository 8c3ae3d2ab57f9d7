//! Every test of the workspace by its full name, read from the source.
//!
//! A name is `PROGRAM::module::test`. The program is the crate with `_` for `-`, for its unit tests, or a test program:
//! `attacks` of the package `tameclaw-tests`, and `crate::program` of any other.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::Value;

/// The package whose test programs are named without it.
const WHOLE_PROGRAM_TESTS: &str = "tameclaw-tests";

/// All tests, by full name.
#[derive(Debug)]
pub struct Inventory(BTreeMap<String, Test>);

/// How one test is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The cargo package.
    pub package: String,
    /// The program within it, as arguments of `cargo test`.
    pub program: Vec<String>,
    /// The name within the program, as the test runner knows it.
    pub path: String,
    /// The file that holds it, from the root of the workspace.
    pub file: PathBuf,
}

/// A root file whose modules may hold tests.
struct Program {
    prefix: String,
    package: String,
    arguments: Vec<String>,
    root: PathBuf,
}

impl Inventory {
    /// Reads every member of the workspace at `root`.
    pub fn read(root: &Path) -> io::Result<Inventory> {
        let mut tests = BTreeMap::new();
        for program in programs(root)? {
            let mut walk = Walk { root, program: &program, tests: &mut tests };
            walk.file(&program.root, folder_of(&program.root), &mut Vec::new())?;
        }
        Ok(Inventory(tests))
    }

    /// The test of exactly this name.
    pub fn find(&self, name: &str) -> Option<&Test> {
        self.0.get(name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// The programs of all members.
fn programs(root: &Path) -> io::Result<Vec<Program>> {
    let workspace = read_toml(&root.join("Cargo.toml"))?;
    let members = workspace["workspace"]["members"].as_array().cloned().unwrap_or_default();
    let mut programs = Vec::new();
    for member in members.iter().filter_map(Value::as_str) {
        programs.extend(programs_of(&root.join(member))?);
    }
    Ok(programs)
}

fn programs_of(folder: &Path) -> io::Result<Vec<Program>> {
    let manifest = read_toml(&folder.join("Cargo.toml"))?;
    let package = manifest["package"]["name"].as_str().unwrap_or_default().to_owned();
    let name = package.replace('-', "_");
    let mut programs = Vec::new();
    let mut add = |prefix: String, arguments: &[&str], root: PathBuf| {
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        programs.push(Program { prefix, package: package.clone(), arguments, root });
    };
    let path_of = |table: &Value| Some(folder.join(table.get("path")?.as_str()?));
    let library = manifest.get("lib").and_then(path_of).unwrap_or_else(|| folder.join("src/lib.rs"));
    if library.is_file() {
        add(name.clone(), &["--lib"], library);
    }
    for (program, path) in tables(&manifest, "bin") {
        add(name.clone(), &["--bin", program], folder.join(path));
    }
    let main = folder.join("src/main.rs");
    if manifest.get("bin").is_none() && main.is_file() {
        add(name.clone(), &["--bin", &package], main);
    }
    let declared = tables(&manifest, "test");
    for (program, path) in &declared {
        add(prefix_of(&package, &name, program), &["--test", program], folder.join(path));
    }
    let found = fs::read_dir(folder.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in found.filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let program = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if declared.iter().all(|(_, named)| folder.join(named) != path) {
            add(prefix_of(&package, &name, &program), &["--test", &program], path);
        }
    }
    Ok(programs)
}

fn prefix_of(package: &str, name: &str, program: &str) -> String {
    if package == WHOLE_PROGRAM_TESTS { program.to_owned() } else { format!("{name}::{program}") }
}

/// Name and path of each `[[kind]]` of a manifest.
fn tables<'a>(manifest: &'a Value, kind: &str) -> Vec<(&'a str, &'a str)> {
    let tables = manifest.get(kind).and_then(Value::as_array).into_iter().flatten();
    tables.filter_map(|table| Some((table.get("name")?.as_str()?, table.get("path")?.as_str()?))).collect()
}

fn read_toml(path: &Path) -> io::Result<Value> {
    let text = fs::read_to_string(path).map_err(|error| at(path, error))?;
    toml::from_str(&text).map_err(|error| at(path, io::Error::other(error)))
}

fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// One walk over the modules of a program.
struct Walk<'a> {
    root: &'a Path,
    program: &'a Program,
    tests: &'a mut BTreeMap<String, Test>,
}

impl Walk<'_> {
    /// Reads a file whose submodules are in `folder`.
    fn file(&mut self, path: &Path, folder: PathBuf, modules: &mut Vec<String>) -> io::Result<()> {
        let text = fs::read_to_string(path).map_err(|error| at(path, error))?;
        let depth = modules.len();
        // Inline modules that are open, with the indentation at which each ends.
        let mut inline: Vec<String> = Vec::new();
        let (mut is_test, mut elsewhere) = (false, None);
        for line in text.lines() {
            let code = line.trim_start();
            let indent = &line[..line.len() - code.len()];
            if let Some(named) = code.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
                elsewhere = Some(named.to_owned());
            } else if code == "#[test]" {
                is_test = true;
            } else if let Some(name) = declared(code, "mod", ';') {
                modules.push(name.to_owned());
                self.module(path, &folder, name, elsewhere.take().as_deref(), modules, depth)?;
                modules.pop();
            } else if let Some(name) = declared(code, "mod", '{').filter(|_| !code.ends_with('}')) {
                inline.push(indent.to_owned());
                modules.push(name.to_owned());
            } else if inline.last().is_some_and(|opened| line.strip_prefix(opened.as_str()) == Some("}")) {
                inline.pop();
                modules.pop();
            } else if let Some(name) = declared(code, "fn", '(')
                && is_test
            {
                self.add(path, modules, name);
                is_test = false;
            }
        }
        modules.truncate(depth);
        Ok(())
    }

    /// Finds the file of `mod name;`; a module that this platform or feature lacks is left out.
    fn module(
        &mut self,
        file: &Path,
        folder: &Path,
        name: &str,
        elsewhere: Option<&str>,
        modules: &mut Vec<String>,
        depth: usize,
    ) -> io::Result<()> {
        if let Some(elsewhere) = elsewhere {
            let path = folder_of(file).join(elsewhere);
            let below = folder_of(&path);
            return if path.is_file() { self.file(&path, below, modules) } else { Ok(()) };
        }
        let mut folder = folder.to_owned();
        folder.extend(&modules[depth..modules.len() - 1]);
        let below = folder.join(name);
        for path in [folder.join(format!("{name}.rs")), below.join("mod.rs")] {
            if path.is_file() {
                return self.file(&path, below, modules);
            }
        }
        Ok(())
    }

    fn add(&mut self, file: &Path, modules: &[String], name: &str) {
        let path = modules.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::");
        let file = file.strip_prefix(self.root).unwrap_or(file).to_owned();
        let test = Test {
            package: self.program.package.clone(),
            program: self.program.arguments.clone(),
            path,
            file,
        };
        self.tests.insert(format!("{}::{}", self.program.prefix, test.path), test);
    }
}

/// The name in `pub(crate) keyword NAME` followed by `end`.
fn declared<'a>(code: &'a str, keyword: &str, end: char) -> Option<&'a str> {
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => code,
    };
    let rest = code.strip_prefix(keyword)?.strip_prefix(' ')?;
    let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_')?];
    (!name.is_empty() && rest[name.len()..].trim_start().starts_with(end)).then_some(name)
}

#[cfg(test)]
mod tests;
