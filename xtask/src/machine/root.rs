//! The machine's root: Debian's kernel and an archive of what the path needs, made once and kept below `target/machine`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::cpio::Archive;
use super::packages::{self, Apt};

/// What the path needs beside the kernel: the README's packages for the compiler, a shell, the ordinary commands, and what
/// installs packages and makes a file system.
const PACKAGES: [&str; 14] = [
    "apt",
    "busybox-static",
    "coreutils",
    "dash",
    "diffutils",
    "dpkg",
    "e2fsprogs",
    "libc-bin",
    "libc6",
    "libstd-rust-dev-wasm32",
    "lld",
    "rustc",
    "systemd-standalone-sysusers",
    "systemd-standalone-tmpfiles",
];

/// What the machine with the drivers has besides: what plays and records, and the library and the model of the ear.
const SOUND: [&str; 3] = ["alsa-utils", "libpocketsphinx3", "pocketsphinx-en-us"];

/// Libraries that Debian's alternatives would link to where the linker looks.
const SOUND_LINKS: [(&str, &str); 2] = [
    ("usr/lib/aarch64-linux-gnu/libblas.so.3", "blas/libblas.so.3"),
    ("usr/lib/aarch64-linux-gnu/liblapack.so.3", "lapack/liblapack.so.3"),
];

/// Modules of the kernel for a disk with ext4, for the machine's GPIO chip, and for a sound card whose two ends are connected
/// (what one plays, the other records), each behind those that it needs; a kernel that has one built in has no file for it.
const MODULES: [&str; 14] = [
    "crc16",
    "crc32c_generic",
    "libcrc32c",
    "mbcache",
    "jbd2",
    "ext4",
    "virtio_mmio",
    "virtio_blk",
    "gpio-pl061",
    "soundcore",
    "snd",
    "snd-timer",
    "snd-pcm",
    "snd-aloop",
];

/// Debian's kernel, and the one with pages of 16 KiB, as the Raspberry Pi 5 has; Debian 12 has it among its backports.
pub(crate) const KERNELS: [&str; 2] = ["linux-image-arm64", "linux-image-arm64-16k"];

/// Files of packages that nothing here reads: they would fill the machine's memory.
const LEFT_OUT: [&str; 8] = [
    "boot",
    "usr/lib/modules",
    // Programs of the machine itself are not compiled here.
    "usr/lib/rustlib/aarch64-unknown-linux-gnu/lib",
    "usr/share/doc",
    "usr/share/info",
    "usr/share/locale",
    "usr/share/man",
    // The ear has a list of phrases, and no model of a language.
    "usr/share/pocketsphinx/model/en-us/en-us.lm.bin",
];

const FOLDERS: [(&str, u32); 13] = [
    ("dev", 0o755),
    ("etc", 0o755),
    ("home", 0o755),
    ("mnt", 0o755),
    ("proc", 0o555),
    ("root", 0o700),
    ("run", 0o755),
    ("srv", 0o755),
    ("sys", 0o555),
    ("tmp", 0o1777),
    ("usr", 0o755),
    ("var", 0o755),
    ("var/tmp", 0o1777),
];

/// Debian keeps these folders in `usr` since its release 12.
const MERGED: [&str; 3] = ["bin", "lib", "sbin"];

