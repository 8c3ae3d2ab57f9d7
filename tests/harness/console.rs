//! The review on the whole screen: a package that waits, the console opened on it, and the terminal given back.

use std::time::Duration;

use crate::pty::Pty;
use crate::skill::compiler_is_missing;
use crate::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);

/// A home where a dice roller waits for a person; nothing, and said so, without a compiler.
pub fn waiting() -> Option<World> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_package("learn to roll dice");
    Some(world)
}

/// A console that shows what waits.
pub fn console(world: &World) -> Pty {
    let pty = Pty::start(world.command(Program::Admin, &["review"]));
    pty.see("REVIEW by owner", SOON);
    pty
}

/// A console with the only package open.
pub fn opened(world: &World) -> Pty {
    let mut pty = console(world);
    pty.keys("\r");
    pty.see("[>View<]", SOON);
    pty
}

/// Insists that the terminal is as it was before the console.
#[track_caller]
pub fn is_given_back(pty: &Pty) {
    pty.screen.to_end();
    let screen = pty.sees(24, 80);
    assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{}", screen.contents());
    assert!(pty.is_cooked(), "the terminal is still raw");
}
