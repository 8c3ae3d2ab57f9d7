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
    /// Words by the name under which rules speak of them, in capitals.
    classes: BTreeMap<String, String>,
    emergency: Vec<Group>,
    self_harm: Vec<Group>,
    abuse: Vec<Group>,
}

/// Rules with what takes their match away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(default)]
    unless: String,
    say: Vec<String>,
}

/// The tables of a language. An item is a set of words that stands at one place of a rule; the first are the fillers.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Words and beginnings of words, sorted, with the items that they belong to; `$` ends a whole word.
    pub(crate) forms: Vec<(String, Vec<u16>)>,
    /// Words in which one letter may be wrong.
    pub(crate) near: Vec<(String, Vec<u16>)>,
    pub(crate) items: usize,
    pub(crate) rules: Vec<RuleOfNeed>,
}

/// A rule: its kind, its items with the gap before each, and the items that take the match away.
#[derive(Debug)]
pub(crate) struct RuleOfNeed {
    pub(crate) kind: &'static str,
    pub(crate) steps: Vec<(u8, u16)>,
    pub(crate) unless: Vec<u16>,
}

impl Need {
    /// The tables of the rules. A rule that names an unknown class or spans too many words stops the build.
    pub(crate) fn tables(&self) -> Tables {
        let mut build = Build { need: self, items: BTreeMap::new() };
        build.item(&self.filler.replace(' ', "|"));
        let kinds = [("Emergency", &self.emergency), ("SelfHarm", &self.self_harm), ("Abuse", &self.abuse)];
        let mut rules = Vec::new();
        for (kind, group) in
            kinds.into_iter().flat_map(|(kind, groups)| groups.iter().map(move |g| (kind, g)))
        {
            let unless: Vec<u16> = group.unless.split_whitespace().map(|item| build.item(item)).collect();
            for say in &group.say {
                rules.push(RuleOfNeed { kind, steps: build.steps(say), unless: unless.clone() });
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
        let list = |table: BTreeMap<String, BTreeSet<u16>>| {
            table.into_iter().map(|(form, items)| (form, items.into_iter().collect())).collect()
        };
        Tables { forms: list(forms), near: list(near), items: build.items.len(), rules }
    }
}

struct Build<'a> {
    need: &'a Need,
    items: BTreeMap<String, u16>,
}

impl<'a> Build<'a> {
    fn item(&mut self, text: &str) -> u16 {
        let next = u16::try_from(self.items.len()).expect("a language has few items");
        *self.items.entry(text.to_owned()).or_insert(next)
    }

    fn steps(&mut self, say: &str) -> Vec<(u8, u16)> {
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
            steps.push((gap, self.item(part)));
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
