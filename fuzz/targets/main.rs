//! One fuzz target for each parser of outside bytes: a file here, named after the parser, and its corpus in
//! `__fuzz__/<name>/corpus`. How to add one stands in `docs/guides/add-a-fuzz-target.md`.
//!
//! Under `cargo test` every target replays its corpus and then tries mutations of it for a moment; `cargo xtask fuzz`
//! does the same for as long as one likes, or lets a coverage-guided engine do it.
#![forbid(unsafe_code)]

mod admin_config;
mod admin_request;
mod approvers;
mod backup_file;
mod bot_config;
mod composition_rules;
mod decision;
mod door_frames;
mod endpoint;
mod exported_skill;
mod foreign_arguments;
mod foreign_schema;
mod frames;
mod guarded_text;
mod guest_description;
mod guest_message;
mod harness;
mod html_page;
mod journal;
mod journal_replay;
mod lesson;
mod manifest;
mod manifest_signature;
mod matrix_sync;
mod mcp_frame;
mod mcp_message;
mod memory_line;
mod memory_log;
mod messenger_frames;
mod mock_script;
mod model_answer;
mod model_function;
mod model_stream;
mod names;
mod oauth_answer;
mod page_encoding;
mod passkey;
mod persons_line;
mod phrase_pattern;
mod pin_lines;
mod pin_question;
mod plugin_form;
mod profile;
mod proposal;
mod receipts;
mod schema;
mod shell_line;
mod skill_json;
mod skill_source;
mod sop;
mod sound_wav;
mod spoken_phrases;
mod system_profile;
mod telegram_updates;
mod text;
mod tls_greeting;
mod wasm_module;
mod wyoming_event;
mod yaml;
