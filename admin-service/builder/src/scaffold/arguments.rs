//! From a tool's schema to typed arguments: what its function takes, and how a call's values get there.

use serde_json::Value;
use shared_types::schema::Parameters;

/// What kind of value an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Int,
    Number,
    Flag,
    Texts,
    Ints,
    Numbers,
}

/// One argument of a tool.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) required: bool,
    pub(super) schema: Value,
}

/// The arguments of a tool; none where a parameter is a value with parts of its own, or there are more than the SDK takes.
pub(super) fn of(parameters: &Parameters) -> Option<Vec<Argument>> {
    const MOST: usize = 8;
    let one = |(name, schema): (&str, &Value)| {
        let required = parameters.is_required(name);
        Some(Argument { name: name.to_owned(), kind: kind(schema)?, required, schema: schema.clone() })
    };
    let arguments: Option<Vec<Argument>> = parameters.properties().map(one).collect();
    arguments.filter(|all| all.len() <= MOST && all.iter().all(|a| !is_word_of_rust(&a.name)))
}

fn kind(schema: &Value) -> Option<Kind> {
    let word = |schema: &Value| schema.get("type").and_then(Value::as_str).map(str::to_owned);
    match word(schema)?.as_str() {
        "string" => Some(Kind::Text),
        "integer" => Some(Kind::Int),
        "number" => Some(Kind::Number),
        "boolean" => Some(Kind::Flag),
        "array" => match schema.get("items").and_then(word).as_deref() {
            None | Some("string") => Some(Kind::Texts),
            Some("integer") => Some(Kind::Ints),
            Some("number") => Some(Kind::Numbers),
            Some(_) => None,
        },
        _ => None,
    }
}

/// The name of a tool's function: the tool's own, but for words of the language and names that the file has already.
pub(super) fn function_name(tool: &str) -> String {
    const TAKEN: [&str; 9] = ["ask", "say", "lower", "words", "fixed", "grouped", "main", "call", "describe"];
    match is_word_of_rust(tool) || TAKEN.contains(&tool) {
        true => format!("{tool}_tool"),
        false => tool.to_owned(),
    }
}

fn is_word_of_rust(name: &str) -> bool {
    syn::parse_str::<syn::Ident>(name).is_err()
}

/// The signature that a writer is given.
pub(super) fn signature(function: &str, arguments: &[Argument]) -> String {
    let one = |a: &Argument| format!("{}: {}", a.name, a.rust());
    let list: Vec<String> = arguments.iter().map(one).collect();
    format!("fn {function}({}) -> Result<String, String>", list.join(", "))
}

impl Argument {
    /// The type that a writer is given.
    fn rust(&self) -> String {
        let (plain, optional) = match self.kind {
            Kind::Text => ("&str", true),
            Kind::Int => ("i64", true),
            Kind::Number => ("f64", true),
            Kind::Flag => ("bool", false),
            Kind::Texts => ("&[String]", false),
            Kind::Ints => ("&[i64]", false),
            Kind::Numbers => ("&[f64]", false),
        };
        if optional && !self.required { format!("Option<{plain}>") } else { plain.to_owned() }
    }

    /// The value as the given signature takes it.
    pub(super) fn given(&self) -> String {
        self.converted(&self.rust()).unwrap_or_default()
    }

    /// The declaration in `describe`.
    pub(super) fn declared(&self) -> String {
        let maker = match self.kind {
            Kind::Text => "text",
            Kind::Int => "int",
            Kind::Number => "number",
            Kind::Flag => "flag",
            Kind::Texts | Kind::Ints | Kind::Numbers => "texts",
        };
        let about = self.schema.get("description").and_then(Value::as_str).unwrap_or(&self.name);
        let mut text = format!("Param::{maker}({:?}, {about:?})", self.name);
        if !self.required && maker != "flag" {
            text.push_str(".optional()");
        }
        let allowed: Option<Vec<&str>> = self
            .schema
            .get("enum")
            .and_then(Value::as_array)
            .map(|all| all.iter().filter_map(Value::as_str).collect());
        if let Some(allowed) = allowed.filter(|all| !all.is_empty() && self.kind == Kind::Text) {
            text.push_str(&format!(".one_of(&{allowed:?})"));
        }
        for (key, method) in [("minimum", "min"), ("maximum", "max")] {
            let Some(bound) = self.schema.get(key) else { continue };
            match (self.kind, bound.as_i64(), bound.as_f64()) {
                (Kind::Int, Some(whole), _) => text.push_str(&format!(".{method}({whole})")),
                (Kind::Number, _, Some(number)) => text.push_str(&format!(".{method}({number:?})")),
                _ => {}
            }
        }
        text
    }

