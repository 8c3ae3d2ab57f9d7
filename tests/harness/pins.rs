//! Lines of a chip that is not there, behind the service of `cl-pins`: its panel, its protocol and its watch over the stops, without
//! its confinement.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pins::board::Open;
use pins::lines::{self, Line};
use pins::stops::Stops;
use tempfile::TempDir;

use crate::world::World;

/// The wish for a skill that switches the lamp.
pub const WISH: &str = "learn to switch the lamp on pin 17";

const LINES: &str = "lines:\n\
    - {name: lamp, offset: 17, direction: out, most_changes: 50}\n\
    - {name: button, offset: 4, direction: in}\n";

/// What is wired to a line.
#[derive(Debug, Default)]
struct Wire {
    on: AtomicBool,
    /// Each level that an output was switched to.
    switched: Mutex<Vec<bool>>,
    /// Changes of an input that were not taken yet.
    changes: Mutex<Vec<bool>>,
}

struct Fake(Arc<Wire>);

impl Open for Fake {
    fn level(&self) -> io::Result<bool> {
        Ok(self.0.on.load(Ordering::Relaxed))
    }

    fn switch(&self, on: bool) -> io::Result<()> {
        self.0.on.store(on, Ordering::Relaxed);
        lock(&self.0.switched).push(on);
        Ok(())
    }

    fn change(&self, at_most: Duration) -> io::Result<Option<bool>> {
        let change = lock(&self.0.changes).pop();
        if change.is_none() {
            std::thread::sleep(at_most);
        }
        Ok(change)
    }
}

/// A running service.
pub struct Pins {
    folder: TempDir,
    wires: BTreeMap<String, Arc<Wire>>,
    ending: &'static AtomicBool,
}

impl Pins {
    /// Starts it with a lamp on line 17 and a button on line 4; it watches the stops of this home.
    #[track_caller]
    pub fn start(world: &World) -> Pins {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let listening = UnixListener::bind(folder.path().join("pins.sock")).expect("a socket file");
        let stops = [world.home().stop(), world.home().profile_stop(&world.profile())];
        let stops = Stops::watch(&stops).expect("a home has the folders of its stops");
        let (mut wires, mut open) = (BTreeMap::new(), Vec::<(Line, Box<dyn Open>)>::new());
        for line in lines::parse(LINES).expect("the lines are right") {
            let wire = Arc::<Wire>::default();
            wires.insert(line.name.clone(), wire.clone());
            open.push((line, Box::new(Fake(wire))));
        }
        let ending: &'static AtomicBool = Box::leak(Box::default());
        std::thread::spawn(move || pins::serve::run(listening, open, stops, ending));
        Pins { folder, wires, ending }
    }

    /// Its socket file.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("pins.sock")
    }

    /// Whether a line is on.
    pub fn is_on(&self, line: &str) -> bool {
        self.wires[line].on.load(Ordering::Relaxed)
    }

    /// Each level that an output was switched to, the safe level at the end of each client included.
    pub fn switched(&self, line: &str) -> Vec<bool> {
        lock(&self.wires[line].switched).clone()
    }

    /// An input changes.
    pub fn change(&self, line: &str, on: bool) {
        self.wires[line].on.store(on, Ordering::Relaxed);
        lock(&self.wires[line].changes).push(on);
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}

/// Somebody at the place of the service who says nothing and counts those who come.
pub struct Counter {
    folder: TempDir,
    came: Arc<AtomicUsize>,
}

impl Counter {
    /// Listens.
    #[track_caller]
    pub fn start() -> Counter {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let listener = UnixListener::bind(folder.path().join("pins.sock")).expect("a socket file");
        let came = Arc::<AtomicUsize>::default();
        let count = came.clone();
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        Counter { folder, came }
    }

    /// Its socket file.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("pins.sock")
    }

    /// How many came.
    pub fn came(&self) -> usize {
        self.came.load(Ordering::Relaxed)
    }
}

/// Has the profile's file name a service, with further lines.
#[track_caller]
pub fn name(world: &World, socket: &Path, more: &str) {
    let file = world.home().profile_file(&world.profile());
    std::fs::write(&file, format!("pins: {}\n{more}", socket.display())).expect("it can be written");
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
