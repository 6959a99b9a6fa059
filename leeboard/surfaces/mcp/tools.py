"""The tools of the server, as their clients are shown them: of an intent, a unit, feedback, drift and the project."""

from __future__ import annotations

from leeboard.surfaces.mcp.schema import choice, content, flag, identifier, needed, reader, records, text, texts, writer

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


# The tools of a unit of work.


UNIT = needed(identifier("The unit: the name of its file without .md, such as unit-01-token-check."))
STAGE = identifier("Name of the stage. Left out: the active one.")

UNIT_TOOLS = (
    writer("haiku_unit_start", "Begin a unit: its first hat is put on.", intent=INTENT, unit=UNIT),
    writer(
        "haiku_unit_advance_hat",
        "The current hat's work on the unit is done. The last hat completes the unit, and its branch is merged.",
        intent=INTENT,
        unit=UNIT,
        reason=text("Why nothing had to change, where nothing did; people see it at the gate."),
    ),
    writer(
        "haiku_unit_reject_hat",
        "The hat before fell short: back to it, one bolt on; the first hat begins again.",
        intent=INTENT,
        unit=UNIT,
        reason=text("What is wrong, so that the hat before can put it right."),
    ),
    writer("haiku_unit_increment_bolt", "Begin another pass of the current hat.", intent=INTENT, unit=UNIT),
    reader(
        "haiku_unit_get",
        "A unit's fields; with `field`, that one alone.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        field=identifier("Name of a field, such as status, hat or bolt."),
    ),
    writer(
        "haiku_unit_set",
        "Set one field of a unit. Once it is under way only its outputs, and `criteria`: a list of those that are met.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        field=needed(identifier("Name of the field, such as title or depends_on.")),
        value=needed({"description": "Its new value: a text, a number, true or false, or a list."}),
    ),
    reader("haiku_unit_list", "The units of a stage, in waves.", intent=INTENT, stage=STAGE),
    reader("haiku_unit_read", "A unit's file as it is.", intent=INTENT, stage=STAGE, unit=UNIT),
    writer(
        "haiku_unit_write",
        "Write a unit's whole file: frontmatter, then a body with `- [ ]` criteria. Only while nobody has begun it.",
        intent=INTENT,
        stage=STAGE,
        unit=UNIT,
        content=needed(content("The file's text.")),
    ),
    writer("haiku_unit_delete", "Remove a unit that nobody has begun.", intent=INTENT, stage=STAGE, unit=UNIT),
)


# The tools of feedback: findings that outlive the conversation.


_FEEDBACK_STAGE = identifier("The stage it belongs to. Left out: the active one; `intent`: the intent as a whole.")
_ID = needed(identifier("Its id, such as FB-01."))
_RESOLUTION = choice("How it is to be settled.", "question", "inline_fix", "stage_revisit")

FEEDBACK_TOOLS = (
    writer(
        "haiku_feedback",
        "File a finding.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
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
        stage=_FEEDBACK_STAGE,
        status=choice("Only these.", "pending", "fixing", "addressed", "answered", "closed", "rejected"),
    ),
    reader("haiku_feedback_read", "A finding with its body.", intent=INTENT, stage=_FEEDBACK_STAGE, feedback_id=_ID),
    writer(
        "haiku_feedback_write",
        "Replace the body of a finding of an agent.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
        body=needed(content("The new body.")),
    ),
    writer(
        "haiku_feedback_update",
        "Say how a finding stands or how it is to be settled. A person's finding is closed by a person only.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
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
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
        to_stage=needed(identifier("The stage; `intent`: the intent as a whole.")),
        resolution=_RESOLUTION,
    ),
    writer(
        "haiku_feedback_reject",
        "Reject a finding of an agent, with a reason.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
        reason=needed(text("Why it does not hold.")),
    ),
    writer(
        "haiku_feedback_delete",
        "Remove an ended finding of an agent.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
    ),
    writer(
        "haiku_feedback_advance_hat",
        "The current hat's work on a fix is done. The last hat settles the finding.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
        reason=text("Why nothing had to change, where nothing did; people see it at the gate."),
    ),
    writer(
        "haiku_feedback_reject_hat",
        "A fix is not good enough: back to the hat before, one bolt on; the first hat begins again.",
        intent=INTENT,
        stage=_FEEDBACK_STAGE,
        feedback_id=_ID,
        reason=text("What is wrong with it."),
    ),
)


# The tools for files that changed between two ticks: what they mean, and who wrote them.


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


# The tools that read and report, and those that look after the project's settings and files.


_STUDIO = needed(identifier("Slug or alias of the studio."))

READ_TOOLS = (
    reader("haiku_intent_get", "An intent's fields.", intent=INTENT),
    reader("haiku_intent_list", "All intents.", include_archived=flag("Those in the archive too.")),
    reader(
        "haiku_stage_get",
        "How a stage of an intent stands.",
        intent=INTENT,
        stage=identifier("Name of the stage. Left out: the active one."),
    ),
    reader("haiku_knowledge_list", "What is known: of the project, and of an intent.", intent=INTENT),
    reader(
        "haiku_knowledge_read",
        "One file of the knowledge: of the intent, else of the project.",
        intent=INTENT,
        name=needed(text("Name of the file, such as ARCHITECTURE.md.", 256)),
    ),
    reader("haiku_studio_list", "The studios to choose from."),
    reader("haiku_studio_get", "A studio and its stages.", studio=_STUDIO),
    reader(
        "haiku_studio_stage_get",
        "A stage as its studio defines it.",
        studio=_STUDIO,
        stage=needed(identifier("Name of the stage.")),
    ),
    reader(
        "haiku_settings_get",
        "The project's settings, or one of them.",
        path=text("A dotted path, such as model_profiles.builder.", 256),
    ),
    writer(
        "haiku_settings_set",
        "Set one of the project's settings.",
        path=needed(text("A dotted path, such as granularity.", 256)),
        value=needed({"description": "Its new value: a text, a number, true or false, or a list."}),
    ),
    reader("haiku_dashboard", "All active intents and how they stand, in a few lines."),
    writer(
        "haiku_repair",
        "Look for what is wrong with an intent's files, and put right what can safely be.",
        intent=INTENT,
        apply=flag("False: only say what is wrong."),
    ),
    reader("haiku_version_info", "Versions of the server and of its protocol."),
)
