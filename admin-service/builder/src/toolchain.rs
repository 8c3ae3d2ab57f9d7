//! Finds a compiler that can make WebAssembly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shared_types::id::Digest;

/// A compiler with the target, and what its jail must let it reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// The compiler itself, not a proxy.
    pub rustc: PathBuf,
    /// Its first line of `-vV`, such as `rustc 1.63.0`.
    pub version: String,
    /// `-C linker=` where the default would not be found.
    pub linker: Option<String>,
    /// Folders to read and execute from.
    pub folders: Vec<PathBuf>,
}

/// The target of learned skills.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// What to do where none is found.
pub const ADVICE: &str = "`rustup target add wasm32-unknown-unknown`, or on Debian and Raspberry Pi OS \
    `apt-get install --no-install-recommends rustc libstd-rust-dev-wasm32 lld`";

/// Why no compiler can be used.
#[derive(Debug, thiserror::Error)]
pub enum NoToolchain {
    /// The configured one cannot.
    #[error("the configured compiler {path}: {why}; install {ADVICE}")]
    Configured {
        /// The compiler.
        path: String,
        /// Why not.
        why: Unfit,
    },
    /// No installed compiler can build skills; each with its reason.
    #[error("no compiler with the target {TARGET} ({}); install {ADVICE}", listed(.0))]
    Installed(Vec<(PathBuf, Unfit)>),
}

/// What a compiler lacks.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It cannot be started, or fails.
    #[error("does not run")]
    Broken,
    /// The standard library of the target.
    #[error("lacks the target {TARGET}")]
    Target,
    /// A linker for the target.
    #[error("lacks a linker for WebAssembly (lld)")]
    Linker,
}

fn listed(tried: &[(PathBuf, Unfit)]) -> String {
    let tried: Vec<String> = tried.iter().map(|(path, why)| format!("{}: {why}", path.display())).collect();
    if tried.is_empty() { "no rustc is installed".into() } else { tried.join("; ") }
}

impl Toolchain {
    /// Looks for a compiler: the configured one alone, or rustup's, then the system's.
    ///
    /// # Errors
    /// What was looked for and what to install.
    pub fn find(configured: &str) -> Result<Toolchain, NoToolchain> {
        if configured != "auto" {
            return Self::at(Path::new(configured))
                .map_err(|why| NoToolchain::Configured { path: configured.to_owned(), why });
        }
        let mut tried = vec![];
        for candidate in candidates() {
            match Self::at(&candidate) {
                Ok(found) => return Ok(found),
                Err(why) => tried.push((candidate, why)),
            }
        }
        Err(NoToolchain::Installed(tried))
    }

    fn at(rustc: &Path) -> Result<Toolchain, Unfit> {
        let ask = |args: &[&str]| {
            Command::new(rustc)
                .args(args)
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .output()
                .ok()
                .filter(|o| o.status.success())
                .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
                .ok_or(Unfit::Broken)
        };
        let has_target = |root: &Path| root.join("lib/rustlib").join(TARGET).join("lib").is_dir();
        // A question takes a compiler longer than a look: 40 ms of processor time. A proxy stands elsewhere than its compiler.
        let beside = rustc.canonicalize().ok().and_then(|real| Some(real.parent()?.parent()?.to_owned()));
        let sysroot = match beside.filter(|root| has_target(root)) {
            Some(beside) => beside,
            None => PathBuf::from(ask(&["--print", "sysroot"])?),
        };
        if !has_target(&sysroot) {
            return Err(Unfit::Target);
        }
        let version = ask(&["-vV"])?;
        let real = sysroot.join("bin/rustc");
        let rustc = if real.exists() { real } else { rustc.to_owned() };
        let host = version.lines().find_map(|l| l.strip_prefix("host: ")).unwrap_or_default().to_owned();
        let own_linker = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld").exists();
        let linker = match (own_linker, system_linker()) {
            (true, _) => None,
            (false, Some(name)) => Some(name),
            (false, None) => return Err(Unfit::Linker),
        };
        let mut folders: Vec<PathBuf> =
            ["/usr", "/lib", "/lib64", "/bin"].iter().map(PathBuf::from).filter(|p| p.exists()).collect();
        if !sysroot.starts_with("/usr") {
            folders.push(sysroot);
        }
        let version = version.lines().next().unwrap_or_default().to_owned();
        Ok(Toolchain { rustc, version, linker, folders })
    }

    /// What a build depends on besides the sources.
    pub fn fingerprint(&self) -> Digest {
        Digest::of(format!("{}\n{}\n{:?}", self.rustc.display(), self.version, self.linker).as_bytes())
    }
}

fn candidates() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cargo")));
    let mut found: Vec<PathBuf> = home.map(|h| h.join("bin/rustc")).into_iter().collect();
    found.extend([PathBuf::from("/usr/local/bin/rustc"), PathBuf::from("/usr/bin/rustc")]);
    found.retain(|p| fs::metadata(p).is_ok());
    found
}

fn system_linker() -> Option<String> {
    let plain = Path::new("/usr/bin/wasm-ld");
    if plain.exists() {
        return Some(plain.display().to_string());
    }
    // Debian's versioned packages carry the version in the name.
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/bin")
        .ok()?
        .filter_map(Result::ok)
        .map(|e| e.path())
        .filter(|p| p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("wasm-ld-")))
        .collect();
    found.sort();
    found.pop().map(|p| p.display().to_string())
}
