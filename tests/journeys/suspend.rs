//! Ctrl-Z and `fg`, and what is typed while an answer is awaited.

use std::time::Duration;

use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;

const SOON: Duration = Duration::from_secs(60);
const CTRL_Z: &str = "\x1a";

/// A shell with job control that does not mend the terminal's modes itself, and the program in it.
fn in_shell(world: &World, program: Program, arguments: &[&str]) -> Pty {
    let command = world.command(program, arguments);
    let mut shell = std::process::Command::new("/bin/dash");
    shell.arg("-i").env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("PS1", "shell: ").env("PATH", "/usr/bin:/bin").env_remove("ENV");
    let mut pty = Pty::start(shell);
    pty.expect("shell: ", SOON);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    pty.line(&line.join(" "));
    pty
}

/// The program is stopped, and the terminal is the shell's as it was.
fn is_with_the_shell(pty: &mut Pty) {
    pty.expect("shell: ", SOON);
    assert!(pty.is_cooked(), "the shell shows what is typed:\n{}", pty.screen.tail());
    let screen = pty.sees(24, 80);
    assert!(!screen.alternate_screen() && !screen.bracketed_paste());
    pty.line("echo $((40 + 2))");
    pty.expect("\n42", SOON);
    pty.expect("shell: ", SOON);
}

#[test]
fn the_chat_stops_at_its_prompt_and_goes_on_with_what_was_typed() {
    let world = World::new();
    let mut pty = in_shell(&world, Program::Bot, &["agent"]);
    pty.expect("\n> ", SOON);
    // As the first key, and in the middle of a line.
    for typed in ["", "what is "] {
        pty.keys(typed);
        pty.see_when("what was typed", SOON, |screen| {
            screen.trim_end().ends_with(format!("> {typed}").trim_end())
        });
        pty.keys(CTRL_Z);
        is_with_the_shell(&mut pty);
        pty.line("fg");
        pty.expect(&format!("> {typed}"), SOON);
        assert!(!pty.is_cooked(), "keys come one by one again");
    }
    pty.line("2 + 40?");
    pty.expect("= 42", SOON);
    pty.expect("> ", SOON);
    pty.keys("\x04");
    pty.expect("goodbye", SOON);
    is_with_the_shell(&mut pty);
}

#[test]
fn the_console_stops_and_draws_itself_anew() {
    let world = World::new();
    let mut pty = in_shell(&world, Program::Admin, &["review"]);
    pty.see("Nothing waits for you.", SOON);
    pty.keys(CTRL_Z);
    is_with_the_shell(&mut pty);
    pty.line("fg");
    pty.see_when("the console", SOON, |screen| {
        screen.contains("Nothing waits for you.") && !screen.contains("shell:")
    });
    assert!(pty.sees(24, 80).alternate_screen() && !pty.is_cooked());
    pty.keys("q");
    is_with_the_shell(&mut pty);
}

#[test]
fn the_window_of_both_stops_and_goes_on_at_the_prompt() {
    let world = World::empty();
    let mut pty = in_shell(&world, Program::Admin, &["up"]);
    pty.expect("\n> ", SOON);
    pty.keys("what is ");
    pty.expect("what is ", SOON);
    pty.keys(CTRL_Z);
    is_with_the_shell(&mut pty);
    pty.line("fg");
    pty.expect("> what is ", SOON);
    assert!(pty.sees(24, 80).bracketed_paste(), "a paste is one input again");
    pty.line("2 + 40?");
    pty.expect("= 42", SOON);
    pty.keys("\x04");
    pty.expect("[q]", SOON);
    pty.keys("q");
    is_with_the_shell(&mut pty);
}

/// The sign of life stays whole while somebody types; what was typed stands at the next prompt, and is answered.
#[test]
fn what_is_typed_while_a_slow_model_thinks_stays_away_from_the_sign_of_life() {
    let model = ModelServer::start(|seen| {
        std::thread::sleep(Duration::from_secs(3));
        Reply::text(if seen.last().1.contains("SECOND") { "the other answer" } else { "the first answer" })
    });
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("> ", SOON);
    pty.line("tell me a story");
    pty.see("thinking", SOON);
    pty.keys("SECOND ");
    std::thread::sleep(Duration::from_millis(600));
    pty.keys("story");
    std::thread::sleep(Duration::from_millis(600));
    let screen = pty.sees(24, 80).contents();
    assert!(screen.contains("thinking") && !screen.contains("SECOND"), "{screen}");
    pty.see("the first answer", SOON);
    pty.see("> SECOND story", SOON);
    pty.keys("\r");
    pty.see("the other answer", SOON);
}
