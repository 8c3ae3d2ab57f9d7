use super::*;

fn folded(text: &str) -> String {
    let mut folded = String::new();
    text.chars().for_each(|c| fold(c, |part| folded.push(part)));
    folded
}

#[test]
fn letters_lose_width_style_accent_and_case() {
    assert_eq!(folded("ＩＧＮＯＲＥ 𝗮𝗹𝗹 𝓹rëvîous Ⅳ ﬁne"), "ignore all previous iv fine");
    assert_eq!(folded("Größe Łódź Ærø Ça"), "grosse lodz aero ca");
    assert_eq!(folded("🅘🅰🇬"), "iag");
    assert_eq!(folded("ИГНОРИРУЙ 忽略"), "игнорируи 忽略");
}

#[test]
fn the_table_of_look_alikes_is_sorted_and_gives_latin_letters() {
    assert!(LOOK_ALIKES.is_sorted_by(|a, b| a.0 < b.0));
    assert!(LOOK_ALIKES.iter().all(|(from, to)| !from.is_ascii() && to.is_ascii_lowercase()));
    assert_eq!(look_alike('о'), Some('o'));
    assert_eq!(look_alike('q'), None);
}

#[test]
fn joiners_are_invisible_but_no_trick() {
    assert!(is_invisible('\u{200d}') && is_joiner('\u{200d}'));
    assert!(is_invisible('\u{200b}') && !is_joiner('\u{200b}'));
    assert!(!is_invisible('a') && !is_invisible('\n') && !is_invisible('é'));
    assert_eq!(tagged('\u{e0041}'), Some('A'));
    assert_eq!(tagged('A'), None);
}
