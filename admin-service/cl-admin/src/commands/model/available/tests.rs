use super::*;

const TEXT: &str = "MemTotal:        4000000 kB\nMemFree:          100000 kB\nMemAvailable:    2000000 kB\n";

#[test]
fn the_kernels_words_are_read() {
    let machine = Memory { total: 4_000_000 * 1024, available: 2_000_000 * 1024 };
    assert_eq!(Memory::parse(TEXT), Some(machine));
    for odd in [
        "",
        "MemTotal: 4 kB\n",
        "MemTotal: x kB\nMemAvailable: 1 kB\n",
        "MemTotal: 4 MB\nMemAvailable: 1 MB\n",
    ] {
        assert_eq!(Memory::parse(odd), None, "{odd}");
    }
}

#[test]
fn what_fits_is_told_by_what_is_available_and_what_there_is() {
    let machine = Memory::parse(TEXT);
    assert_eq!(fit(491_400_032, machine), Fit::Fits);
    assert_eq!(fit(2_497_280_256, machine), Fit::Tight);
    assert_eq!(fit(5_027_783_488, machine), Fit::TooLarge);
    assert_eq!(fit(1, None), Fit::Unknown);
}
