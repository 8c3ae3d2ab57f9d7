//! Whether something was installed while the chat runs, and what to do about it.

use std::time::SystemTime;

use ports::KernelContext;

/// Whether something was installed since the start.
#[derive(Default)]
pub struct News {
    /// The look of a manifest that is known to be the old one.
    stamp: Option<(SystemTime, u64)>,
    told: bool,
    told_while_typing: bool,
}

pub(super) enum Installed {
    /// The program that started this one starts it again.
    Restart,
    /// A sentence for the person, who starts it again.
    Tell(String),
}

impl News {
    /// What to do at an empty prompt; a sentence is shown once.
    pub(super) fn look(&mut self, ctx: &KernelContext) -> Option<Installed> {
        let session = &ctx.shared().session;
        let supervised = session.supervised;
        if (self.told && !supervised) || !self.installed(ctx) {
            return None;
        }
        // A start would lose the pictures that wait for the next line; behind that line nothing is lost.
        if supervised && !session.pictures.shown().is_empty() {
            return None;
        }
        if supervised {
            return Some(Installed::Restart);
        }
        self.told = true;
        let id = ctx.conversation();
        let said = ctx.shared().tongue().say("something was installed; to use it, leave and start again:");
        Some(Installed::Tell(format!("{said}\n  cl-bot agent --conversation {id}")))
    }

    /// What to say while a text is being typed; once.
    pub(super) fn told_while_typing(&mut self, ctx: &KernelContext) -> Option<&'static str> {
        let supervised = ctx.shared().session.supervised;
        if self.told_while_typing || !supervised || !self.installed(ctx) {
            return None;
        }
        self.told_while_typing = true;
        const SAID: &str =
            "something was installed; I start again after this line, or when you send an empty one";
        Some(ctx.shared().tongue().say(SAID))
    }

    /// Whether another manifest is there than the one that this program started with.
    pub fn installed(&mut self, ctx: &KernelContext) -> bool {
        let stamp = ctx.shared().manifest_stamp();
        if stamp.is_none() || stamp == self.stamp {
            return false;
        }
        let changed =
            ctx.shared().manifest_serial().is_some_and(|serial| serial != ctx.shared().session.serial);
        if !changed {
            self.stamp = stamp;
        }
        changed
    }
}
