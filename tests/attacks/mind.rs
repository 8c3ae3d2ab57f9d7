//! A shipped `cl-bot` at its prompt, with a tracer inside its `mind`.

use std::fs;
use std::process::Command;
use std::time::Duration;

use tameclaw_tests::pty::Pty;
use tameclaw_tests::tracer::{Outcome, Tracer};
use tameclaw_tests::world::{Program, World};
use tameclaw_tests::{eventually, skip};

/// A running bot whose processes can be entered.
pub(crate) struct Entered {
    world: World,
    bot: Pty,
}

impl Entered {
    /// Starts the chat at a terminal and waits until it is confined.
    pub(crate) fn start(world: World) -> Entered {
        let command = world.command(Program::Bot, &["agent"]);
        Entered::start_as(world, command)
    }

    /// The same with a command of the caller's.
    pub(crate) fn start_as(world: World, command: Command) -> Entered {
        let mut bot = Pty::start(command);
        // A turn proves that everything has been set up.
        bot.expect("> ", Duration::from_secs(60));
        let entered = Entered { world, bot };
        for pid in entered.processes() {
            eventually(Duration::from_secs(20), "the bot is confined", || {
                let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
                status.lines().any(|line| line.starts_with("Seccomp:") && line.ends_with('2')).then_some(())
            });
        }
        entered
    }

    /// Its home.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The process that was started, and its children.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let mut all = vec![self.bot.pid()];
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.bot.pid()));
        all.extend(children.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
        all
    }

    /// The process that talks with the person: it is the one that has the terminal.
    pub(crate) fn mind(&self) -> u32 {
        let has_terminal = |pid: &u32| {
            fs::read_link(format!("/proc/{pid}/fd/0")).is_ok_and(|path| path.starts_with("/dev/pts"))
        };
        self.processes().into_iter().find(has_terminal).expect("one of the processes has the terminal")
    }

    /// The process that has the network: it has no terminal.
    pub(crate) fn net(&self) -> u32 {
        let mind = self.mind();
        self.processes().into_iter().find(|pid| *pid != mind).expect("there is a second process")
    }

    /// Says something, and waits for a text on the screen.
    pub(crate) fn say(&mut self, line: &str, answer: &str) {
        self.bot.line(line);
        self.bot.expect(answer, Duration::from_secs(60));
    }

    /// Says something, and does not wait.
    pub(crate) fn say_only(&mut self, line: &str) {
        self.bot.line(line);
    }

    /// Every byte that came to the terminal.
    pub(crate) fn shown(&self) -> Vec<u8> {
        self.bot.screen.raw()
    }

    /// Waits for its end; hands out its exit code, or 128 and more for a signal.
    pub(crate) fn ended(mut self) -> (World, i32) {
        let code = self.bot.ended(Duration::from_secs(30));
        (self.world, code)
    }

    /// The threads of a process.
    pub(crate) fn threads(&self, pid: u32) -> Vec<u32> {
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
        tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok()).collect()
    }

    /// Works from inside a process or thread; skips visibly where nothing can be traced.
    pub(crate) fn inside(&self, pid: u32, work: impl FnOnce(&mut Inside)) {
        match Tracer::attach(pid) {
            Ok(tracer) => work(&mut Inside { tracer }),
            Err(reason) => skip(&reason),
        }
    }

    /// The bot still talks after all that was tried.
    pub(crate) fn still_talks(mut self) {
        assert!(self.bot.runs(), "the bot has ended:\n{}", self.bot.screen.tail());
        self.bot.line("/exit");
        assert_eq!(self.bot.ended(Duration::from_secs(30)), 0);
    }
}

/// Calls from inside.
pub(crate) struct Inside {
    tracer: Tracer,
}

impl Inside {
    /// Enters any process.
    ///
    /// # Errors
    /// The reason why it cannot be traced here.
    pub(crate) fn of(pid: u32) -> Result<Inside, String> {
        Tracer::attach(pid).map(|tracer| Inside { tracer })
    }

    /// Does a call.
    pub(crate) fn call(&mut self, number: i64, arguments: &[u64]) -> Outcome {
        self.tracer.call(number, arguments)
    }

    /// Puts a text with its closing zero into the process.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        self.tracer.place(format!("{text}\0").as_bytes())
    }

    /// Puts bytes into the process.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        self.tracer.place(bytes)
    }

    /// Opens a path.
    pub(crate) fn open(&mut self, path: &str, flags: i32) -> Outcome {
        let path = self.text(path);
        self.call(libc::SYS_openat, &[libc::AT_FDCWD as u64, path, flags as u64, 0o600])
    }

    /// Insists that the operating system refuses a call.
    #[track_caller]
    pub(crate) fn refused(&mut self, what: &str, number: i64, arguments: &[u64]) {
        let outcome = self.call(number, arguments);
        assert!(outcome.is_refusal(), "{what}: {outcome:?}");
    }
}
