//! The review in line mode: one package at a time, plain text, every answer typed.
//!
//! It has the powers of the full screen, for pipes, dumb terminals and screen readers. Nothing is cut, an empty line decides
//! nothing, a yes is asked for twice, and what was typed before a package was shown does not count for it.

mod words;

use std::borrow::Cow;
use std::io::{BufRead, IsTerminal, Write};

use api::DEFAULT_DAYS;
use base::error::Error;
use review::ahead;
use review::ask::{self, Source};
use review::decision::is_reason;
use review::queue::{DECISIVE, Package};
use review::tryout;
use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait};

use super::desk::Desk;
use super::{editor, yes};
use words::{Order, help, order};

/// What an answer did with the package in hand.
enum After {
    /// It is decided, or may continue.
    Decided,
    /// It changed, and is shown again if it still waits.
    Changed,
    /// It stays as it is, and the question is asked again.
    Again,
    /// It is left waiting.
    Left,
    /// The review ends.
    Quit,
}

/// Shows everything that waits for a person, in order, and takes the answers; answers how many were decided.
///
/// Each yes asks for the approver's passphrase anew: a person who sits down at a review that was left open decides nothing.
///
/// # Errors
/// What cannot be read or written; a refused decision is reported and the review continues.
pub fn review(
    desk: Desk,
    passphrase: &Source,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<usize, Error> {
    let mut console = Console { desk, passphrase, input, output, opened: vec![] };
    let (mut decided, mut left) = (0, vec![]);
    while let Some(mut package) = console.next(&left)? {
        match console.one(&mut package)? {
            After::Decided => decided += 1,
            After::Left => left.push(package.item.id),
            After::Changed | After::Again => {}
            After::Quit => return Ok(decided),
        }
    }
    console.farewell(decided, left.len())?;
    Ok(decided)
}

struct Console<'a> {
    desk: Desk,
    passphrase: &'a Source,
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// The pages of the package in hand that were shown.
    opened: Vec<Cow<'static, str>>,
}

