//! Plugins with hosts that they may reach: these, by name, and nothing else of the network.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::action::Ask;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::mcp::{call, install, python_is_missing, server};
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, skip};

use crate::children::{ways, without};
use crate::forge::ask;
use crate::tiers::USER;

/// A server that says hello, its name with the port, and how often it was asked.
fn hello() -> (Server, String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Server::start(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Response::Proper { status: 200, kind: "text/plain", body: b"hello from outside".to_vec() }
    });
    let host = format!("localhost:{}", server.port());
    (server, host, asked)
}

/// Installs the plugin with this host of this machine, which the configuration allows.
fn reaching(world: &World, host: &str) {
    allow_local(world, &[host]);
    install(world, &[&online(world, &[host])]);
}

/// A listener that never answers on its own, and its name with the port.
fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let host = format!("localhost:{}", listener.local_addr().expect("an address").port());
    (listener, host)
}

/// Allows hosts of this machine.
fn allow_local(world: &World, hosts: &[&str]) {
    let config = format!("network: {{local: {hosts:?}}}\n");
    fs::write(world.home().bot_config(), config).expect("it can be written");
}

/// A plugin that tries what it is asked to, and may reach these hosts.
fn online(world: &World, hosts: &[&str]) -> String {
    let folder = server(world, "online", &[], &format!("network = {hosts:?}"));
    folder.to_str().expect("a path").to_owned()
}

fn attempt(world: &World, what: &str, with: &str) -> Ran {
    call(world, "online", "do", &[&json!({"what": what, "with": with}).to_string()])
}

#[test]
fn a_plugin_reaches_its_hosts_by_name_and_nothing_else() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (named, host, asked) = hello();
    let (other, beside, unasked) = hello();
    allow_local(&world, &[&host, &beside]);
    let page = install(&world, &[&online(&world, &[&host, "api.example.org"])]);
    page.prints("each call asks a person")
        .prints(&host)
        .prints("api.example.org:443")
        .prints("network:write");
    attempt(&world, "get", &host).done().prints("hello from outside").says("bytes sent");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    // Neither the listeners nor the way to the service are handed on to it.
    attempt(&world, "descriptors", "").done().prints("[]");
    let port = other.port();
    let datagrams = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let mark = format!("tameclaw-{}-{port}", std::process::id());
    let address = SocketAddr::from_abstract_name(&mark).expect("a name");
    let _abstract = UnixListener::bind_addr(&address).expect("a socket");
    let refused = [
        ("connect", beside),
        ("connect", format!("127.0.0.1:{port}")),
        ("connect", format!("127.1.0.1:{}", named.port())),
        ("connect", "1.1.1.1:443".to_owned()),
        ("connect", "169.254.169.254:80".to_owned()),
        ("connect", "api.example.org:80".to_owned()),
        ("resolve", "example.org".to_owned()),
        ("udp", datagrams.local_addr().expect("an address").to_string()),
        ("udp", "1.1.1.1:53".to_owned()),
        ("abstract", mark),
        ("listen", "0".to_owned()),
        ("socket", "AF_NETLINK SOCK_RAW".to_owned()),
        ("socket", "AF_INET SOCK_RAW".to_owned()),
        ("socket", "AF_PACKET SOCK_RAW".to_owned()),
    ];
    let args: Vec<String> =
        refused.iter().map(|(what, with)| json!({"what": what, "with": with}).to_string()).collect();
    let ran = call(&world, "online", "do", &args.iter().map(String::as_str).collect::<Vec<_>>()).exited(1);
    assert_eq!(ran.stderr.matches("refused: ").count(), refused.len(), "{}", ran.report());
    assert_eq!(unasked.load(Ordering::SeqCst), 0);
    datagrams.set_nonblocking(true).expect("it is only looked at");
    assert!(datagrams.recv(&mut [0]).is_err(), "no datagram came");
}

/// A person's yes to a name is not a yes to this machine: that takes the configuration too.
#[test]
fn a_host_of_this_machine_is_not_reached_unless_the_configuration_allows_it() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (named, host, asked) = hello();
    install(&world, &[&online(&world, &[&host])]);
    let ran = attempt(&world, "get", &host).exited(1).hides("hello from outside");
    ran.says("`localhost` resolves to 127.0.0.1, which is this machine").says("network.local");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    // Another port of it is another place.
    allow_local(&world, &[&format!("localhost:{}", named.port() ^ 1)]);
    attempt(&world, "get", &host).exited(1).says("which is this machine");
    allow_local(&world, &[&host]);
    attempt(&world, "get", &host).done().prints("hello from outside");
}

