//! `cl-admin learn`

use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use api::Request;
use base::error::Error;
use base::home::Home;
use language::pairs;
use learner::{Learned, Pair, question};
use serde_json::json;
use service::session::submit;
use shared_types::id::{ProfileId, ProposalId, SkillName};
use shared_types::proposal::{Proposal, lesson};
use shared_types::text;

use crate::commands::out::outln;

/// Propose a skill that does what examples show, without any model; it is scanned, compiled and reviewed as any other.
///
/// A line of FILE is one example: `4 is IV`, `4 -> IV`, `4 = IV`, two columns with a tab, or a row of a table. Four examples are the
/// least. Where several rules fit, one more example is asked for; an answer is a line of stdin.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file of examples
    file: PathBuf,
    /// The skill's name [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    name: Option<SkillName>,
    /// What the skill does, in one sentence
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
    /// The profile that asks for it
    #[arg(long, value_name = "PROFILE", default_value = "default")]
    profile: ProfileId,
}

/// The largest file of examples, in bytes.
const MAX_BYTES: u64 = 64 * 1024;
/// The most questions that are asked.
const MOST_QUESTIONS: usize = 16;

/// Why nothing is learned from a file of examples.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} has more than {MAX_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error(
        "{}, line {line}: not an example; write `4 is IV`, `4 -> IV` or two columns with a tab between them",
        .path.display()
    )]
    NoPair { path: PathBuf, line: usize },
    #[error("{} holds no example; write one a line, such as `4 is IV`", .0.display())]
    Empty(PathBuf),
    #[error("the examples: {0}")]
    Examples(serde_json::Error),
}

/// Looks for the rule, asks what is open, and proposes the skill.
///
/// # Errors
/// A file that cannot be read or holds no examples, no rule for them, or a question that got no answer.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let mut pairs = read(&args.file)?;
    let mut asked = 0;
    loop {
        match learner::learn(&pairs, &AtomicBool::new(false)) {
            Learned::Rule(_) => break,
            Learned::Nothing(why) => return Err(Error::failed(why)),
            Learned::Question(input) => {
                let open = || Error::failed(text::line(&question(input.as_deref())));
                let input = input.as_deref().filter(|_| asked < MOST_QUESTIONS).ok_or_else(open)?;
                let output = ask(input)?.ok_or_else(open)?;
                pairs.push(Pair::new(input, &output));
                asked += 1;
            }
        }
    }
    let proposal = wish(args, &pairs)?;
    outln!("{}", submit(home, Request::Learn { proposal: Box::new(proposal) })?);
    Ok(shared_types::exit::DONE)
}

/// The examples of a file, each on a line; an empty line and one that begins with `#` are skipped.
fn read(path: &Path) -> Result<Vec<Pair>, Error> {
    let mut text = String::new();
    let mut file = File::open(path).map_err(Error::io(path))?.take(MAX_BYTES + 1);
    file.read_to_string(&mut text).map_err(Error::io(path))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Error::refused(Fault::TooLarge(path.to_owned())));
    }
    let mut found = Vec::new();
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    for (number, line) in lines {
        if line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ')) {
            // What stands above the rule of a table are the names of its columns.
            found.clear();
            continue;
        }
        let pairs = pairs::read_all(line);
        if pairs.is_empty() {
            return Err(Error::refused(Fault::NoPair { path: path.to_owned(), line: number + 1 }));
        }
        found.extend(pairs.iter().map(|(input, output)| Pair::new(input, output)));
    }
    if found.is_empty() {
        return Err(Error::refused(Fault::Empty(path.to_owned())));
    }
    Ok(found)
}

/// Asks what is right for an input; nothing where the line is empty, or the input of the program ends.
fn ask(input: &str) -> Result<Option<String>, Error> {
    let mut output = std::io::stderr().lock();
    // Where nobody reads the question, the end of the input says so.
    let _ = write!(output, "What is `{}`? ", text::line(input)).and_then(|()| output.flush());
    let mut line = String::new();
    let stdin = std::io::stdin().lock();
    stdin.take(MAX_BYTES).read_line(&mut line).map_err(Error::io("the input".as_ref()))?;
    if line.is_empty() {
        // The input has ended beside the question.
        let _ = writeln!(output);
    }
    Ok(Some(line.trim().to_owned()).filter(|line| !line.is_empty()))
}

/// The wish, with the examples as those of its one tool.
fn wish(args: &Args, pairs: &[Pair]) -> Result<Proposal, Error> {
    let name = match &args.name {
        Some(name) => name.clone(),
        None => language::draft(&args.file.file_stem().unwrap_or_default().to_string_lossy()).name,
    };
    let pairs: Vec<(String, String)> = pairs.iter().map(|p| (p.input.clone(), p.output.clone())).collect();
    let about = args.about.clone().unwrap_or_else(|| format!("Does what {} examples show", pairs.len()));
    let wish = json!({
        "id": ProposalId::generate(),
        "kind": "skill",
        "name": name,
        "description": about,
        "capabilities": [],
        "tools": lesson::tools(&pairs),
        "generated_by": "cl-admin learn",
        "profile_id": args.profile,
    });
    serde_json::from_value(wish).map_err(|why| Error::refused(Fault::Examples(why)))
}
