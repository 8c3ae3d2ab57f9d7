//! The pages of `cl-bot serve`: a person talks with the bot in a browser, with scripts or without, and what a model writes is
//! text there and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::browser::{Browser, Key};
use tameclaw_tests::door::{Answer, Door, Place};
use tameclaw_tests::eventually;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, World};

use crate::profiles::secret_file;
use crate::settings::bot_asks;

const SOON: Duration = Duration::from_secs(60);
const PIN: &str = "73105";

/// What the pages consist of, as far as the tests name it.
const TOKEN: &str = "[name=token]";
const LOG_IN: &str = "form:has([name=token]) button[type=submit]";
const MESSAGE: &str = "[name=message]";
const SEND: &str = "form:has([name=message]) button[type=submit]";
const STOP: &str = "form[action='/page/stop'] button";
const FORGET: &str = "form[action='/page/forget'] button";
const LOG: &str = "[role=log]";
/// The pages of who has come in.
const PAGES: [(&str, &str); 3] =
    [("chat", "/"), ("memory", "/page/memory?q="), ("receipts", "/page/receipts")];

/// A person's token.
fn token(world: &World) -> String {
    world.admin(&["door", "add", "phone", "--person"]).done().stdout.trim().to_owned()
}

/// `host:port` of a door.
fn address(door: &Door) -> &str {
    match door.place() {
        Place::Address(address) => address,
        other => panic!("{other:?}"),
    }
}

/// A model that says this, piece by piece where it is asked for that.
fn says(chat: &Chat, pieces: &[&str], pause: Duration) -> Reply {
    match chat.body["stream"] == true {
        true => Reply::Stream(pieces.iter().map(|&piece| piece.to_owned()).collect(), pause),
        false => Reply::text(pieces.concat()),
    }
}

/// Lets the bot ask a model for its answers, and for nothing else.
fn asks(world: &World, model: &ModelServer) {
    bot_asks(world, &model.url(), None);
    let config = world.home().bot_config();
    let text = fs::read_to_string(&config).expect("the configuration is there");
    fs::write(config, text + "memory: {extract: off}\n").expect("the configuration can be written");
}

/// A model that says what it heard.
fn echo() -> ModelServer {
    ModelServer::start(|chat| Reply::text(format!("You said: {}", chat.last().1)))
}

/// What a person does in a browser first.
trait Entered {
    /// Logs in with a token.
    fn enter(&self, door: &Door, token: &str);
    /// Types a line and sends it by the button, once nothing is being answered.
    fn say(&self, line: &str);
    /// Waits until nothing is being answered.
    fn settles(&self);
}

impl Entered for Browser {
    fn enter(&self, door: &Door, token: &str) {
        self.open(&url(door, "/login"));
        self.find(TOKEN).type_text(token);
        self.click(LOG_IN);
        self.find(MESSAGE);
    }

    fn say(&self, line: &str) {
        self.settles();
        self.find(MESSAGE).type_text(line);
        self.click(SEND);
    }

    fn settles(&self) {
        self.until("return document.querySelector('[role=log]')?.hasAttribute('aria-busy') === false");
    }
}

fn url(door: &Door, path: &str) -> String {
    format!("http://{}{path}", address(door))
}

/// What a browser without scripts does: it sends forms, keeps the cookie, and goes where it is sent.
struct Plain<'a> {
    door: &'a Door,
    /// `name=value`
    cookie: Option<String>,
}

impl<'a> Plain<'a> {
    /// One that nobody has let in.
    fn stranger(door: &'a Door) -> Plain<'a> {
        Plain { door, cookie: None }
    }

    /// One that a token or a PIN has let in.
    #[track_caller]
    fn entered(door: &'a Door, field: &str, secret: &str) -> Plain<'a> {
        let answer = Plain::stranger(door).post("/login", &[(field, secret)]).has(303);
        let cookie = cookie(&answer).unwrap_or_else(|| panic!("no cookie: {answer:?}"));
        Plain { door, cookie: Some(cookie) }
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    /// Sends a form of the door's own page.
    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.post_from(path, fields, Some(&format!("http://{}", address(self.door))))
    }

    /// Sends a form of a page of this origin.
    fn post_from(&self, path: &str, fields: &[(&str, &str)], origin: Option<&str>) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let more = format!(
            "{origin}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
            body.len()
        );
        self.send("POST", path, &more, &body)
    }

    fn send(&self, method: &str, path: &str, more: &str, body: &str) -> Answer {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let host = address(self.door);
        self.door.send(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{cookie}{more}\r\n{body}"
        ))
    }

    /// Goes where an answer sends it.
    #[track_caller]
    fn follow(&self, answer: &Answer) -> Answer {
        let to = answer.header("location").unwrap_or_else(|| panic!("it leads nowhere: {answer:?}"));
        let own = format!("http://{}", address(self.door));
        self.get(to.strip_prefix(&own).unwrap_or(to))
    }

    /// Says something in the conversation that a page shows; answers the page that shows the reply.
    #[track_caller]
    fn says(&self, page: &Answer, line: &str, reply: &str) -> Answer {
        let conversation = hidden(&page.body, "c").unwrap_or_default();
        let sent = self.post("/page/say", &[("message", line), ("c", &conversation)]).has(303);
        eventually(PATIENCE, "the page shows the reply", || {
            let page = self.follow(&sent).has(200);
            page.body.contains(reply).then_some(page)
        })
    }
}

/// `name=value` of the cookie that an answer sets.
fn cookie(answer: &Answer) -> Option<String> {
    let (pair, _) = answer.header("set-cookie")?.split_once(';')?;
    let is_empty = pair.split_once('=').is_none_or(|(_, value)| value.is_empty());
    (!is_empty).then(|| pair.trim().to_owned())
}

/// The value of a page's first field of this name.
fn hidden(page: &str, name: &str) -> Option<String> {
    let named = format!("name=\"{name}\"");
    let tags = page.split("<input").skip(1).filter_map(|rest| rest.split('>').next());
    let tag = tags.into_iter().find(|tag| tag.contains(&named))?;
    tag.split_once("value=\"")?.1.split('"').next().map(str::to_owned)
}

