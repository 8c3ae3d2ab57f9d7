//! Pairs of a text and what is to be made of it, as people write them: `4 is IV`, `4 -> IV`, `4 = IV`, or rows of a table.

/// What stands between the two texts of a pair, the plainest first.
const BETWEEN: [&str; 13] = [
    "\t",
    " -> ",
    " => ",
    " → ",
    "->",
    "=>",
    " | ",
    " = ",
    " becomes ",
    " wird zu ",
    " is ",
    " ist ",
    " wird ",
];

/// How a wish by examples begins and continues, before the examples themselves.
const HEADS: [(&str, &str); 6] = [
    ("learn ", "from examples"),
    ("learn ", "from these examples"),
    ("lerne ", "aus beispielen"),
    ("lern ", "aus beispielen"),
    ("lerne ", "aus diesen beispielen"),
    ("lern ", "aus diesen beispielen"),
];
/// Words that stand for the wish itself.
const NO_NAME: [&str; 6] = ["", "it", "this", "es", "das", "dies"];

/// A wish that is expressed by examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// What the examples are called, if the person says so.
    pub name: Option<String>,
    /// The examples.
    pub pairs: Vec<(String, String)>,
}

/// Reads `learn roman numbers from examples: 1 is I, 4 is IV`, with the examples in one line or each in its own.
pub fn lesson(text: &str) -> Option<Lesson> {
    let text = text.trim();
    let (name, rest) = HEADS.iter().find_map(|(begin, on)| {
        let start = text.get(..begin.len()).filter(|start| start.eq_ignore_ascii_case(begin))?.len();
        let at = text.to_ascii_lowercase().find(on).filter(|at| *at >= start)?;
        Some((text[start..at].trim(), &text[at + on.len()..]))
    })?;
    // A sentence that continues is not a list of examples.
    if name.len() > 60
        || name.contains('\n')
        || !rest.is_empty() && !rest.starts_with([':', '\n', ' ', '.', '!'])
    {
        return None;
    }
    let rest = rest.trim_start_matches([':', ' ', '.', '!', '\n']);
    let pairs: Vec<(String, String)> = rest.lines().flat_map(read_all).collect();
    if pairs.is_empty() && !rest.is_empty() {
        return None;
    }
    let name = Some(name).filter(|name| !NO_NAME.contains(&name.to_lowercase().as_str()));
    Some(Lesson { name: name.map(str::to_owned), pairs })
}

/// Reads a line as one pair.
pub fn read(line: &str) -> Option<(String, String)> {
    let row = line.trim().trim_start_matches('|').trim_end_matches('|').trim();
    let (input, output) = BETWEEN.iter().find_map(|between| row.split_once(between))?;
    let (input, output) = (bare(input), bare(output));
    let is_rule = |text: &str| text.chars().all(|c| c == '-' || c == ':');
    (!is_rule(input) || !is_rule(output)).then(|| (input.to_owned(), output.to_owned()))
}

/// Reads a line as pairs with commas or semicolons between them, or as one pair.
pub fn read_all(line: &str) -> Vec<(String, String)> {
    for mark in ["; ", ", "] {
        let parts: Option<Vec<(String, String)>> = line.split(mark).map(read).collect();
        if let Some(parts) = parts.filter(|parts| parts.len() > 1) {
            return parts;
        }
    }
    read(line).into_iter().collect()
}

/// A text without the quotation marks around it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let quoted = [('"', '"'), ('“', '”'), ('„', '“'), ('`', '`')]
        .into_iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    quoted.unwrap_or(text)
}

#[cfg(test)]
mod tests;
