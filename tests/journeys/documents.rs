//! Every command and every example of the README and the guides is run as it stands there.
//!
//! A comment above a block names what is not run, and why: `<!-- not run: all: why -->`, or the beginning of a line in place
//! of `all`. Of those lines, and of every command within a sentence, the programs are asked for the help: it is refused
//! where a verb or an option is unknown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tameclaw_tests::mcp::{digest, python_is_missing};
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

/// A fenced block of a document.
struct Block {
    /// Where it begins, for messages.
    place: String,
    kind: String,
    text: String,
    /// Beginnings of lines that are not run, each with the reason.
    not_run: Vec<(String, String)>,
}

impl Block {
    fn is_run(&self) -> bool {
        self.not_run.iter().all(|(what, _)| what != "all")
    }

    /// The commands: a line each, `\` at its end takes the next one along.
    fn commands(&self) -> Vec<String> {
        let joined = self.text.replace("\\\n", " ");
        joined
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .collect()
    }
}

fn documents() -> Vec<PathBuf> {
    let guides = fs::read_dir(workspace().join("docs/guides")).expect("there are guides");
    let mut paths: Vec<PathBuf> = guides.map(|entry| entry.expect("a guide").path()).collect();
    let pages = [
        "CONTAINERS",
        "FAQ",
        "FIRST_EVENING",
        "IN_NEED",
        "INSTALL",
        "MODELS",
        "OPERATING",
        "PEOPLE",
        "RASPBERRY_PI",
        "RECOVERY",
        "RELEASE",
        "REVIEWING",
        "TROUBLESHOOTING",
        "USING",
    ];
    paths.extend(pages.map(|name| workspace().join(format!("docs/{name}.md"))));
    paths.push(workspace().join("README.md"));
    paths.sort();
    paths
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).expect("a document");
    let (mut blocks, mut not_run, mut open) = (Vec::new(), Vec::new(), None::<Block>);
    for (number, line) in text.lines().enumerate() {
        if let Some(block) = &mut open {
            match line {
                "```" => blocks.extend(open.take()),
                line => block.text.push_str(&format!("{line}\n")),
            }
        } else if let Some(kind) = line.strip_prefix("```") {
            let place = format!("{}:{}", path.display(), number + 1);
            let not_run = std::mem::take(&mut not_run);
            open = Some(Block { place, kind: kind.to_owned(), text: String::new(), not_run });
        } else if let Some(marker) = line.strip_prefix("<!-- not run: ") {
            let marker = marker.strip_suffix(" -->").expect("a marker is one line");
            let (what, why) = marker.split_once(": ").expect("a marker says what is not run, and why");
            not_run.push((what.to_owned(), why.to_owned()));
        } else {
            assert!(
                not_run.is_empty() || line.is_empty(),
                "{}:{}: a marker stands above its block",
                path.display(),
                number + 1
            );
        }
    }
    assert!(open.is_none() && not_run.is_empty(), "{}: every block and marker ends", path.display());
    blocks
}

fn of_kind(kind: &str) -> Vec<Block> {
    documents().iter().flat_map(|path| blocks(path)).filter(|block| block.kind == kind).collect()
}

/// Runs a line as a shell does, with both programs in its search path.
fn sh(world: &World, line: &str) -> Ran {
    let programs = Program::Bot.path().parent().expect("programs lie in a folder").to_owned();
    let mut command: Command = world.command_of(Path::new("sh"), &["-c", line]);
    let path = std::env::var("PATH").expect("there is a search path");
    command.env("PATH", format!("{}:{path}", programs.display()));
    run(command, b"", PATIENCE)
}

/// What a reader has in place when a block is typed: a home, the files that the block names, and a finished package.
fn reader() -> World {
    let world = World::new();
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(folder.join("sops/morning")).expect("a folder can be made");
    let workflow = toml().replace("briefing", "morning");
    for (path, text) in [
        (world.outside().join("question.txt"), "what time is it?"),
        (folder.join("a.txt"), "bread"),
        (folder.join("sops/morning/SOP.toml"), workflow.as_str()),
    ] {
        fs::write(path, text).expect("it can be written");
    }
    world
}

