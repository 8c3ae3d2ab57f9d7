//! The decision: how this approver says yes, a no, a note, and a call of a tool.

use api::page::{Shown, Why, Yes};
use maud::{Markup, html};
use review::pages::summary::whom;
use serde_json::{Map, Value};
use shared_types::id::Digest;
use shared_types::text::{block, line};

use super::visitor::address;
use super::words::Words;

/// The page that an action has, and no package of a skill.
pub(super) const ACTION: &str = "action";
/// The page of what people left for each other, which is open as well.
pub(super) const NOTES: &str = "notes";

/// The decision, and beside it the place where the script says what came of it.
pub(super) fn card(words: &Words, shown: &Shown) -> Markup {
    html! {
        div id="result" role="status" tabindex="-1" {}
        section class="card decision" id="decision" aria-labelledby="decide" {
            h2 id="decide" { (words.decision) }
            @if has(shown, NOTES) {
                p { a href={ "#page-" (NOTES) } { (words.notes_first) } }
            }
            (yes(words, shown))
            // What is settled takes no further answer.
            @if !shown.item.status.is_settled() { (no(words, shown)) }
            // An action has no notes.
            @if !has(shown, ACTION) { (note(words, shown)) }
            @if !shown.tools.is_empty() { (tries(words, shown)) }
        }
    }
}

fn has(shown: &Shown, title: &str) -> bool {
    shown.pages.iter().any(|page| page.title == title)
}

/// How a yes is said, where one is taken.
fn yes(words: &Words, shown: &Shown) -> Markup {
    let approve = || format!("cl-admin approve {} --approver {}", shown.item.id, shown.holds.approver);
    html! {
        @match &shown.yes {
            Yes::NotNow => p { (words.not_now) },
            _ if shown.holds.stopped.is_some() => p { (words.no_yes_while_stopped) },
            Yes::There { origin, seen } => (signing(words, shown, origin, seen, &approve())),
            Yes::Elsewhere { seen } => {
                p { (words.elsewhere) }
                (command(&approve()))
                p {
                    (words.elsewhere_look) " "
                    a href={ (address(&shown.item.id)) "/request?seen=" (seen) } download="request.json" {
                        (words.download)
                    }
                }
            },
            Yes::AtTheMachine { why, command: line } => {
                p { (reason(words, *why)) }
                (command(line))
            },
        }
    }
}

fn reason(words: &Words, why: Why) -> &'static str {
    match why {
        Why::KeyIsThere => words.key_is_there,
        Why::NeedsCode => words.needs_code,
        Why::Gate => words.gate,
    }
}

fn command(line: &str) -> Markup {
    html! { code class="command" { (block(line)) } }
}

/// The way to the signing page, which the script goes; without it, there is the command.
fn signing(words: &Words, shown: &Shown, origin: &str, seen: &Digest, approve: &str) -> Markup {
    let origin = line(origin);
    html! {
        div id="signing" hidden data-origin=(origin) data-item=(address(&shown.item.id)) data-seen=(seen)
            data-preparing=(words.preparing) data-look=(words.look_there) data-sending=(words.sending)
            data-blocked=(words.blocked) data-silent=(words.silent(&origin)) data-closed=(words.closed)
            data-broken=(words.broken) data-back=(words.back) {
            @if !shown.choices.is_empty() { (choices(words, shown)) }
            button type="button" id="sign" class="large" aria-describedby="origin" { (words.sign) }
            p class="hint" id="origin" { (words.sign_hint) " " bdi { (origin) } }
        }
        div id="unscripted" {
            p { (words.unscripted) }
            (command(approve))
        }
        p id="doing" role="status" {}
        div id="problem" class="problem" role="alert" {}
    }
}

/// To whom a yes gives the skill.
fn choices(words: &Words, shown: &Shown) -> Markup {
    let spoken = review::words::Words::of(words.code);
    html! {
        label for="to" { (words.goes_to) }
        select id="to" name="to" {
            @for choice in &shown.choices {
                option value=(choice) selected[*choice == shown.recipients] { (whom(spoken, choice)) }
            }
        }
    }
}

fn no(words: &Words, shown: &Shown) -> Markup {
    html! {
        form method="post" action={ (address(&shown.item.id)) "/reject" } {
            label for="reason" { (words.reason) }
            textarea id="reason" name="reason" required rows="2" {}
            button type="submit" class="quiet" { (words.reject) }
        }
    }
}

fn note(words: &Words, shown: &Shown) -> Markup {
    html! {
        details {
            summary { h3 { (words.leave_note) } }
            form method="post" action={ (address(&shown.item.id)) "/note" } {
                label for="note" { (words.note) }
                textarea id="note" name="text" required maxlength="2000" rows="2" {}
                button type="submit" class="quiet" { (words.keep_note) }
            }
        }
    }
}

/// A call by hand for each tool, with a place for each of its parameters.
fn tries(words: &Words, shown: &Shown) -> Markup {
    html! {
        details {
            summary { h3 { (words.try_it) } }
            p class="hint" { (words.tried_hint) }
            @for (at, (tool, parameters)) in shown.tools.iter().enumerate() {
                form method="post" action={ (address(&shown.item.id)) "/try" } {
                    input type="hidden" name="tool" value=(tool);
                    label for={ "args-" (at) } {
                        (words.arguments(&line(tool), &line(&parameters.join(", "))))
                    }
                    textarea id={ "args-" (at) } name="args" class="typed" rows="2" spellcheck="false"
                        autocapitalize="none" { (block(&example(parameters))) }
                    button type="submit" class="quiet" { (words.call(&line(tool))) }
                }
            }
        }
    }
}

/// A JSON object with an empty text for each parameter.
fn example(parameters: &[String]) -> String {
    let empty = |name: &String| (name.clone(), Value::from(""));
    serde_json::to_string_pretty(&Value::from(parameters.iter().map(empty).collect::<Map<_, _>>()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
