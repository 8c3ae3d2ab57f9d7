//! Debian's packages for the emulated machine: from the system's own sources, with a package database of their own.
//!
//! The system's `apt` and `dpkg` keep their state: no architecture is added to it and nothing is installed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Packages that others depend on and that this machine does not need: they count as installed.
const STAND_INS: [&str; 14] = [
    "adduser",
    "binutils",
    "debconf",
    "debian-archive-keyring",
    "gcc",
    "gpgv",
    "initramfs-tools",
    "kmod",
    "libc6-dev",
    "libc-dev",
    "libpam0g",
    "linux-base",
    "linux-initramfs-tool",
    "lsb-base",
];

/// The package manager with a state of its own.
#[derive(Debug)]
pub(crate) struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Makes the state in this folder and asks the system's sources what they offer for arm64.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Apt> {
        for name in ["lists/partial", "cache/archives/partial", "sources"] {
            fs::create_dir_all(folder.join(name))?;
        }
        super::sources::write(&folder.join("sources"))?;
        fs::write(folder.join("status"), STAND_INS.map(stand_in).concat())?;
        fs::write(folder.join("apt.conf"), configuration(&folder))?;
        let apt = Apt { folder };
        // A source that does not answer costs its own packages; those that are missing are named below.
        apt.get(&["update"])?;
        Ok(apt)
    }

    /// Whether the sources offer a package.
    pub(crate) fn offers(&self, package: &str) -> bool {
        let shown = self
            .command("apt-cache")
            .args(["show", package])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        shown.is_ok_and(|status| status.success())
    }

    /// Fetches packages with all that they depend on; answers their files.
    pub(crate) fn fetch(&self, packages: &[&str]) -> io::Result<Vec<PathBuf>> {
        let archives = self.folder.join("cache/archives");
        for old in files_of(&archives)? {
            fs::remove_file(old)?;
        }
        let fetched = self.get(&[&["install", "--yes", "--download-only"], packages].concat())?;
        let files = files_of(&archives)?;
        if !fetched || files.is_empty() {
            return Err(io::Error::other(format!(
                "apt-get could not fetch {} for arm64",
                packages.join(", ")
            )));
        }
        Ok(files)
    }

    /// Has packages count as installed: they are not fetched with others that depend on them.
    pub(crate) fn has(&self, packages: &[PathBuf]) -> io::Result<()> {
        fs::write(self.folder.join("status"), status(packages)?)
    }

    fn get(&self, arguments: &[&str]) -> io::Result<bool> {
        let done = self
            .command("apt-get")
            .arg("-qq")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        Ok(done.success())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.arg("-c").arg(self.folder.join("apt.conf")).env("LC_ALL", "C");
        command
    }
}

/// Unpacks a package's files into a folder.
pub(crate) fn unpack(package: &Path, into: &Path) -> io::Result<()> {
    let done = Command::new("dpkg-deb").arg("--extract").arg(package).arg(into).status()?;
    if !done.success() {
        return Err(io::Error::other(format!("dpkg-deb could not unpack {}", package.display())));
    }
    Ok(())
}

/// Writes the database of `dpkg` for packages that were unpacked, so that others can be installed beside them.
pub(crate) fn register(packages: &[PathBuf], tree: &Path) -> io::Result<()> {
    for folder in [
        "lib/dpkg/info",
        "lib/dpkg/updates",
        "lib/apt/lists/partial",
        "cache/apt/archives/partial",
        "log/apt",
    ] {
        fs::create_dir_all(tree.join("var").join(folder))?;
    }
    fs::write(tree.join("var/lib/dpkg/status"), status(packages)?)
}

/// What the database of `dpkg` says of packages that are installed.
fn status(packages: &[PathBuf]) -> io::Result<String> {
    let mut status = STAND_INS.map(stand_in).concat();
    for package in packages {
        let shown = Command::new("dpkg-deb").arg("--field").arg(package).output()?;
        let fields = String::from_utf8_lossy(&shown.stdout);
        status += &fields.replacen('\n', "\nStatus: install ok installed\n", 1);
        status.push('\n');
    }
    Ok(status)
}

fn stand_in(name: &str) -> String {
    format!(
        "Package: {name}\nStatus: install ok installed\nArchitecture: arm64\nMulti-Arch: foreign\nVersion: 99:1\n\
         Maintainer: nobody\nDescription: not needed here\n\n"
    )
}

/// The configuration of `apt` besides the system's own sources and keys.
fn configuration(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "Dir::Etc::sourcelist \"/dev/null\";\nDir::Etc::sourceparts \"{folder}/sources\";\n\
         APT::Architecture \"arm64\";\n#clear APT::Architectures;\nAPT::Architectures \"arm64\";\n\
         APT::Install-Recommends \"false\";\nAPT::Sandbox::User \"\";\nAcquire::Languages \"none\";\n\
         Acquire::Retries \"3\";\nAcquire::http::Timeout \"30\";\nDebug::NoLocking \"true\";\n\
         Dir::State \"{folder}\";\nDir::State::lists \"{folder}/lists\";\nDir::State::status \"{folder}/status\";\n\
         Dir::Cache \"{folder}/cache\";\nDir::Cache::archives \"{folder}/cache/archives\";\n\
         #clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n#clear DPkg::Post-Invoke;\n"
    )
}

fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
