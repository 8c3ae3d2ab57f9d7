//! Asks quiz questions.

use skill_sdk::prelude::*;

const ABOUT: &str = "@about";

/// The skill.
pub struct Skill;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new(ABOUT)
            // @if quiz
            .tool(
                Tool::new("@quiz", "Asks a question and says whether the answer is right")
                    // @if ask
                    .param(Param::int("@quiz.questions", "how many questions, 1 if not said").min(1).max(10).optional())
                    .phrase("en", "quiz me with|on {@quiz.questions} questions")
                    .phrase("en", "ask [me] {@quiz.questions} questions")
                    .phrase("de", "stelle|stell mir {@quiz.questions} fragen")
                    // @end
                    .phrase("en", "quiz [me] [again]")
                    .phrase("en", "quiz me on|about @topic")
                    .phrase("en", "test me [on|about] [@topic]")
                    .phrase("en", "ask me [a|another] [@topic] question")
                    .phrase("en", "ask me about @topic")
                    .phrase("en", "ask me [a|another] question [about|on] [the] [@topic]")
                    .phrase("en", "another question [please]")
                    .phrase("en", "play|do a quiz [with] [me|us]")
                    .phrase("en", "[start|play] [a|the] @topic quiz")
                    .phrase("en", "next question")
                    .phrase("de", "frag|frage mich [ab] [nochmal]")
                    .phrase("de", "quiz mich")
                    .phrase("de", "stelle|stell mir eine frage")
                    .phrase("de", "nächste frage")
                    .phrase("de", "frag|frage mich [mal|bitte] [was|etwas|nochmal]")
                    .phrase("de", "stelle|stell mir|uns [mal|bitte] [noch] eine [neue|andere] frage")
                    .phrase("de", "noch eine frage [bitte]")
                    .phrase("de", "[lass|lasst] [uns] [mal] ein quiz machen|spielen")
                    .phrase("de", "mach|spiel [mal] ein quiz [mit] [mir|uns]")
                    .phrase("de", "teste|prüfe|prüf mich [mal]")
                    // @if capitals
                    .phrase("de", "frag|frage mich [nach] hauptstädte|hauptstädten [ab]")
                    .phrase("de", "stelle|stell mir|uns [mal|bitte] [noch] eine frage zu|über|nach [den] hauptstädten|hauptstadt|hauptstädte")
                    .phrase("de", "frag|frage|teste|prüfe|prüf mich [mal|bitte] [ab] [in|zu|nach|über] [den] hauptstädte|hauptstädten [ab]")
                    .phrase("de", "[mach|spiel|starte] [ein] [das] hauptstadtquiz|hauptstädtequiz|hauptstädte-quiz")
                    // @end
                    .example("quiz me")
                    .example("stell mir eine Frage"),
            )
            // @end
            // @if check
            .tool(
                Tool::new("@check", "Says whether an answer is right")
                    .param(Param::text("@check.question", "what was asked about"))
                    .param(Param::text("@check.answer", "the answer"))
                    // @if capitals
                    .phrase("en", "[the|is] [the] capital of {@check.question} is {@check.answer}")
                    .phrase("en", "is {@check.answer} the capital of {@check.question}")
                    .phrase("de", "die hauptstadt von {@check.question} ist {@check.answer}")
                    .phrase("de", "ist {@check.answer} die hauptstadt von {@check.question}")
                    // @end
                    // @if elements
                    .phrase("en", "[the] symbol for|of {@check.question} is {@check.answer}")
                    .phrase("en", "is {@check.answer} the symbol for|of {@check.question}")
                    .phrase("de", "das symbol für|von {@check.question} ist {@check.answer}")
                    // @end
                    // @if sums
                    .phrase("en", "{@check.question} is|are|equals|makes {@check.answer}")
                    .phrase("de", "{@check.question} ist|sind|macht|ergibt {@check.answer}")
                    // @end
                    // @if capitals
                    .example("the capital of France is Paris")
                    .example("die Hauptstadt von Frankreich ist Paris"),
                    // @end
                    // @if elements
                    .example("the symbol for iron is Fe")
                    .example("das Symbol für Eisen ist Fe"),
                    // @end
                    // @if sums
                    .example("7 times 8 is 56")
                    .example("7 mal 8 ist 56"),
                    // @end
            )
            // @end
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        match call.tool() {
            // @if quiz
            // @if ask
            "@quiz" => quiz(call.opt_int("@quiz.questions")?.unwrap_or(1).max(1).min(10), german(call)),
            // @end
            // @if !ask
            "@quiz" => quiz(german(call)),
            // @end
            // @end
            // @if check
            "@check" => check(call.text("@check.question")?, call.text("@check.answer")?, german(call)),
            // @end
            _ => Err(Refusal::unknown_tool(call)),
        }
    }
}

