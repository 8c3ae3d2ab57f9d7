//! HTML to text: titles, headings, lists, links; no script, no style, no comment.
//!
//! One pass from left to right without recursion: each byte is looked at a bounded number of times regardless of the
//! page, and nesting costs nothing. A page that is broken off or wrong gives the text that can be seen in it.

use models::http::Address;

use super::entities;

/// The longest text of one page, in bytes.
const MOST_TEXT: usize = 512 * 1024;
/// The most addresses that are written out.
const MOST_LINKS: usize = 300;
/// The longest name of an element that is known, in bytes.
const MAX_NAME: usize = 16;

/// Elements of which nothing is shown; their content is not even read as HTML.
const UNSHOWN: [&str; 10] =
    ["script", "style", "noscript", "template", "iframe", "object", "svg", "math", "select", "textarea"];
/// Elements that begin a line of their own.
const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "title",
    "tr",
    "ul",
];

/// Whether a page is HTML: by its type, or by how it begins where the server names none.
pub(super) fn is_html(kind: &str, body: &str) -> bool {
    let begins = || {
        let start: String = body.trim_start().chars().take(14).collect::<String>().to_ascii_lowercase();
        start.starts_with("<!doctype html") || start.starts_with("<html")
    };
    matches!(kind, "text/html" | "application/xhtml+xml") || kind.is_empty() && begins()
}

/// The text of an HTML page; links are written out against `base`.
pub(super) fn text(html: &str, base: Option<&Address>) -> String {
    let mut page = Page { base, ..Page::default() };
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        page.words(&rest[..at]);
        rest = page.markup(&rest[at..]);
        if page.out.len() >= MOST_TEXT {
            page.out.push_str("\n[the text of this page is cut here]");
            return page.out;
        }
    }
    page.words(rest);
    page.close_link();
    page.out.truncate(page.out.trim_end().len());
    page.out
}

#[derive(Default)]
struct Page<'a> {
    base: Option<&'a Address>,
    out: String,
    /// Whether a blank was read since the last word.
    blank: bool,
    /// Whether blanks and line ends count, as within `pre`.
    kept: bool,
    link: Option<String>,
    links: usize,
}

/// One tag as it stands in the page.
struct Tag<'a> {
    name: String,
    closes: bool,
    attributes: &'a str,
}