/// Insists that no call of a tool is stopped in the default profile.
#[track_caller]
fn runs_on(world: &World) {
    assert!(!world.home().profile_stop(&world.profile()).exists(), "the stop is set");
}

/// A person who logs in with a token sees an answer while it comes and formatted in the end, continues in the same
/// conversation, and the browser notes no error.
#[test]
fn a_person_logs_in_and_sees_an_answer_come() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let world = World::new();
    let token = token(&world);
    let model = ModelServer::start(|chat| match chat.last().1.contains("go on") {
        true => Reply::text("So it was."),
        false => {
            let pieces = ["The **first", "** part.\n\n", "- one\n- two\n\n", "And `the", " end`.\n"];
            says(chat, &pieces, Duration::from_millis(1_200))
        }
    });
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.open(&url(&door, "/"));
    browser.find(TOKEN).type_text(&token);
    browser.click(LOG_IN);
    browser.say("tell me about the lake");
    let early = browser.wait_for(LOG, "part.");
    assert!(early.contains("tell me about the lake"), "{early}");
    assert!(!early.contains("the end"), "the end was shown before it came: {early}");
    browser.wait_for(LOG, "the end");
    browser.until(
        "const log = document.querySelector('[role=log]');
        return log.querySelector('strong')?.innerText === 'first' && log.querySelectorAll('li').length === 2
            && log.querySelector('code')?.innerText === 'the end' && !log.innerText.includes('**')",
    );
    assert_eq!(browser.run("return document.querySelector('[name=message]').value"), "");
    browser.say("go on");
    browser.wait_for(LOG, "So it was.");
    let heard = model.seen().last().expect("it was asked").text();
    assert!(heard.contains("tell me about the lake"), "another conversation began: {heard}");
    assert_eq!(browser.run("return document.cookie"), "", "a script can read the cookie");
    let cookies = browser.cookies();
    assert!(!cookies.is_empty());
    for cookie in cookies {
        assert_eq!((&cookie["httpOnly"], &cookie["sameSite"]), (&json!(true), &json!("Strict")), "{cookie}");
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// Everything that a model could write so that a browser does what it wants.
pub(crate) fn attack(host: &str) -> String {
    format!(
        "Before.\n\n<script>window.__owned = 1</script>\n\n<img src=x onerror=\"window.__owned = 2\">\n\n\
         [a link](javascript:window.__owned=3) and <a href=\"javascript:window.__owned=4\" \
         onclick=\"window.__owned=5\">another</a>\n\n<form action=\"/page/stop\" method=\"post\"><button>Approve</button>\
         </form>\n\n<svg onload=\"window.__owned=6\"></svg><iframe srcdoc=\"<script>parent.__owned=7</script>\"></iframe>\n\n\
         <style>body {{ display: none }}</style><base href=\"http://{host}/\"><meta http-equiv=\"refresh\" content=\"5;url=http://{host}/\">\n\n\
         turned \u{202e}desrever\u{202c} and \u{2066}isolated\u{2069}\n\n![a picture](http://{host}/pixel?of=you)\n\n\
         ```html\n</code></pre><script>window.__owned=8</script>\n```\n\n| a | b |\n|---|---|\n| <img src=x onerror=window.__owned=9> | c |\n\n\
         **After.**\n"
    )
}

/// What stands in the log that must not, and what acts automatically anywhere on the page.
pub(crate) const HARM: &str = "
    const log = document.querySelector('[role=log]');
    const kinds = 'script,form,input,img,picture,svg,video,audio,iframe,object,embed,style,link,meta,base';
    const found = [...(log?.querySelectorAll(kinds) ?? [])];
    const buttons = [...(log?.querySelectorAll('button,[role=button]') ?? [])];
    found.push(...buttons.filter(one => one.innerText.includes('Approve')));
    const acts = one => [...one.attributes].some(attribute =>
        attribute.name.startsWith('on') || /^\\s*(javascript|vbscript):/i.test(attribute.value));
    found.push(...[...document.querySelectorAll('*')].filter(acts));
    found.push(...document.querySelectorAll('iframe,base,img[src=x],meta[http-equiv=refresh]'));
    const harm = found.map(one => one.outerHTML);
    if (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)) harm.push('turned text');
    if (typeof window.__owned !== 'undefined') harm.push('owned: ' + window.__owned);
    return harm;";

/// Markup that a model or a person writes is text in every page: nothing of it runs, loads, sends or looks like the page's own.
#[test]
fn markup_in_an_answer_stays_text() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let elsewhere =
        Server::start(|_| Response::Proper { status: 200, kind: "text/html", body: b"elsewhere".to_vec() });
    let world = World::new();
    let token = token(&world);
    let text = attack(&elsewhere.host());
    let model = ModelServer::start(move |chat| match chat.last() {
        (role, _) if role == "tool" => Reply::text("It was called."),
        (_, line) if line.contains("call it") => {
            Reply::call("<img src=x onerror=window.__owned=10>", json!({}))
        }
        _ => {
            // Nothing is whole in any piece.
            let signs: Vec<String> = text.chars().map(String::from).collect();
            let pieces: Vec<String> = signs.chunks(5).map(<[String]>::concat).collect();
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            says(chat, &pieces, Duration::from_millis(10))
        }
    });
    world.ask("remember that my <img src=x onerror=window.__owned=11> is called Tom");
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    browser.say("what is <img src=x onerror=window.__owned=12> for?");
    browser.wait_for(LOG, "Before.");
    assert_eq!(browser.run(HARM), json!([]));
    // Or harm is found first, which the next line tells better.
    let harm_or_end = format!(
        "return (() => {{{HARM}}})().length > 0 || \
         document.querySelector('[role=log] strong')?.innerText === 'After.'"
    );
    browser.until(&harm_or_end);
    assert_eq!(browser.run(HARM), json!([]));
    let shown = browser.text(LOG);
    assert!(shown.contains("<img src=x onerror=window.__owned=12>"), "the person's line: {shown}");
    browser.say("call it");
    browser.wait_for(LOG, "It was called.");
    browser.settles();
    // As the server shows the same conversation.
    let talk = browser.address();
    browser.open(&talk);
    browser.wait_for(LOG, "After.");
    assert_eq!(browser.run(HARM), json!([]));
    for (name, path) in PAGES {
        browser.open(&url(&door, path));
        browser.find("body");
        assert_eq!(browser.run(HARM), json!([]), "{name}");
    }
    runs_on(&world);
    assert!(browser.address().starts_with(&url(&door, "/")), "it went to {}", browser.address());
}

