//! Where a skill's memory meets the host: the only unsafe code a skill contains.
//!
//! A message is a pointer and a length. The side that passes one gives the block away: the host writes into blocks that
//! [`room`] made, and reads the answer before the instance is dropped.

use crate::imports::HostError;
use crate::Value;

/// Declares the imports, and one safe function for each; a function that nobody calls is not imported.
macro_rules! imports {
    ($($name:ident)*) => {
        #[cfg(target_arch = "wasm32")]
        mod raw {
            #[link(wasm_import_module = "tameclaw")]
            extern "C" {
                $(pub(super) fn $name(ptr: i32, len: i32) -> i64;)*
            }
        }

        $(
            #[cfg(target_arch = "wasm32")]
            pub(crate) fn $name(request: &Value) -> Result<Value, HostError> {
                let bytes = wasm::request(request)?;
                // SAFETY: the bytes outlive the call, and the host only reads them.
                // JUSTIFICATION: an import is the only way out of the sandbox.
                wasm::answer(unsafe { raw::$name(bytes.as_ptr() as i32, bytes.len() as i32) })
            }

            #[cfg(not(target_arch = "wasm32"))]
            pub(crate) fn $name(_request: &Value) -> Result<Value, HostError> {
                Err(HostError::new(concat!("`", stringify!($name), "` works inside the agent only")))
            }
        )*
    };
}

imports! {
    log now random ask say memory_query memory_store llm_chat file_list file_read file_write
    http_get http_post audio_listen audio_say gpio_read gpio_write gpio_wait dispatch
}

/// Exports a skill from the wrapper crate; a skill's own file never uses it.
#[macro_export]
macro_rules! export {
    ($skill:expr) => {
        /// Makes room for `len` bytes that the host writes.
        #[no_mangle]
        pub extern "C" fn tameclaw_alloc(len: i32) -> i32 {
            $crate::abi::room(len)
        }

        /// Takes one message and returns its answer as `ptr << 32 | len`.
        #[no_mangle]
        pub extern "C" fn tameclaw_call(ptr: i32, len: i32) -> i64 {
            // SAFETY: the host passes only what `tameclaw_alloc` returned for this length.
            // JUSTIFICATION: this is the module's one entry.
            unsafe { $crate::abi::call(&mut $skill, ptr, len) }
        }
    };
}

#[cfg(target_arch = "wasm32")]
pub use wasm::{call, room};

#[cfg(target_arch = "wasm32")]
mod wasm {
    use alloc::alloc::{alloc, handle_alloc_error, GlobalAlloc, Layout};
    use alloc::boxed::Box;
    use alloc::string::ToString;
    use alloc::vec::Vec;
    use core::arch::wasm32::memory_grow;
    use core::cell::UnsafeCell;
    use core::ptr::{slice_from_raw_parts_mut, NonNull};

    use crate::heap::{Heap, Memory, GRAIN};
    use crate::imports::HostError;
    use crate::{codec, entry, Skill, Value};

    /// The module's own memory.
    struct Linear;

    impl Memory for Linear {
        fn load(&self, at: u32) -> u32 {
            // SAFETY: the heap names only words of its free blocks, which nobody else uses.
            // JUSTIFICATION: an allocator's lists are in what is free.
            unsafe { *(at as usize as *const u32) }
        }

        fn store(&mut self, at: u32, word: u32) {
            // SAFETY: as in `load`.
            // JUSTIFICATION: as in `load`.
            unsafe { *(at as usize as *mut u32) = word };
        }

        fn grow(&mut self, pages: u32) -> Option<u32> {
            let before = memory_grow(0, pages as usize);
            (before != usize::MAX).then_some(before as u32 * 65_536)
        }
    }

    struct Global(UnsafeCell<Heap<Linear>>);

    // SAFETY: a module has one thread.
    // JUSTIFICATION: Rust asks it of every static.
    unsafe impl Sync for Global {}

    #[global_allocator]
    static GLOBAL: Global = Global(UnsafeCell::new(Heap::new(Linear)));

