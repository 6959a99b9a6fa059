"""What the engine says to whoever holds its tools, as a person reads it: where a tool's name alone would not do."""

from __future__ import annotations

_TRIAGE = "leeboard flow feedback triage {feedback_id}"
PHRASES: tuple[tuple[str, str], ...] = (
    (
        (
            "for each say with haiku_feedback_update whether it is a question, an inline_fix or a stage_revisit; with "
            "haiku_feedback_move put it to the stage it belongs to."
        ),
        (
            f"`{_TRIAGE} --as question` has it answered, `--as inline_fix` fixed where the work stands, and "
            "`--as stage_revisit` has its stage planned anew."
        ),
    ),
    ("call haiku_feedback_update with status addressed", f"run `{_TRIAGE} --status addressed`"),
    ("haiku_feedback_update and a `reply`", "`leeboard flow feedback reply {feedback_id} TEXT`"),
    (
        "set the resolution stage_revisit with haiku_feedback_update",
        f"plan it anew with `{_TRIAGE} --as stage_revisit`",
    ),
    (
        "Set the resolution stage_revisit with haiku_feedback_update",
        f"Plan it anew with `{_TRIAGE} --as stage_revisit`",
    ),
    ("haiku_feedback_reject and a reason", "`leeboard flow feedback reject {feedback_id} --reason WHY`"),
    (
        "call haiku_feedback_advance_hat with the reason",
        "run `leeboard flow feedback fix {feedback_id} --done --because WHY`",
    ),
    ("call haiku_unit_advance_hat with the reason", "run `leeboard flow unit {unit} --advance --because WHY`"),
    (
        "with haiku_unit_set (field criteria) or by hand: the copy in the unit's work tree does not count.",
        "with an editor: the copy in the unit's work tree does not count.",
    ),
    (
        "Files of the intent's own folder count once haiku_record_agent_write knows them as yours.",
        (
            "A change in the intent's own folder counts once you took it in as a fix: `leeboard flow classify --all "
            "--as inline-fix --why TEXT`."
        ),
    ),
    (
        "pass its address as external_review_url to haiku_run_next",
        "name its address with `leeboard flow next --external-review-url URL`",
    ),
    (
        "they approve it or ask for changes with `leeboard flow review`.",
        (
            "`leeboard flow review` shows it, `leeboard flow review --approve` lets it pass, and "
            "`leeboard flow review --request-changes TEXT` sends it back."
        ),
    ),
    ("Say it in the feedback.", "Say it: `--request-changes TEXT`."),
    (
        "The unit tools move them: haiku_unit_start, haiku_unit_advance_hat, haiku_unit_reject_hat.",
        "`leeboard flow unit` moves them.",
    ),
    ("choose another slug", "choose another one with --slug"),
    (" in linked_revisit_target_stage.", " with --stage."),
    (
        "in linked_feedback_id, or file one in feedback_creates: one of both.",
        "with --feedback, or file one with --title and --body: one of both.",
    ),
    ("Keep agent_rationale to ", "Keep --why to "),
)
"""Parts of sentences of the engine, word for word, and what stands there for people; braces as in the commands."""
DECISIONS = {
    "approved": "`--approve`",
    "changes_requested": "`--request-changes TEXT`",
    "external_review": "`--external [URL]`",
    "withdrawn": "`--withdraw`",
}
"""How each decision is given to `leeboard flow review`."""