/// The picture of a model's answer is not fetched, so that no server elsewhere learns that somebody reads it.
#[test]
fn an_answer_loads_nothing_from_elsewhere() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let (tell, told) = std::sync::mpsc::channel();
    let elsewhere = Server::start(move |request| {
        let _ = tell.send(request.path);
        Response::Proper { status: 200, kind: "image/gif", body: b"GIF89a".to_vec() }
    });
    let world = World::new();
    let token = token(&world);
    let text = attack(&elsewhere.host());
    let model = ModelServer::start(move |chat| says(chat, &[&text], Duration::ZERO));
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    browser.say("show me");
    browser.wait_for(LOG, "After.");
    browser.until("return document.querySelector('[role=log] strong')?.innerText === 'After.'");
    browser.open(&url(&door, "/"));
    assert_eq!(told.try_iter().collect::<Vec<String>>(), Vec::<String>::new());
}

/// Without scripts a person logs in, talks on in one conversation by forms, and what a model writes is text all the same.
#[test]
fn without_scripts_a_person_talks_by_forms() {
    let world = World::new();
    let token = token(&world);
    let model = ModelServer::start(|chat| match chat.last().1.contains("attack") {
        true => Reply::text(attack("elsewhere.example")),
        false => Reply::text("A **quiet** evening."),
    });
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    let login = Plain::stranger(&door).get("/login").has(200);
    assert!(login.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{login:?}");
    assert!(login.body.contains("name=\"token\""), "{}", login.body);
    let person = Plain::entered(&door, "token", &token);
    let page = person.get("/").has(200);
    let page = person.says(&page, "tell me about the lake", "evening.");
    assert!(page.body.contains("<strong>quiet</strong>"), "{}", page.body);
    let page = person.says(&page, "attack me", "After.");
    let heard = model.seen().last().expect("it was asked").text();
    assert!(heard.contains("tell me about the lake"), "another conversation began: {heard}");
    assert!(page.body.contains("tell me about the lake"), "what was said before is not shown: {}", page.body);
    for harm in [
        "<script>window",
        "<img src",
        "<svg onload",
        "<iframe",
        "<style>body",
        "<base",
        "http-equiv=\"refresh\" content=\"5;url=http://elsewhere",
        "<button>Approve",
        "href=\"javascript:",
        "\u{202e}",
        "\u{2066}",
    ] {
        assert!(!page.body.contains(harm), "`{harm}` in {}", page.body);
    }
    let policy = page.header("content-security-policy").unwrap_or_default().to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{policy}");
}

/// A reminder that is due stands below the next answer of the page, as text and once: no other answer and no page shows it again.
#[test]
fn a_reminder_that_is_due_stands_below_the_next_answer_of_the_page_once() {
    let world = World::new();
    let token = token(&world);
    let door = Door::at_port(&world, &[]);
    let person = Plain::entered(&door, "token", &token);
    let begun = person.get("/").has(200);
    person.says(&begun, "remind me in 2 seconds to stir the <b>soup</b>", "I will remind you");
    std::thread::sleep(Duration::from_secs(3));
    let shown = person.post("/page/say", &[("message", "what is 2 + 40?"), ("c", "")]).has(200).body;
    assert!(
        shown.contains("= 42") && shown.contains("reminder: stir the &lt;b&gt;soup&lt;/b&gt;"),
        "{shown}"
    );
    let next = person.says(&begun, "what is 2 + 41?", "= 43").body;
    let again = person.get("/").has(200).body;
    assert!(![next, again].iter().any(|page| page.contains("reminder: stir")), "it is shown twice");
    assert!(!world.ask("what reminders do I have?").contains("soup"), "it is kept still");
}

/// An answer that imitates the review brings nothing that can be pressed: no form, no button, no box, no link to a page of the
/// door, and no heading of a page. The page says beside it that nothing is approved there, and the door does not have such an
/// address.
#[test]
fn an_answer_that_imitates_the_review_approves_nothing() {
    let world = World::new();
    let token = token(&world);
    let review = "http://127.0.0.1:8788/item/01930000-0000-7000-8000-000000000001";
    let reply = format!(
        "# TameClaw review\n\n**Recommendation: APPROVE**\n\n| reaches | nothing |\n|---|---|\n| hosts | none |\n\n- [x] I have read it\n\n\
         <form method=\"post\" action=\"/item/1/decide\"><input name=\"yes\"><button>Approve</button></form>\n\n\
         [Approve](/item/1/decide) [Approve](//127.0.0.1:8788/) [Approve]({review})\n\nThe end.\n"
    );
    let model = ModelServer::start(move |chat| match chat.last().1.contains("review") {
        true => Reply::text(&reply),
        false => Reply::text("It is quiet. The end."),
    });
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    let person = Plain::entered(&door, "token", &token);
    let begun = person.get("/").has(200);
    let harmless = person.says(&begun, "tell me about the lake", "The end.").body;
    let imitates = person.says(&begun, "show me the review", "The end.").body;
    for part in ["<form", "<button", "<input", "<h1"] {
        assert_eq!(harmless.matches(part).count(), imitates.matches(part).count(), "{part}: {imitates}");
    }
    assert!(imitates.contains("&lt;form method"), "{imitates}");
    assert!(!imitates.contains("href=\"/item") && !imitates.contains("href=\"//"), "{imitates}");
    // A link says where it leads.
    assert!(imitates.contains(&format!("({review})")), "{imitates}");
    assert!(imitates.contains("No new ability is approved on these pages"), "{imitates}");
    person.post("/item/1/decide", &[("yes", "1")]).has(404);
}

/// The forms of the pages work in a browser that runs no script: the login, a line, and the stop.
#[test]
fn a_browser_without_scripts_can_do_the_same() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    browser.without_scripts();
    let world = World::new();
    let token = token(&world);
    let model = echo();
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    browser.say("one");
    browser.wait_for(LOG, "You said: one");
    browser.say("two");
    let shown = browser.wait_for(LOG, "You said: two");
    assert!(shown.contains("You said: one"), "another conversation began: {shown}");
    browser.click(STOP);
    browser.wait_for("[role=status]", "no tool runs");
    assert!(world.home().profile_stop(&world.profile()).exists());
}

