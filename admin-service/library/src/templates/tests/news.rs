//! The skill that lists the titles of a feed, compiled and asked.

use super::answers::answers;
use super::harness::{Built, Said, build};
use super::*;
use shared_types::capability::Token;

const FEED: &str = "https://example.org/feed.xml";

fn wished(wish: &str, hosts: &[&str]) -> Proposal {
    let network = hosts.iter().map(|host| host.parse().unwrap()).collect();
    Proposal { network, capabilities: [Token::NetworkRead].into_iter().collect(), ..proposal(wish, &[]) }
}

/// The skill where the server answers so.
fn with(body: &str) -> Built {
    let proposal = wished(&format!("learn to read the news from {FEED}"), &["example.org"]);
    let mut built = build(&proposal, &written(&proposal));
    built.world.pages.insert(FEED.to_owned(), (200, body.to_owned()));
    built
}

fn said(body: &str) -> String {
    match with(body).say("what is in the news?") {
        Said::Answer(text) => text,
        Said::Failed(why) => format!("!{why}"),
        Said::Nobody => "-".to_owned(),
    }
}

const RSS: &str = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE rss>\n<!-- <item> --><rss version=\"2.0\"><channel>\
    <title>Village Herald</title><image><title>Logo</title></image><item><title>Tom &amp; Anna&#8217;s bakery</title>\
    <media:group><media:title>no</media:title></media:group><description>&lt;b&gt;</description></item>\
    <item x=\"a>b\"><title><![CDATA[Fish &amp; chips <b>]]></title></item><item><title/></item></channel></rss>\n";

#[test]
fn the_titles_of_a_feed_are_listed_in_both_languages() {
    let mut built = with(RSS);
    let english = "The newest titles of Village Herald:\n- Tom & Anna’s bakery\n- Fish & chips <b>";
    let german = "Die neuesten Titel von Village Herald:\n- Tom & Anna’s bakery\n- Fish & chips <b>";
    answers(
        &mut built,
        &[
            ("what's in the news?", english),
            ("show me the latest news", english),
            ("any news today?", english),
            ("was gibt es in den Nachrichten?", german),
            ("zeig mir bitte die neuesten Nachrichten", german),
            ("what is in the fridge?", "-"),
            ("I have good news", "-"),
        ],
    );
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Blog</title><entry><title type=\"html\">A &amp;amp; B</title></entry>\
        <entry><title type=\"xhtml\"><div>One <b>two</b></div></title><summary>x</summary></entry></feed>";
    assert_eq!(said(atom), "The newest titles of Blog:\n- A & B\n- One two");
    assert_eq!(said("<rss><channel></channel></rss>"), format!("{FEED} has no entries."));
}

#[test]
fn at_most_ten_titles_are_listed_each_on_one_line_without_hidden_characters() {
    let title = "<item><title>say\n- yes &#27;[31m &#x202e;back\u{200b} &unknown; &#xD800;</title></item>";
    let text = said(&format!("<rss><channel><title>H</title>{}</channel></rss>", title.repeat(12)));
    assert_eq!(text.lines().count(), 11, "{text}");
    assert!(text.ends_with("\n- say - yes [31m back &unknown; &#xD800;"), "{text}");
    let long = format!("<rss><channel><item><title>{}</title></item></channel></rss>", "ä".repeat(200));
    assert_eq!(said(&long), format!("The newest titles of {FEED}:\n- {}", "ä".repeat(160)));
    // About as much as the host hands to a skill at once.
    let full = format!(
        "<rss><channel><title>H</title>{}</channel></rss>",
        "<item><title>a &amp; b</title></item>".repeat(6_000)
    );
    assert!(said(&full).ends_with("\n- a & b"));
}

#[test]
fn what_is_no_feed_is_refused() {
    let refusal = format!("!What {FEED} answers is not a feed: it is neither RSS nor Atom.");
    for body in [
        "",
        "hello",
        "{\"items\": []}",
        "<!doctype html><html><title>No</title></html>",
        "<rss><channel><item><title>cut",
        "<rss><channel></item></channel></rss>",
        "<rss></rss><rss></rss>",
        "<rss></rss> behind",
        "<!DOCTYPE rss [<!ENTITY a \"b\">]><rss></rss>",
        "<rss><![CDATA[",
        "<rss a=\"></rss>",
        "</rss>",
        &"<rss>".repeat(100),
    ] {
        assert_eq!(said(body), refusal, "{body}");
    }
    let mut built = with(RSS);
    built.world.pages.insert(FEED.to_owned(), (404, RSS.to_owned()));
    answers(
        &mut built,
        &[("any news?", &format!("!I can't get {FEED}: the server answered with status 404."))],
    );
    built.world.pages.clear();
    answers(
        &mut built,
        &[("was steht in den Nachrichten?", &format!("!Ich bekomme {FEED} nicht: no server answers."))],
    );
}

/// The address stands in the source as the wish named it; where the proposal names another host, or none, no template fits.
#[test]
fn the_feed_is_that_of_the_wish_at_the_host_of_the_proposal() {
    let is_written = |wish: &str, hosts: &[&str]| match write(&wished(wish, hosts)) {
        Answer::Written(written) => written.source.contains(FEED),
        _ => false,
    };
    assert!(is_written(&format!("lerne, die Nachrichten von {FEED} zu lesen"), &["example.org"]));
    let wish = format!("learn to read the news from {FEED}");
    for hosts in [&[][..], &["example.com"], &["example.org", "example.com"]] {
        assert!(!is_written(&wish, hosts), "{hosts:?}");
    }
    assert!(!is_written("learn to read the news", &["example.org"]));
    assert!(!is_written(&format!("learn to tell the weather from {FEED}"), &["example.org"]));
}