impl Console<'_> {
    /// The next package that waits for a person, shown with all that a decision rests on.
    fn next(&mut self, left: &[ProposalId]) -> Result<Option<Package>, Error> {
        let mut waiting = self.desk.queue()?;
        waiting.retain(|item| item.waits_for == Some(Wait::Person) && !left.contains(&item.id));
        let Some(first) = waiting.first() else { return Ok(None) };
        let package = self.desk.package(&first.id)?;
        let words = self.desk.words();
        let head = words.fill("waiting", &[("count", &waiting.len().to_string())]);
        self.say(&format!("\n{head}\n{}", package.text(words, &DECISIVE, columns())))?;
        ahead::forget_typed_ahead();
        self.opened = DECISIVE.map(Cow::Borrowed).to_vec();
        Ok(Some(package))
    }

    /// Takes answers about one package until one settles what happens with it.
    fn one(&mut self, package: &mut Package) -> Result<After, Error> {
        let words = self.desk.words();
        loop {
            let prompt = match package {
                Package { asked: Some(_), .. } => words.say("prompt-action"),
                Package { seen: Some(_), .. } => words.say("prompt"),
                _ => words.say("prompt-gate"),
            };
            let Some(line) = self.ask(prompt)? else { return Ok(After::Quit) };
            let after = match order(&line) {
                Order::Approve => self.approve(package, None)?,
                Order::Always(days) if package.asked.is_some() => {
                    self.approve(package, Some(days.unwrap_or(DEFAULT_DAYS)))?
                }
                Order::Always(_) => self.again(words.say("only-actions"))?,
                Order::For(who) if package.seen.is_some() => self.for_whom(package, &who)?,
                Order::For(_) => self.again(words.say("only-skills"))?,
                Order::Reject(reason) => self.reject(package, reason)?,
                Order::View(page) => self.view(package, page)?,
                Order::Edit(file) => self.edit(package, file)?,
                Order::Try(rest) => self.try_tool(package, rest)?,
                Order::Note(text) => self.note(package, text)?,
                Order::Next => After::Left,
                Order::Quit => After::Quit,
                Order::Help => self.again(&help(words, package))?,
                Order::Nothing => self.again(words.say("empty-line"))?,
                Order::Unknown(word) => self.again(&words.fill("unknown", &[("word", &word)]))?,
            };
            if !matches!(after, After::Again) {
                return Ok(after);
            }
        }
    }

    fn for_whom(&mut self, package: &mut Package, who: &str) -> Result<After, Error> {
        let chosen = who.parse().map_err(Error::usage);
        match chosen.and_then(|chosen| self.desk.for_whom(package.clone(), chosen)) {
            Ok(chosen) => {
                *package = chosen;
                let words = self.desk.words();
                self.again(&words.fill("yes-gives", &[("whom", &package.recipients.to_string())]))
            }
            Err(error) => self.again(&error.to_string()),
        }
    }

    fn approve(&mut self, package: &Package, always: Option<u16>) -> Result<After, Error> {
        let words = self.desk.words();
        if !self.is_sure(package)? {
            return self.again(words.say("not-sure"));
        }
        let answer = if !package.is_decidable() {
            self.desk.open_gate(&package.item.id)
        } else {
            let needs = self.desk.needs_here();
            let proof = needs.and_then(|needs| {
                ask::proof(self.desk.home(), needs, self.desk.approver(), self.passphrase, None)
            });
            proof.and_then(|proof| match always {
                Some(_) => self.desk.allow(package, &proof, always),
                None => self.desk.approve(package, &proof),
            })
        };
        let error = match answer {
            Ok(done) => {
                self.say(&done)?;
                return Ok(After::Decided);
            }
            Err(error) => error,
        };
        self.say(&words.fill("not-approved", &[("why", &error.to_string())]))?;
        // What is not what was shown any more is shown as it is now; a slip of the finger may be put right; a file or a
        // missing terminal stays what it is.
        match self.desk.package(&package.item.id) {
            Ok(now) if (&now.seen, &now.asked) != (&package.seen, &package.asked) => Ok(After::Changed),
            _ if self.person_types() => Ok(After::Again),
            _ => Ok(After::Left),
        }
    }

    /// Asks once more, with what a yes comes to and which pages were not opened; what was typed before that does not count.
    fn is_sure(&mut self, package: &Package) -> Result<bool, Error> {
        let words = self.desk.words();
        let unread: Vec<String> = package
            .pages
            .iter()
            .filter(|page| !self.opened.contains(&page.title))
            .map(|page| yes::not_opened(words, &page.title))
            .collect();
        let page = match package {
            Package { asked: Some(_), .. } => Ok(yes::action(words, package, &unread)),
            Package { seen: Some(_), .. } => self
                .desk
                .report(package)
                .map(|report| yes::skill(words, &report, Some(&package.recipients), &unread)),
            _ => Ok(yes::gate(words, package, &unread)),
        };
        match page {
            Ok(page) => self.say(&format!("\n{}", page.text(columns())))?,
            Err(error) => {
                self.say(&error.to_string())?;
                return Ok(false);
            }
        }
        ahead::forget_typed_ahead();
        let answer = self.ask(words.say("sure"))?.unwrap_or_default();
        Ok(words.is_yes(&answer))
    }

    /// Whether a secret is typed by a person, who can try again.
    fn person_types(&self) -> bool {
        self.passphrase.file.is_none() && std::io::stdin().is_terminal()
    }

    fn reject(&mut self, package: &Package, reason: Option<String>) -> Result<After, Error> {
        let words = self.desk.words();
        let reason = match reason {
            Some(reason) => Some(reason),
            None => self.ask(words.say("reason-asked"))?,
        };
        let Some(reason) = reason.filter(|r| is_reason(r)) else {
            return self.again(words.say("reason-missing"));
        };
        match self.desk.reject(&package.item.id, &reason) {
            Ok(done) => {
                self.say(&done)?;
                Ok(After::Decided)
            }
            Err(error) => {
                self.say(&words.fill("not-rejected", &[("why", &error.to_string())]))?;
                Ok(After::Changed)
            }
        }
    }

    fn view(&mut self, package: &Package, page: Option<String>) -> Result<After, Error> {
        let wanted = page.unwrap_or_else(|| "source".to_owned());
        let found = package.pages.iter().find(|p| p.title.eq_ignore_ascii_case(&wanted));
        match found {
            Some(page) => {
                self.opened.push(page.title.clone());
                self.again(&page.text(columns()))
            }
            None => {
                let there: Vec<&str> = package.pages.iter().map(|p| p.title.as_ref()).collect();
                let wanted = shared_types::text::cut(&wanted, 30);
                let words = self.desk.words();
                self.again(&words.fill("no-page", &[("page", &wanted), ("pages", &there.join(", "))]))
            }
        }
    }

    fn edit(&mut self, package: &Package, file: Option<String>) -> Result<After, Error> {
        let words = self.desk.words();
        let source = match &file {
            Some(file) => editor::read(file.as_ref()).map(Some),
            None => {
                self.desk.source(&package.item.id).and_then(|before| editor::edit(self.desk.home(), &before))
            }
        };
        let done = match source {
            Ok(Some(source)) => self.desk.edit(package, &source),
            Ok(None) => return self.again(words.say("unchanged")),
            Err(error) => Err(error),
        };
        match done {
            Ok(done) => {
                self.say(&done)?;
                Ok(After::Changed)
            }
            Err(error) => self.again(&words.fill("not-edited", &[("why", &error.to_string())])),
        }
    }

    fn try_tool(&mut self, package: &Package, rest: Option<String>) -> Result<After, Error> {
        let words = self.desk.words();
        let (mut tool, mut args) = (None, None);
        if let Some(rest) = rest {
            let (first, json) = rest.split_once(char::is_whitespace).unwrap_or((&rest, ""));
            tool = Some(first.to_owned());
            args = Some(json.trim().to_owned()).filter(|json| !json.is_empty());
        }
        let tool = match (tool, package.tools.as_slice()) {
            (Some(tool), _) => tool,
            (None, []) => return self.again(words.say("no-tool")),
            (None, [(only, _)]) => only.clone(),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
                let Some(tool) = self.ask(&words.fill("which-tool", &[("tools", &names.join(", "))]))? else {
                    return Ok(After::Quit);
                };
                tool
            }
        };
        let args = match args {
            Some(args) => args,
            None => {
                let parameters =
                    package.tools.iter().find(|(name, _)| *name == tool).map(|(_, p)| p.join(", "));
                let takes =
                    parameters.filter(|p| !p.is_empty()).unwrap_or_else(|| words.say("nothing").to_owned());
                let Some(args) =
                    self.ask(&words.fill("arguments", &[("tool", &tool), ("parameters", &takes)]))?
                else {
                    return Ok(After::Quit);
                };
                if args.is_empty() { "{}".to_owned() } else { args }
            }
        };
        match self.desk.try_tool(package, &tool, &args) {
            Ok(run) => self.again(&tryout::words(&run)),
            Err(error) => self.again(&words.fill("not-tried", &[("why", &error.to_string())])),
        }
    }

    fn note(&mut self, package: &Package, text: Option<String>) -> Result<After, Error> {
        let words = self.desk.words();
        let text = match text {
            Some(text) => text,
            None => self.ask(words.say("note-asked"))?.unwrap_or_default(),
        };
        match self.desk.note(&package.item.id, &text) {
            Ok(done) => self.again(&done),
            Err(error) => self.again(&words.fill("not-kept", &[("why", &error.to_string())])),
        }
    }

    /// Reports what is left and what is still being prepared, so that nobody takes the queue for empty too early.
    fn farewell(&mut self, decided: usize, left: usize) -> Result<(), Error> {
        let words = self.desk.words();
        let said = match (decided, left) {
            (0, 0) => words.say("none-waits").to_owned(),
            (_, 0) => words.say("none-else-waits").to_owned(),
            (_, n) => words.fill("left-waiting", &[("count", &n.to_string())]),
        };
        self.say(&said)?;
        for item in self.desk.queue()? {
            if item.waits_for == Some(Wait::Person) || item.status == Status::HumanReview {
                continue;
            }
            let facts = [("name", item.name.as_str()), ("status", item.status.as_str())];
            let said = match item.waits_for {
                None => words.fill("not-ready-works", &facts),
                Some(wait) => {
                    words.fill("not-ready-waits", &[facts.as_slice(), &[("wait", wait.as_str())]].concat())
                }
            };
            self.say(&said)?;
        }
        Ok(())
    }

    fn again(&mut self, words: &str) -> Result<After, Error> {
        self.say(words)?;
        Ok(After::Again)
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Error> {
        ask_line(self.input, self.output, &fitted(prompt, columns()))
    }

    fn say(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.output, "{}", text.trim_end())
            .and_then(|()| self.output.flush())
            .map_err(Error::step("the terminal"))
    }
}

/// One trimmed line, or nothing at the end of the input.
///
/// # Errors
/// A terminal that fails.
pub fn ask_line(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    prompt: &str,
) -> Result<Option<String>, Error> {
    let trouble = |e: std::io::Error| Error::step("the terminal")(e);
    write!(output, "{prompt}").and_then(|()| output.flush()).map_err(trouble)?;
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
        Err(e) => Err(trouble(e)),
    }
}

/// A question wrapped to this many columns, between words; the cursor stands behind its last blank.
fn fitted(prompt: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return prompt.to_owned() };
    let (mut rows, mut width) = (String::new(), 0);
    for word in prompt.split_inclusive(' ') {
        if width > 0 && width + word.trim_end().chars().count() >= columns {
            rows.truncate(rows.trim_end().len());
            rows.push('\n');
            width = 0;
        }
        rows.push_str(word);
        width += word.chars().count();
    }
    rows
}

/// The width of the terminal that the lines go to; nothing where they go elsewhere.
pub fn columns() -> Option<usize> {
    let output = std::io::stdout();
    let columns = || usize::from(confine::terminal::size(&output).1);
    output.is_terminal().then(columns).filter(|columns| *columns > 0)
}