/// A form that comes from a page of another origin, or from one that hides it, is refused with 403 and changes nothing.
#[test]
fn a_form_of_another_origin_is_refused() {
    let world = World::new();
    let token = token(&world);
    world.ask("remember that the code of the shed is 4711");
    let model = echo();
    asks(&world, &model);
    let facts = world.bot(&["memory", "list", "--facts", "--json"]).done().json_rows();
    let id = facts[0]["id"].as_str().expect("a fact has an identifier");
    let door = Door::at_port(&world, &[]);
    let person = Plain::entered(&door, "token", &token);
    let line = [("message", "hello"), ("c", "")];
    let forms: [(&str, &[(&str, &str)]); 8] = [
        ("/login", &[("token", &token)]),
        ("/page/say", &line),
        ("/page/stream", &line),
        ("/page/answer", &[("question", "1"), ("yes", "true")]),
        ("/page/stop", &[]),
        ("/page/forget", &[("id", id)]),
        ("/page/correct", &[("id", id), ("words", "the code of the shed is 1")]),
        ("/logout", &[]),
    ];
    let near = format!("http://localhost.{}", address(&door));
    for (path, fields) in forms {
        for origin in [None, Some("http://evil.example"), Some("null"), Some(""), Some(near.as_str())] {
            let answer = person.post_from(path, fields, origin);
            assert_eq!(answer.status, 403, "{path} from {origin:?}: {answer:?}");
            assert_eq!(answer.header("set-cookie"), None, "{path} from {origin:?}");
        }
    }
    runs_on(&world);
    assert!(model.seen().is_empty(), "the model was asked");
    world.bot(&["memory", "list", "--facts", "--json"]).done().prints("4711");
}

/// The cookie belongs to the pages: no script and no other site has it, the interface of programs does not take it, and without
/// it no page shows anything of the profile.
#[test]
fn the_cookie_opens_the_pages_and_nothing_else() {
    let world = World::new();
    let token = token(&world);
    world.ask("remember that the code of the shed is 4711");
    let door = Door::at_port(&world, &[]);
    let answer = Plain::stranger(&door).post("/login", &[("token", &token)]).has(303);
    let set = answer.header("set-cookie").expect("a cookie").to_owned();
    let parts: Vec<String> = set.split(';').skip(1).map(|part| part.trim().to_lowercase()).collect();
    for part in ["httponly", "samesite=strict", "path=/"] {
        assert!(parts.iter().any(|found| found == part), "{part}: {set}");
    }
    assert!(!parts.iter().any(|part| part.starts_with("domain")), "{set}");
    let person = Plain { door: &door, cookie: cookie(&answer) };
    person.get("/").has(200);
    for path in ["/status", "/tools", "/memory/search?q=shed", "/receipts", "/metrics", "/v1/models"] {
        person.get(path).has(401);
    }
    for (path, body) in [("/estop", "{}"), ("/chat", "{\"message\":\"hello\"}")] {
        let origin = url(&door, "");
        let more = format!(
            "Origin: {origin}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        person.send("POST", path, &more, body).has(401);
    }
    runs_on(&world);
    let name = set.split('=').next().expect("a cookie has a name");
    for cookie in [None, Some(format!("{name}=")), Some(format!("{name}=tameclaw_{}", "x".repeat(43)))] {
        let stranger = Plain { door: &door, cookie };
        for (_, path) in PAGES {
            let answer = stranger.get(&path.replace("q=", "q=shed"));
            assert_ne!(answer.status, 200, "{answer:?}");
            assert!(!answer.body.contains("4711") && !answer.body.contains("role=\"log\""), "{answer:?}");
        }
    }
    let wrong = Plain::stranger(&door).post("/login", &[("token", &token[..token.len() - 1])]);
    assert!(wrong.status >= 400 && cookie(&wrong).is_none(), "{wrong:?}");
}

/// A browser sends every cookie of a host to all its ports. A login at the door of one profile leaves the login at another one's as
/// it is, and opens no other door.
#[test]
fn a_login_at_one_profiles_door_leaves_the_others_as_they_are() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let made = |profile: &str| {
        let ran = world.admin(&["door", "add", "phone", "--person", "--profile", profile]).done();
        ran.stdout.trim().to_owned()
    };
    let doors = ["default", "anna"].map(|profile| {
        (profile, Door::start(&world, &["serve", "--profile", profile, "--listen", "127.0.0.1:0"]))
    });
    // What a browser keeps of one host: the last value of each name.
    let mut jar = BTreeMap::new();
    for (profile, door) in &doors {
        let answer = Plain::stranger(door).post("/login", &[("token", &made(profile))]).has(303);
        let pair = cookie(&answer).expect("it is set");
        let (name, value) = pair.split_once('=').expect("a pair");
        jar.insert(name.to_owned(), value.to_owned());
    }
    let sent = |jar: &BTreeMap<String, String>| {
        Some(jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; "))
    };
    for (profile, door) in &doors {
        let shown = Plain { door, cookie: sent(&jar) }.get("/").has(200);
        assert!(shown.body.contains(&format!("<span>{profile}</span>")), "{}", shown.body);
    }
    // Who leaves one stays at the other.
    let [(_, first), (_, second)] = &doors;
    let left = Plain { door: first, cookie: sent(&jar) }.post("/logout", &[]).has(303);
    let (name, _) = left.header("set-cookie").and_then(|set| set.split_once('=')).expect("it is taken away");
    jar.remove(name).expect("it was there");
    Plain { door: first, cookie: sent(&jar) }.get("/").has(303);
    Plain { door: second, cookie: sent(&jar) }.get("/").has(200);
}

/// The stop button sets the emergency stop of the profile, and the page says so and how it is lifted.
#[test]
fn the_stop_button_sets_the_stop() {
    let Some(browser) = Browser::start(390, 844, false) else { return };
    let world = World::new();
    let token = token(&world);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    runs_on(&world);
    browser.click(STOP);
    browser.wait_for("[role=status]", "no tool runs");
    assert!(world.home().profile_stop(&world.profile()).exists());
    browser.keep("stopped-390x844-light");
    browser.open(&url(&door, "/"));
    browser.say("how late is it?");
    browser.wait_for(LOG, "emergency stop");
}

/// The memory page finds what a person told the bot, and forgets it at the press of its button.
#[test]
fn the_memory_page_shows_a_fact_and_forgets_it() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let world = World::new();
    let token = token(&world);
    world.ask("remember that the code of the shed is 4711");
    world.ask("remember that my cat is called Tom");
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    browser.open(&url(&door, "/page/memory?q="));
    let all = browser.wait_for("body", "4711");
    assert!(all.contains("Tom"), "{all}");
    browser.open(&url(&door, "/page/memory?q=shed"));
    let found = browser.wait_for("body", "4711");
    assert!(!found.contains("Tom"), "what was not asked for is shown: {found}");
    browser.click(FORGET);
    let facts = || world.bot(&["memory", "list", "--facts", "--json"]).done();
    eventually(SOON, "it is forgotten", || (!facts().stdout.contains("4711")).then_some(()));
    facts().prints("Tom");
    browser.open(&url(&door, "/page/memory?q=shed"));
    let left = browser.text("body");
    assert!(!left.contains("4711"), "{left}");
}

