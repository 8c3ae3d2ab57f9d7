//! PocketSphinx 0.8 "5prealpha", as far as a closed grammar needs it: the declarations of `pocketsphinx.h`, `ps_search.h`, `cmd_ln.h` and
//! `err.h`, and one safe type above them. The library is opened at run time.
#![expect(unsafe_code, reason = "a C library, opened at run time")]

use std::ffi::{CStr, CString, NulError, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// The library's name, with the version of its interface.
const LIBRARY: &str = "libpocketsphinx.so.3";

/// Why the library does not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The library, or a function of it, is missing.
    #[error(transparent)]
    Library(#[from] libloading::Error),
    /// A text or a path holds a zero byte.
    #[error(transparent)]
    Zero(#[from] NulError),
    /// A function answered with an error.
    #[error("`{0}` failed")]
    Call(&'static str),
}

/// Declares functions of the library, and finds them in it.
macro_rules! calls {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        struct Calls {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// `cmd_ln_t *cmd_ln_init(cmd_ln_t *, arg_t const *, int32 strict, ...)`; the last argument is null.
            cmd_ln_init: unsafe extern "C" fn(*mut c_void, *const c_void, c_int, ...) -> *mut c_void,
            /// The functions are in it.
            _library: Library,
        }

        impl Calls {
            fn find(library: Library) -> Result<Calls, Fault> {
                // SAFETY: the types are those of the headers of the version that the library's name carries; the functions are
                // called only as long as the library is open, beside which they stand.
                unsafe {
                    Ok(Calls {
                        $($name: *library.get(stringify!($name))?,)*
                        cmd_ln_init: *library.get("cmd_ln_init")?,
                        _library: library,
                    })
                }
            }
        }
    };
}

calls! {
    err_set_logfp: fn(*mut c_void);
    ps_args: fn() -> *const c_void;
    cmd_ln_free_r: fn(*mut c_void) -> c_int;
    ps_init: fn(*mut c_void) -> *mut c_void;
    ps_free: fn(*mut c_void) -> c_int;
    ps_add_word: fn(*mut c_void, *const c_char, *const c_char, c_int) -> c_int;
    ps_set_jsgf_string: fn(*mut c_void, *const c_char, *const c_char) -> c_int;
    ps_set_search: fn(*mut c_void, *const c_char) -> c_int;
    ps_start_utt: fn(*mut c_void) -> c_int;
    ps_process_raw: fn(*mut c_void, *const i16, usize, c_int, c_int) -> c_int;
    ps_end_utt: fn(*mut c_void) -> c_int;
    ps_get_hyp: fn(*mut c_void, *mut i32) -> *const c_char;
    ps_get_n_frames: fn(*mut c_void) -> c_int;
    ps_seg_iter: fn(*mut c_void) -> *mut c_void;
    ps_seg_next: fn(*mut c_void) -> *mut c_void;
    ps_seg_word: fn(*mut c_void) -> *const c_char;
    ps_seg_frames: fn(*mut c_void, *mut c_int, *mut c_int);
    ps_seg_prob: fn(*mut c_void, *mut i32, *mut i32, *mut i32) -> i32;
}

/// A decoder with its model and the words that were added. It stays in the thread that made it.
pub(crate) struct Decoder {
    calls: Calls,
    decoder: NonNull<c_void>,
}

/// What fits the sound best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Best {
    /// The words.
    pub words: String,
    /// How well they fit, for each frame of 10 ms: 0 is best, and less is worse.
    pub score: f64,
    /// The words and silences, one after the other.
    pub pieces: Vec<Piece>,
}

/// A word or a silence of the [`Best`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    pub word: String,
    /// Frames of 10 ms.
    pub frames: i32,
    /// As that of the whole.
    pub score: f64,
}

impl Decoder {
    /// Opens the library and loads a model, with these options beside it. It has no words yet.
    ///
    /// # Errors
    /// The library is missing or another one, or refuses the model.
    pub fn load(model: &Path, options: &[(&str, &str)]) -> Result<Decoder, Fault> {
        // SAFETY: the library has no initialisers but those of the C library's own.
        let library = unsafe { Library::open(Some(LIBRARY), RTLD_NOW | RTLD_LOCAL) }?;
        let calls = Calls::find(library)?;
        let model = CString::new(model.as_os_str().as_bytes())?;
        // SAFETY: a null stream is how the header says that nothing is logged.
        unsafe { (calls.err_set_logfp)(ptr::null_mut()) };
        // SAFETY: the definitions are the library's own, each name has its value, null ends them, and all are copied.
        let mut settings = unsafe {
            (calls.cmd_ln_init)(
                ptr::null_mut(),
                (calls.ps_args)(),
                0,
                c"-hmm".as_ptr(),
                model.as_ptr(),
                ptr::null::<c_char>(),
            )
        };
        for (name, value) in options {
            let (name, value) = (CString::new(*name)?, CString::new(*value)?);
            if settings.is_null() {
                break;
            }
            // SAFETY: as above; settings that are given are added to.
            settings = unsafe {
                (calls.cmd_ln_init)(
                    settings,
                    (calls.ps_args)(),
                    0,
                    name.as_ptr(),
                    value.as_ptr(),
                    ptr::null::<c_char>(),
                )
            };
        }
        if settings.is_null() {
            return Err(Fault::Call("cmd_ln_init"));
        }
        // SAFETY: the settings are valid; the decoder keeps a count of its own on them.
        let decoder = unsafe {
            let decoder = (calls.ps_init)(settings);
            (calls.cmd_ln_free_r)(settings);
            decoder
        };
        let decoder = NonNull::new(decoder).ok_or(Fault::Call("ps_init"))?;
        Ok(Decoder { calls, decoder })
    }

