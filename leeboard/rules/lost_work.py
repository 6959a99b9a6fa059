"""Work that a shell line would take away for good.

## What it catches
A line after which work is gone that this session did not make: files that are in no commit, commits that nothing else
leads to, stashes. By programs that remove or write over files (`rm`, `mv`, `cp`, `>`, `truncate`, `dd`, `tee`, `ln
-sf`, `sort -o`, `vim -c`, `rsync`, `tar -x`), by git (`reset --hard`, `checkout`, `restore`, `clean`, `stash drop`,
`apply -R`, a branch or tag that is deleted or moved by whatever command, a forced, mirroring or deleting push,
`filter-branch`, `reflog expire`), by code of other languages and by scripts and recipes that the session itself wrote.
And removing or writing over what lies outside of the work tree, or on a device, but for temporary folders.

Names are followed as a shell hands them on: through variables, arrays, `set --`, `read`, globs, `find`, and from what
`git ls-files`, `git status`, `git diff --name-only`, `ls` or a list in a file names, through filters, to `xargs` or a
loop. The repository is asked what would really be lost, and where nothing is, nothing is said. It is refused under
`advise` too.

## Why it matters
Everything else an agent does can be taken back. What was in no commit can not, and it is the user who wrote it.

## Example
`src/login.py` has changes of the user that are in no commit; the agent runs `git checkout .` to start over.

## Known limits
What the session itself wrote is its own to remove, as long as the file was as in the last commit when it first wrote
to it, or not there; so are new files that came to be while it ran. What was there before stays the user's though the
session touches, moves, ignores or commits it; that is noted before a call that names the file or commits, so a file
which only a program of the project wrote to counts as new. What a line commits, stashes, merges, tags or pushes before
is not lost by what follows in it. Of a list that nobody understands (`jq ... | xargs rm`) nothing is known, and it is
refused only where whole folders would go and the user has work there. Patches that were made by an earlier line are
not compared with the work tree. What the user asked for in so many words passes. What git ignored before the session
is taken to be built anew, but for settings and data of one machine (`.env`, keys, `*.sqlite3`, `*.tfstate`); so are
build folders and logs. A commit that only the reflog leads to counts as lost. Of a remote only what was last fetched
is known; with `--force-with-lease` a branch of one's own may be written anew. The project's own scripts are not read;
nor are variables that nobody can tell, and archives that come through a pipe. Where git does not answer within two
seconds it is asked about the named files alone; where that takes as long, the line is refused and says so. In a
recording nothing is known and nothing said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Files, Registry
from leeboard.model.touch import ShellEffects
from leeboard.model.unsaved import NOBODY_KNOWS, Unsaved, UnsavedFile
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import shell_effects

if TYPE_CHECKING:
    from leeboard.shell.losses.loss import Loss, LossGround

RULE = Rule(
    code="LB-S031",
    denies=True,
    permit="word",
    remedy_first=True,
    needs_no_history=True,
    only_where="shell",
    summary="work that a shell line would take away for good",
)

FIRES = (
    Sample(name="a file of the user's", lines=("unsaved notes.md", "@ fix a.py", "$ rm notes.md")),
    Sample(name="all that is not committed", lines=("unsaved changed a.py", "@ fix b.py", "$ git checkout .")),
    Sample(name="a hard reset", lines=("unsaved changed a.py", "@ fix b.py", "$ git stash list; git reset --hard")),
    Sample(name="a folder above it", lines=("unsaved drafts/one.md", "@ fix b.py", "$ cd drafts/.. && rm -rf drafts")),
    Sample(name="by a glob", lines=("unsaved drafts/one.md", "@ fix b.py", "$ rm -f drafts/*.md")),
    Sample(name="by a list", lines=("unsaved one.md", "@ fix b.py", "$ find . -name '*.md' -print0 | xargs -0 rm")),
    Sample(
        name="in Python", lines=("unsaved d/one.md", "@ fix b.py", "$ python3 -c \"import shutil; shutil.rmtree('d')\"")
    ),
    Sample(name="written over", lines=("unsaved notes.md", "@ fix b.py", "$ echo done > notes.md")),
    Sample(name="files git does not know", lines=("unsaved notes.md", "@ fix b.py", "$ git clean -fd")),
)
SILENT = (
    Sample(
        name="nothing there to lose", lines=("unsaved notes.md", "@ fix a.py", "$ rm -rf build && git reset --soft x")
    ),
    Sample(name="a dry run", lines=("unsaved notes.md", "@ fix a.py", "$ git clean -nd")),
    Sample(name="asked for", lines=("unsaved notes.md", "@ delete notes.md", "$ rm notes.md")),
    Sample(name="the session's own", lines=("unsaved b.md", "@ fix a.py", "write x.md | x", "$ rm x.md")),
    Sample(name="a search for it", lines=("unsaved notes.md", "@ fix a.py", "$ grep -rn 'rm -rf notes.md' .")),
    Sample(
        name="words in a message", lines=("unsaved n.md", "@ fix a.py", "$ git commit -m 'rm -rf n.md, reset --hard'")
    ),
    Sample(name="moved", lines=("unsaved notes.md", "@ fix a.py", "$ mv notes.md old.md")),
    Sample(name="appended to", lines=("unsaved notes.md", "@ fix a.py", "$ echo x >> notes.md")),
    Sample(name="a recording without its repository", lines=("@ fix a.py", "$ git reset --hard && rm -rf src")),
)

_BY_GIT = "git"
"""In rows of the registry: git put the file there, and nobody of the session wrote it."""
_MOVED = "moved"
_IGNORES = (".gitignore", ".git/info/exclude")
_MOST_CHANGES = 200
_NOWHERE = frozenset({"/dev/null", "/dev/stderr", "/dev/stdout"})


def detect(event: ToolProposed, world: World, unsaved: Unsaved, files: Files, registry: Registry) -> Iterator[Finding]:
    """One finding for each thing that would be lost."""
    if event.call.action != "bash" or unsaved is NOBODY_KNOWS:
        return
    line = shell_effects(event.call.command, event.cwd)
    if not _may_lose(event.call.command, line):
        return
    from leeboard.shell.losses.file_losses import file_losses, with_names  # noqa: PLC0415 - for lines that may lose something
    from leeboard.shell.losses.git_losses import git_losses  # noqa: PLC0415 - as above
    from leeboard.speech.asked_for import is_asked_for  # noqa: PLC0415 - as above

    cwd = event.cwd or world.workspace.root
    ground = _ground(world, cwd, unsaved, files, registry)
    if any(touch.modifies and touch.path.endswith(_IGNORES) for touch in line.touches):
        ground = replace(ground, ignores_anew=lambda: True)
    found = (
        loss
        for text, read in _texts(event, line, ground)
        for loss in (
            *file_losses(text, read, ground),
            *git_losses(_meant(with_names(read, ground), cwd, unsaved), ground),
        )
    )
    for loss in found:
        if not is_asked_for(world, loss.kind, loss.names):
            yield _finding(loss)


def _may_lose(command: str, line: ShellEffects) -> bool:
    """Most lines run tests or look at files: they remove and write over nothing, whatever words they hold."""
    from leeboard.shell.losses.table import acts_in_code, loss_words  # noqa: PLC0415 - for shell lines alone

    if line.unread or line.rewritten or not loss_words().programs.isdisjoint(line.programs):
        return True
    if any(touch.kind == "delete" for touch in line.touches) or any(path not in _NOWHERE for path in line.replaced):
        return True
    if any(name.startswith("git ") for name in line.programs):
        from leeboard.shell.git_meaning import may_be_alias  # noqa: PLC0415 - for git commands alone

        return may_be_alias(line.programs)
    runs_file = any("/" in each.words[0] or each.role == "runner" for each in line.started)
    return runs_file and (not line.interpreters or acts_in_code().search(command) is not None)


def _texts(event: ToolProposed, line: ShellEffects, ground: LossGround) -> Iterator[tuple[str, ShellEffects]]:
    """The line, what it hands to a shell, and the scripts of the session's own that it runs."""
    from leeboard.shell.losses.file_losses import lines_of_code  # noqa: PLC0415 - for lines that may lose something
    from leeboard.shell.losses.scripts import run_scripts  # noqa: PLC0415 - as above
    from leeboard.shell.own_command import fed_code  # noqa: PLC0415 - as above

    yield event.call.command, line
    for text in (*fed_code(line), *lines_of_code(line), *run_scripts(event.call.command, line, ground)):
        read = shell_effects(text, event.cwd)
        yield text, read
        yield from ((inner, shell_effects(inner, event.cwd)) for inner in lines_of_code(read))


