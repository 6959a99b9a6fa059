"""What is found about a call that writes files which are not as its agent knew them."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.known.cause import Author, author_of
from leeboard.code.known.change import change_between, meets
from leeboard.code.known.compare import changed_file, matters
from leeboard.code.known.state import lines_of, state_of
from leeboard.code.known.words import shown_change, summary
from leeboard.model.event import ToolCall, ToolFinished, ToolProposed
from leeboard.model.known import Changed, Knowledge, Known
from leeboard.model.truth import ABSENT
from leeboard.model.verdict import TOLD, WARNED, Evidence, Finding
from leeboard.model.world import World

RULE = "changed_underneath"
AGAIN = "read it again before you change it, and keep what is new"


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
        elif changed.now.digest != ABSENT or path not in deleted:
            yield from _proposed(changed, event.call, world, knowledge)


def found_landed(event: ToolFinished, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    """After a call ran: what the client found in the file when it wrote it, where nobody could see that before."""
    paths = [touch.path for touch in world.analysis.touches if touch.modifies]
    known = knowledge.known(event.agent, paths[0]) if len(paths) == 1 else None
    if known is None or not known.time < world.began or event.before is None:
        return
    before = state_of(event.before, world.secret_key)
    changed, over = Changed(known=known, now=before, stamp=()), event.call.action == "write"
    if before.digest in {known.digest, known.told} or not known.digest or not matters(changed, whole_file=over):
        return
    author = author_of(changed, world, knowledge)
    if author.kind == "own" or (known.wrote and known.plain == before.plain):
        return
    what = "your Write went over it" if over else "your edit landed beside it"
    opening = f"{known.path} had been changed since you last {_verb(known)} it, and {what}: {summary(changed)}."
    remedy = "put back what was lost" if over else "read it again before you go on"
    yield _finding(changed, author, opening, (shown_change(changed, event.before), remedy))


def _proposed(changed: Changed, call: ToolCall, world: World, knowledge: Knowledge) -> Iterator[Finding]:
    known, text = changed.known, (knowledge.disk.text(changed.known.path) if knowledge.disk else None) or ""
    said = known.told == changed.now.digest and world.policy.profile != "enforce"
    if said or not matters(changed, whole_file=call.action != "edit"):
        return
    author = author_of(changed, world, knowledge)
    if author.kind == "own":
        return
    if author.kind == "formatter":
        if call.action == "edit" and _meets_change(changed, call, text):
            yield _note(known, changed.now.digest, f"{known.path} was reformatted right after your own edit.")
        return
    opening = f"{known.path} was changed since you last {_verb(known)} it: {summary(changed)}."
    yield _finding(changed, author, opening, (shown_change(changed, text), AGAIN))


def _after_own_git(known: Known) -> Iterator[Finding]:
    """What the agent has ordered itself it only has to be reminded of."""
    if known.was and known.told != known.digest:
        words = f"{known.path} is not as you last read it: your own git command has changed it."
        yield _note(known, known.digest, words)


def _meets_change(changed: Changed, call: ToolCall, text: str) -> bool:
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


def _finding(changed: Changed, author: Author, opening: str, rest: tuple[tuple[str, ...], str]) -> Finding:
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
