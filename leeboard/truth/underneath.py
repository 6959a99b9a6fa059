"""What is found about a call that writes files which are not as its agent knew them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.model.event import ToolCall, ToolFinished, ToolProposed
from leeboard.model.known import ChangedFile, Knowledge, Known
from leeboard.model.touch import ShellEffects
from leeboard.model.truth import ABSENT
from leeboard.model.verdict import TOLD, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.shell.effects import shell_effects
from leeboard.truth.beforehand import MOST_FILES
from leeboard.truth.cause import Author, author_of
from leeboard.truth.change import change_between, changed_file, is_moving, matters, meets
from leeboard.truth.state import lines_of, state_of
from leeboard.truth.sweep import Sweep, sweeps_of
from leeboard.truth.words import kind_of, shown_change, summary

RULE = "changed_underneath"
KEEP = "read it first, and take back only what is yours, file by file"
AGAIN = "read it again before you change it, and keep what is new"
ANEW = "ask whether it is still wanted, unless you were told so; the same call makes it anew"


def found_proposed(event: ToolProposed, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    """Before a call runs: one finding for each file that somebody else changed."""
    deleted = {touch.path for touch in world.analysis.touches if touch.kind == "delete"}
    for path in dict.fromkeys(touch.path for touch in world.analysis.touches if touch.modifies):
        known = knowledge.known(event.agent, path)
        if known is None:
            continue
        changed = changed_file(known, knowledge, world.secret_key)
        if changed is None:
            yield from _after_own_git(known)
        elif event.call.action == "bash" and is_moving(path, knowledge.disk):
            continue
        elif changed.now.digest != ABSENT or path not in deleted:
            yield from _proposed(changed, event.call, world, knowledge)
    if any(touch.modifies for touch in world.analysis.touches):
        yield from _became_links(event, world, knowledge)


def _became_links(event: ToolProposed, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    """Where a link took the place of a file that the agent knew, what it writes lands in another one."""
    for name in event.call.links:
        known = knowledge.known(event.agent, world.workspace.spell(name, event.cwd))
        changed = changed_file(known, knowledge, world.secret_key) if known else None
        if changed is not None and kind_of(changed.now.digest) == "link":
            yield from _proposed(changed, event.call, world, knowledge)


def found_swept(event: ToolProposed, world: World, knowledge: Knowledge, effects: ShellEffects) -> Iterator[Finding]:
    """Before a line runs that takes back or removes files without naming them: what somebody else would lose by it."""
    sweeps = tuple(sweeps_of(effects, event.call.command, world.workspace))
    named = {touch.path for touch in world.analysis.touches if touch.modifies}
    for light in knowledge.newest_known(MOST_FILES, event.agent) if sweeps else ():
        reaching = [one for one in sweeps if one.reaches(light.path)]
        if not reaching or light.path in named:
            continue
        changed = changed_file(light, knowledge, world.secret_key)
        known = knowledge.known(event.agent, light.path) if changed else None
        if changed is None or known is None or changed.now.digest == ABSENT:
            continue
        if not is_moving(light.path, knowledge.disk):
            yield from _swept(replace(changed, known=known), _worst(reaching, known, knowledge), world, knowledge)


def _worst(reaching: list[Sweep], known: Known, knowledge: Knowledge) -> Sweep:
    """What is named by a pattern is refused as it is under its name, unless git has it."""
    disk = knowledge.disk
    refused = next((one for one in reaching if one.is_refused), None)
    named = next((one for one in reaching if disk and one.names(known.path, disk)), None) if not refused else None
    if named is not None and not _is_committed(known, knowledge):
        return replace(named, is_refused=True)
    return refused or reaching[0]


def _swept(changed: ChangedFile, sweep: Sweep, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    known, digest = changed.known, changed.now.digest
    if not matters(changed, whole_file=True):
        return
    author = author_of(changed, world, knowledge)
    refused = sweep.is_refused and world.policy.profile == "enforce" and author.kind != "linter"
    if known.told == digest and not refused:
        return
    if author.kind in {"own", "formatter"} or (sweep.is_refused and _is_committed(known, knowledge)):
        return
    may = "would" if sweep.is_refused else "may"
    opening = f"{known.path} was changed since you last {_verb(known)} it, and `{sweep.words}` {may} {sweep.harm}: "
    opening += f"{summary(changed)}."
    text = (knowledge.disk.text(known.path) if knowledge.disk else None) or ""
    if sweep.is_refused and author.kind != "linter":
        remedy = AGAIN if sweep.expansions else KEEP
        yield _finding(changed, author, opening, (shown_change(changed, text), remedy))
    else:
        yield _note(known, digest, f"{opening} By whom: {author.words}.")


def _is_committed(known: Known, knowledge: Knowledge) -> bool:
    """Then git has it, and nothing is lost."""
    return knowledge.disk is not None and known.path in knowledge.disk.committed((known.path,), known.time)


def found_landed(event: ToolFinished, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    """After a call ran: what the client found in the file when it wrote it, where nobody could see that before."""
    paths = [touch.path for touch in world.analysis.touches if touch.modifies]
    known = knowledge.known(event.agent, paths[0]) if len(paths) == 1 else None
    if known is None or event.before is None:
        return
    if known.time >= world.began and changed_file(known, knowledge, world.secret_key) is None:
        return  # the result of a call that ran beside this one came first, and told of this one as well
    before = state_of(event.before, world.secret_key)
    changed, over = ChangedFile(known=known, now=before, stamp=()), event.call.action == "write"
    if before.digest in {known.digest, known.told} or not known.digest or not matters(changed, whole_file=over):
        return
    author = author_of(changed, world, knowledge)
    if author.kind == "own" or (not over and known.wrote and known.plain and known.plain == before.plain):
        return
    what = "your Write went over it" if over else "your edit landed beside it"
    opening = f"{known.path} had been changed since you last {_verb(known)} it, and {what}: {summary(changed)}."
    remedy = "put back what was lost" if over else "read it again before you go on"
    yield _finding(changed, author, opening, (shown_change(changed, event.before), remedy))


def _proposed(changed: ChangedFile, call: ToolCall, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    known, text = changed.known, (knowledge.disk.text(changed.known.path) if knowledge.disk else None) or ""
    is_link = kind_of(changed.now.digest) == "link"  # what it leads to is judged under its own name
    is_gone = changed.now.digest == ABSENT  # nobody can read it again, and nothing in it can be lost
    said = known.told == changed.now.digest and (world.policy.profile != "enforce" or is_link or is_gone)
    if said or not matters(changed, whole_file=call.action != "edit"):
        return
    author = author_of(changed, world, knowledge)
    if author.kind == "own":
        return
    if author.kind in {"formatter", "linter"}:
        yield from _after_own_edit(changed, author, call, text)
        return
    opening = f"{known.path} was changed since you last {_verb(known)} it: {summary(changed)}."
    yield _finding(changed, author, opening, (shown_change(changed, text), ANEW if is_gone else AGAIN))


def _after_own_edit(changed: ChangedFile, author: Author, call: ToolCall, text: str) -> Iterator[Finding]:
    """What most likely the agent's own tools did is said once, and never refused."""
    known, digest = changed.known, changed.now.digest
    if known.told == digest:
        return
    if author.kind == "linter":
        opening = f"{known.path} was changed {author.words}: {summary(changed)}."
        yield _note(known, digest, "\n".join((opening, *shown_change(changed, text))))
    elif call.action == "write" or (call.action == "edit" and _meets_change(changed, call, text)):
        yield _note(known, digest, f"{known.path} was reformatted right after your own edit.")


