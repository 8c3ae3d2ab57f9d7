use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::*;

#[test]
fn equals_keep_their_order_and_of_equal_keys_the_last_counts() {
    let mut items = vec![(1, "a"), (3, "b"), (1, "c"), (2, "d"), (3, "e")];
    by_key(&mut items, |(number, _)| Reverse(*number));
    assert_eq!(items, [(3, "b"), (3, "e"), (2, "d"), (1, "a"), (1, "c")]);
    by(&mut items, |a, b| a.1.cmp(b.1));
    assert_eq!(items, [(1, "a"), (3, "b"), (1, "c"), (2, "d"), (3, "e")]);
    let map: BTreeMap<i32, &str> = collected(items);
    assert_eq!(map, BTreeMap::from([(1, "c"), (2, "d"), (3, "e")]));
    by(&mut Vec::<u8>::new(), |_, _| unreachable!("nothing is compared"));
}