impl Page<'_> {
    /// Takes one piece of markup off the front of `rest`, which begins with `<`.
    fn markup<'a>(&mut self, rest: &'a str) -> &'a str {
        if let Some(comment) = rest.strip_prefix("<!--") {
            return comment.find("-->").map_or("", |end| &comment[end + 3..]);
        }
        let after = rest.as_bytes().get(1).copied().unwrap_or(b' ');
        if matches!(after, b'!' | b'?') {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
        if !after.is_ascii_alphabetic() && after != b'/' {
            // No tag: the sign itself.
            self.words("<");
            return &rest[1..];
        }
        let (tag, rest) = tag(rest);
        if !tag.closes && UNSHOWN.contains(&tag.name.as_str()) {
            let is_empty =
                tag.attributes.trim_end().ends_with('/') && matches!(tag.name.as_str(), "svg" | "math");
            return if is_empty { rest } else { beyond(rest, &tag.name) };
        }
        self.tag(&tag);
        rest
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        match (tag.name.as_str(), tag.closes) {
            ("a", false) => {
                self.close_link();
                self.link = attribute(tag.attributes, "href").and_then(|href| self.address(&href));
            }
            ("a", true) => self.close_link(),
            ("br", _) => self.line(1),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.line(2);
                let level = usize::from(tag.name.as_bytes()[1] - b'0');
                self.out.push_str(&"#".repeat(level));
                self.blank = true;
            }
            ("title", false) => {
                self.line(2);
                self.out.push('#');
                self.blank = true;
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "title" | "table" | "ul" | "ol", true) => {
                self.line(2)
            }
            ("li", false) => {
                self.line(1);
                self.out.push('-');
                self.blank = true;
            }
            ("td" | "th", false) if !self.out.is_empty() && !self.out.ends_with('\n') => {
                self.out.push_str(" |");
                self.blank = true;
            }
            ("img", false) => {
                if let Some(alt) = attribute(tag.attributes, "alt").filter(|alt| !alt.trim().is_empty()) {
                    self.plain(&format!("[{}]", alt.trim()));
                }
            }
            ("pre", closes) => {
                self.line(1);
                self.kept = !closes;
            }
            (name, _) if BLOCKS.contains(&name) => self.line(1),
            _ => {}
        }
    }

    /// Adds text as it stands in the page.
    fn words(&mut self, raw: &str) {
        if !raw.is_empty() {
            self.plain(&entities::resolved(raw));
        }
    }

    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' if self.kept => self.out.push('\n'),
                c if c.is_whitespace() && !self.kept => self.blank = true,
                c if c.is_control() && c != '\t' => {}
                c => {
                    let at_start = self.out.is_empty() || self.out.ends_with('\n');
                    if std::mem::take(&mut self.blank) && !at_start {
                        self.out.push(' ');
                    }
                    self.out.push(c);
                }
            }
        }
    }

    /// Ends the line; two ends make a paragraph.
    fn line(&mut self, ends: usize) {
        self.blank = false;
        let kept = self.out.trim_end_matches([' ', '\n']).len();
        let there = self.out[kept..].matches('\n').count();
        self.out.truncate(kept);
        if kept > 0 {
            self.out.push_str(&"\n".repeat(ends.max(there).min(2)));
        }
    }

    fn close_link(&mut self) {
        if let Some(address) = self.link.take() {
            self.links += 1;
            self.plain(&format!(" <{address}>"));
        }
    }

    /// The address of a link, where it is one of the web and leads to another page.
    fn address(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if self.links >= MOST_LINKS || href.is_empty() || href.starts_with('#') {
            return None;
        }
        Some(self.base?.join(href)?.to_string())
    }
}

/// Takes a tag off the front; one without an end takes the rest of the page.
fn tag(rest: &str) -> (Tag<'_>, &str) {
    let closes = rest.as_bytes().get(1) == Some(&b'/');
    let inner = &rest[if closes { 2 } else { 1 }..];
    let named = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let name = if named <= MAX_NAME { inner[..named].to_ascii_lowercase() } else { String::new() };
    let mut quote = None;
    for (at, byte) in inner.bytes().enumerate().skip(named) {
        match (quote, byte) {
            (None, b'>') => return (Tag { name, closes, attributes: &inner[named..at] }, &inner[at + 1..]),
            // A quote counts only as the start of a value; elsewhere it is a stray sign.
            (None, b'"' | b'\'') if inner[..at].trim_end().ends_with('=') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    // Without its end: as browsers do, up to the next bracket, regardless of the quotes.
    match inner.find('>') {
        Some(at) if at >= named => (Tag { name, closes, attributes: &inner[named..at] }, &inner[at + 1..]),
        _ => (Tag { name, closes, attributes: "" }, ""),
    }
}

/// What comes after the end of an element whose content is not HTML.
fn beyond<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let inner = &rest[from + at + 2..];
        let is_end = inner.len() >= name.len()
            && inner.is_char_boundary(name.len())
            && inner[..name.len()].eq_ignore_ascii_case(name)
            && !inner.as_bytes().get(name.len()).is_some_and(u8::is_ascii_alphanumeric);
        if is_end {
            return inner.find('>').map_or("", |end| &inner[end + 1..]);
        }
        from += at + 2;
    }
    ""
}

/// The value of an attribute.
fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '/')).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let after = after.trim_start();
        let Some(value) = after.strip_prefix('=') else {
            if after.is_empty() {
                return None;
            }
            // A sign that neither begins a name nor a value is passed over.
            rest = if name.is_empty() {
                &after[after.chars().next().map_or(0, char::len_utf8)..]
            } else {
                after
            };
            continue;
        };
        let value = value.trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inner = &value[1..];
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(entities::resolved(value));
        }
        rest = after;
    }
}
