//! The console's state, and what each key makes of it.

use std::time::{Duration, Instant};

use base::error::Error;
use base::keys;
use review::ask::{Proof, Source};
use review::package::read_report;
use review::pages::line::{Page, Tone};
use shared_types::id::{ApproverId, ProposalId};

use super::asks;
use super::form::{Answer, Form, Purpose};
use super::keys::Key;
use super::look::Look;
use super::queue::Queue;
use super::reader::Reader;
use super::view::{Changed, Deed, View};
use super::watch::Watch;
use super::work::{Outcome, Work};
use crate::desk::Desk;

/// What the terminal has to do after a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Draw.
    Nothing,
    /// Throw away what was typed ahead: something new is on the screen.
    Drain,
    /// Draw everything anew.
    Repaint,
    /// Give the terminal back to the shell until it lets the program continue.
    Suspend,
    /// Open the editor.
    Edit,
    /// Leave.
    Quit,
}

/// Why a key does nothing.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{}: a number of days", asks::ALWAYS)]
    Days,
    #[error("no package is open")]
    NoPackage,
}

/// What is drawn over the package or the queue.
#[derive(Debug)]
pub(super) enum Front {
    /// Something to read.
    Notice(Reader),
    /// A question.
    Form(Form),
    /// Something that runs, and the text that a person wrote for it.
    Work(Work, Option<String>),
}

/// The console.
#[derive(Debug)]
pub struct App {
    pub(super) desk: Desk,
    passphrase: Source,
    pub(super) look: Look,
    pub(super) queue: Queue,
    pub(super) view: Option<View>,
    pub(super) front: Option<Front>,
    pub(super) status: String,
    pub(super) too_small: bool,
    watch: Watch,
}

