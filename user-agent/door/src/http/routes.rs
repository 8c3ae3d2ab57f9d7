//! What is answered under which path, and the description of it that programs read.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::app::App;
use super::completions::MODEL;
use super::failure::Failed;
use super::request::{read, read_query, whole};
use super::{chat, completions, guards, metrics, pages, socket};
use crate::bodies::{
    AnswerRequest, AnswerTaken, ChatRequest, CompletionAnswer, CompletionRequest, Description,
    DescriptionInfo, DescriptionLicense, Failure, Figures, Found, Health, ListedModel, ListedModels,
    Receipts, SocketEvent, SocketMessage, Status, StopRequest, Stopped, Tools, Turn,
};
use crate::frames::Ask;

/// How many records are answered where nobody says how many.
const SOME: usize = 50;

/// Where the one model is, which ends with [`MODEL`].
const THE_MODEL: &str = "/v1/models/tameclaw";

/// Everything that is answered.
pub(super) fn router(app: Arc<App>) -> Router {
    let open = Router::new().route("/health", get(health)).route("/openapi.json", get(description));
    let needs_token = Router::new()
        .route("/status", get(status))
        .route("/tools", get(tools))
        .route("/memory/search", get(search))
        .route("/receipts", get(receipts))
        .route("/metrics", get(figures))
        .route("/chat", post(chat::chat))
        .route("/chat/answer", post(chat::answer))
        .route("/estop", post(stop))
        .route("/v1/models", get(models))
        .route(THE_MODEL, get(model))
        .route("/v1/chat/completions", post(completions::complete))
        .route_layer(middleware::from_fn_with_state(app.clone(), known));
    open.merge(needs_token)
        // It asks about the token itself, which may be the cookie.
        .route("/chat/ws", get(socket::open))
        .merge(pages::router(&app))
        .fallback(nothing_here)
        .method_not_allowed_fallback(other_method)
        // `guards` has read it within its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(app.clone(), guards::look))
        .with_state(app)
}

/// Asks `mind` about the token before anything of a request is read, so that a stranger learns nothing of what is wrong with it.
async fn known(State(app): State<Arc<App>>, request: Request, next: Next) -> Result<Response, Failed> {
    whole(&app, request.headers(), Ask::Known).await?;
    Ok(next.run(request).await)
}

async fn nothing_here(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let message = "nothing is here; /openapi.json says what is";
    in_kind(&app, &headers, Failed::new(StatusCode::NOT_FOUND, "no_page", message), "not_found")
}

async fn other_method(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let message = "this path is asked in another way; /openapi.json says how";
    let failed = Failed::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message);
    in_kind(&app, &headers, failed, "wrong_method")
}

/// A failure as a page for a person, and as JSON with this code for a program.
fn in_kind(app: &App, headers: &HeaderMap, failed: Failed, code: &'static str) -> Response {
    match pages::is_seen(headers) {
        true => pages::refused(app, headers, &failed),
        false => Failed { code, ..failed }.into_response(),
    }
}

async fn health(State(app): State<Arc<App>>) -> Result<Json<Value>, Failed> {
    Ok(Json(whole(&app, &HeaderMap::new(), Ask::Health).await?))
}

