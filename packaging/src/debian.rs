//! Debian packages, by cargo-deb.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Fault;
use crate::notices;
use crate::plan::{self, PACKAGES, Package, Processor};
use crate::programs::{self, Build};
use crate::stage::{self, Files};
use crate::tool::{self, CARGO_DEB, LINTIAN, SHLIBDEPS};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The processor; may be given twice [default: both]
    #[arg(long, value_name = "NAME")]
    architecture: Vec<Processor>,
    /// Where the packages go [default: target/dist/packages]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The profile of Cargo; `start` builds in a third of the time, for a trial
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// The folder of programs that are built already, for one processor
    #[arg(long, value_name = "FOLDER", requires = "architecture")]
    programs: Option<PathBuf>,
}

/// Builds the packages, and looks at them with lintian where it is installed.
pub(crate) fn run(args: &Args) -> Result<(), Fault> {
    let processors = match args.architecture.is_empty() {
        true => Processor::ALL.to_vec(),
        false => args.architecture.clone(),
    };
    let out = args.out.clone().unwrap_or_else(|| tool::target_dir().join("packages"));
    let out = std::path::absolute(&out).map_err(Fault::io(&out))?;
    let build = Build::plain(&args.profile);
    let mut made = Vec::new();
    for processor in processors {
        let programs = match &args.programs {
            Some(folder) => std::path::absolute(folder).map_err(Fault::io(folder))?,
            None => programs::build(&build, processor)?,
        };
        let (notices, version) = (notices::collect(processor)?, plan::debian_version());
        let parts = Parts { processor, programs: &programs, notices: &notices, version: &version };
        made.extend(make(&parts, &out)?);
    }
    for path in &made {
        println!("{}", path.display());
    }
    lint(&made)
}

/// What packages are made of.
pub(crate) struct Parts<'a> {
    pub(crate) processor: Processor,
    /// The folder of the programs.
    pub(crate) programs: &'a Path,
    /// The licences of what is linked into them.
    pub(crate) notices: &'a str,
    /// Debian's version.
    pub(crate) version: &'a str,
}

/// Makes the packages of programs that are built; answers their files.
pub(crate) fn make(parts: &Parts<'_>, out: &Path) -> Result<Vec<PathBuf>, Fault> {
    CARGO_DEB.demand()?;
    SHLIBDEPS.demand()?;
    fs::create_dir_all(out).map_err(Fault::io(out))?;
    PACKAGES.iter().map(|package| make_one(package, parts, out)).collect()
}

fn make_one(package: &Package, parts: &Parts<'_>, out: &Path) -> Result<PathBuf, Fault> {
    let &Parts { processor, programs, notices, version } = parts;
    let folder = tool::target_dir().join("stage").join(format!("{}-{processor}", package.name));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Fault::io(&folder))?;
    }
    let files = stage::files(package, programs, notices)?;
    stage::write(&files, &folder.join("root"))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Fault::io(&path))
    };
    write("changelog", &stage::changelog(package, version, tool::moment()?))?;
    write("Cargo.toml", &manifest(package, version, &files)?)?;
    fs::create_dir_all(folder.join("src")).map_err(Fault::io(&folder))?;
    write("src/lib.rs", "")?;
    let path = out.join(format!("{}_{version}_{processor}.deb", package.name));
    let mut command = CARGO_DEB.command();
    command.args(["--no-build", "--no-strip", "--no-dbgsym", "--quiet", "--target", processor.target()]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml")).arg("--output").arg(&path);
    command.args(["--deb-version", version]);
    command.env("SOURCE_DATE_EPOCH", tool::moment()?.as_second().to_string());
    // Cargo reads the staged manifest, which has no dependency: no registry is asked.
    command.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_NET_OFFLINE", "true");
    // It prints the path, which the callers do as well.
    tool::run(command.stdout(std::process::Stdio::null()))?;
    Ok(path)
}

/// The manifest of a crate that exists for cargo-deb alone: what `package.toml` says, with version and files.
pub(crate) fn manifest(package: &Package, version: &str, files: &Files) -> Result<String, Fault> {
    let own = tool::root().join("packaging/debian").join(package.name);
    let path = own.join("package.toml");
    let text = fs::read_to_string(&path).map_err(Fault::io(&path))?;
    let mut text = text.replace("@DEBIAN_VERSION@", version);
    for (name, value) in [
        ("@VERSION@", plan::VERSION),
        ("@LICENSE@", env!("CARGO_PKG_LICENSE")),
        ("@PAGE@", env!("CARGO_PKG_REPOSITORY")),
    ] {
        text = text.replace(name, value);
    }
    // What follows belongs to the last table of the file.
    let quoted = |word: &str| Value::from(word).to_string();
    text += &format!("maintainer = {}\nchangelog = \"changelog\"\n", quoted(stage::MAINTAINER));
    if own.join("postinst").exists() {
        text += &format!("maintainer-scripts = {}\n", quoted(&own.display().to_string()));
    }
    text += "assets = [\n";
    for (place, entry) in files {
        let place = place.display().to_string();
        let from = format!("root/{place}");
        text += &format!("    [{}, {}, \"{:o}\"],\n", quoted(&from), quoted(&place), entry.mode);
    }
    Ok(text + "]\n\n[workspace]\n")
}

/// Looks for faults; each that is argued away stands in `packaging/debian/lintian.txt`.
pub(crate) fn lint(packages: &[PathBuf]) -> Result<(), Fault> {
    if !LINTIAN.is_there() {
        eprintln!("skipped: lintian is not installed: apt-get install --no-install-recommends lintian");
        return Ok(());
    }
    let argued = tool::root().join("packaging/debian/lintian.txt");
    let mut lintian = LINTIAN.command();
    lintian.args(["--allow-root", "--fail-on", "error,warning", "--suppress-tags-from-file"]);
    lintian.arg(argued).args(packages);
    tool::run(&mut lintian).map_err(|_| Fault::Lintian)
}
