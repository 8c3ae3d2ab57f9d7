//! `mind`'s side of the door, in the place of the terminal: judges each request, answers looks at once, and lines one after the
//! other.
//!
//! What a program sends counts as content from outside and is not a directive; a line that comes from the person is one. The
//! person who watches an answer come is asked about calls of medium risk; everybody else is refused what would ask, with the
//! next step.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bot_base::error::Error;
use kernel::approval::GATE;
use kernel::skill::Skill;
use language::After;
use models::AttachmentError;
use models::attachment::{MOST_PICTURES, Text};
use nix::sys::signal::Signal;
use ports::own::{core_events, own_name};
use ports::{Kernel, KernelContext, Pictures, Places, Shared, guard};
use serde_json::{Map, Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::{Event, core};
use shared_types::exit;
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::message::{
    Answer, CallQuestion, Command, Input, Line, Message, Reply, Show, TurnOutcome, TurnResult,
};
use shared_types::provenance::Provenance;
use shared_types::risk::Risk;
use shared_types::text;
use terminal::{News, Ready};

use crate::bodies::{LONGEST_TEXT, SentPicture, SentText, Turn, is_text};
use crate::duties::{self, Counted, Duties};
use crate::frames::{Answered, Ask, Asked, LONGEST_LINE, MOST_OPEN, Part, Refusal, ToDoor};
use crate::side::Side;
use crate::tokens::{Caller, Tokens};

/// The most lines that wait for the conversation; one that streams waits as one that does not.
const MOST_WAITING: usize = 256;
/// The most lines with pictures that wait or are answered, each with at most 2 MiB.
const MOST_WITH_PICTURES: usize = 4;
/// How deep the arguments of a call are shown as they are.
const MOST_DEEP: usize = 16;
/// How often the driver looks whether it should end.
const TICK: Duration = Duration::from_millis(500);
/// After this number of looks without a request the pages that it used are given back.
const QUIET: u64 = 2;
/// How long the door may take to leave while nothing is asked.
const LEAVING: Duration = Duration::from_secs(30);
/// How long the person is waited for.
const PATIENCE: Duration = Duration::from_secs(600);
/// The conversation, whose answers are streamed.
const CONVERSATION: &str = "reasoning";

/// The driver.
pub struct Doorway {
    name: SkillName,
    inner: Arc<Inner>,
    after: Mutex<After>,
    /// The conversation of the last line, where the conversation has it.
    current: Mutex<Option<ConversationId>>,
    /// What was announced to the person as ready for review.
    ready: Mutex<Ready>,
}

/// What the threads share.
struct Inner {
    side: Box<dyn Side>,
    tokens: Tokens,
    kernel: OnceLock<Weak<Kernel>>,
    duties: Duties,
    running: Mutex<Option<Running>>,
    /// The question of the gate, and the word about it.
    question: Mutex<Option<(u64, Option<bool>)>>,
    answered: Condvar,
    /// Every line with pictures holds another of these.
    pictured: Arc<()>,
    /// The lines that wait, by the numbers of their requests, and whether each was called off.
    waiting: Mutex<HashMap<u64, bool>>,
    conversations: AtomicU64,
    failures: AtomicU64,
    /// Whether something was forgotten or corrected since the conversation was taken up.
    forgot: AtomicBool,
    /// Whether the other side has ended.
    is_alone: AtomicBool,
    /// The looks since the last request.
    quiet: AtomicU64,
    /// The other end of this is the starter, where there is one; it ends before this process only by being killed.
    starter: Option<File>,
}

/// The request that the conversation answers.
struct Running {
    id: u64,
    streams: bool,
    /// Whether the person of the profile watches, and can be asked.
    asks: bool,
}

/// A line that waits.
struct Waiting {
    id: u64,
    caller: Caller,
    message: String,
    conversation: Option<String>,
    /// Whether that one may begin with this line.
    begins: bool,
    streams: bool,
    /// Whether the person of the profile watches, and can be asked.
    asks: bool,
    /// The pictures that go with it.
    pictures: Option<Attached>,
    /// The texts that do.
    texts: Vec<Text>,
}

/// The pictures of a line, and its room among the lines that have some.
struct Attached {
    pictures: Pictures,
    _room: Arc<()>,
}

/// A look that waits.
struct Look {
    id: u64,
    token: Option<String>,
    ask: Ask,
}

/// Tells the driver which kernel it drives; without it nothing is answered.
pub struct Attach(Arc<Inner>);

impl Attach {
    /// The kernel is booted.
    pub fn to(self, kernel: &Arc<Kernel>) {
        self.0.side.attached(kernel);
        let _ = self.0.kernel.set(Arc::downgrade(kernel));
    }
}

impl Doorway {
    /// A driver with its other side, and with its end of the socket to the starter, where there is one.
    ///
    /// # Errors
    /// The socket to the starter cannot be read without waiting.
    pub fn new(
        side: Box<dyn Side>,
        starter: Option<OwnedFd>,
        tokens: Tokens,
    ) -> std::io::Result<(Doorway, Attach)> {
        let starter = starter.map(UnixStream::from);
        starter.iter().try_for_each(|starter| starter.set_nonblocking(true))?;
        // Read as a file: `mind` may make no call of sockets.
        let starter = starter.map(|starter| File::from(OwnedFd::from(starter)));
        let inner = Arc::new(Inner {
            side,
            tokens,
            kernel: OnceLock::new(),
            duties: Duties::default(),
            running: Mutex::default(),
            question: Mutex::default(),
            answered: Condvar::new(),
            pictured: Arc::default(),
            waiting: Mutex::default(),
            conversations: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            forgot: AtomicBool::new(false),
            is_alone: AtomicBool::new(false),
            quiet: AtomicU64::new(0),
            starter,
        });
        let attach = Attach(inner.clone());
        let name = own_name("cli");
        let (after, current, ready) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok((Doorway { name, inner, after, current, ready }, attach))
    }
}

impl Skill<Shared> for Doorway {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Answers those who come over HTTP, or through an editor"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::UserInput, Token::UserOutput].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::ASSISTANT_OUTPUT])
    }

    fn emits_events(&self) -> Vec<EventType> {
        core_events(&[core::USER_INPUT])
    }

    fn tools(&self) -> &[Tool] {
        &[]
    }

    fn answer(&self, event: &Event<Message>, ctx: &KernelContext) -> Option<Answer> {
        let Message::Show(show) = &event.payload else { return None };
        let from = &event.source;
        match show {
            Show::Approve { approve } if from == GATE => return Some(self.approve(approve, ctx)),
            Show::Stream { stream } if from == CONVERSATION => self.inner.more(Part::Piece(stream.clone())),
            Show::StreamAgain { .. } if from == CONVERSATION => self.inner.more(Part::Again),
            Show::Status { status } if from == CONVERSATION => self.inner.more(Part::Doing(status.clone())),
            Show::Note { note } if from == CONVERSATION => self.inner.more(Part::Note(note.clone())),
            Show::Waiting { waiting, .. } => {
                self.inner.more(Part::Doing(format!("{from}: {}", text::cut(waiting, 200))));
            }
            Show::Say { say } => self.inner.more(Part::Note(format!("{from}: {}", guard::output(say)))),
            Show::Ask { .. } => return Some(Answer::Failed("no one is here to answer".to_owned())),
            _ => return None,
        }
        Some(Answer::Shown)
    }

    fn run(&self, ctx: &KernelContext) -> Option<Result<u8, Error>> {
        Some(self.serve(ctx))
    }
}

