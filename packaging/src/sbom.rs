//! The list of all libraries of a program, in CycloneDX' format.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::plan::{self, Processor};
use crate::tool::{self, CYCLONEDX, GIT};

/// The programs with the folders of their crates, and the features with which they are built; none for a crate that has no
/// features, of which Cargo refuses every name.
const PROGRAMS: [(&str, &str, &str); 7] = [
    ("cl-bot", "user-agent/cl-bot", "default"),
    ("cl-door", "user-agent/door", ""),
    ("cl-admin", "admin-service/cl-admin", "email,journald"),
    ("cl-review", "admin-service/page", ""),
    ("cl-ear", "drivers/ear", ""),
    ("cl-mouth", "drivers/mouth", ""),
    ("cl-pins", "drivers/pins", ""),
];

/// Makes the lists for a processor.
pub(crate) fn make(processor: Processor, out: &Path) -> Result<Vec<PathBuf>, Fault> {
    CYCLONEDX.demand()?;
    let copy = copy()?;
    let mut made = Vec::new();
    for (program, folder, features) in PROGRAMS {
        let name = format!("{program}-{}-{}.cdx", plan::VERSION, processor.rust_name());
        let mut command = CYCLONEDX.command();
        command.args([
            "cyclonedx",
            "--quiet",
            "--format",
            "json",
            "--spec-version",
            "1.5",
            "--no-build-deps",
        ]);
        command.args(["--target", processor.target(), "--override-filename", &name]);
        if !features.is_empty() {
            command.args(["--features", features]);
        }
        command.arg("--manifest-path").arg(copy.join(folder).join("Cargo.toml"));
        command.env("SOURCE_DATE_EPOCH", tool::moment()?.as_second().to_string());
        tool::run(&mut command)?;
        let from = copy.join(folder).join(format!("{name}.json"));
        let text = fs::read_to_string(&from).map_err(Fault::io(&from))?;
        let to = out.join(format!("{name}.json"));
        let text = text.replace(&copy.display().to_string(), "/usr/src/tameclaw");
        fs::write(&to, text).map_err(Fault::io(&to))?;
        made.push(to);
    }
    Ok(made)
}

/// A copy of what the commit holds: the tool writes a list beside the manifest of each member.
fn copy() -> Result<PathBuf, Fault> {
    let folder = tool::target_dir().join("sbom");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Fault::io(&folder))?;
    }
    let mut checkout = GIT.command();
    checkout.args(["checkout-index", "--all", "--prefix"]).arg(format!("{}/", folder.display()));
    tool::run(&mut checkout)?;
    Ok(folder)
}
