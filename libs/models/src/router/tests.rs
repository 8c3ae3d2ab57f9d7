use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::attachment::Attachment;
use crate::request::Message;

struct Scripted {
    name: &'static str,
    outcome: fn(String) -> Result<Response, ModelError>,
    asked: Arc<AtomicUsize>,
    models: [String; 1],
    images: bool,
}

impl Provider for Scripted {
    fn name(&self) -> &str {
        self.name
    }
    fn kind(&self) -> Kind {
        Kind::Mock
    }
    fn model(&self) -> &str {
        "usual"
    }
    fn models(&self) -> &[String] {
        if self.name == "b" { &self.models } else { &[] }
    }
    fn takes_images(&self) -> bool {
        self.images
    }
    fn chat(&self, request: &Request, _: &mut Watch<'_>, _: &AtomicBool) -> Result<Response, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut response = (self.outcome)(self.name.to_owned())?;
        response.model = request.model.clone().unwrap_or_default();
        Ok(response)
    }
}

type Outcome = fn(String) -> Result<Response, ModelError>;

fn scripted(name: &'static str, outcome: Outcome, asked: &Arc<AtomicUsize>) -> Box<dyn Provider> {
    seeing(name, outcome, asked, false)
}

fn seeing(name: &'static str, outcome: Outcome, asked: &Arc<AtomicUsize>, images: bool) -> Box<dyn Provider> {
    Box::new(Scripted { name, outcome, asked: asked.clone(), models: ["large".to_owned()], images })
}

fn router(outcomes: [Outcome; 2], tasks: &[(&str, &str)]) -> (Router, [Arc<AtomicUsize>; 2]) {
    let asked = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let [a, b] = outcomes;
    let providers: Vec<Box<dyn Provider>> = vec![scripted("a", a, &asked[0]), scripted("b", b, &asked[1])];
    let tasks = tasks.iter().map(|(t, p)| ((*t).to_owned(), (*p).to_owned())).collect();
    (Router::new(providers, tasks), asked)
}

fn fine(provider: String) -> Result<Response, ModelError> {
    Ok(Response { text: "ok".to_owned(), provider, ..Response::default() })
}

fn down(provider: String) -> Result<Response, ModelError> {
    Err(ModelError::Network { provider, detail: "refused".to_owned() })
}

fn rejected(provider: String) -> Result<Response, ModelError> {
    Err(ModelError::Rejected { provider, status: 400, detail: "bad".to_owned() })
}

fn refused(provider: String) -> Result<Response, ModelError> {
    Err(ModelError::Refused { provider, reason: "cannot".to_owned() })
}

static GO: AtomicBool = AtomicBool::new(false);

#[test]
fn the_first_provider_answers_when_it_can() {
    let (router, asked) = router([fine, fine], &[]);
    let routed = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap();
    assert_eq!((routed.response.provider.as_str(), routed.notes.len()), ("a", 0));
    assert_eq!(asked[1].load(Ordering::Relaxed), 0);
}

#[test]
fn a_provider_that_is_down_is_replaced_and_said_so() {
    let (router, _) = router([down, fine], &[]);
    let request = Request { model: Some("only-for-a".to_owned()), ..Request::default() };
    let routed = router.chat(&request, &mut |_| {}, &GO).unwrap();
    assert_eq!(routed.response.provider, "b");
    assert_eq!(routed.response.model, "", "a model's name is not taken along to another provider");
    assert_eq!(routed.notes, ["a cannot be reached: refused"]);
}

#[test]
fn a_rejected_request_is_not_asked_elsewhere() {
    let (router, asked) = router([rejected, fine], &[]);
    assert!(matches!(router.chat(&Request::default(), &mut |_| {}, &GO), Err(ModelError::Rejected { .. })));
    assert_eq!(asked[1].load(Ordering::Relaxed), 0);
}

