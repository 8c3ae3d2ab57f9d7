//! What runs behind the conversation, and answers that end too early.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ports::Kernel;

use super::*;

/// A model that answers lines at once, and looks for facts until a test lets it continue or it is cancelled.
#[derive(Default)]
struct Looks {
    go: Arc<AtomicBool>,
    asked: Arc<Mutex<Vec<String>>>,
    cancelled: Arc<AtomicUsize>,
}

impl Provider for Looks {
    fn name(&self) -> &str {
        "looks"
    }
    fn kind(&self) -> Kind {
        Kind::Mock
    }
    fn chat(
        &self,
        request: &Request,
        _: &mut models::Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<Response, ModelError> {
        if request.task() != "extract" {
            return said("I see.");
        }
        let line = request.messages[0].content.clone();
        self.asked.lock().unwrap().push(line.clone());
        let end = Instant::now() + Duration::from_secs(10);
        while !self.go.load(Ordering::Relaxed) && Instant::now() < end {
            if cancel.load(Ordering::Relaxed) {
                self.cancelled.fetch_add(1, Ordering::Relaxed);
                return Err(ModelError::Cancelled { provider: "looks".into() });
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        said(&json!([line]).to_string())
    }
}

fn looking() -> (World, Looks) {
    let looks = Looks::default();
    let mine = Looks { go: looks.go.clone(), asked: looks.asked.clone(), cancelled: looks.cancelled.clone() };
    (World::with("providers: [{name: looks, kind: mock, model: x.yaml}]", vec![Box::new(looks)]), mine)
}

/// As if a person typed at a terminal.
fn talks(world: &World) -> Arc<Kernel> {
    world.boot_as(world.built_in(&[]), ports::Session::default()).unwrap()
}

fn facts(ctx: &KernelContext) -> Vec<String> {
    let Some(Answer::Facts(facts)) = ctx.ask(Command::Memory { argument: String::new() }) else {
        return vec![];
    };
    facts.into_iter().map(|fact| fact.text).collect()
}

fn until(what: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !what() {
        assert!(Instant::now() < end, "it never came to it");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_line_does_not_wait_for_the_model_that_looks_for_facts_in_the_lines_before() {
    let (world, looks) = looking();
    let ctx = talks(&world).context_of("cli").unwrap();
    for line in ["I live in Bern", "I work in Thun", "my cat is called Mia"] {
        assert_eq!(tell(&ctx, line), "I see.");
    }
    until(|| !looks.asked.lock().unwrap().is_empty());
    assert_eq!(*looks.asked.lock().unwrap(), ["I live in Bern"], "one line at a time");
    looks.go.store(true, Ordering::Relaxed);
    assert_eq!(facts(&ctx), ["I live in Bern", "I work in Thun", "my cat is called Mia"]);
    assert_eq!(looks.cancelled.load(Ordering::Relaxed), 0);
}

#[test]
fn what_is_to_be_forgotten_is_not_found_afterwards() {
    let (world, looks) = looking();
    let ctx = talks(&world).context_of("cli").unwrap();
    tell(&ctx, "I live in Bern");
    tell(&ctx, "my cat is called Mia");
    until(|| !looks.asked.lock().unwrap().is_empty());
    tell(&ctx, "forget that my cat is called Mia");
    // One look or two: on a busy machine the second line's has begun as well.
    assert_ne!(looks.cancelled.load(Ordering::Relaxed), 0, "the rules take the model's place");
    looks.go.store(true, Ordering::Relaxed);
    assert_eq!(facts(&ctx), ["I live in Bern"]);
}

#[test]
fn lines_do_not_pile_up_behind_a_model_that_hangs() {
    let (world, looks) = looking();
    let ctx = talks(&world).context_of("cli").unwrap();
    for n in 0..12 {
        assert_eq!(tell(&ctx, &format!("my cat number {n} is called Mia{n}")), "I see.");
        // One is looked at, and no more than four wait.
        until(|| looks.asked.lock().unwrap().len() + 4 > n);
    }
    assert!(looks.cancelled.load(Ordering::Relaxed) >= 12 - 1 - 4);
    looks.go.store(true, Ordering::Relaxed);
    facts(&ctx);
}

#[test]
fn the_end_waits_for_one_model_at_most_and_the_rules_find_the_rest() {
    let (world, looks) = looking();
    let kernel = talks(&world);
    let ctx = kernel.context_of("cli").unwrap();
    for line in ["I live in Bern", "I work in Thun", "my cat is called Mia"] {
        tell(&ctx, line);
    }
    until(|| !looks.asked.lock().unwrap().is_empty());
    let go = looks.go.clone();
    let later = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        go.store(true, Ordering::Relaxed);
    });
    kernel.unload();
    assert!(looks.go.load(Ordering::Relaxed), "the line that was looked at is waited for");
    later.join().unwrap();
    assert_eq!(*looks.asked.lock().unwrap(), ["I live in Bern"], "no other begins");
    assert_eq!(facts(&ctx).len(), 3);
}

fn broken(text: &str) -> Result<Response, ModelError> {
    let why = ModelError::Network { provider: "scripted".into(), detail: "connection reset".into() };
    Err(ModelError::BrokeOff { partial: Box::new(said(text)?), why: Box::new(why) })
}

#[test]
fn an_answer_that_breaks_off_is_kept_and_marked() {
    for (language, mark, line) in [
        ("en", "the answer broke off", "tell me about the sky"),
        ("de", "die Antwort brach ab", "erzähl mir bitte etwas vom Himmel"),
    ] {
        let (world, asked) = scripted(move |request| {
            let is_first = request.messages.iter().filter(|m| m.role == Role::User).count() == 1;
            if is_first { broken("The sky is") } else { said("Blue.") }
        });
        let kernel = talks(&world);
        let (ctx, talk) = (kernel.context_of("cli").unwrap(), kernel.context_of("reasoning").unwrap());
        let answer = ctx.send(core::USER_INPUT, json!({"text": line})).unwrap();
        assert_eq!(answer["reply"], "The sky is", "{language}");
        assert_eq!((&answer["outcome"], &answer["incomplete"]), (&json!("failed"), &json!(true)));
        assert_eq!(answer["broke_off"], "scripted cannot be reached: connection reset");
        assert_eq!(answer["notes"][0], format!("{mark}: scripted cannot be reached: connection reset"));
        assert_eq!(asked.lock().unwrap().len(), 1, "nobody begins anew");
        tell(&ctx, "and?");
        let kept = format!("The sky is\n\n[{mark}]");
        let asked = asked.lock().unwrap();
        assert!(
            asked[1].messages.iter().any(|m| m.role == Role::Assistant && m.content == kept),
            "{asked:?}"
        );
        let kept = talk.ask(Recall::Turns { query: "sky".to_owned(), limit: None });
        let Some(Answer::Turns(kept)) = kept else { panic!("{kept:?}") };
        assert!(kept.iter().any(|turn| turn.content.ends_with(&format!("[{mark}]"))), "{kept:?}");
    }
}

#[test]
fn who_answers_in_whose_place_is_told_once() {
    let down = Scripted {
        asked: Arc::default(),
        answer: Box::new(|_| {
            Err(ModelError::Network { provider: "scripted".into(), detail: "refused".into() })
        }),
    };
    let config = "providers: [{name: scripted, kind: mock, model: x.yaml}, {name: house, kind: embedded}]";
    let world = World::with(config, vec![Box::new(down), Box::new(models::Embedded::new("house"))]);
    let ctx = boot(&world);
    let notes = |line: &str| ctx.send(core::USER_INPUT, json!({"text": line})).unwrap()["notes"].clone();
    assert_eq!(notes("hello"), json!(["scripted cannot be reached: refused; house answers in its place"]));
    assert_eq!(notes("hello again"), json!([]));
}
