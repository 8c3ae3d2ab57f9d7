//! Measures how well `cl-ear` understands: sentences of a file, spoken by synthesisers of this machine, in quiet and in noise.
//!
//! ```sh
//! cargo run --release -p ear --example hearing -- drivers/ear/examples/phrases.txt drivers/ear/examples/sentences.txt
//! ```
//!
//! The first file is a list for the ear, as `cl-bot voice --phrases` prints it. The second has a sentence a line:
//! phrases of the list, which should be understood, and behind `# Other sentences.` those that should be nothing. A third file gets the scores of each. `VOICE` names one of the
//! voices, and `NOISE` leaves the quiet out; `NOISE=none` leaves the noise out. With `--whisper MODEL`, `--digest SHA256` and `--language de` before them, and the feature
//! `whisper`, whisper.cpp hears, and its errors in words are counted too. Noise is white, pink or the babble of other sentences, in turn, from a fixed seed.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ear::listener::{Found, Listener, MODEL};
use ear::model::Model;
use ear::phrases::{Language, Phrases};
use sound::{Heard, RATE, Utterances, wav};

/// The voices. Those of English do not answer in TameClaw; for German, Pico does, since no other one here is understood.
const VOICES: [(Language, &str, &[&str]); 4] = [
    (Language::English, "flite slt", &["flite", "-voice", "slt", "-t", "{text}", "-o", "{file}"]),
    (Language::English, "flite rms", &["flite", "-voice", "rms", "-t", "{text}", "-o", "{file}"]),
    (
        Language::German,
        "pico de",
        &["cl-mouth", "say", "--language", "de-DE", "--output", "{file}", "{text}"],
    ),
    (Language::German, "espeak de", &["espeak-ng", "-v", "de", "-s", "150", "-w", "{file}", "{text}"]),
];
/// How much louder the speech is than the noise, in dB; none is quiet.
const NOISES: [Option<f64>; 2] = [None, Some(10.0)];
/// The kinds of noise, in turn.
const KINDS: [&str; 3] = ["white", "pink", "babble"];
/// Silence before and after a sentence, in samples.
const BEFORE: usize = RATE as usize / 2;
const AFTER: usize = RATE as usize;
/// Behind this line no sentence is a phrase.
const OTHERS: &str = "# Other sentences.";
/// Sentences that talk at once in a babble.
const TALKERS: usize = 6;

struct Sentence {
    said: String,
    expected: Option<String>,
}

