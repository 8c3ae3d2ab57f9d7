//! The files of each package, laid out as they are installed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Fault;
use crate::pages;
use crate::plan::{self, Package};
use crate::tool::root;

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mode: u32,
    pub(crate) content: Content,
}

/// Where its bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Copy(PathBuf),
    Bytes(Vec<u8>),
    /// Compressed with gzip, without a time in it.
    Zipped(Vec<u8>),
}

/// All files of a package by their places below `/`.
pub(crate) type Files = BTreeMap<PathBuf, Entry>;

const PROGRAM: u32 = 0o755;
const DATA: u32 = 0o644;

/// What a package holds; `programs` is the folder of the executables.
pub(crate) fn files(package: &Package, programs: &Path, notices: &str) -> Result<Files, Fault> {
    let mut files = Files::new();
    for (from, to) in package.files {
        files.insert(to.into(), Entry { mode: DATA, content: Content::Copy(root().join(from)) });
    }
    let doc = Path::new("usr/share/doc").join(package.name);
    let changes = root().join("CHANGELOG.md");
    let text = fs::read(&changes).map_err(Fault::io(&changes))?;
    add(&mut files, doc.join("changelog.gz"), Content::Zipped(text));
    add(&mut files, doc.join("copyright"), Content::Bytes(copyright()?.into_bytes()));
    for program in package.programs {
        let path = programs.join(program);
        files.insert(
            Path::new("usr/bin").join(program),
            Entry { mode: PROGRAM, content: Content::Copy(path) },
        );
        add_pages(&mut files, program);
    }
    match package.programs.is_empty() {
        true => add_documents(&mut files, &doc)?,
        false => add(&mut files, doc.join("THIRD-PARTY.gz"), Content::Zipped(notices.as_bytes().to_vec())),
    }
    let is_of = |name: &str, begins: &[&str]| begins.iter().any(|begin| name.starts_with(begin));
    if package.programs.contains(&"cl-admin") {
        add_units(&mut files, |name| !is_of(name, &plan::DRIVER_UNITS))?;
        add_skills(&mut files)?;
    }
    add_units(&mut files, |name| is_of(name, package.units))?;
    Ok(files)
}

fn add(files: &mut Files, place: PathBuf, content: Content) {
    files.insert(place, Entry { mode: DATA, content });
}

fn add_pages(files: &mut Files, program: &str) {
    for line in pages::command_lines().iter().filter(|line| line.get_name() == program) {
        for (name, text) in pages::manual(line) {
            let place = Path::new("usr/share/man/man1").join(name + ".gz");
            add(files, place, Content::Zipped(text));
        }
        for (place, script) in pages::completions(line) {
            add(files, place, Content::Bytes(script));
        }
    }
}

/// The units whose names a package takes. Those of the bot and of its door go with `cl-admin` too: it starts the bot, and without it
/// there is no home. If they do not exist, the package has none. Other files there are for `cl-admin service install`.
fn add_units(files: &mut Files, takes: impl Fn(&str) -> bool) -> Result<(), Fault> {
    for (from, to) in [("packaging/systemd", "system"), ("packaging/systemd/user", "user")] {
        for path in listed(&root().join(from))? {
            let is_unit = path.extension().is_some_and(|end| end == "service" || end == "socket");
            let name = path.file_name().filter(|name| is_unit && takes(&name.to_string_lossy()));
            if let Some(name) = name {
                let place = Path::new("usr/lib/systemd").join(to).join(name);
                add(files, place, Content::Copy(path.clone()));
            }
        }
    }
    Ok(())
}

/// The skill library, where `cl-admin` looks for it beside `usr/bin`.
fn add_skills(files: &mut Files) -> Result<(), Fault> {
    let library = root().join("admin-service/skill-library");
    for path in listed(&library)? {
        let inside = if path.is_dir() { listed(&path)? } else { vec![path] };
        for path in inside {
            let below = path.strip_prefix(&library).expect("a listed file is below its folder");
            add(
                files,
                Path::new("usr/share/tameclaw/skill-library").join(below),
                Content::Copy(path.clone()),
            );
        }
    }
    Ok(())
}

