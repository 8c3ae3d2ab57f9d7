use std::vec;
use std::vec::Vec;

use super::*;

/// Memory of at most 32 pages that begins with one page which is not the allocator's.
struct Pages(Vec<u32>);

impl Memory for Pages {
    fn load(&self, at: u32) -> u32 {
        self.0[at as usize / 4]
    }

    fn store(&mut self, at: u32, word: u32) {
        self.0[at as usize / 4] = word;
    }

    fn grow(&mut self, pages: u32) -> Option<u32> {
        let start = self.0.len() as u32 * 4;
        let end = start.checked_add(pages.checked_mul(PAGE)?).filter(|end| *end <= 32 * PAGE)?;
        self.0.resize(end as usize / 4, 0);
        Some(start)
    }
}

fn heap() -> Heap<Pages> {
    Heap::new(Pages(vec![0; PAGE as usize / 4]))
}

fn pages(heap: &Heap<Pages>) -> u32 {
    heap.memory.0.len() as u32 * 4 / PAGE
}

#[test]
fn blocks_never_overlap_and_keep_what_is_in_them() {
    let mut heap = heap();
    let mut blocks: Vec<(u32, u32, u32)> = vec![];
    let mut state = 1u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as u32 % below
    };
    for mark in 0..50_000 {
        let size = if random(4) == 0 { 1 + random(20_000) } else { 1 + random(300) };
        let full = |heap: &Heap<Pages>, block: u32, size: u32, mark: u32| {
            (0..size / 4).all(|word| heap.memory.load(block + word * 4) == mark)
        };
        if blocks.len() > 150 || (random(2) == 0 && !blocks.is_empty()) {
            let index = random(blocks.len() as u32) as usize;
            let (block, old, mark) = blocks.swap_remove(index);
            assert!(full(&heap, block, old, mark));
            if random(3) == 0 && heap.resize(block, old, size) {
                assert!(full(&heap, block, old.min(size), mark));
                (0..size / 4).for_each(|word| heap.memory.store(block + word * 4, mark));
                blocks.push((block, size, mark));
            } else {
                heap.free(block, old);
            }
        } else {
            let block = heap.alloc(size).unwrap();
            assert_eq!(block % GRAIN, 0);
            let apart =
                |(other, length, _): &(u32, u32, u32)| block + size <= *other || other + length <= block;
            assert!(block >= PAGE && blocks.iter().all(apart));
            (0..size / 4).for_each(|word| heap.memory.store(block + word * 4, mark));
            blocks.push((block, size, mark));
        }
    }
    for (block, size, _) in blocks {
        heap.free(block, size);
    }
}

#[test]
fn freed_room_becomes_one_piece_again() {
    let mut heap = heap();
    let blocks: Vec<u32> = (0..20).map(|_| heap.alloc(3_000).unwrap()).collect();
    let used = pages(&heap);
    for block in blocks.iter().step_by(2).chain(blocks.iter().skip(1).step_by(2)) {
        heap.free(*block, 3_000);
    }
    assert!(heap.alloc(60_000).is_some());
    assert_eq!(pages(&heap), used);
}

#[test]
fn a_block_grows_and_shrinks_in_place_where_there_is_room() {
    let mut heap = heap();
    let block = heap.alloc(2_000).unwrap();
    assert!(heap.resize(block, 2_000, 30_000));
    let next = heap.alloc(2_000).unwrap();
    assert!(!heap.resize(block, 30_000, 40_000));
    assert!(heap.resize(block, 30_000, 2_000));
    assert!(!heap.resize(block, 2_000, 100));
    assert!(heap.resize(block, 2_000, 2_000));
    assert!(heap.alloc(28_000).unwrap() < next);
}

#[test]
fn repeated_work_takes_no_more_memory() {
    let mut heap = heap();
    for _ in 0..100_000 {
        let (small, large) = (heap.alloc(40).unwrap(), heap.alloc(5_000).unwrap());
        assert!(!heap.resize(small, 40, 20));
        assert!(heap.resize(large, 5_000, 1_100));
        let shorter = heap.alloc(20).unwrap();
        heap.free(small, 40);
        heap.free(shorter, 20);
        heap.free(large, 1_100);
    }
    assert_eq!(pages(&heap), 2);
}

#[test]
fn what_does_not_fit_is_refused_and_the_rest_goes_on() {
    let mut heap = heap();
    for size in [u32::MAX, u32::MAX - 7, 1 << 31, 32 * PAGE] {
        assert_eq!(heap.alloc(size), None);
    }
    let block = heap.alloc(2_000).unwrap();
    assert!(!heap.resize(block, 2_000, u32::MAX));
    assert!(heap.alloc(30 * PAGE).is_some());
}
