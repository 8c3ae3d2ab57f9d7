//! A mail server on the loopback that follows a script and keeps what it was sent.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a mail server takes its visitors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It takes every mail.
    Friendly,
    /// It takes no mail from anybody.
    Refuses,
    /// It says nothing at all.
    Hangs,
}

/// A mail as it came.
#[derive(Debug, Clone, Default)]
pub struct Mail {
    /// The sender of the envelope.
    pub from: String,
    /// The receivers of the envelope.
    pub to: Vec<String>,
    /// Headers and body.
    pub data: String,
}

/// A mail server; it stops with the value.
#[derive(Debug)]
pub struct MailServer {
    address: SocketAddr,
    mails: Arc<Mutex<Vec<Mail>>>,
    stopped: Arc<AtomicBool>,
}

impl MailServer {
    /// Starts a server on a free port.
    pub fn start(manner: Manner) -> MailServer {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let (mails, stopped) = (Arc::<Mutex<Vec<Mail>>>::default(), Arc::new(AtomicBool::new(false)));
        let (kept, stop) = (Arc::clone(&mails), Arc::clone(&stopped));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (kept, stop) = (Arc::clone(&kept), Arc::clone(&stop));
                // What a client does to its connection is the client's matter.
                std::thread::spawn(move || _ = serve(stream, manner, &kept, &stop));
            }
        });
        MailServer { address, mails, stopped }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Every mail so far.
    pub fn mails(&self) -> Vec<Mail> {
        self.mails.lock().expect("no server panics").clone()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the accepting thread so that it sees the mark.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

fn serve(
    stream: TcpStream,
    manner: Manner,
    kept: &Mutex<Vec<Mail>>,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    while manner == Manner::Hangs && !stop.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut writer = stream;
    let mut say = |text: &str| writer.write_all(format!("{text}\r\n").as_bytes());
    say("220 scripted")?;
    let mut mail = Mail::default();
    while let Some(line) = lines.next().transpose()? {
        let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        match word.as_str() {
            "EHLO" | "HELO" => say("250 scripted")?,
            "MAIL" if manner == Manner::Refuses => say("550 nobody wants your mail\u{1b}[2J")?,
            "MAIL" => {
                mail.from = line;
                say("250 ok")?;
            }
            "RCPT" => {
                mail.to.push(line);
                say("250 ok")?;
            }
            "DATA" => {
                say("354 go on")?;
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    mail.data.push_str(&line);
                    mail.data.push('\n');
                }
                kept.lock().expect("no server panics").push(std::mem::take(&mut mail));
                say("250 taken")?;
            }
            "QUIT" => return say("221 bye"),
            _ => say("250 ok")?,
        }
    }
    Ok(())
}
