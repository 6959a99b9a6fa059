"""A file that the settings protect.

## What it catches
A change of a file that `protect.files` of the settings names, by an edit, a write or a shell line: also where the line
does not name it but comes to it by a folder above, a glob, a list, a link, a patch or another commit. What a script
changed is told afterwards. It is refused under `advise` too.

## Why it matters
Some files are not an agent's to change, whatever it was asked: a licence, migrations that ran, a contract with others.
Who writes that down once need not repeat it in every prompt.

## Example
`protect.files = ["migrations/**"]`; the agent edits `migrations/0001_initial.py` in place of adding a new one.

## Known limits
A message of the user does not lift it: `leeboard allow` does, or their own settings. An agent's change of the settings
is `self_allowance`'s matter, and a session that runs goes on under what it began with. A script is not read before it
runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.text import matches
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-S032",
    denies=True,
    permit="allow",
    needs_no_history=True,
    only_where="protected",
    summary="a file that the settings protect",
)

FIRES = (
    Sample(name="by an edit", lines=("protect LICENSE", "@ update LICENSE", "edit LICENSE | a => b")),
    Sample(name="by a write", lines=("protect migrations/**", "@ fix it", "write migrations/0001.py | x")),
    Sample(name="by the shell", lines=("protect migrations/**", "@ fix it", "$ sed -i s/a/b/ migrations/0001.py")),
    Sample(name="deleted", lines=("protect LICENSE", "@ fix it", "$ rm -f LICENSE")),
    Sample(name="with its folder", lines=("protect migrations/**", "@ fix it", "$ rm -rf migrations")),
    Sample(name="by a script", lines=("protect LICENSE", "@ fix it", "found LICENSE")),
)
SILENT = (
    Sample(name="reading it", lines=("protect LICENSE", "@ fix it", "$ cat LICENSE")),
    Sample(name="another file", lines=("protect migrations/**", "@ fix a.py", "edit a.py | a => b")),
    Sample(name="left out", lines=("protect docs/** !docs/api/**", "@ fix docs", "edit docs/api/x.md | a => b")),
    Sample(name="nothing is protected", lines=("@ update LICENSE", "edit LICENSE | a => b")),
)


def detect(event: ToolProposed | FilesChanged, world: World, files: Files) -> Iterator[Finding]:
    """One finding for each file."""
    changed = (touch.path for touch in world.analysis.touches if touch.modifies)
    for path in dict.fromkeys((*changed, *_come_to(event, world, files))):
        if matches(path, world.policy.protected) or _holds(path, world):
            yield _finding(path)


def _holds(path: str, world: World) -> bool:
    """Whether it is a folder that goes with protected files in it."""
    goes = any(touch.path == path and touch.kind == "delete" for touch in world.analysis.touches)
    return goes and any(f"{glob.lstrip('./')}/".startswith(f"{path.rstrip('/')}/") for glob in world.policy.protected)


def _come_to(event: ToolProposed | FilesChanged, world: World, files: Files) -> Iterator[str]:
    if not isinstance(event, ToolProposed) or event.call.action != "bash" or not world.analysis.unsure:
        return
    from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - for shell lines only
    from leeboard.shell.losses.file_losses import emptied  # noqa: PLC0415 - as above
    from leeboard.shell.reach.files import come_to  # noqa: PLC0415 - as above

    cwd = event.cwd or world.workspace.root
    for folder in emptied(shell_effects(event.call.command, event.cwd), cwd):
        yield f"{world.workspace.spell(folder, cwd)}/*"
    for path in come_to(event.call.command, cwd, world.policy.protected, world.workspace, files):
        yield world.workspace.spell(path, cwd)


def _finding(path: str) -> Finding:
    text = f"{path} is protected by the settings (protect.files): no agent changes it"
    return Finding(
        rule="protected_file",
        subject=path,
        evidence=(Evidence(text, -8),),
        cap=2,
        path=path,
        message=f"{text}.",
        remedy=f"leave {path} as it is, and tell the user what you would change in it",
    )
