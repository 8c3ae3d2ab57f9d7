//! Files, TCP ports and signals, by Landlock.

use std::{
    fs::OpenOptions,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::fs::OpenOptionsExt,
    },
    path::Path,
};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, make_bitflags,
};

use nix::sys::stat::fstat;

use crate::{Access, ConfineError, FileRules, Handle, Role};

/// Restricts the process to the rules; the version that is in force then, `None` without Landlock.
pub(crate) fn lay_on(
    role: Role,
    files: &FileRules,
    handles: &[Handle<'_>],
    paired: bool,
) -> Result<Option<u32>, ConfineError> {
    let mut rules = ruleset(role, paired).map_err(boxed)?;
    for (paths, access) in
        [(&files.read, Access::Read), (&files.execute, Access::Execute), (&files.write, Access::Write)]
    {
        for path in paths {
            rules = allow(rules, path, rights(access))?;
        }
    }
    for rule in handles {
        rules = beneath(rules, rule.handle, &rule.at, rights(rule.access))?;
    }
    let null = Path::new("/dev/null");
    if null.exists() {
        rules = allow(rules, null, READ | WRITE)?;
    }
    let status = rules.restrict_self().map_err(boxed)?;
    Ok(match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => {
            Some(effective_abi as u32).filter(|version| *version > 0)
        }
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => None,
    })
}

fn rights(access: Access) -> BitFlags<AccessFs> {
    match access {
        Access::Read => READ,
        Access::Execute => READ | AccessFs::Execute,
        Access::Write => READ | WRITE,
    }
}

/// Keeps signals within the process and those that it will fork.
///
/// The kernel ends a process with its parent by a signal of that parent. If each of a pair kept its signals to itself,
/// that one would be refused as well, and an owned child would outlive the bot.
///
/// # Errors
/// The kernel refuses.
pub fn scope_signals() -> Result<(), ConfineError> {
    let rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort).scope(Scope::Signal);
    rules.and_then(|rules| rules.create()?.restrict_self()).map(drop).map_err(boxed)
}

/// The kernel's version as a version in force, if it governs every way to read or write a file.
pub(crate) fn governs_files(abi: u32) -> Option<u32> {
    // Before version 3 any file that the user owns could be truncated.
    (abi >= ABI::V3 as u32).then_some(abi.min(NEWEST as u32))
}

/// The version of the running kernel, which may be newer than this program.
pub(crate) fn kernel_abi() -> Option<u32> {
    const VERSION: u64 = 1;
    // SAFETY: with this flag the call reads no attribute (null, length 0) and only returns a number.
    let answer = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION)
    };
    u32::try_from(answer).ok().filter(|abi| *abi > 0)
}

/// Everything that is refused unless a rule allows it.
fn ruleset(role: Role, paired: bool) -> Result<RulesetCreated, RulesetError> {
    // Rules of this kind name ports, not hosts: where any port is fine, connecting is left to seccomp. A server gets its
    // port from the program that starts it, and connects to none.
    let net = match role {
        Role::Net | Role::Online => AccessNet::BindTcp.into(),
        Role::Server => AccessNet::ConnectTcp.into(),
        Role::Mind | Role::Door | Role::Pins | Role::Worker | Role::Compiler | Role::Action => {
            AccessNet::from_all(NEWEST)
        }
    };
    let scopes = if paired { Scope::AbstractUnixSocket.into() } else { Scope::from_all(NEWEST) };
    Ruleset::default()
        // What an older kernel lacks shows in the version that `lay` returns.
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(net)?
        .scope(scopes)?
        .create()
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, ConfineError> {
    let failed = |source| ConfineError::Path { path: path.to_owned(), source };
    let handle = OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path).map_err(failed)?;
    beneath(rules, handle.as_fd(), path, access)
}

fn beneath(
    rules: RulesetCreated,
    handle: BorrowedFd<'_>,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, ConfineError> {
    let facts =
        fstat(handle).map_err(|errno| ConfineError::Path { path: path.to_owned(), source: errno.into() })?;
    // Rights that only a folder can carry are refused on a file.
    let is_folder = facts.st_mode & libc::S_IFMT == libc::S_IFDIR;
    let access = if is_folder { access } else { access & FILE };
    rules.add_rule(PathBeneath::new(handle, access)).map_err(boxed)
}

fn boxed(error: RulesetError) -> ConfineError {
    ConfineError::Landlock(Box::new(error))
}

const NEWEST: ABI = ABI::V9;
const READ: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | ReadDir});
/// No links, devices, sockets and pipes: a program that reads the folder later finds files and folders only.
const WRITE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir | Refer
});
const FILE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | Execute});