/// The account `person` uses one user for both programs; `bot` is the bot's where the service is root's.
const FILES: [(&str, &str); 5] = [
    (
        "etc/passwd",
        "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n\
         person:x:1000:1000::/home/person:/bin/sh\nbot:x:1001:1001::/home/bot:/bin/sh\n",
    ),
    ("etc/group", "root:x:0:\nnogroup:x:65534:\nperson:x:1000:\nbot:x:1001:\n"),
    ("etc/hostname", "machine\n"),
    ("etc/hosts", "127.0.0.1 localhost\n"),
    ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// What `busybox` has to be called as here.
const APPLETS: [&str; 11] =
    ["find", "grep", "hostname", "ifconfig", "insmod", "kill", "mount", "poweroff", "ps", "sed", "umount"];

/// What boots a machine beside the programs.
#[derive(Debug)]
pub(crate) struct Root {
    folder: PathBuf,
}

impl Root {
    /// Takes the root that an earlier run made, or makes it.
    pub(crate) fn provide(folder: &Path) -> io::Result<Root> {
        let root = Root { folder: folder.to_owned() };
        let stamp = folder.join("recipe");
        if fs::read_to_string(&stamp).is_ok_and(|made| made == RECIPE) {
            return Ok(root);
        }
        eprintln!("machine: fetching Debian's packages for arm64 (about 200 MB, once)");
        let apt = Apt::new(folder.join("apt"))?;
        let tree = folder.join("tree");
        if tree.exists() {
            fs::remove_dir_all(&tree)?;
        }
        fs::create_dir_all(&tree)?;
        let fetched = apt.fetch(&PACKAGES)?;
        unpack(&fetched, &tree)?;
        packages::register(&fetched, &tree)?;
        archive(&tree, &root.archive())?;
        fs::remove_dir_all(&tree)?;
        fs::create_dir_all(&tree)?;
        apt.has(&fetched)?;
        unpack(&apt.fetch(&SOUND)?, &tree)?;
        sound(&tree, &root.sound())?;
        if root.modules().exists() {
            fs::remove_dir_all(root.modules())?;
        }
        for kernel in KERNELS {
            fs::remove_dir_all(&tree)?;
            fs::create_dir_all(&tree)?;
            if apt.offers(kernel) {
                unpack(&apt.fetch(&[kernel])?, &tree)?;
                fs::rename(kernel_of(&tree)?, folder.join(kernel))?;
                keep_modules(&tree.join("lib/modules"), &root.modules())?;
            }
        }
        fs::remove_dir_all(&tree)?;
        fs::write(stamp, RECIPE)?;
        Ok(root)
    }

    /// The kernel of a package; `None` where the system's sources do not offer it.
    pub(crate) fn kernel(&self, package: &str) -> Option<PathBuf> {
        Some(self.folder.join(package)).filter(|kernel| kernel.is_file())
    }

    /// The folder of all kernels' modules: each file is called `RELEASE:N-NAME`, in the order of loading.
    pub(crate) fn modules(&self) -> PathBuf {
        self.folder.join("modules")
    }

    /// The archive that goes behind it for the machine with the drivers.
    pub(crate) fn sound(&self) -> PathBuf {
        self.folder.join("sound.cpio")
    }

    /// The archive of everything that does not change from run to run.
    pub(crate) fn archive(&self) -> PathBuf {
        self.folder.join("root.cpio")
    }
}

/// What the root is made by: where this changes, it is made anew.
const RECIPE: &str = concat!(
    include_str!("cpio.rs"),
    include_str!("packages.rs"),
    include_str!("root.rs"),
    include_str!("sources.rs")
);

fn unpack(packages: &[PathBuf], tree: &Path) -> io::Result<()> {
    packages.iter().try_for_each(|package| packages::unpack(package, tree))
}

fn kernel_of(tree: &Path) -> io::Result<PathBuf> {
    for path in entries(&tree.join("boot"))? {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vmlinuz-")) {
            return Ok(path);
        }
    }
    Err(io::Error::other("the kernel's package holds no boot/vmlinuz-*"))
}

/// Keeps the modules that are named above of `lib/modules/RELEASE/kernel`.
fn keep_modules(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for release in entries(from)? {
        let mut folders = vec![release.clone()];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder)? {
                let name = name(&path);
                let stem = name.split(".ko").next().unwrap_or_default();
                if path.is_dir() {
                    folders.push(path);
                } else if let Some(number) = MODULES.iter().position(|module| *module == stem) {
                    fs::copy(&path, to.join(format!("{}:{number:02}-{name}", self::name(&release))))?;
                }
            }
        }
    }
    Ok(())
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a folder, in order.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn archive(tree: &Path, path: &Path) -> io::Result<()> {
    let mut archive = Archive::new(BufWriter::new(File::create(path)?));
    for (folder, mode) in FOLDERS {
        archive.folder(folder, mode)?;
    }
    archive.device("dev/console", 0o600, 5, 1)?;
    for folder in MERGED {
        archive.folder(&format!("usr/{folder}"), 0o755)?;
        archive.link(folder, &format!("usr/{folder}"))?;
    }
    for (name, text) in FILES {
        archive.file(name, 0o644, text.as_bytes())?;
    }
    for applet in APPLETS {
        archive.link(&format!("usr/bin/{applet}"), "busybox")?;
    }
    add(tree, tree, &mut archive)?;
    archive.finish()?;
    Ok(())
}

fn sound(tree: &Path, path: &Path) -> io::Result<()> {
    let mut archive = Archive::new(BufWriter::new(File::create(path)?));
    add(tree, tree, &mut archive)?;
    for (place, target) in SOUND_LINKS {
        archive.link(place, target)?;
    }
    archive.finish()?;
    Ok(())
}

/// Adds the content of a folder of the unpacked packages, with their modes; a socket or a device is not among them.
fn add(tree: &Path, folder: &Path, archive: &mut Archive<impl Write>) -> io::Result<()> {
    for path in entries(folder)? {
        let within = path.strip_prefix(tree).expect("the walk began at the tree");
        let place = merged(&within.to_string_lossy());
        if LEFT_OUT.contains(&place.as_str()) {
            continue;
        }
        let facts = fs::symlink_metadata(&path)?;
        let mode = facts.permissions().mode() & 0o7777;
        if facts.is_symlink() {
            archive.link(&place, &fs::read_link(&path)?.to_string_lossy())?;
        } else if facts.is_dir() {
            if FOLDERS.iter().all(|(folder, _)| *folder != place) {
                archive.folder(&place, mode)?;
            }
            add(tree, &path, archive)?;
        } else if facts.is_file() {
            archive.file(&place, mode, &fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Where a package's path leads once `bin`, `lib` and `sbin` are links into `usr`.
fn merged(path: &str) -> String {
    let first = path.split('/').next().unwrap_or_default();
    if MERGED.contains(&first) { format!("usr/{path}") } else { path.to_owned() }
}

#[cfg(test)]
mod tests;