/// A question, what it is about, and its answer.
struct Question {
    text: String,
    about: String,
    answer: String,
    also: String,
}

// @if quiz
// @if ask
fn quiz(count: i64, german: bool) -> Answer {
    let mut right = 0;
    let mut lines = Vec::new();
    for number in 1..=count {
        let question = draw(german)?;
        let said = match ask(&question.text) {
            Ok(said) => said,
            // Nobody can be asked in a run of one message.
            Err(_) if number == 1 => return Ok(hint(&question, german)),
            Err(_) => break,
        };
        if ["", "stop", "quit", "exit", "stopp", "ende"].contains(&lower(said.trim()).as_str()) {
            lines.push(if german { format!("Es wäre {} gewesen.", question.answer) } else { format!("It would have been {}.", question.answer) });
            break;
        }
        let good = is_right(&question, &said);
        right += i64::from(good);
        lines.push(verdict(&question, good, german));
    }
    if count > 1 {
        lines.push(if german { format!("{} von {} richtig.", right, count) } else { format!("You got {} of {} right.", right, count) });
    }
    Ok(lines.join("\n"))
}
// @end
// @if !ask
fn quiz(german: bool) -> Answer {
    let question = draw(german)?;
    Ok(hint(&question, german))
}
// @end

/// The question, and how to answer it in a sentence of its own.
fn hint(question: &Question, german: bool) -> String {
    if german {
        format!("{} Antworte mit: {}", question.text, pattern(question, true))
    } else {
        format!("{} Answer with: {}", question.text, pattern(question, false))
    }
}
// @end

// @if check
fn check(about: &str, answer: &str, german: bool) -> Answer {
    // Another skill may know what this one has no question for.
    let question = find(about, german).ok_or_else(Refusal::not_mine)?;
    let good = is_right(&question, answer);
    Ok(verdict(&question, good, german))
}
// @end

fn verdict(question: &Question, good: bool, german: bool) -> String {
    match (good, german) {
        (true, false) => format!("Right! {}", solution(question, false)),
        (true, true) => format!("Richtig! {}", solution(question, true)),
        (false, false) => format!("Not quite. {}", solution(question, false)),
        (false, true) => format!("Leider nein. {}", solution(question, true)),
    }
}

fn is_right(question: &Question, said: &str) -> bool {
    let said = plain(said);
    let known = std::iter::once(question.answer.as_str()).chain(question.also.split(", "));
    known.map(plain).any(|answer| !answer.is_empty() && (said == answer || said.ends_with(&format!(" {}", answer))))
}

/// Lower case, without accents and punctuation.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in lower(text.trim()).chars() {
        match c {
            'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ì' | 'î' | 'ï' => plain.push('i'),
            'ó' | 'ò' | 'ô' | 'õ' | 'ö' | 'ø' => plain.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => plain.push('u'),
            'ç' => plain.push('c'),
            'ñ' => plain.push('n'),
            'ß' => plain.push_str("ss"),
            '.' | ',' | '!' | '?' | '\'' | '"' => {}
            '-' => plain.push(' '),
            other => plain.push(other),
        }
    }
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

