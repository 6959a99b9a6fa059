"""The tools for files that changed between two ticks: what they mean, and who wrote them."""

from __future__ import annotations

from leeboard.wire._mcp_run_tools import INTENT
from leeboard.wire.mcp_schema import choice, content, flag, identifier, needed, records, text, texts, writer

LONGEST_PATH = 1024
LONGEST_CONTENT = 12 * 1024 * 1024
"""Characters; what is larger does not come over this pipe."""
_ALIAS = identifier("The same as intent_slug, as the other tools spell it.")
_PATH = needed(text("Path of the file, relative to the folder of the intent.", LONGEST_PATH))

DRIFT_TOOLS = (
    writer(
        "haiku_classify_drift",
        "Say what each finding of a manual_change_assessment means: all of them in one call. ignore: cosmetic or "
        "expected. inline-fix: you fold it into the work at once. surface-as-feedback: it needs a finding and a fix "
        "loop. trigger-revisit: an earlier stage, or this one, has to be gone through again.",
        intent_slug=INTENT,
        intent=_ALIAS,
        tick_id=needed(text("The tick_id of the assessment.", 200)),
        classifications=needed(
            records(
                "One for each finding. With the path `*`: for all that are not named.",
                10_000,
                path=needed(text("The finding's path.", 4 * LONGEST_PATH)),
                outcome=needed(text("ignore, inline-fix, surface-as-feedback or trigger-revisit.", 64)),
                rationale_excerpt=text("Why, in a sentence; only ignore needs none.", 100_000),
                linked_feedback_id=text("surface-as-feedback: the open finding (FB-NN) that covers it.", 128),
                linked_revisit_target_stage=text("trigger-revisit: the stage, at or before the active one.", 128),
            )
        ),
        agent_rationale=needed(text("What you saw and what follows from it, as a whole.", 1_000_000)),
        feedback_creates=records(
            "surface-as-feedback: findings to file in the same step.",
            1000,
            for_classification_path=needed(text("The path it is filed for.", 4 * LONGEST_PATH)),
            title=needed(text("One line.", 200)),
            body=needed(content("What changed, and what has to follow from it.")),
            origin=text("Always `agent`.", 64),
            resolution=choice("How it is to be settled.", "question", "inline_fix", "stage_revisit"),
        ),
    ),
    writer(
        "haiku_human_write",
        "Write a file of knowledge, discovery or outputs on behalf of a person: use it whenever you act on a person's "
        "explicit instruction ('save this to knowledge/', 'update the spec with these changes'), so that the change "
        "counts as theirs. The next tick asks you to classify it. Your own writing is written as usual.",
        intent_slug=INTENT,
        intent=_ALIAS,
        path=_PATH,
        content=needed(text("The whole content of the file.", LONGEST_CONTENT)),
        content_encoding=text("utf-8 (the default) or base64.", 64),
        claimed_author_id=text("Who said so, as far as you know: a claim, not an identity.", 1000),
        human_author_id=text("Older name of claimed_author_id.", 1000),
        rationale=text("Why it is written.", 100_000),
        user_instruction_excerpt=text("The person's own words.", 100_000),
        overwrite=flag("Whether a file that is there may be replaced; true where it is left out."),
        create_dirs=flag("Whether missing folders are made; true where it is left out."),
    ),
    writer(
        "haiku_record_agent_write",
        "Put on record that you wrote a tracked file yourself, right after writing it. Only where Leeboard's hooks do "
        "not run: they do it by themselves, and it is refused there.",
        intent_slug=INTENT,
        intent=_ALIAS,
        path=_PATH,
    ),
    writer(
        "haiku_baseline_init",
        "Take the tracked files of stages that never had a baseline as they are. A baseline that was lost is taken "
        "anew only with a person's word (`leeboard flow baseline-reset`).",
        intent_slug=INTENT,
        intent=_ALIAS,
        mode=choice("All tracked files (where it is left out), or these alone.", "establish-all", "establish-paths"),
        paths=texts("establish-paths: the files, relative to the folder of the intent.", 10_000),
    ),
)