/// A program's cookie looks at the pages, and forgets nothing; what the person forgets is gone from a conversation that runs.
#[test]
fn only_the_person_forgets_and_what_is_forgotten_is_gone() {
    let world = World::new();
    let person = token(&world);
    let program = world.admin(&["door", "add", "lights"]).done().stdout.trim().to_owned();
    let model = echo();
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    let first = door
        .post("/chat", Some(&person), &json!({"message": "the code of the shed is 4711"}))
        .has(200)
        .json();
    let id = first["conversation_id"].as_str().expect("an identifier").to_owned();
    eventually(SOON, "it is kept", || {
        let found = door.get("/memory/search?q=4711", Some(&person)).json();
        (found["messages"].as_array().is_some_and(|found| !found.is_empty())).then_some(())
    });
    let refused = Plain::entered(&door, "token", &program).post("/page/forget", &[("id", &id)]);
    assert_eq!(refused.status, 403, "{refused:?}");
    Plain::entered(&door, "token", &person).post("/page/forget", &[("id", &id)]).has(303);
    let on = json!({"message": "and the code?", "conversation_id": id});
    door.post("/chat", Some(&person), &on).has(404);
    door.post("/chat", Some(&person), &json!({"message": "hello"})).has(200);
    let heard = model.seen().last().expect("it was asked").body.to_string();
    assert!(!heard.contains("4711"), "{heard}");
}