/// A call by the bot asks a person by the hosts' names, regardless of the risk and the autonomy, and the receipt says what was
/// exchanged.
#[test]
fn each_call_asks_a_person_and_its_receipt_counts_the_bytes_of_each_host() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (_named, host, asked) = hello();
    allow_local(&world, &[&host]);
    install(&world, &[&online(&world, &[&host, "api.example.org"]), "--risk", "do=low"]);
    world.allow("autonomy: full\n");
    let args = json!({"what": "get", "with": host});
    let shown = world.act(&Ask {
        profile: "default",
        action: json!({"type": "plugin", "plugin": "online", "tool": "do", "args": args}).to_string(),
    });
    assert_eq!(
        (&shown["waits_for"], &shown["judgement"]["rule"]),
        (&json!("person"), &json!("network")),
        "{shown}"
    );
    let why = shown["judgement"]["why"].as_str().expect("a reason");
    assert!(
        why.contains(&format!("carry something to api.example.org:443, {host} by the plugin `online`")),
        "{why}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0, "nothing is asked before the yes");
    let id = shown["id"].as_str().expect("an id");
    world.admin(&["approve", id, "--yes"]).done();
    world.admin(&["run", "--once"]).done();
    let shown = world.shown(id);
    let network = &shown["result"]["network"];
    let (sent, received) = (network[0]["sent"].as_u64(), network[0]["received"].as_u64());
    let (sent, received) = (sent.expect("a number"), received.expect("a number"));
    assert!(sent > 40 && received > 60 && network[1].is_null(), "{shown}");
    let receipts = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("receipts");
    let counted = format!("\"network\":\"{host} {sent} {received}\"");
    assert!(receipts.lines().any(|line| line.contains("online.do") && line.contains(&counted)), "{receipts}");
    world.admin(&["audit", "verify"]).done();
    world.admin(&["show", id]).done().prints(&format!("{host}: {sent} bytes sent, {received} received"));
}

/// What is private reaches no host by a plugin: not the workspace, and what else it reads is shown beside the hosts.
#[test]
fn a_plugin_that_reads_the_workspace_gets_no_host() {
    let world = World::new();
    let answers = "echo '{\"ok\": \"done\"}'";
    let more = "capabilities = [\"file:read\"]\nnetwork = [\"api.example.org\"]";
    let folder = crate::plugins::script(&world, "carrier", answers, more);
    world.admin(&["plugin", "install", &folder]).exited(3).says("[private-source-to-network]");
    let shelf = world.outside().join("shelf");
    fs::create_dir_all(&shelf).expect("a folder");
    let more = format!("read = [{:?}]\nnetwork = [\"api.example.org\"]", shelf.display().to_string());
    let reads = crate::plugins::script(&world, "reader", answers, &more);
    world.admin(&["plugin", "install", &reads]).exited(3).prints("what it reads of this machine");
}

/// The hosts are part of what was decided.
#[test]
fn other_hosts_than_were_approved_need_a_new_yes() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (_named, host, asked) = hello();
    allow_local(&world, &[&host]);
    let digest = tameclaw_tests::mcp::digest(
        &world.admin(&["plugin", "install", &online(&world, &["a.example"])]).exited(3),
    );
    let folder = online(&world, &["a.example", &host]);
    let more = world.admin(&["plugin", "install", &folder, "--yes", "--digest", &digest]).exited(3);
    more.says("look at it again");
    install(&world, &[&online(&world, &["a.example"])]);
    attempt(&world, "get", &host).exited(1).hides("hello from outside");
    // The yes to fewer hosts, handed in with more.
    let used = durable::replay(&world.home().journal())
        .expect("a journal")
        .map(|record| record.expect("the chain holds").1)
        .find(|record: &serde_json::Value| record["record"] == "plugin-installed")
        .expect("it was recorded");
    let service = world.start(Program::Admin, &["run"]);
    let mut request =
        json!({"ask": "install-plugin", "plugin": used["plugin"], "facts": used["facts"], "staged": null});
    request["facts"]["network"] = json!(["a.example:443", host]);
    assert!(ask(&world, &request).to_string().contains("not what was decided"));
    drop(service);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