    impl Global {
        fn with<R>(&self, work: impl FnOnce(&mut Heap<Linear>) -> R) -> R {
            // SAFETY: there is one thread, and no work on the heap allocates.
            // JUSTIFICATION: Rust hands the allocator out as shared.
            work(unsafe { &mut *self.0.get() })
        }
    }

    // SAFETY: the heap hands out what is its own, aligned, and at most once until it is freed; its tests hold that.
    // JUSTIFICATION: the allocator of the standard library is eight times as long, in every module.
    unsafe impl GlobalAlloc for Global {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // A larger alignment takes room to choose from, which never comes back; no skill has asked for it yet.
            let slack = (layout.align() as u32).saturating_sub(GRAIN);
            let size = (layout.size() as u32).saturating_add(slack);
            let block = self.with(|heap| heap.alloc(size)).unwrap_or(0);
            (block.wrapping_add(slack) & !slack) as usize as *mut u8
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            if layout.align() as u32 <= GRAIN {
                self.with(|heap| heap.free(block as u32, layout.size() as u32));
            }
        }

        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            let (at, old, new) = (block as u32, layout.size() as u32, size as u32);
            if layout.align() as u32 <= GRAIN && self.with(|heap| heap.resize(at, old, new)) {
                return block;
            }
            // SAFETY: the caller promises what these ask for.
            // JUSTIFICATION: what cannot stay has to move.
            unsafe {
                let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(block, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                moved
            }
        }
    }

    /// Makes a block of `len` bytes, not filled, and gives it away.
    pub fn room(len: i32) -> i32 {
        let layout = match Layout::array::<u8>(len as u32 as usize) {
            Ok(layout) if layout.size() > 0 => layout,
            _ => return NonNull::<u8>::dangling().as_ptr() as i32,
        };
        // SAFETY: the layout is not empty.
        // JUSTIFICATION: the host fills the block, so that filling it here would be done twice.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            handle_alloc_error(layout);
        }
        block as i32
    }

    /// Answers the message in a block.
    ///
    /// # Safety
    /// `ptr` must come from [`room`] for this `len`, be filled by the host, and be used once.
    pub unsafe fn call<S: Skill>(skill: &mut S, ptr: i32, len: i32) -> i64 {
        // SAFETY: passed on from the caller.
        // JUSTIFICATION: takes back what `room` gave away.
        let message = unsafe { take(ptr, len) };
        give(entry::answer(skill, &message))
    }

    pub(super) fn request(request: &Value) -> Result<Vec<u8>, HostError> {
        codec::encode(request).map_err(|error| HostError::new(error.to_string()))
    }

    pub(super) fn answer(packed: i64) -> Result<Value, HostError> {
        // SAFETY: the host answers with a block that it got from `room` and filled.
        // JUSTIFICATION: takes back what `room` gave away.
        let bytes = unsafe { take((packed >> 32) as i32, packed as i32) };
        let mut entries = match codec::decode(&bytes) {
            Ok(Value::Map(entries)) if entries.len() == 1 => entries,
            _ => return Err(HostError::unexpected()),
        };
        match entries.pop() {
            Some((key, value)) if key == "ok" => Ok(value),
            Some((_, Value::Text(why))) => Err(HostError::new(why)),
            _ => Err(HostError::unexpected()),
        }
    }

    unsafe fn take(ptr: i32, len: i32) -> Box<[u8]> {
        let block = slice_from_raw_parts_mut(ptr as u32 as usize as *mut u8, len as u32 as usize);
        // SAFETY: the block came from `room`, hence has the layout of a boxed slice of this length.
        // JUSTIFICATION: ownership crosses the boundary as a number.
        unsafe { Box::from_raw(block) }
    }

    fn give(bytes: Vec<u8>) -> i64 {
        let block = bytes.into_boxed_slice();
        let len = block.len() as u32;
        let ptr = Box::into_raw(block) as *mut u8 as usize as u32;
        (i64::from(ptr) << 32) | i64::from(len)
    }
}
