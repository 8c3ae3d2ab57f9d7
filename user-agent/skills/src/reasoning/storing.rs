//! Stores turns while the person reads and types, and looks for facts in their lines behind the conversation.
//!
//! A line waits until the turn before it is stored. It does not wait for a model that looks for facts: those lines are taken one
//! after the other, in the thread that stored the first of them. Where their facts matter at once, the rules find them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bot_base::config::Extract;
use ports::KernelContext;
use shared_types::memory::Turn as Record;
use shared_types::message::{Answer, Remember};

/// The lines that wait for a model; one more, and the rules take the place of the model for the one that is looked at.
const MOST_WAITING: usize = 4;
/// How often Ctrl-C is looked for by who waits for the end.
const TICK: Duration = Duration::from_millis(50);

/// What is stored, and what is looked for.
#[derive(Default)]
pub(super) struct Storing {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Whether the last turn is being stored.
    stores: bool,
    /// Lines in which facts are still to be looked for, oldest first.
    waiting: VecDeque<Job>,
    /// Ends the model's part for the line that is looked at, while there is one.
    running: Option<Arc<AtomicBool>>,
    /// What is stored at the end of a program that answers one message.
    later: Option<Work>,
}

type Work = Box<dyn FnOnce() + Send>;

/// A line in which facts are looked for.
struct Job {
    ctx: KernelContext,
    extract: Remember,
    hurry: Arc<AtomicBool>,
}

impl Storing {
    /// Stores a turn in the background, or at the end of a program that answers one message.
    pub(super) fn store(
        self: &Arc<Self>,
        records: Vec<Record>,
        extract: Option<Remember>,
        ctx: &KernelContext,
    ) {
        let (this, ctx) = (self.clone(), ctx.clone());
        if ctx.shared().session.message.is_some() {
            // The only turn: the program ends when it is stored, and a thread would take its time, too.
            let work = move || keep(&records, extract, &ctx);
            self.state().later = Some(Box::new(work));
            return;
        }
        self.state().stores = true;
        let work = Arc::new(move || this.keep(&records, extract.clone(), &ctx));
        let run = work.clone();
        let builder = std::thread::Builder::new().name("remember".into()).stack_size(512 * 1024);
        if builder.spawn(move || run()).is_err() {
            // Without a thread the person waits a moment; nothing is lost.
            work();
        }
    }

    /// Waits until the last turn is stored.
    pub(super) fn kept(&self) {
        self.do_now();
        let mut state = self.state();
        while state.stores {
            state = self.wait(state);
        }
    }

    /// Waits until all is found, by the rules where a model has not answered yet.
    pub(super) fn hurried(&self) {
        self.do_now();
        let mut state = self.state();
        while state.stores || state.running.is_some() {
            state.hurry_all();
            state = self.wait(state);
        }
    }

    /// Waits until all is found. One model is waited for, unless the person cancels; the other lines are left to the rules.
    pub(super) fn finished(&self, ctx: &KernelContext) {
        self.do_now();
        let mut state = self.state();
        while state.stores || state.running.is_some() {
            match ctx.is_cancelled() {
                true => state.hurry_all(),
                false => state.waiting.iter().for_each(|job| job.hurry.store(true, Ordering::Relaxed)),
            }
            state = self.wait(state);
        }
    }

    /// Does what was to be done at the end.
    fn do_now(&self) {
        let later = self.state().later.take();
        if let Some(work) = later {
            work();
        }
    }

    /// Stores a turn, and looks for facts in its line; a line that a model is asked about is looked at behind the next ones.
    fn keep(&self, records: &[Record], extract: Option<Remember>, ctx: &KernelContext) {
        let stores = Ends(self, |state| state.stores = false);
        if !store(records, ctx) {
            return;
        }
        let Some(extract) = extract else { return };
        let mut state = self.state();
        let is_first = state.running.is_none();
        if is_first && !asks_a_model(ctx) {
            drop(state);
            ctx.ask(extract);
            return;
        }
        let hurry = Arc::new(AtomicBool::new(false));
        let ctx = ctx.ended_by(hurry.clone());
        state.waiting.push_back(Job { ctx, extract, hurry });
        match &state.running {
            Some(running) if state.waiting.len() > MOST_WAITING => running.store(true, Ordering::Relaxed),
            Some(_) => {}
            None => state.running = Some(Arc::default()),
        }
        drop(state);
        drop(stores);
        if is_first {
            self.look();
        }
    }

    /// Looks for facts in each line that waits.
    fn look(&self) {
        let _ends = Ends(self, |state| state.running = None);
        loop {
            let mut state = self.state();
            let Some(Job { ctx, extract, hurry }) = state.waiting.pop_front() else {
                // Under the same lock, so that no line is put there in between.
                state.running = None;
                return;
            };
            state.running = Some(hurry);
            drop(state);
            ctx.ask(extract);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl State {
    fn hurry_all(&self) {
        self.waiting.iter().map(|job| &job.hurry).chain(&self.running).for_each(|hurry| {
            hurry.store(true, Ordering::Relaxed);
        });
    }
}

/// Notes that something has ended, a panic included.
struct Ends<'a>(&'a Storing, fn(&mut State));

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        (self.1)(&mut self.0.state());
        self.0.changed.notify_all();
    }
}

/// Stores a turn, then the facts in its line.
fn keep(records: &[Record], extract: Option<Remember>, ctx: &KernelContext) {
    if store(records, ctx) {
        // A fact that is not found is not a loss: the line itself is kept.
        extract.map(|extract| ctx.ask(extract));
    }
}

/// Stores a turn; whether that worked.
fn store(records: &[Record], ctx: &KernelContext) -> bool {
    if let Some(Answer::Failed(error)) = ctx.ask(Remember::Turns { records: records.to_vec() }) {
        bot_base::error::say(&format!("this turn could not be remembered: {error}"));
        return false;
    }
    true
}

/// Whether a model is asked for the facts in a line.
fn asks_a_model(ctx: &KernelContext) -> bool {
    ctx.shared().config.memory.extract == Extract::Auto
        && ctx.handles().model().is_some_and(|model| model.writes_freely("extract"))
}
