//! Markdown as HTML that can do nothing: what a model or a page wrote is text, and a link shows where it leads.

use std::fmt::Write;

use maud::{Markup, PreEscaped, Render, html};
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use shared_types::text;
use web::html::clean;

/// The longest text that is read as Markdown, in bytes; a longer one is shown as it stands.
const LONGEST: usize = 128 * 1024;
/// The most elements within each other; deeper ones are shown as text.
const MOST_DEEP: usize = 24;
/// How the addresses begin that become links.
const LINKS: [&str; 3] = ["http://", "https://", "mailto:"];

/// Markdown as HTML. HTML in it is shown as text, an image as its link, and a link with its whole address.
pub(super) fn shown(said: &str) -> Markup {
    if said.len() > LONGEST {
        return html! { p class="plain" { (clean(said)) } };
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::default();
    for event in Parser::new_ext(said, options) {
        writer.take(event);
    }
    PreEscaped(writer.html)
}

#[derive(Debug, Default)]
struct Writer {
    html: String,
    /// How the elements end that are open.
    ends: Vec<&'static str>,
    is_head: bool,
    /// The addresses of the links that are open; only the outermost is one in HTML.
    addresses: Vec<String>,
    /// What the outermost says so far.
    said: String,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                self.begin_link(link_type, &dest_url)
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(),
            Event::Start(tag) if self.ends.len() < MOST_DEEP => {
                let (start, end) = self.element(&tag);
                self.html.push_str(start);
                self.ends.push(end);
            }
            Event::Start(_) => {
                self.html.push(' ');
                self.ends.push("");
            }
            Event::End(tag) => {
                self.is_head &= tag != TagEnd::TableHead;
                self.html.push_str(self.ends.pop().unwrap_or_default());
            }
            Event::Code(code) => {
                self.html.push_str("<code>");
                self.text(&code);
                self.html.push_str("</code>");
            }
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text(&text),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.html.push_str("<br>"),
            Event::Rule => self.html.push_str("<hr>"),
            Event::TaskListMarker(is_done) => self.text(if is_done { "\u{2611} " } else { "\u{2610} " }),
        }
    }

    /// How an element begins and ends. The page has the one heading of the first rank.
    fn element(&mut self, tag: &Tag<'_>) -> (&'static str, &'static str) {
        match tag {
            Tag::Paragraph => ("<p>", "</p>"),
            Tag::Heading { level: HeadingLevel::H1, .. } => ("<h2>", "</h2>"),
            Tag::Heading { level: HeadingLevel::H2, .. } => ("<h3>", "</h3>"),
            Tag::Heading { .. } => ("<h4>", "</h4>"),
            Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>"),
            Tag::CodeBlock(_) => ("<pre><code>", "</code></pre>"),
            Tag::HtmlBlock => ("<p class=\"plain\">", "</p>"),
            Tag::List(Some(first)) => {
                let _ = write!(self.html, "<ol start=\"{first}\">");
                ("", "</ol>")
            }
            Tag::List(None) => ("<ul>", "</ul>"),
            Tag::Item => ("<li>", "</li>"),
            Tag::Table(_) => ("<div class=\"wide\" tabindex=\"0\"><table>", "</tbody></table></div>"),
            Tag::TableHead => {
                self.is_head = true;
                ("<thead><tr>", "</tr></thead><tbody>")
            }
            Tag::TableRow => ("<tr>", "</tr>"),
            Tag::TableCell if self.is_head => ("<th>", "</th>"),
            Tag::TableCell => ("<td>", "</td>"),
            Tag::Emphasis => ("<em>", "</em>"),
            Tag::Strong => ("<strong>", "</strong>"),
            Tag::Strikethrough => ("<del>", "</del>"),
            _ => ("", ""),
        }
    }

    fn text(&mut self, said: &str) {
        let said = clean(said);
        if !self.addresses.is_empty() {
            self.said.push_str(&said);
        }
        said.render_to(&mut self.html);
    }

    fn begin_link(&mut self, kind: LinkType, to: &str) {
        let to: String = to.chars().filter(|c| !text::is_unsafe(*c)).collect();
        let address = if kind == LinkType::Email { format!("mailto:{to}") } else { to };
        if self.addresses.is_empty() {
            self.said.clear();
            if leads_out(&address) {
                self.html.push_str("<a href=\"");
                address.render_to(&mut self.html);
                self.html.push_str("\" rel=\"noopener noreferrer\" target=\"_blank\">");
            }
        }
        self.addresses.push(address);
    }

    fn end_link(&mut self) {
        let Some(address) = self.addresses.pop() else { return };
        let is_outermost = self.addresses.is_empty();
        let bare = address.strip_prefix("mailto:").unwrap_or(&address);
        let is_said = is_outermost && (self.said == address || self.said == bare);
        if !is_said && !address.is_empty() {
            self.text(&format!(" ({address})"));
        }
        if is_outermost && leads_out(&address) {
            self.html.push_str("</a>");
        }
    }
}

/// Whether an address becomes a link.
fn leads_out(address: &str) -> bool {
    let begins =
        |start: &str| address.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    LINKS.into_iter().any(begins)
}

#[cfg(test)]
mod tests;
