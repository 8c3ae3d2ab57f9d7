//! A question whose answer is not shown. The echo is off before the question is: what is pasted the moment the question
//! appears must not show, which rules out the libraries that ask first.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};

use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr};

/// The longest answer, in bytes; more keys are not taken.
const MOST: usize = 1024;

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const BACKSPACE: [u8; 2] = [8, 127];
const CTRL_U: u8 = 21;

/// Asks at the controlling terminal and reads one line without showing it. Backspace and Ctrl-U work; what was typed before
/// the question is thrown away; Ctrl-C gives the terminal back and then does what it does elsewhere.
///
/// # Errors
/// No terminal, `Interrupted` for Ctrl-C where the program goes on after it, `UnexpectedEof` for Ctrl-D on an empty line, or
/// `InvalidData` for what is not UTF-8.
pub fn ask_unseen(question: &str) -> io::Result<String> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let answer = {
        let _unseen = Unseen::begin(terminal.try_clone()?)?;
        terminal.write_all(question.as_bytes())?;
        let answer = read_line(&mut terminal);
        terminal.write_all(b"\r\n")?;
        answer
    };
    if answer.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::Interrupted) {
        raise(Signal::SIGINT)?;
    }
    answer
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

/// The terminal without echo, where keys arrive one by one; ends when it is dropped.
struct Unseen {
    terminal: File,
    before: Termios,
}

impl Unseen {
    fn begin(terminal: File) -> io::Result<Unseen> {
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
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(&self.terminal, SetArg::TCSADRAIN, &self.before);
    }
}

#[cfg(test)]
mod tests;