    /// The expression that hands the call's value to a function which takes this type; `None` where none does.
    pub(super) fn converted(&self, wanted: &str) -> Option<String> {
        let (wanted, optional) = match wanted.strip_prefix("Option<").and_then(|w| w.strip_suffix('>')) {
            Some(inner) => (inner, true),
            None => (wanted, false),
        };
        let wanted = wanted.strip_prefix("mut ").unwrap_or(wanted);
        let name = &self.name;
        let value = match self.kind {
            Kind::Texts | Kind::Ints | Kind::Numbers => list(name, wanted)?,
            Kind::Flag | Kind::Text | Kind::Int | Kind::Number => return self.single(wanted, optional),
        };
        Some(if optional { format!("Some({value})") } else { value })
    }

    /// A plain value. One that may be missing is nothing, or the type's own nothing where the function takes no `Option`.
    fn single(&self, wanted: &str, optional: bool) -> Option<String> {
        let name = &self.name;
        let whole = ["i8", "i16", "i32", "i128", "u8", "u16", "u32", "u64", "u128", "usize", "isize"];
        let (reader, step) = match wanted {
            "&str" => ("text", String::new()),
            "String" => ("text", "x.to_owned()".into()),
            "&String" => ("text", "x.to_owned()".into()),
            "i64" => ("int", String::new()),
            "f64" => ("number", String::new()),
            "f32" => ("number", "x as f32".into()),
            "bool" => ("flag", String::new()),
            "char" => ("text", format!("x.chars().next().ok_or(\"`{name}` is empty\")?")),
            "Date" => ("date", String::new()),
            w if whole.contains(&w) => {
                ("int", format!("{w}::try_from(x).map_err(|_| \"`{name}` is out of range\")?"))
            }
            _ => return None,
        };
        let text = format!("{name:?}");
        let reference = if wanted == "&String" { "&" } else { "" };
        let apply = |value: String| match step.is_empty() {
            true => value,
            false => step.replacen('x', &value, 1),
        };
        Some(match (self.required || reader == "flag", optional) {
            (true, false) => format!("{reference}{}", apply(format!("call.{reader}({text})?"))),
            (true, true) => format!("Some({reference}{})", apply(format!("call.{reader}({text})?"))),
            (false, false) if wanted == "Date" => format!("call.date({text})?"),
            (false, false) => {
                format!("{reference}{}", apply(format!("call.opt_{reader}({text})?.unwrap_or_default()")))
            }
            (false, true) if step.is_empty() => format!("call.opt_{reader}({text})?"),
            (false, true) => {
                format!(
                    "match call.opt_{reader}({text})? {{ Some(x) => Some({reference}{}), None => None }}",
                    step
                )
            }
        })
    }
}

/// A list, as slice, reference or owned.
fn list(name: &str, wanted: &str) -> Option<String> {
    let (reference, inner) = match wanted {
        w if w.starts_with("&[") => ("&", w.strip_prefix("&[")?.strip_suffix(']')?),
        w if w.starts_with("&mut Vec<") => ("&mut ", w.strip_prefix("&mut Vec<")?.strip_suffix('>')?),
        w if w.starts_with("&Vec<") => ("&", w.strip_prefix("&Vec<")?.strip_suffix('>')?),
        w => ("", w.strip_prefix("Vec<")?.strip_suffix('>')?),
    };
    let numbers = ["i32", "i64", "i128", "u8", "u16", "u32", "u64", "usize", "isize", "f32", "f64"];
    let texts = format!("call.texts({name:?})?");
    Some(match inner {
        "String" => format!("{reference}{texts}"),
        "&str" => format!("{reference}{texts}.iter().map(String::as_str).collect::<Vec<&str>>()"),
        number if numbers.contains(&number) => format!(
            "{reference}{texts}.iter().map(|x| x.trim().parse::<{number}>()).collect::<Result<Vec<{number}>, _>>()\
             .map_err(|_| \"`{name}` takes numbers\")?"
        ),
        _ => return None,
    })
}
