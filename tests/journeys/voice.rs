//! A person talks to the companion by voice: `cl-bot voice`, with an ear and a mouth of this machine.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tameclaw_tests::digest::has_passphrase;
use tameclaw_tests::eventually;
use tameclaw_tests::limits::{limit, quiet_now};
use tameclaw_tests::pins::{self, Pins};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::speech::{Ear, Fake, Mouth, WISH, read_wav, spoken, write_wav};
use tameclaw_tests::world::{PATIENCE, Program, World};

/// What may be said.
const PHRASES: &str = "what time is it\nwhat day is it\nstop\nhelp\ngood morning\nroll the dice\n";

/// What the companion and the approved skills can be asked by voice is a list that the ear takes whole, and a phrase of it is answered.
#[test]
fn what_may_be_said_is_a_list_for_the_ear() {
    let world = World::with_voice();
    world.learn("learn to roll dice");
    let list = world.bot(&["voice", "--phrases"]).done().stdout;
    let has = |line: &str| list.lines().any(|other| other == line);
    assert!(
        has("stop")
            && has("set a timer for <number> minutes")
            && has("[give] [me|us] a dice|die roll")
            && has("roll|throw <dice>")
            && has("can you hear me [now|please]"),
        "{list}"
    );
    assert!(!has("yes") && !has("no"), "{list}");
    let Some(ear) = Ear::start(&list) else { return };
    let mouth = Mouth::start("en-GB");
    let sound = said(&["Set a timer for twenty five minutes.", "What is thirty plus twelve?"]);
    let (ran, _) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert!(ran.stderr.contains("you: set a timer for 25 minutes\n"), "{}", ran.report());
    assert!(
        ran.stderr.contains("you: what is 30 plus 12\n") && ran.stderr.contains("42"),
        "{}",
        ran.report()
    );
    let left_out = ear.program.stderr.text();
    assert!(!left_out.contains("left out"), "{left_out}");
}

fn pause() -> Vec<i16> {
    vec![0; 20_000]
}

/// The sound of some sentences, with a pause after each.
fn said(sentences: &[&str]) -> Vec<i16> {
    sentences.iter().flat_map(|sentence| [spoken("en-GB", sentence), pause()].concat()).collect()
}

/// Talks with what is said in a file; answers what ran, and the samples of its answers.
#[track_caller]
fn talked(world: &World, ear: &Path, mouth: &Path, sound: &[i16]) -> (Ran, Vec<i16>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (input, output) = (folder.path().join("in.wav"), folder.path().join("out.wav"));
    write_wav(&input, sound);
    let mut command = world.command(Program::Bot, &["voice"]);
    command.arg("--input").arg(input).arg("--output").arg(&output);
    command.arg("--ear").arg(ear).arg("--mouth").arg(mouth);
    let ran = run(command, b"", PATIENCE);
    let answers = if output.exists() { read_wav(&output) } else { vec![] };
    (ran, answers)
}

fn loudest(sound: &[i16]) -> u16 {
    sound.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or(0)
}

/// A spoken question is understood, shown, answered, and the answer is spoken.
#[test]
fn a_spoken_question_has_a_spoken_answer() {
    let Some(ear) = Ear::start(PHRASES) else { return };
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let (ran, answer) = talked(&world, &ear.socket(), &mouth.socket(), &said(&["What time is it?"]));
    assert_eq!(ran.status, 0, "{}", ran.report());
    assert!(
        ran.stderr.contains("you: what time is it\n") && ran.stderr.contains("\nbot: "),
        "{}",
        ran.report()
    );
    assert!(ran.stdout.is_empty(), "sound goes to the file alone");
    assert!(answer.len() > 8_000 && loudest(&answer) > 2_000, "{}", answer.len());
    // Words that the ear does not have are nothing.
    let (ran, answer) = talked(&world, &ear.socket(), &mouth.socket(), &said(&["Delete all my files."]));
    assert!(ran.status == 0 && ran.stderr.contains("heard nothing") && answer.is_empty(), "{}", ran.report());
}