/// On a phone's screen a person opens a fact's words by the keyboard, and keeps others in their place; what is looked for or said
/// then uses the new words.
#[test]
fn the_memory_page_corrects_a_fact() {
    const CORRECT: &str = "details.more > summary";
    const WORDS: &str = "details[open] [name=words]";
    let Some(browser) = Browser::start(390, 844, false) else { return };
    let world = World::new();
    let token = token(&world);
    world.ask("remember that my cat is called Tom");
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    browser.open(&url(&door, "/page/memory?q=cat"));
    browser.find(CORRECT);
    tab_to(&browser, CORRECT);
    browser.press(Key::Enter);
    tab_to(&browser, WORDS);
    browser.keep("correct-390x844-light");
    browser.run("document.activeElement.select()");
    browser.keys("my cat is called Tim");
    tab_to(&browser, "details[open] button");
    browser.press(Key::Enter);
    browser.wait_for("main", "my cat is called Tim");
    let facts = world.bot(&["memory", "list", "--facts"]).done().stdout;
    assert!(facts.contains("Tim") && !facts.contains("Tom"), "{facts}");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// Without scripts the same form corrects. A program's token may not; words of need get the help lines and are not kept; too
/// many words stand there again with the limit; what steers a terminal or a page is not a part of a fact; and a conversation
/// that runs hears the new words alone.
#[test]
fn only_the_person_corrects_and_only_what_could_be_told() {
    let world = World::new();
    let person = token(&world);
    let program = world.admin(&["door", "add", "lights"]).done().stdout.trim().to_owned();
    world.ask("remember that the code of the shed is 4711");
    let model = ModelServer::start(|_| Reply::text("So it is."));
    asks(&world, &model);
    let facts = || world.bot(&["memory", "list", "--facts", "--json"]).done().json_rows();
    let first = facts()[0]["id"].as_str().expect("a fact has an identifier").to_owned();
    let door = Door::at_port(&world, &[]);
    let lights = Plain::entered(&door, "token", &program);
    let person = Plain::entered(&door, "token", &person);
    let refused = lights.post("/page/correct", &[("id", &first), ("words", "the code of the shed is 1")]);
    assert_eq!(refused.status, 403, "{refused:?}");
    assert!(refused.body.contains("--person"), "{refused:?}");
    let talk = person.says(&person.get("/").has(200), "what is the code of the shed?", "So it is.");
    for (words, status, says) in [
        ("ich will sterben", 403, "116 111"),
        (&*"long ".repeat(101), 400, "at most 500 bytes"),
        (" \u{202e} ", 400, "nothing to remember"),
    ] {
        let refused = person.post("/page/correct", &[("id", &first), ("words", words)]).has(status);
        assert!(refused.body.contains(says), "{refused:?}");
        let open = refused.body.split("<details class=\"more\" open>").nth(1).expect("the words stand there");
        assert!(open.contains(words.trim_matches([' ', '\u{202e}'])), "{open}");
        assert_eq!(facts()[0]["text"], "the code of the shed is 4711");
    }
    person.post("/page/correct", &[("id", "nothing"), ("words", "the code is 1")]).has(404);
    let words = "the code of\r\nthe \u{202e}shed\u{1b} is <b>0815</b>";
    let done = person.post("/page/correct", &[("id", &first), ("words", words)]).has(303);
    let page = person.follow(&done).has(200).body;
    assert!(page.contains("the code of the shed is &lt;b&gt;0815&lt;/b&gt;"), "{page}");
    let kept = facts();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(kept[0]["text"], "the code of the shed is <b>0815</b>");
    assert_eq!((&kept[0]["said_by"], &kept[0]["replaces"]), (&json!("person"), &json!(first)));
    person.post("/page/correct", &[("id", &first), ("words", "the code is 1")]).has(404);
    person.says(&talk, "and the code of the shed now?", "So it is.");
    let heard = model.seen().last().expect("it was asked").body["messages"].to_string();
    assert!(heard.contains("0815") && !heard.contains("4711"), "{heard}");
}

/// On a phone's screen pictures go with a line, with scripts and without; too many are refused before they are sent, and what a name
/// hides is seen.
#[test]
fn pictures_go_with_a_line_of_the_page() {
    const MORE: &str = "#say details > summary";
    const FILES: &str = "#say [type=file]";
    for scripts in [true, false] {
        let Some(browser) = Browser::start(390, 844, false) else { return };
        let world = World::new();
        let model = ModelServer::start(|_| Reply::text("A **grey** cat."));
        let config = format!(
            "providers:\n- {{name: m, kind: openai-compatible, base_url: \"{}\", model: m, images: true}}\nmemory: {{extract: off}}\n",
            model.url()
        );
        fs::write(world.home().bot_config(), config).expect("the configuration can be written");
        let names = ["c\u{202e}gnp.png", "1.png", "2.png", "3.png", "4.png"];
        let files = names.map(|name| {
            let file = world.outside().join(name);
            fs::write(&file, b"\x89PNG\r\n\x1a\n and nothing else").expect("a picture");
            file.display().to_string()
        });
        let door = Door::at_port(&world, &[]);
        if !scripts {
            browser.without_scripts();
        }
        browser.enter(&door, &token(&world));
        browser.click(MORE);
        browser.find(FILES).type_text(&files.join("\n"));
        browser.say("what are these?");
        browser.wait_for("[role=alert]", "at most 4 pictures");
        assert!(model.seen().is_empty(), "they were sent on");
        browser.open(&url(&door, "/"));
        browser.click(MORE);
        browser.find(FILES).type_text(&files[..2].join("\n"));
        browser.keep(&format!("pictures-390x844-{}", if scripts { "light" } else { "without-scripts" }));
        browser.say("what is this?");
        browser.wait_for(LOG, "A grey cat.");
        browser.settles();
        let shown = browser.text(LOG);
        assert!(shown.contains("c\\u{202e}gnp.png, 1 KB") && !shown.contains('\u{202e}'), "{shown}");
        browser.say("and now?");
        browser.until("return document.querySelectorAll('[role=log] strong').length === 2");
        let counts: Vec<usize> = model
            .seen()
            .iter()
            .map(|chat| chat.body["messages"].to_string().matches("data:image/png").count())
            .collect();
        assert_eq!(counts, [2, 0], "they go with one line");
        // Without scripts the server refuses, which the browser notes.
        let errors = browser.console_errors();
        assert!(errors.iter().all(|error| !scripts && error.contains("/page/say")), "{errors:?}");
    }
}

/// The gate asks on the page about a call, with its facts as text, and a no or a yes there is the person's.
#[test]
fn the_gate_asks_on_the_page() {
    let Some(browser) = Browser::start(390, 844, false) else { return };
    let world = World::new();
    let model = ModelServer::start(|chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
        _ => Reply::call("file_write", json!({"path": "a.txt", "content": "<b>milk</b>"})),
    });
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token(&world));
    let note = world.home().profile(&world.profile()).join("workspace/a.txt");
    for (button, is_written) in [(".question .quiet", false), (".question button:not(.quiet)", true)] {
        browser.say("write milk into a.txt");
        let asked = browser.wait_for(".question", "a.txt");
        assert!(
            asked.contains("<b>milk</b>") && asked.contains("file_write") && asked.contains("medium"),
            "{asked}"
        );
        assert!(!note.exists());
        browser.keep("asked-390x844-light");
        browser.click(button);
        browser.settles();
        assert_eq!(note.exists(), is_written, "{}", browser.text(LOG));
    }
}

/// The receipts page lists a call that was made.
#[test]
fn the_receipts_page_lists_a_call() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let world = World::new();
    let token = token(&world);
    let door = Door::at_port(&world, &[]);
    browser.enter(&door, &token);
    let names = |tool: &str| {
        let script = format!(
            "return [...document.querySelectorAll('body *')].some(one => one.children.length === 0 && \
             one.textContent.trim() === {})",
            json!(tool)
        );
        browser.run(&script)
    };
    browser.open(&url(&door, "/page/receipts"));
    assert_eq!(names("time"), false);
    browser.open(&url(&door, "/"));
    browser.say("what time is it?");
    eventually(SOON, "the call is on record", || {
        let rows = world.bot(&["receipt", "list", "--json"]).done().json_rows();
        rows.iter().any(|row| row["tool"] == "time").then_some(())
    });
    browser.open(&url(&door, "/page/receipts"));
    assert_eq!(names("time"), true, "{}", browser.text("body"));
}

