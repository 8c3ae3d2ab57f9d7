//! What is said in a room beside the answers, in the profile's language; the words of each are in `libs/web/words`.

web::words! {
    "matrix":
    /// The sentences of a language.
    pub struct Words {
        pub interrupted,
        pub stale,
        pub edit,
        pub other,
        pub encrypted,
        pub crowd,
        pub long,
        pub quoted,
        pub unkept,
        pub which,
        pub nothing,
        pub stopped,
        pub question,
        pub unasked,
        pub answer,
    }
}

/// The sentences of a profile's language, or English.
pub fn of(language: Option<&str>) -> &'static Words {
    language.and_then(Words::of).unwrap_or(&ALL[0])
}