// @if capitals
// @if quiz
fn draw(german: bool) -> Result<Question, HostError> {
    Ok(question(host::pick(CAPITALS)?, german))
}

fn pattern(question: &Question, german: bool) -> String {
    if german {
        format!("die Hauptstadt von {} ist ...", question.about)
    } else {
        format!("the capital of {} is ...", question.about)
    }
}
// @end

// @if check
fn find(about: &str, german: bool) -> Option<Question> {
    let about = plain(about);
    let about = about.strip_prefix("the ").unwrap_or(&about);
    CAPITALS.iter().find(|row| plain(row.0) == about || plain(row.1) == about).map(|row| question(row, german))
}
// @end

fn solution(question: &Question, german: bool) -> String {
    if german {
        format!("Die Hauptstadt von {} ist {}.", question.about, question.answer)
    } else {
        format!("The capital of {} is {}.", question.about, question.answer)
    }
}

type Capital = (&'static str, &'static str, &'static str, &'static str);

fn question(row: &Capital, german: bool) -> Question {
    let (about, text, answer, also) = if german {
        (row.1, format!("Wie heißt die Hauptstadt von {}?", row.1), row.3, row.2)
    } else {
        (row.0, format!("What is the capital of {}?", row.0), row.2, row.3)
    };
    Question { text, about: about.to_string(), answer: answer.to_string(), also: also.to_string() }
}

