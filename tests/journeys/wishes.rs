//! The twelve wishes as people say them, and what each must lead to.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tameclaw_tests::world::{Program, World};

/// One wish with the sentences that it makes possible.
pub(crate) struct Wish {
    /// As a person says it.
    pub(crate) wish: &'static str,
    /// The source that the scripted model writes, a file of the fixtures.
    pub(crate) source: &'static str,
    /// The first sentence afterwards, and others with other numbers and words.
    pub(crate) questions: Vec<Question>,
}

/// A sentence and what its answer must be.
pub(crate) struct Question {
    /// As a person says it.
    pub(crate) line: String,
    /// The call by which a model would answer it: a word of the tool's name, and the arguments.
    pub(crate) call: (&'static str, Value),
    /// What the answer must hold: one of these texts.
    pub(crate) answer: Answer,
    /// What the person says when the skill asks back, and what comes of it.
    pub(crate) then: Option<(&'static str, Answer)>,
}

/// What an answer must hold.
pub(crate) enum Answer {
    /// One of these texts, in any case.
    Text(Vec<String>),
    /// A whole number of this range.
    Number(i64, i64),
}

impl Question {
    /// Asks in a run of the bot of its own; what is asked back is answered through a pipe.
    pub(crate) fn ask(&self, world: &World) -> Result<(), String> {
        let ran = match &self.then {
            None => world.bot(&["agent", "-m", &self.line]),
            Some((then, _)) => world.typed(Program::Bot, &["agent"], &format!("{}\n{then}\n", self.line)),
        };
        let right = ran.status == 0
            && self.answer.is_in(&ran.stdout)
            && self
                .then
                .as_ref()
                .is_none_or(|(_, answer)| answer.is_in(ran.stdout.lines().last().unwrap_or_default()));
        if right { Ok(()) } else { Err(format!("{}: {}", self.line, ran.report())) }
    }
}

/// Asks every question and insists on right answers.
#[track_caller]
pub(crate) fn ask_all(world: &World, wishes: &[Wish]) {
    let questions = wishes.iter().flat_map(|wish| &wish.questions);
    let wrong: Vec<String> = questions.filter_map(|question| question.ask(world).err()).collect();
    assert!(wrong.is_empty(), "{} wrong answers:\n{}", wrong.len(), wrong.join("\n"));
}

impl Answer {
    /// Whether an answer is right.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let small = text.to_lowercase();
        match self {
            Answer::Text(texts) => texts.iter().any(|t| small.contains(&t.to_lowercase())),
            Answer::Number(low, high) => {
                let numbers =
                    small.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<i64>().ok());
                numbers.into_iter().any(|n| (*low..=*high).contains(&n))
            }
        }
    }
}

/// The twelve.
pub(crate) fn twelve() -> Vec<Wish> {
    let mut all = offline();
    all.push(Wish {
        wish: "learn to tell a bedtime story",
        source: "story",
        questions: vec![
            question(
                "a story about a brave snail",
                ("tell", json!({"about": "a brave snail"})),
                ["brave snail"],
            ),
            question(
                "a story about a shy dragon",
                ("tell", json!({"about": "a shy dragon"})),
                ["shy dragon"],
            ),
        ],
    });
    all.push(Wish {
        wish: "learn to tell the weather",
        source: "weather",
        questions: vec![question(
            "weather in Berlin?",
            ("now", json!({"town": "Berlin"})),
            [tameclaw_tests::weather::BERLIN],
        )],
    });
    all
}

