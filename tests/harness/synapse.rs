//! A real homeserver of Matrix: Synapse, from PyPI.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::eventually;
use crate::http::{asked, dead_port};
use crate::run::{Background, run};
use crate::world::PATIENCE;

/// The homeserver, on a free port of the loopback; it ends with the value.
#[derive(Debug)]
pub struct Synapse {
    port: u16,
    folder: TempDir,
    python: std::path::PathBuf,
    _server: Background,
}

/// An account of it.
#[derive(Debug)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// Its access token.
    pub token: String,
}

impl Synapse {
    /// Starts one with this Python, which has the package.
    ///
    /// # Panics
    /// Where it does not start.
    #[track_caller]
    pub fn start(python: &Path) -> Synapse {
        let folder =
            tempfile::Builder::new().prefix("tameclaw-synapse-").tempdir().expect("a temporary folder");
        let synapse = |words: &[&str]| {
            let mut command = Command::new(python);
            command.current_dir(folder.path()).args([
                "-m",
                "synapse.app.homeserver",
                "-c",
                "homeserver.yaml",
            ]);
            command.args(words);
            command
        };
        run(
            synapse(&["--server-name", "localhost", "--generate-config", "--report-stats=no"]),
            b"",
            PATIENCE,
        )
        .done();
        let (port, path) = (dead_port(), folder.path().join("homeserver.yaml"));
        let made =
            fs::read_to_string(&path).expect("it was made").replace("port: 8008", &format!("port: {port}"));
        let free = "{per_second: 1000, burst_count: 1000}";
        let more = format!(
            "suppress_key_server_warning: true\nrc_message: {free}\nrc_login: {{address: {free}, account: {free}}}\n"
        );
        fs::write(&path, made + "\n" + &more).expect("it can be written");
        let server = Background::start(synapse(&[]));
        eventually(PATIENCE, "the homeserver listens", || TcpStream::connect(("127.0.0.1", port)).ok());
        Synapse { port, folder, python: python.to_owned(), _server: server }
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Makes an account and logs it in.
    #[track_caller]
    pub fn account(&self, name: &str) -> Account {
        let mut register = Command::new(&self.python);
        register.current_dir(self.folder.path()).args(["-m", "synapse._scripts.register_new_matrix_user"]);
        register.args([
            "-c",
            "homeserver.yaml",
            "-u",
            name,
            "-p",
            name,
            "--no-admin",
            &format!("http://{}", self.host()),
        ]);
        run(register, b"", PATIENCE).done();
        let identifier = json!({"type": "m.id.user", "user": name});
        let login = json!({"type": "m.login.password", "identifier": identifier, "password": name});
        let answer = self.call("POST", "/login", "", &login);
        let of = |key: &str| answer[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        Account { id: of("user_id"), token: of("access_token") }
    }

    /// A room of two, to which its maker invites another account.
    #[track_caller]
    pub fn room(&self, maker: &Account, other: &Account) -> String {
        let asked = json!({"invite": [other.id], "preset": "trusted_private_chat", "is_direct": true});
        let answer = self.call("POST", "/createRoom", &maker.token, &asked);
        answer["room_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Whether an account is in a room.
    pub fn has(&self, room: &str, maker: &Account, other: &Account) -> bool {
        let members = self.call("GET", &format!("/rooms/{room}/joined_members"), &maker.token, &Value::Null);
        members["joined"].get(&other.id).is_some()
    }

    /// Says something in a room.
    #[track_caller]
    pub fn says(&self, room: &str, who: &Account, words: &str) {
        let key: String = words.bytes().map(|byte| format!("{byte:02x}")).collect();
        let path = format!("/rooms/{room}/send/m.room.message/{key}");
        let answer = self.call("PUT", &path, &who.token, &json!({"msgtype": "m.text", "body": words}));
        assert!(answer["event_id"].is_string(), "{answer}");
    }

    /// What an account said in a room, oldest first.
    pub fn said(&self, room: &str, reader: &Account, who: &Account) -> Vec<String> {
        let path = format!("/rooms/{room}/messages?dir=b&limit=200");
        let answer = self.call("GET", &path, &reader.token, &Value::Null);
        let events = answer["chunk"].as_array().into_iter().flatten().rev();
        let of = |event: &&Value| event["sender"] == who.id.as_str() && event["type"] == "m.room.message";
        events.filter(of).filter_map(|event| Some(event["content"]["body"].as_str()?.to_owned())).collect()
    }

    /// One call of the client's interface.
    fn call(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let path = path.replace('!', "%21").replace(':', "%3A");
        let header = format!("Authorization: Bearer {token}");
        asked(self.port, &format!("{method} /_matrix/client/v3{path}"), &header, &body).unwrap_or_default()
    }
}
