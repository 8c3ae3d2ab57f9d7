//! An authorization server with the model behind it: codes are good once, refresh tokens rotate, and only the newest
//! access token is taken.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::http::{Request, Response, Server};
use crate::run::{Ran, run_asked};
use crate::world::{PATIENCE, Program, World};

/// How the server behaves.
#[derive(Debug, Clone)]
pub struct Manner {
    /// What every token begins with.
    pub prefix: String,
    /// How long an access token is said to live, in seconds.
    pub expires_in: i64,
    /// The person at the browser says no.
    pub denies: bool,
    /// How long the model thinks.
    pub thinks: Duration,
    /// Answers every request for a token with this status and body.
    pub fails: Option<(u16, String)>,
}

impl Default for Manner {
    fn default() -> Self {
        Manner {
            prefix: "token".to_owned(),
            expires_in: 3600,
            denies: false,
            thinks: Duration::ZERO,
            fails: None,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    manner: Manner,
    count: u32,
    /// Code to the challenge that it is bound to.
    codes: BTreeMap<String, String>,
    access: Option<String>,
    refresh: Option<String>,
    refreshed: u32,
    revoked: Vec<String>,
    seen: Vec<Request>,
}

/// The server; it stops with the value.
#[derive(Debug)]
pub struct LoginServer {
    server: Server,
    state: Arc<Mutex<State>>,
}

/// Where the browser is sent; nobody listens there.
pub const REDIRECT: &str = "http://127.0.0.1:8123/callback";

impl LoginServer {
    /// Starts a server.
    pub fn start(manner: Manner) -> LoginServer {
        let state = Arc::new(Mutex::new(State { manner, ..State::default() }));
        let shared = Arc::clone(&state);
        let server = Server::start(move |request| {
            let mut state = shared.lock().expect("no answer panics");
            state.seen.push(request.clone());
            match request.path.as_str() {
                "/token" => token(&mut state, &fields(&request.body)),
                "/revoke" => {
                    let token = fields(&request.body).remove("token").unwrap_or_default();
                    state.revoked.push(token);
                    proper(200, json!({}))
                }
                "/v1/chat/completions" => chat(&state, &request),
                _ => proper(404, json!({"error": {"message": "no such path"}})),
            }
        });
        LoginServer { server, state }
    }

    /// The entry of a provider `work` that logs in here, with more of its keys as they stand in YAML.
    pub fn provider(&self, more: &str) -> String {
        let host = self.server.host();
        format!(
            "  - name: work\n    kind: openai-compatible\n    base_url: \"http://{host}/v1\"\n    model: m\n{more}    \
             login:\n      authorization_url: \"http://{host}/authorize\"\n      token_url: \"http://{host}/token\"\n      \
             revocation_url: \"http://{host}/revoke\"\n      client_id: my-client\n      scopes: [chat, models]\n      \
             redirect_uri: \"{REDIRECT}\"\n"
        )
    }

    /// A home whose bot asks this server's model.
    pub fn world(&self) -> World {
        let world = World::new();
        let settings = format!("providers:\n{}", self.provider(""));
        std::fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
        world
    }

    /// Behaves differently from now on.
    pub fn behave(&self, change: impl FnOnce(&mut Manner)) {
        change(&mut self.lock().manner);
    }

    /// Is the person's browser at that address: the address that it is sent to.
    #[track_caller]
    pub fn visit(&self, address: &str) -> String {
        let (place, query) = address.split_once('?').expect("the address has a query");
        assert_eq!(place, format!("http://{}/authorize", self.server.host()));
        let asked = fields(query.as_bytes());
        let expected = [
            ("response_type", "code"),
            ("client_id", "my-client"),
            ("redirect_uri", REDIRECT),
            ("scope", "chat models"),
        ];
        for (name, value) in expected {
            assert_eq!(asked.get(name).map(String::as_str), Some(value), "{address}");
        }
        assert_eq!(asked["code_challenge_method"], "S256");
        let mut state = self.lock();
        let answer = if state.manner.denies {
            form_urlencoded::Serializer::new(String::new())
                .append_pair("error", "access_denied")
                .append_pair("error_description", "You said no")
                .append_pair("state", &asked["state"])
                .finish()
        } else {
            state.count += 1;
            let code = format!("code/{}+=", state.count);
            state.codes.insert(code.clone(), asked["code_challenge"].clone());
            form_urlencoded::Serializer::new(String::new())
                .append_pair("code", &code)
                .append_pair("state", &asked["state"])
                .finish()
        };
        format!("{REDIRECT}?{answer}")
    }

    /// Runs `cl-bot login work`, with a browser that does what `browse` makes of this server's answer.
    #[track_caller]
    pub fn log_in(&self, world: &World, browse: impl FnOnce(String) -> String) -> Ran {
        let command = world.command(Program::Bot, &["login", "work"]);
        run_asked(command, |address| browse(self.visit(address)), PATIENCE)
    }

    /// Takes the newest access token no longer.
    pub fn expire(&self) {
        self.lock().access = Some(String::new());
    }

    /// Takes this key, and no other, until a token is granted.
    pub fn accept(&self, key: &str) {
        self.lock().access = Some(key.to_owned());
    }

    /// How often a refresh token was taken.
    pub fn refreshed(&self) -> u32 {
        self.lock().refreshed
    }

    /// The tokens that were declared void.
    pub fn revoked(&self) -> Vec<String> {
        self.lock().revoked.clone()
    }

    /// The newest access and refresh token.
    pub fn newest(&self) -> (String, String) {
        let state = self.lock();
        (state.access.clone().unwrap_or_default(), state.refresh.clone().unwrap_or_default())
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Request> {
        self.lock().seen.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no answer panics")
    }
}

fn token(state: &mut State, form: &BTreeMap<String, String>) -> Response {
    if let Some((status, body)) = &state.manner.fails {
        return Response::Proper {
            status: *status,
            kind: "application/json",
            body: body.clone().into_bytes(),
        };
    }
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let refused = |error: &str| proper(400, json!({"error": error, "error_description": "as scripted"}));
    if field("client_id") != "my-client" {
        return refused("invalid_client");
    }
    match field("grant_type") {
        "authorization_code" => {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")));
            // Good once, regardless of the result.
            if state.codes.remove(field("code")) != Some(challenge) || field("redirect_uri") != REDIRECT {
                return refused("invalid_grant");
            }
        }
        "refresh_token" => {
            if state.refresh.as_deref() != Some(field("refresh_token")) {
                return refused("invalid_grant");
            }
            state.refreshed += 1;
        }
        _ => return refused("unsupported_grant_type"),
    }
    state.count += 1;
    let (prefix, count) = (&state.manner.prefix, state.count);
    let (access, refresh) = (format!("{prefix}-access-{count}"), format!("{prefix}-refresh-{count}"));
    (state.access, state.refresh) = (Some(access.clone()), Some(refresh.clone()));
    proper(
        200,
        json!({"access_token": access, "refresh_token": refresh, "token_type": "bearer", "scope": "chat models",
               "expires_in": state.manner.expires_in}),
    )
}

/// The line on which the model says which key it was sent.
pub const SAY_THE_KEY: &str = "Which key did I send you?";

/// Repeats a key that it does not take, as some servers do, and one that it takes when it is asked for it.
fn chat(state: &State, request: &Request) -> Response {
    std::thread::sleep(state.manner.thinks);
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let streams = body["stream"] == true;
    let sent = request.header("authorization").unwrap_or_default();
    if sent.strip_prefix("Bearer ") != state.access.as_deref() {
        let error = json!({"error": {"message": format!("the key `{sent}` is not valid")}});
        return if streams { in_pieces(401, &[error]) } else { proper(401, error) };
    }
    let last =
        body["messages"].as_array().and_then(|all| all.last()).map(ToString::to_string).unwrap_or_default();
    let said = if last.contains(SAY_THE_KEY) {
        format!("You sent {sent}, indeed.")
    } else {
        "Good day to you.".into()
    };
    let (id, created) = ("chatcmpl-1", 1_700_000_000);
    if streams {
        let piece = |delta: Value, reason: Value| {
            json!({"id": id, "object": "chat.completion.chunk", "created": created, "model": "m",
                   "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
        };
        let first = piece(json!({"role": "assistant", "content": said}), Value::Null);
        return in_pieces(200, &[first, piece(json!({}), json!("stop"))]);
    }
    let message = json!({"role": "assistant", "content": said});
    proper(
        200,
        json!({"id": id, "object": "chat.completion", "created": created, "model": "m",
               "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
    )
}

/// Server-sent events in chunks of a few bytes, so that a key is torn apart on its way.
fn in_pieces(status: u16, events: &[Value]) -> Response {
    let events =
        events.iter().map(|event| format!("data: {event}\n\n")).chain(["data: [DONE]\n\n".to_owned()]);
    let mut bytes = format!(
        "HTTP/1.1 {status} scripted\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\
         transfer-encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    for piece in events.collect::<String>().as_bytes().chunks(11) {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    Response::Bytes(bytes)
}

fn fields(form: &[u8]) -> BTreeMap<String, String> {
    form_urlencoded::parse(form).into_owned().collect()
}

fn proper(status: u16, body: Value) -> Response {
    Response::Proper { status, kind: "application/json", body: body.to_string().into_bytes() }
}
