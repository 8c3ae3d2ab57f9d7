//! The allocator of a skill: short, since every module carries it and the interpreter translates it.
//!
//! A block has no header: Rust names its size when it gives the block back. Small blocks wait in a list for their size, so
//! that most requests take a few instructions. All other free room is one list in order of addresses, in which neighbours
//! become one; a fresh page is just more of it.

/// Memory as the allocator sees it; addresses count bytes, and 0 is none.
pub(crate) trait Memory {
    /// Reads the word at an address.
    fn load(&self, at: u32) -> u32;
    /// Writes the word at an address.
    fn store(&mut self, at: u32, word: u32);
    /// Adds pages of 64 KiB and returns the address of the first.
    fn grow(&mut self, pages: u32) -> Option<u32>;
}

/// All blocks: a free one begins with the address of the next one in its list, in the list of room followed by its size.
pub(crate) struct Heap<M> {
    memory: M,
    small: [u32; SMALL as usize + 1],
    room: u32,
}

impl<M: Memory> Heap<M> {
    pub(crate) const fn new(memory: M) -> Heap<M> {
        Heap { memory, small: [0; SMALL as usize + 1], room: 0 }
    }

    /// A block of at least `size` bytes at a multiple of [`GRAIN`].
    pub(crate) fn alloc(&mut self, size: u32) -> Option<u32> {
        let grains = grains(size);
        if grains <= SMALL {
            let block = self.small[grains as usize];
            if block != 0 {
                self.small[grains as usize] = self.memory.load(block);
                return Some(block);
            }
        }
        let size = grains.checked_mul(GRAIN)?;
        if let Some(block) = self.take(0, size) {
            return Some(block);
        }
        let pages = (size - 1) / PAGE + 1;
        let fresh = self.memory.grow(pages)?;
        self.put(fresh, pages * PAGE);
        self.take(0, size)
    }

    /// Takes back a block that was made for, or resized to, `size` bytes.
    pub(crate) fn free(&mut self, block: u32, size: u32) {
        let grains = grains(size);
        if grains <= SMALL {
            self.memory.store(block, self.small[grains as usize]);
            self.small[grains as usize] = block;
        } else {
            self.put(block, grains * GRAIN);
        }
    }

    /// Whether the block could be resized where it is; otherwise it is as it was.
    pub(crate) fn resize(&mut self, block: u32, old: u32, new: u32) -> bool {
        let (old, new) = (grains(old), grains(new));
        if old == new {
            return true;
        }
        // A block that becomes small, or was, has to move: cut to its size it would never be room again.
        if old.min(new) <= SMALL || new > u32::MAX / GRAIN {
            return false;
        }
        if new < old {
            self.put(block + new * GRAIN, (old - new) * GRAIN);
            return true;
        }
        self.take(block + old * GRAIN, (new - old) * GRAIN).is_some()
    }

    /// Takes room of `size` bytes: the first there is, or that which begins `at` an address.
    fn take(&mut self, at: u32, size: u32) -> Option<u32> {
        let (mut before, mut found) = (0, self.room);
        while found != 0 {
            let (after, room) = (self.memory.load(found), self.memory.load(found + 4));
            if room >= size && (at == 0 || at == found) {
                let rest = if room > size { self.entry(found + size, after, room - size) } else { after };
                self.link(before, rest);
                return Some(found);
            }
            before = found;
            found = after;
        }
        None
    }

    /// Adds room, as one piece with what is free beside it.
    fn put(&mut self, at: u32, mut size: u32) {
        let (mut before, mut after) = (0, self.room);
        while after != 0 && after < at {
            before = after;
            after = self.memory.load(after);
        }
        if at + size == after {
            size += self.memory.load(after + 4);
            after = self.memory.load(after);
        }
        if before != 0 && before + self.memory.load(before + 4) == at {
            size += self.memory.load(before + 4);
            self.entry(before, after, size);
        } else {
            let added = self.entry(at, after, size);
            self.link(before, added);
        }
    }

    fn entry(&mut self, at: u32, after: u32, size: u32) -> u32 {
        self.memory.store(at, after);
        self.memory.store(at + 4, size);
        at
    }

    fn link(&mut self, before: u32, next: u32) {
        if before == 0 {
            self.room = next;
        } else {
            self.memory.store(before, next);
        }
    }
}

/// How many grains hold a number of bytes.
fn grains(size: u32) -> u32 {
    size.max(1) / GRAIN + u32::from(size.max(1) % GRAIN != 0)
}

/// Every block's size and address are multiples of this; no plain type needs more.
pub(crate) const GRAIN: u32 = 16;
/// The largest small block, in grains.
const SMALL: u32 = 64;
const PAGE: u32 = 65_536;

#[cfg(test)]
mod tests;