/// A profile with a PIN is opened by the PIN as by a token; a wrong one opens nothing, and after several the right one has to
/// wait too.
#[test]
fn a_pin_opens_a_session_and_wrong_ones_have_to_wait() {
    let world = World::new();
    let file = secret_file(&world, "pin", PIN);
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--pin-file", &file]).done();
    let door = Door::at_port(&world, &["--profile", "anna", "--pin-file", &file]);
    let stranger = Plain::stranger(&door);
    assert!(stranger.get("/login").has(200).body.contains("name=\"pin\""));
    let refused = |pin: &str| {
        let answer = stranger.post("/login", &[("pin", pin)]);
        assert!(answer.status >= 400 && cookie(&answer).is_none(), "{pin}: {answer:?}");
        assert!(!answer.body.contains(PIN), "{answer:?}");
        answer
    };
    refused("11111");
    refused("");
    let person = Plain::entered(&door, "pin", PIN);
    person.get("/").has(200);
    // A session is the person's: what is typed there is kept as their word.
    let page = person.get("/").has(200);
    let line = "remember that the code of the shed is 4711";
    let sent =
        person.post("/page/say", &[("message", line), ("c", &hidden(&page.body, "c").unwrap_or_default())]);
    person.follow(&sent.has(303)).has(200);
    eventually(SOON, "it is remembered", || {
        let facts = ["memory", "list", "--facts", "--profile", "anna", "--pin-file", &file];
        world.bot(&facts).done().stdout.contains("4711").then_some(())
    });
    for pin in ["22222", "33333", "44444"] {
        refused(pin);
    }
    refused(PIN);
    person.get("/").has(200);
    eventually(SOON, "the wait ends", || {
        std::thread::sleep(Duration::from_millis(500));
        let answer = stranger.post("/login", &[("pin", PIN)]);
        (answer.status == 303).then_some(())
    });
    person.send("GET", "/status", "", "").has(401);
}

/// How wide the window is and what fills it, and how bright the text is, from 0 to 255.
const LOOKS: &str = "
    const pixel = document.createElement('canvas').getContext('2d');
    pixel.fillStyle = getComputedStyle(document.body).color;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
    return [innerWidth, document.documentElement.scrollWidth, (red + green + blue) / 3];";

/// Keeps a picture of the page that is open, under this name, and insists that the page fits the width of its window and is as bright
/// as its person likes.
#[track_caller]
pub(crate) fn fits(browser: &Browser, name: &str, width: u32, dark: bool) {
    browser.keep(name);
    let looks: Vec<f64> = serde_json::from_value(browser.run(LOOKS)).expect("three numbers");
    assert!((looks[0] - f64::from(width)).abs() < 1.0, "{name} is laid out for {} px", looks[0]);
    assert!(looks[1] <= looks[0], "{name} is {} px wide", looks[1]);
    assert_eq!(looks[2] > 128.0, dark, "{name}: the brightness of the text is {}", looks[2]);
}

/// On a phone and on a large screen, light and dark, every page fits its width, regardless of what an answer holds; pictures
/// of all of them are kept.
#[test]
fn every_page_fits_its_screen_in_light_and_dark() {
    let screens = [(390, 844), (1280, 800)];
    let world = World::new();
    let token = token(&world);
    let ship = "Donaudampfschiff".repeat(20);
    let reply = format!(
        "# A long story\n\nIt went by `{ship}` and {ship}.\n\n1. one\n2. two\n\n> said the captain\n\n```\n{}\n```\n\n|{}\n|{}\n|{}\n\n\
         See <https://example.org/a/rather/long/address/{ship}>. The **end**.\n",
        "let it = go(); ".repeat(20),
        " column |".repeat(14),
        "---|".repeat(14),
        " a cell |".repeat(14),
    );
    world.ask(&format!("remember that my ship is called {ship}"));
    world.ask("what time is it?");
    let model = ModelServer::start(move |_| Reply::text(reply.clone()));
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    for (width, height) in screens {
        for dark in [false, true] {
            let Some(browser) = Browser::start(width, height, dark) else { return };
            let theme = if dark { "dark" } else { "light" };
            let fits = |name: &str| fits(&browser, &format!("{name}-{width}x{height}-{theme}"), width, dark);
            browser.open(&url(&door, "/login"));
            browser.find(TOKEN);
            fits("login");
            browser.enter(&door, &token);
            fits("chat-empty");
            browser.say(&format!("tell me about the {ship}"));
            browser.wait_for(LOG, "The end.");
            fits("chat");
            for (name, path) in &PAGES[1..] {
                browser.open(&url(&door, path));
                browser.find("body");
                fits(name);
            }
            assert_eq!(browser.console_errors(), Vec::<String>::new(), "{width} {theme}");
        }
    }
}

/// Goes from element to element with the Tab key alone until this one has the focus.
#[track_caller]
pub(crate) fn tab_to(browser: &Browser, css: &str) {
    let script = format!("return document.activeElement?.matches({}) ?? false", json!(css));
    for _ in 0..30 {
        if browser.run(&script) == true {
            return;
        }
        browser.press(Key::Tab);
    }
    panic!("Tab does not reach {css}: {}", browser.text("body"));
}

/// The keyboard is enough: Tab reaches the fields and the buttons, and Enter logs in and sends, in the field as on the button.
#[test]
fn the_keyboard_is_enough() {
    let Some(browser) = Browser::start(1280, 800, false) else { return };
    let world = World::new();
    let token = token(&world);
    let model = echo();
    asks(&world, &model);
    let door = Door::at_port(&world, &[]);
    browser.open(&url(&door, "/login"));
    browser.find(TOKEN);
    tab_to(&browser, TOKEN);
    browser.keys(&token);
    browser.press(Key::Enter);
    browser.find(MESSAGE);
    tab_to(&browser, MESSAGE);
    browser.keys("one");
    browser.press(Key::Enter);
    browser.wait_for(LOG, "You said: one");
    browser.settles();
    tab_to(&browser, MESSAGE);
    browser.keys("two");
    tab_to(&browser, SEND);
    browser.press(Key::Enter);
    browser.wait_for(LOG, "You said: two");
    for (name, path) in PAGES {
        browser.open(&url(&door, path));
        browser.find("body");
        // What only a pointer reaches is out of reach for some people.
        let unreached = browser.run(
            "return [...document.querySelectorAll('[tabindex]')].filter(one => one.tabIndex < 0 && \
             one.matches('a,button,input,textarea,select')).map(one => one.outerHTML)",
        );
        assert_eq!(unreached, json!([]), "{name}");
    }
}