/// Those of the twelve that need neither a model nor a network.
pub(crate) fn offline() -> Vec<Wish> {
    let wish = |wish, source, questions| Wish { wish, source, questions };
    let dice = |line: &str, dice: &str, low, high| Question {
        line: line.into(),
        call: ("roll", json!({"dice": dice})),
        answer: Answer::Number(low, high),
        then: None,
    };
    let degrees = |line: &str, degrees: f64, from: &str, to: &str, answer: &str| {
        question(line, ("convert", json!({"degrees": degrees, "from": from, "to": to})), [answer])
    };
    let cipher = |line: &str, tool, text: &str, shift: i64, answer: &str| {
        question(line, (tool, json!({"text": text, "shift": shift})), [answer])
    };
    let until = |line: &str, date: &str| {
        let days = days_until(date);
        // Midnight may pass between this line and the answer.
        let answers = [days.to_string(), (days - 1).to_string()];
        Question {
            line: line.into(),
            call: ("until", json!({"date": date})),
            answer: Answer::Text(answers.into()),
            then: None,
        }
    };
    let leap = |year: i64, answer: &str| {
        question(&format!("is {year} a leap year?"), ("leap", json!({"year": year})), [answer])
    };
    let roman = |numeral: &str, answer: &str| {
        question(&format!("what is {numeral}?"), ("read", json!({"numeral": numeral})), [answer])
    };
    let cheaper = |first: &str, second: &str, answers: [&str; 2]| {
        let line = format!("which is cheaper, {first} or {second}?");
        question(&line, ("compare", json!({"first": first, "second": second})), answers)
    };
    let split = |line: &str, amount: f64, people: i64, tip: f64, answers: [&str; 2]| {
        question(line, ("split", json!({"amount": amount, "people": people, "tip": tip})), answers)
    };
    vec![
        wish(
            "Learn to roll dice",
            "dice",
            vec![
                dice("roll 3d6+2", "3d6+2", 5, 20),
                dice("roll 4d1+38", "4d1+38", 42, 42),
                dice("roll 2d1", "2d1", 2, 2),
            ],
        ),
        wish(
            "learn to convert temperatures",
            "temperature",
            vec![
                question(
                    "what is 100 Fahrenheit in Celsius?",
                    ("convert", json!({"degrees": 100, "from": "Fahrenheit", "to": "Celsius"})),
                    ["37.78", "37.8"],
                ),
                degrees("what is 104 Fahrenheit in Celsius?", 104.0, "Fahrenheit", "Celsius", "40"),
                degrees("what is 50 Fahrenheit in Celsius?", 50.0, "Fahrenheit", "Celsius", "10"),
                degrees("what is 20 Celsius in Fahrenheit?", 20.0, "Celsius", "Fahrenheit", "68"),
            ],
        ),
        wish(
            "can you learn to quiz me on capitals?",
            "capitals",
            vec![Question {
                then: Some(("Atlantis", text(["capital"]))),
                ..question("quiz me", ("quiz", json!({})), ["capital"])
            }],
        ),
        wish(
            "learn the Caesar cipher",
            "caesar",
            vec![
                cipher("encode HELLO with shift 3", "encode", "HELLO", 3, "KHOOR"),
                cipher("encode tame claw with shift 5", "encode", "tame claw", 5, "yfrj hqfb"),
                cipher("decode KHOOR with shift 3", "decode", "KHOOR", 3, "HELLO"),
            ],
        ),
        wish(
            "learn to count the days until a date",
            "days",
            vec![
                until("how many days until 2030-01-01?", "2030-01-01"),
                until("how many days until 2033-05-17?", "2033-05-17"),
            ],
        ),
        wish(
            "learn to tell leap years",
            "leap",
            vec![
                leap(2100, "not"),
                leap(2000, "is a leap year"),
                leap(1996, "is a leap year"),
                leap(2023, "not"),
            ],
        ),
        wish(
            "learn to convert Roman numerals",
            "roman",
            vec![roman("MCMXCIV", "1994"), roman("XLII", "42"), roman("MMDCCLXXVII", "2777")],
        ),
        wish(
            "learn to do unit prices",
            "unit_price",
            vec![
                cheaper("500 g for 2.49", "750 g for 3.59", ["750 g for 3.59 is cheaper", "750 g"]),
                cheaper("1 kg for 4.00", "250 g for 0.90", ["250 g for 0.90 is cheaper", "250 g"]),
            ],
        ),
        wish(
            "learn to split a bill",
            "bill",
            vec![
                split("split 84.60 between 4 with 10% tip", 84.60, 4, 10.0, ["23.27", "23.26"]),
                split("split 90 between 8", 90.0, 8, 0.0, ["11.25", "11.25"]),
                split("split 120 between 5 with 20% tip", 120.0, 5, 20.0, ["28.80", "28.8"]),
            ],
        ),
        wish(
            "learn to keep a homework list",
            "homework",
            vec![
                question(
                    "add maths page 12 to my homework",
                    ("add", json!({"task": "maths page 12"})),
                    ["maths page 12"],
                ),
                question("what is my homework?", ("show", json!({})), ["maths page 12"]),
                question(
                    "add the poem about rain to my homework",
                    ("add", json!({"task": "the poem about rain"})),
                    ["poem about rain"],
                ),
                question("what is my homework?", ("show", json!({})), ["the poem about rain"]),
            ],
        ),
    ]
}

