//! The packages in a root of their own: installed, used, upgraded, removed, purged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Fault;
use crate::plan::{self, Processor};
use crate::programs::{self, Build};
use crate::tool::{self, CARGO_DEB, MMDEBSTRAP, SHLIBDEPS};
use crate::{debian, notices};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The profile of Cargo; `start` builds in a third of the time
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// The folder of programs that are built already
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// Debian's release in the root [default: the system's own]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Say that it is skipped, and succeed, where this machine lacks a tool for it
    #[arg(long)]
    if_possible: bool,
    /// Keep the root afterwards, for a look
    #[arg(long)]
    keep: bool,
}

/// What the root runs.
const SCRIPT: &str = include_str!("../trial.sh");

/// Enters a root so that it is `/` of its own mount namespace: in a chroot the kernel refuses further user namespaces, which
/// no installed system does. Everything mounted goes with the namespace.
const ENTER: &str = r#"
set -eu
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for node in null zero full random urandom tty; do
    : >"$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs tmpfs "$root/tmp"
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 sh /srv/trial.sh
"#;

/// Makes two versions of the packages and the root, and runs the script in it.
pub(crate) fn run(args: &Args) -> Result<(), Fault> {
    match demand_all() {
        Err(why @ (Fault::NoTool(..) | Fault::NotRoot)) if args.if_possible => {
            eprintln!("skipped: packages: {why}");
            return Ok(());
        }
        other => other?,
    }
    let processor = Processor::ALL.into_iter().find(|processor| processor.is_own());
    let processor = processor.expect("the programs build for the processors of the list alone");
    let programs = match &args.programs {
        Some(folder) => std::path::absolute(folder).map_err(Fault::io(folder))?,
        None => programs::build(&Build::plain(&args.profile), processor)?,
    };
    let notices = notices::collect(processor)?;
    let folder = tool::target_dir().join("trial");
    let root = folder.join("root");
    remove(&folder)?;
    let version = plan::debian_version();
    let versions = [("old", format!("{version}~trial")), ("new", version)];
    for (name, version) in &versions {
        let parts = debian::Parts { processor, programs: &programs, notices: &notices, version };
        debian::make(&parts, &folder.join(name))?;
    }
    let mut bootstrap = MMDEBSTRAP.command();
    bootstrap.args(["--variant=minbase", "--mode=root", "--quiet"]);
    bootstrap.arg(args.suite.clone().map_or_else(own_suite, Ok)?).arg(&root).args(sources()?);
    tool::run(&mut bootstrap)?;
    for (name, _) in &versions {
        copy(&folder.join(name), &root.join("srv"))?;
    }
    copy("/etc/resolv.conf".as_ref(), &root.join("etc"))?;
    let script = root.join("srv/trial.sh");
    fs::write(&script, SCRIPT).map_err(Fault::io(&script))?;
    let mut enter = Command::new("unshare");
    enter.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh"]).arg(&root);
    let done = enter.status();
    if !args.keep {
        remove(&folder)?;
    }
    match done.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(Fault::Failed { program: "the trial".into(), line: "packaging/trial.sh".into() }),
    }
}

fn demand_all() -> Result<(), Fault> {
    MMDEBSTRAP.demand()?;
    CARGO_DEB.demand()?;
    SHLIBDEPS.demand()?;
    // The id of the user that runs this, without a library for one number.
    let user = tool::output(Command::new("id").arg("-u"))?;
    if user.trim() == "0" { Ok(()) } else { Err(Fault::NotRoot) }
}

fn copy(from: &Path, to: &Path) -> Result<(), Fault> {
    tool::run(Command::new("cp").args(["-rL"]).arg(from).arg(to))
}

fn remove(folder: &Path) -> Result<(), Fault> {
    match folder.exists() {
        true => fs::remove_dir_all(folder).map_err(Fault::io(folder)),
        false => Ok(()),
    }
}

/// The code name of the system's own release.
fn own_suite() -> Result<String, Fault> {
    let path = Path::new("/etc/os-release");
    let text = fs::read_to_string(path).map_err(Fault::io(path))?;
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(|name| name.trim_matches('"').to_owned()).ok_or(Fault::NoSources)
}

/// The system's own package sources.
fn sources() -> Result<Vec<PathBuf>, Fault> {
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let all = parts.map(|entry| entry.path()).chain(["/etc/apt/sources.list".into()]);
    let is_read = |path: &PathBuf| {
        path.is_file() && path.extension().is_some_and(|end| end == "list" || end == "sources")
    };
    let sources: Vec<PathBuf> = all.filter(is_read).collect();
    if sources.is_empty() { Err(Fault::NoSources) } else { Ok(sources) }
}