    /// Adds a word with its sounds, as in `R EH D`; another way to say a word that it has is `read(2)`.
    ///
    /// # Errors
    /// The library refuses it.
    pub fn add(&mut self, word: &str, sounds: &str) -> Result<(), Fault> {
        let (word, sounds) = (CString::new(word)?, CString::new(sounds)?);
        // SAFETY: the decoder is valid, and both texts are copied.
        let index =
            unsafe { (self.calls.ps_add_word)(self.decoder.as_ptr(), word.as_ptr(), sounds.as_ptr(), 0) };
        if index < 0 { Err(Fault::Call("ps_add_word")) } else { Ok(()) }
    }

    /// Makes a grammar in JSGF, under a name.
    ///
    /// # Errors
    /// The library refuses it.
    pub fn grammar(&mut self, name: &CStr, text: &str) -> Result<(), Fault> {
        let text = CString::new(text)?;
        // SAFETY: the decoder is valid, and both texts are copied.
        let made =
            unsafe { (self.calls.ps_set_jsgf_string)(self.decoder.as_ptr(), name.as_ptr(), text.as_ptr()) };
        done(made, "ps_set_jsgf_string")
    }

    /// What of a grammar fits the sound best; nothing where none of it does.
    ///
    /// # Errors
    /// The library gives up.
    pub fn best(&mut self, grammar: &CStr, samples: &[i16]) -> Result<Option<Best>, Fault> {
        let (calls, decoder) = (&self.calls, self.decoder.as_ptr());
        // SAFETY: the decoder is valid; the samples are read within the call, as many as there are.
        let (words, score, frames) = unsafe {
            done((calls.ps_set_search)(decoder, grammar.as_ptr()), "ps_set_search")?;
            done((calls.ps_start_utt)(decoder), "ps_start_utt")?;
            let processed = (calls.ps_process_raw)(decoder, samples.as_ptr(), samples.len(), 0, 1);
            done((calls.ps_end_utt)(decoder), "ps_end_utt")?;
            done(processed, "ps_process_raw")?;
            let mut score = 0;
            let words = (calls.ps_get_hyp)(decoder, &raw mut score);
            (text(words), score, (calls.ps_get_n_frames)(decoder))
        };
        let Some(words) = words else { return Ok(None) };
        let score = f64::from(score) / f64::from(frames.max(1));
        Ok(Some(Best { words, score, pieces: self.pieces() }))
    }

    /// The words and silences of what fits best.
    fn pieces(&self) -> Vec<Piece> {
        let (calls, mut pieces) = (&self.calls, Vec::new());
        // SAFETY: the decoder is valid; the iterator is valid until it was asked for its next, which frees it at its end; all that
        // is written through the pointers are the numbers here.
        unsafe {
            let mut piece = (calls.ps_seg_iter)(self.decoder.as_ptr());
            while !piece.is_null() {
                let (mut first, mut last) = (0, 0);
                (calls.ps_seg_frames)(piece, &raw mut first, &raw mut last);
                let (mut score, mut of_language, mut back) = (0, 0, 0);
                (calls.ps_seg_prob)(piece, &raw mut score, &raw mut of_language, &raw mut back);
                let frames = last.saturating_sub(first).saturating_add(1);
                let score = f64::from(score) / f64::from(frames.max(1));
                pieces.push(Piece {
                    word: text((calls.ps_seg_word)(piece)).unwrap_or_default(),
                    frames,
                    score,
                });
                piece = (calls.ps_seg_next)(piece);
            }
        }
        pieces
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: it is freed once, here.
        unsafe { (self.calls.ps_free)(self.decoder.as_ptr()) };
    }
}

/// The text that the library points to; nothing where it points to nothing.
///
/// # Safety
/// The pointer is null, or its text ends with a zero.
unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: as the caller says.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

fn done(answer: c_int, call: &'static str) -> Result<(), Fault> {
    if answer < 0 { Err(Fault::Call(call)) } else { Ok(()) }
}
