"""A3: a second version beside the first, where the first should have been changed."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.app.replay import RecordedFiles
from leeboard.model.event import SessionStarted
from leeboard.model.ledger import Entry, Kind
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import discover
from leeboard.rules.disguised_modification import holds
from leeboard.source.index.symbols import MemorySymbols
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

RULES = tuple(rule for rule in discover() if rule.id == "disguised_modification")

REFUND = """def handle_refund(order, amount):
    if order.state != 'paid':
        raise RefundError('not paid')
    if amount > order.total:
        raise RefundError('too much')
    charge = gateway.refund(order.charge_id, amount)
    order.refunded += amount
    ledger.record(order.id, -amount, charge.reference)
    notify_customer(order.customer, charge)
    return charge
"""
EDGE = REFUND.replace("handle_refund", "handle_refund_edge").replace(
    "    if amount > order.total",
    "    if order.partial:\n        amount = order.open_amount\n    if amount > order.total",
)
OTHER = """def render_refund(order):
    rows = [format_row(item) for item in order.items]
    header = table.header('refund')
    body = '\\n'.join(rows)
    footer = table.footer(sum(item.price for item in order.items))
    return header + body + footer
"""
HALF = """def handle_refund_v2(order, amount):
    if order.state != 'paid':
        raise RefundError('not paid')
    policy = policies.find(order.country)
    window = policy.window(order.created)
    if window.closed:
        return Rejection(window.reason)
    for line in order.lines:
        scheduler.enqueue(line.sku, policy.carrier, amount)
    return Accepted(policy.deadline)
"""
SERVICE = """export class UserService {
  async rename(id, name) {
    const user = await this.users.find(id);
    if (!user) {
      throw new NotFound(`user ${id}`);
    }
    user.name = name.trim();
    await this.users.save(user);
    this.events.emit('renamed', { id, name: user.name });
    return user;
  }
}
"""
GO = """package shop

