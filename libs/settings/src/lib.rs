//! What TameClaw's configuration files may say: one table of keys for each.
//!
//! The programs check a file against its table and read their values from it ([`shared_types::settings::Section`]). The shipped
//! files, the reference in `docs/CONFIGURATION.md` and `config explain` are made from the same tables.
//!
//! - [`bot`][]: `config/default.yaml`
//! - [`admin`][]: `admin/admin.yaml` and `admin/composition_rules.yaml`
//! - [`profile`][]: `config/profiles/<id>.yaml`
//! - [`models`][]: the providers that both programs know
//! - [`shipped`][]: a table as the file that is shipped
//! - [`reference`][]: a table as a page, and one key of it
#![forbid(unsafe_code)]

pub mod admin;
pub mod bot;
pub mod models;
pub mod profile;
pub mod reference;
pub mod shipped;
mod wrap;

#[cfg(test)]
mod tests;
