//! Processors, and what each package holds.

use std::fmt;

use clap::ValueEnum;

/// A processor that the programs are built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Processor {
    /// 64-bit PCs and servers
    Amd64,
    /// 64-bit ARM, such as the Raspberry Pi 4
    Arm64,
}

impl Processor {
    pub(crate) const ALL: [Processor; 2] = [Processor::Amd64, Processor::Arm64];

    /// Cargo's target.
    pub(crate) fn target(self) -> &'static str {
        match self {
            Processor::Amd64 => "x86_64-unknown-linux-gnu",
            Processor::Arm64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// As Rust names it.
    pub(crate) fn rust_name(self) -> &'static str {
        match self {
            Processor::Amd64 => "x86_64",
            Processor::Arm64 => "aarch64",
        }
    }

    /// Whether this machine has it.
    pub(crate) fn is_own(self) -> bool {
        self.rust_name() == std::env::consts::ARCH
    }
}

/// As Debian names it.
impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Processor::Amd64 => "amd64",
            Processor::Arm64 => "arm64",
        })
    }
}

/// A Debian package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name, and its folder in `packaging/debian`.
    pub(crate) name: &'static str,
    /// The programs that it holds; none for one of documents alone.
    pub(crate) programs: &'static [&'static str],
    /// What the names of its units begin with, beside those of `tameclaw-admin`, which has all others.
    pub(crate) units: &'static [&'static str],
    /// Files of the repository that it holds, and where they go.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

/// In the order in which they depend on each other.
pub(crate) const PACKAGES: [Package; 4] = [
    Package {
        name: "tameclaw-bot",
        // `cl-bot serve`, `acp` and `mcp` become the `cl-door` beside it: one package holds both, so they have one version.
        programs: &["cl-bot", "cl-door"],
        units: &[],
        files: &[
            ("packaging/sysusers.d/tameclaw.conf", "usr/lib/sysusers.d/tameclaw.conf"),
            ("packaging/tmpfiles.d/tameclaw.conf", "usr/lib/tmpfiles.d/tameclaw.conf"),
        ],
    },
    Package {
        name: "tameclaw-admin",
        // `cl-admin page serve` becomes the `cl-review` beside it, which is of no use without the service.
        programs: &["cl-admin", "cl-review"],
        units: &[],
        files: &[
            ("packaging/systemd/tameclaw.preset", "usr/lib/systemd/system-preset/80-tameclaw.preset"),
            (
                "examples/plugins/pdf-extract/plugin.toml",
                "usr/share/tameclaw/plugins/pdf-extract/plugin.toml",
            ),
            ("packaging/signing-page/index.html", "usr/share/tameclaw/signing-page/index.html"),
            ("examples/plugins/pdf-extract/extract.py", "usr/share/tameclaw/plugins/pdf-extract/extract.py"),
        ],
    },
    Package {
        name: "tameclaw-drivers",
        // Of no use without hardware and, for the ear, without a library and a model: a package that few boards need.
        programs: &["cl-ear", "cl-mouth", "cl-pins"],
        units: &DRIVER_UNITS,
        files: &[("packaging/sysusers.d/tameclaw-drivers.conf", "usr/lib/sysusers.d/tameclaw-drivers.conf")],
    },
    Package {
        name: "tameclaw",
        programs: &[],
        units: &[],
        files: &[("README.md", "usr/share/doc/tameclaw/README.md")],
    },
];

/// What the names of the drivers' units begin with.
pub(crate) const DRIVER_UNITS: [&str; 3] = ["tameclaw-ear.", "tameclaw-mouth.", "tameclaw-pins."];

/// The version, as it stands in the root `Cargo.toml` alone.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of the Debian packages. A `-` in a version would divide Debian's revision from it: `~` sorts before the release.
pub(crate) fn debian_version() -> String {
    format!("{}-1", VERSION.replace('-', "~"))
}
