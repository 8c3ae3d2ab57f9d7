//! Shows an answer while it comes: what the guard lets through, and no more than that.

use models::Piece;
use ports::KernelContext;
use ports::guard::{Needles, Outgoing};
use shared_types::message::Show;

/// One answer on its way to the person.
pub(super) struct Relay<'a> {
    ctx: &'a KernelContext,
    /// Nothing where the answer is shown when it is whole.
    guarded: Option<Outgoing>,
    needles: &'a Needles,
    shown: bool,
}

impl<'a> Relay<'a> {
    /// Begins; the needles are what must not leak.
    pub(super) fn new(ctx: &'a KernelContext, streams: bool, needles: &'a Needles) -> Relay<'a> {
        let guarded = streams.then(|| Outgoing::new(needles));
        Relay { ctx, guarded, needles, shown: false }
    }

    /// Takes a piece.
    pub(super) fn piece(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Text(text) => {
                let safe = self.guarded.as_mut().map(|stream| stream.push(text)).unwrap_or_default();
                self.show(&safe);
            }
            Piece::Call(_) => {}
            Piece::Again => self.again(),
        }
    }

    /// Shows what was held back, or takes everything back where the text was not for the person.
    pub(super) fn finish(mut self, is_answer: bool) {
        if let Some(stream) = self.guarded.take() {
            let rest = stream.finish();
            if is_answer {
                self.show(&rest);
            } else if self.shown {
                self.ctx.ask(Show::StreamAgain { stream_again: true });
            }
        }
    }

    fn again(&mut self) {
        if self.guarded.is_some() {
            self.guarded = Some(Outgoing::new(self.needles));
        }
        if std::mem::take(&mut self.shown) {
            self.ctx.ask(Show::StreamAgain { stream_again: true });
        }
    }

    fn show(&mut self, text: &str) {
        if !text.is_empty() {
            self.shown = true;
            self.ctx.ask(Show::Stream { stream: text.to_owned() });
        }
    }
}
