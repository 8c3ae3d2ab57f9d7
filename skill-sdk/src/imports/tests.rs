use super::*;

#[test]
fn outside_the_agent_every_call_fails_without_a_panic() {
    host::log("nobody listens");
    let why = host::random_u64().unwrap_err();
    assert_eq!(why, HostError::new("`random` works inside the agent only"));
    assert!(host::today().is_err());
    assert!(ask("?").is_err() && say("!").is_err());
    assert!(memory::query("").is_err() && memory::store("a", "b").is_err() && memory::remove("a").is_err());
    assert!(llm::chat("hi").is_err());
    assert!(files::list("").is_err() && files::read("a").is_err() && files::write("a", "b").is_err());
    assert!(http::get("u", &[]).is_err() && http::post("u", &[("a", "b")], "c").is_err());
    assert!(events::dispatch("a.b", Value::Null).is_err());
}

#[test]
fn an_empty_range_has_no_random_number() {
    assert!(host::random_below(0).is_err());
    assert!(host::random_between(2, 1).is_err());
    assert!(host::pick::<u8>(&[]).is_err());
}

#[test]
fn text_is_encoded_for_a_url() {
    assert_eq!(http::encode("a b&c/ü-_.~9"), "a%20b%26c%2F%C3%BC-_.~9");
}

#[test]
fn only_a_successful_answer_gives_its_body() {
    let response = |status| http::Response { status, body: "b".into() };
    assert_eq!(response(204).ok(), Ok("b".into()));
    assert_eq!(response(404).ok(), Err(HostError::new("the server answered with status 404")));
}
