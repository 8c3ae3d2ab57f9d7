//! The admin's own receipts: of what it ran for the bot, in `admin/receipts.jsonl`.

use receipts::{Attempt, Chain, Disk, Receipt};
use shared_types::home::Home;

use crate::error::Error;

/// Appends the receipt of something that the admin ran, or refused to run; the watch signs it within seconds.
///
/// # Errors
/// It cannot be written; the chain is then as it was.
pub fn record(home: &Home, attempt: &Attempt<'_>) -> Result<Receipt, Error> {
    Chain::new(Disk::new(&home.admin()), None).write(attempt).map_err(failed)
}

/// Whether the receipt of something that is about to be run can be written; else it must not be run.
///
/// # Errors
/// Why it cannot.
pub fn ready(home: &Home) -> Result<(), Error> {
    Chain::new(Disk::new(&home.admin()), None).ready().map_err(failed)
}

fn failed(error: receipts::ReceiptError) -> Error {
    Error::Failed(format!("the admin's receipts: {error}"))
}
