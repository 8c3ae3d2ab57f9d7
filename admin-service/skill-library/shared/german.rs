/// The language of the wish that this skill was made of.
const LANGUAGE: &str = "@language";

/// Whether the answer is to be German: as the person's line is, and where it does not tell, as the wish was.
fn german(call: &Call) -> bool {
    let line = lower(call.line());
    let words = || line.split(|c| !matches!(c, '0'..='9' | 'a'..='z' | 'ß'..='ö' | 'ø'..='ž'));
    let count = |known: &str| words().filter(|word| known.split(' ').any(|other| other == *word)).count();
    let own = words().filter(|word| GERMAN.contains(word)).count();
    let (german, english) = (own + count(GERMAN_WORDS), count(ENGLISH_WORDS));
    german > english || german == english && LANGUAGE == "de"
}

/// Words that English has not.
const GERMAN_WORDS: &str = "ich du wir mir mich uns mein meine der das den dem ein eine einen und oder ist sind wie wer wann wo viel viele bitte mal für mit von auf zu noch nicht kannst hast gib sag zeig welche welcher welches nochmal einmal noch wieder dann danach";

/// Words that German has not.
const ENGLISH_WORDS: &str = "i you we me us my our the a of and or is are how what who when where many much please for with from on to not can do does have give tell show which";
