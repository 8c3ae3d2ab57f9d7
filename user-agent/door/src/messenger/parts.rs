//! A long text in several messages.

/// Cuts a text into at most `most` parts. `edge` says where a text ends that fits into a message, if it does not fit as it is. A part
/// ends at the last of these characters, those first that stand first; else at the edge. The last part says where something is left out.
pub(crate) fn cut(
    text: &str,
    most: usize,
    edge: impl Fn(&str) -> Option<usize>,
    between: &[char],
) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(edge) = edge(rest) {
        if parts.len() + 1 == most {
            parts.push(format!("{} [...]", &rest[..edge]));
            return parts;
        }
        let fits = &rest[..edge];
        let at = between.iter().find_map(|one| Some((fits.rfind(*one).filter(|at| *at > 0)?, *one)));
        let (part, next) = match at {
            Some((at, one)) => (&rest[..at], rest[at..].trim_start_matches(one)),
            None => rest.split_at(edge),
        };
        parts.push(part.to_owned());
        rest = next;
    }
    if parts.is_empty() || !rest.is_empty() {
        parts.push(rest.to_owned());
    }
    parts
}