def _meant(line: ShellEffects, cwd: str, unsaved: Unsaved) -> ShellEffects:
    from leeboard.shell.git_meaning import unaliased  # noqa: PLC0415 - as above

    return unaliased(line, cwd, unsaved)


def _ground(world: World, cwd: str, unsaved: Unsaved, files: Files, registry: Registry) -> LossGround:
    from leeboard.analysis.stood import MOST_LINES, were_committed  # noqa: PLC0415 - as above
    from leeboard.shell.losses.loss import LossGround  # noqa: PLC0415 - as above

    session, spell = world.session, world.workspace.spell

    def made(path: str) -> bool:
        spelled = spell(path)
        above = [spelled.rsplit("/", depth)[0] for depth in range(1, min(spelled.count("/"), 8) + 1)]
        if any(one.data != _BY_GIT for one in registry.find("change", (spelled, *above))):
            return True
        recent = registry.newest("change", _MOST_CHANGES)
        return any(one.path.startswith(f"{spelled}/") and one.data != _BY_GIT for one in recent)

    def is_own(file: UnsavedFile) -> bool:
        stood = registry.find("stood", (spell(file.path),))
        changes = [one for one in registry.find("change", (spell(file.path),)) if one.data != _BY_GIT]
        since = bool(session.started) and file.time >= session.started
        if file.state in {"untracked", "ignored"} or file.is_added:
            by_itself = changes and changes[-1].data != _MOVED
            is_theirs = bool(stood) or unsaved.is_theirs(file.path)
            return not is_theirs and (since or bool(by_itself) or not file.lies_there)
        first = next((one.text for one in (*stood[-1:], *changes[-1:]) if one.text), "")
        if file.state == "committed":
            was_clean = not first or not file.blobs or first in file.blobs
            return was_clean if stood or changes else since or not file.lies_there
        was_clean = not first or not file.blobs or first in file.blobs or not _stands_still(unsaved, cwd, world)
        return bool(changes) and was_clean

    def moved_here(path: str) -> tuple[str, ...]:
        spelled = spell(path)
        rows = registry.newest("stood", _MOST_CHANGES)
        found = (one.path for one in rows if one.data == _MOVED and f"{one.path}/".startswith(f"{spelled}/"))
        return tuple(posixpath.join(world.workspace.root, path) for path in dict.fromkeys(found))

    return LossGround(
        root=world.workspace.root,
        cwd=cwd,
        unsaved=unsaved,
        files=files,
        is_own=is_own,
        made=made,
        moved_here=moved_here,
        ignores_anew=lambda: any(one.path.endswith(_IGNORES) for one in registry.newest("change", _MOST_CHANGES)),
        has_read=lambda path: bool(registry.find("read", (spell(path),))),
        began=session.started,
        committed=lambda time: were_committed((time,), registry.newest("committing", MOST_LINES)),
        base=world.contract.base,
    )


def _stands_still(unsaved: Unsaved, cwd: str, world: World) -> bool:
    """Whether the session has made no commit: what files were like before it is told by the last one."""
    refs = unsaved.refs(cwd)
    return refs is not None and bool(world.contract.base) and refs.commit == world.contract.base


def _finding(loss: Loss) -> Finding:
    text = f"{loss.subject}: {loss.why}"
    return Finding(
        rule="lost_work",
        subject=loss.subject,
        evidence=(Evidence(text, -8),),
        cap=2,
        message=f"{text}.",
        remedy=loss.instead,
    )
