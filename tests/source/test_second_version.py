"""What a new unit is a second version of, and the share the first one covers."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.app.replay import RecordedFiles
from leeboard.model.ledger import Entry, Kind
from leeboard.model.touch import Diff
from leeboard.source.duplicate import Neighbourhood
from leeboard.source.index.symbols import MemorySymbols
from leeboard.source.new_code import NewFunction, new_functions
from leeboard.source.second_version import COVERED, covered_file, covered_function

REFUND = """def handle_refund(order, amount):
    if order.state != 'paid':
        raise RefundError('not paid')
    charge = gateway.refund(order.charge_id, amount)
    order.refunded += amount
    ledger.record(order.id, -amount, charge.reference)
    return charge
"""
EDGE = REFUND.replace("handle_refund", "handle_refund_edge").replace(
    "    charge =", "    if order.partial:\n        amount = 1\n    charge ="
)
OTHER = """def handle_refund_mail(customer, mails):
    text = templates.render('refund', name=customer.name)
    for address in customer.addresses:
        if address.verified:
            mails.send(address.value, text, subject='refund')
    return len(customer.addresses)
"""


class NoRows:
    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(Entry(kind=kind, key=key, turn=0) for key in keys)[:0]

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return (Entry(kind=kind, key="", turn=0),)[:0] if limit else ()


def functions(text: str, path: str) -> tuple[NewFunction, ...]:
    return new_functions(Diff(path=path, before="", after=text, added=((1, text.count("\n")),)))


def around(files: dict[str, str], now: dict[str, str] | None = None) -> Neighbourhood:
    return Neighbourhood(NoRows(), MemorySymbols(files), RecordedFiles(lambda path, _cwd: path, now or files), "now")


def test_file_and_its_second_version() -> None:
    found = covered_file("shop/refund_v2.py", functions(EDGE, "shop/refund_v2.py"), around({"shop/refund.py": REFUND}))
    assert found is not None
    assert found.old.path == "shop/refund.py"
    assert found.named
    assert found.share >= COVERED


def test_only_in_the_same_folder() -> None:
    assert (
        covered_file("mail/refund_v2.py", functions(EDGE, "mail/refund_v2.py"), around({"shop/refund.py": REFUND}))
        is None
    )


def test_split_file_covers_nothing() -> None:
    left = {"shop/refund.py": "from shop.refund_core import handle_refund\n"}
    assert (
        covered_file(
            "shop/refund_core.py", functions(REFUND, "shop/refund_core.py"), around({"shop/refund.py": REFUND}, left)
        )
        is None
    )


def test_function_and_its_second_version() -> None:
    found = covered_function(functions(EDGE, "shop/partial.py")[0], around({"shop/refund.py": REFUND}))
    assert found is not None
    assert found.share >= COVERED
    assert not found.named


def test_little_cover() -> None:
    found = covered_function(functions(OTHER, "shop/mail.py")[0], around({"shop/refund.py": REFUND}))
    assert found is not None
    assert found.share < COVERED


def test_nothing_to_cover() -> None:
    assert covered_file("a.py", (), around({})) is None
    bare = Neighbourhood(NoRows(), None, RecordedFiles(lambda path, _cwd: path, {}), "now")
    assert covered_file("a_v2.py", functions(EDGE, "a_v2.py"), bare) is None
    assert covered_function(functions(EDGE, "a_v2.py")[0], bare) is None
