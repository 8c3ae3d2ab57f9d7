//! The list of all libraries of a program, in CycloneDX' format.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::plan::{self, Processor};
use crate::release;
use crate::tool::{self, CYCLONEDX};

/// The programs with the folders of their crates.
const PROGRAMS: [(&str, &str); 2] = [("cl-bot", "user-agent/cl-bot"), ("cl-admin", "admin-service/cl-admin")];

/// Makes the lists for a processor.
pub(crate) fn make(processor: Processor, out: &Path) -> Result<Vec<PathBuf>, Fault> {
    CYCLONEDX.demand()?;
    let mut made = Vec::new();
    for (program, folder) in PROGRAMS {
        let name = format!("{program}-{}-{}.cdx", plan::VERSION, processor.rust_name());
        let mut command = CYCLONEDX.command();
        command.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--no-build-deps"]);
        command.args(["--target", processor.target(), "--override-filename", &name]);
        command.arg("--manifest-path").arg(tool::root().join(folder).join("Cargo.toml"));
        if program == "cl-admin" {
            command.args(["--features", "email,journald"]);
        }
        command.env("SOURCE_DATE_EPOCH", release::moment()?.as_second().to_string());
        tool::run(&mut command)?;
        // It writes beside the manifest.
        let from = tool::root().join(folder).join(format!("{name}.json"));
        let to = out.join(format!("{name}.json"));
        fs::copy(&from, &to).map_err(Fault::io(&from))?;
        fs::remove_file(&from).map_err(Fault::io(&from))?;
        made.push(to);
    }
    Ok(made)
}
