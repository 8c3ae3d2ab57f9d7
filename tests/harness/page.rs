//! The page of the review: its process, and its socket at the service.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use serde_json::{Value, json};

use crate::eventually;
use crate::run::Background;
use crate::world::{PATIENCE, Program, World};

/// A running service with a page before it; both end with the value.
#[derive(Debug)]
pub struct Review {
    /// The page.
    pub page: Background,
    /// The service.
    pub service: Background,
    /// Where the page listens, as `127.0.0.1:40123`.
    pub address: String,
}

impl World {
    /// Starts the service.
    #[track_caller]
    pub fn serves(&self) -> Background {
        let service = self.start(Program::Admin, &["run"]);
        let found = service.stderr.wait_for(&["serving"], PATIENCE);
        assert!(found.is_some(), "the service does not start: {}", service.stderr.text());
        // It is a file before it listens.
        eventually(PATIENCE, "the page's socket listens", || UnixStream::connect(self.page_socket()).ok());
        service
    }

    /// Starts the service, and a page at a free port of the loopback.
    #[track_caller]
    pub fn shows_the_review(&self, more: &[&str]) -> Review {
        self.shows_the_review_at("127.0.0.1:0", more)
    }

    /// Starts the service, and a page at an address of the loopback.
    #[track_caller]
    pub fn shows_the_review_at(&self, listen: &str, more: &[&str]) -> Review {
        let service = self.serves();
        let arguments = [&["page", "serve", "--listen", listen], more].concat();
        let page = self.start(Program::Admin, &arguments);
        let address = eventually(PATIENCE, "the page says where it listens", || {
            let said = page.stderr.text();
            let (_, rest) = said.split_once("listening at http://")?;
            rest.split_once('\n').map(|(line, _)| line.trim().to_owned())
        });
        Review { page, service, address }
    }

    /// A token of the page for an approver.
    #[track_caller]
    pub fn page_token(&self, name: &str, approver: &str) -> String {
        self.admin(&["page", "add", name, "--approver", approver]).done().stdout.trim().to_owned()
    }

    /// Asks the service as the page does.
    #[track_caller]
    pub fn page_asks(&self, token: Option<&str>, ask: &Value) -> Value {
        self.page_sends(&json!({"token": token, "ask": ask}))
    }

    /// Sends a line to the socket of the page.
    #[track_caller]
    pub fn page_sends(&self, line: &Value) -> Value {
        let path = self.page_socket();
        let mut stream = eventually(PATIENCE, "the service listens", || UnixStream::connect(&path).ok());
        stream.write_all(format!("{line}\n").as_bytes()).expect("it can be asked");
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).expect("it answers");
        serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {answer}"))
    }

    fn page_socket(&self) -> std::path::PathBuf {
        self.home().admin().join("page.sock")
    }
}
