"""Work of the user's that is gone after a call of the agent, however that came about.

## What it catches
Files in no commit, changes to files, stashes and branches that were there when the user last spoke and are not there
after a call: an untracked file that vanished, was emptied or holds something else, a changed file that is as git has it
again, a stash that was dropped, a branch that was deleted or moved with commits that nothing else leads to. It does not
matter what did it: a make target, a script, a program nobody knows, an alias, a name out of a pipe. The user's work is
noted in the background when a session begins and at each prompt, with a copy of each file; after each shell line, each
tool of a server and at the end it is compared. The message names what is gone, what ran meanwhile, the time of the copy
and the command that puts it back: `leeboard restore`.

## Why it matters
[`lost_work`](lost_work.md) refuses what it can read in a line. A line can not always be read; what it did can be seen,
and taken back as long as somebody kept a copy.

## Example
`notes.md` is in no commit. The agent runs `make clean`, whose target removes `*.md`. It hears that `notes.md` is gone
since then, that a copy from 14:02 is kept, and that `leeboard restore notes.md` puts it back.

## Known limits
Silent about what was moved inside of the work tree or to where the line says, committed, stashed, formatted or gone on
with; about what the session itself made; about what the user asked for in so many words; and about what changed while
no call of an agent was open, for that is the user's own doing. A file that somebody begins while the agent works is
noted at the next prompt. What git ignores, what programs leave behind and generated files are not noted. Of a file that
holds a secret or is larger than 5 MB (`keep.file_mb`) no copy is kept, and that is said. Of a binary file that was
replaced nobody can tell what is left. Commits, stashes and branches come back as long as git has not pruned them. Where
only the proxy sees an agent, and in a recording, nothing is known and nothing said.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import FilesChanged
from leeboard.model.unsaved import BY_GIT, LostKind, LostWork, Unsaved
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.words import cut

RULE = Rule(
    code="LB-S043",
    remedy_first=True,
    summary="work of the user's that is gone after a call of the agent",
)

FIRES = (
    Sample(name="a file in no commit", lines=("@ fix a.py", "gone file notes.md")),
    Sample(name="changes to a file", lines=("@ fix a.py", "gone changes src/app.py")),
    Sample(name="a branch", lines=("@ fix a.py", "gone branch wip")),
    Sample(
        name="tidying in general was asked for", lines=("@ Clean up the repository a little.", "gone file notes.md")
    ),
    Sample(name="a stash", lines=("@ fix a.py", "gone stash WIP on main: 1234567 first")),
)
SILENT = (
    Sample(name="a script changed something else", lines=("@ fix a.py", "found a.py")),
    Sample(name="asked for", lines=("@ delete notes.md and drafts", "gone file notes.md")),
    Sample(name="the folder was asked for", lines=("@ remove the drafts folder", "gone file drafts/one.md")),
    Sample(name="all changes were asked for", lines=("@ discard my changes and start over", "gone changes src/app.py")),
    Sample(name="the branch was asked for", lines=("@ delete the branch wip", "gone branch wip")),
)

_ASKED: dict[LostKind, tuple[str, ...]] = {
    "file": ("file", "untracked"),
    "changes": ("changes", "file"),
    "stash": ("stash",),
    "branch": ("branch",),
    "commits": ("commits", "branch"),
}
"""The words by which a person asks for it."""
_CALLED: dict[LostKind, str] = {"stash": "the stash ", "branch": "the branch ", "commits": "the branch "}
_SEVERAL = {"is": "are", "was": "were", "has": "have", "holds": "hold"}
_MOST_NAMED = 2
_MOST_ASKED = 100
_NAME_ROOM, _LINE_ROOM, _ROOM = 45, 60, 200
"""The first line of what agent and person are told is short: where not all fits, the way back stands first."""


def detect(event: FilesChanged, world: World) -> Iterator[Finding]:
    """One finding for all that is gone at once."""
    lost = tuple(_unasked(event.lost, world)) if event.lost else ()
    if not lost:
        return
    what, kept = f"{_named(lost)} {cut(event.line, _LINE_ROOM)}", _kept(lost)
    text = f"{what}: {kept}" if len(what) + len(kept) < _ROOM else f"{kept}: {what}"
    yield Finding(
        rule="work_gone",
        subject=lost[0].name,
        evidence=(Evidence(text, -7),),
        cap=3,
        message=f"{text}.",
        remedy=_remedy(lost),
        path=lost[0].name if lost[0].kind in {"file", "changes"} else "",
    )


def holds(finding: Finding, world: World, unsaved: Unsaved) -> bool:
    """While anything that was named is not back."""
    missed = unsaved.missed()
    return missed is None or any(_shown(name) in finding.message for name in missed)


def _unasked(lost: tuple[LostWork, ...], world: World) -> Iterator[LostWork]:
    """What the user did not ask for: neither by its name nor by that of a folder above it."""
    from leeboard.speech.asked_for import is_asked_for  # noqa: PLC0415 - only where something is gone

    known: dict[tuple[str, str], bool] = {}

    def is_asked(kind: str, name: str) -> bool:
        if (kind, name) not in known:
            known[kind, name] = len(known) < _MOST_ASKED and is_asked_for(world, kind, (name,))
        return known[kind, name]

    for one in lost:
        above = [one.name.rsplit("/", depth)[0] for depth in range(one.name.count("/"), 0, -1)]
        if not any(is_asked(kind, name) for kind in _ASKED[one.kind] for name in (*above, one.name)):
            yield one


def _named(lost: tuple[LostWork, ...]) -> str:
    """What became of which, those of one fate together."""
    fates: dict[str, list[str]] = {}
    for one in lost[:_MOST_NAMED]:
        fates.setdefault(one.how, []).append(f"{_CALLED.get(one.kind, '')}{_shown(one.name)}")
    more = len(lost) - _MOST_NAMED
    if more > 0 and len({one.how for one in lost}) == 1:
        return f"{', '.join(fates[lost[0].how])} and {more} more {_of_several(lost[0].how)}"
    told = [f"{' and '.join(names)} {how if len(names) == 1 else _of_several(how)}" for how, names in fates.items()]
    return ", ".join(told) + (f" and {more} more {'is' if more == 1 else 'are'} lost" if more > 0 else "")


def _of_several(how: str) -> str:
    first, _, rest = how.partition(" ")
    return f"{_SEVERAL.get(first, first)} {rest}"


def _shown(name: str) -> str:
    plain = name if name.isprintable() else name.encode("unicode_escape").decode("ascii")
    return plain if len(plain) <= _NAME_ROOM else f"…{plain[1 - _NAME_ROOM :]}"


def _kept(lost: tuple[LostWork, ...]) -> str:
    copied = [one for one in lost if one.kept]
    without = [one for one in lost if not one.kept]
    gap = f"there is no copy of {_reasons(without)}" if without else ""
    if not copied:
        return gap
    it = "it" if len(copied) == 1 else "them"
    what = f"git still has {it}" if copied[0].kept == BY_GIT else f"the copy from {copied[0].kept} is kept"
    told = f"{_command(copied)} puts {it} back, {what}"
    return f"{told}; {gap}" if gap else told


def _reasons(without: list[LostWork]) -> str:
    told = [f"{_shown(one.name)}, {one.uncopied or 'none was made yet'}" for one in without[:_MOST_NAMED]]
    more = len(without) - len(told)
    return "; none of ".join(told) + (f"; none of {more} more" if more > 0 else "")


def _command(copied: list[LostWork]) -> str:
    named = " ".join(one.back for one in copied)
    told = named if len(copied) <= _MOST_NAMED and len(named) <= _NAME_ROOM else "--gone"
    return f"`leeboard restore {'--force ' if any(one.in_place for one in copied) else ''}{told}`"


def _remedy(lost: tuple[LostWork, ...]) -> str:
    copied = [one for one in lost if one.kept]
    done = f"run {_command(copied)}" if copied else "stop"
    return f"{done} and tell the user what happened"