/// The spoken stop is the emergency stop of the profile, regardless of what else is said. Nothing by voice takes it away.
#[test]
fn a_spoken_stop_is_the_emergency_stop() {
    let Some(ear) = Ear::start(PHRASES) else { return };
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let sound = said(&["Stop!", "Good morning."]);
    let (ran, answer) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert!(ran.status == 0 && ran.stderr.contains("cl-bot estop --clear"), "{}", ran.report());
    assert!(answer.len() > 8_000);
    assert!(world.home().profile_stop(&world.profile()).exists());
    world.bot(&["estop", "--clear"]).done();
}

/// Raw sound comes on standard input and goes to standard output, as a recorder and a player have it; while an answer comes or is
/// played, the stop alone is acted on.
#[test]
fn raw_sound_is_heard_and_only_the_stop_while_an_answer_is_played() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let ear = Fake::saying(&["what is 12 + 30", "remember that the code is 4711", "stop"]);
    let sound: Vec<u8> = said(&["One two three.", "Four five six.", "Seven eight nine."])
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let played = folder.path().join("played.raw");
    let mut command = world.command(Program::Bot, &["voice"]);
    command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
    // A player takes bytes that are not text.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "out=$1; shift; exec \"$@\" > \"$out\"", "sh"]).arg(&played);
    shell.arg(command.get_program()).args(command.get_args()).env_clear().current_dir(world.outside());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(shell, &sound, PATIENCE);
    assert_eq!(ran.status, 0, "{}", ran.report());
    assert!(
        ran.stderr.contains("42") && ran.stderr.contains("`stop` alone is heard then"),
        "{}",
        ran.report()
    );
    let played = std::fs::read(&played).expect("a file");
    let samples: Vec<i16> = played.as_chunks::<2>().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
    assert!(samples.len() > 16_000 && loudest(&samples) > 2_000, "{}", samples.len());
    assert!(world.home().profile_stop(&world.profile()).exists());
    assert!(!world.bot(&["memory", "list"]).done().stdout.contains("4711"));
}

/// The profile's file names both services, in place of the command line; what is missing is said with the next step.
#[test]
fn a_profile_that_has_no_voice_says_why() {
    let world = World::with_voice();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (input, output) = (folder.path().join("in.wav"), folder.path().join("out.wav"));
    write_wav(&input, &said(&["Good morning."]));
    let talk = || {
        let mut command = world.command(Program::Bot, &["voice"]);
        command.arg("--input").arg(&input).arg("--output").arg(&output);
        run(command, b"", PATIENCE)
    };
    talk().exited(2).says("voice.ear");
    let (ear, mouth) = (Fake::saying(&["what is 12 + 30", "what is 2 + 2"]), Mouth::start("en-GB"));
    let file = world.home().profile_file(&world.profile());
    let section = |ear: &Path, mouth: &Path, more: &str| {
        let text = format!("voice:\n  ear: {}\n  mouth: {}\n{more}", ear.display(), mouth.display());
        std::fs::write(&file, text).expect("it can be written");
    };
    section(&folder.path().join("none.sock"), &mouth.socket(), "");
    talk().exited(2).says("none.sock").says("cl-ear serve");
    section(&mouth.socket(), &mouth.socket(), "");
    talk().exited(2).says("does something else");
    section(&ear.socket(), &ear.socket(), "");
    talk().exited(2).says("cl-mouth serve");
    section(&ear.socket(), &mouth.socket(), "");
    let ran = talk().done();
    assert!(ran.stderr.contains("bot: ") && ran.stderr.contains("42"), "{}", ran.report());
    assert!(loudest(&read_wav(&output)) > 2_000);
    // A minor's profile starts once the approver's key has a passphrase.
    has_passphrase(&world);
    section(&ear.socket(), &mouth.socket(), "audience: child\n");
    talk().exited(2).says("voice.minors");
    section(&ear.socket(), &mouth.socket(), "  minors: true\naudience: child\n");
    let ran = talk().done();
    assert!(ran.stderr.contains("42"), "{}", ran.report());
    // A channel that is switched off.
    std::fs::write(world.home().bot_config(), "channels:\n  voice: {enabled: false}\n")
        .expect("it can be written");
    talk().exited(3).says("channels.voice");
}

