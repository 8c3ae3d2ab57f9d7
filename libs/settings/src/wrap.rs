//! Lines of a bounded length.

/// Text in lines of at most `width` characters; a line feed in it stays, and the lines of a list are indented.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let indent = if paragraph.starts_with("- ") { "  " } else { "" };
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
            } else {
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(word);
            }
        }
        lines.push(line);
    }
    lines
}
