"""A new file or function where an existing one should have been changed.

## What it catches
`user_service_v2.py` beside `user_service.py`, `handle_refund_edge` that repeats `handle_refund` and differs in one
condition: the new unit has the name of an existing one and a suffix or more words, and one existing file already has
70 % or more of what it does. In words: "create a new version of", "add a separate handler for".

## Why it matters
Both versions stay. Every later change has to be made twice, and half of them are not.

## Example
`billing/refund.py` has `handle_refund`. The agent adds `handle_refund_edge`: the same eleven steps and one more `if`.

## Known limits
The share is measured on structure and on what is called and named; below 70 % it is only noted. Versioned interfaces
(`api/v2/`), platform files, tests, stories, locales, files outside the work tree and the split of a large file are left
alone, and so is what the user asked for: in words, or by naming the new file or function.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import MessageSaid, Stopped, ThoughtShown, ToolFinished
from leeboard.model.lookup import Files, Registry
from leeboard.model.symbol import Symbols
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

if TYPE_CHECKING:  # the parser and what needs it are imported where written code is judged
    from leeboard.source.duplicate import Namesake, Neighbourhood
    from leeboard.source.second_version import Cover
    from leeboard.speech.build_intent import BuildIntent

RULE = Rule(
    code="LB-A301",
    channel="signal",
    subclass="A3",
    only_where="plan",
    summary="a new file or function where an existing one should have been changed",
)

_REFUND = (
    "def handle_refund(order, amount):\n    if order.state != 'paid':\n        raise RefundError('not paid')\n"
    "    if amount > order.total:\n        raise RefundError('too much')\n"
    "    charge = gateway.refund(order.charge_id, amount)\n"
    "    order.refunded += amount\n    ledger.record(order.id, -amount, charge.reference)\n"
    "    notify_customer(order.customer, charge)\n    return charge\n"
)
_EDGE = _REFUND.replace("def handle_refund(", "def handle_refund_edge(").replace(
    "    if amount > order.total",
    "    if order.partial:\n        amount = order.open_amount\n    if amount > order.total",
)
_OTHER = (
    "def render_refund(order):\n    rows = [format_row(item) for item in order.items]\n"
    "    header = table.header('refund')\n"
    "    body = '\\n'.join(rows)\n    footer = table.footer(sum(item.price for item in order.items))\n"
    "    return header + body + footer\n"
)
FIRES = (
    Sample(
        name="a second version of a file",
        lines=("@ allow partial refunds", f"repo shop/refund.py | {_REFUND}", f"write shop/refund_v2.py | {_EDGE}"),
    ),
    Sample(
        name="a second version of a function",
        lines=("@ allow partial refunds", f"repo shop/refund.py | {_REFUND}", f"write shop/partial.py | {_EDGE}"),
    ),
)
SILENT = (
    Sample(
        name="another thing with a similar name",
        lines=("@ show refunds", f"repo shop/refund.py | {_REFUND}", f"write shop/refund_page.py | {_OTHER}"),
    ),
    Sample(
        name="a versioned interface",
        lines=("@ add api v2", f"repo api/v1/refund.py | {_REFUND}", f"write api/v2/refund.py | {_EDGE}"),
    ),
    Sample(
        name="a path the user named",
        lines=(
            "@ put partial refunds into shop/refund_v2.py",
            f"repo shop/refund.py | {_REFUND}",
            f"write shop/refund_v2.py | {_EDGE}",
        ),
    ),
)

_REWORK = 3
_PLANNED, _BOTH_EXIST = 0.5, 0.7


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown | Stopped,
    world: World,
    diffs: Diffs,
    registry: Registry,
    symbols: Symbols | None,
    files: Files,
) -> Iterator[Finding]:
    """Words at PLAN; names and the covered share at DIFF."""
    if isinstance(event, MessageSaid | ThoughtShown):
        yield from _planned(world, registry, symbols)
        return
    is_done = isinstance(event, Stopped) or event.outcome == "done"
    if is_done and symbols is not None and any(diff.added and diff.path for diff in diffs):
        from leeboard.source.duplicate import Neighbourhood  # noqa: PLC0415 - the parser, for written code only

        around = Neighbourhood(registry, symbols, files, "" if isinstance(event, Stopped) else event.call.id)
        for diff in diffs:
            yield from _written(diff, world, around)


def holds(finding: Finding, world: World, registry: Registry, symbols: Symbols | None, files: Files) -> bool:
    """What was written is looked at again. Words alone are not worth an interruption later on."""
    from leeboard.source.duplicate import Neighbourhood, stands  # noqa: PLC0415 - as above
    from leeboard.source.new_code import new_functions, whole_file  # noqa: PLC0415 - as above
    from leeboard.source.second_version import is_renamed  # noqa: PLC0415 - as above

    text = files.text(finding.path) if finding.path else None
    if text is None:
        return bool(finding.path) and files.exists(finding.path) is not False
    now, around = whole_file(finding.path, text), Neighbourhood(registry, symbols, files)
    return stands(finding, _written(now, world, around)) or is_renamed(finding.subject, new_functions(now), around)


def _written(diff: Diff, world: World, around: Neighbourhood) -> Iterator[Finding]:
    from leeboard.source.counterpart import apart, is_exempt  # noqa: PLC0415 - for written code only
    from leeboard.source.new_code import new_functions  # noqa: PLC0415 - as above
    from leeboard.source.second_version import COVERED, covered_file, covered_function  # noqa: PLC0415 - as above

    if not diff.path or is_exempt(diff.path):
        return
    functions = new_functions(diff)
    whole = covered_file(diff.path, functions, around) if _is_new_file(diff, around) else None
    if whole is not None and not apart(whole.new.path, whole.old.path) and (whole.named or whole.share >= COVERED):
        yield _second(whole, world)
        return
    for new in functions:
        found = covered_function(new, around)
        if found is not None and (found.named or found.share >= COVERED):
            yield _second(found, world)


def _is_new_file(diff: Diff, around: Neighbourhood) -> bool:
    """Known to be new; or written whole, and not read before."""
    from leeboard.source.new_code import may_be_old  # noqa: PLC0415 - for written code only

    return diff.is_new or (may_be_old(diff) and not around.was_read(diff.path))


def _second(found: Cover, world: World) -> Finding:
    new, old, percent = found.new, found.old, round(found.share * 100)
    here, there = f"{new.path}:{new.line}", f"{old.path}:{old.line}"
    reason = _only_logged(found, world)
    return Finding(
        rule="disguised_modification",
        subject=f"{new.path}:{new.name}~{old.path}:{old.name}",
        evidence=(
            Evidence(f"`{new.name}` ({here}) was added beside `{old.name}` ({there}), which has {percent} % of it."),
            Evidence(f"signature: name and {'suffix' if found.named else 'more words'}; cover {found.share:.2f}"),
            Evidence(f"validator: {reason or 'cover of 0.70 or more in one file: floor 2.0'}"),
        ),
        confidence=round(min(0.95, found.share), 2),
        path=new.path,
        line=new.line,
        message=f"`{new.name}` ({here}) repeats {percent} % of `{old.name}` ({there}). "
        f"Change that one instead of keeping two versions.",
        remedy=f"change {old.path} and drop {new.name}",
        signal=_signal(reason, new.name.partition(".")[0]),
    )


def _signal(reason: str, symbol: str) -> Signal:
    return Signal(
        subclass="A3",
        rework_cost=_REWORK,
        self_correct_prob=_BOTH_EXIST,
        floor=0.0 if reason else 2.0,
        log_only=reason,
        symbol=symbol,
    )


def _only_logged(found: Cover, world: World) -> str:
    from leeboard.source.second_version import COVERED  # noqa: PLC0415 - for written code only
    from leeboard.source.twin_asked import (  # noqa: PLC0415 - for findings only
        DIRECTED,
        asks_beside,
        asks_for_entity,
        names_it,
    )

    new, old = found.new, found.old
    asked = asks_beside(world, (new.name, old.name, new.path)) or names_it(world, new)
    if asked or asks_for_entity(world, new.name, old.name):
        return DIRECTED
    return "" if found.share >= COVERED else "existing code covers under 70 %"


def _planned(world: World, registry: Registry, symbols: Symbols | None) -> Iterator[Finding]:
    from leeboard.speech.build_intent import another_intents  # noqa: PLC0415 - for words only

    for intent in another_intents(world.analysis.text):
        from leeboard.source.duplicate import namesakes  # noqa: PLC0415 - for announced work only

        for found in namesakes(intent, registry, symbols, "")[:1]:
            yield _announced(intent, found, world)


def _announced(intent: BuildIntent, found: Namesake, world: World) -> Finding:
    from leeboard.source.twin_asked import DIRECTED, asks_beside  # noqa: PLC0415 - for findings only

    old = found.symbol
    place = f"{old.path}:{old.line}" if old.line else old.path
    directed = asks_beside(world, (old.name, intent.thing))
    return Finding(
        rule="disguised_modification",
        subject=f"plan:{' '.join(intent.words)}~{old.path}:{old.name}",
        evidence=(
            Evidence(f"The plan adds another {intent.thing} beside `{old.name}` in {place}."),
            Evidence(f"signature: announced second version; shared words {', '.join(found.shared)}"),
        ),
        confidence=0.5,
        message=f"Could `{old.name}` ({place}) be changed instead of adding another {intent.thing[:60]} beside it?",
        remedy=f"change {old.path} instead",
        signal=Signal(
            subclass="A3",
            rework_cost=_REWORK,
            self_correct_prob=_PLANNED,
            stage="PLAN",
            log_only=DIRECTED if directed else "",
        ),
    )
