"""A file that somebody else changed since the agent last read it is about to be written.

## What it catches
An edit, a write, a deletion or a shell line that changes a named file which is no longer as this agent knew it: after
it read the file (whole or in part), was shown it because the user attached it to a prompt (`@path`), wrote it, or named
it in a shell line. It names who changed it as far as that can be told (another agent of the session, another session of
the project, git), else "unknown: a person or another program", and shows the new lines with their numbers. A change
that came in while the call was on its way, such as at a question to the user, is named right after it. So are, before
it runs, the files of others that a line takes back, changes or removes without naming them. Refused under `enforce` is
what takes back or changes: `git checkout .`, `git switch -f`, `git reset --hard`, `git restore .`, `git stash`,
`git read-tree -u --reset`, `git checkout-index -f`, `git diff | git apply -R`, `sed -i` and `perl -i` with a pattern.
So is what names the file by a pattern as it is by its name: `rm *.py`, `git rm -f '*.py'`, `mv` and `cp`. Only named is
what removes whole folders, or what nobody can tell for sure: `rm -rf .`, `git rm -rf .`, `git clean`, `find -delete`,
`cp` from elsewhere. Where a command has put a file back to what the agent knew, and with that took away what somebody
else did to it, this is said with the result. A file that became a link, too large or no text at all has changed as
well; one that is gone is refused once, and then may be made anew.

## Why it matters
What people change while an agent works is what they care about, and it is lost when the agent writes what it remembers.

## Example
The agent reads `src/login.py`. The user corrects line 12 in their editor. The agent sends an edit of line 10.

## Known limits
Silent for a file this agent never read, for changes in lines it was not shown (unless it writes the whole file), for
what its own calls did, for formatters that run right after its edit, and once it has read the file again; a change in
lines it was not shown is forgotten with its own next edit of the file. What its own git command changed is named
shortly and never refused; so is any other change within ten seconds after its own edit, for a linter can not be told
from a person there. What changes while a short command of the agent runs, or a tool of an MCP server, counts as its
own, unless the command only looks. One that runs for longer than a few seconds can not be told from a person beside it,
and this is said; so is, at the next prompt, what changed while a call was open that never came back. A command left
running in the background is not thought of. Where another agent of the session writes a file that a person has changed
before, both are said. What was told before a compaction is told once more after it. Only text files inside of the work
tree up to 2 MB get known, and links are not followed: where a file became a link to another one of the work tree, this
is said once, and what is written is judged by that other file. Of files above 5,000 lines it is not said where they
changed. Files of programs (`*.log`, `*.pid`, `*.tmp`, `*.sock`, `*.swp`, what lies in `.git`, and what git ignores of
`log/`, `logs/`, `tmp/`, `temp/`, `*.out`, `*.lock`) are named to edits alone; at a prompt nothing is named that git
ignores. A line that puts values of variables into its words shows no patterns of `sed`, `perl`, `mv` or `cp`, nor what
it writes (`> $f` in a loop over a pattern), and `git apply -R` of a patch in a file names nothing. Where a client
refuses a call by itself before it asks anybody, only the client's own words are heard. Under `advise` clients hand the
words on together with the result of the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.known import Knowledge
from leeboard.model.text import lazy
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import shell_effects

RULE = Rule(
    code="LB-I001",
    channel="inform",
    summary="a write to a file that somebody else changed since the agent last read it",
)

_SWEEPING = frozenset(
    {
        "git apply",
        "git checkout",
        "git checkout-index",
        "git clean",
        "git read-tree",
        "git reset",
        "git restore",
        "git rm",
        "git stash",
        "git switch",
        "rm",
    }
)
"""Programs that take back or remove files they do not name."""
_SWEEPING_SO = {
    "cp": lazy(r"[*?\[]"),
    "find": lazy(r"\s-delete\b"),
    "mv": lazy(r"[*?\[]"),
    "perl": lazy(r"\s-[\w.]{0,20}i"),
    "sed": lazy(r"\s-(?:[\w.]{0,20}i|-in-place)"),
}
"""Programs that are started all the time and do so only where the line has this in it."""
_MOST_FILES = 1_000
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
    if knowledge.disk is None or not event.is_live or not world.secret_key:
        return
    if isinstance(event, ToolFinished):
        yield from _finished(event, world, knowledge)
        return
    sweeps = _may_sweep(event.call.command, world.analysis.programs)
    if not sweeps and not event.call.links and not _writes_known(event, world, knowledge):
        return
    from leeboard.truth.underneath import (  # noqa: PLC0415 - for calls that write what is known
        found_proposed,
        found_swept,
    )

    yield from found_proposed(event, world, knowledge)
    if sweeps:
        yield from found_swept(event, world, knowledge, shell_effects(event.call.command, event.cwd))


def _finished(event: ToolFinished, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    if event.outcome == "done" and event.before is not None and world.began and _writes_known(event, world, knowledge):
        from leeboard.truth.underneath import found_landed  # noqa: PLC0415 - as above

        yield from found_landed(event, world, knowledge)
    if event.outcome == "denied" or event.call.action != "bash" or not world.analysis.unsure:
        return
    stale = tuple(one for one in knowledge.newest_known(_MOST_FILES, event.agent) if one.stale)
    if stale:
        from leeboard.truth.underneath import found_undone  # noqa: PLC0415 - as above

        yield from found_undone(event, world, knowledge, stale)


def _writes_known(event: ToolProposed | ToolFinished, world: World, knowledge: Knowledge) -> bool:
    changed = (touch.path for touch in world.analysis.touches if touch.modifies)
    return any(knowledge.known(event.agent, path) is not None for path in changed)


def _may_sweep(command: str, programs: tuple[str, ...]) -> bool:
    if not _SWEEPING.isdisjoint(programs):
        return True
    return any(name in _SWEEPING_SO and _SWEEPING_SO[name].search(command) for name in programs)