#[test]
fn when_all_fail_the_first_error_is_told() {
    for second in [down as Outcome, refused] {
        let (router, _) = router([down, second], &[]);
        let error = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap_err();
        assert_eq!((error.provider(), error.falls_back()), ("a", true));
    }
}

#[test]
fn a_task_names_who_is_asked_first() {
    let (router, _) = router([fine, fine], &[("implement", "b")]);
    let mut request = Request::default();
    assert_eq!(router.chat(&request, &mut |_| {}, &GO).unwrap().response.provider, "a");
    request.metadata.insert(crate::TASK.to_owned(), "implement".to_owned());
    assert_eq!(router.chat(&request, &mut |_| {}, &GO).unwrap().response.provider, "b");
}

#[test]
fn a_provider_by_name_is_asked_alone() {
    let (router, _) = router([fine, down], &[]);
    assert!(router.chat_with("b", &Request::default(), &mut |_| {}, &GO).is_err());
    let error = router.chat_with("c", &Request::default(), &mut |_| {}, &GO).unwrap_err();
    assert_eq!(error.to_string(), "there is no provider `c`; configured: a b");
}

#[test]
fn a_cancelled_request_asks_nobody() {
    let (router, asked) = router([fine, fine], &[]);
    let error = router.chat(&Request::default(), &mut |_| {}, &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error, ModelError::Cancelled { .. }));
    assert_eq!(asked[0].load(Ordering::Relaxed), 0);
}

fn busy(provider: String) -> Result<Response, ModelError> {
    let retry_after = Some(Duration::from_millis(10));
    Err(ModelError::Rate { provider, detail: "full".to_owned(), retry_after })
}

fn busy_for_long(provider: String) -> Result<Response, ModelError> {
    let retry_after = Some(Duration::from_secs(60));
    Err(ModelError::Rate { provider, detail: "full".to_owned(), retry_after })
}

/// A router whose clock is moved by hand, in seconds.
fn timed(outcomes: [Outcome; 2]) -> (Router, [Arc<AtomicUsize>; 2], Arc<AtomicUsize>) {
    let asked = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let [a, b] = outcomes;
    let providers = vec![scripted("a", a, &asked[0]), scripted("b", b, &asked[1])];
    let (seconds, start) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let hand = seconds.clone();
    let clock = move || start + Duration::from_secs(hand.load(Ordering::Relaxed) as u64);
    (Router::with_clock(providers, BTreeMap::new(), Box::new(clock)), asked, seconds)
}

fn counts(asked: &[Arc<AtomicUsize>; 2]) -> [usize; 2] {
    [asked[0].load(Ordering::Relaxed), asked[1].load(Ordering::Relaxed)]
}

#[test]
fn a_dead_first_choice_is_left_alone_for_a_growing_time_and_told_of_once() {
    let (router, asked, seconds) = timed([down, fine]);
    let turn = |at: usize| {
        seconds.store(at, Ordering::Relaxed);
        let routed = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap();
        assert_eq!(routed.response.provider, "b");
        (counts(&asked)[0], routed.notes.len())
    };
    assert_eq!(turn(0), (1, 1), "asked in vain, and told");
    assert_eq!(turn(4), (1, 0), "left alone");
    assert_eq!(turn(5), (2, 0), "tried again after 5 s; the same failure is not told twice");
    assert_eq!(turn(14), (2, 0), "the next pause is 10 s");
    assert_eq!(turn(15), (3, 0));
    assert_eq!(router.status()[0].health, Health::Open(Duration::from_secs(20)));
    assert_eq!(router.status()[0].error.as_deref(), Some("a cannot be reached: refused"));
    assert_eq!(router.status()[1].health, Health::Closed);
}

fn breaks(provider: String) -> Result<Response, ModelError> {
    let why = Box::new(ModelError::Network { provider: provider.clone(), detail: "reset".to_owned() });
    let partial = Box::new(Response { text: "half".to_owned(), provider, ..Response::default() });
    Err(ModelError::BrokeOff { partial, why })
}