/// The whole way: the chat writes the wish down, the review says it in a parent's words, and only after the yes the ear and the mouth are
/// connected. The skill's own sentence is in the list then, and it hears and speaks. Once it is removed, nothing is connected again.
#[test]
fn from_a_wish_to_a_spoken_answer() {
    if !Ear::is_installed() {
        return;
    }
    let (world, mouth) = (World::new(), Mouth::start("en-GB"));
    let refused = |world: &World| {
        let ran = world.bot(&["voice", "--ear", "/none/ear.sock", "--mouth", "/none/mouth.sock"]);
        ran.exited(3).says("hear and speak by voice").says("learn to talk to me by voice");
    };
    refused(&world);
    let _ = world.bot(&["agent", "-m", "/voice"]).prints("Write here: learn to talk to me by voice");
    assert!(world.ask(WISH).contains("talk-voice"), "the wish is written down");
    world.admin(&["run", "--once"]).done();
    let id = world.newest()["id"].as_str().expect("it has an id").to_owned();
    let _ = world
        .admin(&["show", &id])
        .prints("hear the room while `cl-bot voice` runs")
        .prints("template voice");
    refused(&world);
    world.admin(&["approve", &id, "--yes"]).done();
    let _ = world.bot(&["agent", "-m", "/voice"]).prints("start `cl-ear serve` and `cl-mouth serve`");
    // In a chat that is written nothing is heard, nobody is asked about it, and the skill says what to start.
    let _ = world.bot(&["agent", "-m", "can you hear me?"]).answered().prints("start `cl-bot voice`");
    let list = world.bot(&["voice", "--phrases"]).done().stdout;
    let Some(ear) = Ear::start(&list) else { return };
    let sound = said(&["Can you hear me?", "Good morning.", "What is thirty plus twelve?"]);
    let (ran, answers) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert_eq!(ran.status, 0, "{}", ran.report());
    let mut rest = ran.stderr.as_str();
    for part in [
        "you: can you hear me\n",
        "talk-voice: I am listening.",
        "talk-voice listens for 10 s",
        "you: good morning\n",
        "bot: I heard: good morning",
        "you: what is 30 plus 12\n",
        "42",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} does not follow: {}", ran.report()));
        rest = &rest[at + part.len()..];
    }
    assert!(answers.len() > 32_000 && loudest(&answers) > 2_000, "{}", answers.len());
    world.admin(&["skill", "remove", "talk-voice", "--reason", "quiet, please"]).done();
    refused(&world);
}

/// A skill that listens where nobody says anything more hears nothing, and the program ends.
#[test]
fn a_skill_that_listens_at_the_end_of_the_sound_hears_nothing() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let ear = Fake::saying(&["can you hear me"]);
    let (ran, _) = talked(&world, &ear.socket(), &mouth.socket(), &said(&["One two three."]));
    assert!(ran.status == 0 && ran.stderr.contains("I heard nothing that I understand."), "{}", ran.report());
}

/// A spoken stop is the emergency stop while a skill listens, and not words for it.
#[test]
fn the_stop_is_heard_while_a_skill_listens() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let ear = Fake::saying(&["can you hear me", "stop"]);
    let sound = said(&["One two three.", "Four five six."]);
    let (ran, _) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert!(ran.status == 0 && !ran.stderr.contains("I heard: "), "{}", ran.report());
    assert!(world.home().profile_stop(&world.profile()).exists(), "{}", ran.report());
}

/// A profile has a volume and a length of answer; what is cut was shown.
#[test]
fn a_profile_is_spoken_to_as_loud_and_as_long_as_its_file_says() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let ear = Fake::saying(&["what can you do"]);
    let file = world.home().profile_file(&world.profile());
    let talk = |voice: &str| {
        std::fs::write(&file, voice).expect("it can be written");
        talked(&world, &ear.socket(), &mouth.socket(), &said(&["One two three."]))
    };
    let (_, whole) = talk("");
    let (_, quiet) = talk("voice: {volume: 20}\n");
    assert_eq!(whole.len(), quiet.len());
    assert!(loudest(&quiet) < loudest(&whole) / 4 && loudest(&quiet) > 300, "{}", loudest(&quiet));
    assert!(whole.len() > 3 * 16_000, "{}", whole.len());
    let (ran, cut) = talk("voice: {longest_answer: 2}\n");
    assert!(!cut.is_empty() && cut.len() <= 2 * 16_000, "{}", cut.len());
    assert!(ran.status == 0 && ran.stderr.contains("voice.longest_answer"), "{}", ran.report());
}