fn add_documents(files: &mut Files, doc: &Path) -> Result<(), Fault> {
    for (folder, below) in [("docs", "docs"), ("docs/guides", "docs/guides")] {
        for path in listed(&root().join(folder))? {
            let name = path.file_name().expect("a listed file has a name");
            // The order of the pages is for the site alone.
            if path.extension().is_some_and(|end| end == "md") && name != "SUMMARY.md" {
                add(files, doc.join(below).join(name), Content::Copy(path.clone()));
            }
        }
    }
    Ok(())
}

/// The entries of a folder in order; none where there is no folder.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    if !folder.is_dir() {
        return Ok(vec![]);
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(Fault::io(folder))? {
        paths.push(entry.map_err(Fault::io(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The licences of the project in Debian's form; a Debian system has the Apache licence in a file of its own.
fn copyright() -> Result<String, Fault> {
    let path = root().join("LICENSE-MIT");
    let licence = fs::read_to_string(&path).map_err(Fault::io(&path))?;
    let owner = licence.lines().find(|line| line.starts_with("Copyright")).unwrap_or_default();
    let body = licence.lines().skip_while(|line| !line.starts_with("Permission"));
    let body: String =
        body.map(|line| if line.is_empty() { " .\n".into() } else { format!(" {line}\n") }).collect();
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: TameClaw\nSource: {source}\nComment:\n The licences of the libraries that are linked into the \
         programs are in\n THIRD-PARTY.gz in this folder.\n\n\
         Files: *\nCopyright: {owner}\nLicense: Expat or Apache-2.0\n\n\
         License: Expat\n{body}\n\
         License: Apache-2.0\n On Debian systems, the text of the Apache License 2.0 is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
        source = env!("CARGO_PKG_REPOSITORY"),
        owner = owner.trim_start_matches("Copyright (c) "),
    ))
}

/// Lays the files out below a folder.
pub(crate) fn write(files: &Files, folder: &Path) -> Result<(), Fault> {
    for (place, Entry { mode, content }) in files {
        let path = folder.join(place);
        let above = path.parent().expect("it is in a folder");
        fs::create_dir_all(above).map_err(Fault::io(above))?;
        match content {
            Content::Copy(from) => {
                fs::copy(from, &path).map_err(Fault::io(from))?;
            }
            Content::Bytes(bytes) => fs::write(&path, bytes).map_err(Fault::io(&path))?,
            Content::Zipped(bytes) => fs::write(&path, zipped(bytes)?).map_err(Fault::io(&path))?,
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).map_err(Fault::io(&path))?;
    }
    Ok(())
}

/// Compresses as Debian asks for: as small as gzip can, without name and time.
fn zipped(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let failed = |_| Fault::NoTool("gzip", "apt-get install gzip");
    let mut gzip = Command::new("gzip");
    gzip.args(["-9", "--no-name", "--stdout"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = gzip.spawn().map_err(failed)?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &bytes));
    let output = child.wait_with_output().map_err(failed)?;
    let written = writer.join().is_ok_and(|written| written.is_ok());
    match output.status.success() && written {
        true => Ok(output.stdout),
        false => Err(Fault::Failed { program: "gzip".into(), line: "gzip -9".into() }),
    }
}

/// The entry of Debian's changelog for this version.
pub(crate) fn changelog(package: &Package, version: &str, moment: jiff::Timestamp) -> String {
    let date = moment.strftime("%a, %d %b %Y %H:%M:%S +0000");
    format!(
        "{} ({version}) unstable; urgency=medium\n\n  * Release {}. What changed for users is in changelog.gz.\n\n \
         -- {MAINTAINER}  {date}\n",
        package.name,
        plan::VERSION,
    )
}

/// Who answers for the packages.
pub(crate) const MAINTAINER: &str = "The TameClaw project <tameclaw@users.noreply.github.com>";