async fn status(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Json<Value>, Failed> {
    Ok(Json(whole(&app, &headers, Ask::Status).await?))
}

async fn tools(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Json<Value>, Failed> {
    Ok(Json(whole(&app, &headers, Ask::Tools).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    q: String,
    #[serde(default)]
    limit: Option<usize>,
}

async fn search(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Value>, Failed> {
    let Wanted { q, limit } = read_query(query)?;
    Ok(Json(whole(&app, &headers, Ask::Search { query: q, limit: limit.unwrap_or(SOME) }).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Newest {
    #[serde(default)]
    limit: Option<usize>,
}

async fn receipts(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<Newest>, QueryRejection>,
) -> Result<Json<Value>, Failed> {
    let limit = read_query(query)?.limit.unwrap_or(SOME);
    Ok(Json(whole(&app, &headers, Ask::Receipts { limit }).await?))
}

async fn figures(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Failed> {
    let body = whole(&app, &headers, Ask::Metrics).await?;
    let unfit = |why: String| Failed::new(StatusCode::BAD_GATEWAY, "failed", why);
    let figures: Figures = serde_json::from_value(body).map_err(|e| unfit(e.to_string()))?;
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, text) = metrics::text(&figures, accepted).map_err(|e| unfit(e.to_string()))?;
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

async fn stop(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Json<StopRequest>, JsonRejection>,
) -> Result<Json<Value>, Failed> {
    // Who is in a hurry sends no body, and no type of one.
    let request = match body {
        Err(JsonRejection::MissingJsonContentType(_)) => StopRequest::default(),
        body => read(body)?,
    };
    let reason = request.reason.unwrap_or_else(|| "set over HTTP".to_owned());
    Ok(Json(whole(&app, &headers, Ask::Stop { reason }).await?))
}

async fn models() -> Json<ListedModels> {
    let Json(model) = model().await;
    Json(ListedModels { object: "list".to_owned(), data: vec![model] })
}

async fn model() -> Json<ListedModel> {
    Json(ListedModel {
        id: MODEL.to_owned(),
        object: "model".to_owned(),
        created: 0,
        owned_by: "tameclaw".to_owned(),
    })
}

async fn description() -> Json<Description> {
    Json(described())
}

/// A path of the description.
struct Path {
    path: &'static str,
    method: &'static str,
    about: &'static str,
    /// Whether anybody may ask, without a token.
    is_open: bool,
    /// The parameters behind the `?`: name, whether it is needed, schema, and what it is.
    query: &'static [(&'static str, bool, &'static str, &'static str)],
    body: Option<(SchemaOf, bool)>,
    answer: Answer,
}

/// Makes the schema of a type.
type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What an answer is.
enum Answer {
    Json(SchemaOf),
    /// JSON, or events where the request says so.
    JsonOrEvents(SchemaOf),
    Text(&'static str),
    /// A WebSocket, on which both sides send messages.
    Socket {
        client: SchemaOf,
        server: SchemaOf,
    },
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const LIMIT: (&str, bool, &str, &str) =
    ("limit", false, "integer", "The most records, 1 to 200; 50 without it");

/// Every path, in the order in which people look for them.
const PATHS: &[Path] = &[
    Path {
        path: "/health",
        method: "get",
        about: "Whether the bot answers. Needs no token.",
        is_open: true,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<Health>),
    },
    Path {
        path: "/status",
        method: "get",
        about: "What holds: profile, isolation, skills, stops.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<Status>),
    },
    Path {
        path: "/tools",
        method: "get",
        about: "The tools that there are, with their risk.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<Tools>),
    },
    Path {
        path: "/memory/search",
        method: "get",
        about: "Facts and messages that words are about, the most relevant first.",
        is_open: false,
        query: &[("q", true, "string", "The words, at most 1,000 bytes"), LIMIT],
        body: None,
        answer: Answer::Json(schema::<Found>),
    },
    Path {
        path: "/receipts",
        method: "get",
        about: "The newest records of attempted calls of tools, oldest first.",
        is_open: false,
        query: &[LIMIT],
        body: None,
        answer: Answer::Json(schema::<Receipts>),
    },
    Path {
        path: "/metrics",
        method: "get",
        about: "Figures for Prometheus.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Text("text/plain"),
    },
    Path {
        path: "/chat",
        method: "post",
        about: "A line, and its answer: whole, or as events `piece`, `again`, `doing`, `note`, `question`, and at the end `done` or `error`.",
        is_open: false,
        query: &[],
        body: Some((schema::<ChatRequest>, true)),
        answer: Answer::JsonOrEvents(schema::<Turn>),
    },
    Path {
        path: "/chat/answer",
        method: "post",
        about: "The person's yes or no to a call that an event `question` asks about. A program's token may not.",
        is_open: false,
        query: &[],
        body: Some((schema::<AnswerRequest>, true)),
        answer: Answer::Json(schema::<AnswerTaken>),
    },
    Path {
        path: "/chat/ws",
        method: "get",
        about: "A WebSocket for lines and their answers, one after the other, as events. A browser's cookie counts from a page of this door.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Socket { client: schema::<SocketMessage>, server: schema::<SocketEvent> },
    },
    Path {
        path: "/estop",
        method: "post",
        about: "Sets the emergency stop of the profile. Nothing here clears it.",
        is_open: false,
        query: &[],
        body: Some((schema::<StopRequest>, false)),
        answer: Answer::Json(schema::<Stopped>),
    },
    Path {
        path: "/v1/models",
        method: "get",
        about: "The one model, for clients of OpenAI's interface.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<ListedModels>),
    },
    Path {
        path: THE_MODEL,
        method: "get",
        about: "What there is to know of that model.",
        is_open: false,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<ListedModel>),
    },
    Path {
        path: "/v1/chat/completions",
        method: "post",
        about: "A talk in the shape of OpenAI's chat completions; the last of the user's messages is the line that is answered.",
        is_open: false,
        query: &[],
        body: Some((schema::<CompletionRequest>, true)),
        answer: Answer::JsonOrEvents(schema::<CompletionAnswer>),
    },
    Path {
        path: "/openapi.json",
        method: "get",
        about: "This description.",
        is_open: true,
        query: &[],
        body: None,
        answer: Answer::Json(schema::<Description>),
    },
];

/// The description, in the format of OpenAPI 3.1.
pub(super) fn described() -> Description {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for path in PATHS {
        paths.insert(path.path.to_owned(), json!({path.method: operation(path, &mut generator)}));
    }
    let schemas = generator.take_definitions(true);
    let license = "MIT OR Apache-2.0".to_owned();
    Description {
        openapi: "3.1.0".to_owned(),
        info: DescriptionInfo {
            title: "TameClaw".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            description: "One profile of the bot.".to_owned(),
            license: DescriptionLicense { name: license.clone(), identifier: license },
        },
        security: vec![Map::from_iter([("token".to_owned(), json!([]))])],
        paths,
        components: Map::from_iter([
            ("schemas".to_owned(), Value::Object(schemas)),
            ("securitySchemes".to_owned(), json!({"token": {"type": "http", "scheme": "bearer"}})),
        ]),
    }
}

fn operation(path: &Path, generator: &mut SchemaGenerator) -> Value {
    let answered = |content| json!({"200": {"description": "The answer", "content": content}});
    let mut responses = match &path.answer {
        Answer::Json(schema) => answered(json!({"application/json": {"schema": schema(generator)}})),
        Answer::JsonOrEvents(schema) => answered(json!({
            "application/json": {"schema": schema(generator)},
            "text/event-stream": {},
        })),
        Answer::Text(kind) => answered(json!({*kind: {"schema": {"type": "string"}}})),
        // OpenAPI has no words for what follows, so the messages stand in fields of ours.
        Answer::Socket { client, server } => json!({"101": {
            "description": "The connection continues as a WebSocket, whose text messages are JSON",
            "x-client-message": client(generator),
            "x-server-message": server(generator),
        }}),
    };
    let failure = json!({
        "description": "There is no answer: why, and what to do",
        "content": {"application/json": {"schema": generator.subschema_for::<Failure>()}},
    });
    responses["default"] = failure;
    let parameters: Vec<Value> = path
        .query
        .iter()
        .map(|(name, needed, kind, about)| {
            let schema = match *kind {
                "integer" => json!({"type": kind, "minimum": 1, "maximum": 200}),
                _ => json!({"type": kind, "minLength": 1, "maxLength": 1000}),
            };
            json!({"name": name, "in": "query", "required": needed, "description": about, "schema": schema})
        })
        .collect();
    let mut operation = json!({
        "summary": path.about,
        "operationId": path.path.trim_matches('/').replace(['/', '.'], "_"),
        "parameters": parameters,
        "responses": responses,
    });
    if path.is_open {
        operation["security"] = json!([]);
    }
    if let Some((schema, needed)) = &path.body {
        let content = json!({"application/json": {"schema": schema(generator)}});
        operation["requestBody"] = json!({"required": needed, "content": content});
    }
    operation
}

#[cfg(test)]
mod tests;
