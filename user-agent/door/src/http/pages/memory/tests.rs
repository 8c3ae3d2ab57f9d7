use super::super::layout::frame;
use super::super::layout::tests::is_a_page;
use super::super::words::ALL;
use super::*;

const ATTACK: &str = "\"><script>alert(1)</script>";

/// Each fact has a button of its own that says what it forgets, and everything is text.
#[test]
fn what_is_remembered_can_be_forgotten() {
    let fact = |id: &str, outside| Fact {
        id: id.to_owned(),
        text: ATTACK.to_owned(),
        at: ATTACK.to_owned(),
        outside,
    };
    let conversation = |first| Conversation { id: "c1".to_owned(), at: String::new(), first };
    for words in ALL.iter() {
        let conversations = [conversation(Some(ATTACK.to_owned())), conversation(None)];
        let facts = [fact("f1", false), fact(ATTACK, true)];
        let page = |q| {
            let main = remembered(words, q, &facts, &conversations, None);
            frame(words, None, "/page/memory", words.memory, main).into_string()
        };
        let (all, found) = (page(""), page(ATTACK));
        for page in [&all, &found] {
            is_a_page(page);
            assert!(page.contains("id=\"of-f1\"") && page.contains("aria-describedby=\"of-f1\""), "{page}");
            assert_eq!(page.matches(words.outside).count(), 1, "{page}");
        }
        assert_eq!(all.matches("action=\"/page/forget\"").count(), 4, "{all}");
        assert_eq!(found.matches("action=\"/page/forget\"").count(), 2, "{found}");
        assert!(all.contains("href=\"/?c=c1\"") && all.contains(words.unnamed), "{all}");
        assert!(!found.contains("href=\"/?c=c1\""), "{found}");
    }
}

/// A correction that was not made stands open with its words and the reason, those of the other facts are closed.
#[test]
fn what_was_typed_for_a_correction_is_not_lost() {
    let fact =
        |id: &str| Fact { id: id.to_owned(), text: "tea".to_owned(), at: String::new(), outside: false };
    let left = Uncorrected { id: "f2", words: ATTACK, why: ATTACK };
    for words in ALL.iter() {
        let main = remembered(words, "", &[fact("f1"), fact("f2")], &[], Some(&left));
        let page = frame(words, None, "/page/memory", words.memory, main).into_string();
        is_a_page(&page);
        assert_eq!(page.matches("<details class=\"more\"").count(), 2, "{page}");
        let (_, open) = page.split_once("<details class=\"more\" open>").expect("one stands open");
        assert!(open.contains("value=\"f2\"") && open.contains("aria-invalid=\"true\""), "{page}");
        assert_eq!(page.matches("role=\"alert\"").count(), 1, "{page}");
    }
}

#[test]
fn the_newest_receipt_stands_first() {
    let receipt = |tool: &str| Receipt {
        timestamp: "2026-03-04T05:06:07.000Z".to_owned(),
        tool: tool.to_owned(),
        status: "allowed".to_owned(),
        risk: "low".to_owned(),
        approved_by: ATTACK.to_owned(),
    };
    for words in ALL.iter() {
        let main = table(words, &[receipt("older"), receipt("newer")]);
        let page = frame(words, None, "/page/receipts", words.receipts, main).into_string();
        is_a_page(&page);
        assert!(page.find("newer") < page.find("older"), "{page}");
    }
}
