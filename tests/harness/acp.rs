//! An editor of the tests' own: the pipes to `cl-bot acp`, and what it says of a prompt.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use serde_json::{Value, json};

use crate::world::{Program, World};

/// A client that does what Python's library for editors does; its arguments are the program that it starts, and those of that one.
pub const PYTHON_CLIENT: &str = include_str!("acp/client.py");

/// A client with the pipes to the bot; the bot ends with it.
#[derive(Debug)]
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

/// What came of a prompt.
#[derive(Debug)]
pub struct Answered {
    /// What the bot said while it came.
    pub said: String,
    /// The answer to the request.
    pub answer: Value,
}

impl Editor {
    /// Starts `cl-bot acp` with further arguments.
    pub fn start(world: &World, more: &[&str]) -> Editor {
        let mut command = world.command(Program::Bot, &[&["acp"], more].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the bot starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Editor { child, input, output: BufReader::new(output), last: 0 }
    }

    /// The process, which is `mind`.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line as it is.
    pub fn line(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("it is open"), "{line}").expect("the bot reads");
    }

    /// The next message.
    #[track_caller]
    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the bot answers");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    /// Sends a request and answers its number.
    pub fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        self.line(
            &json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).to_string(),
        );
        self.last
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        self.line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// What came of a request: everything up to its answer.
    #[track_caller]
    pub fn answered(&mut self, number: u64) -> (Vec<Value>, Value) {
        let mut updates = Vec::new();
        loop {
            let message = self.hear();
            if message["method"] == "session/update" {
                updates.push(message["params"].clone());
                continue;
            }
            assert_eq!((&message["jsonrpc"], &message["id"]), (&json!("2.0"), &json!(number)), "{message}");
            return (updates, message);
        }
    }

    /// Asks and waits for the answer, which comes without updates.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        let number = self.send(method, params);
        let (updates, answer) = self.answered(number);
        assert_eq!(updates, Vec::<Value>::new(), "{answer}");
        answer
    }

    /// Greets, and makes a session.
    #[track_caller]
    pub fn session(&mut self) -> String {
        let greeted = self.ask("initialize", &json!({"protocolVersion": 1, "clientCapabilities": {}}));
        assert_eq!(greeted["result"]["protocolVersion"], 1, "{greeted}");
        let made = self.ask("session/new", &json!({"cwd": "/tmp", "mcpServers": []}));
        made["result"]["sessionId"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    /// Sends a line of text and waits for the end of the answer.
    #[track_caller]
    pub fn prompt(&mut self, session: &str, text: &str) -> Answered {
        let number = self.send("session/prompt", &prompt(session, text));
        let (updates, answer) = self.answered(number);
        let text = |update: &Value| {
            assert_eq!(update["sessionId"], session, "{update}");
            assert_eq!(update["update"]["sessionUpdate"], "agent_message_chunk", "{update}");
            update["update"]["content"]["text"].as_str().expect("a text").to_owned()
        };
        Answered { said: updates.iter().map(text).collect(), answer }
    }

    /// Ends the input, and waits for the end.
    pub fn leave(mut self) -> ExitStatus {
        self.input = None;
        self.child.wait().expect("it ends")
    }

    /// Waits until it ends on its own, and answers what came before.
    pub fn ended(mut self) -> (Vec<Value>, ExitStatus) {
        let mut messages = Vec::new();
        let mut line = String::new();
        while self.output.read_line(&mut line).is_ok_and(|read| read > 0) {
            messages.push(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")));
            line.clear();
        }
        (messages, self.child.wait().expect("it ends"))
    }
}

/// The parameters of a prompt with a text.
pub fn prompt(session: &str, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
