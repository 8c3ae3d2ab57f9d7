//! Order, compiled once. The library's sort is four kilobytes of code for each type and each order, and `collect` into a map or a
//! set holds one; lists and maps that are short take these.

use std::cmp::Ordering;

/// Sorts; equals keep their order.
pub fn by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut left: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|place| left[place].take()));
}

/// As [`by`], by a key.
pub fn by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// As `collect`, one item after the other: for ordered maps and sets.
pub fn collected<T, C: Default + Extend<T>>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

#[cfg(test)]
mod tests;
