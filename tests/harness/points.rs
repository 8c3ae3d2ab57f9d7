//! A `cl-admin` that kills itself at a point that a test names, as a power cut would.

use std::path::PathBuf;

use crate::run::run;
use crate::world::{PATIENCE, Program, World};

/// The exit code of what was killed, as a shell counts it.
pub const KILLED: i32 = 128 + 9;

/// The program with a hook at its points, built with the shipped ones.
pub fn program() -> PathBuf {
    Program::Admin.path().with_file_name("cl-admin-failpoints")
}

/// The names of all points.
#[track_caller]
pub fn names() -> Vec<String> {
    let world = World::empty();
    let ran = run(world.command_of(&program(), &["failpoints"]), b"", PATIENCE).done();
    ran.stdout.lines().map(str::to_owned).collect()
}

impl World {
    /// Runs `cl-admin` until it is killed at a point, and insists that it came there.
    #[track_caller]
    pub fn killed_at(&self, point: &str, arguments: &[&str]) {
        let mut command = self.command_of(&program(), arguments);
        command.env("FAILPOINTS", format!("{point}=return"));
        let ran = run(command, b"", PATIENCE);
        assert_eq!(ran.status, KILLED, "`{point}` was not reached\n{}", ran.report());
    }
}

/// Does something for each point, two at a time; a failure names the point. Without [`crate::long`] for the middle one alone.
pub fn for_each(points: &[&str], work: impl Fn(&str) + Sync) {
    let middle = points.len() / 2;
    let points = if crate::long() { points } else { &points[middle..=middle] };
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || {
        while let Some(point) = points.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(point)));
            assert!(tried.is_ok(), "killed at `{point}`, it did not recover; see above");
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}