impl Doorway {
    /// Answers until a signal, the end of the starter or of the door, or something new that is installed.
    fn serve(&self, ctx: &KernelContext) -> Result<u8, Error> {
        let system = |what| move |source| Error::System { what, source };
        let ended = confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP])
            .map_err(system("signals cannot be caught"))?;
        let (lines, waiting) = sync_channel(MOST_WAITING);
        let (looks, looked) = sync_channel::<Look>(MOST_OPEN);
        let (reader, looker) = (self.inner.clone(), self.inner.clone());
        let cancel = ctx.cancel().clone();
        let no_thread = system("a thread could not be started");
        Builder::new()
            .name("door".into())
            .spawn(move || reader.listen(&lines, &looks, &cancel))
            .map_err(no_thread)?;
        Builder::new().name("looks".into()).spawn(move || looker.look(&looked)).map_err(no_thread)?;
        let (watcher, cancel) = (self.inner.clone(), ctx.cancel().clone());
        Builder::new()
            .name("ending".into())
            .spawn(move || watcher.end_turns(ended, &cancel))
            .map_err(no_thread)?;
        let mut news = News::default();
        // Since when the door has been asked to leave.
        let mut leaves: Option<Instant> = None;
        loop {
            if ended.load(Ordering::Relaxed) || self.inner.starter_ended() {
                return Ok(exit::DONE);
            }
            if self.inner.is_alone.load(Ordering::Relaxed) {
                if leaves.is_some() {
                    return Ok(exit::RESTART);
                }
                return self.inner.side.gone();
            }
            match self.next(&waiting) {
                Some(line) => self.turn(line, ctx),
                None if leaves.is_some_and(|since| since.elapsed() > LEAVING) => return Ok(exit::RESTART),
                None if leaves.is_none() && news.installed(ctx) => {
                    leaves = Some(Instant::now());
                    self.inner.is_alone.fetch_or(self.inner.side.leave(), Ordering::Relaxed);
                }
                None if leaves.is_none() && self.inner.side.announces() => {
                    let news = lock(&self.ready).look(ctx);
                    if !news.is_empty() {
                        self.inner.side.announce(&news);
                    }
                }
                None => {}
            }
        }
    }

    fn next(&self, waiting: &Receiver<Waiting>) -> Option<Waiting> {
        match waiting.recv_timeout(TICK) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => {
                if self.inner.quiet.fetch_add(1, Ordering::Relaxed) == QUIET {
                    confine::give_back();
                }
                None
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.inner.is_alone.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// Asks the person who watches the answer come about one call. A program is never asked, nor anybody about more than
    /// medium risk: an owned door could say the yes itself.
    fn approve(&self, asked: &CallQuestion, ctx: &KernelContext) -> Answer {
        let no = |asked: bool, why: &str| Answer::Unapproved { why: why.to_owned(), asked };
        let inner = &self.inner;
        let watched = lock(&inner.running).as_ref().filter(|running| running.asks).map(|running| running.id);
        let (Some(id), Ok(question), true) = (watched, ctx.shared().random(), asked.risk <= Risk::Medium)
        else {
            return no(
                false,
                "nobody says yes here. Ask in `cl-bot` at a terminal, or have the admin set `autonomy` or `grants` in the \
                 profile's file",
            );
        };
        // A number that every JSON reader keeps whole.
        let question = question >> 12;
        *lock(&inner.question) = Some((question, None));
        inner.send(id, Part::Question(facts(question, asked)));
        let begun = Instant::now();
        let word = loop {
            if ctx.cancel().load(Ordering::Relaxed) || inner.is_alone.load(Ordering::Relaxed) {
                break Err("the person cancelled");
            }
            if begun.elapsed() > PATIENCE {
                break Err("there was no answer in time");
            }
            let waiting = inner.answered.wait_timeout(lock(&inner.question), TICK);
            let waiting = waiting.unwrap_or_else(PoisonError::into_inner).0;
            if let Some((number, Some(yes))) = *waiting
                && number == question
            {
                break if yes { Ok(()) } else { Err("the person said no") };
            }
        };
        *lock(&inner.question) = None;
        word.map_or_else(|why| no(true, why), |()| Answer::Approved)
    }

    /// Answers a line.
    fn turn(&self, line: Waiting, ctx: &KernelContext) {
        let inner = &self.inner;
        let id = line.id;
        // In one step, as seen by a caller that cancels it.
        let mut running = lock(&inner.running);
        if lock(&inner.waiting).remove(&id) == Some(true) {
            drop(running);
            return inner.end(id, Err((Refusal::Cancelled, "called off".to_owned())));
        }
        ctx.cancel().store(false, Ordering::Relaxed);
        *running = Some(Running { id, streams: line.streams, asks: line.asks });
        drop(running);
        let answer = self.answered(line, ctx);
        *lock(&inner.running) = None;
        inner.end(id, answer);
    }

    fn answered(&self, line: Waiting, ctx: &KernelContext) -> Result<Value, (Refusal, String)> {
        // A person in need is answered regardless of any stop.
        let is_of_need = lock(&self.after).said(&line.message).is_some();
        if let Some(why) = ctx.shared().halted().filter(|_| !is_of_need) {
            return Err((Refusal::Unavailable, why));
        }
        match self.turn_to(line.conversation.as_deref(), line.begins, ctx) {
            Err(_) if is_of_need => self.turn_to(None, false, ctx)?,
            turned => turned?,
        }
        let untyped = line.caller == Caller::Program;
        if untyped {
            ctx.brings(Provenance::OUTSIDE);
        }
        let untaught = crate::untaught::answer(&line.message, ctx).filter(|_| untyped && !is_of_need);
        // What the profile's limits forbid is said by the conversation.
        let untaught = untaught.filter(|_| ctx.shared().talk.judge().is_ok());
        if let Some(words) = untaught.filter(|_| self.inner.is_companion()) {
            let reply = Reply { reply: words.to_owned(), outcome: TurnOutcome::Denied, ..Reply::default() };
            let denied = TurnResult::Reply(Box::new(reply));
            return Ok(terminal::as_json(&denied, Duration::ZERO, ctx));
        }
        let asked = Line { text: line.message, stream: line.streams, untyped, relayed: true, call: None };
        let attached = &ctx.shared().session.pictures;
        if let Some(Attached { pictures, .. }) = &line.pictures {
            attached.put(pictures);
        }
        ctx.shared().session.texts.put(line.texts);
        let (result, _) = terminal::answered(Input::Line(asked), ctx);
        // Where the line came to nothing, the next one has none of them.
        attached.take();
        ctx.shared().session.texts.take();
        let notes = match &result {
            // A model may say that it remembers.
            TurnResult::Reply(reply) => {
                reply.notes.iter().cloned().chain(untaught.map(str::to_owned)).collect::<Vec<_>>()
            }
            TurnResult::Refused { refused } => return Err((Refusal::Forbidden, text::line(refused))),
            TurnResult::Cancelled { .. } => return Err((Refusal::Cancelled, "called off".to_owned())),
            TurnResult::Failed { failed } => {
                self.inner.failures.fetch_add(1, Ordering::Relaxed);
                return Err((Refusal::Failed, text::line(failed)));
            }
        };
        let seconds = if let TurnResult::Reply(reply) = &result { reply.seconds } else { 0.0 };
        let took = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let shown = terminal::as_json(&result, took, ctx);
        let ready = if untyped { vec![] } else { self.became_ready(ctx) };
        let body = serde_json::from_value::<Turn>(shown).map(|turn| Turn { notes, ready, ..turn });
        body.and_then(serde_json::to_value).map_err(|e| (Refusal::Failed, e.to_string()))
    }

    /// What became ready for review since the person was last notified, as at the prompt of a terminal.
    fn became_ready(&self, ctx: &KernelContext) -> Vec<String> {
        let mut ready = lock(&self.ready);
        ready.look_again();
        ready.look(ctx)
    }

    /// Takes up the conversation that a line belongs to, or begins one: under a new id, or under the wanted one where the line
    /// may begin it.
    fn turn_to(
        &self,
        wanted: Option<&str>,
        begins: bool,
        ctx: &KernelContext,
    ) -> Result<(), (Refusal, String)> {
        let mut current = lock(&self.current);
        if self.inner.forgot.swap(false, Ordering::Relaxed) {
            // What the conversation holds in memory may be what is no longer kept.
            *current = None;
        }
        let begin = |new: ConversationId, current: &mut Option<ConversationId>| {
            ctx.turn_to(new.clone());
            self.inner.conversations.fetch_add(1, Ordering::Relaxed);
            *current = Some(new);
        };
        let Some(wanted) = wanted else {
            begin(ConversationId::generate(), &mut current);
            return Ok(());
        };
        let known = wanted.parse::<ConversationId>().ok().filter(ConversationId::is_generated);
        let Some(id) = known else {
            let why = "`conversation_id` is what an answer named: 36 characters";
            return Err((Refusal::Invalid, why.to_owned()));
        };
        if current.as_ref() == Some(&id) {
            return Ok(());
        }
        // Regardless of the outcome, the conversation no longer has the one before.
        *current = None;
        match ctx.ask(Command::Resume { argument: id.to_string() }) {
            Some(Answer::Resumed { turns, .. }) if turns > 0 => {
                ctx.turn_to(id.clone());
                *current = Some(id);
                Ok(())
            }
            _ if begins => {
                begin(id, &mut current);
                Ok(())
            }
            _ => {
                let why = "no conversation has this `conversation_id`; without one a new one begins";
                Err((Refusal::NotFound, why.to_owned()))
            }
        }
    }
}

impl Inner {
    /// Hears what the other side asks until it has ended.
    fn listen(&self, lines: &SyncSender<Waiting>, looks: &SyncSender<Look>, cancel: &AtomicBool) {
        self.side.listen(&|asked| self.heard(asked, lines, looks, cancel));
        self.is_alone.store(true, Ordering::Relaxed);
    }

    fn heard(
        &self,
        asked: Asked,
        lines: &SyncSender<Waiting>,
        looks: &SyncSender<Look>,
        cancel: &AtomicBool,
    ) {
        let Asked { id, token, ask } = asked;
        self.quiet.store(0, Ordering::Relaxed);
        if let Ask::Cancel { of } = ask {
            return self.call_off(of, cancel);
        }
        let caller = match (&ask, self.kernel()) {
            (_, None) => return self.end(id, Err((Refusal::Unavailable, "the bot is starting".to_owned()))),
            (Ask::Health | Ask::Session { .. } | Ask::Browser { .. }, Some(_)) => Caller::Program,
            (_, Some(kernel)) => match self.tokens.judge(token.as_deref(), &Places::of(&kernel).config) {
                Some(caller) => caller,
                None => {
                    let why = "this needs a token of the profile, as in `Authorization: Bearer ...`; \
                               `cl-admin door add NAME` makes one";
                    return self.end(id, Err((Refusal::Unauthorized, why.to_owned())));
                }
            },
        };
        let busy = || Err((Refusal::Busy, "too many requests wait; try again later".to_owned()));
        match ask {
            Ask::Chat { message, .. } if message.trim().is_empty() || message.len() > LONGEST_LINE => {
                let why = format!("`message` has 1 to {LONGEST_LINE} bytes");
                self.end(id, Err((Refusal::Invalid, why)));
            }
            Ask::Chat { .. } if lock(&self.waiting).len() >= MOST_WAITING => self.end(id, busy()),
            Ask::Chat { pictures, .. } if !pictures.is_empty() && caller == Caller::Program => {
                let why = "pictures go with a line of the person alone: a token that was made with `--person`, or a session";
                self.end(id, Err((Refusal::NotPerson, why.to_owned())));
            }
            Ask::Chat { message, conversation, begins, stream, asks, pictures, texts } => {
                let files = self.attached(pictures).and_then(|pictures| Ok((pictures, judged(texts)?)));
                let (pictures, texts) = match files {
                    Ok(files) => files,
                    Err(refused) => return self.end(id, Err(refused)),
                };
                lock(&self.waiting).insert(id, false);
                // Before the conversation can say more of it.
                self.send(id, Part::Taken);
                let asks = asks && stream && caller == Caller::Person;
                let streams = stream;
                let line =
                    Waiting { id, caller, message, conversation, begins, streams, asks, pictures, texts };
                if lines.try_send(line).is_err() {
                    lock(&self.waiting).remove(&id);
                    self.end(id, busy());
                }
            }
            Ask::Forget { .. } | Ask::Correct { .. } if caller == Caller::Program => {
                let why = "only the person of the profile forgets and corrects: a token that was made with `--person`, or a \
                           session";
                self.end(id, Err((Refusal::NotPerson, why.to_owned())));
            }
            // These wait for nothing else that is looked up.
            Ask::Known => self.end(id, Ok(Value::Null)),
            Ask::Browser { browser } => {
                let Some(kernel) = self.kernel() else { return };
                let opened = Places::of(&kernel);
                let is_known = self.tokens.knows_browser(&browser, &opened.config, &opened.logs);
                let stranger = || (Refusal::Unauthorized, "no PIN was right in this browser".to_owned());
                self.end(id, if is_known { Ok(Value::Null) } else { Err(stranger()) });
            }
            Ask::Stop { reason } => {
                let Some(kernel) = self.kernel() else { return };
                self.end(id, duties::stop(Places::of(&kernel), &reason));
            }
            Ask::Answer { question, yes } => self.end(id, self.word(caller, question, yes)),
            ask => {
                if looks.try_send(Look { id, token, ask }).is_err() {
                    self.end(id, busy());
                }
            }
        }
    }

    /// The pictures of a line, judged as those of a command line, and room for them.
    fn attached(&self, sent: Vec<SentPicture>) -> Result<Option<Attached>, (Refusal, String)> {
        if sent.is_empty() {
            return Ok(None);
        }
        let room = self.pictured.clone();
        // Beside the one that all threads share.
        if Arc::strong_count(&room) > MOST_WITH_PICTURES + 1 {
            let why = format!("{MOST_WITH_PICTURES} lines with pictures wait; try again later");
            return Err((Refusal::Busy, why));
        }
        let pictures = Pictures::default();
        for SentPicture { name, data } in sent {
            let bytes = STANDARD.decode(data).map_err(|_| {
                let name = text::cut(&text::line(&name), 80);
                (Refusal::Invalid, format!("the data of {name} is not base64 as in RFC 4648, section 4"))
            })?;
            pictures.add(&name, bytes).map_err(|why| (Refusal::Invalid, not_attached(&why)))?;
        }
        Ok(Some(Attached { pictures, _room: room }))
    }

    /// Takes the person's word about the question that is asked.
    fn word(&self, caller: Caller, question: u64, yes: bool) -> Result<Value, (Refusal, String)> {
        if caller == Caller::Program {
            let why = "only the person of the profile answers this: a token that was made with `--person`, or a session";
            return Err((Refusal::NotPerson, why.to_owned()));
        }
        match &mut *lock(&self.question) {
            Some((asked, word @ None)) if *asked == question => *word = Some(yes),
            _ => return Err((Refusal::NotFound, "this is not asked, or no longer".to_owned())),
        }
        self.answered.notify_all();
        Ok(json!({"answered": yes}))
    }

    /// Calls a request off: the running one by the kernel, one that waits before it begins.
    fn call_off(&self, id: u64, cancel: &AtomicBool) {
        let running = lock(&self.running);
        if running.as_ref().is_some_and(|running| running.id == id) {
            cancel.store(true, Ordering::Relaxed);
        } else if let Some(is_off) = lock(&self.waiting).get_mut(&id) {
            *is_off = true;
        }
    }

    /// Answers looks, one after the other, while a line is being answered.
    fn look(&self, looks: &Receiver<Look>) {
        while let Ok(Look { id, token, ask }) = looks.recv() {
            let Some(kernel) = self.kernel() else { continue };
            let opened = Places::of(&kernel);
            if let Ask::Session { pin, from, browser } = &ask {
                let folders = (&opened.config, &*opened.logs);
                let entered = self.tokens.open(pin, from.as_deref(), browser.as_deref(), folders);
                self.end(id, entered.map(|entered| json!(entered)));
                continue;
            }
            if let (Ask::Leave, Some(session)) = (&ask, &token) {
                self.tokens.leave(session);
            }
            let counted = Counted {
                conversations: self.conversations.load(Ordering::Relaxed),
                failures: self.failures.load(Ordering::Relaxed),
                waiting: lock(&self.waiting).len(),
                asks_pin: self.tokens.asks_pin(&opened.config),
            };
            let answer = self.duties.answer(&ask, &kernel, counted);
            if matches!(ask, Ask::Forget { .. } | Ask::Correct { .. }) && answer.is_ok() {
                self.forgot.store(true, Ordering::Relaxed);
            }
            self.end(id, answer);
        }
    }

    fn starter_ended(&self) -> bool {
        let Some(mut starter) = self.starter.as_ref() else { return false };
        !matches!(starter.read(&mut [0]), Err(e) if e.kind() == ErrorKind::WouldBlock || e.kind() == ErrorKind::Interrupted)
    }

    /// Ends a turn that runs while nobody can have its answer any more.
    fn end_turns(&self, ended: &AtomicBool, cancel: &AtomicBool) {
        loop {
            std::thread::sleep(TICK);
            let is_over = ended.load(Ordering::Relaxed) || self.is_alone.load(Ordering::Relaxed);
            if is_over || self.starter_ended() {
                cancel.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether lines are answered by the built-in companion, which says its own sentences.
    fn is_companion(&self) -> bool {
        let ctx = self.kernel().and_then(|kernel| kernel.context_of(CONVERSATION));
        ctx.is_some_and(|ctx| ctx.handles().model().is_some_and(|model| !model.writes_freely("chat")))
    }

    fn kernel(&self) -> Option<Arc<Kernel>> {
        self.kernel.get()?.upgrade()
    }

    /// Sends a part of the running answer, where somebody watches it come.
    fn more(&self, part: Part) {
        let id = lock(&self.running).as_ref().filter(|running| running.streams).map(|running| running.id);
        if let Some(id) = id {
            self.send(id, part);
        }
    }

    fn end(&self, id: u64, answer: Result<Value, (Refusal, String)>) {
        self.send(
            id,
            match answer {
                Ok(body) => Part::Done(body),
                Err((why, message)) => Part::Refused { why, message },
            },
        );
    }

    /// Sends a part.
    fn send(&self, id: u64, part: Part) {
        if self.side.tell(&ToDoor::Answered(Answered { id, part })) {
            return;
        }
        let message = "the answer is longer than 4 MiB".to_owned();
        let part = Part::Refused { why: Refusal::Failed, message };
        self.side.tell(&ToDoor::Answered(Answered { id, part }));
    }
}

/// Why a picture is not taken, where texts are taken too.
fn not_attached(why: &AttachmentError) -> String {
    match why {
        AttachmentError::NotAPicture { name } => format!(
            "{name} is neither a picture (PNG, JPEG, GIF, WebP) nor a text (.txt, .md, .csv, .json); nothing else goes with a \
             message"
        ),
        why => why.to_string(),
    }
}

/// The texts of a line, each with a name that people can read.
fn judged(sent: Vec<SentText>) -> Result<Vec<Text>, (Refusal, String)> {
    let mut texts = Vec::new();
    for SentText { name, text } in sent {
        let (name, is_text) = (text::cut(&text::line(&name), 80), is_text(&name));
        let wrong = match (is_text, texts.len() < MOST_PICTURES) {
            (false, _) => not_attached(&AttachmentError::NotAPicture { name }),
            (_, false) => {
                format!("{name} is one too many: at most {MOST_PICTURES} texts go with one message")
            }
            _ if text.len() > LONGEST_TEXT => {
                format!("{name} is too large: a text of a message has at most {LONGEST_TEXT} bytes")
            }
            _ => {
                texts.push(Text { name, text: text::block(&text) });
                continue;
            }
        };
        return Err((Refusal::Invalid, wrong));
    }
    Ok(texts)
}

/// What the person reads about a call: facts in the program's words, and the arguments as the assistant wrote them.
fn facts(question: u64, asked: &CallQuestion) -> Value {
    let line = |text: &String| text::line(text);
    json!({
        "question": question,
        "tool": text::line(&asked.tool),
        "skill": asked.skill,
        "learned": asked.learned,
        "risk": asked.risk,
        "reason": text::line(&asked.reason),
        "to": asked.to.as_ref().map(line),
        "arguments": cleaned(&asked.args, MOST_DEEP),
        "untyped": asked.untyped.iter().map(line).collect::<Vec<_>>(),
    })
}

/// A value whose texts steer no page: nothing invisible, nothing that turns the direction. What is nested deeper than `depth`
/// levels is one text.
fn cleaned(value: &Value, depth: usize) -> Value {
    let below = |value| cleaned(value, depth - 1);
    match value {
        Value::String(inner) => json!(text::block(inner)),
        Value::Array(_) | Value::Object(_) if depth == 0 => json!(text::line(&value.to_string())),
        Value::Array(values) => values.iter().map(below).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (text::line(key), below(value))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
