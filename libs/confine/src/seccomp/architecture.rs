//! The processors that the tables are written for.

/// Whose numbers the calls have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Architecture {
    X86_64,
    #[cfg_attr(
        not(any(test, target_arch = "aarch64")),
        expect(dead_code, reason = "this program runs elsewhere")
    )]
    Aarch64,
}

impl Architecture {
    /// What the kernel calls it: machine, 64 bits, little-endian.
    pub(super) const fn audit(self) -> u32 {
        match self {
            Architecture::X86_64 => 0xc000_003e,
            Architecture::Aarch64 => 0xc000_00b7,
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) const OWN: Architecture = Architecture::X86_64;
#[cfg(target_arch = "aarch64")]
pub(super) const OWN: Architecture = Architecture::Aarch64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the tables of system calls are written for x86_64 and aarch64");
