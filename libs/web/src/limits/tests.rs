use std::time::Duration;

use super::*;

/// A burst is let in, what is beyond it is not, and time brings room again.
#[test]
fn a_bucket_is_emptied_and_fills_with_time() {
    let now = Instant::now();
    let bucket = Bucket::new(2.0, 3.0, now);
    let taken = (0..5).filter(|_| bucket.take(now)).count();
    assert_eq!(taken, 3);
    let later = now + Duration::from_millis(600);
    assert!(bucket.take(later) && !bucket.take(later));
    let much_later = now + Duration::from_secs(3600);
    assert_eq!((0..9).filter(|_| bucket.take(much_later)).count(), 3);
}