/// Quiet hours hold by voice as they do in the chat: no line is answered, and no skill hears.
#[test]
fn quiet_hours_hold_by_voice() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    limit(&world, &world.profile(), &quiet_now(), "");
    let ear = Fake::saying(&["what is 12 + 30", "can you hear me", "good morning"]);
    let sound = said(&["One two three.", "Four five six.", "Seven eight nine."]);
    let (ran, _) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert!(ran.status == 0 && ran.stderr.contains("bot: "), "{}", ran.report());
    assert!(!ran.stderr.contains("42") && !ran.stderr.contains("listens for"), "{}", ran.report());
}

/// A talk that runs ends once the skill is removed, and does not come back.
#[test]
fn a_talk_ends_once_its_skill_is_removed() {
    let (world, mouth, ear) = (World::with_voice(), Mouth::start("en-GB"), Fake::saying(&[]));
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Somebody who records and says nothing.
    let input = folder.path().join("in.wav");
    nix::unistd::mkfifo(&input, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let _silent = std::fs::OpenOptions::new().read(true).write(true).open(&input).expect("it is opened");
    let named = [
        ("--input", input),
        ("--output", folder.path().join("out.wav")),
        ("--ear", ear.socket()),
        ("--mouth", mouth.socket()),
    ];
    let mut arguments = vec!["voice".to_owned()];
    for (name, path) in named {
        arguments.extend([name.to_owned(), path.display().to_string()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut talk = world.start(Program::Bot, &arguments);
    talk.said("that it talks", |said| said.contains("talking by voice").then_some(()));
    world.admin(&["skill", "remove", "talk-voice", "--reason", "quiet, please"]).done();
    talk.ended(PATIENCE).exited(75).says("start `cl-bot voice` again");
    world.bot(&arguments).exited(3).says("learn to talk to me by voice");
}

/// What is approved while somebody talks is understood and answered in the same talk: no program is started anew by hand, no list is
/// printed, and the ear runs all the while. What is removed is nothing again, and the talk ends with its own skill.
#[test]
fn what_is_approved_while_somebody_talks_is_understood() {
    if compiler_is_missing() {
        return;
    }
    let Some(ear) = Ear::without_a_list() else { return };
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("said");
    let mut command = world.command(Program::Bot, &["voice"]);
    command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(std::fs::File::create(&log).expect("a file"));
    let mut talk = command.spawn().expect("it starts");
    let mut recorder = talk.stdin.take().expect("its input");
    let sees = |text: &str, times: usize| {
        eventually(PATIENCE, text, || {
            (std::fs::read_to_string(&log).ok()?.matches(text).count() >= times).then_some(())
        });
    };
    let mut says = |sentence: &str| {
        let sound: Vec<u8> = said(&[sentence]).iter().flat_map(|sample| sample.to_le_bytes()).collect();
        // A recorder's pieces are not a multiple of the reader's.
        sound.chunks(1_001).for_each(|piece| recorder.write_all(piece).expect("it is taken"));
    };
    sees("talking by voice", 1);
    says("Flip a coin.");
    sees("heard nothing", 1);
    world.learn("learn to flip a coin");
    sees("talking by voice", 2);
    says("Flip a coin.");
    sees("you: flip a coin\n", 1);
    sees("bot: ", 1);
    world.admin(&["skill", "remove", "flip-coin", "--reason", "enough of it"]).done();
    sees("talking by voice", 3);
    says("Flip a coin.");
    sees("heard nothing", 2);
    world.admin(&["skill", "remove", "talk-voice", "--reason", "quiet, please"]).done();
    sees("learn to talk to me by voice", 1);
    assert_eq!(talk.wait().expect("it ends").code(), Some(3));
}

/// Where nothing hears or speaks, the chat says what to install and writes nothing down; the service does not take the chat's word for it.
#[test]
fn a_wish_to_talk_is_refused_where_nothing_hears_or_speaks() {
    let (world, folder) = (World::without_kit(), tempfile::tempdir().expect("a temporary folder"));
    // Neither the ear nor the mouth is beside this one.
    let admin = folder.path().join("cl-admin");
    if std::fs::hard_link(Program::Admin.path(), &admin).is_err() {
        std::fs::copy(Program::Admin.path(), &admin).expect("it can be copied");
    }
    let once = || run(world.command_of(&admin, &["run", "--once"]), b"", PATIENCE).done();
    once();
    let path = world.home().system_profile();
    let profile = std::fs::read_to_string(&path).expect("a home has a profile");
    assert!(!profile.contains("audio"), "{profile}");
    for line in [WISH, "lerne, mit mir zu sprechen"] {
        let _ = world.bot(&["agent", "-m", line]).prints("docs/guides/hear.md");
    }
    let _ = world.bot(&["agent", "-m", "/voice"]).prints("Nothing here hears or speaks for me");
    let _ = world
        .bot(&["agent", "-m", "talk to me by voice"])
        .prints("In this chat I read and write text. Type /voice");
    let _ = world.bot(&["agent", "-m", "sprich mit mir per Stimme"]).prints("Tippe /voice");
    assert!(world.list().is_empty(), "nothing is written down");
    let claimed = profile.replace("- text", "- text\n- audio-input\n- audio-output");
    std::fs::write(&path, claimed).expect("it can be written");
    world.ask(WISH);
    once();
    let row = world.newest();
    assert!(row["status"] == "rejected" && row.to_string().contains("docs/guides/hear.md"), "{row}");
}

/// Where the profile's file names words that a sentence begins with, any other sentence is not acted on, but for the stop; the list for
/// the ear has them.
#[test]
fn a_sentence_without_the_words_that_wake_it_is_not_acted_on() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let file = world.home().profile_file(&world.profile());
    std::fs::write(&file, "voice: {wake: Hey computer}\n").expect("it can be written");
    let list = world.bot(&["voice", "--phrases"]).done().stdout;
    let has = |line: &str| list.lines().any(|other| other == line);
    assert!(has("stop") && has("hey computer what time is it") && !has("what time is it"), "{list}");
    let ear = Fake::saying(&["what is 12 + 30", "Hey computer, what is 20 + 3?", "stop"]);
    let sound = said(&["One two three.", "Four five six.", "Seven eight nine."]);
    let (ran, _) = talked(&world, &ear.socket(), &mouth.socket(), &sound);
    assert_eq!(ran.status, 0, "{}", ran.report());
    assert!(!ran.stderr.contains("42") && ran.stderr.contains("does not begin with"), "{}", ran.report());
    assert!(ran.stderr.contains("23"), "{}", ran.report());
    assert!(world.home().profile_stop(&world.profile()).exists(), "the stop needs no such words");
}

/// With `--push` the ear gets what is said from one Enter at the terminal to the next, and no sound besides. Without a terminal it says so.
#[test]
fn the_person_is_heard_between_two_presses() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    // It answers twice; a third utterance would wait for it in vain.
    let ear = Fake::saying(&["what is 12 + 30", "what is 20 + 3"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = folder.path().join("in.raw");
    nix::unistd::mkfifo(&input, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let mut command = world.command(Program::Bot, &["voice", "--push"]);
    command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
    command.arg("--output").arg(folder.path().join("out.wav"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "in=$1; shift; exec \"$@\" < \"$in\"", "sh"]).arg(&input);
    shell.arg(command.get_program()).args(command.get_args()).env_clear().current_dir(world.outside());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut talk = Pty::start(shell);
    let mut recorder = std::fs::OpenOptions::new().write(true).open(&input).expect("it is opened");
    talk.expect("press Enter, speak, and press Enter again", PATIENCE);
    let mut says = |sentence: &str| {
        let sound: Vec<u8> = said(&[sentence]).iter().flat_map(|sample| sample.to_le_bytes()).collect();
        recorder.write_all(&sound).expect("it is taken");
        // What was written is read before a key counts.
        std::thread::sleep(Duration::from_secs(1));
    };
    says("One two three.");
    talk.line("");
    says("Four five six.");
    talk.expect("you: what is 12 + 30", PATIENCE);
    talk.expect("42", PATIENCE);
    talk.line("");
    says("One two three.");
    talk.line("");
    says("Seven eight nine.");
    talk.expect("23", PATIENCE);
    drop(recorder);
    assert_eq!(talk.ended(PATIENCE), 0);
    let mut command = world.command(Program::Bot, &["voice", "--push"]);
    command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
    command.arg("--output").arg(folder.path().join("out.wav"));
    let mut alone = std::process::Command::new("setsid");
    alone.arg("-w").arg(command.get_program()).args(command.get_args()).env_clear();
    alone.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    run(alone, b"", PATIENCE).exited(2).says("/dev/tty").says("at a terminal");
}

/// A spoken stop ends the answer that is played: no more of it goes to the player.
#[test]
fn a_spoken_stop_ends_the_answer_that_is_played() {
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let utterance = said(&["One two three."]);
    let (_, whole) = {
        let ear = Fake::saying(&["what can you do"]);
        talked(&world, &ear.socket(), &mouth.socket(), &utterance)
    };
    assert!(whole.len() > 10 * 16_000, "a long answer: {}", whole.len());
    let ear = Fake::saying(&["what can you do", "stop"]);
    let mut command = world.command(Program::Bot, &["voice"]);
    command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut talk = command.spawn().expect("it starts");
    let (mut recorder, mut player) =
        (talk.stdin.take().expect("its input"), talk.stdout.take().expect("its output"));
    let sound: Vec<u8> = utterance.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    recorder.write_all(&sound).expect("it is taken");
    // A player takes a second of sound in a second.
    let mut played = 0;
    let mut piece = [0; 3_200];
    let mut plays = |seconds: usize, played: &mut usize| {
        for _ in 0..10 * seconds {
            player.read_exact(&mut piece).expect("it is played");
            *played += piece.len() / 2;
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    plays(2, &mut played);
    recorder.write_all(&sound).expect("it is taken");
    plays(1, &mut played);
    drop(recorder);
    let mut rest = Vec::new();
    player.read_to_end(&mut rest).expect("it ends");
    let ran = talk.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(
        ran.status.success() && said.contains("you: stop") && said.contains("cl-bot estop --clear"),
        "{said}"
    );
    // The answer to the stop is played too.
    let all = played + rest.len() / 2;
    assert!(all < whole.len(), "{all} of {}: {said}", whole.len());
    assert!(world.home().profile_stop(&world.profile()).exists());
}

/// Where the profile's file names a button, the ear gets what is said while it is held, and no sound besides; and only once a skill that
/// reads pins is approved.
#[test]
fn the_person_is_heard_while_a_button_is_held() {
    if compiler_is_missing() {
        return;
    }
    let (world, mouth) = (World::with_voice(), Mouth::start("en-GB"));
    let pins = Pins::start(&world);
    // It answers once; another utterance would wait for it in vain.
    let ear = Fake::saying(&["what is 12 + 30"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let talk = || {
        let mut command = world.command(Program::Bot, &["voice"]);
        command.arg("--ear").arg(ear.socket()).arg("--mouth").arg(mouth.socket());
        command.arg("--output").arg(folder.path().join("out.wav"));
        command
    };
    pins::name(&world, &pins.socket(), "voice: {push: button}\n");
    run(talk(), b"", PATIENCE).exited(2).says("may read pins").says("learn to read the button on pin 4");
    world.admin(&["run", "--once"]).done();
    world.learn("learn to read the button on pin 4");
    pins::name(&world, &pins.socket(), "voice: {push: bell}\n");
    run(talk(), b"", PATIENCE).exited(2).says("no line is called `bell`");
    pins::name(&world, &pins.socket(), "voice: {push: button}\n");
    let log = folder.path().join("said");
    let mut command = talk();
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(std::fs::File::create(&log).expect("a file"));
    let mut running = command.spawn().expect("it starts");
    let mut recorder = running.stdin.take().expect("its input");
    let sees = |text: &str| {
        eventually(PATIENCE, text, || std::fs::read_to_string(&log).ok()?.contains(text).then_some(()));
    };
    sees("while the line `button` is on");
    let mut says = |sentence: &str| {
        let sound: Vec<u8> = said(&[sentence]).iter().flat_map(|sample| sample.to_le_bytes()).collect();
        recorder.write_all(&sound).expect("it is taken");
        // What was written is read before the button counts, and the button before what is written.
        std::thread::sleep(Duration::from_secs(2));
    };
    says("One two three.");
    pins.change("button", true);
    std::thread::sleep(Duration::from_secs(2));
    says("Four five six.");
    pins.change("button", false);
    std::thread::sleep(Duration::from_secs(2));
    says("Seven eight nine.");
    sees("42");
    drop(recorder);
    assert!(running.wait().expect("it ends").success());
}
