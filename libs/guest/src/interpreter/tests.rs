use super::*;

#[test]
fn a_panic_of_the_interpreter_is_one_failure() {
    let caught = guarded(|| {
        if MAX_DEPTH > 0 {
            panic!("as a test")
        }
    });
    assert_eq!(caught, Err(Panicked));
    assert_eq!(guarded(|| 7), Ok(7));
}

#[test]
fn types_are_named_as_in_the_text_format() {
    let ty = ExternType::Func(FuncType::new([ValType::I64, ValType::F64], []));
    assert_eq!(in_words(&ty), "a function (i64, f64) -> ()");
}