/// Country and capital: English country, German country, English capital, German capital.
const CAPITALS: &[Capital] = &[
    // @if world
    ("Argentina", "Argentinien", "Buenos Aires", "Buenos Aires"),
    ("Australia", "Australien", "Canberra", "Canberra"),
    ("Austria", "Österreich", "Vienna", "Wien"),
    ("Belgium", "Belgien", "Brussels", "Brüssel"),
    ("Brazil", "Brasilien", "Brasilia", "Brasilia"),
    ("Bulgaria", "Bulgarien", "Sofia", "Sofia"),
    ("Canada", "Kanada", "Ottawa", "Ottawa"),
    ("Chile", "Chile", "Santiago", "Santiago"),
    ("China", "China", "Beijing", "Peking"),
    ("Colombia", "Kolumbien", "Bogota", "Bogota"),
    ("Croatia", "Kroatien", "Zagreb", "Zagreb"),
    ("Cuba", "Kuba", "Havana", "Havanna"),
    ("Cyprus", "Zypern", "Nicosia", "Nikosia"),
    ("Denmark", "Dänemark", "Copenhagen", "Kopenhagen"),
    ("Ecuador", "Ecuador", "Quito", "Quito"),
    ("Egypt", "Ägypten", "Cairo", "Kairo"),
    ("Estonia", "Estland", "Tallinn", "Tallinn"),
    ("Ethiopia", "Äthiopien", "Addis Ababa", "Addis Abeba"),
    ("Finland", "Finnland", "Helsinki", "Helsinki"),
    ("France", "Frankreich", "Paris", "Paris"),
    ("Germany", "Deutschland", "Berlin", "Berlin"),
    ("Ghana", "Ghana", "Accra", "Accra"),
    ("Greece", "Griechenland", "Athens", "Athen"),
    ("Hungary", "Ungarn", "Budapest", "Budapest"),
    ("Iceland", "Island", "Reykjavik", "Reykjavik"),
    ("India", "Indien", "New Delhi", "Neu-Delhi"),
    ("Indonesia", "Indonesien", "Jakarta", "Jakarta"),
    ("Iran", "Iran", "Tehran", "Teheran"),
    ("Iraq", "Irak", "Baghdad", "Bagdad"),
    ("Ireland", "Irland", "Dublin", "Dublin"),
    ("Italy", "Italien", "Rome", "Rom"),
    ("Jamaica", "Jamaika", "Kingston", "Kingston"),
    ("Japan", "Japan", "Tokyo", "Tokio"),
    ("Kenya", "Kenia", "Nairobi", "Nairobi"),
    ("Latvia", "Lettland", "Riga", "Riga"),
    ("Lithuania", "Litauen", "Vilnius", "Vilnius"),
    ("Luxembourg", "Luxemburg", "Luxembourg", "Luxemburg"),
    ("Malta", "Malta", "Valletta", "Valletta"),
    ("Mexico", "Mexiko", "Mexico City", "Mexiko-Stadt"),
    ("Morocco", "Marokko", "Rabat", "Rabat"),
    ("Netherlands", "Niederlande", "Amsterdam", "Amsterdam"),
    ("New Zealand", "Neuseeland", "Wellington", "Wellington"),
    ("Nigeria", "Nigeria", "Abuja", "Abuja"),
    ("Norway", "Norwegen", "Oslo", "Oslo"),
    ("Pakistan", "Pakistan", "Islamabad", "Islamabad"),
    ("Peru", "Peru", "Lima", "Lima"),
    ("Philippines", "Philippinen", "Manila", "Manila"),
    ("Poland", "Polen", "Warsaw", "Warschau"),
    ("Portugal", "Portugal", "Lisbon", "Lissabon"),
    ("Romania", "Rumänien", "Bucharest", "Bukarest"),
    ("Russia", "Russland", "Moscow", "Moskau"),
    ("Saudi Arabia", "Saudi-Arabien", "Riyadh", "Riad"),
    ("Senegal", "Senegal", "Dakar", "Dakar"),
    ("Serbia", "Serbien", "Belgrade", "Belgrad"),
    ("Slovakia", "Slowakei", "Bratislava", "Bratislava"),
    ("Slovenia", "Slowenien", "Ljubljana", "Ljubljana"),
    ("South Korea", "Südkorea", "Seoul", "Seoul"),
    ("Spain", "Spanien", "Madrid", "Madrid"),
    ("Sweden", "Schweden", "Stockholm", "Stockholm"),
    ("Switzerland", "Schweiz", "Bern", "Bern"),
    ("Thailand", "Thailand", "Bangkok", "Bangkok"),
    ("Tunisia", "Tunesien", "Tunis", "Tunis"),
    ("Turkey", "Türkei", "Ankara", "Ankara"),
    ("Ukraine", "Ukraine", "Kyiv", "Kiew"),
    ("United Kingdom", "Großbritannien", "London", "London"),
    ("United States", "USA", "Washington", "Washington"),
    ("Uruguay", "Uruguay", "Montevideo", "Montevideo"),
    ("Venezuela", "Venezuela", "Caracas", "Caracas"),
    ("Vietnam", "Vietnam", "Hanoi", "Hanoi"),
    // @end
    // @if germany
    ("Baden-Württemberg", "Baden-Württemberg", "Stuttgart", "Stuttgart"),
    ("Bavaria", "Bayern", "Munich", "München"),
    ("Brandenburg", "Brandenburg", "Potsdam", "Potsdam"),
    ("Hesse", "Hessen", "Wiesbaden", "Wiesbaden"),
    ("Lower Saxony", "Niedersachsen", "Hanover", "Hannover"),
    ("Mecklenburg-Western Pomerania", "Mecklenburg-Vorpommern", "Schwerin", "Schwerin"),
    ("North Rhine-Westphalia", "Nordrhein-Westfalen", "Düsseldorf", "Düsseldorf"),
    ("Rhineland-Palatinate", "Rheinland-Pfalz", "Mainz", "Mainz"),
    ("Saarland", "Saarland", "Saarbrücken", "Saarbrücken"),
    ("Saxony", "Sachsen", "Dresden", "Dresden"),
    ("Saxony-Anhalt", "Sachsen-Anhalt", "Magdeburg", "Magdeburg"),
    ("Schleswig-Holstein", "Schleswig-Holstein", "Kiel", "Kiel"),
    ("Thuringia", "Thüringen", "Erfurt", "Erfurt"),
    // @end
    // @if states
    ("Alabama", "Alabama", "Montgomery", "Montgomery"),
    ("Alaska", "Alaska", "Juneau", "Juneau"),
    ("Arizona", "Arizona", "Phoenix", "Phoenix"),
    ("California", "Kalifornien", "Sacramento", "Sacramento"),
    ("Colorado", "Colorado", "Denver", "Denver"),
    ("Florida", "Florida", "Tallahassee", "Tallahassee"),
    ("Georgia", "Georgia", "Atlanta", "Atlanta"),
    ("Hawaii", "Hawaii", "Honolulu", "Honolulu"),
    ("Illinois", "Illinois", "Springfield", "Springfield"),
    ("Indiana", "Indiana", "Indianapolis", "Indianapolis"),
    ("Louisiana", "Louisiana", "Baton Rouge", "Baton Rouge"),
    ("Massachusetts", "Massachusetts", "Boston", "Boston"),
    ("Michigan", "Michigan", "Lansing", "Lansing"),
    ("Minnesota", "Minnesota", "Saint Paul", "Saint Paul"),
    ("Nevada", "Nevada", "Carson City", "Carson City"),
    ("New York", "New York", "Albany", "Albany"),
    ("Ohio", "Ohio", "Columbus", "Columbus"),
    ("Oregon", "Oregon", "Salem", "Salem"),
    ("Pennsylvania", "Pennsylvania", "Harrisburg", "Harrisburg"),
    ("Texas", "Texas", "Austin", "Austin"),
    ("Utah", "Utah", "Salt Lake City", "Salt Lake City"),
    ("Virginia", "Virginia", "Richmond", "Richmond"),
    ("Washington", "Washington", "Olympia", "Olympia"),
    // @end
];
// @end
// @if elements
// @if quiz
fn draw(german: bool) -> Result<Question, HostError> {
    Ok(question(host::pick(ELEMENTS)?, german))
}

