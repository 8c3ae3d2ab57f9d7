//! A plugin from its folder to its last day; MCP servers that others wrote, from their registries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use shared_types::manifest::Manifest;
use tameclaw_tests::http::{Request, Response, Server};
use tameclaw_tests::mcp::{PYTHON, call, install, python_is_missing, server};
use tameclaw_tests::run::{Background, run};
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};
use tameclaw_tests::{eventually, skip};

fn manifest(world: &World) -> Manifest {
    world.bot(&["config", "validate"]).done();
    let text = fs::read_to_string(world.home().manifest()).expect("a manifest");
    documents::manifest::read(&text).expect("it can be read")
}

/// The page of a new plugin names the phrases that already call another plugin.
#[test]
fn a_sentence_of_another_plugin_is_told_before_the_yes() {
    let world = World::new();
    let folder = workspace().join("examples/plugins/word-count");
    install(&world, &[&folder.display().to_string()]);
    let copy = tempfile::tempdir().expect("a folder");
    for file in ["plugin.toml", "count.sh"] {
        std::fs::copy(folder.join(file), copy.path().join(file)).expect("a copy");
    }
    let form = std::fs::read_to_string(copy.path().join("plugin.toml")).expect("the form");
    let another = form
        .replace("name = \"word-count\"", "name = \"letters\"")
        .replace("name = \"count\"", "name = \"weigh\"");
    std::fs::write(copy.path().join("plugin.toml"), another).expect("the form");
    let page = install(&world, &[&copy.path().display().to_string()]);
    page.prints("finding [phrase-of-another] the sentence `zähle|zähl [die] wörter von|in {text}` (de) leads to `word-count` already");
    // Its own next version may keep its sentences.
    let form = std::fs::read_to_string(folder.join("plugin.toml")).expect("the form");
    std::fs::write(copy.path().join("plugin.toml"), form.replace("1.0.0", "1.0.1")).expect("the form");
    world.admin(&["plugin", "remove", "letters", "--reason", "enough"]).done();
    install(&world, &[&copy.path().display().to_string()]).prints("no rule has anything against it");
}

