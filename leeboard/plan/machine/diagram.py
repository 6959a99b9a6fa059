"""The page about the machine, written from its table: the diagram, and every row in the order it is looked at."""

from __future__ import annotations

from leeboard.model.plan import MOST_BOLTS, MOST_FIX_BOLTS, MOST_GATE_TRIES, MOST_PARALLEL, TURNS_NEEDED
from leeboard.plan.machine.look import MOST_AGENT_REVISITS, Row, Waits
from leeboard.plan.machine.table import MOST_REPEATS, TABLE

_TITLES = {
    "intent": "The intent",
    "drift": "Changed files",
    "feedback": "Feedback",
    "start": "The start of a stage",
    "elaborate": "elaborate",
    "execute": "execute",
    "review": "review",
    "gate": "gate",
}

_HEAD = f"""\
<!-- Written by tools/make_docs.py from leeboard/plan/machine/table.py. -->

# The workflow machine

An agent calls `haiku_run_next`, does the one thing it is told, and calls again. Every call looks at the files and at
git, nothing else, and goes through the rows below from the top: the intent, changed files, feedback, the start of a
stage, then the phase the stage is in. The first row that holds decides. *engine* means that the engine does it and
looks again.

- An action that **waits** may repeat for ever and carries `repeats`. Any other action that is given {MOST_REPEATS} more
  times while nothing moved becomes `loop_halted`; a changed file, a moved branch or a word of the user lets it go on.
- A collaborative stage needs {TURNS_NEEDED} turns of the user in each visit. They are counted from what the user said,
  never from calls. There is no shortest time for a hat (`hat_too_fast` of earlier tools): time proves nothing, so what
  has to be shown is asked for instead: outputs, criteria, quality gates, reports, merges.
- At most {MOST_PARALLEL} units of a wave run at once. A unit has {MOST_BOLTS} bolts, a fix {MOST_FIX_BOLTS}, quality
  gates may fail over {MOST_GATE_TRIES} states of the tree; findings of agents may send a stage back
  {MOST_AGENT_REVISITS} times. Then a person is asked (`escalate`). A hat of a unit in its last bolt is not sent back:
  its action stays `continue_unit`, and says that a person decides where it falls short.
- A gate whose program is not installed has not failed: it is named under `warnings` of the clues that follow, and a
  person lets the stage through, whatever its `review` says. A script of the work tree that is gone has failed.
- Earlier stages are found by what is completed, so there is nothing to repair (`safe_intent_repair`) and no wave in
  which nothing can begin (`blocked`).

"""


_WAITED: dict[Waits, str] = {
    "": "",
    "person": "a person",
    "event": "an event",
    "classification": "a classification",
    "over": "nothing more",
}


def mermaid() -> str:
    """The phases of a stage and what leads from one to the other."""
    lines = ["stateDiagram-v2"]
    for row in TABLE:
        if not (row.to or row.leads):
            continue
        lines.append(f"    {_source(row)} --> {_target(row)}: {_label(row)}")
    return "\n".join(lines) + "\n"


def _source(row: Row) -> str:
    match row.section:
        case "start":
            return "all_stages_completed" if row.leads else "[*]"
        case "feedback":
            return "all_stages_completed" if row.leads == "last stage" else "any_phase"
        case _:
            return row.section


def _target(row: Row) -> str:
    match row.leads:
        case "":
            return row.to
        case "completed":
            return "[*]" if row.section == "start" else "all_stages_completed"
        case "last stage":
            return "review"
        case "next stage":
            return "next_stage"
        case _:
            return "elaborate"


def _label(row: Row) -> str:
    return row.note.replace(":", ",")


def page() -> str:
    """The page on the workflow, generated from the table that the machine goes by."""
    parts = [_HEAD, "```mermaid\n", mermaid(), "```\n"]
    for section, title in _TITLES.items():
        rows = [row for row in TABLE if row.section == section]
        parts.append(f"\n## {title}\n\n| condition | action | waits for | leads to |\n|---|---|---|---|\n")
        parts.extend(_line(row) for row in rows)
    return "".join(parts)


def _line(row: Row) -> str:
    action = f"`{row.action}`" if row.action else "*engine*"
    waits = _WAITED[row.waits]
    return f"| {row.note} | {action} | {waits} | {row.to or row.leads} |\n"
