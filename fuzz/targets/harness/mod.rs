//! What every target shares: its corpus, the neighbours of that corpus, and what is kept of a failure.
//!
//! Random bytes never get past a parser's first line. So each input of the random engine is only the seed of a
//! mutation ([`neighbour`]) of the target's own corpus; a coverage-guided engine mutates on its own.

use std::fs;
use std::panic::{RefUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod neighbour;

use neighbour::neighbour;

/// What came of one input; that nothing else came of it is what the target asserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Verdict {
    /// The parser took it.
    Taken,
    /// The parser refused it.
    Refused,
}

/// One target: its name is that of its file.
pub(crate) struct Target {
    folder: PathBuf,
    names: Vec<String>,
    seeds: Vec<Vec<u8>>,
    /// Where the input that is being tried is written before it is tried: nothing else survives an endless loop or a
    /// stack overflow. Only in the long run, since it costs more than most parsers.
    trace: Option<PathBuf>,
    failed: AtomicBool,
}

/// How long a target tries mutations under `cargo test`, at most.
pub(crate) const MOMENT: Duration = Duration::from_millis(700);
/// How many mutations a target tries under `cargo test`, at most.
pub(crate) const TRIES: usize = 4_000;
/// The longest input in bytes, unless a seed is longer.
const LONGEST: usize = 16 * 1024;
/// Far beyond what the slowest input takes on a busy machine, and still no hang.
const PATIENCE: Duration = Duration::from_secs(20);
/// Names the folder for [`Target::trace`]; set by `cargo xtask fuzz`.
const TRACE: &str = "TAMECLAW_FUZZ_TRACE";

/// Runs the body of a target: `target!(text holds)` or `target!(bytes holds)`, where `holds` asserts what must hold of
/// one input and tells its [`Verdict`].
macro_rules! target {
    (bytes $holds:expr) => {{
        let name = $crate::harness::name_of(module_path!());
        let target = $crate::harness::Target::open(name);
        target.corpus_is_as_named($holds);
        bolero::check!(name = name)
            .with_test_time($crate::harness::MOMENT)
            .with_iterations($crate::harness::TRIES)
            .for_each(move |input: &[u8]| target.try_out(input, $holds));
    }};
    (text $holds:expr) => {
        $crate::harness::target!(bytes |bytes: &[u8]| $holds(&String::from_utf8_lossy(bytes)))
    };
}
pub(crate) use target;

/// The target's name: that of its file.
pub(crate) fn name_of(module_path: &'static str) -> &'static str {
    module_path.rsplit("::").next().unwrap_or(module_path)
}

impl Verdict {
    /// Of a parser that answers with a `Result`.
    pub(crate) fn of<T, E>(result: &Result<T, E>) -> Verdict {
        if result.is_ok() { Verdict::Taken } else { Verdict::Refused }
    }
}

impl Target {
    /// Reads the target's corpus.
    pub(crate) fn open(name: &str) -> Target {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/__fuzz__").join(name);
        let (mut names, mut seeds) = (Vec::new(), Vec::new());
        let corpus = folder.join("corpus");
        let files = fs::read_dir(&corpus).unwrap_or_else(|e| panic!("{}: {e}", corpus.display()));
        let mut paths: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            names.push(path.file_name().expect("a file has a name").to_string_lossy().into_owned());
            seeds.push(fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        }
        let trace = std::env::var_os(TRACE).map(|folder| Path::new(&folder).join(name));
        Target { folder, names, seeds, trace, failed: AtomicBool::new(false) }
    }

    /// Insists that the seeds are what their names say, `valid-*` taken and `invalid-*` refused, and that one is taken:
    /// mutations of refusals alone would try nothing but refusals.
    pub(crate) fn corpus_is_as_named(&self, holds: impl Fn(&[u8]) -> Verdict) {
        let mut taken = 0;
        for (name, seed) in self.names.iter().zip(&self.seeds) {
            let verdict = holds(seed);
            let expected = match name.split('-').next() {
                Some("valid") => Verdict::Taken,
                Some("invalid") => Verdict::Refused,
                // What an engine added.
                _ => verdict,
            };
            assert_eq!(verdict, expected, "{}", self.folder.join("corpus").join(name).display());
            taken += usize::from(verdict == Verdict::Taken);
        }
        assert!(taken > 0, "nothing in {} is taken", self.folder.join("corpus").display());
    }

    /// Tries the input itself and, where no engine mutates by coverage, the neighbour of the corpus that it leads to.
    pub(crate) fn try_out(&self, input: &[u8], holds: impl Fn(&[u8]) -> Verdict + RefUnwindSafe) {
        self.try_one(input, &holds);
        if cfg!(fuzzing) {
            return;
        }
        let most = self.seeds.iter().map(Vec::len).max().unwrap_or_default().max(LONGEST);
        self.try_one(&neighbour(&self.seeds, input, most), &holds);
    }

    fn try_one(&self, input: &[u8], holds: &(impl Fn(&[u8]) -> Verdict + RefUnwindSafe)) {
        if let Some(path) = &self.trace {
            // Without the file a crash can still be found by its seed.
            let _ = fs::write(path, input);
        }
        let start = Instant::now();
        let tried = catch_unwind(|| {
            let _: Verdict = holds(input);
            assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
        });
        if let Err(panic) = tried {
            self.keep(input);
            resume_unwind(panic);
        }
    }

    /// Keeps the first failing input where every later run replays it.
    fn keep(&self, input: &[u8]) {
        if self.failed.swap(true, Ordering::Relaxed) {
            return;
        }
        let name = shared_types::id::Digest::of(input);
        let path = self.folder.join("crashes").join(&name.as_str()[..16]);
        let kept = fs::create_dir_all(self.folder.join("crashes")).and_then(|()| fs::write(&path, input));
        match kept {
            Ok(()) => eprintln!("the failing input is kept in {}", path.display()),
            Err(e) => eprintln!("the failing input cannot be kept: {e}: {input:?}"),
        }
    }
}

/// Insists that a message of a refusal may be shown on a terminal.
#[track_caller]
pub(crate) fn is_safe_to_show(message: &str) {
    let unsafe_one = message.chars().find(|c| *c != '\n' && shared_types::text::is_unsafe(*c));
    assert_eq!(unsafe_one, None, "{message:?}");
}
