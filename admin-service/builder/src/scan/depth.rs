//! Bounds the depth of any tree that a row of tokens can stand for.
//!
//! `syn`, its printer and the drop of its tree recurse with the source's depth, and a stack overflow
//! cannot be caught. So this count, which does not recurse, comes first: a tree is at most as high as its
//! longest chain of tokens between two separators, plus the highest bracket in it. Where it cannot tell
//! it counts too much, never too little.

use super::lex::Token;
use super::tables::Ban;

const DEEPEST_NESTING: usize = 64;
/// The largest height of a tree; measured against an 8 MiB stack in an unoptimised build.
const HIGHEST: usize = 400;
/// Nested generics take the parser several times the stack of other steps.
const ANGLE: usize = 4;
/// So do pointers to pointers.
const POINTER: usize = 2;
/// And more prefixes in a row than the two of `&&`.
const PREFIX: usize = 3;

/// The open brackets and how high the tree below each has grown.
pub(super) struct Depth {
    levels: Vec<Level>,
    nesting: usize,
    after_brace: bool,
    previous: Token<'static>,
    previous_end: usize,
    /// Operators in a row that may all be prefixes.
    prefixes: usize,
    /// The second half of `||`, which is neither the start nor the end of a closure's parameters.
    second_bar: bool,
}

#[derive(Default)]
struct Level {
    /// The byte that closes it; 0 for a `<`, which may be a comparison, and for the file.
    close: u8,
    /// Tokens of the segment so far: each may be one step of a chain.
    chain: usize,
    /// The highest bracket within the segment.
    child: usize,
    /// The highest segment so far.
    tallest: usize,
    /// Between the bars of a closure, where a comma separates nothing.
    parameters: bool,
}

impl Level {
    fn height(&self) -> usize {
        self.tallest.max(self.chain + self.child)
    }

    fn end_segment(&mut self) {
        self.tallest = self.height();
        (self.chain, self.child, self.parameters) = (0, 0, false);
    }
}

impl Depth {
    pub(super) fn new() -> Depth {
        Depth {
            levels: vec![Level::default()],
            nesting: 0,
            after_brace: false,
            previous: Token::Punct(b';'),
            previous_end: usize::MAX,
            prefixes: 0,
            second_bar: false,
        }
    }

    /// Takes the next token, which begins at `start` and is followed by the byte `next`.
    pub(super) fn token(&mut self, token: Token<'_>, start: usize, next: Option<u8>) -> Result<(), Ban> {
        if std::mem::take(&mut self.after_brace) && token.starts_anew() {
            self.end_statement();
        }
        let joined = self.previous_end == start;
        self.prefixes =
            if matches!(token, Token::Punct(b'&' | b'*' | b'!' | b'-')) { self.prefixes + 1 } else { 0 };
        match token {
            Token::Open(open) => self.open(open)?,
            Token::Close(close) => self.close(close)?,
            Token::Punct(b';') => self.end_statement(),
            Token::Punct(b',') => {
                let top = self.top();
                top.chain += 1;
                if !top.parameters {
                    top.end_segment();
                }
            }
            Token::Punct(b'<') => {
                self.top().chain += ANGLE;
                if next != Some(b'=') {
                    self.levels.push(Level::default());
                }
            }
            Token::Punct(b'>') => {
                match self.previous {
                    Token::Punct(b'-') if joined => {}
                    // The arrow of a match arm: any `<` before it was a comparison.
                    Token::Punct(b'=') if joined => while self.fold_angle() {},
                    _ => {
                        self.fold_angle();
                        self.top().chain += 1;
                    }
                }
            }
            Token::Punct(b'|') => self.bar(next),
            Token::Punct(c) => {
                let weight = match c {
                    _ if self.prefixes > 2 => PREFIX,
                    b'&' | b'*' if !self.previous.ends_operand() => POINTER,
                    _ => 1,
                };
                if !(joined && continues(self.previous, c)) {
                    self.top().chain += weight;
                }
            }
            Token::Name(_) | Token::Lifetime | Token::Literal => self.top().chain += 1,
        }
        self.previous = match token {
            // Only the keywords matter later; their text outlives the source.
            Token::Name(_) if !token.ends_operand() => Token::Name("return"),
            Token::Name(_) => Token::Name(""),
            Token::Lifetime => Token::Lifetime,
            Token::Literal => Token::Literal,
            Token::Punct(c) => Token::Punct(c),
            Token::Open(c) => Token::Open(c),
            Token::Close(c) => Token::Close(c),
        };
        self.previous_end = if matches!(token, Token::Punct(_)) { start + 1 } else { usize::MAX };
        if self.top().height() > HIGHEST { Err(Ban::TooDeep) } else { Ok(()) }
    }

    /// Whether every bracket was closed.
    pub(super) fn is_closed(&self) -> bool {
        self.levels.iter().all(|level| level.close == 0)
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the file's own level is never popped")
    }

    fn open(&mut self, open: u8) -> Result<(), Ban> {
        self.nesting += 1;
        if self.nesting > DEEPEST_NESTING {
            return Err(Ban::TooDeep);
        }
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        self.levels.push(Level { close, ..Level::default() });
        Ok(())
    }

    fn close(&mut self, close: u8) -> Result<(), Ban> {
        while self.fold_angle() {}
        if self.levels.len() == 1 || self.top().close != close {
            return Err(Ban::Unreadable);
        }
        self.nesting -= 1;
        let height = self.levels.pop().map_or(0, |level| level.height());
        let outer = self.top();
        outer.chain += 1;
        outer.child = outer.child.max(height);
        self.after_brace = close == b'}';
        Ok(())
    }

    /// Ends a `<`; what stood behind it may have been operands of the same chain.
    fn fold_angle(&mut self) -> bool {
        if self.levels.len() == 1 || self.top().close != 0 {
            return false;
        }
        let Some(angle) = self.levels.pop() else { return false };
        let outer = self.top();
        outer.chain += angle.chain;
        outer.child = outer.child.max(angle.child).max(angle.tallest);
        true
    }

    fn end_statement(&mut self) {
        while self.fold_angle() {}
        self.top().end_segment();
    }

    fn bar(&mut self, next: Option<u8>) {
        let operand = self.previous.ends_operand();
        let second = std::mem::take(&mut self.second_bar);
        let top = self.levels.last_mut().expect("the file's own level is never popped");
        top.chain += 1;
        if top.parameters {
            top.parameters = false;
        } else if !second {
            if next == Some(b'|') {
                self.second_bar = true;
            } else if !operand {
                top.parameters = true;
            }
        }
    }
}

/// Operators of two characters that are never two prefix operators.
fn continues(previous: Token<'_>, c: u8) -> bool {
    let Token::Punct(first) = previous else { return false };
    matches!((first, c), (b':', b':') | (b'.', b'.'))
        || (c == b'='
            && matches!(first, b'=' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'>' | b'<' | b'.'))
}
