"""The names in what a call writes, path by path."""

from __future__ import annotations

from leeboard.analysis.ties.wording import CallWording, names_in, wording_of
from leeboard.model.event import PromptGiven, TextEdit, ToolCall, ToolProposed
from leeboard.model.workspace import Workspace

PLACE = Workspace("/home/dev/shop")


def wording(command: str = "", *edits: TextEdit) -> CallWording:
    if edits:
        call = ToolCall(id="t", tool="Edit", action="edit", paths=("a.py",), edits=edits)
    else:
        call = ToolCall(id="t", tool="Bash", action="bash", command=command)
    return wording_of(ToolProposed(session="s", cwd=PLACE.root, call=call), PLACE)


def test_names_come_in_order_without_what_stands_everywhere() -> None:
    assert names_in("return basketTotal + _price_of(x) + basketTotal") == ("baskettotal", "price_of")


def test_words_of_names_are_those_of_the_ledger() -> None:
    assert wording("", TextEdit("", "basketTotals = voucher_code")).parts == ("basket", "total", "voucher", "code")


def test_a_shell_line_is_about_what_it_writes_and_not_about_where() -> None:
    told = wording("cat >> src/checkout/basket.py <<'EOF'\nvoucher = discount_for(customer)\nEOF")
    assert told.of("src/checkout/basket.py").names == ("voucher", "discount_for", "customer")
    assert wording("sed -i 's/voucher/discount/' src/checkout/basket.py").of("src/checkout/basket.py").names == (
        "voucher",
        "discount",
    )


def test_what_one_file_is_given_does_not_speak_for_another() -> None:
    told = wording("cat > src/a.py <<'EOF'\nvoucher\nEOF\nsed -i s/colour/gutter/ src/b.py")
    assert told.of("src/a.py").names == ("voucher",)
    assert told.of("src/b.py").names == ("colour", "gutter")
    assert told.parts == ("colour", "gutter", "voucher")


def test_a_removal_says_nothing() -> None:
    told = wording("rm -rf src/checkout")
    assert told.of("src/checkout").names == ()
    assert told.in_place == {"src/checkout"}


def test_what_is_no_call_has_no_words() -> None:
    assert wording_of(PromptGiven(session="s", text="voucher"), PLACE) == CallWording()
