"""Work of this session is done a second time.

## What it catches
A function this session built is written again in another file, and both stay; a file that is written whole a second
time with what it has. On record, and never spoken of: a change that writes more than 70 % of what an earlier change
wrote, a function that is put back, words that announce to rewrite, redo or replace what was just built.

## Why it matters
The second time costs as much as the first, and two results of one step are easily left behind.

## Example
Turn 4: `slugify` in `text/slug.py`. Turn 9: `slugify` again, in `blog/helpers.py`, line for line.

## Known limits
A copy above 75 % is queued, the rest is only logged. One edit given to several places of a file, or to several files,
is how a change is made everywhere: it was the most frequent false alarm in real sessions and is only logged. A copy
waits five turns before it is spoken of, because whoever moves a function writes the new place first: it is dropped
where the old one was taken out meanwhile, or only hands on to the new one (a re-export). Where the other file can not
be looked at, nothing is said. A failure, the user's word, or a revision or move that was announced since the first time
is reason enough to do it again. Methods of classes are left alone, and so are tests, functions that something calls by
a fixed name (`main`, `GET`), parallel modules that are not the same to the letter (`app/a/form.ts`, `app/b/form.ts`),
files outside the work tree and files that are written whole with changes: that is how some agents edit. Two functions
of one name that have nothing in common are no rework, and of a body of fewer than 10 tokens nothing is said: its flow
is shared by too many others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import MessageSaid, ThoughtShown, ToolFinished
from leeboard.model.lookup import Files, Registry
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

if TYPE_CHECKING:  # the parser and what needs it are imported where written code is judged
    from leeboard.analysis.timeline import Rebuilt
    from leeboard.model.ledger import Entry
    from leeboard.source.new_code import NewFunction

RULE = Rule(
    code="LB-C201",
    channel="signal",
    subclass="C2",
    only_where="plan",
    summary="work of this session is done a second time",
)

_SLUGIFY = (
    "def slugify(title, limit=60):\n"
    "    plain = unicodedata.normalize('NFKD', title).encode('ascii', 'ignore').decode()\n"
    "    words = re.findall(r'[a-z0-9]+', plain.lower())\n    slug = '-'.join(words)\n    if len(slug) > limit:\n"
    "        slug = slug[:limit].rsplit('-', 1)[0]\n    return slug or 'untitled'\n"
)
_AGAIN = _SLUGIFY.replace("plain", "text").replace("words", "parts")
_LOOK = ("read a.py", "read b.py", "read c.py")
FIRES = (
    Sample(
        name="a function again, elsewhere",
        lines=("@ add slugs", f"write text/slug.py | {_SLUGIFY}", *_LOOK, f"write blog/posts.py | {_AGAIN}"),
    ),
    Sample(
        name="the same file again",
        lines=("@ add slugs", f"write text/slug.py | {_SLUGIFY}", *_LOOK, f"write text/slug.py | {_SLUGIFY}"),
    ),
    Sample(
        name="said of what was just built",
        lines=("@ add slugs", f"write text/slug.py | {_SLUGIFY}", *_LOOK, "~ I'll rewrite slugify in another way."),
    ),
)
SILENT = (
    Sample(
        name="after a failing test",
        lines=(
            "@ add slugs",
            f"write text/slug.py | {_SLUGIFY}",
            "$! pytest -> E assert slugify('a') == 'a'",
            f"write text/slug.py | {_SLUGIFY}",
        ),
    ),
    Sample(
        name="an announced revision",
        lines=(
            "@ add slugs",
            f"write text/slug.py | {_SLUGIFY}",
            "read a.py",
            "~ I need to revise slugify so that the blog can use it.",
            f"write blog/posts.py | {_AGAIN}",
        ),
    ),
    Sample(
        name="other work",
        lines=("@ add slugs", f"write text/slug.py | {_SLUGIFY}", "write blog/posts.py | POSTS = ['one', 'two']"),
    ),
)

_AGAIN_COST, _COPY_COST = 1, 2
_LIKELY, _CERTAIN = 0.5, 1.0
_SAME, _IDENTICAL = 0.75, 0.98
_MOVING = 5
"""Turns a move may take: the new place is written first, then the callers, then the old one is taken out."""
_ORDERS = (
    "rewrite",
    "redo",
    "replace",
    "again",
    "recreate",
    "rebuild",
    "instead",
    "move",
    "rename",
    "split",
    "revert",
    "copy",
    "duplicate",
    "move",
    "start over",
)


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown, world: World, diffs: Diffs, registry: Registry, files: Files
) -> Iterator[Finding]:
    """Names and texts of what was written; words about what was built."""
    if not isinstance(event, ToolFinished):
        yield from _announced(world, registry)
    elif event.outcome == "done" and registry.newest("change", 1):
        for diff in diffs:
            if diff.path and (diff.added or event.call.action == "write"):
                yield from _written(diff, event, world, registry, files)


def _whole(diff: Diff) -> Diff:
    """The same file written again adds no line: it is all of it that was done twice."""
    return diff if diff.added else replace(diff, added=((1, diff.after.count("\n") + 1),))


def holds(finding: Finding, world: World, registry: Registry, files: Files) -> bool:
    """While both places still have it, under whatever name. Words alone are not worth an interruption later on."""
    from leeboard.analysis.timeline import still_in  # noqa: PLC0415 - only when it is asked for
    from leeboard.text.language import language_of  # noqa: PLC0415 - only when it is asked for

    here, _, there = finding.subject.partition("~")
    name = here.rpartition(":")[2]
    if any(files.exists(path) is False for path in (finding.path, there) if path):
        return False
    if not finding.path or not there or name == finding.path:
        return bool(finding.path)
    texts = [files.text(path) for path in dict.fromkeys((finding.path, there))]
    return still_in(name, [text for text in texts if text is not None], language_of(finding.path))


def _written(diff: Diff, event: ToolFinished, world: World, registry: Registry, files: Files) -> Iterator[Finding]:
    from leeboard.analysis.timeline import rebuilt_function, repeated_change  # noqa: PLC0415 - for written code only
    from leeboard.source.counterpart import is_exempt  # noqa: PLC0415 - for written code only
    from leeboard.source.new_code import may_be_old, new_functions  # noqa: PLC0415 - as above

    if is_exempt(diff.path):
        return
    rewrites = not diff.added or may_be_old(diff)
    diff, found = _whole(diff), False
    for new in new_functions(diff):
        again = rebuilt_function(new, registry, files, diff, event.call.id)
        if again is not None:
            found = True
            yield from _function_again(new, again, world, registry)
    again = None if found else repeated_change(diff, registry, event.call.id)
    if again is not None:
        yield from _text_again(diff, again, world, registry, rewrites=rewrites)


def _function_again(new: NewFunction, again: Rebuilt, world: World, registry: Registry) -> Iterator[Finding]:
    from leeboard.source.counterpart import apart, are_parallel, is_called_by_name  # noqa: PLC0415 - for written code only

    earlier, percent, copied = again.earlier, round(again.similarity * 100), again.similarity > _SAME
    if apart(new.path, earlier.path) or is_called_by_name(new.name):
        return
    if again.similarity < _IDENTICAL and are_parallel(new.path, earlier.path):
        return
    if _may(again, (new.name,), world, registry):
        return
    why = _unspoken(new, again, copied=copied)
    here, there = f"{new.path}:{new.line}", f"{earlier.path}:{earlier.line}"
    yield Finding(
        rule="rebuilt_work",
        subject=f"{new.path}:{new.name}~{earlier.path}",
        evidence=(
            Evidence(f"`{new.name}` ({here}) was built in turn {earlier.turn} ({there}) already: {percent} % alike."),
            Evidence(f"signature: name in functions built; built {again.times} times before"),
            Evidence(
                "a copy of something built in this session: floor 2.0, in place of A1"
                if copied and not why
                else f"{why or 'no copy'}: logged"
            ),
        ),
        confidence=round(min(0.95, again.similarity), 2),
        path=new.path,
        line=new.line,
        message=f"`{new.name}` ({here}) was already built in this session ({there}). "
        f"Import that one and drop this copy.",
        remedy=f"use `{new.name}` of {earlier.path}",
        signal=replace(
            _signal(again, world, (new.name, new.path), copied=copied, why=why), patience=_MOVING, symbol=new.name
        ),
    )


def _unspoken(new: NewFunction, again: Rebuilt, *, copied: bool) -> str:
    """Why a function that is there twice is at most logged; empty where it is spoken of."""
    if not copied:
        return "no copy" if again.times > 1 else ""  # by the formula, a first one is not spoken of either
    if new.path == again.earlier.path:
        return "put back where it was"
    return "" if again.is_seen else "nobody can tell whether the other is still there"


def _text_again(diff: Diff, again: Rebuilt, world: World, registry: Registry, *, rewrites: bool) -> Iterator[Finding]:
    earlier, percent = again.earlier, round(again.similarity * 100)
    if _may(again, (diff.path, earlier.path), world, registry):
        return
    copied = rewrites and again.similarity >= _IDENTICAL and earlier.path == diff.path
    why = "" if copied else "one edit in several places" if earlier.path == diff.path else "partly the same"
    yield Finding(
        rule="rebuilt_work",
        subject=f"{diff.path}:{diff.path}~{earlier.path}",
        evidence=(
            Evidence(f"{diff.path} gets {percent} % of what turn {earlier.turn} wrote into {earlier.path}."),
            Evidence(f"signature: overlap above 70 % with an earlier change; {again.times} of them"),
            Evidence(f"{why}: logged" if why else "the same text again: floor 2.0"),
        ),
        confidence=round(min(0.95, again.similarity), 2),
        path=diff.path,
        line=diff.added[0][0],
        message=f"{diff.path} was written with the same content in turn {earlier.turn} ({earlier.path}). "
        f"Check what is there before writing it again.",
        remedy=f"look at {earlier.path} first",
        signal=_signal(again, world, (diff.path,), copied=copied, why=why),
    )


def _may(again: Rebuilt, names: tuple[str, ...], world: World, registry: Registry) -> bool:
    from leeboard.analysis.timeline import why_again  # noqa: PLC0415 - for findings only

    return bool(why_again(again, names, registry, world.agent.id, world.agent.turn))


def _signal(again: Rebuilt, world: World, subject: tuple[str, ...], *, copied: bool, why: str = "") -> Signal:
    """`why` it is at most logged, where there is a reason."""
    from leeboard.speech.order import ordered  # noqa: PLC0415 - for findings only

    return Signal(
        subclass="C2",
        rework_cost=_COPY_COST if copied or again.similarity > _SAME or again.times > 1 else _AGAIN_COST,
        self_correct_prob=_CERTAIN if again.times > 1 else _LIKELY,
        floor=2.0 if copied else 0.0,
        log_only="user-directed: not signaled" if ordered(world, _ORDERS, subject) else why,
    )


def _announced(world: World, registry: Registry) -> Iterator[Finding]:
    from leeboard.analysis.timeline import Rebuilt, announced_again  # noqa: PLC0415 - for words only

    for sentence, earlier in announced_again(world.analysis.text, registry, world.agent.id):
        again = Rebuilt(name=earlier.key, earlier=earlier, similarity=0.0, times=1)
        if not _may(again, (), world, registry):
            yield _words(sentence, earlier, again, world)


def _words(sentence: str, earlier: Entry, again: Rebuilt, world: World) -> Finding:
    place = f"{earlier.path}:{earlier.line}"
    return Finding(
        rule="rebuilt_work",
        subject=f"plan:{earlier.key}",
        evidence=(
            Evidence(f"What turn {earlier.turn} built ({place}) is to be built again: {sentence[:120]}"),
            Evidence("signature: rewrite, redo or replace said of something just built"),
        ),
        confidence=0.5,
        message=f"`{earlier.key}` was built in turn {earlier.turn} ({place}). Say what is wrong before redoing it.",
        signal=Signal(
            subclass="C2",
            rework_cost=_AGAIN_COST,
            self_correct_prob=_LIKELY,
            stage="PLAN",
            log_only=_signal(again, world, (earlier.key, earlier.path), copied=False).log_only,
        ),
    )
