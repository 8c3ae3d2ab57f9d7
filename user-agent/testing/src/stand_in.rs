//! An admin service that only answers actions, as a test says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use shared_types::action::ActionResult;
use shared_types::proposal::{Document, HistoryEntry};
use shared_types::status::{Status, Wait};

/// Publishes a document in the mirror.
pub type Publish<'a> = dyn Fn(&Document) + 'a;

/// The service; it ends with the value.
pub struct StandIn {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl StandIn {
    /// Starts; `answer` is called once for each new wish beneath `folder`.
    pub fn start(folder: &Path, answer: impl Fn(Document, &Publish<'_>) + Send + 'static) -> StandIn {
        let over = Arc::new(AtomicBool::new(false));
        let (ended, proposals, status) = (over.clone(), folder.join("proposals"), folder.join("status"));
        let thread = std::thread::spawn(move || {
            let mut known = BTreeSet::new();
            while !ended.load(Ordering::Relaxed) {
                for entry in fs::read_dir(&proposals).unwrap().flatten() {
                    let name = entry.file_name().into_string().unwrap();
                    if !name.ends_with(".yaml") || name.starts_with('.') || !known.insert(name.clone()) {
                        continue;
                    }
                    let document =
                        documents::proposal::parse_wish(&fs::read_to_string(entry.path()).unwrap()).unwrap();
                    let publish = |document: &Document| {
                        let text = documents::yaml::to_string(document).unwrap();
                        let hidden = status.join(format!(".{name}"));
                        fs::write(&hidden, text).unwrap();
                        fs::rename(hidden, status.join(&name)).unwrap();
                    };
                    answer(document, &publish);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        StandIn { over, thread: Some(thread) }
    }

    /// One that lets every action through at once and answers this result.
    pub fn allowing(folder: &Path, result: ActionResult) -> StandIn {
        StandIn::start(folder, move |document, publish| {
            publish(&moved(
                Document { result: Some(result.clone()), ..document },
                Status::Accepted,
                "policy",
                None,
            ));
        })
    }

    /// One that says no to every action.
    pub fn refusing(folder: &Path, why: &'static str) -> StandIn {
        StandIn::start(folder, move |document, publish| {
            publish(&moved(document, Status::Rejected, "policy", Some(why)));
        })
    }

    /// One that leaves every action to a person.
    pub fn asking(folder: &Path) -> StandIn {
        StandIn::start(folder, |document, publish| publish(&waiting(document)))
    }
}

/// A document that waits for a person.
pub fn waiting(document: Document) -> Document {
    Document { waits_for: Some(Wait::Person), ..moved(document, Status::HumanReview, "policy", None) }
}

/// A document moved on by somebody.
pub fn moved(mut document: Document, to: Status, by: &str, why: Option<&str>) -> Document {
    document.status = to;
    document.waits_for = None;
    document.history.push(HistoryEntry {
        timestamp: "2026-02-07T14:30:00Z".to_owned(),
        status: to,
        actor: by.to_owned(),
        reason: why.map(str::to_owned),
    });
    document
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        // A stand-in that failed would otherwise pass for one that does not answer.
        assert!(std::thread::panicking() || ended.is_none_or(|ended| ended.is_ok()), "the stand-in failed");
    }
}