def _after_own_git(known: Known) -> Iterator[Finding]:
    """What the agent has ordered itself it only has to be reminded of."""
    if known.was and known.told != known.digest:
        words = f"{known.path} is not as you last read it: your own git command has changed it."
        yield _note(known, known.digest, words)


def _meets_change(changed: ChangedFile, call: ToolCall, text: str) -> bool:
    """Whether an edit replaces something that was reformatted; so does one whose words are no longer there."""
    new = change_between(changed.known, changed.now).new
    for edit in call.edits:
        at = text.find(edit.old) if edit.old else -1
        if at < 0:
            return bool(edit.old)
        first = len(lines_of(text[:at])) + (not text[:at] or text[at - 1] == "\n")
        if meets(((first, first + edit.old.rstrip("\n").count("\n")),), new):
            return True
    return False


def _finding(changed: ChangedFile, author: Author, opening: str, rest: tuple[tuple[str, ...], str]) -> Finding:
    shown, remedy = rest
    known = changed.known
    lines = (opening, f"By whom: {author.words}.", *shown)
    return Finding(
        rule=RULE,
        subject=f"{known.path}@{changed.now.digest}",
        evidence=(Evidence(f"{opening} By whom: {author.words}.", WARNED), Evidence(f"author: {author.kind}")),
        path=known.path,
        message="\n".join(lines),
        remedy=remedy,
    )


def _note(known: Known, digest: str, words: str) -> Finding:
    return Finding(
        rule=RULE,
        subject=f"{known.path}@{digest}",
        evidence=(Evidence(words, TOLD),),
        path=known.path,
        message=words,
        remedy="read it again if you rely on how it was",
    )


def _verb(known: Known) -> str:
    return "wrote" if known.wrote else "read"


# Files that are again as an agent knew them after its command ran, though somebody had changed them before.
#
# What was done to them in between is lost, and to who compares the files alone it looks as if nothing had happened.


UNDONE_RULE = "changed_underneath"
_MARK = "back:"
"""Stands for the digest of a change that the agent is told of."""


def found_undone(
    event: ToolFinished, world: World, knowledge: Knowledge, stale: tuple[Known, ...]
) -> Iterator[Finding]:
    """`stale`: what had been changed by somebody else before the command ran."""
    sweeps = tuple(sweeps_of(shell_effects(event.call.command, event.cwd), event.call.command, world.workspace))
    named = {touch.path for touch in world.analysis.touches if touch.modifies}
    for known in stale:
        if known.path in named or any(one.reaches(known.path) for one in sweeps):
            continue  # this was said before it ran
        stamp = knowledge.disk.look(known.path) if knowledge.disk else None
        mark = f"{_MARK}{stamp[1] if stamp else 0}"
        if stamp is None or not known.digest or known.told == mark or is_moving(known.path, knowledge.disk):
            continue
        if changed_file(known, knowledge, world.secret_key) is None:
            yield _undone(known, mark, " ".join(world.analysis.programs[:1]) or event.call.tool)


def _undone(known: Known, mark: str, ran: str) -> Finding:
    words = f"Somebody's change of {known.path} is gone again: it is as you knew it. Your own `{ran}` ran at that time."
    return Finding(
        rule=UNDONE_RULE,
        subject=f"{known.path}@{mark}",
        evidence=(Evidence(words, TOLD),),
        path=known.path,
        message=words,
        remedy="tell the user, who may have lost work",
    )
