//! `need.yaml`: how people in need speak, and its tables.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::squeeze::squeeze;

/// The most words between two items of a rule, by the sign that stands between them.
const GAPS: [(&str, u8); 2] = [("..", 4), ("...", 8)];

/// The most words that a rule may span: what two windows of the matcher have in common.
const MAX_SPAN: usize = 32;

/// `need.yaml`. A word with `*` behind it is the beginning of words; one with `~` before it may have one wrong letter.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Need {
    /// Words that are passed over.
    filler: String,
    /// The words, beside those, of short lines that continue about what was said before.
    after: String,
    /// Words by the name under which rules speak of them, in capitals.
    classes: BTreeMap<String, String>,
    emergency: Vec<Group>,
    self_harm: Vec<Group>,
    abuse: Vec<Group>,
    another: Vec<Group>,
}

/// Rules with what takes their match away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(default)]
    unless: String,
    say: Vec<String>,
}

/// The tables of a language, packed as `data::need` reads them. An item is a set of words that stands at one place of a rule;
/// the first are the fillers, then the words of a line that continues.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) forms: Packed,
    pub(crate) near: Packed,
    pub(crate) items: usize,
    pub(crate) groups: Vec<u16>,
}

/// Words with their items, sorted.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub(crate) text: String,
    pub(crate) ends: Vec<u16>,
    pub(crate) items: Vec<u16>,
    pub(crate) item_ends: Vec<u16>,
}

impl Packed {
    fn of(table: BTreeMap<String, BTreeSet<u16>>) -> Packed {
        let mut packed = Packed::default();
        let end = |len: usize| {
            u16::try_from(len).expect("need.yaml: the words of a language take less than 64 KiB")
        };
        for (form, items) in table {
            packed.text.push_str(&form);
            packed.items.extend(items);
            packed.ends.push(end(packed.text.len()));
            packed.item_ends.push(end(packed.items.len()));
        }
        packed
    }
}

/// A number of at most `bits` bits.
fn within(number: usize, bits: u32) -> u16 {
    assert!(number >> bits == 0, "need.yaml: a rule or a language has too many parts");
    u16::try_from(number).expect("it was just looked at")
}

impl Need {
    /// The tables of the rules. A rule that names an unknown class or spans too many words stops the build.
    pub(crate) fn tables(&self) -> Tables {
        let mut build = Build { need: self, items: BTreeMap::new() };
        for words in [&self.filler, &self.after] {
            build.item(&words.replace(' ', "|"));
        }
        let mut packed = Vec::new();
        for (kind, groups) in
            [&self.emergency, &self.self_harm, &self.abuse, &self.another].into_iter().enumerate()
        {
            for group in groups {
                let unless: Vec<u16> = group.unless.split_whitespace().map(|item| build.item(item)).collect();
                packed.extend([kind, unless.len(), group.say.len()].map(|number| within(number, 16)));
                packed.extend(unless);
                for say in &group.say {
                    let steps = build.steps(say);
                    packed.push(within(steps.len(), 16));
                    packed.extend(steps);
                }
            }
        }
        let mut forms = BTreeMap::<String, BTreeSet<u16>>::new();
        let mut near = BTreeMap::<String, BTreeSet<u16>>::new();
        let mut form = String::new();
        for (text, id) in &build.items {
            for word in build.words(text) {
                let plain = word.trim_start_matches('~');
                squeeze(plain.trim_end_matches('*'), &mut form);
                if plain != word {
                    near.entry(form.clone()).or_default().insert(*id);
                }
                if !plain.ends_with('*') {
                    form.push('$');
                }
                forms.entry(form.clone()).or_default().insert(*id);
            }
        }
        Tables { forms: Packed::of(forms), near: Packed::of(near), items: build.items.len(), groups: packed }
    }
}

struct Build<'a> {
    need: &'a Need,
    items: BTreeMap<String, u16>,
}

impl<'a> Build<'a> {
    fn item(&mut self, text: &str) -> u16 {
        let next = within(self.items.len(), 12);
        *self.items.entry(text.to_owned()).or_insert(next)
    }

    fn steps(&mut self, say: &str) -> Vec<u16> {
        let (mut steps, mut gap, mut span) = (Vec::new(), 0, 0);
        for part in say.split_whitespace() {
            if let Some((_, words)) = GAPS.iter().find(|(sign, _)| *sign == part) {
                gap = *words;
                continue;
            }
            span += usize::from(gap) + 1;
            let filler: Vec<&str> = self.need.filler.split(' ').collect();
            let is_word = |word: &&str| !filler.contains(&word.trim_start_matches('~'));
            assert!(self.words(part).iter().any(is_word), "need.yaml: `{part}` of `{say}` is passed over");
            steps.push(within(usize::from(gap), 4) << 12 | self.item(part));
            gap = 0;
        }
        assert!(!steps.is_empty() && gap == 0 && span <= MAX_SPAN, "need.yaml: `{say}`");
        steps
    }

    /// The words of an item, classes opened.
    fn words<'t>(&'t self, item: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        for part in item.split('|') {
            if part.starts_with(char::is_uppercase) {
                let class = self.need.classes.get(part);
                let class = class.unwrap_or_else(|| panic!("need.yaml: no class `{part}`"));
                for word in class.split_whitespace() {
                    words.extend(if word.starts_with(char::is_uppercase) {
                        self.words(word)
                    } else {
                        vec![word]
                    });
                }
            } else {
                words.push(part);
            }
        }
        words
    }
}
