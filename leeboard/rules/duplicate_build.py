"""Something is built that the code base, or this session, already has.

## What it catches
Two moments. In words: the agent says that it will build, create, implement, write or add a new thing, and the code base
has a function, class or file of that name. In a change: a new function does what another one does. The two are laid
side by side, statement by statement, with what they call and name and without the names of their own, so that other
names, other texts, another layout, a statement more or less do not hide a copy.

## Why it matters
Two implementations of one thing drift apart. The longer the second one lives, the more code hangs on it.

## Example
`auth/tokens.py` has `verify_jwt`. The agent never looks, says "I'll build a JWT handler" and writes `check_token` with
the same steps into `api/session.py`.

## Known limits
Words alone prove a name, never a duplicate: their confidence is 0.6 at most. Held against what this session built they
are only logged: whoever builds a feature in several files speaks of each by the same words. A copy of what the session
built waits five turns before it is spoken of, and is dropped where the first one went away meanwhile. A function
written anew with other calls is mostly not recognised (docs/copies.md has the shares). No judgement is made of a body
of fewer than 10 tokens, nor of a single statement of fewer than 16 (documentation, lines that only log and brackets
that only group not counted): so short a flow is shared by functions that have nothing to do with each other. The
smaller a function is, the more of it has to agree: of one with two or three statements a copy with one exchanged is not
recognised. Tests, migrations, platform and version variants, test doubles, implementations of one interface and files
outside the work tree are left alone; a parallel function in the same file, or one that only has the same name, is noted
and not spoken of. What the user ordered is never called a duplicate, nor is the twin for another entity they asked for:
`list_orders` like `list_users`, where its code speaks of orders. A copy that is only called after them is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import MessageSaid, Stopped, ThoughtShown, ToolFinished
from leeboard.model.lookup import Files, Registry
from leeboard.model.symbol import Symbol, Symbols
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

if TYPE_CHECKING:  # the parser and what needs it are imported where written code is judged
    from leeboard.source.duplicate import Namesake, Neighbourhood, Twin
    from leeboard.source.new_code import NewFunction
    from leeboard.speech.build_intent import BuildIntent

RULE = Rule(
    code="LB-A101",
    channel="signal",
    subclass="A1",
    only_where="plan",
    summary="something is built that the code base, or this session, already has",
)

_KNOWN = (
    "def verify_jwt(token, key):\n    header, body, sign = token.split('.')\n"
    "    expected = hmac_sign(header + body, key)\n"
    "    if expected != sign:\n        raise InvalidToken('signature')\n    claims = json.loads(decode(body))\n"
    "    if claims['exp'] < now():\n        raise InvalidToken('expired')\n    return claims\n"
)
_RENAMED = (
    _KNOWN.replace("verify_jwt", "check_session").replace("claims", "found").replace("header", "first")
).replace("expected", "wanted")
_LEXER = (
    "def verify_jwt(source, at):\n    while at < len(source) and source[at].isspace():\n        at += 1\n"
    "    kind = KINDS.get(source[at], 'name')\n    end = at + 1\n    while end < len(source) and kind == 'name':\n"
    "        end += 1\n    return kind, source[at:end], end\n"
)
FIRES = (
    Sample(
        name="said without having looked",
        lines=("@ add login", f"repo auth/tokens.py | {_KNOWN}", "~ I'll build a JWT handler."),
    ),
    Sample(
        name="a copy under other names",
        lines=("@ add sessions", f"repo auth/tokens.py | {_KNOWN}", f"write api/session.py | {_RENAMED}"),
    ),
    Sample(
        name="a copy of what the session built",
        lines=("@ add sessions", f"write auth/tokens.py | {_KNOWN}", f"write api/session.py | {_RENAMED}"),
    ),
)
SILENT = (
    Sample(
        name="the same name, another purpose",
        lines=("@ add a lexer", f"repo auth/tokens.py | {_KNOWN}", f"write lexer/scan.py | {_LEXER}"),
    ),
    Sample(
        name="a test double",
        lines=("@ add sessions", f"repo auth/tokens.py | {_KNOWN}", f"write tests/fake_tokens.py | {_RENAMED}"),
    ),
    Sample(
        name="a twin for another entity that was asked for",
        lines=(
            "@ add verification of cookies",
            f"repo auth/tokens.py | {_KNOWN}",
            f"write auth/cookies.py | {_KNOWN.replace('verify_jwt', 'verify_cookie').replace('Token', 'Cookie')}",
        ),
    ),
    Sample(
        name="something new",
        lines=("@ add a lexer", f"repo auth/tokens.py | {_KNOWN}", "~ I'll create a lexer for the query language."),
    ),
)

_IN_SESSION, _IN_CODE_BASE, _ESTABLISHED = 2, 3, 4
_UNCHECKED, _CHECKED, _SCRATCH = 0.8, 0.5, 0.9
_IMPORTERS = 3
"""Files that import a module which others compete with at their peril."""
_LOOKBACK = 10
_MOVING = 5
"""Turns a move may take: the new place is written first, and the old one taken out at last."""

MOST_COMPARED = 24
"""New functions of one change that are looked up, the largest first: each costs milliseconds in a large tree."""


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown | Stopped,
    world: World,
    diffs: Diffs,
    registry: Registry,
    symbols: Symbols | None,
    files: Files,
) -> Iterator[Finding]:
    """Names at PLAN, fingerprints at DIFF."""
    if isinstance(event, MessageSaid | ThoughtShown):
        yield from _planned(world, registry, symbols)
    elif (isinstance(event, Stopped) or event.outcome == "done") and any(diff.added and diff.path for diff in diffs):
        from leeboard.source.duplicate import Neighbourhood  # noqa: PLC0415 - the parser, for written code only

        around = Neighbourhood(registry, symbols, files, "" if isinstance(event, Stopped) else event.call.id)
        for diff in diffs:
            yield from _built(diff, world, around)


def holds(finding: Finding, world: World, registry: Registry, symbols: Symbols | None, files: Files) -> bool:
    """A written copy is looked at again; a plan stands once it was carried out and nobody looked in the meantime."""
    from leeboard.source.duplicate import Neighbourhood, stands  # noqa: PLC0415 - only when it is asked for
    from leeboard.source.new_code import whole_file  # noqa: PLC0415 - as above
    from leeboard.speech.build_intent import was_carried_out  # noqa: PLC0415 - only when it is asked for

    if not finding.path:
        words, _, place = finding.subject.removeprefix("plan:").partition("~")
        path, _, name = place.rpartition(":")
        return was_carried_out(words.split(), path, name, registry)
    text = files.text(finding.path)
    if text is None:
        return files.exists(finding.path) is not False
    return stands(finding, _built(whole_file(finding.path, text), world, Neighbourhood(registry, symbols, files)))


def _built(diff: Diff, world: World, around: Neighbourhood) -> Iterator[Finding]:
    from leeboard.source.counterpart import is_exempt  # noqa: PLC0415 - for written code only
    from leeboard.source.duplicate import namesake, twins  # noqa: PLC0415 - as above
    from leeboard.source.new_code import may_be_old, new_functions  # noqa: PLC0415 - as above

    if not diff.path or is_exempt(diff.path):
        return
    if may_be_old(diff) and around.was_read(diff.path):
        return  # a file the agent had read and then wrote whole: nobody knows which of its functions are new
    indexed = around.symbols is not None
    largest = sorted(new_functions(diff), key=lambda new: (-new.fingerprint.size, new.line))[:MOST_COMPARED]
    for new in largest:
        # The closest one decides: what is its own old self again, in another place, copies no sibling of that.
        closest = next(iter(twins(new, around)), None)
        if closest is not None and not _belongs_elsewhere(new, closest, indexed=indexed):
            yield _copy(new, closest, world, around)
        elif closest is None and (other := namesake(new, around)) is not None:
            yield _superficial(new, other)


def _belongs_elsewhere(new: NewFunction, twin: Twin, *, indexed: bool) -> bool:
    """What is built again under its own name is rework; a second version beside the first is a disguised change."""
    from leeboard.source.counterpart import extends, is_version_of, stem_of  # noqa: PLC0415 - for written code only

    old = twin.symbol
    named = is_version_of(new.name, old.name) or extends(new.name, old.name)
    second = named or is_version_of(stem_of(new.path), stem_of(old.path))
    return (twin.in_session and new.name == old.name) or (indexed and second)


def _copy(new: NewFunction, twin: Twin, world: World, around: Neighbourhood) -> Finding:
    old, percent = twin.symbol, round(twin.similarity * 100)
    here, there = f"{new.path}:{new.line}", f"{old.path}:{old.line}"
    signal, trace = _weighed(new, twin, world, around)
    return Finding(
        rule="duplicate_build",
        subject=f"{new.path}:{new.name}~{old.path}:{old.name}",
        evidence=(
            Evidence(f"`{new.name}` ({here}) does what `{old.name}` ({there}) does: {percent} % alike."),
            Evidence("signature: similarity above 75 % by statements, structure and names"),
            *map(Evidence, trace),
        ),
        confidence=round(min(0.95, twin.similarity), 2),
        path=new.path,
        line=new.line,
        message=f"`{new.name}` ({here}) repeats `{old.name}` ({there}), {percent} % alike. "
        f"Use or extend that one and remove the copy.",
        remedy=f"use `{old.name}` of {old.path}",
        signal=signal,
    )


def _weighed(new: NewFunction, twin: Twin, world: World, around: Neighbourhood) -> tuple[Signal, tuple[str, ...]]:
    """What it costs, how likely it stays, and the trace of both."""
    from leeboard.source.duplicate import looked_for  # noqa: PLC0415 - for written code only
    from leeboard.speech.build_intent import telling_words  # noqa: PLC0415 - for written code only

    old = twin.symbol
    looked = looked_for(telling_words(f"{new.name} {old.name}"), (old.path,), around.registry, world.agent.turn)
    stubborn = _says_scratch(around.registry, world.agent.turn)
    importers = len(around.symbols.importers(old.path)) if around.symbols and not twin.in_session else 0
    signal = Signal(
        subclass="A1",
        rework_cost=_IN_SESSION if twin.in_session else _ESTABLISHED if importers >= _IMPORTERS else _IN_CODE_BASE,
        self_correct_prob=_SCRATCH if stubborn else _CHECKED if looked else _UNCHECKED,
        floor=2.0 if twin.in_session else 0.0,
        log_only=_only_logged(new, twin, world),
        symbol=new.name,
        patience=_MOVING if twin.in_session else 0,
    )
    return signal, (
        f"looked first: {looked or 'no'}; said from scratch: {'yes' if stubborn else 'no'}",
        "built in this session: floor 2.0" if twin.in_session else f"importers of {old.path}: {importers}",
    )


def _only_logged(new: NewFunction, twin: Twin, world: World) -> str:
    from leeboard.source.twin_asked import DIRECTED, asks_again, is_asked_twin  # noqa: PLC0415 - for findings only

    old = twin.symbol
    if asks_again(world, (new.name, new.path, old.name, old.path)) or is_asked_twin(world, new, old, twin.fingerprint):
        return DIRECTED
    return "parallel function in the same file" if new.path == old.path else ""


def _superficial(new: NewFunction, other: Symbol) -> Finding:
    return Finding(
        rule="duplicate_build",
        subject=f"{new.path}:{new.name}={other.path}",
        evidence=(
            Evidence(f"`{new.name}` ({new.path}:{new.line}) has the name of one in {other.path}, for another purpose."),
            Evidence("validator: similarity of 75 % or less is superficial"),
        ),
        confidence=0.3,
        path=new.path,
        line=new.line,
        message=f"`{new.name}` ({new.path}:{new.line}) has the name of one in {other.path}:{other.line}.",
        signal=Signal(
            subclass="A1",
            rework_cost=_IN_CODE_BASE,
            self_correct_prob=_CHECKED,
            log_only="superficial",
            symbol=new.name,
        ),
    )


def _says_scratch(registry: Registry, turn: int) -> bool:
    return any(entry.turn >= turn - _LOOKBACK for entry in registry.find("flag", ("RF-A1",)))


def _planned(world: World, registry: Registry, symbols: Symbols | None) -> Iterator[Finding]:
    from leeboard.speech.build_intent import build_intents  # noqa: PLC0415 - for words only

    for intent in build_intents(world.analysis.text):
        from leeboard.source.duplicate import namesakes  # noqa: PLC0415 - for announced work only

        said = " ".join(goal.text for goal in world.session.goals)
        for found in namesakes(intent, registry, symbols, said)[:1]:
            yield _announced(intent, found, world, registry)


def _announced(intent: BuildIntent, found: Namesake, world: World, registry: Registry) -> Finding:
    from leeboard.source.duplicate import looked_for  # noqa: PLC0415 - for findings only
    from leeboard.source.twin_asked import DIRECTED, asks_again  # noqa: PLC0415 - for findings only

    old = found.symbol
    place = f"{old.path}:{old.line}" if old.line else old.path
    looked = looked_for(intent.words, (old.path,), registry, world.agent.turn)
    directed = asks_again(world, (old.name, old.path, intent.thing))
    return Finding(
        rule="duplicate_build",
        subject=f"plan:{' '.join(intent.words)}~{old.path}:{old.name}",
        evidence=(
            Evidence(f"The plan is to build {intent.thing}, and `{old.name}` is in {place}."),
            Evidence(f"signature: shared words {', '.join(found.shared)}; names only, so confidence is 0.6 at most"),
            Evidence(f"looked first: {looked or 'no'}; said from scratch: {'yes' if intent.from_scratch else 'no'}"),
        ),
        confidence=0.6 if len(found.shared) > 1 else 0.5,
        message=f"Before building {intent.thing[:60]}, look at `{old.name}` ({place}): it may already do that.",
        remedy=f"read {old.path} first",
        signal=Signal(
            subclass="A1",
            rework_cost=_IN_SESSION if found.in_session else _IN_CODE_BASE,
            self_correct_prob=_SCRATCH if intent.from_scratch else _CHECKED if looked else _UNCHECKED,
            stage="PLAN",
            log_only=DIRECTED if directed else "",
        ),
    )
