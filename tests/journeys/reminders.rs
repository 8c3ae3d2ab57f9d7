//! Reminders and timers: set by a line that somebody typed, kept over a kill, told once, and never in the way of what is being typed.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tameclaw_tests::door::Door;
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_D, Pty};
use tameclaw_tests::world::{Program, World};

use crate::notifiers::{Inbox, configure, drop_canary};
use crate::settings::bot_asks;

const SOON: Duration = Duration::from_secs(60);

fn file(world: &World) -> PathBuf {
    file_of(world, world.profile().as_str())
}

fn file_of(world: &World, profile: &str) -> PathBuf {
    world.home().profile(&profile.parse().expect("a name")).join("memory/reminders.jsonl")
}

/// The reminders as they are kept.
fn kept(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(file(world)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a reminder")).collect()
}

fn chat(world: &World) -> Pty {
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("> ", SOON);
    pty
}

pub(crate) fn leave(mut pty: Pty) -> String {
    pty.keys(CTRL_D);
    pty.expect("goodbye", SOON);
    pty.ended(SOON);
    pty.screen.text()
}

/// Kills the program as `kill -9` does.
pub(crate) fn kill_it(pty: &mut Pty) {
    let id = i32::try_from(pty.pid()).expect("an id");
    kill(Pid::from_raw(id), Signal::SIGKILL).expect("it runs");
    pty.ended(SOON);
}

/// Set, listed, moved and cancelled by sentences in both languages; each start of the program finds what the one before kept.
#[test]
fn a_person_sets_lists_moves_and_cancels_reminders_by_sentences() {
    let world = World::new();
    let says = |line: &str, expected: &str| {
        let answer = world.ask(line);
        assert!(answer.contains(expected), "{line}: {answer}");
    };
    says("what reminders do I have?", "You have no reminders.");
    says("remind me tomorrow at 6pm to water the plants", "at 18:00: water the plants.");
    says("every Monday remind me to put the bins out", "every Monday at 09:00: put the bins out.");
    says("set a timer for 50 minutes", "the time is up");
    says("erinnere mich morgen um 18 Uhr daran, die Katze zu füttern", "um 18:00: die Katze zu füttern.");
    says("erinnere mich jeden Montag an die Mülltonnen", "jeden Montag um 09:00: die Mülltonnen.");
    says("welche Erinnerungen habe ich?", ". jeden Montag um 09:00: die Mülltonnen");
    says("what reminders do I have?", ". every Monday at 09:00: put the bins out");
    says("move the reminder about the plants to 7pm", "at 19:00: water the plants.");
    says("cancel the reminder about the plants", "Cancelled: water the plants.");
    // The numbers are those of the list, which begins with the next one.
    let list = world.ask("what reminders do I have?");
    let row = list.lines().find(|row| row.ends_with("put the bins out")).expect("it is listed");
    let number = row.split('.').next().expect("a number");
    says(&format!("delete reminder {number}"), "Cancelled: put the bins out.");
    says("lösch die Erinnerung an die Katze", "Gelöscht: die Katze zu füttern.");
    assert_eq!(kept(&world).iter().map(|one| one["id"].clone()).collect::<Vec<_>>(), [json!(3), json!(5)]);
    // What is not understood or over sets none, says what is understood, and ends in no offer to learn something.
    for line in
        ["remind me soon to call mum", "remind me to call mum", "stell einen Timer auf bald", "set a timer"]
    {
        let answer = world.ask(line);
        assert!(answer.contains("5 minutes\"") || answer.contains("5 Minuten“"), "{line}: {answer}");
        assert!(!answer.contains("learn") && !answer.contains("lerne"), "{line}: {answer}");
    }
    says("remind me yesterday to call mum", "That moment is over");
    assert_eq!(kept(&world).len(), 2);
}

/// A chat in which a line goes back to the reminder before it: another one, another moment, a moment counted from a day that the person
/// told; then one is cancelled in passing, and the rest asked for by its day and the time that is left.
#[test]
fn a_line_goes_back_to_the_reminder_that_was_set_just_now() {
    let of = |lines: &[&str]| {
        let world = World::new();
        let run = world.typed(Program::Bot, &["agent"], &(lines.join("\n") + "\n")).done();
        (kept(&world), run.stdout)
    };
    let texts = |kept: &[Value]| -> Vec<String> {
        kept.iter().map(|one| one["text"].as_str().expect("a text").to_owned()).collect()
    };
    let (kept, said) = of(&[
        "my favourite animal is the squid",
        "set a timer for 20 minutes for the onions",
        "and another one for 45 minutes for the roast",
        "no, 60 minutes",
        "how long left on the onions?",
        "remind me tomorrow at 2:30 to put the pie in",
        "make it 2",
        "and call Mr Okafor at half past eleven",
        "stop the onion timer, they burned",
        "what have i got tomorrow",
        "what is my favourite animal",
    ]);
    assert_eq!(texts(&kept), ["the roast", "put the pie in", "call Mr Okafor"], "{said}");
    for part in [
        "the onions: 20 minutes left (",
        " at 14:00: put the pie in.",
        " at 11:30: call Mr Okafor.",
        "Cancelled: the onions.",
        "squid",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(kept[0]["due"].as_i64().expect("a time") - kept[0]["from"].as_i64().expect("a time") == 3600);
    let (kept, said) = of(&[
        "mein lieblingstier ist der tintenfisch",
        "weck mich um 7",
        "nee lieber 10 vor 7",
        "was ist mein lieblingstier",
        "erinnere mich jeden tag um 8 an die tabletten",
        "und abends um 7 an die andere",
        "erinnere mich zwei Tage vorher um 8 Uhr an die Rechnung",
        "Die Rechnung ist am 18.12. fällig.",
        "erinnere mich zwei Tage vorher um 8 Uhr an die Rechnung",
        "die mit den tabletten kann weg",
    ]);
    assert_eq!(texts(&kept), ["", "die andere", "die Rechnung"], "{said}");
    for part in [
        "um 06:50: ",
        "tintenfisch",
        "jeden Tag um 19:00: die andere.",
        "von welchem Tag an du",
        "16. Dezember",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Two lines later, and behind a fact, a line of a moment alone changes none.
    for between in ["my dentist is on friday at 5", "what is 5 + 5\nwhat is 6 + 6"] {
        let (kept, said) = of(&["remind me tomorrow at 9am to call mum", between, "no, thursday at 6"]);
        assert!(said.contains("at 09:00: call mum.") && kept.len() == 1, "{said}");
        assert_eq!(said.matches("I will remind you").count(), 1, "{said}");
    }
}

/// Every second week or month, once a month and the last day of each; a file of an earlier version is read as before.
#[test]
fn weeks_and_months_are_counted_and_an_older_file_is_read() {
    let world = World::new();
    world.ask("every Monday remind me to put the bins out");
    let old = "{\"again\":\"m15 08:00\",\"due\":4102444800,\"id\":7,\"text\":\"the meter\"}\n";
    fs::write(file(&world), old).expect("it can be written");
    for line in [
        "remind me every 2nd month on the 15th to pay the rent",
        "remind me every other Monday to mow",
        "erinnere mich einmal im Monat an den Filter",
        "erinnere mich am letzten Tag jedes Monats ans Sichern",
    ] {
        world.ask(line);
    }
    let again: Vec<Value> = kept(&world).into_iter().map(|one| one["again"].clone()).collect();
    let today = again[3].as_str().expect("a day").to_owned();
    assert!(today.starts_with('m') && !today.contains('/'), "{today}");
    assert_eq!(
        again,
        [json!("m15 08:00"), json!("m15/2 09:00"), json!("1/2 09:00"), json!(today), json!("m31 09:00")]
    );
    let list = world.ask("what reminders do I have?");
    for part in [
        "on day 15 of every month at 08:00: the meter",
        "every 2 months on day 15 at 09:00, next on",
        "every 2 weeks on Monday at 09:00, next on",
    ] {
        assert!(list.contains(part), "{part}: {list}");
    }
}

/// A whole reminder with an innocent text is set, with any words of time in it; one whose text is need gets the help lines.
#[test]
fn a_reminder_is_set_and_one_whose_text_is_need_gets_the_help_lines() {
    let world = World::new();
    for line in [
        "remind me on the last day of every month to pay the rent",
        "erinnere mich am letzten Tag jedes Monats an die Miete",
    ] {
        let answer = world.ask(line);
        assert!(answer.contains("31") && !answer.contains("112"), "{line}: {answer}");
    }
    assert_eq!(kept(&world).len(), 2);
    for line in [
        "remind me to kill myself tonight",
        "remind me on the last day of every month that I want to die",
        "erinnere mich heute Abend daran, mich umzubringen",
        "erinnere mich am letzten Tag jedes Monats daran, dass ich sterben will",
    ] {
        let answer = world.ask(line);
        assert!(answer.contains("112"), "{line}: {answer}");
    }
    assert_eq!(kept(&world).len(), 2);
}

/// A line that sets a timer and wants something else has both done, in the order in which they were said.
#[test]
fn a_timer_and_something_else_in_one_line_are_both_done() {
    let world = World::new();
    for (line, first, second) in [
        ("set a timer for 5 minutes and what is 12 + 30?", "the time is up", "12 + 30 = 42"),
        ("what is 12 + 30 and set a timer for 6 minutes", "12 + 30 = 42", "the time is up"),
        ("set a timer for 7 minutes and tell me a joke", "the time is up", "joke"),
        ("stell einen Timer auf 8 Minuten und erzähl mir einen Witz", "die Zeit ist um", "Witz"),
    ] {
        let answer = world.ask(line);
        let places = (answer.find(first), answer.find(second));
        assert!(matches!(places, (Some(one), Some(other)) if one < other), "{line}: {answer}");
    }
    world.ask("set a timer for 1 hour and 30 minutes");
    let texts: Vec<Value> = kept(&world).into_iter().map(|one| one["text"].clone()).collect();
    assert_eq!(texts, vec![json!(""); 5]);
}

/// A line that is said twice sets one reminder, and says so; a moved one that is not understood stays where it was.
#[test]
fn the_same_line_said_twice_sets_one_reminder() {
    let world = World::new();
    world.ask("remind me tomorrow at 6pm to water the plants");
    let answer = world.ask("remind me tomorrow at 6pm to water the plants");
    assert!(answer.contains("That reminder is set already: water the plants"), "{answer}");
    let before = kept(&world);
    assert_eq!(before.len(), 1);
    let answer = world.ask("move reminder 1 to soon");
    assert!(answer.contains("I did not move the reminder") && !answer.contains("did not set"), "{answer}");
    assert_eq!(kept(&world), before);
}

/// The fifty-first reminder is refused.
#[test]
fn a_profile_has_at_most_fifty_reminders() {
    let world = World::new();
    world.ask("remind me tomorrow to water the plants");
    let one = &kept(&world)[0];
    let rows = (1..=50)
        .map(|id| json!({"id": id, "text": "x", "due": one["due"], "again": null}).to_string() + "\n");
    fs::write(file(&world), rows.collect::<String>()).expect("it can be written");
    let more = ["agent", "-m", "remind me tomorrow to feed the cat"];
    world.bot(&more).exited(1).prints("You have 50 reminders");
    assert_eq!(kept(&world).len(), 50);
    world.ask("cancel reminder 7");
    let answer = world.ask("remind me tomorrow to feed the cat");
    assert!(answer.contains("I will remind you"), "{answer}");
    assert_eq!(kept(&world).len(), 50);
}

/// What comes each month is set in both languages, listed, told once when it is due, and then due in the next month.
#[test]
fn a_monthly_reminder_is_told_once_and_comes_again_in_the_next_month() {
    let world = World::new();
    let answer = world.ask("remind me on the 1st of every month to pay the rent");
    assert!(answer.contains("on day 1 of every month at 09:00: pay the rent."), "{answer}");
    let answer = world.ask("erinnere mich jeden Monat am 31. um 18 Uhr an die Miete");
    assert!(
        answer.contains("am 31. jedes Monats oder an seinem letzten Tag um 18:00: die Miete."),
        "{answer}"
    );
    let answer = world.ask("what reminders do I have?");
    assert!(answer.contains(". on day 1 of every month at 09:00: pay the rent"), "{answer}");
    let answer = world.ask("remind me every 30 months to pay the rent");
    assert!(answer.contains("I did not set a reminder"), "{answer}");
    let now = jiff::Timestamp::now().as_second();
    let mut all = kept(&world);
    all.iter_mut().for_each(|one| one["due"] = (now - 40 * 24 * 3_600).into());
    let rows: String = all.iter().map(|one| format!("{one}\n")).collect();
    fs::write(file(&world), rows).expect("it can be written");
    for count in [1, 0] {
        let mut pty = chat(&world);
        if count == 1 {
            // Both come at once. A person who types and leaves at once hears them at the next start.
            pty.expect(": pay the rent)", SOON);
        }
        pty.line("what is 2 + 40?");
        pty.expect("= 42", SOON);
        let said = leave(pty);
        for text in [": pay the rent)", ": die Miete)"] {
            assert_eq!(said.matches(text).count(), count, "{said}");
        }
    }
    for one in kept(&world) {
        let ahead = one["due"].as_i64().expect("a moment") - now;
        assert!((0..=32 * 24 * 3_600).contains(&ahead), "{one}");
        assert!(one["again"] == "m1 09:00" || one["again"] == "m31 18:00", "{one}");
    }
}

/// A reminder that is due is shown above a line that is half typed, which stays as it is; it is shown once.
#[test]
fn a_reminder_is_told_while_half_a_line_is_typed_and_only_once() {
    for terminal in ["xterm-256color", "dumb"] {
        let world = World::new();
        let mut command = world.command(Program::Bot, &["agent"]);
        command.env("TERM", terminal);
        let mut pty = Pty::start(command);
        pty.expect("> ", SOON);
        pty.line("remind me in 4 seconds to stir the soup");
        pty.expect("I will remind you", SOON);
        pty.expect("> ", SOON);
        pty.keys("what is ");
        pty.expect("reminder: stir the soup", SOON);
        pty.expect("> what is ", SOON);
        pty.line("2 + 40?");
        pty.expect("= 42", SOON);
        pty.expect("> ", SOON);
        assert!(kept(&world).is_empty(), "{terminal}");
        // Nothing is typed: it is shown at the prompt.
        pty.line("set a timer for 2 seconds");
        pty.expect("I will remind you", SOON);
        pty.expect("reminder: the time is up", SOON);
        pty.expect("> ", SOON);
        let said = leave(pty);
        assert_eq!(said.matches("reminder: stir the soup").count(), 1, "{terminal}: {said}");
        let said = leave(chat(&world));
        assert!(!said.contains("stir the soup") && !said.contains("the time is up"), "{terminal}: {said}");
    }
}

/// What was answered is kept when the program is killed, and is shown at the next start, with its time, once.
#[test]
fn a_reminder_outlives_a_kill_and_is_told_once_at_the_next_start() {
    let world = World::new();
    let mut pty = chat(&world);
    pty.line("remind me in 2 seconds to turn off the oven");
    pty.expect("I will remind you", SOON);
    kill_it(&mut pty);
    assert_eq!(kept(&world).len(), 1, "it is on the disk before the answer");
    std::thread::sleep(Duration::from_secs(3));
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect("while you were away, ", SOON);
    pty.expect(": turn off the oven", SOON);
    // It was marked before it was shown.
    kill_it(&mut pty);
    let said = leave(chat(&world));
    assert!(!said.contains("turn off the oven"), "{said}");
}

/// With a model the same lines do the same, and no model is asked; a line that asks for something else goes to the model.
#[test]
fn with_a_model_reminders_are_set_without_it() {
    let model = ModelServer::start(|_| Reply::text("the model was asked"));
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    let answer = world.ask("erinnere mich in zehn Minuten an die Pizza");
    assert!(answer.contains(": die Pizza."), "{answer}");
    assert!(model.seen().is_empty(), "no model is needed");
    assert_eq!(kept(&world).len(), 1);
    let answer = world.ask("remind me what we said about the trip");
    assert!(answer.contains("the model was asked"), "{answer}");
    assert_eq!(kept(&world).len(), 1);
}

/// A line of a person in need is answered as such, regardless of what else it asks for.
#[test]
fn a_person_in_need_is_answered_before_any_reminder_is_set() {
    let world = World::new();
    let answer = world.ask("remind me tomorrow at 6pm that I want to kill myself");
    assert!(!answer.contains("I will remind you"), "{answer}");
    assert!(kept(&world).is_empty());
}

/// `forget everything` takes the reminders out, too.
#[test]
fn what_is_forgotten_as_a_whole_takes_the_reminders_along() {
    let world = World::new();
    world.ask("remember that my sister is called Emma");
    world.ask("remind me tomorrow to call Emma");
    assert_eq!(kept(&world).len(), 1);
    let mut pty = chat(&world);
    pty.line("forget everything about me");
    pty.expect("Shall I forget", SOON);
    pty.expect("> ", SOON);
    pty.line("yes");
    pty.expect("Forgotten", SOON);
    pty.expect("> ", SOON);
    leave(pty);
    assert!(kept(&world).is_empty());
}

/// The next answer over HTTP tells a person what is due, once; a program's token hears nothing of it.
#[test]
fn what_is_due_is_told_over_http_to_a_person_and_to_no_program() {
    let world = World::new();
    let token =
        |more: &[&str]| world.admin(&[&["door", "add"], more].concat()).done().stdout.trim().to_owned();
    let (program, person) = (token(&["lights"]), token(&["phone", "--person"]));
    let door = Door::at_port(&world, &[]);
    let says =
        |token: &str, line: &str| door.post("/chat", Some(token), &json!({"message": line})).has(200).body;
    assert!(says(&person, "remind me in 2 seconds to stir the soup").contains("I will remind you"));
    std::thread::sleep(Duration::from_secs(3));
    let told = says(&program, "what is 2 + 40?");
    assert!(!told.contains("stir the soup"), "{told}");
    let told = says(&person, "what is 2 + 40?");
    assert!(told.contains("reminder: stir the soup"), "{told}");
    let told = says(&person, "what is 2 + 41?");
    assert!(!told.contains("stir the soup"), "{told}");
    assert!(kept(&world).is_empty());
}

/// A file that cannot be read is named with the next step, by each line that asks for a reminder and once by the chat; nothing in
/// it changes.
#[test]
fn a_file_of_reminders_that_cannot_be_read_is_named_and_left_as_it_is() {
    let world = World::new();
    world.ask("remind me in 2 seconds to stir the soup");
    let good = fs::read(file(&world)).expect("it is kept");
    let large = [good.clone(), vec![b'\n'; 300 * 1024]].concat();
    for (spoiled, why) in [([&good[..], &[0xff]].concat(), "is not text in UTF-8"), (large, "262144 bytes")] {
        fs::write(file(&world), &spoiled).expect("it can be written");
        for line in ["remind me tomorrow to feed the cat", "what reminders do I have?", "cancel reminder 1"] {
            let run = world.bot(&["agent", "-m", line]).exited(1);
            let said = run.stdout;
            assert!(said.contains("reminders.jsonl") && said.contains(why), "{line}: {said}");
            assert!(said.contains("move it elsewhere and set your reminders again"), "{line}: {said}");
        }
        let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
        pty.expect("I can neither read nor change your reminders", SOON);
        pty.expect("> ", SOON);
        pty.line("what is 2 + 40?");
        pty.expect("= 42", SOON);
        pty.expect("> ", SOON);
        let said = leave(pty);
        assert_eq!(said.matches("neither read nor change").count(), 1, "{said}");
        assert_eq!(fs::read(file(&world)).expect("it is there"), spoiled, "nothing is overwritten");
    }
    // The next step helps, and what the file holds is shown.
    fs::write(file(&world), &good).expect("it can be written");
    let mut pty = chat(&world);
    pty.expect("stir the soup", SOON);
    leave(pty);
}

/// `memory clear` says that it takes the reminders out, and does so with a file that cannot be read.
#[test]
fn memory_clear_cancels_the_reminders_and_says_so() {
    let world = World::new();
    world.ask("remind me tomorrow to call Emma");
    world.bot(&["memory", "clear"]).exited(2).says("every fact, conversation and reminder");
    assert_eq!(kept(&world).len(), 1);
    world
        .bot(&["memory", "clear", "--yes"])
        .done()
        .says("everything is forgotten, and every reminder is cancelled");
    assert!(kept(&world).is_empty());
    let again = world.bot(&["memory", "clear", "--yes"]).done();
    assert!(!again.stderr.contains("reminder"), "{}", again.stderr);
    fs::write(file(&world), [0xff]).expect("it can be written");
    world.bot(&["memory", "clear", "--yes"]).done().says("every reminder is cancelled");
    assert!(kept(&world).is_empty());
    let answer = world.ask("what reminders do I have?");
    assert!(answer.contains("You have no reminders."), "{answer}");
}

/// A thousand reminders of twenty people, the service and ten chats at once: each chat tells its person the one that comes due and no
/// other, and the notifiers say of five people, whose chat is closed, that one is due.
#[test]
fn of_a_thousand_reminders_of_twenty_people_those_that_are_due_are_told() {
    let hook = Inbox::start(&[204]);
    let world = World::new();
    let names: Vec<String> = (0..20).map(|at| format!("person-{at}")).collect();
    for name in &names {
        world.admin(&["profile", "add", name, "--audience", "adult"]).done();
        let set = world.bot(&["--profile", name, "-m", "remind me in 3 days to wait"]).done();
        assert!(set.stdout.contains("I will remind you"), "{}", set.report());
    }
    let now = jiff::Timestamp::now().as_second();
    for (at, name) in names.iter().enumerate() {
        // The first of ten comes due while a chat is open, that of five is due already; all others are far away.
        let first = match at {
            0..10 => now + 20,
            10..15 => now - 100,
            _ => now + 40 * 24 * 3_600,
        };
        let due = |id: i64| if id == 1 { first } else { now + id * 24 * 3_600 };
        let rows = (1..=50).map(|id| {
            let text = format!("task {id} of {name}.");
            json!({"id": id, "text": text, "due": due(id), "again": null}).to_string() + "\n"
        });
        fs::write(file_of(&world, name), rows.collect::<String>()).expect("it can be written");
        let moments: String = (1..=50).map(|id| format!("{}\n", due(id))).collect();
        fs::write(world.home().due(&name.parse().expect("a name")), moments).expect("it can be written");
    }
    let hooks = format!(
        "notifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n",
        hook.server.host()
    );
    configure(&world, &format!("digest_minutes: 0\n{hooks}"));
    let mut chats: Vec<Pty> = names[..10]
        .iter()
        .map(|name| Pty::start(world.command(Program::Bot, &["--profile", name, "agent"])))
        .collect();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    for (name, chat) in names.iter().zip(&mut chats) {
        chat.expect(&format!("task 1 of {name}."), SOON * 3);
    }
    let told = || -> Vec<String> {
        let bodies = hook.seen().into_iter();
        let bodies = bodies.map(|r| serde_json::from_slice::<Value>(&r.body).expect("it is JSON"));
        let mut told: Vec<String> = bodies
            .flat_map(|body| body["proposals"].as_array().cloned().unwrap_or_default())
            .map(|notice| format!("{} {}", notice["kind"], notice["profile"]))
            .collect();
        told.sort();
        told
    };
    eventually(SOON, "the notifiers tell of five", || (told().len() >= 5).then_some(()));
    // Two more looks of the notifiers, and of each chat.
    std::thread::sleep(Duration::from_secs(65));
    let expected = names[10..15].iter().map(|name| format!("\"reminder\" \"{name}\"")).collect::<Vec<_>>();
    assert_eq!(told(), expected);
    for (name, chat) in names.iter().zip(chats) {
        let said = leave(chat);
        assert_eq!(said.matches("task ").count(), 1, "{name}: {said}");
        let left = fs::read_to_string(file_of(&world, name)).expect("it is kept");
        assert!(left.lines().count() == 49 && !left.contains("task 1 of"), "{name}: {left}");
    }
    for name in &names[10..] {
        let left = fs::read_to_string(file_of(&world, name)).expect("it is kept");
        assert_eq!(left.lines().count(), 50, "{name}");
    }
}

/// Where no chat tells a reminder within about a minute, the notifiers say that one is due, with the profile's name and never with
/// its text, once; no notifier tells one that a chat told.
#[test]
fn a_reminder_that_no_chat_told_is_told_by_the_notifiers_without_its_text() {
    let hook = Inbox::start(&[204]);
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    configure(
        &world,
        &format!(
            "digest_minutes: 60\nnotifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n",
            hook.server.host()
        ),
    );
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let mut anna = Pty::start(world.command(Program::Bot, &["--profile", "anna", "agent"]));
    anna.expect("> ", SOON);
    anna.line("remind me in 2 seconds to feed the cat");
    anna.expect("reminder: feed the cat", SOON);
    let answer = world.ask("remind me in 2 seconds to stir the soup");
    assert!(answer.contains("I will remind you"), "{answer}");
    let due = world.home().logs(&world.profile()).join("due");
    let written = fs::read_to_string(&due).expect("it is written");
    assert!(written.trim_end().parse::<i64>().is_ok(), "a moment and nothing else: {written}");
    eventually(SOON * 3, "it is told", || (hook.seen().len() == 1).then_some(()));
    // Another one of the same profile waits for five minutes, and no digest was begun by it for others.
    std::thread::sleep(Duration::from_secs(40));
    let seen = hook.seen();
    assert_eq!(seen.len(), 1, "once, and only that of the default profile");
    let body: Value = serde_json::from_slice(&seen[0].body).expect("it is JSON");
    assert_eq!(
        (&body["event"], &body["proposals"][0]["profile"]),
        (&json!("reminder-due"), &json!("default"))
    );
    let body = body.to_string();
    assert!(!body.contains("soup") && !body.contains("anna"), "{body}");
    assert_eq!(leave(anna).matches("reminder: feed the cat").count(), 1);
    // The chat tells it all the same, and then it is due no more.
    let said = leave(chat(&world));
    assert!(said.contains("stir the soup"), "{said}");
    assert_eq!(fs::read_to_string(&due).expect("it is there"), "");
}

/// A notifier that the configuration marks as a person's own sends the reminders of this person and nothing else; with their words only
/// where the profile's file has them leave it, regardless of what the bot writes. No other notifier gets a word of them.
#[test]
fn the_notifier_of_a_person_gets_the_words_of_their_reminders_and_nothing_else() {
    let (hook, annas, bens) = (Inbox::start(&[204]), Inbox::start(&[200]), Inbox::start(&[200]));
    let world = World::new();
    for name in ["anna", "ben"] {
        world.admin(&["profile", "add", name, "--audience", "adult"]).done();
    }
    let file = world.home().profile_file(&"anna".parse().expect("a name"));
    let settings = fs::read_to_string(&file).expect("it is there") + "\nreminders: {text: true}\n";
    fs::write(&file, settings).expect("it can be written");
    let notifier = |name: &str, inbox: &Inbox, more: &str| {
        format!("  - {{name: {name}, url: \"http://{}/topic\", {more}}}\n", inbox.server.host())
    };
    let own = notifier("anna", &annas, "kind: ntfy, person: anna")
        + &notifier("ben", &bens, "kind: webhook, person: ben")
        + &notifier("hook", &hook, "kind: webhook");
    configure(&world, &format!("digest_minutes: 0\nnotifiers:\n{own}"));
    let of = |name: &str| world.home().due(&name.parse().expect("a name"));
    for name in ["anna", "ben"] {
        let words = ["--profile", name, "-m", "remind me in 2 seconds to feed the cat"];
        world.bot(&words).done().prints("I will remind you");
    }
    let written = |name: &str| fs::read_to_string(of(name)).expect("it is written");
    assert!(written("anna").ends_with(" feed the cat\n") && !written("ben").contains("cat"));
    // The bot of a person who did not choose that writes words all the same.
    fs::write(of("ben"), written("ben").replace('\n', " CANARY\n")).expect("it can be written");
    drop_canary(&world);
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
    let bodies = |inbox: &Inbox| -> Vec<String> {
        inbox.seen().iter().map(|request| String::from_utf8_lossy(&request.body).into_owned()).collect()
    };
    eventually(SOON * 4, "each is told", || {
        let all = bodies(&hook).join("");
        let is_told = ["\"anna\"", "\"ben\"", "proposals-waiting"].iter().all(|part| all.contains(part));
        (is_told && !bodies(&annas).is_empty() && !bodies(&bens).is_empty()).then_some(())
    });
    assert_eq!(bodies(&annas), ["feed the cat\n"], "once, and nothing of the proposal");
    assert_eq!(annas.seen()[0].header("title"), Some("TameClaw: a reminder is due (anna)"));
    let [bens] = bodies(&bens).try_into().expect("one message");
    assert!(bens.contains("reminder-due") && !bens.contains("CANARY") && !bens.contains("cat"), "{bens}");
    let others = bodies(&hook).join("");
    assert!(!others.contains("cat") && !others.contains("CANARY"), "{others}");
    drop(service);
    // What does not fit is named.
    configure(
        &world,
        "notifiers: [{name: carl, kind: ntfy, url: \"https://example.org/t\", person: carl}]\n",
    );
    world
        .admin(&["config", "validate"])
        .exited(2)
        .says("notifiers `carl`.person: there is no profile `carl`");
    configure(&world, "notifiers: [{name: here, kind: cli, person: anna}]\n");
    world.admin(&["config", "validate"]).exited(2).says("person");
}
