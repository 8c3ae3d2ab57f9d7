//! From rules to numbers: words to symbols, patterns to steps.

use std::collections::{BTreeMap, BTreeSet};

use crate::hash;
use crate::inflect::forms;
use crate::pattern::{Place, What, parse};
use crate::source::{Rule, RuleFile};
use crate::words::{self, Listener, Word};

/// Everything that becomes a table.
#[derive(Default)]
pub(crate) struct Tables<'a> {
    /// The symbols of each word's key.
    pub(crate) words: BTreeMap<u32, BTreeSet<u16>>,
    /// The symbols of each misspelt word's key.
    pub(crate) scrambled: BTreeMap<u32, BTreeSet<u16>>,
    /// All steps of all patterns, each pattern's in order.
    pub(crate) steps: Vec<Step>,
    /// Sign, symbol, whether only at the start of a line.
    pub(crate) marks: Vec<(String, u16, bool)>,
    pub(crate) rules: Vec<&'a Rule>,
    /// Names of symbols.
    pub(crate) symbols: BTreeMap<String, u16>,
    /// How many of the symbols some step waits for; these have the lowest numbers.
    pub(crate) waiting: usize,
    /// The alternatives in brackets that have been compiled.
    known: BTreeSet<String>,
}

/// One step of a pattern.
pub(crate) struct Step {
    pub(crate) symbol: u16,
    /// How many words may stand between it and the step before; none for a first step.
    pub(crate) gap: Option<u8>,
    /// Whether a sentence must begin here.
    pub(crate) starts: bool,
    pub(crate) end: Option<Target>,
}

/// What a whole pattern does.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// It stands for a symbol.
    Symbol(u16),
    /// It fires a rule.
    Rule(u16),
}

/// Compiles all files.
pub(crate) fn compile(files: &[RuleFile]) -> Tables<'_> {
    let mut tables = Tables::default();
    for name in files.iter().flat_map(|f| f.classes.keys().chain(f.marks.keys())) {
        let next = u16::try_from(tables.symbols.len()).expect("few classes");
        let before = tables.symbols.insert(format!("{{{name}}}"), next);
        assert!(before.is_none(), "the class `{name}` is there twice");
    }
    for builtin in BUILT_IN {
        tables.symbol(&format!("{{{builtin}}}"));
    }
    for file in files {
        for (name, items) in &file.classes {
            let symbol = tables.class(name);
            for item in items.split(',').map(str::trim).filter(|item| !item.is_empty()) {
                tables.item(item, symbol);
            }
        }
        for (name, signs) in &file.marks {
            let symbol = tables.class(name);
            for sign in signs {
                let (text, line) = match sign.strip_prefix('\n') {
                    Some(rest) => (rest, true),
                    None => (sign.as_str(), false),
                };
                tables.marks.push((text.to_lowercase(), symbol, line));
            }
        }
        for rule in &file.rules {
            let number = u16::try_from(tables.rules.len()).expect("few rules");
            assert!(tables.rules.iter().all(|r| r.id != rule.id), "the rule `{}` is there twice", rule.id);
            assert!(rule.score.abs() < 1.0, "{}: a score is between -1 and 1", rule.id);
            tables.rules.push(rule);
            for pattern in &rule.patterns {
                tables.pattern(pattern, Target::Rule(number));
            }
        }
    }
    for file in files {
        tables.misspelt(file);
        tables.disguised(file);
    }
    tables.waiting_first();
    tables.marks.sort();
    tables
}

/// Symbols that the machine itself gives.
const BUILT_IN: [&str; 4] = ["filler", "mail", "rot13", "backwards"];

