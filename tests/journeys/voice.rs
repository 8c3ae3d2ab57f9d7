//! A person talks to the companion by voice: `cl-bot voice`, with an ear and a mouth of this machine.

use std::path::Path;

use tameclaw_tests::digest::has_passphrase;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::speech::{Ear, Fake, Mouth, read_wav, spoken, write_wav};
use tameclaw_tests::world::{PATIENCE, Program, World};

/// What may be said.
const PHRASES: &str = "what time is it\nwhat day is it\nstop\nhelp\ngood morning\nroll the dice\n";

/// What the companion and the approved skills can be asked by voice is a list that the ear takes whole, and a phrase of it is answered.
#[test]
fn what_may_be_said_is_a_list_for_the_ear() {
    let world = World::with_skill("learn to roll dice");
    let list = world.bot(&["voice", "--phrases"]).done().stdout;
    let has = |line: &str| list.lines().any(|other| other == line);
    assert!(has("stop") && has("set a timer for <number> minutes") && has("roll a die"), "{list}");
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
    let (world, mouth) = (World::without_kit(), Mouth::start("en-GB"));
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
    let (world, mouth) = (World::without_kit(), Mouth::start("en-GB"));
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
    let (world, mouth) = (World::without_kit(), Mouth::start("en-GB"));
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
    let world = World::without_kit();
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
