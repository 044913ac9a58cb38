//! Contracts of the public types.

use cwplugin_replies::{
    Classes, Documents, FieldPath, Missing, Reader, Recognised, ReplyError, Rows, Source, VoteCounter, Votes,
    names_in, recognise,
};

use crate::support::{Expected, cases};

#[test]
fn every_type_may_be_shared_between_threads() {
    fn is_shareable<T: Send + Sync + Clone + std::fmt::Debug>() {}
    is_shareable::<Classes>();
    is_shareable::<Documents>();
    is_shareable::<FieldPath>();
    is_shareable::<Missing>();
    is_shareable::<Reader>();
    is_shareable::<Recognised>();
    is_shareable::<ReplyError>();
    is_shareable::<Rows>();
    is_shareable::<Source>();
    is_shareable::<VoteCounter>();
    is_shareable::<Votes>();
}

/// Fixtures that are plain replies are recognised, and never as another vendor's.
#[test]
fn replies_are_recognised_as_those_of_their_source() {
    let mut recognised = 0;
    for case in cases().iter().filter(|case| !case.file.starts_with("bad/")) {
        for document in case.documents() {
            let Some(found) = recognise(&document) else { continue };
            let same_shape = [Source::Openai, Source::Vllm, Source::LlamaCpp, Source::Completions];
            let source = case.source().unwrap();
            let alike = same_shape.contains(&source) && same_shape.contains(&found.source);
            assert!(found.source == source || alike, "{}: {found:?}", case.name);
            recognised += 1;
        }
    }
    assert!(recognised > 100, "{recognised}");
}

#[test]
fn names_of_a_list_of_scores_are_its_classes() {
    let mut with_names = 0;
    for case in cases().iter().filter(|case| matches!(case.expected, Expected::Rows(_))) {
        let Some(source) = case.source() else { continue };
        let reply_at = case.options.reply.as_deref().map(|path| path.parse::<FieldPath>().unwrap());
        for document in case.documents() {
            let names = names_in(source, reply_at.as_ref(), &document).unwrap();
            with_names += usize::from(!names.is_empty());
            assert!(names.is_empty() || !source.has_tokens(), "{}", case.name);
        }
    }
    assert!(with_names > 30, "{with_names}");
}