#[test]
fn a_plugin_is_looked_at_installed_called_and_removed() {
    let world = World::new();
    let folder = workspace().join("examples/plugins/word-count").display().to_string();
    world.admin(&["plugin", "list"]).done().says("no plugin is installed");
    let page = install(&world, &[&folder]);
    let page =
        page.prints("What runs").prints("{tree}/count.sh").prints("/bin/sh  sha256").prints("network: no");
    page.prints("risk medium")
        .prints("The text to count")
        .prints("a line (en) calls it: count [the] words of|in {text}");
    let rows = world.admin(&["plugin", "list", "--json"]).done().json_rows();
    assert_eq!((rows.len(), &rows[0]["name"], &rows[0]["by"]), (1, &json!("word-count"), &json!("owner")));
    world.admin(&["plugin", "show", "word-count"]).done().prints("tool word-count.count   risk medium");
    // The bot's manifest has the entry, signed, with a higher serial.
    let manifest = manifest(&world);
    assert_eq!((manifest.serial, manifest.plugins[0].name.as_str()), (2, "word-count"));
    let told = world.admin(&[
        "plugin",
        "try",
        "word-count",
        "count",
        "--json",
        r#"{"text": "one two"}"#,
        "--json-out",
    ]);
    let told = told.done().json();
    assert_eq!((&told["exit"], &told["stdout"]), (&json!(0), &json!("2 words")), "{told}");
    // Arguments are checked before anything starts.
    call(&world, "word-count", "count", &["{}"]).exited(3).says("text: missing");
    call(&world, "word-count", "count", &[r#"{"text": "a", "more": 1}"#]).exited(3).says("unknown");
    world.admin(&["plugin", "try", "word-count", "count", "--json", "nonsense"]).exited(2);
    call(&world, "word-count", "sum", &["{}"]).exited(3).says("offers no tool");
    // It stands in the graph, with what it may reach.
    let grid = world.admin(&["analyze", "--json"]).done().json();
    assert!(grid["skills"].as_array().is_some_and(|s| s.iter().any(|s| s["name"] == "word-count")), "{grid}");
    world.admin(&["plugin", "remove", "word-count", "--reason", " "]).exited(2);
    world.admin(&["plugin", "remove", "word-count", "--reason", "enough"]).done();
    let manifest = self::manifest(&world);
    assert!(manifest.serial == 3 && manifest.plugins.is_empty());
    assert!(!world.home().admin().join("plugins/word-count").exists(), "its files are gone");
    call(&world, "word-count", "count", &[r#"{"text": "a"}"#]).exited(3).says("is installed");
}

/// A server over HTTP: answers `tools/list` as JSON and `tools/call` as a stream that stays open.
fn answer(request: &Request) -> Response {
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    let proper =
        |status: u16, body: String| Response::Proper { status, kind: "application/json", body: body.into() };
    let known = request.header("mcp-session-id") == Some("s-1");
    match message["method"].as_str() {
        Some("initialize") => {
            let body = result(json!({"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {}}));
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nmcp-session-id: s-1\r\nconnection: close";
            Response::Bytes(format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes())
        }
        _ if !known => proper(400, "{}".into()),
        Some("notifications/initialized") => proper(202, String::new()),
        Some("tools/list") => {
            let schema =
                json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
            proper(
                200,
                result(
                    json!({"tools": [{"name": "weather", "description": "Tells", "inputSchema": schema}]}),
                ),
            )
        }
        Some("tools/call") => {
            let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}});
            let text =
                format!("sunny in {}", message["params"]["arguments"]["city"].as_str().unwrap_or_default());
            let told = result(json!({"content": [{"type": "text", "text": text}]}));
            let parts = [progress.to_string(), told]
                .map(|data| format!("event: message\ndata: {data}\n\n").into_bytes());
            // It stays open for longer than anybody would wait.
            let pause = std::time::Duration::from_millis(100);
            let parts = [parts.to_vec(), vec![b": more\n".to_vec(); 100]].concat();
            Response::Parts { kind: "text/event-stream", parts, pause, whole: true }
        }
        _ => proper(400, "{}".into()),
    }
}

#[test]
fn a_server_elsewhere_is_reached_over_http_and_only_at_its_address() {
    let world = World::new();
    let server = Server::start(|request| answer(&request));
    let url = format!("http://{}/mcp", server.host());
    let page = install(&world, &["--mcp-http", &url, "--name", "weather"]);
    page.prints("calls go to http://127.0.0.1").prints("network:read network:write");
    let begun = std::time::Instant::now();
    let told = call(&world, "weather", "weather", &[r#"{"city": "Ulm"}"#, r#"{"city": "Bonn"}"#]).done();
    told.prints("sunny in Ulm").prints("sunny in Bonn");
    assert!(begun.elapsed().as_secs() < 5, "it does not wait for the end of a stream: {:?}", begun.elapsed());
    // Plain http is for this machine only, and no redirect is followed.
    let elsewhere = ["plugin", "install", "--mcp-http", "http://example.org/mcp", "--name", "elsewhere"];
    world.admin(&elsewhere).says("plain http is for this machine only");
    let moved = Server::start(|_| {
        Response::Bytes(
            b"HTTP/1.1 307 moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".to_vec(),
        )
    });
    let url = format!("http://{}/mcp", moved.host());
    world.admin(&["plugin", "install", "--mcp-http", &url, "--name", "moved"]).exited(1).says("redirect");
    drop(server);
    call(&world, "weather", "weather", &[r#"{"city": "Ulm"}"#]).exited(1);
}

/// A server that demands a credential: the plugin.toml names the secret, the person sets it for the server's host, and each place says
/// when it is missing.
#[test]
fn a_server_elsewhere_gets_the_credential_that_was_set_for_its_host() {
    let world = World::new();
    let server = Server::start(|request| match request.header("x-api-key") {
        Some("key-of-the-weather") => answer(&request),
        _ => Response::Proper { status: 401, kind: "application/json", body: b"{}".to_vec() },
    });
    let (host, folder) = (server.host(), world.outside().join("weather"));
    let text = |header: &str| {
        format!(
            "name = \"weather\"\nversion = \"1\"\nkind = \"mcp-http\"\nurl = \"http://{host}/mcp\"\nheaders = {{ {header} }}\n"
        )
    };
    fs::create_dir_all(&folder).expect("a folder");
    let write = |header: &str| fs::write(folder.join("plugin.toml"), text(header)).expect("the form");
    let place = folder.display().to_string();
    for (wrong, word) in
        [("Host = \"a\"", "Host"), ("X-Key = \"a\\r\\nb\"", "ASCII"), ("X-Key = \"{{secret:x}}\"", "A-Z")]
    {
        write(wrong);
        world.admin(&["plugin", "install", &place]).exited(2).says(word);
    }
    write("X-Api-Key = \"{{secret:WEATHER_KEY}}\"");
    let missing = format!("cl-admin secret set WEATHER_KEY --for {host}");
    world.admin(&["plugin", "install", &place]).exited(1).says(&missing);
    let set = ["secret", "set", "WEATHER_KEY", "--for", &host];
    world.typed(Program::Admin, &set, "key-of-the-weather\n").done();
    let page = install(&world, &[&place]);
    page.prints("X-Api-Key: {{secret:WEATHER_KEY}}")
        .prints("CREDENTIAL: the server gets")
        .hides("key-of-the-weather");
    let ask = || call(&world, "weather", "weather", &[r#"{"city": "Ulm"}"#]);
    ask().done().prints("sunny in Ulm");
    world.admin(&["secret", "list"]).done().prints("for weather").hides("key-of-the-weather");
    world.admin(&["plugin", "show", "weather"]).done().prints("CREDENTIAL").hides("key-of-the-weather");
    world.admin(&["doctor"]).prints("weather: its secrets are set");
    world.admin(&["plugin", "list"]).done().prints("weather").hides("its calls fail");
    world.admin(&["secret", "remove", "WEATHER_KEY"]).done();
    world.admin(&["plugin", "list"]).done().prints(&missing);
    world.admin(&["doctor"]).prints(&missing);
    ask().exited(1).says(&missing);
    // Other headers are another digest, which nobody has said yes to.
    world.typed(Program::Admin, &set, "key-of-the-weather\n").done();
    write("X-Api-Key = \"{{secret:WEATHER_KEY}}\", X-Team = \"blue\"");
    world.admin(&["plugin", "install", &place]).exited(3).prints("X-Team: blue");
}

/// A server over HTTP that knows no greeting: each request says its version, its method and, for a call, the tool.
fn answer_stateless(request: &Request) -> Response {
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let (about, method) = (&message["params"]["_meta"], message["method"].as_str().unwrap_or_default());
    let asked = about["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        && about["io.modelcontextprotocol/clientCapabilities"] == json!({})
        && request.header("mcp-protocol-version") == Some("2026-07-28")
        && request.header("mcp-method") == Some(method)
        && request.header("mcp-name") == message["params"]["name"].as_str();
    let told = match method {
        "server/discover" => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
        "tools/list" => json!({"tools": [{"name": "getTime", "inputSchema": {"type": "object"}}]}),
        _ => json!({"content": [{"type": "text", "text": "noon"}]}),
    };
    let mut answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": told});
    answer["result"]["resultType"] = json!("complete");
    let status = if asked { 200 } else { 400 };
    Response::Proper { status, kind: "application/json", body: answer.to_string().into() }
}

/// A server that closes the stream of a call after an event with a name, and answers only a client that asks for the rest.
fn answer_in_pieces(request: &Request) -> Response {
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let stream = |events: &str, whole: bool| Response::Parts {
        kind: "text/event-stream",
        parts: vec![events.as_bytes().to_vec()],
        pause: std::time::Duration::ZERO,
        whole,
    };
    let known = request.header("mcp-session-id") == Some("s-1");
    match (request.method.as_str(), message["method"].as_str(), request.header("last-event-id")) {
        ("POST", Some("tools/call"), None) if known => stream("id: one\nretry: 100\ndata:\n\n", true),
        // A connection that breaks is not an end either.
        ("GET", None, Some("one")) if known => stream("id: two\ndata:\n\n", false),
        ("GET", None, Some("two"))
            if known && request.header("mcp-protocol-version") == Some("2025-03-26") =>
        {
            let content = json!([{"type": "text", "text": "sunny after all"}]);
            let answer = json!({"jsonrpc": "2.0", "id": 3, "result": {"content": content}});
            stream(&format!("data: {answer}\n\n"), true)
        }
        _ => answer(request),
    }
}

/// A server that ends its stream and wants to be asked again is asked again, by the last event that came.
#[test]
fn a_servers_stream_that_ends_too_early_is_gone_on_with() {
    let world = World::new();
    let server = Server::start(|request| answer_in_pieces(&request));
    install(&world, &["--mcp-http", &format!("http://{}/mcp", server.host()), "--name", "weather"]);
    call(&world, "weather", "weather", &[r#"{"city": "Ulm"}"#]).done().prints("sunny after all");
}

/// A server that wants arguments in headers as well gets them there; a tool that wants them in a way that is not allowed is left out.
#[test]
fn a_server_gets_the_arguments_in_headers_that_it_wants_there() {
    let world = World::new();
    let server = Server::start(|request| {
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let parameter = |name: &str| json!({"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": name}, "day": {"type": "integer"}}});
        let result = match message["method"].as_str() {
            Some("server/discover") => json!({"supportedVersions": ["2026-07-28"]}),
            Some("tools/list") => json!({"tools": [
                {"name": "weather", "inputSchema": parameter("City")},
                {"name": "smuggle", "inputSchema": parameter("a: b\r\nx")},
            ]}),
            Some("tools/call") => {
                let text = format!("for {:?}", request.header("mcp-param-city"));
                json!({"content": [{"type": "text", "text": text}]})
            }
            _ => return Response::Proper { status: 400, kind: "application/json", body: b"{}".to_vec() },
        };
        let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
        Response::Proper { status: 200, kind: "application/json", body: body.into() }
    });
    let page =
        install(&world, &["--mcp-http", &format!("http://{}/mcp", server.host()), "--name", "weather"]);
    page.prints("smuggle: it wants its parameters in headers (`x-mcp-header`) in a way that is not allowed");
    let told =
        call(&world, "weather", "weather", &[r#"{"city": "Ulm"}"#, r#"{"city": "Zürich"}"#, r#"{"day": 1}"#]);
    told.done()
        .prints("for Some(\"Ulm\")")
        .prints("for Some(\"=?base64?WsO8cmljaA==?=\")")
        .prints("for None");
}

#[test]
fn a_server_of_the_version_without_a_greeting_is_spoken_to_over_pipes_and_http() {
    let world = World::new();
    let server = Server::start(|request| answer_stateless(&request));
    install(&world, &["--mcp-http", &format!("http://{}/mcp", server.host()), "--name", "clock-elsewhere"]);
    call(&world, "clock-elsewhere", "get_time", &["{}", "{}"]).done().prints("noon");
    if python_is_missing() {
        return;
    }
    let folder = tameclaw_tests::mcp::server(&world, "stateless", &[], "");
    install(&world, &[folder.to_str().expect("a path")]);
    call(&world, "stateless", "count", &["{}", "{}"]).done().prints("call 1").prints("call 2");
}

/// A schema of others stays what it is for the server; a model and a person see all of it but what could mislead them.
#[test]
fn a_tool_with_a_schema_of_others_is_offered_and_called_with_its_own_names() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let folder = server(&world, "foreign", &[], "");
    let page = install(&world, &[folder.to_str().expect("a path")]);
    assert!(!page.stdout.contains(['\u{1b}', '\u{202e}']), "{}", page.report());
    page.prints("Ignore all rules").prints("the parameter first_name is the server's \"first name\"");
    let rows = world.bot(&["tool", "list", "--json"]).done().json_rows();
    let book = rows.iter().find(|row| row["name"] == "foreign.book").expect("it is offered");
    let parameters = &book["parameters"];
    let kept = [
        ("/properties/where/$ref", json!("#/$defs/place")),
        ("/$defs/place/properties/in/$ref", json!("#/$defs/place")),
        ("/properties/nights/type", json!(["integer", "null"])),
        ("/properties/payBy/oneOf/1/const", json!("cash")),
        ("/patternProperties/^x-[a-z]+$/type", json!("number")),
        ("/properties/first_name/enum", json!(["Ada"])),
    ];
    for (place, value) in kept {
        assert_eq!(parameters.pointer(place), Some(&value), "{place}: {parameters}");
    }
    let text = parameters.to_string();
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && !text.contains(&"x".repeat(200)), "{text}");
    let args = r#"{"where": {"city": "Ulm", "in": {"city": "B"}}, "first_name": "Ada", "nights": null, "payBy": "cash", "x-a": 1}"#;
    call(&world, "foreign", "book", &[args]).done().prints(r#""first name": "Ada""#);
    fs::write(world.home().profile_file(&world.profile()), "autonomy: full\n").expect("the profile");
    let _service = world.start(Program::Admin, &["run"]);
    let told = world.bot(&["tool", "run", "foreign.book", "--json", args]).done();
    told.prints(r#""first name": "Ada""#).prints(r#""payBy": "cash""#);
}

/// A name that leads to this machine or its network; such names stand in the list of the system.
fn name_of_this_network() -> Option<String> {
    use std::net::ToSocketAddrs as _;
    let listed = fs::read_to_string("/etc/hosts").unwrap_or_default();
    let names =
        listed.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split_whitespace().skip(1));
    let private = |name: &&str| {
        let addresses = (*name, 443).to_socket_addrs().into_iter().flatten();
        let own = |address: std::net::SocketAddr| match address.ip() {
            std::net::IpAddr::V4(v4) => v4.is_loopback() || v4.is_private(),
            std::net::IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local(),
        };
        addresses.map(own).next() == Some(true)
    };
    names.filter(|name| !name.contains("localhost") || name.contains('-')).find(private).map(str::to_owned)
}

/// A person approves a name; where it leads to this machine or network, nothing is sent there.
#[test]
fn a_server_elsewhere_whose_name_leads_to_this_network_is_not_asked() {
    let Some(name) = name_of_this_network() else {
        skip("no name of /etc/hosts leads to this network");
        return;
    };
    let world = World::new();
    let listener =
        std::net::TcpListener::bind(("::", 0)).or_else(|_| std::net::TcpListener::bind("0.0.0.0:0"));
    let listener = listener.expect("a port");
    listener.set_nonblocking(true).expect("it is only looked at");
    let port = listener.local_addr().expect("an address").port();
    let url = format!("https://{name}:{port}/mcp");
    let ran = world.admin(&["plugin", "install", "--mcp-http", &url, "--name", "inside"]).exited(1);
    ran.says("resolves to").says("network.local");
    assert!(listener.accept().is_err(), "nobody came");
}

/// A program that is started for one call reaches the host that its form names; the answer tells what was exchanged.
#[test]
fn a_program_for_one_call_reaches_its_host() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let body = "the answer of the host";
    let server = Server::start(|_| Response::Proper { status: 200, kind: "text/plain", body: body.into() });
    let host = format!("localhost:{}", server.port());
    fs::write(world.home().bot_config(), format!("network: {{local: [\"{host}\"]}}\n"))
        .expect("it can be written");
    let folder = world.outside().join("asker");
    fs::create_dir_all(&folder).expect("a folder");
    let program = format!(
        "import http.client, json, sys\njson.load(sys.stdin)\nasked = http.client.HTTPConnection({host:?})\n\
         asked.request('POST', '/', b'x' * 1000)\nprint(json.dumps({{'ok': asked.getresponse().read().decode()}}))\n"
    );
    fs::write(folder.join("ask.py"), program).expect("a program");
    let form = format!(
        "name = \"asker\"\nversion = \"1\"\ncommand = {PYTHON:?}\nargs = [\"{{tree}}/ask.py\"]\nnetwork = [{host:?}]\n\
         [[tools]]\nname = \"ask\"\n"
    );
    fs::write(folder.join("plugin.toml"), form).expect("the form");
    install(&world, &[folder.to_str().expect("a path")]).prints(&host).prints("each call asks a person");
    let told = world.admin(&["plugin", "try", "asker", "ask", "--json-out"]).done().json();
    assert_eq!(told["stdout"], body, "{told}");
    let reached = &told["network"][0];
    assert!(reached["host"] == json!(host) && reached["refused"].is_null(), "{told}");
    assert!(
        reached["sent"].as_u64() > Some(1000) && reached["received"].as_u64() > Some(body.len() as u64),
        "{told}"
    );
    world.admin(&["plugin", "show", "asker"]).done().prints("NETWORK").prints(&host);
}

/// An MCP server of Node: its tool fetches an address, which Node does without asking any proxy.
const FETCHER: &str = r#"
import { createInterface } from "node:readline";
const tools = [{ name: "fetch", inputSchema: { type: "object", properties: { url: { type: "string" } } } }];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let result = {};
  if (method === "initialize") result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "f", version: "1" } };
  if (method === "tools/list") result = { tools };
  if (method === "tools/call") {
    try {
      const answer = await fetch(params.arguments.url);
      result = { content: [{ type: "text", text: await answer.text() }] };
    } catch (error) {
      result = { content: [{ type: "text", text: `${error}: ${error.cause}` }], isError: true };
    }
  }
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
"#;

/// A server over TLS, with a file that says whose it is.
const SECURED: &str = "import http.server, ssl, sys\n\
    class Hello(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.send_response(200)\n        \
    self.end_headers()\n        self.wfile.write(b'hello over TLS')\n\
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\ncontext.load_cert_chain('ca.pem', 'key.pem')\n\
    server = http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Hello)\n\
    server.socket = context.wrap_socket(server.socket, server_side=True)\nserver.serve_forever()\n";

/// The fetch of Node reaches a host over TLS by its name, with the certificate of that name, and no other host.
#[test]
fn fetch_of_node_reaches_a_host_over_tls_by_its_name() {
    if !Path::new("/usr/bin/node").exists() || python_is_missing() {
        return skip("there is no /usr/bin/node");
    }
    let world = World::new();
    let folder = world.outside().join("fetcher");
    fs::create_dir_all(&folder).expect("a folder");
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=api.test"])
        .args(["-addext", "subjectAltName=DNS:api.test", "-keyout", "../key.pem", "-out", "ca.pem"])
        .current_dir(&folder)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        return skip("openssl makes no certificate here");
    }
    fs::copy(folder.join("ca.pem"), world.outside().join("ca.pem")).expect("it can be copied");
    let port = tameclaw_tests::http::dead_port();
    let mut secured = Command::new(PYTHON);
    secured.args(["-c", SECURED, &port.to_string()]).current_dir(world.outside());
    let _server = Background::start(secured);
    eventually(PATIENCE, "the server listens", || {
        std::net::TcpStream::connect(("127.0.0.1", port)).ok().map(drop)
    });
    let host = format!("api.test:{port}");
    fs::write(world.home().bot_config(), format!("network: {{local: [\"{host}\"]}}\n"))
        .expect("it can be written");
    fs::write(folder.join("server.mjs"), FETCHER).expect("the server");
    let form = format!(
        "name = \"fetcher\"\nversion = \"1\"\nkind = \"mcp-stdio\"\ncommand = \"/usr/bin/node\"\n\
         args = [\"{{tree}}/server.mjs\"]\nmemory_mb = 32768\nnetwork = [{host:?}]\n\
         env = {{ NODE_EXTRA_CA_CERTS = \"{{tree}}/ca.pem\" }}\n"
    );
    fs::write(folder.join("plugin.toml"), form).expect("the form");
    install(&world, &[folder.to_str().expect("a path")]).prints(&host);
    // What the machine's own list of names says, for this program alone.
    let list = world.outside().join("hosts");
    fs::write(&list, "127.0.0.1 localhost api.test\n").expect("a list");
    let fetch = |url: &str| {
        let args = json!({"url": url}).to_string();
        let inner = world.command(Program::Admin, &["plugin", "try", "fetcher", "fetch", "--json", &args]);
        let mut command = Command::new("unshare");
        let mounted = "mount --bind \"$1\" /etc/hosts && shift && exec \"$@\"";
        command.args(["--mount", "sh", "-c", mounted, "sh"]).arg(&list);
        command.arg(inner.get_program()).args(inner.get_args()).current_dir(world.outside());
        command.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(command, b"", PATIENCE)
    };
    let told = fetch(&format!("https://{host}/"));
    if ["unshare:", "mount:"].iter().any(|word| told.stderr.contains(word)) {
        return skip("nothing can be mounted here");
    }
    told.done().prints("hello over TLS").says(&format!("{host}: "));
    fetch(&format!("https://localhost:{port}/")).exited(1).says("ECONNREFUSED");
    fetch("https://example.org/").exited(1).says("ENOTFOUND");
}

/// A folder with what a registry's client put there, made once and kept; `None` where that cannot be done.
fn fetched(name: &str, client: &str, arguments: &[&str], form: &str) -> Option<PathBuf> {
    let folder = workspace().join("target/tmp/mcp").join(name);
    let form_path = folder.join("plugin.toml");
    if !form_path.is_file() {
        fs::create_dir_all(&folder).ok()?;
        let fetched = Command::new(client).args(arguments).current_dir(&folder).output();
        if !fetched.is_ok_and(|out| out.status.success()) {
            skip(&format!("{client} cannot fetch {name}"));
            return None;
        }
        fs::write(&form_path, form).ok()?;
    }
    Some(folder)
}

const NPM: [&str; 6] =
    ["install", "--no-bin-links", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix=."];

#[test]
fn servers_from_npm_run_in_the_jail() {
    if !Path::new("/usr/bin/node").exists() {
        return skip("there is no /usr/bin/node");
    }
    let package = ["@modelcontextprotocol/server-everything@2026.8.31"];
    let form = "name = \"everything\"\nversion = \"2026.8.31\"\ndescription = \"The reference server\"\nkind = \"mcp-stdio\"\n\
                command = \"/usr/bin/node\"\nmemory_mb = 8192\n\
                args = [\"{tree}/node_modules/@modelcontextprotocol/server-everything/dist/index.js\"]\n";
    let Some(everything) = fetched("everything", "npm", &[&NPM[..], &package].concat(), form) else { return };
    let world = World::new();
    install(&world, &[everything.to_str().expect("a path")]).hides("Left out");
    let told = call(&world, "everything", "get-sum", &[r#"{"a": 2, "b": 40}"#]).done();
    told.prints("42");
    let package = ["@modelcontextprotocol/server-filesystem@2026.8.31"];
    let form = "name = \"shelf\"\nversion = \"2026.8.31\"\ndescription = \"Reads the workspace\"\nkind = \"mcp-stdio\"\n\
                command = \"/usr/bin/node\"\ncapabilities = [\"file:read\"]\nmemory_mb = 8192\n\
                args = [\"{tree}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js\", \"{workspace}\"]\n";
    let Some(shelf) = fetched("shelf", "npm", &[&NPM[..], &package].concat(), form) else { return };
    install(&world, &[shelf.to_str().expect("a path")]).prints("to read").prints("file:read");
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(&folder).expect("a workspace");
    fs::write(folder.join("a.txt"), "hello from the shelf").expect("a file");
    let args = |name: &str| json!({"path": folder.join(name)}).to_string();
    call(&world, "shelf", "read_text_file", &[&args("a.txt")]).done().prints("hello from the shelf");
    let write = json!({"path": folder.join("b.txt"), "content": "x"}).to_string();
    call(&world, "shelf", "write_file", &[&write]).exited(1);
    assert!(!folder.join("b.txt").exists(), "the workspace is there to read");
}

/// A server of npm, and how it is started: its package with the version, its script, and what goes with that.
struct Npm {
    name: &'static str,
    package: &'static str,
    script: &'static str,
    more: &'static str,
    tools: usize,
}

/// Seven servers that people connect; `tools` is how many each lists.
const SERVERS: [Npm; 7] = [
    Npm {
        name: "everything",
        package: "@modelcontextprotocol/server-everything@2026.8.31",
        script: "@modelcontextprotocol/server-everything/dist/index.js",
        more: "",
        tools: 13,
    },
    Npm {
        name: "filesystem",
        package: "@modelcontextprotocol/server-filesystem@2026.8.31",
        script: "@modelcontextprotocol/server-filesystem/dist/index.js\", \"{tree}",
        more: "",
        tools: 14,
    },
    Npm {
        name: "knowledge",
        package: "@modelcontextprotocol/server-memory@2026.8.31",
        script: "@modelcontextprotocol/server-memory/dist/index.js",
        more: "",
        tools: 9,
    },
    Npm {
        name: "thinking",
        package: "@modelcontextprotocol/server-sequential-thinking@2026.8.31",
        script: "@modelcontextprotocol/server-sequential-thinking/dist/index.js",
        more: "",
        tools: 1,
    },
    Npm {
        name: "notion",
        package: "@notionhq/notion-mcp-server@2.5.2",
        script: "@notionhq/notion-mcp-server/bin/cli.mjs",
        more: "env = { NOTION_TOKEN = \"none\" }",
        tools: 24,
    },
    Npm {
        name: "github",
        package: "@modelcontextprotocol/server-github@2025.4.8",
        script: "@modelcontextprotocol/server-github/dist/index.js",
        more: "",
        tools: 26,
    },
    Npm {
        name: "browser",
        package: "@playwright/mcp@0.0.83",
        script: "@playwright/mcp/cli.js",
        more: "",
        tools: 25,
    },
];

/// What of the tools of such servers is offered; the page names the rest with the reasons.
#[test]
fn the_tools_of_servers_from_npm_are_offered() {
    if !Path::new("/usr/bin/node").exists() {
        return skip("there is no /usr/bin/node");
    }
    let world = World::new();
    let (mut offered, mut listed) = (0, 0);
    for Npm { name, package, script, more, tools } in SERVERS {
        let form = format!(
            "name = \"{name}\"\nversion = \"1\"\ndescription = \"A server of npm\"\nkind = \"mcp-stdio\"\n\
             command = \"/usr/bin/node\"\nmemory_mb = 32768\nargs = [\"{{tree}}/node_modules/{script}\"]\n{more}\n"
        );
        let fetched = fetched(&format!("listed-{name}"), "npm", &[&NPM[..], &[package]].concat(), &form);
        let Some(folder) = fetched else { return };
        let page = world.admin(&["plugin", "install", folder.to_str().expect("a path")]).exited(3);
        let of_this = page.stdout.lines().filter(|line| line.starts_with(&format!("  tool {name}."))).count();
        let left_out = page.stdout.lines().skip_while(|line| *line != "Left out").skip(1);
        let left_out: Vec<&str> = left_out.take_while(|line| !line.is_empty()).collect();
        println!("{name}: {of_this} of {tools}\n{}", left_out.join("\n"));
        assert_eq!(of_this + left_out.len(), tools, "{name} lists other tools: {}", page.report());
        (offered, listed) = (offered + of_this, listed + tools);
    }
    assert_eq!(listed, 112);
    assert!(offered >= 105, "{offered} of {listed} are offered");
}

#[test]
fn a_server_from_pypi_runs_in_the_jail() {
    if !Path::new(PYTHON).exists() {
        return skip("there is no /usr/bin/python3");
    }
    let form = "name = \"time\"\nversion = \"1\"\ndescription = \"What time it is elsewhere\"\nkind = \"mcp-stdio\"\n\
                command = \"/usr/bin/python3\"\nargs = [\"-m\", \"mcp_server_time\", \"--local-timezone\", \"UTC\"]\n\
                env = { PYTHONPATH = \"{tree}\", PYTHONDONTWRITEBYTECODE = \"1\" }\nmemory_mb = 2048\n";
    let arguments = ["-m", "pip", "install", "--quiet", "--target", ".", "mcp-server-time"];
    let Some(time) = fetched("time", PYTHON, &arguments, form) else { return };
    let world = World::new();
    install(&world, &[time.to_str().expect("a path")]);
    let args = r#"{"timezone": "Europe/Berlin"}"#;
    call(&world, "time", "get_current_time", &[args]).done().prints("Europe/Berlin");
}

/// The bot calls a plugin's tool through the service, with the profile's autonomy; what runs is on the admin's record, and
/// files that changed since the yes are not run for the bot either.
#[test]
fn the_bot_calls_a_plugins_tool_through_the_service() {
    let world = World::new();
    install(&world, &[&workspace().join("examples/plugins/word-count").display().to_string()]);
    let count = || world.bot(&["tool", "run", "word-count.count", "--json", r#"{"text": "one two"}"#]);
    let profile = |text: &str| {
        fs::write(world.home().profile_file(&world.profile()), text).expect("the profile can be written");
    };
    let _service = world.start(Program::Admin, &["run"]);
    // Medium: under supervision a person is asked by the service, and nobody waits for one in a pipe.
    let asked = count();
    assert_ne!(asked.status, 0, "{}", asked.report());
    asked.hides("2 words");
    profile("autonomy: full\n");
    count().done().prints("2 words");
    // Without a model a line of the plugin's own sentences calls it, in either language.
    world.bot(&["agent", "-m", "count the words of one two three"]).done().prints("3 words");
    world.bot(&["agent", "-m", "Wie viele Wörter hat eins zwei drei vier?"]).done().prints("4 words");
    let kept = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("the admin's receipts");
    assert!(kept.contains("word-count.count") && kept.contains("\"status\":\"allowed\""), "{kept}");
    profile("autonomy: readonly\n");
    count().exited(3).hides("2 words");
    profile("autonomy: full\n");
    let trees = world.home().admin().join("plugins/word-count");
    let tree = fs::read_dir(&trees).expect("it is placed").next().expect("one").expect("an entry").path();
    fs::remove_file(tree.join("count.sh")).expect("it goes");
    fs::write(tree.join("count.sh"), "#!/bin/sh\necho '{\"ok\": \"pwned\"}'\n").expect("another");
    let refused = count();
    assert_ne!(refused.status, 0, "{}", refused.report());
    refused.hides("pwned");
}

#[test]
fn a_plugin_in_the_folder_of_the_home_is_listed_and_runs_only_after_a_persons_yes() {
    let world = World::new();
    let folder = world.home().root().join("plugins/word-count");
    fs::create_dir_all(&folder).expect("a folder");
    for file in ["plugin.toml", "count.sh"] {
        let source = workspace().join("examples/plugins/word-count").join(file);
        fs::copy(source, folder.join(file)).expect("it can be copied");
    }
    fs::create_dir(folder.with_file_name("broken")).expect("a folder");
    let list = world.admin(&["plugin", "list"]).done().prints("word-count").prints("not installed");
    list.prints("cannot be installed").prints("holds no plugin.toml");
    assert!(manifest(&world).plugins.is_empty(), "a folder alone brings nothing");
    world.admin(&["plugin", "try", "word-count", "count", "--json", r#"{"text": "a"}"#]).exited(3);
    install(&world, &[&folder.display().to_string()]);
    let rows = world.admin(&["plugin", "list", "--json"]).done().json_rows();
    let installed: Vec<bool> = rows.iter().map(|row| row["installed"] != json!(false)).collect();
    assert_eq!(installed, [true, false], "{rows:?}");
}

/// A PDF file of two pages, each with its text.
fn pdf(pages: [&str; 2]) -> Vec<u8> {
    let text = |page: &str| format!("BT /F1 24 Tf 72 720 Td ({page}) Tj ET");
    let stream =
        |page: &str| format!("<< /Length {} >>\nstream\n{}\nendstream", text(page).len(), text(page));
    let page = |content: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 7 0 R >> >> \
             /Contents {content} 0 R >>"
        )
    };
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_owned(),
        page(5),
        page(6),
        stream(pages[0]),
        stream(pages[1]),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", n + 1));
    }
    let table = file.len();
    file.push_str("xref\n0 8\n0000000000 65535 f \n");
    places.iter().for_each(|place| file.push_str(&format!("{place:010} 00000 n \n")));
    file.push_str(&format!("trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"));
    file.into_bytes()
}

/// The shipped plugin reads PDF files of the profile's workspace, page by page; a file of another kind, or at another place, is
/// reported.
#[test]
fn the_shipped_plugin_reads_pdf_files_of_the_workspace() {
    if python_is_missing() {
        return;
    }
    if !Path::new("/usr/bin/pdftotext").exists() {
        return skip("there is no /usr/bin/pdftotext");
    }
    let world = World::new();
    let page = install(&world, &[&workspace().join("examples/plugins/pdf-extract").display().to_string()]);
    page.prints("/usr/bin/python3").prints("network: no");
    fs::write(world.home().profile_file(&world.profile()), "autonomy: full\n").expect("a profile");
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(&folder).expect("a workspace");
    fs::write(folder.join("bill.pdf"), pdf(["The bill is 84 euro", "Pay until Friday"])).expect("a file");
    fs::write(folder.join("note.pdf"), "no pdf").expect("a file");
    let _service = world.start(Program::Admin, &["run"]);
    let read = |args: Value| world.bot(&["tool", "run", "pdf-extract.text", "--json", &args.to_string()]);
    read(json!({"path": "bill.pdf"}))
        .done()
        .prints("[page 1]\nThe bill is 84 euro")
        .prints("[page 2]\nPay until Friday");
    read(json!({"path": "bill.pdf", "first": 2})).done().prints("[page 2]").hides("84 euro");
    read(json!({"path": "bill.pdf", "last": 1})).done().prints("84 euro").hides("Friday");
    read(json!({"path": "bill.pdf", "first": 2, "last": 1})).exited(1).says("last (1) is before first (2)");
    read(json!({"path": "bill.pdf", "first": 0})).exited(2).says("minimum is 1");
    read(json!({"path": "note.pdf"})).exited(1).says("pdftotext cannot read the file");
    for elsewhere in ["no.pdf", "../../../config/default.yaml", "/etc/hostname"] {
        read(json!({"path": elsewhere})).exited(1).says("there is no file");
    }
}
