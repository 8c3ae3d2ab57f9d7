//! What surrounds a page of every server.

use maud::{DOCTYPE, Markup, html};

/// Where every server has its style sheet.
pub const STYLE_SHEET: &str = "/page/style.css";
/// Where every server has its script.
pub const SCRIPT_FILE: &str = "/page/script.js";

/// A page in its frame.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The code of the language.
    pub language: &'a str,
    /// What the page is called.
    pub title: &'a str,
    /// What the server is called.
    pub server: &'a str,
    /// The link that skips to the content.
    pub skip: &'a str,
    /// What stands above every page of the server.
    pub top: Markup,
    /// What holds, between that and the page.
    pub notices: Markup,
    /// What is the page's own.
    pub main: Markup,
    /// What stands below every page of the server.
    pub footer: &'a str,
}

impl Frame<'_> {
    /// The whole page.
    pub fn whole(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    // Under `no-referrer` a browser sends `Origin: null` with a form.
                    meta name="referrer" content="same-origin";
                    title { (self.title) " - " (self.server) }
                    link rel="stylesheet" href=(STYLE_SHEET);
                    script src=(SCRIPT_FILE) defer {}
                }
                body {
                    a class="skip" href="#main" { (self.skip) }
                    header { (self.top) }
                    (self.notices)
                    main id="main" tabindex="-1" { (self.main) }
                    footer { p { (self.footer) } }
                }
            }
        }
    }
}

/// The line above a page: what the server is called, for whom the page is, and beside it the buttons.
pub fn top(server: &str, whose: Option<&str>, buttons: &Markup) -> Markup {
    html! {
        div class="top" {
            p class="name" {
                strong { (server) }
                @if let Some(whose) = whose { " " span { (whose) } }
            }
            (buttons)
        }
    }
}

/// The button that logs out.
pub fn leave(word: &str) -> Markup {
    html! {
        form method="post" action="/logout" {
            button type="submit" class="plainly" { (word) }
        }
    }
}

/// The links to the pages of the server; the one at `here` is marked.
pub fn sections(name: &str, here: &str, links: &[(&str, &str)]) -> Markup {
    html! {
        nav aria-label=(name) {
            @for (to, word) in links {
                a href=(to) aria-current=[(*to == here).then_some("page")] { (word) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
