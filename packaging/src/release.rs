//! All that a release has, from a clean clone.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::error::Fault;
use crate::plan::{self, Processor};
use crate::programs::{self, Build};
use crate::tool::{self, GIT};
use crate::{archive, debian, notices, sbom, sign};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the release goes [default: target/dist/release-VERSION]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The minisign key that signs; no other user may read it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The file (mode 0600) that holds the key's passphrase
    #[arg(long, value_name = "FILE", requires = "key")]
    passphrase_file: Option<PathBuf>,
    /// The serial of the index, higher than that of every index before
    #[arg(long, value_name = "N")]
    serial: Option<u64>,
    /// The public half of the key that will sign, compiled into the programs [default: that of --key]
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
    /// The address at which the index will be; the programs ask there by default
    #[arg(long, value_name = "URL")]
    index_url: Option<String>,
    /// A part that is not asked for; may be given several times
    #[arg(long, value_name = "PART")]
    without: Vec<Part>,
    /// The profile of Cargo; another one than `release` is for a trial
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
}

/// A part of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Programs for 64-bit PCs and servers
    Amd64,
    /// Programs for 64-bit ARM
    Arm64,
    /// The list of dependencies within each program, for `cargo audit bin`
    Auditable,
    /// An archive for each processor
    Archive,
    /// The Debian packages
    Packages,
    /// The list of all libraries, in CycloneDX' format
    Sbom,
    /// The signature over the checksums
    Signature,
    /// The signed index for `cl-admin update --check`
    Index,
    /// The proof that `cargo xtask check --all` held for this commit
    Check,
}

/// What was made so far, and what could not be made.
#[derive(Debug, Default)]
struct Made {
    files: Vec<PathBuf>,
    missing: Vec<(String, Fault)>,
}

impl Made {
    fn add(&mut self, part: &str, made: Result<Vec<PathBuf>, Fault>) {
        match made {
            Ok(files) => self.files.extend(files),
            Err(fault) => self.missing.push((part.to_owned(), fault)),
        }
    }
}

/// Makes a release of what the commit holds.
pub(crate) fn run(args: &Args) -> Result<(), Fault> {
    check_clean()?;
    if !args.without.contains(&Part::Check) {
        let commit = tool::output(GIT.command().args(["rev-parse", "HEAD"]))?;
        check_checked(&tool::checked_file(), commit.trim())?;
    }
    make(args)
}

/// Refuses a commit for which `cargo xtask check --all` did not hold in this clone.
pub(crate) fn check_checked(file: &Path, commit: &str) -> Result<(), Fault> {
    match fs::read_to_string(file) {
        Ok(checked) if checked.trim() == commit => Ok(()),
        _ => Err(Fault::NotChecked(commit.to_owned())),
    }
}

/// Makes every part that is asked for, the others too after one has failed; then says what is there and what is not.
pub(crate) fn make(args: &Args) -> Result<(), Fault> {
    let out =
        args.out.clone().unwrap_or_else(|| tool::target_dir().join(format!("release-{}", plan::VERSION)));
    let out = std::path::absolute(&out).map_err(Fault::io(&out))?;
    fs::create_dir_all(&out).map_err(Fault::io(&out))?;
    if fs::read_dir(&out).map_err(Fault::io(&out))?.next().is_some() {
        return Err(Fault::NotEmpty(out));
    }
    let asked = |part: Part| !args.without.contains(&part);
    let signer = sign::signer(args.key.as_deref(), args.passphrase_file.as_deref());
    let mut made = Made::default();
    let public = match (&args.public_key, &signer) {
        (Some(key), _) => {
            shared_types::signature::check_key(key)
                .map_err(|why| Fault::content("--public-key".as_ref(), why))?;
            Some(key.clone())
        }
        (None, Ok(signer)) => Some(signer.public_key()?),
        (None, Err(_)) => None,
    };
    for processor in Processor::ALL {
        let part = if processor == Processor::Amd64 { Part::Amd64 } else { Part::Arm64 };
        if asked(part) {
            of_processor(args, processor, public.clone(), &out, &mut made);
        }
    }
    made.files.sort();
    let sums = sign::sums(&made.files, &out)?;
    match signer {
        Ok(signer) => {
            if asked(Part::Signature) {
                made.add("signature", sign::sign(&signer, &sums).map(|file| vec![file]));
            }
            if asked(Part::Index) {
                let files = [made.files.clone(), vec![sums]].concat();
                let index = args.serial.ok_or(Fault::NoSerial).and_then(|serial| {
                    let index = sign::index(&files, serial, &out)?;
                    Ok(vec![sign::sign(&signer, &index)?])
                });
                made.add("index", index);
            }
        }
        Err(fault) if asked(Part::Signature) || asked(Part::Index) => {
            made.missing.push(("signature and index".into(), fault));
        }
        Err(_) => {}
    }
    report(&out, &made)
}

/// What one processor has.
fn of_processor(args: &Args, processor: Processor, key: Option<String>, out: &Path, made: &mut Made) {
    let asked = |part: Part| !args.without.contains(&part);
    let mut build = Build {
        profile: args.profile.clone(),
        auditable: asked(Part::Auditable),
        key,
        index: args.index_url.clone(),
    };
    if asked(Part::Sbom) {
        made.add(&format!("SBOM for {processor}"), sbom::make(processor, out));
    }
    if build.auditable
        && let Err(fault) = tool::AUDITABLE.demand()
    {
        made.missing.push((format!("auditable programs for {processor}"), fault));
        build.auditable = false;
    }
    let programs =
        programs::build(&build, processor).and_then(|programs| Ok((programs, notices::collect(processor)?)));
    match programs {
        Ok((programs, notices)) => {
            if asked(Part::Archive) {
                let archive = archive::make(processor, &programs, &notices, out);
                made.add(&format!("archive for {processor}"), archive.map(|file| vec![file]));
            }
            if asked(Part::Packages) {
                let version = plan::debian_version();
                let parts =
                    debian::Parts { processor, programs: &programs, notices: &notices, version: &version };
                let packages = debian::make(&parts, out);
                if let Ok(packages) = &packages
                    && let Err(fault) = debian::lint(packages)
                {
                    made.missing.push((format!("packages for {processor} without a fault"), fault));
                }
                made.add(&format!("packages for {processor}"), packages);
            }
        }
        Err(fault) => made.missing.push((format!("programs for {processor}"), fault)),
    }
}

fn report(out: &Path, made: &Made) -> Result<(), Fault> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out).map_err(Fault::io(out))?.flatten() {
        let bytes = entry.metadata().map_err(Fault::io(out))?.len();
        names.push((entry.file_name().to_string_lossy().into_owned(), bytes));
    }
    names.sort();
    println!("TameClaw {} in {}:", plan::VERSION, out.display());
    for (name, bytes) in names {
        println!("  {bytes:>10}  {name}");
    }
    if made.missing.is_empty() {
        return Ok(());
    }
    for (part, fault) in &made.missing {
        eprintln!("not made: {part}: {fault}");
    }
    let parts: Vec<&str> = made.missing.iter().map(|(part, _)| part.as_str()).collect();
    Err(Fault::Missing(parts.join(", ")))
}

/// Refuses a tree with changes: a release is what a commit holds.
fn check_clean() -> Result<(), Fault> {
    GIT.demand()?;
    let changes = tool::output(GIT.command().args(["status", "--porcelain"]))?;
    if changes.is_empty() { Ok(()) } else { Err(Fault::Dirty(changes.trim_end().to_owned())) }
}