fn question<const N: usize>(line: &str, call: (&'static str, Value), answers: [&str; N]) -> Question {
    Question { line: line.into(), call, answer: text(answers), then: None }
}

fn text<const N: usize>(answers: [&str; N]) -> Answer {
    Answer::Text(answers.map(str::to_owned).to_vec())
}

/// Days from today to a date, computed here from scratch.
fn days_until(date: &str) -> i64 {
    let mut parts = date.split('-').map(|part| part.parse::<i64>().expect("a date of this file"));
    let mut next = || parts.next().expect("a date of this file");
    let (year, month, day) = (next(), next(), next());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs();
    days_since_1970(year, month, day) - i64::try_from(now / 86_400).expect("it fits")
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let leap = |y: i64| y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    let years: i64 = (1970..year).map(|y| if leap(y) { 366 } else { 365 }).sum();
    let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let months: i64 = lengths.iter().take(usize::try_from(month).expect("a month") - 1).sum();
    years + months + day - 1
}

#[test]
fn the_days_are_counted_rightly() {
    assert_eq!(days_since_1970(1970, 1, 1), 0);
    assert_eq!(days_since_1970(2000, 3, 1), 11_017);
    assert_eq!(days_since_1970(2030, 1, 1), 21_915);
}

/// A wish that this machine or this version cannot serve is answered so at once, and nothing is written down.
#[test]
fn a_wish_that_cannot_be_served_here_is_told_at_once() {
    let world = World::without_kit();
    let written = || fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    let lacking = [
        ("lerne, E-Mails zu schicken", "weder Mail"),
        ("learn to tell a bedtime story", "needs a model, and none is set up; docs/MODELS.md"),
        ("could you learn to translate", "needs a model, and none is set up; docs/MODELS.md"),
        ("lerne, eine Geschichte zu erzählen", "Es braucht ein Sprachmodell"),
    ];
    for (line, part) in &lacking {
        let _ = world.bot(&["agent", "-m", line]).prints(part);
        assert_eq!(written(), 0, "{line}");
    }
    let path = world.home().system_profile();
    let profile = || fs::read_to_string(&path).expect("a home has a profile");
    assert!(!profile().contains("language-model"), "{}", profile());
    // A model of the chat is looked for anew at each start of the service, and where a proposal is discovered.
    let requires = |ability: &str| {
        world.ask("learn to roll dice");
        let folder = world.home().proposals(&world.profile());
        let file = fs::read_dir(folder).expect("the folder").flatten().next().expect("a proposal").path();
        let text = fs::read_to_string(&file).expect("it is text");
        let mut document: Value = documents::yaml::from_own(&text).expect("it is a document");
        document["proposal"]["requirements"] = json!({"system_capabilities": [ability]});
        fs::write(&file, documents::yaml::to_string(&document).expect("it can be written")).expect("it is");
        world.admin(&["run", "--once"]).done();
        let row = world.newest();
        fs::remove_file(&file).expect("it goes");
        (row["status"].as_str().unwrap_or_default().to_owned(), row.to_string())
    };
    fs::write(world.home().bot_config(), "services: []\n").expect("the configuration can be written");
    let (status, row) = requires("language-model");
    assert!(!profile().contains("network"), "no host is configured: {}", profile());
    assert!(status == "rejected" && row.contains("docs/MODELS.md"), "{row}");
    crate::settings::bot_asks(&world, "http://127.0.0.1:9/v1", None);
    // Hosts elsewhere are offered where this machine has a network.
    let routes = fs::read_to_string("/proc/self/net/route").expect("there is a table");
    let has_network = routes.lines().skip(1).any(|row| !row.starts_with("lo"));
    let doctor = world.admin(&["doctor"]);
    assert_eq!(doctor.stdout.contains("language-model, network"), has_network, "{}", doctor.stdout);
    assert!(!profile().contains("language-model"), "doctor shows it and writes nothing: {}", profile());
    world.admin(&["run", "--once"]).done();
    assert!(profile().contains("language-model"), "{}", profile());
    assert_eq!(profile().contains("network"), has_network, "{}", profile());
    let _ = world.bot(&["agent", "-m", "learn to tell a bedtime story"]).hides("none is set up");
    assert_eq!(written(), 1, "with a model the wish is written down");
}
