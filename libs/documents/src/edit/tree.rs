//! Where each value of a text stands.

use granit_parser::{Event, Parser, Span, StructureStyle};

/// A value and its bytes; a block ends where its last value does.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Scalar,
    Map { entries: Vec<Place>, is_flow: bool },
    List { items: Vec<Node>, is_flow: bool },
}

/// A key of a mapping, and its value.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) key: String,
    pub(super) key_start: usize,
    pub(super) key_end: usize,
    pub(super) value: Node,
}

impl Node {
    /// The items of a list.
    pub(super) fn items(&self) -> &[Node] {
        if let Kind::List { items, .. } = &self.kind { items } else { &[] }
    }

    /// Whether no value is written.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.kind, Kind::Scalar) && self.start == self.end
    }
}

/// The tree of a text; nothing within where it holds no value, and `None` where this program does not read all of it.
#[expect(clippy::option_option, reason = "no tree and an empty one are two things")]
pub(super) fn read(text: &str) -> Option<Option<Node>> {
    let mut events = Parser::new_from_str(text).map_while(Result::ok);
    loop {
        let (event, span) = events.next()?;
        match event {
            Event::StreamStart | Event::DocumentStart(..) => {}
            Event::StreamEnd | Event::DocumentEnd => return Some(None),
            event => {
                let node = node(&mut events, event, &span)?;
                return Some(Some(node).filter(|node| !node.is_empty()));
            }
        }
    }
}

/// The key at the end of a path.
pub(super) fn key_of<'a>(root: &'a Node, path: &[&str]) -> Option<&'a Place> {
    let (first, rest) = path.split_first()?;
    match &root.kind {
        Kind::Map { entries, .. } => {
            let entry = entries.iter().find(|entry| entry.key == *first)?;
            if rest.is_empty() { Some(entry) } else { key_of(&entry.value, rest) }
        }
        Kind::List { items, .. } => key_of(items.get(first.parse::<usize>().ok()?)?, rest),
        Kind::Scalar => None,
    }
}

fn node<'a>(
    events: &mut impl Iterator<Item = (Event<'a>, Span)>,
    event: Event<'a>,
    span: &Span,
) -> Option<Node> {
    let bytes = span.byte_range()?;
    match event {
        Event::Scalar(..) => Some(Node { start: bytes.start, end: bytes.end, kind: Kind::Scalar }),
        Event::SequenceStart(style, ..) => {
            let is_flow = style == StructureStyle::Flow;
            let mut items: Vec<Node> = vec![];
            loop {
                let (event, span) = events.next()?;
                if event == Event::SequenceEnd {
                    let end = if is_flow { span.byte_range()?.end } else { items.last()?.end };
                    return Some(Node { start: bytes.start, end, kind: Kind::List { items, is_flow } });
                }
                items.push(node(events, event, &span)?);
            }
        }
        Event::MappingStart(style, ..) => {
            let is_flow = style == StructureStyle::Flow;
            let mut entries: Vec<Place> = vec![];
            loop {
                let (event, span) = events.next()?;
                if event == Event::MappingEnd {
                    let end = match entries.last() {
                        _ if is_flow => span.byte_range()?.end,
                        last => last.map(|last| last.value.end.max(last.key_end))?,
                    };
                    return Some(Node { start: bytes.start, end, kind: Kind::Map { entries, is_flow } });
                }
                let Event::Scalar(key, ..) = event else { return None };
                let bytes = span.byte_range()?;
                let (event, span) = events.next()?;
                let value = node(events, event, &span)?;
                let (key_start, key_end) = (bytes.start, bytes.end);
                entries.push(Place { key: key.into_owned(), key_start, key_end, value });
            }
        }
        _ => None,
    }
}
