//! Both programs in containers, as `packaging/compose.yaml` and `Dockerfile` say: users, mounts, capabilities, system calls.
//!
//! `crun` makes the containers, as it does for a person's container engine; its orders come from those two files, and none is
//! written here.
//! - [`compose`]: the services of `compose.yaml`
//! - [`image`]: what `Dockerfile` puts into an image, of the programs as they are built for the tests
//! - [`oci`]: the orders for the runtime

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use nix::unistd::geteuid;
use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Ran, run};
use crate::world::{PATIENCE, workspace};

pub mod compose;
pub mod image;
pub mod oci;

use compose::{Service, Services};
use image::Image;

/// Volumes and the services that share them; gone with the value.
pub struct Containers {
    dir: TempDir,
    /// What `compose.yaml` says; a test may change it.
    pub services: Services,
    /// Whether the containers find no Landlock.
    pub without_landlock: bool,
    count: AtomicUsize,
}

impl Containers {
    /// The services of `compose.yaml` with new volumes; `None`, and a visible skip, where no container can be made.
    #[must_use]
    pub fn new() -> Option<Containers> {
        if let Err(why) = CAN_RUN.get_or_init(can_run) {
            crate::skip(why);
            return None;
        }
        let text = fs::read_to_string(workspace().join("packaging/compose.yaml")).expect("a composition");
        let dir = tempfile::Builder::new().prefix("tameclaw-containers-").tempdir().expect("a folder");
        // The first folder of the way is searched by the users within.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o711)).expect("it is ours");
        let services = Services::parse(&text).expect("a composition that can be read");
        Some(Containers { dir, services, without_landlock: false, count: AtomicUsize::new(0) })
    }

    /// Makes the home, as `docker compose up` does before the service starts.
    #[track_caller]
    pub fn made(self) -> Containers {
        self.run("owners", &[]).done();
        // Made once for all tests: it takes most of the time of a first skill.
        let build = self.volume("admin").join("build");
        fs::DirBuilder::new().mode(0o700).create(&build).expect("a folder");
        crate::skill::lay_kit_in(&build);
        own_all(&build, self.services.get("admin").user);
        self.run("home", &[]).done();
        self
    }

    /// The path of a volume on this machine; made as an engine makes it, as root's.
    pub fn volume(&self, name: &str) -> PathBuf {
        let folder = self.dir.path().join("volumes").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Runs a service to its end, with other words after its entry point than those of the composition, where there are any.
    pub fn run(&self, service: &str, words: &[&str]) -> Ran {
        self.typed(service, words, "")
    }

    /// As [`Containers::run`], with a text on its stdin.
    pub fn typed(&self, service: &str, words: &[&str], input: &str) -> Ran {
        let service = self.services.get(service);
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        if words.is_empty() {
            words.clone_from(&service.command);
        }
        let image = Image::of(&service.image);
        let entry = service.entrypoint.clone().unwrap_or_else(|| image.entrypoint.clone());
        run(self.command(service, &image, [entry, words].concat()).0, input.as_bytes(), PATIENCE)
    }

    /// A service that is to be started, and the command that sends its first process a signal.
    pub fn prepared(&self, service: &str, words: &[&str]) -> (Command, impl Fn(&str) -> Command + use<>) {
        let service = self.services.get(service);
        let image = Image::of(&service.image);
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let (command, id) = self.command(service, &image, [image.entrypoint.clone(), words].concat());
        let state = self.dir.path().join("state");
        let kill = move |signal: &str| {
            let mut command = Command::new("crun");
            command.arg("--root").arg(&state).args(["kill", &id, signal]);
            command
        };
        (command, kill)
    }

    /// Runs a shell's script where a service runs: the same user, mounts and walls, with this machine's programs to look about.
    pub fn shell(&self, service: &str, script: &str) -> Ran {
        let service = self.services.get(service);
        let image = Image::of(&service.image).with_programs();
        let script = format!("PATH=/usr/bin:/bin; export PATH; {script}");
        let words = ["/bin/sh", "-c", &script].map(str::to_owned).to_vec();
        run(self.command(service, &image, words).0, b"", PATIENCE)
    }

    fn command(&self, service: &Service, image: &Image, words: Vec<String>) -> (Command, String) {
        let id = format!("c{}", self.count.fetch_add(1, Ordering::Relaxed));
        let bundle = self.dir.path().join(&id);
        let mounts = image.lay(&bundle.join("rootfs"));
        let orders = oci::orders(service, image, mounts, &words, |name| self.volume(name));
        fs::write(bundle.join("config.json"), orders.to_string()).expect("a file can be written");
        let mut command = runtime(&bundle, &self.dir.path().join("state"), &id);
        if self.without_landlock {
            crate::landlock::hide(&mut command);
        }
        (command, id)
    }
}

/// Starts a container. Without its list of control groups: some machines mix both versions, which `crun` refuses.
fn runtime(bundle: &Path, state: &Path, id: &str) -> Command {
    const SCRIPT: &str = "umount /sys/fs/cgroup/unified 2>/dev/null; exec crun --root \"$1\" --cgroup-manager=disabled run \
                          --bundle \"$2\" \"$3\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", SCRIPT, "sh"]).arg(state).arg(bundle).arg(id);
    command
}

static CAN_RUN: OnceLock<Result<(), &str>> = OnceLock::new();

/// Whether this machine runs the simplest container.
fn can_run() -> Result<(), &'static str> {
    if !geteuid().is_root() {
        return Err("only root makes containers of two users");
    }
    if Command::new("crun").arg("--version").output().is_err() {
        return Err("crun is not installed: apt-get install --no-install-recommends crun");
    }
    let dir = tempfile::tempdir().expect("a temporary folder");
    let image = Image::of("tameclaw-bot").with_programs();
    let mounts = image.lay(&dir.path().join("rootfs"));
    let orders = oci::simplest(mounts, &["/bin/true"]);
    fs::write(dir.path().join("config.json"), orders.to_string()).expect("a file can be written");
    let ran = runtime(dir.path(), &dir.path().join("state"), "can-run").output();
    match ran {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("crun makes no container here"),
    }
}

/// Gives a folder with all below it to a user.
fn own_all(path: &Path, (user, group): (u32, u32)) {
    chown(path, Some(user), Some(group)).expect("root may");
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        own_all(&entry.path(), (user, group));
    }
}

/// A list of words in a document.
fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}