#[derive(Default)]
struct Tally {
    all: usize,
    right: usize,
    /// The same phrase with the same numbers, in other words that it allows.
    same: usize,
    wrong: usize,
    words: usize,
    errors: usize,
    took: Vec<Duration>,
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Box<dyn Error>> {
    let mut given = env::args_os().skip(1).map(PathBuf::from).peekable();
    let (mut whisper, mut digest, mut language) = (None, None, Language::English);
    while let Some(option) = given.next_if(|one| one.to_string_lossy().starts_with("--")) {
        let value = given.next().ok_or("an option has a value")?;
        match option.to_str() {
            Some("--whisper") => whisper = Some(value),
            Some("--digest") => digest = Some(value.to_string_lossy().parse()?),
            Some("--language") if value == Path::new("de") => language = Language::German,
            _ => return Err(format!("{} is not an option", option.display()).into()),
        }
    }
    let (Some(list), Some(file)) = (given.next(), given.next()) else {
        return Err("usage: hearing [--whisper MODEL [--digest SHA256] [--language de]] LIST SENTENCES [FILE-FOR-SCORES]".into());
    };
    let mut scores = given.next().map(File::create).transpose()?;
    let begun = Instant::now();
    let mut listener = match whisper {
        None => Listener::load(Path::new(MODEL), Some(&list))?,
        Some(model) => Listener::with_whisper(&Model::read(&model, digest)?, language, Some(&list))?,
    };
    println!("loaded in {} ms", begun.elapsed().as_millis());
    let sentences = sentences(&fs::read_to_string(file)?, listener.phrases(), listener.hears());
    let only = env::var("VOICE").ok();
    let is_wanted = |voice: &str| only.as_ref().is_none_or(|only| only == voice);
    for (_, voice, command) in VOICES.into_iter().filter(|(of, voice, _)| *of == language && is_wanted(voice))
    {
        let spoken: Vec<Vec<i16>> =
            sentences.iter().map(|sentence| speak(command, &sentence.said)).collect::<Result<_, _>>()?;
        let noise = env::var("NOISE").ok();
        for noise in NOISES
            .into_iter()
            .filter(|one| noise.as_ref().is_none_or(|noise| (noise != "none") == one.is_some()))
        {
            // Those of the list and the others, of all kinds of noise and of each.
            let mut tallies: BTreeMap<&str, [Tally; 2]> = BTreeMap::new();
            for (at, sentence) in sentences.iter().enumerate() {
                let sound = heard_in(&spoken, at, noise);
                let mut utterances = Utterances::default();
                let mut parts = utterances.push(&sound);
                parts.extend(utterances.finish());
                let begun = Instant::now();
                let mut found: Vec<Found> = Vec::new();
                #[cfg_attr(
                    not(feature = "whisper"),
                    expect(unused_mut, reason = "PocketSphinx has no transcripts")
                )]
                let mut heard: Vec<String> = Vec::new();
                for part in parts {
                    let Heard::Utterance(samples) = part else { continue };
                    #[cfg(feature = "whisper")]
                    if let Some(said) = listener.transcribe(&samples)? {
                        found.extend(listener.phrase_of(&said)?);
                        heard.push(format!("{:.2}\t{:.2}\t{}", said.silent, said.sure, said.text));
                        continue;
                    }
                    found.extend(listener.find(None::<&Arc<str>>, &samples)?);
                }
                let took = begun.elapsed();
                let text: Vec<&str> = heard.iter().filter_map(|one| one.split('\t').nth(2)).collect();
                let errors = (listener.hears().0 != "pocketsphinx")
                    .then(|| language.errors(&sentence.said, &text.join(" ")));
                if let Some(scores) = &mut scores {
                    use std::io::Write as _;
                    let expected = sentence.expected.as_deref().unwrap_or_default();
                    let heard = heard.join("\t");
                    writeln!(
                        scores,
                        "{voice}\t{noise:?}\t{}\t{expected}\t{heard}\t{found:?}",
                        sentence.said
                    )?;
                }
                let acted: Vec<String> =
                    found.into_iter().filter(|found| found.fit.is_said()).map(|found| found.phrase).collect();
                let is_same = |one: &str, other: &str| {
                    listener.phrases().is_some_and(|list| list.are_same(one, other, language))
                };
                let kinds = ["noise", KINDS[at % KINDS.len()]];
                for kind in if noise.is_some() { &kinds[..] } else { &["quiet"] } {
                    let tally =
                        &mut tallies.entry(kind).or_default()[usize::from(sentence.expected.is_none())];
                    tally.add(&acted, sentence.expected.as_deref(), is_same, took);
                    if let Some((errors, words)) = errors {
                        (tally.errors, tally.words) = (tally.errors + errors, tally.words + words);
                    }
                }
            }
            for (kind, [expected, outside]) in &mut tallies {
                let level = noise.map(|level| format!(" at {level} dB")).unwrap_or_default();
                expected.show(&format!("{voice}, {kind}{level}: of the list"));
                outside.show(&format!("{voice}, {kind}{level}: other sentences"));
            }
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS"))
        .for_each(|line| println!("{line}"));
    Ok(())
}

impl Tally {
    fn add(
        &mut self,
        acted: &[String],
        expected: Option<&str>,
        is_same: impl Fn(&str, &str) -> bool,
        took: Duration,
    ) {
        self.all += 1;
        self.took.push(took);
        match (acted, expected) {
            ([], None) => self.right += 1,
            ([one], Some(expected)) if one == expected => self.right += 1,
            ([], Some(_)) => {}
            ([one], Some(expected)) if is_same(one, expected) => self.same += 1,
            _ => self.wrong += 1,
        }
    }

