"""What a person does where an agent calls a tool: one table, for every text of the engine that people read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FILE = "an editor, in the unit's file"
_SETTINGS = "`.haiku/settings.yml`"
COMMANDS: dict[str, str] = {
    "haiku_run_next": "`leeboard flow next`",
    "haiku_await_gate": "`leeboard flow next`",
    "haiku_intent_create": "`leeboard flow new TITLE`",
    "haiku_intent_get": "`leeboard flow status`",
    "haiku_intent_list": "`leeboard flow status --all`",
    "haiku_intent_archive": "`leeboard flow archive {intent}`",
    "haiku_intent_unarchive": "`leeboard flow archive {intent} --undo`",
    "haiku_intent_reset": "`leeboard flow archive {intent}` and a new intent",
    "haiku_dashboard": "`leeboard flow status --all`",
    "haiku_select_studio": "`leeboard flow studio NAME`",
    "haiku_select_mode": "`leeboard flow new --mode`",
    "haiku_select_stage": "`stages:` in intent.md",
    "haiku_studio_list": "`leeboard flow studio`",
    "haiku_studio_get": "`leeboard flow studio`",
    "haiku_studio_stage_get": "`leeboard flow studio`",
    "haiku_stage_get": "`leeboard flow status`",
    "haiku_revisit": "`leeboard flow revisit STAGE --reason WHY`",
    "haiku_decision_record": "a file in the intent's knowledge folder",
    "haiku_review_report": "`leeboard flow report {agent} --text TEXT`",
    "haiku_unit_start": "`leeboard flow unit {unit} --start`",
    "haiku_unit_advance_hat": "`leeboard flow unit {unit} --advance`",
    "haiku_unit_reject_hat": "`leeboard flow unit {unit} --reject WHY`",
    "haiku_unit_increment_bolt": "`leeboard flow unit {unit} --bolt`",
    "haiku_unit_get": "`leeboard flow unit {unit}`",
    "haiku_unit_read": "`leeboard flow unit {unit}`",
    "haiku_unit_list": "`leeboard flow units`",
    "haiku_unit_set": _FILE,
    "haiku_unit_write": _FILE,
    "haiku_unit_delete": "`rm` of the unit's file",
    "haiku_feedback": "`leeboard flow feedback add TITLE`",
    "haiku_feedback_list": "`leeboard flow feedback list`",
    "haiku_feedback_read": "`leeboard flow feedback show {feedback_id}`",
    "haiku_feedback_write": "`leeboard flow feedback reply {feedback_id} TEXT`",
    "haiku_feedback_update": "`leeboard flow feedback triage {feedback_id} --as HOW`",
    "haiku_feedback_move": "`leeboard flow feedback move {feedback_id} STAGE`",
    "haiku_feedback_reject": "`leeboard flow feedback reject {feedback_id} --reason WHY`",
    "haiku_feedback_delete": "`leeboard flow feedback reject {feedback_id} --reason WHY`",
    "haiku_feedback_advance_hat": "`leeboard flow feedback fix {feedback_id} --done`",
    "haiku_feedback_reject_hat": "`leeboard flow feedback fix {feedback_id} --again WHY`",
    "haiku_knowledge_list": "the knowledge folder of the intent",
    "haiku_knowledge_read": "the knowledge folder of the intent",
    "haiku_settings_get": _SETTINGS,
    "haiku_settings_set": _SETTINGS,
    "haiku_classify_drift": "`leeboard flow classify --all --as OUTCOME --why TEXT`",
    "haiku_human_write": "an editor",
    "haiku_record_agent_write": "an editor",
    "haiku_baseline_init": "`leeboard flow next`",
    "haiku_repair": "`leeboard flow repair`",
    "haiku_version_info": "`leeboard --version`",
    "leeboard_goal": "`leeboard scope`",
    "leeboard_said": "`leeboard report`",
    "leeboard_check_diff": "`leeboard scan`",
    "leeboard_find": "`leeboard index`",
}
"""Tool to command. What stands in braces comes from the clue, else it is shown in capitals as `--help` does."""
_TOOL = re.compile(r"`?(haiku_[a-z_]{2,40})`?(?: (unit-\d{1,4}-[\w-]{1,80}|FB-\d{1,4}))?")
_PLACE = re.compile(r"\{(\w{2,20})\}")
_SHOWN = {"unit": "UNIT", "feedback_id": "ID", "intent": "SLUG", "agent": "AGENT"}
_CHOICE = r"approved|changes_requested|external_review"
_CHOICES = re.compile(rf"(decides: |decided here; |^)((?:{_CHOICE})(?:, (?:{_CHOICE})){{0,2}})(?= can\b|\.)")
_RUNS = re.compile(r"\b([Cc])all (?=`leeboard )")
_ITEMS = ("items", "pending_items", "feedback_ids")


def for_people(text: str, facts: Mapping[str, Any] | None = None) -> str:
    """The text with commands in the place of tools; `facts` says which unit or finding it is about."""
    known = _known(facts or {})
    for said, meant in PHRASES:
        if said in text:
            text = text.replace(said, _filled(meant, known))
    told = _TOOL.sub(lambda found: _command(found, known), text)
    decided = _CHOICES.sub(_decisions, told)
    return _RUNS.sub(lambda found: "Run " if found[1] == "C" else "run ", decided)


def _known(facts: Mapping[str, Any]) -> dict[str, str]:
    """What may stand in a command. Where it is about one finding or one review agent alone, it is that one."""
    found = {name: value for name in _SHOWN if isinstance(value := facts.get(name), str) and value}
    filed = [each for name in _ITEMS for each in _listed(facts.get(name), "feedback_id")]
    agents = _listed(facts.get("agents"), "name")
    if len({*filed}) == 1:
        found.setdefault("feedback_id", filed[0])
    if len(agents) == 1:
        found.setdefault("agent", agents[0])
    return found


def _listed(value: object, key: str) -> list[str]:
    items = value if isinstance(value, list | tuple) else ()
    names = (each.get(key) if isinstance(each, Mapping) else each for each in items)
    return [name for name in names if isinstance(name, str)]


def _command(found: re.Match[str], known: Mapping[str, str]) -> str:
    command = COMMANDS.get(found[1])
    if command is None:
        return found[0]
    named = found[2] or ""
    taken = {"unit" if named.startswith("unit-") else "feedback_id": named} if named else {}
    spelled = _filled(command, {**known, **taken})
    left = "" if not named or named in spelled else f" {named}"
    return spelled + left


def _filled(command: str, known: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: known.get(place[1]) or _SHOWN[place[1]], command)


def _decisions(found: re.Match[str]) -> str:
    return found[1] + ", ".join(DECISIONS[name] for name in found[2].split(", "))


# What the engine says to whoever holds its tools, as a person reads it: where a tool's name alone would not do.


_TRIAGE = "leeboard flow feedback triage {feedback_id}"
PHRASES: tuple[tuple[str, str], ...] = (
    (
        (
            "for each say with haiku_feedback_update whether it is an inline_fix or a stage_revisit. Only the person "
            "who filed it makes a question of it, or puts it to another stage."
        ),
        (
            f"`{_TRIAGE} --as question` has it answered, `--as inline_fix` fixed where the work stands, and "
            "`--as stage_revisit` has its stage planned anew; `leeboard flow feedback move {feedback_id} STAGE` puts "
            "it to another stage."
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
        (
            "with an editor (the copy in the unit's work tree does not count), or all at once with `leeboard flow unit "
            "{unit} --advance --met`."
        ),
    ),
    (
        "Files of the intent's own folder count once haiku_record_agent_write knows them as yours.",
        (
            "A change in the intent's own folder counts once you took it in as a fix: `leeboard flow classify --all "
            "--as inline-fix --why TEXT`."
        ),
    ),
    (
        "it asks. What you wrote yourself you put on record first, with haiku_record_agent_write.",
        "it asks, and `leeboard flow classify` answers.",
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
