//! Names of approvers on the command line.

use base::error::Error;
use shared_types::approvers::Approvers;
use shared_types::id::ApproverId;

/// A name that is of no approver.
#[derive(Debug, thiserror::Error)]
#[error("`{approver}` is not an approver; there is {}", .there.join(", "))]
struct Unknown {
    approver: ApproverId,
    there: Vec<String>,
}

/// Insists that an approver is listed.
pub(super) fn known(approvers: &Approvers, approver: &ApproverId) -> Result<(), Error> {
    if approvers.named(approver).is_some() {
        return Ok(());
    }
    let there = approvers.listed().iter().map(|a| a.id.to_string()).collect();
    Err(Error::usage(Unknown { approver: approver.clone(), there }))
}

pub(super) fn named(name: &str) -> Result<ApproverId, Error> {
    name.parse().map_err(Error::usage)
}