fn pattern(question: &Question, german: bool) -> String {
    if german {
        format!("das Symbol für {} ist ...", question.about)
    } else {
        format!("the symbol for {} is ...", question.about)
    }
}
// @end

// @if check
fn find(about: &str, german: bool) -> Option<Question> {
    let about = plain(about);
    ELEMENTS.iter().find(|row| plain(row.0) == about || plain(row.1) == about).map(|row| question(row, german))
}
// @end

fn solution(question: &Question, german: bool) -> String {
    if german {
        format!("Das Symbol für {} ist {}.", question.about, question.answer)
    } else {
        format!("The symbol for {} is {}.", question.about, question.answer)
    }
}

type Element = (&'static str, &'static str, &'static str);

fn question(row: &Element, german: bool) -> Question {
    let (about, text) = if german {
        (row.1, format!("Welches chemische Symbol hat {}?", row.1))
    } else {
        (row.0, format!("What is the chemical symbol for {}?", row.0))
    };
    Question { text, about: about.to_string(), answer: row.2.to_string(), also: String::new() }
}

const ELEMENTS: &[Element] = &[
    ("hydrogen", "Wasserstoff", "H"),
    ("helium", "Helium", "He"),
    ("lithium", "Lithium", "Li"),
    ("carbon", "Kohlenstoff", "C"),
    ("nitrogen", "Stickstoff", "N"),
    ("oxygen", "Sauerstoff", "O"),
    ("fluorine", "Fluor", "F"),
    ("neon", "Neon", "Ne"),
    ("sodium", "Natrium", "Na"),
    ("magnesium", "Magnesium", "Mg"),
    ("aluminium", "Aluminium", "Al"),
    ("silicon", "Silicium", "Si"),
    ("phosphorus", "Phosphor", "P"),
    ("sulfur", "Schwefel", "S"),
    ("chlorine", "Chlor", "Cl"),
    ("argon", "Argon", "Ar"),
    ("potassium", "Kalium", "K"),
    ("calcium", "Calcium", "Ca"),
    ("titanium", "Titan", "Ti"),
    ("chromium", "Chrom", "Cr"),
    ("manganese", "Mangan", "Mn"),
    ("iron", "Eisen", "Fe"),
    ("cobalt", "Cobalt", "Co"),
    ("nickel", "Nickel", "Ni"),
    ("copper", "Kupfer", "Cu"),
    ("zinc", "Zink", "Zn"),
    ("bromine", "Brom", "Br"),
    ("silver", "Silber", "Ag"),
    ("tin", "Zinn", "Sn"),
    ("iodine", "Jod", "I"),
    ("tungsten", "Wolfram", "W"),
    ("platinum", "Platin", "Pt"),
    ("gold", "Gold", "Au"),
    ("mercury", "Quecksilber", "Hg"),
    ("lead", "Blei", "Pb"),
    ("uranium", "Uran", "U"),
];
// @end
// @if sums
// @if quiz
fn draw(german: bool) -> Result<Question, HostError> {
    let sign = *host::pick(SIGNS)?;
    let (a, b) = match sign {
        '*' => (host::random_between(2, 10)?, host::random_between(2, 10)?),
        '/' => {
            let (b, result) = (host::random_between(2, 10)?, host::random_between(2, 10)?);
            (b * result, b)
        }
        '-' => {
            let (b, result) = (host::random_between(1, 50)?, host::random_between(0, 50)?);
            (b + result, b)
        }
        _ => (host::random_between(1, 50)?, host::random_between(1, 50)?),
    };
    Ok(question(a, sign, b, german))
}

fn pattern(question: &Question, german: bool) -> String {
    format!("{} {} ...", question.about, if german { "ist" } else { "is" })
}
// @end

// @if check
fn find(about: &str, german: bool) -> Option<Question> {
    let about = lower(about);
    let (left, sign, right) = NAMES.iter().find_map(|(name, sign)| {
        let (left, right) = about.split_once(name)?;
        Some((left.trim(), *sign, right.trim()))
    })?;
    let (a, b): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
    let in_range = a.abs() <= 1_000_000 && b.abs() <= 1_000_000 && !(sign == '/' && (b == 0 || a % b != 0));
    if in_range {
        Some(question(a, sign, b, german))
    } else {
        None
    }
}

const NAMES: &[(&str, char)] = &[
    ("times", '*'),
    ("mal", '*'),
    ("*", '*'),
    ("\u{d7}", '*'),
    ("x", '*'),
    ("plus", '+'),
    ("+", '+'),
    ("divided by", '/'),
    ("geteilt durch", '/'),
    ("/", '/'),
    (":", '/'),
    ("minus", '-'),
    (" - ", '-'),
];
// @end

fn solution(question: &Question, german: bool) -> String {
    format!("{} {} {}.", question.about, if german { "ist" } else { "is" }, question.answer)
}

fn question(a: i64, sign: char, b: i64, german: bool) -> Question {
    let (name, result) = match (sign, german) {
        ('*', false) => ("times", a * b),
        ('*', true) => ("mal", a * b),
        ('/', false) => ("divided by", a / b.max(1)),
        ('/', true) => ("geteilt durch", a / b.max(1)),
        ('-', _) => ("minus", a - b),
        _ => ("plus", a + b),
    };
    let about = format!("{} {} {}", a, name, b);
    let text = if german { format!("Was ist {}?", about) } else { format!("What is {}?", about) };
    Question { text, about, answer: result.to_string(), also: String::new() }
}

// @if quiz
const SIGNS: &[char] = &[
    // @if multiplication
    '*',
    // @end
    // @if division
    '/',
    // @end
    // @if addition
    '+',
    // @end
    // @if subtraction
    '-',
    // @end
];
// @end
// @end

// @include german

const GERMAN: &[&str] = &[
    "frag", "frage", "mich", "stelle", "stell", "nächste", "hauptstadt", "hauptstädte", "das", "für",
    "ist", "sind", "macht", "ergibt", "mal", "geteilt",
];
