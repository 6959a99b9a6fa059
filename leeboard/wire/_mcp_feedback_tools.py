"""The tools of feedback: findings that outlive the conversation."""

from __future__ import annotations

from leeboard.wire._mcp_run_tools import INTENT
from leeboard.wire.mcp_schema import choice, content, identifier, needed, reader, text, writer

_STAGE = identifier("The stage it belongs to. Left out: the active one; `intent`: the intent as a whole.")
_ID = needed(identifier("Its id, such as FB-01."))
_RESOLUTION = choice("How it is to be settled.", "question", "inline_fix", "stage_revisit")

FEEDBACK_TOOLS = (
    writer(
        "haiku_feedback",
        "File a finding.",
        intent=INTENT,
        stage=_STAGE,
        title=needed(text("One line, at most 120 characters.", 120)),
        body=needed(content("What is wrong, where, and what would be right.")),
        origin=choice("Where it comes from.", "agent", "adversarial-review", "studio-review"),
        author=text("Who found it, such as the review agent's name.", 128),
        source_ref=text("What it refers to.", 1024),
        resolution=_RESOLUTION,
    ),
    reader(
        "haiku_feedback_list",
        "Findings, the open ones first.",
        intent=INTENT,
        stage=_STAGE,
        status=choice("Only these.", "pending", "fixing", "addressed", "answered", "closed", "rejected"),
    ),
    reader("haiku_feedback_read", "A finding with its body.", intent=INTENT, stage=_STAGE, feedback_id=_ID),
    writer(
        "haiku_feedback_write",
        "Replace the body of a finding of an agent.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        body=needed(content("The new body.")),
    ),
    writer(
        "haiku_feedback_update",
        "Say how a finding stands or how it is to be settled. A person's finding is closed by a person only.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        status=choice("How it stands.", "pending", "addressed", "answered", "closed"),
        resolution=_RESOLUTION,
        closed_by=identifier("The unit that settled it."),
        reply=content("What to answer to its author."),
    ),
    writer(
        "haiku_feedback_move",
        "Move a finding to the stage it belongs to; to its own stage: confirm that it belongs there.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        to_stage=needed(identifier("The stage; `intent`: the intent as a whole.")),
        resolution=_RESOLUTION,
    ),
    writer(
        "haiku_feedback_reject",
        "Reject a finding of an agent, with a reason.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        reason=needed(text("Why it does not hold.")),
    ),
    writer(
        "haiku_feedback_delete", "Remove an ended finding of an agent.", intent=INTENT, stage=_STAGE, feedback_id=_ID
    ),
    writer(
        "haiku_feedback_advance_hat",
        "The current hat's work on a fix is done. The last hat settles the finding.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        reason=text("Why nothing had to change, where nothing did; people see it at the gate."),
    ),
    writer(
        "haiku_feedback_reject_hat",
        "A fix is not good enough: back to the hat before, one bolt on; the first hat begins again.",
        intent=INTENT,
        stage=_STAGE,
        feedback_id=_ID,
        reason=text("What is wrong with it."),
    ),
)