/// A stop ends the plugin and what it sends, and the bytes until then are reported.
#[test]
fn a_stop_cuts_the_connections_of_a_plugin() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (listener, host) = listener();
    reaching(&world, &host);
    let args = json!({"what": "hold", "with": host}).to_string();
    let words = ["plugin", "try", "online", "do", "--json", &args, "--timeout", "60"];
    let tried = world.start(Program::Admin, &words);
    listener.set_nonblocking(true).expect("it waits for no longer than a test may take");
    let (mut stream, _) = eventually(PATIENCE, "the plugin comes", || listener.accept().ok());
    stream.set_nonblocking(false).expect("it is read to its end");
    stream.read_exact(&mut [0; 8]).expect("it sends");
    world.admin(&["estop"]).done();
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a limit");
    let mut rest = Vec::new();
    let cut = stream.read_to_end(&mut rest);
    assert!(
        cut.as_ref().map_or_else(|e| e.kind() == std::io::ErrorKind::ConnectionReset, |_| true),
        "{cut:?}"
    );
    tried.stderr.expect(&format!("{host}: "), PATIENCE);
    tried.stderr.expect("it was cancelled", PATIENCE);
    world.admin(&["plugin", "try", "online", "do", "--json", &args]).exited(3);
}

/// Behind one address a provider has many hosts; which one is meant stands in the greeting.
#[test]
fn a_plugin_cannot_ask_a_host_for_another_one_behind_it() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (listener, host) = listener();
    reaching(&world, &host);
    let heard = std::thread::spawn(move || {
        listener
            .incoming()
            .take(2)
            .map(|stream| {
                let mut stream = stream.expect("a connection");
                let mut first = [0; 16];
                let length = stream.read(&mut first).unwrap_or(0);
                first[..length].to_vec()
            })
            .collect::<Vec<_>>()
    });
    attempt(&world, "greet", &format!("{host} elsewhere.example"))
        .exited(1)
        .says("for another host, `elsewhere.example`");
    attempt(&world, "greet", &format!("{host} localhost")).exited(1).hides("for another host");
    let heard = heard.join().expect("both came");
    assert_eq!((heard[0].len(), heard[1].first()), (0, Some(&22)), "{heard:?}");
}

/// Hosts and walls are the same by each way to lay the walls on, as root and as an ordinary user.
#[test]
fn a_plugin_reaches_its_hosts_and_nothing_else_by_either_wall() {
    if python_is_missing() {
        return;
    }
    for way in ways() {
        let world = World::new();
        if way.walls(&world).is_none() {
            continue;
        }
        let (_named, host, _) = hello();
        let (_other, beside, unasked) = hello();
        reaching(&world, &host);
        if !way.root && nix::unistd::geteuid().is_root() {
            let given = Command::new("chown").arg("-R").arg(USER.to_string()).arg(world.outside()).status();
            assert!(given.is_ok_and(|status| status.success()));
        }
        let tries = |what: &str, with: &str| {
            let args = json!({"what": what, "with": with}).to_string();
            run(way.command(&world, &["plugin", "try", "online", "do", "--json", &args]), b"", PATIENCE)
        };
        tries("get", &host).done().prints("hello from outside");
        for (what, with) in [
            ("connect", beside.as_str()),
            ("resolve", "example.org"),
            ("listen", "0"),
            ("socket", "AF_UNIX SOCK_STREAM"),
        ] {
            tries(what, with).exited(1).says("refused: ");
        }
        assert_eq!(unasked.load(Ordering::SeqCst), 0, "{way:?}");
    }
}

/// Without a network of its own a plugin would have the machine's: it is not started then.
#[test]
fn where_no_network_of_its_own_can_be_had_the_plugin_is_not_started() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    let (_named, host, asked) = hello();
    reaching(&world, &host);
    let args = json!({"what": "get", "with": host}).to_string();
    for kinds in [&["mnt", "user"][..], &["net"]] {
        let ran =
            run(without(kinds, &world, &["plugin", "try", "online", "do", "--json", &args]), b"", PATIENCE);
        if ran.stderr.contains("unshare:") {
            return skip("no user namespace can be made here, so none can be taken away");
        }
        let ran = ran.exited(1).hides("hello from outside");
        ran.says("was not started").says("need a network and a view of files of its own");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
