//! The help lines that a person in need is shown.

use shared_types::region::REGIONS;
use shared_types::settings::Section;
use shared_types::text;

/// The most lines of one's own, and the longest of them, in characters.
const MOST: usize = 8;
const LONGEST: usize = 100;

/// Which help lines are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelpLines {
    /// The country by its code, or `eu` for Europe; without one the lines of every country stand with their country.
    pub region: Option<&'static str>,
    /// Lines of one's own, shown before the others.
    pub own: Vec<String>,
}

/// A country: its emergency number, and who listens.
struct Country {
    code: &'static str,
    /// As its people call it.
    name: &'static str,
    /// The language that most of them speak, and that the line is in; Europe has a line for each.
    language: &'static str,
    emergency: &'static str,
    listens: &'static [&'static str],
}

/// The countries whose lines are shipped. They were written from general knowledge and checked against no source: an operator
/// should check those of the own country, and can add lines under `own`.
const COUNTRIES: [Country; REGIONS.len() + 1] = [
    Country {
        code: "de",
        name: "Deutschland",
        language: "de",
        emergency: "112",
        listens: &["116 111 (Kinder, Jugend)", "0800 111 0 111 (TelefonSeelsorge)"],
    },
    Country {
        code: "at",
        name: "Österreich",
        language: "de",
        emergency: "112",
        listens: &["147 (Rat auf Draht)", "142 (Telefonseelsorge)"],
    },
    Country {
        code: "ch",
        name: "Schweiz",
        language: "de",
        emergency: "112",
        listens: &["147 (Pro Juventute)", "143 (Die Dargebotene Hand)"],
    },
    Country {
        code: "gb",
        name: "United Kingdom",
        language: "en",
        emergency: "999",
        listens: &["0800 1111 (Childline)", "116 123 (Samaritans)"],
    },
    Country {
        code: "ie",
        name: "Ireland",
        language: "en",
        emergency: "112",
        listens: &["1800 66 66 66 (Childline)", "116 123 (Samaritans)"],
    },
    Country {
        code: "us",
        name: "United States",
        language: "en",
        emergency: "911",
        listens: &["988 (Lifeline)", "1-800-422-4453 (Childhelp)"],
    },
    Country {
        code: "ca",
        name: "Canada",
        language: "en",
        emergency: "911",
        listens: &["1-800-668-6868 (Kids Help Phone)", "988 (Lifeline)"],
    },
    Country {
        code: "au",
        name: "Australia",
        language: "en",
        emergency: "000",
        listens: &["1800 55 1800 (Kids Helpline)", "13 11 14 (Lifeline)"],
    },
    Country {
        code: "nz",
        name: "New Zealand",
        language: "en",
        emergency: "111",
        listens: &["1737 (Need to talk?)"],
    },
    Country {
        code: "eu",
        name: "Europe",
        language: "en",
        emergency: "112",
        listens: &["116 111 (children)", "116 123 (emotional support)"],
    },
    Country {
        code: "eu",
        name: "Europa",
        language: "de",
        emergency: "112",
        listens: &["116 111 (Kinder, Jugend)", "116 123 (seelischer Beistand)"],
    },
];

impl HelpLines {
    pub(super) fn of(section: &mut Section) -> HelpLines {
        let region = REGIONS.into_iter().find(|code| *code == section.word("region"));
        let own = section.texts("own");
        let is_sound = |line: &String| {
            !line.trim().is_empty() && line.chars().count() <= LONGEST && !line.chars().any(text::is_unsafe)
        };
        if own.len() > MOST || !own.iter().all(is_sound) {
            section.fault("own", format!("at most {MOST} lines of 1 to {LONGEST} printable characters each"));
        }
        HelpLines { region, own }
    }

    /// The lines as a list, with a dash before each.
    pub fn listed(&self, language: &str) -> String {
        self.shown(language).iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
    }

    /// The lines, one for each number, or one for each country where the region is not known: there those that speak the
    /// language stand before Europe.
    pub fn shown(&self, language: &str) -> Vec<String> {
        let mut lines = self.own.clone();
        let of_region = || COUNTRIES.iter().filter(|country| Some(country.code) == self.region);
        match of_region().find(|country| country.language == language).or_else(|| of_region().next()) {
            Some(country) => {
                let label = if country.language == "de" { "Notruf" } else { "emergency" };
                lines.push(format!("{} ({label})", country.emergency));
                lines.extend(country.listens.iter().map(|line| (*line).to_owned()));
            }
            None => {
                let is_known = COUNTRIES.iter().any(|country| country.language == language);
                let theirs = |country: &&Country| match is_known {
                    true => country.language == language,
                    false => country.code == "eu" && country.language == "en",
                };
                let line = |country: &Country| {
                    format!("{}: {}, {}", country.name, country.emergency, country.listens.join(", "))
                };
                lines.extend(COUNTRIES.iter().filter(theirs).map(line));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests;
