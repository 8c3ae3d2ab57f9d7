//! What a person wrote in a form: with pictures in parts, or without as pairs.

use axum::Form;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use models::attachment::MOST_PICTURES;
use serde::Deserialize;
use shared_types::text;

use super::super::failure::Failed;
use crate::bodies::{SentPicture, SentText, is_text};

/// The most parts: the line, the conversation, the pictures, as many texts, and one more, of which `mind` says that it is too many.
const MOST_PARTS: usize = 2 * MOST_PICTURES + 3;

/// What a person wrote.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Said {
    pub(super) message: String,
    /// The conversation; empty where none has begun.
    #[serde(default)]
    pub(super) c: String,
    /// The pictures with it, which are judged by nobody yet.
    #[serde(skip)]
    pub(super) pictures: Vec<SentPicture>,
    /// The texts with it.
    #[serde(skip)]
    pub(super) texts: Vec<SentText>,
}

impl Said {
    /// Reads a form, whose body is in memory and bounded already.
    pub(super) async fn of(request: Request) -> Result<Said, Failed> {
        let kind =
            request.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_ascii_lowercase());
        if !kind.is_some_and(|kind| kind.starts_with(b"multipart/")) {
            let form = Form::from_request(request, &()).await;
            return form.map(|Form(said)| said).map_err(|why| wrong(&why.body_text()));
        }
        let parts = Multipart::from_request(request, &()).await;
        let mut parts = parts.map_err(|why| wrong(&why.body_text()))?;
        let (mut said, mut count) = (Said::default(), 0);
        while let Some(part) = parts.next_field().await.map_err(|why| wrong(&why.body_text()))? {
            count += 1;
            if count > MOST_PARTS {
                return Err(wrong(&format!(
                    "a form has at most {MOST_PARTS} parts, {MOST_PICTURES} of them pictures and as many texts"
                )));
            }
            let name = part.name().unwrap_or_default().to_owned();
            let file = part.file_name().map(str::to_owned);
            let bytes = part.bytes().await.map_err(|why| wrong(&why.body_text()))?;
            match (name.as_str(), file) {
                ("message", None) => said.message = written(&bytes)?,
                ("c", None) => said.c = written(&bytes)?,
                // A browser sends this where no file was chosen.
                ("picture", Some(file)) if file.is_empty() && bytes.is_empty() => {}
                ("picture", Some(name)) if is_text(&name) => {
                    let shown = text::cut(&text::line(&name), 80);
                    let text = String::from_utf8(bytes.to_vec());
                    let text = text.map_err(|_| wrong(&format!("{shown} is not a text: it is not UTF-8")))?;
                    said.texts.push(SentText { name, text });
                }
                ("picture", Some(name)) => {
                    said.pictures.push(SentPicture { name, data: STANDARD.encode(&bytes) });
                }
                _ => return Err(wrong("a form has `message`, `c` and files as `picture`, and nothing else")),
            }
        }
        Ok(said)
    }
}

fn written(bytes: &Bytes) -> Result<String, Failed> {
    String::from_utf8(bytes.to_vec()).map_err(|_| wrong("what is written is UTF-8"))
}

fn wrong(why: &str) -> Failed {
    Failed::new(StatusCode::BAD_REQUEST, "invalid_request", text::line(why))
}

#[cfg(test)]
mod tests;
