//! Who reaches whom, as a picture: one row for each skill, an arc for each event that goes from one to another.
//!
//! The SVG stands alone: no script, no style sheet, no font and no address of its own; a title and a description say in
//! words what it shows.

use std::fmt::Write as _;

use super::graph::{Edge, Graph};

/// Height of a row, in pixels.
const ROW: usize = 28;
/// Where the rows begin.
const TOP: usize = 24;
/// Width of a letter, near enough.
const LETTER: usize = 8;

/// The graph in Graphviz' language.
pub fn dot(graph: &Graph) -> String {
    let mut out =
        String::from("digraph skills {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for node in graph.nodes() {
        let look = if node.version.is_some() { "" } else { ", style=dashed" };
        let _ = writeln!(
            out,
            "  {} [label={}{look}];",
            quoted(&node.name),
            quoted(&format!("{}\n{}", node.name, node.tokens))
        );
    }
    for edge in graph.edges() {
        let (from, to) = (quoted(&edge.from.name), quoted(&edge.to.name));
        let _ = writeln!(out, "  {from} -> {to} [label={}];", quoted(&events(&edge)));
    }
    out.push_str("}\n");
    out
}

/// The graph as SVG.
pub fn svg(graph: &Graph) -> String {
    let names: Vec<&str> = graph.nodes().map(|n| n.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap_or_default();
    let label = |n: &super::graph::Node| format!("{}  {}", n.name, n.tokens);
    let text_width = graph.nodes().map(|n| label(n).chars().count()).max().unwrap_or(20) * LETTER + 24;
    let reach = graph.edges().map(|e| place(&e.from.name).abs_diff(place(&e.to.name))).max().unwrap_or(0);
    let width = text_width + 40 + reach * ROW / 2 + 24 * LETTER;
    let height = TOP + names.len() * ROW + 16;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t d\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13\">\n<title id=\"t\">Who reaches \
         whom</title>\n<desc id=\"d\">{}</desc>\n<defs><marker id=\"a\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" \
         orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n<rect width=\"{width}\" height=\"{height}\" \
         fill=\"white\"/>\n",
        escaped(&words(graph))
    );
    for (at, node) in graph.nodes().enumerate() {
        let y = TOP + at * ROW;
        let fill = if node.version.is_some() { "#111" } else { "#666" };
        let _ = writeln!(out, "<text x=\"12\" y=\"{y}\" fill=\"{fill}\">{}</text>", escaped(&label(node)));
    }
    for edge in graph.edges() {
        let (from, to) = (place(&edge.from.name), place(&edge.to.name));
        let (start, end) = (TOP + from * ROW - 8, TOP + to * ROW - 3);
        let bend = text_width + 20 + from.abs_diff(to) * ROW / 2;
        let _ = writeln!(
            out,
            "<g><title>{0} sends {1} to {2}</title><path d=\"M{text_width},{start} C{bend},{start} {bend},{end} \
             {text_width},{end}\" fill=\"none\" stroke=\"#444\" marker-end=\"url(#a)\"/><text x=\"{3}\" y=\"{4}\" fill=\"#444\" \
             font-size=\"11\">{1}</text></g>",
            escaped(&edge.from.name),
            escaped(&events(&edge)),
            escaped(&edge.to.name),
            text_width + 12 + from.abs_diff(to) * ROW * 3 / 8,
            usize::midpoint(start, end) + 4,
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The picture in words.
fn words(graph: &Graph) -> String {
    let mut said: Vec<String> = graph.nodes().map(|n| format!("{} holds {}.", n.name, n.tokens)).collect();
    said.extend(graph.edges().map(|e| format!("{} sends {} to {}.", e.from.name, events(&e), e.to.name)));
    said.join(" ")
}

fn events(edge: &Edge<'_>) -> String {
    edge.events.iter().map(|e| e.as_str()).collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
