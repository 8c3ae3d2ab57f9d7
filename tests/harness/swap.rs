//! Two names that change places while something is done.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

/// Says that it is over, regardless of what ended the work.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Exchanges two names as fast as it can while something is done.
pub fn while_swapped<T>(one: &Path, other: &Path, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE)
                    .expect("names can be exchanged");
            }
        });
        let _over = Over(&done);
        work()
    })
}