    fn show(&mut self, what: &str) {
        if self.all == 0 {
            return;
        }
        self.took.sort_unstable();
        let share = |count: usize| 100.0 * count as f64 / self.all as f64;
        println!(
            "{what}: {} sentences, {:.1} % right word for word, {:.1} % in other words, {:.1} % taken for another phrase; \
             {} of {} words wrong; {} ms at the median, {} ms at most",
            self.all,
            share(self.right),
            share(self.same),
            share(self.wrong),
            self.errors,
            self.words,
            self.took[self.took.len() / 2].as_millis(),
            self.took[self.took.len() - 1].as_millis()
        );
    }
}

/// Each sentence with the phrase of the list that it is, and those that are none of it behind [`OTHERS`].
fn sentences(text: &str, phrases: Option<&Phrases>, (name, language): (&str, Language)) -> Vec<Sentence> {
    let (mut sentences, mut are_others) = (Vec::new(), false);
    for line in text.lines().filter(|line| !line.is_empty()) {
        are_others |= line == OTHERS;
        if line.starts_with('#') {
            continue;
        }
        let expected = phrases.and_then(|phrases| match name {
            "pocketsphinx" => phrases.matched(line),
            _ => phrases.is(line, language),
        });
        if expected.is_some() == are_others {
            println!("not measured, since the list has it or not: {line}");
            continue;
        }
        sentences.push(Sentence { said: line.to_owned(), expected });
    }
    sentences
}

/// The sound of a text by a synthesiser of this machine.
fn speak(command: &[&str], text: &str) -> Result<Vec<i16>, Box<dyn Error>> {
    let file = env::temp_dir().join(format!("measure-{}.wav", std::process::id()));
    let words = command.iter().map(|word| match *word {
        "{text}" => text.into(),
        "{file}" => file.clone().into_os_string(),
        word => word.into(),
    });
    let words: Vec<std::ffi::OsString> = words.collect();
    let ended = Command::new(&words[0]).args(&words[1..]).output()?;
    if !ended.status.success() {
        return Err(format!("{}: {}", command[0], String::from_utf8_lossy(&ended.stderr)).into());
    }
    let sound = wav::read(BufReader::new(File::open(&file)?))?;
    fs::remove_file(&file)?;
    Ok(sound)
}

/// A sentence with silence around it, or with noise over all.
fn heard_in(spoken: &[Vec<i16>], at: usize, level: Option<f64>) -> Vec<i16> {
    let sound = [&[0; BEFORE], spoken[at].as_slice(), &[0; AFTER]].concat();
    let Some(level) = level else { return sound };
    let mut random = Random(at as u64 + 1);
    let noise = match KINDS[at % KINDS.len()] {
        "white" => (0..sound.len()).map(|_| random.next()).collect(),
        "pink" => pink(&mut random, sound.len()),
        _ => babble(&mut random, spoken, at, sound.len()),
    };
    // The power of speech is the mean over its frames that are not silent.
    let loudest = spoken[at].iter().map(|sample| f64::from(*sample).abs()).fold(0.0, f64::max);
    let frames = spoken[at].chunks(160).map(power).filter(|power| power.sqrt() > loudest / 100.0);
    let (count, sum) = frames.fold((0_usize, 0.0), |(count, sum), power| (count + 1, sum + power));
    let speech = sum / count.max(1) as f64;
    let of_noise = noise.iter().map(|sample| sample * sample).sum::<f64>() / noise.len() as f64;
    let factor = (speech / of_noise / 10_f64.powf(level / 10.0)).sqrt();
    let mixed = sound.iter().zip(noise).map(|(sample, noise)| f64::from(*sample) + factor * noise);
    mixed.map(|sample| sample.clamp(-32_768.0, 32_767.0) as i16).collect()
}

fn power(samples: &[i16]) -> f64 {
    samples.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / samples.len() as f64
}

/// Paul Kellet's filter over white noise.
fn pink(random: &mut Random, count: usize) -> Vec<f64> {
    let mut held = [0.0; 3];
    let mut next = || {
        let white = random.next();
        held[0] = 0.99765 * held[0] + white * 0.099_046;
        held[1] = 0.96300 * held[1] + white * 0.296_516_4;
        held[2] = 0.57000 * held[2] + white * 1.052_691_3;
        held.iter().sum::<f64>() + white * 0.1848
    };
    (0..count).map(|_| next()).collect()
}

/// Other sentences at once, each from anywhere within it, again and again.
fn babble(random: &mut Random, spoken: &[Vec<i16>], at: usize, count: usize) -> Vec<f64> {
    let mut noise = vec![0.0; count];
    for _ in 0..TALKERS {
        let mut other = random.below(spoken.len());
        if other == at {
            other = (other + 1) % spoken.len();
        }
        let other = &spoken[other];
        let from = random.below(other.len().max(1));
        let talk = other.iter().cycle().skip(from);
        noise.iter_mut().zip(talk).for_each(|(noise, sample)| *noise += f64::from(*sample));
    }
    noise
}

/// A generator of the same numbers each time.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// From -1 to 1.
    fn next(&mut self) -> f64 {
        self.bits() as f64 / u64::MAX as f64 * 2.0 - 1.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }
}
