"""The tools that move an intent as a whole."""

from __future__ import annotations

from leeboard.wire.mcp_schema import choice, content, flag, identifier, needed, text, texts, writer

INTENT = identifier("Slug of the intent. Left out: the one of the current branch, or the only active one.")
THIS_INTENT = needed(identifier("Slug of the intent."))
_STAGE = identifier("Name of a stage of the intent.")

RUN_TOOLS = (
    writer(
        "haiku_run_next",
        "What to do next: exactly one action. Do what it says, then call this again. At a review gate the call waits "
        "for the person; where it answers `pending`, call it again.",
        intent=INTENT,
        external_review_url=text("Where the review that you opened for this stage is.", 2000),
    ),
    writer(
        "haiku_await_gate",
        "Wait for the person's decision at the review gate the intent stands at, then answer what follows from it.",
        intent=INTENT,
    ),
    writer(
        "haiku_intent_create",
        "Begin a new piece of work that goes through the stages of a studio.",
        title=needed(text("One line of three to eight words, at most 80 characters.", 80)),
        description=needed(content("What is wanted and why, in the user's words.")),
        slug=identifier("Short name in lower case; left out: made from the title."),
        context=content("What was said about it so far: kept as knowledge of the intent."),
        studio=identifier("Slug or alias of the studio, if it is known already."),
        mode=choice("How the stages follow each other.", "continuous", "discrete"),
    ),
    writer(
        "haiku_select_studio",
        "Choose the studio of an intent, before its first stage begins.",
        intent=THIS_INTENT,
        studio=needed(identifier("Slug or alias of the studio.")),
    ),
    writer(
        "haiku_select_mode",
        "Choose how the stages of an intent follow each other, before its first stage begins.",
        intent=THIS_INTENT,
        mode=needed(choice("How the stages follow each other.", "continuous", "discrete")),
    ),
    writer(
        "haiku_select_stage",
        "Choose which stages an intent goes through, before its first stage begins.",
        intent=THIS_INTENT,
        stages=needed(texts("Names of stages of its studio; they keep the studio's order.", 50)),
    ),
    writer(
        "haiku_intent_reset",
        "Begin an intent anew: its description stays, everything done so far is wiped. Asks for the slug twice.",
        intent=THIS_INTENT,
        confirm=needed(identifier("The slug once more: what is wiped does not come back.")),
    ),
    writer("haiku_intent_archive", "Put an intent away: it is no longer worked on.", intent=THIS_INTENT),
    writer("haiku_intent_unarchive", "Take an intent back out of the archive.", intent=THIS_INTENT),
    writer(
        "haiku_revisit",
        "Go back to this or an earlier stage. Its units and their history stay; later stages become stale.",
        intent=INTENT,
        stage=_STAGE,
        reason=text("Why, in a sentence."),
    ),
    writer(
        "haiku_decision_record",
        "Write down what was decided in the active stage, or honestly that there was nothing to decide.",
        intent=INTENT,
        stage=_STAGE,
        decision=text("What had to be decided."),
        options=texts("What could have been chosen: two at least.", 20),
        choice=text("The option that was chosen."),
        source=choice("Who chose it.", "user", "agent"),
        rationale=text("Why."),
        no_decisions=flag("There was nothing to decide; the rationale says why."),
    ),
    writer(
        "haiku_review_report",
        "Record what a review agent said of the active stage. What it found is filed first, with haiku_feedback.",
        intent=INTENT,
        agent=needed(identifier("Name of the review agent.")),
        verdict=needed(choice("`pass`: nothing to complain of.", "pass", "findings")),
        report=needed(content("The report in full.")),
        findings=texts("Ids of the feedback that was filed for it (FB-NN).", 100),
    ),
)