func PriceOf(cart *Cart, rates Rates) (int, error) {
	total := 0
	for _, line := range cart.Lines {
		rate, ok := rates[line.Region]
		if !ok {
			return 0, fmt.Errorf("no rate for %s", line.Region)
		}
		total += line.Amount * rate.Percent / 100
	}
	if total < 0 {
		return 0, ErrNegative
	}
	return total, nil
}
"""
KNOWN = f"repo shop/refund.py | {REFUND}"


def found(*lines: str) -> list[Finding]:
    store = MemoryStore()
    played = play(lines, store=store, rules=RULES)
    seen = [finding for told in played.told if told.verdict for finding in store.findings(told.verdict.id)]
    assert all(finding.rule == "disguised_modification" for finding in seen), seen
    return seen


def spoken(*lines: str) -> list[Finding]:
    return [finding for finding in found(*lines) if finding.signal and not finding.signal.log_only]


FIRES = {
    "SW-41 file v2": ("@ partial refunds", KNOWN, f"write shop/refund_v2.py | {EDGE}"),
    "file new": ("@ partial refunds", KNOWN, f"write shop/refund_new.py | {EDGE}"),
    "file 2": ("@ partial refunds", KNOWN, f"write shop/refund2.py | {EDGE}"),
    "file improved": ("@ partial refunds", KNOWN, f"write shop/improved_refund.py | {EDGE}"),
    "file close by name": ("@ partial refunds", f"repo shop/refunds.py | {REFUND}", f"write shop/refunder.py | {EDGE}"),
    "SW-43 function with one more case": ("@ partial refunds", KNOWN, f"write shop/partial.py | {EDGE}"),
    "function in the same file": (
        "@ partial refunds",
        KNOWN,
        f"edit shop/refund.py |     return charge => return charge\n\n\n{EDGE}",
    ),
    "function v2": ("@ partial refunds", KNOWN, f"write shop/more.py | {EDGE.replace('_edge', '_v2')}"),
    "function copy": ("@ partial refunds", KNOWN, f"write shop/more.py | {EDGE.replace('_edge', '_copy')}"),
    "javascript": (
        "@ rename users",
        f"repo src/userService.js | {SERVICE}",
        f"write src/userServiceV2.js | {SERVICE.replace('UserService', 'UserServiceV2')}",
    ),
    "typescript": (
        "@ rename users",
        f"repo src/userService.ts | {SERVICE}",
        f"write src/userServiceNew.ts | {SERVICE.replace('name.trim()', 'name')}",
    ),
    "go": (
        "@ prices",
        f"repo shop/price.go | {GO}",
        f"write shop/price_alt.go | {GO.replace('PriceOf', 'PriceOfAlt')}",
    ),
    "SW-42 new version": ("@ partial refunds", KNOWN, "~ I'll create a new version of handle_refund."),
    "SW-42 separate handler": ("@ partial refunds", KNOWN, "~ I'll add a separate handler for refund handling."),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str) -> None:
    assert spoken(*FIRES[name])


SILENT = {
    "another thing": ("@ show refunds", KNOWN, f"write shop/refund_page.py | {OTHER}"),
    "SW-45 versioned tree": ("@ api v2", f"repo api/v1/refund.py | {REFUND}", f"write api/v2/refund_v2.py | {EDGE}"),
    "asked for": ("@ add a separate handler for the refund edge case", KNOWN, f"write shop/partial.py | {EDGE}"),
    "asked for in words": (
        "@ create a second version of refund",
        KNOWN,
        "~ I'll create a new version of handle_refund.",
    ),
    "test": ("@ test it", KNOWN, f"write tests/test_refund_v2.py | {EDGE}"),
    "story": ("@ show it", KNOWN, f"write shop/refund.stories.js | {SERVICE}"),
    "platform": ("@ port", f"repo shop/print_linux.py | {REFUND}", f"write shop/print_windows.py | {EDGE}"),
    "migration": ("@ migrate", KNOWN, f"write shop/migrations/0002_refund_v2.py | {EDGE}"),
    "split": (
        "@ split the file",
        KNOWN,
        f"edit shop/refund.py | {REFUND} => from shop.refund_core import handle_refund",
        f"write shop/refund_core.py | {REFUND}",
    ),
    "another folder": ("@ add", KNOWN, f"write mail/refund_v2.py | {OTHER}"),
    "cover below": ("@ add", KNOWN, f"write shop/window.py | {HALF}"),
    "no index": ("@ add", f"write shop/refund_v2.py | {EDGE}"),
    "changed in place": (
        "@ add",
        KNOWN,
        "edit shop/refund.py | order.refunded += amount => order.refunded += abs(amount)",
    ),
    "a plan for something new": ("@ add", KNOWN, "~ I'll create a new version of the invoice printer."),
    "generated": ("@ add", KNOWN, f"write shop/generated/refund_v2.py | {EDGE}"),
}


@pytest.mark.parametrize("name", SILENT)
def test_stays_silent(name: str) -> None:
    assert not spoken(*SILENT[name])


def test_little_cover_is_logged() -> None:
    """SW-46: below 0.70."""
    signals = [finding.signal for finding in found("@ add", KNOWN, f"write shop/window.py | {HALF}") if finding.signal]
    assert [(signal.log_only, signal.floor) for signal in signals] == [("existing code covers under 70 %", 0.0)]


def test_weighs() -> None:
    """SW-47, SW-48: rework 3; 0.7 once both exist, 0.5 while it is a plan; floor 2.0 with cover."""
    written = spoken("@ partial refunds", KNOWN, f"write shop/refund_v2.py | {EDGE}")[-1].signal
    planned = spoken("@ partial refunds", KNOWN, "~ I'll create a new version of handle_refund.")[-1].signal
    assert written is not None
    assert planned is not None
    assert (written.rework_cost, written.self_correct_prob, written.floor, written.stage) == (3, 0.7, 2.0, "DIFF")
    assert (planned.rework_cost, planned.self_correct_prob, planned.floor, planned.stage) == (3, 0.5, 0.0, "PLAN")


@pytest.mark.parametrize("name", FIRES)
def test_messages_are_short(name: str) -> None:
    for finding in spoken(*FIRES[name]):
        assert len(finding.message.split()) < 40


class NoRows:
    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(Entry(kind=kind, key=key, turn=0) for key in keys)[:0]

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return (Entry(kind=kind, key="", turn=0),)[:0] if limit else ()


WORLD = World(
    session=Session(id="s"),
    agent=AgentState(),
    analysis=Analysis(event=SessionStarted(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)
STANDS = (
    ({"shop/refund.py": REFUND, "shop/refund_v2.py": EDGE}, True),
    ({"shop/refund.py": REFUND}, False),
    ({"shop/refund.py": REFUND, "shop/refund_v2.py": "from shop.refund import handle_refund\n"}, False),
)


@pytest.mark.parametrize(("files", "stands"), STANDS)
def test_holds_while_both_are_there(files: dict[str, str], stands: bool) -> None:  # noqa: FBT001 - a column
    finding = spoken("@ partial refunds", KNOWN, f"write shop/refund_v2.py | {EDGE}")[-1]
    known = RecordedFiles(lambda path, _cwd: path, files)
    assert holds(finding, WORLD, NoRows(), MemorySymbols(files), known) is stands


def test_words_are_not_repeated_later() -> None:
    finding = spoken("@ partial refunds", KNOWN, "~ I'll create a new version of handle_refund.")[-1]
    assert not holds(finding, WORLD, NoRows(), None, RecordedFiles(lambda path, _cwd: path, {}))


RENAMED_EDGE = EDGE.replace("handle_refund_edge", "pay_back_partly")
RENAMES = (
    ({"shop/refund.py": REFUND, "shop/partial.py": EDGE}, True),
    ({"shop/refund.py": REFUND, "shop/partial.py": EDGE.replace("_edge", "_special")}, True),
    ({"shop/refund.py": REFUND, "shop/partial.py": RENAMED_EDGE}, True),
    ({"shop/refund.py": REFUND, "shop/partial.py": OTHER}, False),
    ({"shop/refund.py": OTHER, "shop/partial.py": RENAMED_EDGE}, False),
)


@pytest.mark.parametrize(("files", "stands"), RENAMES)
def test_renaming_the_second_version_repairs_nothing(files: dict[str, str], stands: bool) -> None:  # noqa: FBT001 - as above
    finding = spoken("@ partial refunds", KNOWN, f"write shop/partial.py | {EDGE}")[-1]
    known = RecordedFiles(lambda path, _cwd: path, files)
    assert holds(finding, WORLD, NoRows(), MemorySymbols(files), known) is stands
