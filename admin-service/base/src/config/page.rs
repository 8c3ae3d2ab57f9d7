//! `review_page`: the address at which people open the pages of the review.

use std::str::FromStr;

use models::Endpoint;
use models::config::EndpointError;
use shared_types::id::ProposalId;
use shared_types::settings::Section;

/// The address at which people open the pages of the review: scheme, host and port. The pages live at the top of a host, so there is
/// no path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAddress(Endpoint);

/// A text that is not the address of the pages. It is not repeated: somebody may have written a password into it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageAddressError {
    /// Not of the form.
    #[error(
        "allowed: https://HOST[:PORT], and for this machine http://127.0.0.1:PORT; no user, path, query or fragment, and HOST in \
         lower-case letters"
    )]
    Form,
    /// Plain http to another machine.
    #[error("plain http is for this machine only (127.0.0.1, [::1], localhost); `{0}` needs https")]
    Plain(String),
}

impl PageAddress {
    /// The link to everything that waits.
    pub fn queue(&self) -> String {
        self.0.join("")
    }

    /// The link to one item. An identifier has no letter that means something in an address.
    pub fn item(&self, id: &ProposalId) -> String {
        self.0.join(&format!("item/{id}"))
    }

    /// Reads the key; absent, nobody is sent a link.
    pub(super) fn read(top: &mut Section) -> Option<PageAddress> {
        let text = top.text("review_page")?;
        text.parse().map_err(|error: PageAddressError| top.fault("review_page", error.to_string())).ok()
    }
}

impl FromStr for PageAddress {
    type Err = PageAddressError;

    fn from_str(text: &str) -> Result<Self, PageAddressError> {
        let endpoint: Endpoint = text.parse().map_err(|error| match error {
            EndpointError::Form => PageAddressError::Form,
            EndpointError::Plain(host) => PageAddressError::Plain(host),
        })?;
        if endpoint.is_top() { Ok(PageAddress(endpoint)) } else { Err(PageAddressError::Form) }
    }
}

#[cfg(test)]
mod tests;
