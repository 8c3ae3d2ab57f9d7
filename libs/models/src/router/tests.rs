use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::*;
use crate::provider::Kind;

struct Scripted {
    name: &'static str,
    outcome: fn(String) -> Result<Response, ModelError>,
    asked: Arc<AtomicUsize>,
}

impl Provider for Scripted {
    fn name(&self) -> &str {
        self.name
    }
    fn kind(&self) -> Kind {
        Kind::Mock
    }
    fn chat(&self, request: &Request, _: &mut Watch<'_>, _: &AtomicBool) -> Result<Response, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut response = (self.outcome)(self.name.to_owned())?;
        response.model = request.model.clone().unwrap_or_default();
        Ok(response)
    }
}

type Outcome = fn(String) -> Result<Response, ModelError>;

fn router(outcomes: [Outcome; 2], tasks: &[(&str, &str)]) -> (Router, [Arc<AtomicUsize>; 2]) {
    let asked = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let [a, b] = outcomes;
    let providers: Vec<Box<dyn Provider>> = vec![
        Box::new(Scripted { name: "a", outcome: a, asked: asked[0].clone() }),
        Box::new(Scripted { name: "b", outcome: b, asked: asked[1].clone() }),
    ];
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
