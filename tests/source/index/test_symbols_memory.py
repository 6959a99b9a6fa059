from __future__ import annotations

from leeboard.model.symbol import Symbols
from leeboard.source.index.extract import name_words
from leeboard.source.index.symbols import MemorySymbols

BODY = """(orders, rate):
    total = 0
    for order in orders:
        if order.paid:
            total += charge(order.amount, rate)
        else:
            remind(order.customer, "unpaid invoice")
    audit.write("totals", total, rate)
    return total
"""
FILES = {
    "app/billing.py": f"def sum_invoices{BODY}",
    "app/copy.py": f"import os\n\ndef add_up{BODY}",
    "app/web.py": "from app.billing import sum_invoices\n\nclass WebPage:\n    pass\n",
    "AGENTS.md": "Use httpx, not requests.",
}


def test_it_answers_as_an_index_does() -> None:
    symbols: Symbols = MemorySymbols(FILES)
    assert symbols.complete
    assert [(item.name, item.kind, item.path) for item in symbols.named(name_words("billing"))] == [
        ("billing.py", "file", "app/billing.py")
    ]
    assert [(item.name, item.line) for item in symbols.named(name_words("web_page"))] == [("web.py", 0), ("WebPage", 3)]
    assert symbols.importers("app/billing.py") == ("app/web.py",)
    assert symbols.imports("app/copy.py") == ("os",)
    assert symbols.imports("app/none.py") == ()
    assert [habit.usual for habit in symbols.habits()] == ["httpx"]


def test_copies_are_found() -> None:
    symbols = MemorySymbols(FILES)
    (known,) = symbols.of_file("app/billing.py")
    assert [item.symbol.name for item in symbols.like(known.fingerprint)] == ["sum_invoices", "add_up"]


def test_nothing_is_known_of_nothing() -> None:
    symbols = MemorySymbols({"a.py": "\0\0", "b": "", "c.ts": "class {{{"})
    assert symbols.named({"a"}) == () or symbols.named({"a"})[0].kind == "file"
    assert symbols.habits() == ()
    assert symbols.of_file("b") == ()