/// What is refused is said in the language of the profile as well: to a browser that names none, on every page, and for an address that
/// there is not. A program gets JSON there.
#[test]
fn a_refusal_is_said_in_the_language_of_the_profile() {
    let world = World::new();
    fs::write(world.home().profile_file(&world.profile()), "language: de\n").expect("it can be written");
    let token = token(&world);
    let door = Door::at_port(&world, &[]);
    let person = Plain::entered(&door, "token", &token);
    let is_said = |answer: Answer, words: &str, english: &str| {
        assert!(answer.status >= 400, "{answer:?}");
        assert!(answer.body.contains("<html lang=\"de\"") && answer.body.contains(words), "{}", answer.body);
        assert!(!answer.body.contains(english), "{}", answer.body);
    };
    let none = "01a2070a-1852-76cb-95fa-73927dd28e8b";
    is_said(person.post("/page/forget", &[("id", none)]), "Das gibt es hier nicht", "nothing is remembered");
    is_said(
        person.post("/page/correct", &[("id", none), ("words", "x")]),
        "Das gibt es hier nicht",
        "no fact",
    );
    is_said(
        person.post("/page/correct", &[("id", none), ("words", "")]),
        "höchstens 500 Bytes",
        "nothing to remember",
    );
    is_said(person.get(&format!("/?c={none}")), "Das gibt es hier nicht", "no conversation");
    is_said(
        person.post("/page/say", &[("message", "hallo"), ("c", "bad")]),
        "Damit kann der Bot nichts anfangen: Die Adresse nennt kein Gespräch.",
        "conversation_id",
    );
    let long = "x".repeat(66_000);
    is_said(person.post("/page/say", &[("message", &long)]), "1 bis 65.536 Bytes", "has 1 to");
    is_said(
        person.post_from("/page/forget", &[("id", none)], None),
        "nicht von einer Seite dieser Tür",
        "not sent",
    );
    let html = "Accept: text/html,*/*;q=0.8\r\n";
    is_said(person.send("GET", "/nothing", html, ""), "Diese Seite gibt es nicht", "nothing is here");
    is_said(person.send("GET", "/page/say", html, ""), "wird anders benutzt", "asked in another way");
    let wrong = person.send("GET", "/nothing", "Accept: */*\r\n", "").has(404).json();
    assert_eq!(wrong["error"]["code"], "not_found");
    person.post("/page/stop", &[]).has(303);
    let stopped = person.get("/").has(200).body;
    assert!(stopped.contains("Kein Werkzeug läuft") && stopped.contains("im Browser ausgelöst"), "{stopped}");
    assert!(!stopped.contains("emergency stop holds"), "{stopped}");
    door.post("/estop", Some(&token), &json!({})).has(200);
    let stopped = person.get("/").has(200).body;
    assert!(stopped.contains("über HTTP ausgelöst") && !stopped.contains("set over HTTP"), "{stopped}");
    let full = "data/ holds 900 MB or more in 12 files or more, and the limit is 800 MB in 100 files.\n\
                Take something out of it, or raise `data_limit` in admin/admin.yaml: /home/x. Once less than nine tenths of the \
                limit is used, the service lets the chat start again.\n";
    fs::write(world.home().halt(), full).expect("it can be written");
    let halted = person.get("/").has(200).body;
    assert!(
        halted.contains("erlaubt sind 800 MB in 100 Dateien") && !halted.contains("Take something"),
        "{halted}"
    );
}

/// A package that waits for an approver is said on every page and counted in `/status`, and the person gets one message at the
/// end of a turn. A program gets none, and the door of another profile knows nothing of it.
#[test]
fn what_is_ready_for_review_is_said_to_the_person() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let program = world.admin(&["door", "add", "lights"]).done().stdout.trim().to_owned();
    let token = token(&world);
    let door = Door::at_port(&world, &[]);
    let status = door.get("/status", Some(&token)).has(200).json();
    assert_eq!(status["ready"], 1, "{status}");
    let said = door.post("/chat", Some(&program), &json!({"message": "hello"})).has(200).json();
    assert_eq!(said["ready"], Value::Null, "{said}");
    let person = Plain::entered(&door, "token", &token);
    let page = person.get("/").has(200);
    assert!(page.body.contains("One new ability is ready for review"), "{}", page.body);
    let told = person.post("/page/say", &[("message", "hello"), ("c", "")]).has(200);
    assert!(told.body.contains("is ready: `cl-admin review`"), "{}", told.body);
    let again = door.post("/chat", Some(&token), &json!({"message": "hello"})).has(200).json();
    assert_eq!(again["ready"], Value::Null, "{again}");
    let annas = world.admin(&["door", "add", "phone", "--person", "--profile", "anna"]).done();
    let other = Door::start(&world, &["serve", "--profile", "anna", "--listen", "127.0.0.1:0"]);
    assert_eq!(other.get("/status", Some(annas.stdout.trim())).has(200).json()["ready"], 0);
    world.admin(&["reject", world.newest()["id"].as_str().expect("an id"), "--reason", "no"]).done();
    eventually(PATIENCE, "it waits no more", || {
        let status = door.get("/status", Some(&token)).has(200).json();
        (status["ready"] == 0).then_some(())
    });
}

/// The pages are in the language of the profile, and say which it is.
#[test]
fn the_pages_speak_the_language_of_the_profile() {
    let mut buttons: Vec<Value> = vec![];
    for language in ["en", "de"] {
        let world = World::new();
        let profile = world.home().profile_file(&world.profile());
        fs::write(profile, format!("language: {language}\n")).expect("it can be written");
        let token = token(&world);
        let door = Door::at_port(&world, &[]);
        let person = Plain::entered(&door, "token", &token);
        let login = Plain::stranger(&door).get("/login").has(200);
        let pages = PAGES.map(|(_, path)| person.get(path).has(200));
        for page in pages.iter().chain([&login]) {
            assert!(page.body.contains(&format!("<html lang=\"{language}\"")), "{}", page.body);
        }
        let words = login.body.split("<button").nth(1).and_then(|rest| rest.split("</button>").next());
        buttons.push(json!(words));
    }
    assert_ne!(buttons[0], buttons[1], "both languages have the same words");
}
