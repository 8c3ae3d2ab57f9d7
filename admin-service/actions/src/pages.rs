//! What a person sees of an action: what this program established, and apart from that what the assistant says.

use base::error::Error;
use base::home::Home;
use ledger::action_ticket::ActionTicket;
use ledger::judgement::Judged;
use review::pages::line::{Line, Origin, Page, Tone};
use shared_types::action::Action;
use shared_types::risk::Risk;
use shared_types::status::Status;
use shared_types::text::line;

use super::keep;
use super::plan::{Plan, quoted};
use super::programs::SEARCHED;

/// The pages of an action.
///
/// # Errors
/// A result that is gone, or that is not what was kept.
pub fn pages(home: &Home, case: &ActionTicket, alike: usize) -> Result<Vec<Page>, Error> {
    let mut pages = vec![action(case, alike), words(case), judgement(case.judged())];
    if let Some(kept) = case.result() {
        pages.push(result(&keep::get(home, case.id(), kept)?));
    }
    pages.push(history(case));
    Ok(pages)
}

fn action(case: &ActionTicket, alike: usize) -> Page {
    let mut page =
        Page::new("action", "ACTION (as this program read it; only what stands here is ever done)");
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    add(Tone::Plain, "profile", case.taken().profile.as_str());
    if alike > 0 {
        add(Tone::Caution, "also asked", &format!("{alike} more times; a no is for all, a yes for this one"));
    }
    match case.action() {
        Some(Action::Shell { line, stdin, timeout_s, network }) => {
            match Plan::read(line) {
                Ok(plan) => {
                    for (at, shown) in plan.shown().iter().enumerate() {
                        add(Tone::Strong, if at == 0 { "RUNS" } else { "" }, shown);
                    }
                }
                Err(why) => add(Tone::Bad, "not read", &why.to_string()),
            }
            if !stdin.is_empty() {
                add(Tone::Strong, "input", &quoted(stdin));
            }
            let (tone, words) = match network {
                true => (Tone::Bad, "YES: any host, this machine and the local network included"),
                false => (Tone::Good, "none"),
            };
            add(tone, "network", words);
            add(Tone::Plain, "time", &format!("at most {timeout_s} s"));
            add(
                Tone::Plain,
                "reads",
                "the profile's workspace, in which it starts, and the system's programs",
            );
            add(Tone::Plain, "writes", "its own run folder; nothing else, the workspace neither");
            add(Tone::Quiet, "programs", &format!("from {}", SEARCHED.join(" ")));
        }
        Some(Action::Permit { tool, args, risk, .. }) => {
            add(Tone::Strong, "CALL", &quoted(tool));
            add(Tone::Strong, "with", &quoted(&args.to_string()));
            add(Tone::Plain, "risk", &format!("{risk}, by the assistant's own judgement"));
            add(Tone::Plain, "a yes", "lets the assistant make this one call; nothing is run here");
        }
        Some(Action::Plugin { plugin, tool, args, .. }) => {
            add(Tone::Strong, "CALL", &format!("{plugin}.{tool}"));
            add(Tone::Strong, "with", &quoted(&args.to_string()));
        }
        None => add(Tone::Bad, "nothing", "there is no action in it"),
    }
    page
}

fn judgement(judged: &Judged) -> Page {
    let mut page = Page::new("judgement", "JUDGEMENT (by this program's policy and the profile's file)");
    let tone = |risk| match risk {
        Risk::Low => Tone::Good,
        Risk::Medium => Tone::Caution,
        Risk::High | Risk::Blocked => Tone::Bad,
    };
    page.add(Origin::Facts, tone(judged.risk), "risk", judged.risk.as_str());
    page.add(Origin::Facts, Tone::Plain, "rule", &judged.rule);
    page.add(Origin::Facts, Tone::Plain, "why", &line(&judged.why));
    for part in &judged.parts {
        let words = format!("{}: {} [{}]", part.risk, part.shown, part.rule);
        page.add(Origin::Facts, tone(part.risk), "part", &words);
    }
    page
}

fn words(case: &ActionTicket) -> Page {
    let proposal = &case.taken().proposal;
    let mut page = Page::new("words", "WORDS (written by the assistant and the person; not checked)");
    let mut add = |label: &str, text: &str| page.add(Origin::Words, Tone::Plain, label, text);
    add("description", &proposal.description);
    add("asked with", &proposal.user_context);
    add("because", &proposal.rationale);
    if let Some(Action::Permit { reason, .. }) = case.action() {
        add("reason", reason);
    }
    page
}

fn result(result: &shared_types::action::ActionResult) -> Page {
    let mut page = Page::new("result", "RESULT (what the programs wrote; not checked)");
    let ended = match (&result.ended, result.exit) {
        (Some(ended), _) => ended.clone(),
        (None, code) => format!("exit code {}", code.unwrap_or_default()),
    };
    page.add(Origin::Facts, Tone::Strong, "ended", &format!("{ended}, after {} ms", result.ms));
    if result.cut {
        page.add(Origin::Facts, Tone::Caution, "cut", "one of the two was longer than what is kept");
    }
    for reached in &result.network {
        page.add(Origin::Facts, Tone::Plain, "network", &reached.to_string());
        if let Some(why) = &reached.refused {
            page.add(Origin::Facts, Tone::Caution, "refused", &line(why));
        }
    }
    page.add(Origin::Words, Tone::Plain, "output", &result.stdout);
    page.add(Origin::Words, Tone::Plain, "errors", &result.stderr);
    page
}

fn history(case: &ActionTicket) -> Page {
    let mut page = Page::new("history", "HISTORY");
    for step in case.history() {
        let head = format!("{}  {:14}  {}", step.timestamp, step.status.as_str(), step.actor);
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &head));
        if let Some(reason) = &step.reason {
            page.lines.push(Line::new(Origin::Words, Tone::Plain, &format!("    {}", line(reason))));
        }
    }
    if case.status() == Status::Accepted && case.started() && case.result().is_none() {
        page.lines.push(Line::new(Origin::Facts, Tone::Caution, "it runs now"));
    }
    page
}