impl App {
    /// The console of one approver.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn new(desk: Desk, passphrase: &Source, look: Look) -> Result<App, Error> {
        let watch = Watch::new(desk.home().journal(), Instant::now());
        let mut queue = Queue::default();
        queue.update(desk.queue()?);
        Ok(App {
            desk,
            passphrase: passphrase.clone(),
            look,
            queue,
            view: None,
            front: None,
            status: String::new(),
            too_small: false,
            watch,
        })
    }

    /// Whose console it is.
    pub fn approver(&self) -> &ApproverId {
        self.desk.approver()
    }

    /// Whether it has to be drawn again and again.
    pub fn is_moving(&self) -> bool {
        match &self.front {
            Some(Front::Work(..)) => true,
            Some(Front::Form(form)) => form.quiet_until().is_some(),
            _ => false,
        }
    }

    /// How long it may stay as it is without a key.
    pub fn patience(&self) -> Duration {
        match &self.front {
            Some(Front::Work(..)) => Duration::from_millis(100),
            Some(Front::Form(form)) if form.quiet_until().is_some() => Duration::from_millis(50),
            _ => Duration::from_millis(250),
        }
    }

    /// Does what time brings: answers of what runs, a journal that has grown.
    pub fn tick(&mut self, now: Instant) -> Effect {
        if let Some(Front::Form(form)) = &mut self.front
            && form.settle(now)
        {
            self.status.clear();
            return Effect::Drain;
        }
        if let Some(Front::Work(work, _)) = &self.front
            && let Some(answer) = work.answer(Duration::ZERO)
        {
            self.finish(answer);
            return Effect::Drain;
        }
        // What runs changes the journal itself.
        if !matches!(self.front, Some(Front::Work(..))) && self.watch.has_changed(now) {
            let effect = self.refresh();
            self.watch.took(now.elapsed(), Instant::now());
            return effect;
        }
        Effect::Nothing
    }

    /// Waits for what must not be left in the middle.
    pub fn leave(&mut self) {
        if let Some(Front::Work(work, _)) = &self.front
            && work.decides
            && let Some(answer) = work.answer(Duration::from_secs(30))
        {
            self.finish(answer);
        }
    }

    /// Does what a key says.
    pub fn key(&mut self, key: Key) -> Effect {
        self.status.clear();
        match key {
            Key::Ctrl('l') => return Effect::Repaint,
            Key::Ctrl('c' | 'z') if matches!(&self.front, Some(Front::Work(work, _)) if work.decides) => {
                self.status = "this is being recorded; one moment".into();
                return Effect::Nothing;
            }
            Key::Ctrl('z') => return Effect::Suspend,
            Key::Ctrl('c') => return Effect::Quit,
            Key::Char('q' | 'Q') | Key::Esc if self.too_small => return Effect::Quit,
            _ if self.too_small => return Effect::Nothing,
            _ => {}
        }
        match &mut self.front {
            Some(Front::Work(..)) => Effect::Nothing,
            Some(Front::Notice(reader)) => {
                if !reader.key(key) && matches!(key, Key::Enter | Key::Esc | Key::Char('q' | 'Q')) {
                    self.front = None;
                    return Effect::Drain;
                }
                Effect::Nothing
            }
            Some(Front::Form(form)) => match form.key(key, Instant::now()) {
                Answer::Open(words) => {
                    self.status = words.to_owned();
                    Effect::Nothing
                }
                Answer::Cancelled => {
                    self.front = None;
                    self.status = "nothing was changed".into();
                    Effect::Drain
                }
                Answer::Given => self.given(),
            },
            None if key == Key::Char('?') => self.show(asks::help()),
            None if self.view.is_some() => self.key_in_package(key),
            None => self.key_in_queue(key),
        }
    }

    fn key_in_queue(&mut self, key: Key) -> Effect {
        match key {
            Key::Char('q' | 'Q') | Key::Esc => Effect::Quit,
            Key::Enter => match self.queue.chosen().map(|item| item.id.clone()) {
                Some(id) => self.open(&id),
                None => Effect::Nothing,
            },
            Key::Char('a' | 'A' | 'r' | 'R') if self.queue.chosen().is_some() => {
                self.status = "first open the package (Enter): what was not seen is not decided".into();
                Effect::Nothing
            }
            key => {
                self.queue.key(key);
                Effect::Nothing
            }
        }
    }

    fn key_in_package(&mut self, key: Key) -> Effect {
        let Some(view) = &mut self.view else { return Effect::Nothing };
        let id = view.package().item.id.clone();
        match key {
            Key::Esc => {
                self.view = None;
                return Effect::Drain;
            }
            Key::Char('p' | 'P') => return self.step(&id, false),
            _ => {}
        }
        match view.key(key) {
            None => Effect::Nothing,
            Some(Deed::Quit) => Effect::Quit,
            Some(Deed::Skip) => self.step(&id, true),
            Some(Deed::View) => {
                if !view.open("source") {
                    self.status = "there is no source yet".into();
                }
                Effect::Nothing
            }
            Some(Deed::Reject) => {
                self.front = Some(Front::Form(asks::reject(view.package(), self.look)));
                Effect::Drain
            }
            Some(Deed::Note) => {
                self.front = Some(Front::Form(asks::note(view.package(), self.look)));
                Effect::Drain
            }
            Some(Deed::Approve) => self.ask_approval(),
            Some(Deed::Edit) if view.package().seen.is_none() => self.not_ready("edited"),
            Some(Deed::Edit) => Effect::Edit,
            Some(Deed::Try) if view.package().tools.is_empty() => self.not_ready("tried"),
            Some(Deed::Try) => {
                let report = read_report(self.desk.home(), &id).ok();
                self.front = Some(Front::Form(asks::try_tool(view.package(), report.as_ref(), self.look)));
                Effect::Drain
            }
        }
    }

    fn not_ready(&mut self, done: &str) -> Effect {
        self.status = format!("there is nothing yet that could be {done}: this is not ready for a decision");
        Effect::Nothing
    }

    /// Opens a package.
    fn open(&mut self, id: &ProposalId) -> Effect {
        match self.desk.package(id) {
            Ok(package) => self.view = Some(View::new(package, self.look)),
            Err(error) => return self.fail(&error),
        }
        Effect::Drain
    }

    fn step(&mut self, id: &ProposalId, forward: bool) -> Effect {
        match self.queue.step(id, forward).map(|item| item.id.clone()) {
            Some(next) => self.open(&next),
            None => {
                self.view = None;
                self.status = if forward { "that was the last one" } else { "that was the first one" }.into();
                Effect::Drain
            }
        }
    }

    /// The question before a yes; about the report that was shown and no other.
    fn ask_approval(&mut self) -> Effect {
        let Some(view) = &self.view else { return Effect::Nothing };
        if view.is_at_gate() {
            self.front = Some(Front::Form(asks::gate(view, self.look)));
            return Effect::Drain;
        }
        if view.package().asked.is_some() {
            let form = self.desk.needs_here().map(|mut needs| {
                needs.passphrase &= self.passphrase.file.is_none();
                asks::action(view, needs, self.look)
            });
            match form {
                Ok(form) => self.front = Some(Front::Form(form)),
                Err(error) => return self.fail(&error),
            }
            return Effect::Drain;
        }
        if view.package().seen.is_none() {
            return self.not_ready("approved");
        }
        let asked = self.desk.report(view.package()).and_then(|report| {
            let mut needs = self.desk.needs_here()?;
            needs.passphrase &= self.passphrase.file.is_none();
            let choices = self.desk.choices(view.package())?;
            Ok(asks::approve(view, &report, &choices, needs, self.look))
        });
        match asked {
            Ok(form) => {
                self.front = Some(Front::Form(form));
                Effect::Drain
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Does what a form asks for.
    fn given(&mut self) -> Effect {
        let (Some(Front::Form(mut form)), Some(view)) = (self.front.take(), &self.view) else {
            return Effect::Nothing;
        };
        let (desk, mut package) = (self.desk.clone(), view.package().clone());
        let id = package.item.id.clone();
        let words = |answer: Result<String, Error>| answer.map(Outcome::Words);
        let work = match form.purpose {
            Purpose::Approve => {
                let passphrase = match self.secret(&mut form) {
                    Ok(passphrase) => passphrase,
                    Err(error) => return self.fail(&error),
                };
                let code = Some(form.text(asks::CODE).trim().to_owned()).filter(|code| !code.is_empty());
                let proof = Proof { passphrase, code, ..Proof::default() };
                if let Ok(chosen) = form.text(asks::RECIPIENTS).parse() {
                    package.recipients = chosen;
                }
                let always = if package.asked.is_some() {
                    let days = form.text(asks::ALWAYS).trim().to_owned();
                    match (days.as_str(), days.parse::<u16>()) {
                        ("" | "0", _) => None,
                        (_, Ok(days)) => Some(days),
                        (_, Err(_)) => {
                            return self.fail(&Error::usage(Fault::Days));
                        }
                    }
                } else {
                    None
                };
                Work::start("approving", true, move || {
                    words(match always {
                        Some(_) => desk.allow(&package, &proof, always),
                        None => desk.approve(&package, &proof),
                    })
                })
            }
            Purpose::Gate => Work::start("letting it continue", true, move || words(desk.open_gate(&id))),
            Purpose::Reject => {
                let reason = form.text(asks::REASON).trim().to_owned();
                Work::start("rejecting", true, move || words(desk.reject(&id, &reason)))
            }
            Purpose::Note => {
                let text = form.text(asks::NOTE).trim().to_owned();
                Work::start("keeping the note", true, move || words(desk.note(&id, &text)))
            }
            Purpose::Try => {
                let (tool, args) = (form.text(asks::TOOL).to_owned(), form.text(asks::ARGUMENTS).to_owned());
                Work::start("calling the tool", false, move || {
                    desk.try_tool(&package, &tool, &args).map(|run| Outcome::Tried(Box::new(run)))
                })
            }
        };
        self.front = Some(Front::Work(work, None));
        Effect::Nothing
    }

    /// The passphrase for a yes, from the form or from the file that the command line names.
    fn secret(&self, form: &mut Form) -> Result<Option<shared_types::secret::Secret>, Error> {
        match &self.passphrase.file {
            Some(path) if self.desk.needs_here()?.passphrase => keys::from_file(path).map(Some),
            _ => Ok(form.take_secret(asks::PASSPHRASE)),
        }
    }

    /// The source that is to be edited.
    ///
    /// # Errors
    /// There is no package, or no source.
    pub fn to_edit(&self) -> Result<String, Error> {
        let Some(view) = &self.view else { return Err(Error::failed(Fault::NoPackage)) };
        self.desk.source(&view.package().item.id)
    }

    /// Hands in what came back from the editor.
    pub fn edited(&mut self, edited: Result<Option<String>, Error>) {
        let (text, view) = match (edited, &self.view) {
            (Ok(Some(text)), Some(view)) => (text, view),
            (Ok(_), _) => {
                self.status = "the source is as it was; nothing was changed".into();
                return;
            }
            (Err(error), _) => {
                self.fail(&error);
                return;
            }
        };
        let (desk, package, kept) = (self.desk.clone(), view.package().clone(), text.clone());
        let work = Work::start("handing the edited source in", true, move || {
            desk.edit(&package, &text).map(Outcome::Words)
        });
        self.front = Some(Front::Work(work, Some(kept)));
    }

    /// Shows what came of something that ran.
    fn finish(&mut self, answer: Result<Outcome, Error>) {
        let Some(Front::Work(_, draft)) = self.front.take() else { return };
        let page = match (answer, draft) {
            (Ok(Outcome::Words(words)), _) => asks::notice("DONE", Tone::Strong, &words),
            (Ok(Outcome::Tried(run)), _) => asks::tried(&run),
            (Err(error), None) => asks::failure(&error),
            (Err(error), Some(text)) => {
                let mut page = asks::failure(&error);
                let words = self.keep(&text);
                page.lines.extend(asks::notice("", Tone::Strong, &words).lines);
                page
            }
        };
        self.refresh();
        self.show(page);
    }

    /// Keeps a text that was not taken, for what a person wrote is not thrown away; says where.
    fn keep(&self, text: &str) -> String {
        let Some(view) = &self.view else { return String::new() };
        let id = &view.package().item.id;
        let path = self.desk.home().admin().join(format!("edited-{id}.rs"));
        match durable::replace(&path, text.as_bytes(), 0o600) {
            Ok(()) => {
                format!("your text is kept: `cl-admin edit {id} --file {}` hands it in again", path.display())
            }
            Err(error) => format!("your text could not be kept in {}: {error}", path.display()),
        }
    }

    /// Reads the queue and the open package anew.
    fn refresh(&mut self) -> Effect {
        match self.desk.queue() {
            Ok(items) => self.queue.update(items),
            Err(error) => return self.fail(&error),
        }
        let Some(view) = &mut self.view else { return Effect::Nothing };
        let name = view.package().item.name.clone();
        match self.desk.package(&view.package().item.id) {
            Ok(package) if package.item.status.is_settled() => {
                let words = format!("{name} is settled: {}", package.item.status);
                self.view = None;
                self.show(asks::notice("SETTLED", Tone::Plain, &words))
            }
            Ok(package) => match view.update(package, self.look) {
                Changed::No | Changed::More => Effect::Nothing,
                Changed::Replaced => {
                    let words = format!("{name} has changed; what follows is what it is now. Read it anew.");
                    self.show(asks::notice("CHANGED", Tone::Caution, &words))
                }
            },
            Err(error) => {
                self.view = None;
                self.fail(&error)
            }
        }
    }

    fn fail(&mut self, error: &Error) -> Effect {
        self.show(asks::failure(error))
    }

    fn show(&mut self, page: Page) -> Effect {
        self.front = Some(Front::Notice(Reader::new(page, self.look)));
        Effect::Drain
    }
}
