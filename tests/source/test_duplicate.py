"""Twins of a new function in the index and in the session; whether anybody looked for them."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.app.replay import RecordedFiles
from leeboard.model.ledger import Entry, Kind
from leeboard.model.touch import Diff
from leeboard.source.duplicate import Neighbourhood, built_symbol, looked_for, namesake, symbol_of, twins
from leeboard.source.fingerprint import pack
from leeboard.source.index.symbols import MemorySymbols
from leeboard.source.new_code import NewFunction, new_functions

PRICE = """def price_of(cart, rates):
    total = 0
    for line in cart.lines:
        rate = rates.find(line.region)
        if rate is None:
            raise NoRate(line.region)
        total += line.amount * rate.percent / 100
    return round(total)
"""
COPY = (
    PRICE.replace("price_of", "sum_up")
    .replace("cart", "order")
    .replace("total", "result")
    .replace("line", "entry")
    .replace("entrys", "lines")
    .replace("entry.", "entry.")
)
OTHER = """def price_of(shares, day):
    history = shares.quotes(day)
    while history.empty():
        day = day.before()
        history = shares.quotes(day)
    last = history.closing()
    return Quote(last.value, last.currency)
"""


class Rows:
    """A registry of rows in memory, newest first."""

    def __init__(self, *entries: Entry) -> None:
        self.entries = entries

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = set(keys)
        return tuple(entry for entry in self.entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)[:limit]


def new(text: str, path: str) -> NewFunction:
    return new_functions(Diff(path=path, before="", after=text, added=((1, text.count("\n")),)))[0]


def built(text: str, path: str, call: str = "c1", turn: int = 1) -> Entry:
    one = new(text, path)
    return Entry(
        kind="built",
        key=one.name.lower(),
        path=path,
        line=1,
        amount=one.end,
        turn=turn,
        call=call,
        data=pack(one.fingerprint),
    )


def around(files: dict[str, str], *entries: Entry, indexed: bool = True, call: str = "now") -> Neighbourhood:
    return Neighbourhood(
        Rows(*entries), MemorySymbols(files) if indexed else None, RecordedFiles(lambda path, _cwd: path, files), call
    )


def test_twin_of_the_index() -> None:
    found = twins(new(COPY, "web/order.py"), around({"shop/price.py": PRICE, "web/order.py": COPY}))
    assert [(twin.symbol.path, twin.symbol.name, twin.in_session) for twin in found] == [
        ("shop/price.py", "price_of", False)
    ]


def test_twin_of_the_session() -> None:
    row = built(PRICE, "shop/price.py")
    found = twins(new(COPY, "web/order.py"), around({"shop/price.py": PRICE, "web/order.py": COPY}, row, indexed=False))
    assert [(twin.symbol.name, twin.in_session) for twin in found] == [("price_of", True)]
    assert built_symbol(row).name == "price_of"


def test_no_twin_that_is_gone() -> None:
    row = built(PRICE, "shop/price.py")
    assert twins(new(COPY, "web/order.py"), around({"shop/price.py": "X = 1\n"}, row)) == ()
    assert twins(new(COPY, "web/order.py"), around({"web/order.py": COPY}, row, indexed=False)) == ()


def test_no_twin_of_the_same_call() -> None:
    row = built(PRICE, "shop/price.py", call="now")
    assert twins(new(COPY, "web/order.py"), around({"shop/price.py": PRICE}, row)) == ()


def test_no_twin_with_a_good_reason() -> None:
    assert twins(new(COPY, "tests/test_order.py"), around({"shop/price.py": PRICE})) == ()


def test_namesake() -> None:
    surroundings = around({"shop/price.py": PRICE})
    found = namesake(new(OTHER, "bank/quote.py"), surroundings)
    assert found is not None
    assert found.path == "shop/price.py"
    assert namesake(new(OTHER, "shop/price.py"), surroundings) is None
    assert namesake(new(OTHER, "bank/quote.py"), around({}, indexed=False)) is None


def test_looked_for() -> None:
    rows = Rows(
        Entry(kind="fetched", key="grep  rate_limit", turn=12),
        Entry(kind="read", key="shop/price.py", path="shop/price.py", turn=3),
    )
    assert looked_for(("limit",), (), rows, 14) == "grep  rate_limit"
    assert looked_for((), ("shop/price.py",), rows, 13) == "shop/price.py"
    assert looked_for((), ("shop/price.py",), rows, 14) == ""
    assert looked_for(("invoic",), (), rows, 14) == ""


def test_symbol_of() -> None:
    assert symbol_of(new(PRICE, "a.py")).kind == "function"
