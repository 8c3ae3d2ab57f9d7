//! What is said in a room beside the answers, in the profile's language; the words of each are in `libs/web/words`.

web::words! {
    "messenger":
    /// The sentences of a language.
    pub(crate) struct Words {
        pub(crate) interrupted,
        pub(crate) stale,
        pub(crate) edit,
        pub(crate) other,
        pub(crate) encrypted,
        pub(crate) crowd,
        pub(crate) group,
        pub(crate) foreign,
        pub(crate) hello,
        pub(crate) again,
        pub(crate) long,
        pub(crate) quoted,
        pub(crate) unkept,
        pub(crate) which,
        pub(crate) nothing,
        pub(crate) stopped,
        pub(crate) question,
        pub(crate) unasked,
        pub(crate) answer,
    }
}

/// The sentences of a profile's language; English if there are none.
pub(crate) fn of(language: Option<&str>) -> &'static Words {
    language.and_then(Words::of).unwrap_or(&ALL[0])
}
