//! The gate's way to the approver.

use std::sync::Arc;

use bot_base::paths::Folder;

/// The gate's way to the approver; nothing but the permits can use it.
#[derive(Default)]
pub struct PermitDoor(pub(super) Option<(Arc<Folder>, Option<Arc<Folder>>)>);

impl PermitDoor {
    /// The door of a profile.
    pub fn new(proposals: Arc<Folder>, status: Option<Arc<Folder>>) -> PermitDoor {
        PermitDoor(Some((proposals, status)))
    }
}
