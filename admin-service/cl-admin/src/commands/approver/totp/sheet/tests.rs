use super::*;

const ADDRESS: &str = "otpauth://totp/TameClaw:owner?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=TameClaw&algorithm=SHA1&digits=6&period=30";

#[test]
fn the_code_fits_on_a_usual_screen_and_is_that_of_the_address() {
    let lines = ["secret:".to_owned(), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP".to_owned()];
    let sheet = drawn(ADDRESS, &lines, 24, 80).expect("it fits");
    let code = QrCode::encode_text(ADDRESS, QrCodeEcc::Low).unwrap();
    let rows: Vec<Vec<char>> = sheet
        .lines()
        .map(|line| line.strip_prefix(COLOURS.0).unwrap().split(COLOURS.1).next().unwrap().chars().collect())
        .collect();
    assert!(rows.len() < 24, "a row is left for the question");
    for y in 0..code.size() {
        for x in 0..code.size() {
            let (row, column) = (usize::try_from(y + BORDER).unwrap(), usize::try_from(x + BORDER).unwrap());
            let dark = match rows[row / 2][column] {
                '\u{2588}' => true,
                '\u{2580}' => row % 2 == 0,
                '\u{2584}' => row % 2 == 1,
                ' ' => false,
                other => panic!("{other} is not a module of the code"),
            };
            assert_eq!(dark, code.get_module(x, y), "{x} {y}");
        }
    }
    assert!(sheet.contains("secret:") && sheet.contains("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"), "{sheet}");
}

#[test]
fn a_small_window_gets_no_code() {
    assert_eq!(drawn(ADDRESS, &[], 20, 80), None);
    assert_eq!(drawn(ADDRESS, &[], 24, 70), None);
}