impl Tables<'_> {
    /// The symbol of a name, new if need be.
    fn symbol(&mut self, name: &str) -> u16 {
        let next = u16::try_from(self.symbols.len()).expect("few symbols");
        *self.symbols.entry(name.to_owned()).or_insert(next)
    }

    fn class(&self, name: &str) -> u16 {
        *self.symbols.get(&format!("{{{name}}}")).unwrap_or_else(|| panic!("there is no class `{name}`"))
    }

    /// Adds a word or phrase to a class.
    fn item(&mut self, item: &str, symbol: u16) {
        let single = !item.contains([' ', '{', '(', '^']);
        let forms = if single { forms(item) } else { Vec::new() };
        if single && forms.iter().all(|form| keys(form).len() == 1) {
            for form in forms {
                self.words.entry(keys(&form)[0]).or_default().insert(symbol);
            }
        } else {
            self.pattern(item, Target::Symbol(symbol));
        }
    }

    fn pattern(&mut self, text: &str, target: Target) {
        let parsed = parse(text);
        for order in parsed.orders {
            let mut steps: Vec<Step> = Vec::new();
            for place in order {
                for (symbol, gap) in self.place(&place) {
                    let gap = (!steps.is_empty()).then_some(gap);
                    let starts = steps.is_empty() && parsed.starts;
                    steps.push(Step { symbol, gap, starts, end: None });
                }
            }
            if let Some(last) = steps.last_mut() {
                last.end = Some(target);
            }
            self.steps.extend(steps);
        }
    }

    /// The symbols of a place: one, or several for a word that is written without spaces.
    fn place(&mut self, place: &Place) -> Vec<(u16, u8)> {
        match &place.what {
            What::Class(name) => vec![(self.class(name), place.gap)],
            What::OneOf(alternatives) => {
                let name = format!("({})", alternatives.join("|"));
                let symbol = self.symbol(&name);
                if self.known.insert(name) {
                    for alternative in alternatives {
                        self.item(alternative, symbol);
                    }
                }
                vec![(symbol, place.gap)]
            }
            What::Word(word) => {
                let plain = keys(word.trim_end_matches(['~', '+']));
                if plain.len() > 1 {
                    let mut symbols = Vec::new();
                    for (at, key) in plain.into_iter().enumerate() {
                        let symbol = self.symbol(&format!("#{key}"));
                        self.words.entry(key).or_default().insert(symbol);
                        symbols.push((symbol, if at == 0 { place.gap } else { 0 }));
                    }
                    return symbols;
                }
                let symbol = self.symbol(word);
                for form in forms(word) {
                    self.words.entry(keys(&form)[0]).or_default().insert(symbol);
                }
                vec![(symbol, place.gap)]
            }
        }
    }

    /// Numbers the symbols anew: first those that some step waits for, then those that can only begin a pattern.
    fn waiting_first(&mut self) {
        let mut waits = vec![false; self.symbols.len()];
        for step in &self.steps {
            waits[usize::from(step.symbol)] |= step.gap.is_some() || step.end.is_some();
        }
        self.waiting = waits.iter().filter(|waits| **waits).count();
        let (mut waiting, mut idle) = (0, u16::try_from(self.waiting).expect("few symbols"));
        let numbers: Vec<u16> = waits
            .into_iter()
            .map(|waits| {
                let next = if waits { &mut waiting } else { &mut idle };
                *next += 1;
                *next - 1
            })
            .collect();
        let new = |symbol: &u16| numbers[usize::from(*symbol)];
        for symbol in self.symbols.values_mut() {
            *symbol = new(symbol);
        }
        for set in self.words.values_mut().chain(self.scrambled.values_mut()) {
            *set = set.iter().map(new).collect();
        }
        for (_, symbol, _) in &mut self.marks {
            *symbol = new(symbol);
        }
        for step in &mut self.steps {
            step.symbol = new(&step.symbol);
            if let Some(Target::Symbol(symbol)) = &mut step.end {
                *symbol = new(symbol);
            }
        }
    }

    /// Lets swapped letters count for the words of some classes.
    fn misspelt(&mut self, file: &RuleFile) {
        for word in single_words(file, &file.typos) {
            let letters: Vec<char> = word.chars().collect();
            let (Some(first), Some(last)) = (letters.first(), letters.last()) else { continue };
            if letters.len() < 6 || !word.is_ascii() {
                continue;
            }
            let sum = letters.iter().fold(0, |sum: u32, c| sum.wrapping_add(hash::unordered(*c)));
            let count = u32::try_from(letters.len()).expect("a short word");
            let symbols = self.words.get(&keys(&word)[0]).cloned().unwrap_or_default();
            self.scrambled.entry(hash::scrambled(*first, sum, *last, count)).or_default().extend(symbols);
        }
    }

    /// Makes words backwards and in rot13 known as such.
    fn disguised(&mut self, file: &RuleFile) {
        let (rot13, backwards) = (self.class("rot13"), self.class("backwards"));
        for word in single_words(file, &file.hints).into_iter().filter(|w| w.len() >= 5 && w.is_ascii()) {
            let turned: String = word.chars().rev().collect();
            let rotated: String = word.bytes().map(|b| char::from((b - b'a' + 13) % 26 + b'a')).collect();
            for (disguise, symbol) in [(turned, backwards), (rotated, rot13)] {
                let key = keys(&disguise)[0];
                // A word that means something as it stands is not a disguise.
                if !self.words.contains_key(&key) {
                    self.words.entry(key).or_default().insert(symbol);
                }
            }
        }
    }
}

fn single_words(file: &RuleFile, classes: &[String]) -> Vec<String> {
    let lists = classes.iter().map(|name| {
        file.classes.get(name).unwrap_or_else(|| panic!("there is no class `{name}` in the same file"))
    });
    let items = lists.flat_map(|list| list.split(',')).map(str::trim);
    let words = items.filter(|item| !item.contains([' ', '{', '(', '^']));
    words.flat_map(forms).filter(|w| w.bytes().all(|b| b.is_ascii_lowercase())).collect()
}

/// The keys of the words in a text.
fn keys(text: &str) -> Vec<u32> {
    struct Keys(Vec<u32>);
    impl Listener for Keys {
        fn word(&mut self, word: &Word) {
            self.0.push(word.key);
        }
        fn stop(&mut self, _: bool) {}
        fn line(&mut self) {}
        fn mark(&mut self, _: &str, _: bool) {}
        fn at_sign(&mut self) {}
        fn spaced(&mut self, _: &[(char, bool)]) {}
    }
    let mut keys = Keys(Vec::new());
    words::read(text, &mut keys);
    assert!(!keys.0.is_empty(), "`{text}` has no word");
    keys.0
}