#[test]
fn what_a_person_has_seen_no_other_provider_begins_anew() {
    let (router, asked, _) = timed([breaks, fine]);
    let error = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap_err();
    assert!(matches!(error, ModelError::BrokeOff { .. }), "{error:?}");
    assert_eq!(counts(&asked), [1, 0]);
    // It rests like any other that failed, and that is reported.
    let next = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap();
    assert_eq!((counts(&asked), next.notes), ([1, 1], vec!["a cannot be reached: reset".to_owned()]));
}

#[test]
fn what_nobody_sees_is_asked_of_the_next_provider() {
    let (router, asked, _) = timed([breaks, fine]);
    let metadata = [(crate::TASK.to_owned(), "extract".to_owned())].into();
    let request = Request { metadata, ..Request::default() };
    let routed = router.chat(&request, &mut |_| {}, &GO).unwrap();
    assert_eq!((routed.response.text.as_str(), counts(&asked)), ("ok", [1, 1]));
}

/// Fails twice, answers once, and so on.
fn now_and_then(provider: String) -> Result<Response, ModelError> {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let outcome: Outcome = if ASKED.fetch_add(1, Ordering::Relaxed) % 3 == 2 { fine } else { down };
    outcome(provider)
}

#[test]
fn a_provider_that_is_back_is_told_once_and_its_next_failure_is_news() {
    let (router, _, seconds) = timed([now_and_then, fine]);
    let turn = |at: usize| {
        seconds.store(at, Ordering::Relaxed);
        let routed = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap();
        (routed.response.provider, routed.notes.len(), routed.is_back)
    };
    let told = |provider: &str, notes, is_back| (provider.to_owned(), notes, is_back);
    assert_eq!(turn(0), told("b", 1, false));
    assert_eq!(turn(1), told("b", 0, false), "it rests, which was told");
    assert_eq!(turn(100), told("b", 0, false), "tried in vain, which was told");
    assert_eq!(turn(200), told("a", 0, true));
    assert_eq!(turn(300), told("b", 1, false), "news again");
}

#[test]
fn when_all_are_in_their_pause_the_least_bad_is_asked_anyway() {
    let (router, asked, seconds) = timed([busy_for_long, down]);
    assert!(router.chat(&Request::default(), &mut |_| {}, &GO).is_err());
    assert_eq!(counts(&asked), [1, 1]);
    seconds.store(1, Ordering::Relaxed);
    let error = router.chat(&Request::default(), &mut |_| {}, &GO).unwrap_err();
    assert_eq!((error.provider(), counts(&asked)), ("b", [1, 2]), "b comes back in 4 s, a in 59 s");
    assert_eq!(
        router.first("chat").unwrap().name(),
        "a",
        "nobody is healthy, so the order decides what to expect"
    );
}

#[test]
fn a_provider_that_wants_a_moment_gets_it_once_and_one_that_wants_more_does_not() {
    for (first, expected) in [(busy as Outcome, [2, 1]), (busy_for_long, [1, 1])] {
        let (router, asked) = router([first, fine], &[]);
        let mut pieces = Vec::new();
        let routed = router.chat(&Request::default(), &mut |p| pieces.push(format!("{p:?}")), &GO).unwrap();
        assert_eq!((counts(&asked), routed.notes.len()), (expected, 1));
        assert_eq!(
            pieces,
            vec!["Again"; expected[0]],
            "whatever was told is void each time somebody begins anew"
        );
    }
}

#[test]
fn a_provider_that_answers_no_is_healthy() {
    for outcome in [rejected as Outcome, refused] {
        let (router, asked, _) = timed([outcome, fine]);
        for n in 1..4 {
            assert!(router.chat(&Request::default(), &mut |_| {}, &GO).is_err());
            assert_eq!(counts(&asked), [n, 0]);
        }
    }
}

