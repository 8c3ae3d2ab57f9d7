//! A question whose answer is not shown. The echo is off before the question is: what is pasted the moment the question
//! appears must not show, which rules out the libraries that ask first.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};

use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{
    FlushArg, LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcflush, tcgetattr, tcsetattr,
};

/// The longest answer, in bytes; more keys are not taken.
const MOST: usize = 1024;

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const BACKSPACE: [u8; 2] = [8, 127];
const CTRL_U: u8 = 21;

/// Asks one question, as [`Unseen::ask`].
///
/// # Errors
/// No terminal, or as [`Unseen::ask`].
pub fn ask_unseen(question: &str) -> io::Result<String> {
    Unseen::begin()?.ask(question)
}

/// A dialogue at the controlling terminal: until it is dropped no key is shown, whether a question stands there or the last
/// answer is being checked, and what was typed to no question is thrown away.
#[derive(Debug)]
pub struct Unseen {
    terminal: File,
    before: Termios,
}

impl Unseen {
    /// Begins.
    ///
    /// # Errors
    /// No terminal.
    pub fn begin() -> io::Result<Unseen> {
        let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
        let before = tcgetattr(&terminal)?;
        let mut unseen = before.clone();
        unseen.local_flags &= !(LocalFlags::ECHO
            | LocalFlags::ECHONL
            | LocalFlags::ICANON
            | LocalFlags::ISIG
            | LocalFlags::IEXTEN);
        unseen.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        unseen.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        tcsetattr(&terminal, SetArg::TCSAFLUSH, &unseen)?;
        Ok(Unseen { terminal, before })
    }

    /// Asks and reads one line. Backspace and Ctrl-U work; what was typed before the question is thrown away; Ctrl-C gives
    /// the terminal back and then does what it does elsewhere.
    ///
    /// # Errors
    /// `Interrupted` for Ctrl-C where the program continues after it, `UnexpectedEof` for Ctrl-D on an empty line, or
    /// `InvalidData` for what is not UTF-8.
    pub fn ask(&mut self, question: &str) -> io::Result<String> {
        tcflush(&self.terminal, FlushArg::TCIFLUSH)?;
        self.terminal.write_all(question.as_bytes())?;
        let answer = read_line(&mut self.terminal);
        self.terminal.write_all(b"\r\n")?;
        if answer.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::Interrupted) {
            self.end();
            raise(Signal::SIGINT)?;
        }
        answer
    }

    fn end(&self) {
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(&self.terminal, SetArg::TCSAFLUSH, &self.before);
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads keys up to the return key.
fn read_line(keys: &mut impl Read) -> io::Result<String> {
    let mut line: Vec<u8> = Vec::with_capacity(MOST);
    let answer = loop {
        let mut key = [0];
        match keys.read(&mut key) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => break Err(e),
            Ok(0) => break Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
        }
        match key[0] {
            b'\r' | b'\n' => break Ok(()),
            CTRL_C => break Err(io::ErrorKind::Interrupted.into()),
            CTRL_D if line.is_empty() => break Err(io::ErrorKind::UnexpectedEof.into()),
            CTRL_D => {}
            CTRL_U => line.clear(),
            key if BACKSPACE.contains(&key) => take_back(&mut line),
            key if line.len() < MOST => line.push(key),
            _ => {}
        }
    };
    let text = answer.and_then(|()| {
        let text = std::str::from_utf8(&line).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        Ok(text.to_owned())
    });
    // Overwrites what it can without unsafe.
    line.fill(0);
    std::hint::black_box(&line);
    text
}

/// Takes a whole character back, however many bytes it has.
fn take_back(line: &mut Vec<u8>) {
    while line.pop().is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {}
}

#[cfg(test)]
mod tests;