/// Writes the two files of the plugin that the guide goes through, as they stand there.
fn put_plugin(world: &World) {
    let folder = world.outside().join("longest-word");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let blocks = blocks(&workspace().join("docs/guides/write-a-plugin.md"));
    for (kind, name) in [("toml", "plugin.toml"), ("python", "find.py")] {
        let block = blocks.iter().find(|block| block.kind == kind).expect("the guide has the file");
        fs::write(folder.join(name), &block.text).expect("it can be written");
    }
}

/// The example of the guide about workflows.
fn toml() -> String {
    let mut blocks = blocks(&workspace().join("docs/guides/write-a-workflow.md"));
    blocks.retain(|block| block.kind == "toml");
    assert_eq!(blocks.len(), 1, "the guide has one example");
    blocks.remove(0).text
}

fn put_workflow(world: &World, name: &str) {
    let folder = world.home().profile(&world.profile()).join("workspace/sops").join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("SOP.toml"), toml()).expect("it can be written");
}

#[test]
fn every_block_of_commands_runs_as_it_stands_there() {
    if compiler_is_missing() {
        return;
    }
    let blocks = of_kind("sh");
    assert!(blocks.len() > 8, "only {} blocks are found", blocks.len());
    let mut count = 0;
    for block in blocks.iter().filter(|block| block.is_run()) {
        let world = reader();
        put_workflow(&world, "briefing");
        for line in block.commands() {
            let skipped = |(what, _): &(String, String)| line.trim_end().starts_with(what.as_str());
            if block.not_run.iter().any(skipped) {
                continue;
            }
            // The reader types the id that `cl-admin list` shows.
            let typed = match line.split(' ').any(|word| word == "ID") {
                true => line.replace(" ID ", &format!(" {} ", world.newest()["id"].as_str().expect("an id"))),
                false => line,
            };
            let ran = sh(&world, &typed);
            assert_eq!(ran.status, 0, "{}: {}", block.place, ran.report());
            count += 1;
        }
    }
    assert!(count > 15, "only {count} commands were run");
}

/// The lines about the plugin that the other test leaves out: the installation with a person's yes, a try, and a line of the chat.
#[test]
fn the_plugin_of_the_guide_answers_in_the_chat() {
    if python_is_missing() {
        return;
    }
    let world = World::new();
    put_plugin(&world);
    let blocks = of_kind("sh");
    let of_it = blocks.iter().filter(|block| !block.is_run() && block.text.contains("longest-word"));
    let lines: Vec<String> = of_it.flat_map(Block::commands).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    sh(&world, &lines[0]).done().prints("The longest word is bird");
    let page = sh(&world, &lines[1]).exited(3);
    sh(&world, &format!("{} --yes --digest {}", lines[1], digest(&page))).done();
    sh(&world, &lines[2]).done().prints("longest-word");
    sh(&world, &lines[3]).done().prints("The longest word is bird");
    let _service = world.start(Program::Admin, &["run"]);
    let spoken = blocks.iter().filter(|block| block.text.contains("find the longest word"));
    let spoken: Vec<String> = spoken.flat_map(Block::commands).collect();
    assert_eq!(spoken.len(), 1, "{spoken:?}");
    sh(&world, &spoken[0]).done().prints("The longest word is beautiful, with 9 letters.");
}

/// Each marker names a line that is there, so none outlives it.
#[test]
fn every_marker_names_a_line_of_its_block_and_says_why() {
    let mut markers = 0;
    for block in documents().iter().flat_map(|path| blocks(path)) {
        for (what, why) in &block.not_run {
            markers += 1;
            let there = what == "all" || block.commands().iter().any(|line| line.starts_with(what.as_str()));
            assert!(there && why.len() > 10, "{}: {what}: {why}", block.place);
        }
    }
    assert!(markers > 5, "only {markers} markers are found");
}

/// The commands of `cl-bot` and `cl-admin` in a text: the lines of a block, or what stands between backticks.
fn commands_in(text: &str) -> Vec<String> {
    let prose: Vec<&str> = text.split("```").step_by(2).collect();
    let inline =
        prose.iter().flat_map(|part| part.split('`').skip(1).step_by(2)).map(|code| code.replace('\n', " "));
    let fenced = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines =
        fenced.flat_map(|block| block.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>());
    let ours = |code: &String| ["cl-bot ", "cl-admin "].iter().any(|name| code.starts_with(name));
    inline.chain(lines).filter(ours).collect()
}

