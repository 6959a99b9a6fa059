"""A file that somebody else changed since the agent last read it is about to be written.

## What it catches
An edit, a write, a deletion or a shell line that changes a named file which is no longer as this agent knew it: after
it read the file (whole or in part), wrote it, or named it in a shell line. It names who changed it as far as that can
be told (another agent of the session, another session of the project, git), else "unknown: a person or another
program", and shows the new lines with their numbers. A change that came in while the call was on its way, such as at a
question to the user, is named right after it. So are, before it runs, the files of others that a line takes back or
removes without naming them: `git checkout .`, `git reset --hard`, `git restore .`, `git stash`, `git clean`, `rm *.py`;
of these the ones that take back are refused under `enforce`, the others are only named.

## Why it matters
What people change while an agent works is what they care about, and it is lost when the agent writes what it remembers.

## Example
The agent reads `src/login.py`. The user corrects line 12 in their editor. The agent sends an edit of line 10.

## Known limits
Silent for a file this agent never read, for changes in lines it was not shown (unless it writes the whole file), for
what its own calls did, for formatters that run right after its edit, and once it has read the file again. What its own
git command changed is named shortly and never refused; so is any other change within ten seconds after its own edit,
for a linter can not be told from a person there. What changes while a short command of the agent runs, or a tool of an
MCP server, counts as its own, unless the command only looks. One that runs for longer than a few seconds can not be
told from a person beside it, and this is said; so is, at the next prompt, what changed while a call was open that never
came back. A command left running in the background is not thought of. Where another agent of the session writes a file
that a person has changed before, both are said. What was told before a compaction is told once more after it. Only text
files inside of the work tree up to 2 MB are known, and links are not followed; of files above 5,000 lines it is
not said where they changed. Where a client refuses a call by itself before it asks anybody, only the client's own words
are heard. Under `advise` clients hand the words on together with the result of the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.analyse import shell_effects
from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.known import Knowledge
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(summary="a file that somebody else changed since the agent last read it is written", informs=True)

_SWEEPING = frozenset({"git checkout", "git clean", "git reset", "git restore", "git stash", "rm"})
"""Programs that take back or remove files they do not name."""
_APP = "repo app.py | limit = 1\nprint(limit)"
_READ = "read app.py -> limit = 1\nprint(limit)"
FIRES = (
    Sample(
        name="all is taken back",
        lines=(_APP, "@ fix app.py", _READ, "meanwhile app.py | limit = 2\nprint(limit)", "$ git checkout ."),
    ),
    Sample(
        name="changed between read and edit",
        lines=(_APP, "@ fix app.py", _READ, "meanwhile app.py | limit = 2\nprint(limit)", "edit app.py | limit) => 3)"),
    ),
    Sample(
        name="written over",
        lines=(_APP, "@ fix app.py", _READ, "meanwhile app.py | limit = 2\nprint(limit)", "write app.py | limit = 3"),
    ),
    Sample(
        name="through the shell",
        lines=(_APP, "@ fix app.py", _READ, "meanwhile app.py | limit = 2\nprint(limit)", "$ sed -i s/1/4/ app.py"),
    ),
    Sample(
        name="a part of it was read again, and not the part that changed",
        lines=(
            _APP,
            "@ fix app.py",
            _READ,
            "meanwhile app.py | limit = 2\nprint(limit)",
            "$ tail -1 app.py -> print(limit)",
            "edit app.py | print => log",
        ),
    ),
)
SILENT = (
    Sample(
        name="taken back, and nobody else changed it",
        lines=(_APP, "@ fix app.py", _READ, "edit app.py | limit) => 3)", "$ git checkout ."),
    ),
    Sample(name="nobody changed it", lines=(_APP, "@ fix app.py", _READ, "edit app.py | limit = 1 => limit = 3")),
    Sample(
        name="read again",
        lines=(
            _APP,
            "@ fix app.py",
            _READ,
            "meanwhile app.py | limit = 2\nprint(limit)",
            "read app.py -> limit = 2\nprint(limit)",
            "edit app.py | limit = 2 => limit = 3",
        ),
    ),
    Sample(
        name="never read",
        lines=(_APP, "@ fix app.py", "meanwhile app.py | limit = 2", "edit app.py | limit = 2 => limit = 3"),
    ),
    Sample(
        name="its own edits",
        lines=(_APP, "@ fix app.py", _READ, "edit app.py | limit = 1 => limit = 3", "edit app.py | 3 => 4"),
    ),
    Sample(
        name="its own shell line",
        lines=(
            _APP,
            "@ fix app.py",
            _READ,
            "$ sed -i s/1/2/ app.py",
            "& meanwhile app.py | limit = 2\nprint(limit)",
            "edit app.py | limit = 2 => limit = 3",
        ),
    ),
    Sample(
        name="a formatter after its own edit",
        lines=(
            _APP,
            "@ fix app.py",
            _READ,
            "edit app.py | limit = 1 => limit = ['a', 'b',]",
            'meanwhile app.py | limit = [\n  "a",\n  "b"\n]\nprint(limit)',
            "edit app.py | print(limit) => print(len(limit))",
        ),
    ),
    Sample(
        name="changed back",
        lines=(
            _APP,
            "@ fix app.py",
            _READ,
            "meanwhile app.py | limit = 2\nprint(limit)",
            "meanwhile app.py | limit = 1\nprint(limit)",
            "edit app.py | limit = 1 => limit = 3",
        ),
    ),
)


def detect(event: ToolProposed | ToolFinished, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    """One finding for each file that is not as the agent knew it."""
    if knowledge.disk is None or event.source != "hook" or not world.secret_key:
        return
    if isinstance(event, ToolFinished) and (event.outcome != "done" or event.before is None or not world.began):
        return
    sweeps = isinstance(event, ToolProposed) and not _SWEEPING.isdisjoint(world.analysis.programs)
    changed = (touch.path for touch in world.analysis.touches if touch.modifies)
    if not sweeps and all(knowledge.known(event.agent, path) is None for path in changed):
        return
    from leeboard.code.known.underneath import found_landed, found_proposed, found_swept  # noqa: PLC0415 - for calls that write what is known

    if isinstance(event, ToolFinished):
        yield from found_landed(event, world, knowledge)
    else:
        yield from found_proposed(event, world, knowledge)
        if sweeps:
            yield from found_swept(event, world, knowledge, shell_effects(event.call.command, event.cwd))
