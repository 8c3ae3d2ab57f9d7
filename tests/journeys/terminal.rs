//! The newcomer's way: one window with the chat, a second one for the review, and a bot that comes back wiser.

use std::fs;
use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::weather::WeatherServer;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::{admin_asks, bot_asks, capable_model};
use crate::wishes::{Answer, Question, Wish, offline, twelve};

const SOON: Duration = Duration::from_secs(60);

/// The prompt of the chat.
pub(crate) const PROMPT: &str = "> ";

/// `cl-admin up` in a window, with its chat at the prompt.
struct Window {
    pty: Pty,
}

impl Window {
    fn open(world: &World) -> Window {
        let mut pty = Pty::start(world.command(Program::Admin, &["up"]));
        pty.expect(PROMPT, SOON);
        Window { pty }
    }

    /// The process of the chat, which changes when it is started again.
    fn chat(&self) -> Option<u32> {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.pty.pid())).ok()?;
        let is_chat = |pid: &u32| {
            fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "cl-bot")
        };
        children.split_whitespace().filter_map(|pid| pid.parse().ok()).find(is_chat)
    }

    /// Wish, proposal, review in a second window, yes, restart, and the first answer.
    fn grow(&mut self, world: &World, wish: &Wish) {
        let before = self.chat();
        let known = world.list().len();
        self.pty.line(wish.wish);
        eventually(PATIENCE, &format!("`{}` waits for a person", wish.wish), || {
            let rows = world.list();
            (rows.len() > known && rows.last()?["status"] == "human-review").then_some(())
        });
        let mut second = Pty::start(world.command(Program::Admin, &["review", "--plain"]));
        second.expect("[A]pprove", SOON);
        second.line("a");
        second.expect("Yes? [y/N]", SOON);
        second.line("y");
        assert_eq!(second.ended(PATIENCE), 0, "{}", second.screen.tail());
        eventually(PATIENCE, "the chat was started again", || self.chat().filter(|now| Some(*now) != before));
        self.pty.expect("I have learned", SOON);
        self.pty.expect(PROMPT, SOON);
        self.ask(&wish.questions[0]);
    }

    /// Asks and waits for a right answer on the screen.
    fn ask(&mut self, question: &Question) {
        self.say(&question.line, &question.answer);
        if let Some((line, answer)) = &question.then {
            self.say(line, answer);
        }
    }

    fn say(&mut self, line: &str, answer: &Answer) {
        // Neither what was on the screen before nor the echo of the line may be taken for the answer.
        let start = self.pty.screen.text().len();
        self.pty.line(line);
        let end = std::time::Instant::now() + SOON;
        loop {
            let shown = self.pty.screen.text();
            if shown
                .get(start..)
                .unwrap_or_default()
                .rsplit_once(line)
                .is_some_and(|(_, after_echo)| answer.is_in(after_echo))
            {
                return;
            }
            assert!(std::time::Instant::now() < end, "no answer to `{line}`:\n{}", self.pty.screen.tail());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn leave(mut self) {
        self.pty.line("/exit");
        // `up` asks what is next when the chat is left; its end of input is the answer.
        std::thread::sleep(Duration::from_millis(500));
        if self.pty.runs() {
            self.pty.keys(tameclaw_tests::pty::CTRL_D);
        }
        assert_eq!(self.pty.ended(SOON), 0, "{}", self.pty.screen.tail());
    }
}

/// On an empty home, with nothing but the two programs: eight wishes become skills within one sitting.
#[test]
fn eight_wishes_become_skills_in_one_sitting() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    let mut window = Window::open(&world);
    let wishes = offline();
    assert!(wishes.len() >= 8);
    for wish in &wishes {
        window.grow(&world, wish);
    }
    window.leave();
}

/// With a model server all twelve become skills: the first six here, the others in a window of their own, so that nobody waits for both.
#[test]
fn six_wishes_become_skills_with_a_model() {
    become_skills(&twelve()[..6]);
}

#[test]
fn six_more_wishes_become_skills_with_a_model() {
    become_skills(&twelve()[6..]);
}

fn become_skills(wishes: &[Wish]) {
    if compiler_is_missing() {
        return;
    }
    let weather = WeatherServer::start();
    let model = capable_model(twelve(), Some(weather.host()));
    let world = World::new();
    bot_asks(&world, &model.url(), Some(&weather));
    admin_asks(&world, "scripted", &model.url());
    let mut window = Window::open(&world);
    for wish in wishes {
        window.grow(&world, wish);
    }
    window.leave();
}