#[test]
fn a_person_may_prefer_what_the_configuration_lists_and_nothing_else() {
    let (router, _) = router([fine, fine], &[("extract", "a")]);
    let ask = |task: &str| {
        let request =
            Request { metadata: [(crate::TASK.to_owned(), task.to_owned())].into(), ..Request::default() };
        let response = router.chat(&request, &mut |_| {}, &GO).unwrap().response;
        (response.provider, response.model)
    };
    let told = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    router.prefer(Some("b"), Some("large")).unwrap();
    assert_eq!(ask("chat"), told("b", "large"));
    assert_eq!(ask("extract"), told("a", ""), "what was configured for a task stays");
    assert!(router.status()[1].preferred && router.status()[1].model == "large");
    for (provider, model, part) in [
        (Some("c"), None, "there is no provider `c`; configured: a b"),
        (Some("a"), Some("large"), "no model `large` (provider: a); listed: usual"),
        (None, Some("huge"), "no model `huge` (provider: any); listed: usual usual large"),
    ] {
        let error = router.prefer(provider, model).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        assert_eq!(ask("chat"), told("b", "large"), "a refused wish changes nothing");
    }
    router.prefer(None, Some("usual")).unwrap();
    assert_eq!(ask("chat"), told("a", "usual"));
    router.prefer(None, Some("large")).unwrap();
    assert_eq!(ask("chat"), told("b", "large"));
    router.prefer(None, None).unwrap();
    assert_eq!(ask("chat"), told("a", ""));
    assert!(!router.status()[1].preferred);
}

/// A request with a picture, and three providers of which some take pictures: who was asked how often, and what came of it.
fn pictured(
    outcomes: [Outcome; 3],
    images: [bool; 3],
) -> ([usize; 3], Result<Routed, ModelError>, Result<Routed, ModelError>) {
    let asked: [Arc<AtomicUsize>; 3] = Default::default();
    let mut providers = vec![];
    for (n, name) in ["a", "b", "c"].into_iter().enumerate() {
        providers.push(seeing(name, outcomes[n], &asked[n], images[n]));
    }
    let router = Router::new(providers, BTreeMap::new());
    let picture = Attachment::beside(&[], "cat.png", b"\x89PNG\r\n\x1a\n".to_vec()).unwrap();
    let message = Message { attachments: vec![picture], ..Message::user("what is this?") };
    let request = Request { messages: vec![message, Message::user("and this?")], ..Request::default() };
    let came = router.chat(&request, &mut |_| {}, &GO);
    let named = router.chat_with("a", &request, &mut |_| {}, &GO);
    (asked.map(|asked| asked.load(Ordering::Relaxed)), came, named)
}

#[test]
fn pictures_go_only_to_providers_that_take_them_also_after_a_failure() {
    let (asked, came, named) = pictured([fine, fine, fine], [false, true, true]);
    assert_eq!((asked, came.unwrap().response.provider.as_str()), ([0, 1, 0], "b"));
    assert_eq!(named, Err(ModelError::NoImages { provider: "a".to_owned() }));
    let (asked, came, _) = pictured([fine, down, fine], [false, true, true]);
    assert_eq!((asked, came.unwrap().response.provider.as_str()), ([0, 1, 1], "c"));
    let (asked, came, _) = pictured([fine, down, fine], [false, true, false]);
    assert_eq!(asked, [0, 1, 0], "who takes none gets none where all others fail");
    assert!(matches!(came, Err(ModelError::Network { provider, .. }) if provider == "b"));
}

#[test]
fn where_no_provider_takes_pictures_the_error_names_the_key() {
    let (asked, came, _) = pictured([fine, fine, fine], [false; 3]);
    assert_eq!(asked, [0; 3]);
    let error = came.unwrap_err();
    assert_eq!(error, ModelError::NoImages { provider: "a".to_owned() });
    assert!(error.to_string().contains("`images: true`") && !error.falls_back(), "{error}");
}
