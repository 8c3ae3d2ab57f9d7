//! An archive for systems without Debian's packages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::plan::{self, PACKAGES, Processor};
use crate::stage;
use crate::tool::{self, TAR};

/// Makes the archive: what all packages hold, below one folder.
pub(crate) fn make(
    processor: Processor,
    programs: &Path,
    notices: &str,
    out: &Path,
) -> Result<PathBuf, Fault> {
    TAR.demand()?;
    let name = format!("tameclaw-{}-{}-linux", plan::VERSION, processor.rust_name());
    let above = tool::target_dir().join("archive");
    let folder = above.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Fault::io(&folder))?;
    }
    for package in &PACKAGES {
        stage::write(&stage::files(package, programs, notices)?, &folder)?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let path = tool::root().join(licence);
        fs::copy(&path, folder.join(licence)).map_err(Fault::io(&path))?;
    }
    let path = out.join(format!("{name}.tar.xz"));
    let mut tar = TAR.command();
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{}", tool::moment()?.as_second()));
    tar.arg("--xz").arg("-cf").arg(&path).arg("-C").arg(&above).arg(&name);
    // With several threads xz writes other bytes.
    tar.env("XZ_OPT", "-9 -T1");
    tool::run(&mut tar)?;
    Ok(path)
}
