//! The log of one run: `logs/workflows/<run>.jsonl`, a record a line, each synced before the next thing happens.

use std::fmt::Display;
use std::fs::File;

use bot_base::error::Error;
use bot_base::paths::Folder;
use ports::{Kernel, Places, Shared};
use shared_types::id::ConversationId;

use super::state::{Event, Record, State};

/// The folder, in the profile's `logs/`.
const FOLDER: &str = "workflows";
/// The largest log that is read, in bytes: more than the texts of all steps.
const MAX_LOG: u64 = 64 * 1024 * 1024;
/// How many runs are looked through at most, the newest first.
const MOST_RUNS: usize = 1_000;

/// The open log of a run that nobody else drives.
#[derive(Debug)]
pub struct RunLog {
    /// What it tells.
    pub state: State,
    file: File,
}

impl RunLog {
    /// Begins a run.
    ///
    /// # Errors
    /// A log that cannot be made.
    pub fn begin(kernel: &Kernel, begun: Event) -> Result<RunLog, Error> {
        let folder = folder(kernel)?;
        let record = Record { at: kernel.program().timestamp(), what: begun };
        let state = State::first(&record).ok_or_else(|| broken("its first record is not its beginning"))?;
        let name = file_of(&state.run);
        folder.create_new(&name, format!("{}\n", line(&record)?).as_bytes(), 0o600)?;
        let file = folder.log(&name)?;
        hold(&file, &state.run)?;
        Ok(RunLog { state, file })
    }

    /// Opens the log of a run that is to be continued.
    ///
    /// # Errors
    /// A run that does not exist, one that another process drives, or a log that does not add up.
    pub fn open(kernel: &Kernel, run: &ConversationId) -> Result<RunLog, Error> {
        let folder = folder(kernel)?;
        let name = file_of(run);
        let file = folder.log(&name)?;
        hold(&file, run)?;
        // Read only now that nobody writes.
        let state = read(&folder, &name)?;
        Ok(RunLog { state, file })
    }

    /// Records what happened, and syncs it.
    ///
    /// # Errors
    /// A record that cannot stand here, or a disk that takes no more; the log is then as it was.
    pub fn record(&mut self, shared: &Shared, what: Event) -> Result<(), Error> {
        let record = Record { at: shared.timestamp(), what };
        let mut next = self.state.clone();
        next.take(&record).map_err(broken)?;
        durable::append_line(&self.file, &line(&record)?).map_err(|e| Error::Workflow {
            what: format!("the run cannot be recorded: {e}"),
            hint: format!("when there is room again: cl-bot sop resume {}", self.state.run),
            refused: false,
        })?;
        self.state = next;
        Ok(())
    }
}

/// The runs of this profile, the newest first; the second list names logs that do not add up.
pub fn runs(kernel: &Kernel) -> Result<(Vec<State>, Vec<String>), Error> {
    let folder = folder(kernel)?;
    let mut names = folder.files()?;
    names.reverse();
    let (mut states, mut odd) = (Vec::new(), Vec::new());
    for name in names.iter().filter(|n| n.ends_with(".jsonl")).take(MOST_RUNS) {
        match read(&folder, name) {
            Ok(state) => states.push(state),
            Err(e) => odd.push(format!("{name}: {e}")),
        }
    }
    Ok((states, odd))
}

/// The run that a person names: its identifier, its beginning where that is one run's, or `last`.
///
/// # Errors
/// None, or several.
pub fn named(kernel: &Kernel, asked: &str) -> Result<State, Error> {
    let (mut states, _) = runs(kernel)?;
    if asked != "last" {
        states.retain(|state| state.run.as_str().starts_with(asked));
    }
    let exact = states.iter().position(|state| state.run.as_str() == asked);
    match (exact, states.len()) {
        (Some(n), _) => Ok(states.swap_remove(n)),
        (None, 1) => Ok(states.swap_remove(0)),
        (None, n) if n > 1 && asked == "last" => Ok(states.swap_remove(0)),
        (None, n) => Err(Error::Usage {
            what: match n {
                0 => format!("there is no run `{}`", shared_types::text::cut(asked, 80)),
                _ => format!("`{}` is the beginning of {n} runs", shared_types::text::cut(asked, 80)),
            },
            hint: "`cl-bot sop status` lists them".to_owned(),
        }),
    }
}

fn folder(kernel: &Kernel) -> Result<Folder, Error> {
    Ok(Places::of(kernel).logs.make_folder(FOLDER)?)
}

fn file_of(run: &ConversationId) -> String {
    format!("{run}.jsonl")
}

/// Holds the log for this process, so that no step is done by two.
fn hold(file: &File, run: &ConversationId) -> Result<(), Error> {
    file.try_lock().map_err(|_| Error::Workflow {
        what: format!("the run {run} is being driven by another process"),
        hint: "wait for its end; `cl-bot sop status` shows where it stands".to_owned(),
        refused: true,
    })
}

fn read(folder: &Folder, name: &str) -> Result<State, Error> {
    let text = folder.read_text(name, MAX_LOG)?;
    let mut state: Option<State> = None;
    // A last line without its newline was never accepted; the next record takes its place.
    for (n, line) in text.split_inclusive('\n').filter(|line| line.ends_with('\n')).enumerate() {
        let at = |why: &dyn Display| broken(format!("record {} of {name}: {why}", n + 1));
        let record: Record = serde_json::from_slice(line.as_bytes()).map_err(|e| at(&e))?;
        match &mut state {
            None => state = Some(State::first(&record).ok_or_else(|| at(&"the run has no beginning"))?),
            Some(state) => state.take(&record).map_err(|why| at(&why))?,
        }
    }
    state.ok_or_else(|| broken(format!("{name} is empty")))
}

fn line(record: &Record) -> Result<String, Error> {
    serde_json::to_string(record).map_err(broken)
}

fn broken(why: impl Display) -> Error {
    Error::Workflow {
        what: format!("the log of this run does not add up: {why}"),
        hint: "begin a new run with `cl-bot sop run NAME`; the log stays where it is".to_owned(),
        refused: false,
    }
}
