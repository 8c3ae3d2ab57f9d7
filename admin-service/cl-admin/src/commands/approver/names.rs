//! Names of approvers on the command line.

use base::error::Error;
use shared_types::approvers::Approvers;
use shared_types::id::ApproverId;

/// Insists that an approver is listed.
pub(super) fn known(approvers: &Approvers, approver: &ApproverId) -> Result<(), Error> {
    if approvers.named(approver).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = approvers.listed().iter().map(|a| a.id.as_str()).collect();
    Err(Error::usage(format!("`{approver}` is not an approver; there is {}", names.join(", "))))
}

pub(super) fn named(name: &str) -> Result<ApproverId, Error> {
    name.parse().map_err(Error::usage)
}
