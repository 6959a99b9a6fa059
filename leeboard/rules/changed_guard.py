"""What the guard stands on, changed while the agent worked.

## What it catches
A file of the guard that has other content after a shell line than before it, whatever way that came about: a make
target that deletes `.claude/settings.local.json`, a script that writes `leeboard.toml`, a branch without it. Compared
by digest: the client's settings as far as they hold our hooks, the switch that turns hooks off and our variables;
`leeboard.toml`, `[tool.leeboard]` of `pyproject.toml`, the user's own settings, the project's tasks, and what its
people decided about findings: `leeboard-baseline.json`, `leeboard-allowed.json`. A comment that lets a finding stand
(`leeboard: allow LB-B201 why`) counts as well, where it is in a file after the line that did not have it before.

## Why it matters
`self_allowance` refuses what can be read in a line. A line can not always be read; what it did can be.

## Example
`make setup` ends with a `leeboard.toml` that says `profile = "observe"`. The session goes on under `enforce`, as it
began, and agent and user are told which line it was.

## Known limits
What changes while no line of the agent runs is told to the user alone: it may well be their own doing. A file that has
its first content again is not spoken of. Of comments those are seen that came into files which the line names or git
tells of: not into what git ignores, nor where the line itself commits them without naming the file, nor by git alone
from a commit, which has them for a review; `leeboard scan --diff` tells of all. What happens after the hooks are gone
from the client's settings is seen by nobody; the last hook that still runs says that they are gone, and so do `leeboard
status` and the next session.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import FilesChanged
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-S007",
    remedy_first=True,
    summary="a file the guard relies on, changed while the agent worked",
)

FIRES = (
    Sample(name="a script wrote the settings", lines=("@ fix a.py", "found guard leeboard.toml")),
    Sample(name="a script wrote the baseline", lines=("@ fix a.py", "found guard leeboard-baseline.json")),
)
SILENT = (
    Sample(name="a script wrote something else", lines=("@ fix a.py", "found a.py")),
    Sample(name="reading them", lines=("@ fix a.py", "$ cat leeboard.toml")),
)


def detect(event: FilesChanged, world: World) -> Iterator[Finding]:
    """One finding for each file, and one for each comment."""
    for place in event.comments:
        text = f"{place} lets a finding stand by a comment that came {event.line}; only the user may decide that"
        yield Finding(
            rule="changed_guard",
            subject=place,
            evidence=(Evidence(text, -8),),
            cap=2,
            message=f"{text}.",
            remedy="tell the user of the comment, take it out, and mend what was found",
        )
    for touch in world.analysis.touches if event.guard else ():
        line = event.line or "meanwhile"
        text = f"{touch.path} belongs to the guard and was changed {line}; only the user may do that"
        yield Finding(
            rule="changed_guard",
            subject=touch.path,
            evidence=(Evidence(text, -8),),
            cap=2,
            message=f"{text}.",
            remedy=f"tell the user what happened to {touch.path}, and restore its content",
        )