#[test]
fn every_verb_and_option_that_is_named_is_known() {
    let world = World::empty();
    let (mut count, mut unknown) = (0, Vec::new());
    for path in documents() {
        for code in commands_in(&fs::read_to_string(&path).expect("a document")) {
            // A user that each machine has. One spelling of those that a sentence offers (`add|remove`); no redirection, comment or second command.
            let command = code.replace("--user anna", "--user root").replace("--for WHO", "--for child");
            let command = command.split([';', '#', '<', '&']).next().unwrap_or_default().trim().to_owned();
            let words = command.split(' ').map(|word| match word.contains(['"', '\'', '{']) {
                true => word,
                false => word.split('|').next().unwrap_or_default().trim_matches(['[', ']']),
            });
            // A name in capital letters stands for one of the reader's own.
            let is_own = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
            let words =
                words.filter(|word| *word != "...").map(|word| if is_own(word) { "example" } else { word });
            let ran = sh(&world, &format!("{} --help", words.collect::<Vec<_>>().join(" ")));
            if ran.status != 0 {
                unknown.push(format!("{}: `{code}`: {}", path.display(), ran.stderr));
            }
            count += 1;
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(count > 60, "only {count} commands are found");
}

/// The examples of configuration are read without a fault where they belong.
#[test]
fn every_example_of_configuration_is_read() {
    for block in of_kind("yaml") {
        let world = World::without_kit();
        if block.text.starts_with("lines:") {
            let file = world.outside().join("lines.yaml");
            fs::write(&file, &block.text).expect("it can be written");
            let ran = world.typed(Program::Pins, &["check", "--lines", &file.display().to_string()], "");
            assert_eq!(ran.status, 0, "{}: {}", block.place, ran.report());
            continue;
        }
        let (file, check) = match ["notifiers:", "schedules:", "review_page:", "weekly_digest:"]
            .iter()
            .any(|key| block.text.starts_with(key))
        {
            true => (world.home().admin_config(), Program::Admin),
            false
                if ["door:", "matrix:", "reminders:", "talk:", "telegram:", "voice:"]
                    .iter()
                    .any(|key| block.text.starts_with(key)) =>
            {
                (world.home().profile_file(&world.profile()), Program::Bot)
            }
            false => (world.home().bot_config(), Program::Bot),
        };
        fs::write(file, &block.text).expect("it can be written");
        let verb: &[&str] =
            if check == Program::Admin { &["schedule", "list"] } else { &["config", "validate"] };
        let ran = world.typed(check, verb, "");
        assert_eq!(ran.status, 0, "{}: {}", block.place, ran.report());
    }
    // The one of a plugin, beside the program that the repository has for it.
    let world = World::without_kit();
    let mut forms = blocks(&workspace().join("docs/guides/write-a-plugin.md"));
    forms.retain(|block| block.kind == "toml");
    assert_eq!(
        forms.len(),
        4,
        "the guide has a whole plugin, an example, a server elsewhere, and the line for hosts of the example"
    );
    // The whole one is installed by a test of its own.
    forms.remove(0);
    let elsewhere = forms.remove(1);
    let folder = world.outside().join("word-count");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(workspace().join("examples/plugins/word-count"))
        .arg(&folder)
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    let path = folder.display().to_string();
    let with_hosts = forms[0].text.replacen("network = []", forms[1].text.trim_end(), 1);
    for (form, shown) in [(&forms[0].text, "word-count"), (&with_hosts, "api.example.org:8443")] {
        fs::write(folder.join("plugin.toml"), form).expect("it can be written");
        let page = world.admin(&["plugin", "install", &path]);
        assert!(page.stdout.contains(shown) && page.stderr.contains("--yes --digest"), "{}", page.report());
    }
    // The server gets nothing before its secret is there.
    let form = format!("name = \"notes\"\nversion = \"1\"\n{}", elsewhere.text);
    fs::write(folder.join("plugin.toml"), form).expect("it can be written");
    let missing = "`cl-admin secret set EXAMPLE_KEY --for mcp.example.org` sets it";
    world.admin(&["plugin", "install", &path]).exited(1).says(missing);
}
