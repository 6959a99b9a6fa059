"""Hashes of statements: the order does not matter, own names do not either."""

from __future__ import annotations

from leeboard.source.code_features import anchors_and_flow, anchors_of, shingles, tells
from leeboard.source.statements import body_of, statements


def anchored(text: str) -> set[int]:
    body = body_of(text, "python")
    return set(anchors_and_flow(list(statements(body, "python")), body.head)[0])


def flow(text: str) -> list[str]:
    body = body_of(text, "python")
    return anchors_and_flow(list(statements(body, "python")), body.head)[1].split("\n")


def test_order_of_statements_does_not_matter() -> None:
    assert shingles(["v=f(v)", "v.m(v,n)"]) == shingles(["v.m(v,n)", "v=f(v)"])


def test_no_run_reaches_over_two_statements() -> None:
    assert set(shingles(["abcd", "efgh"])) == set(shingles(["abcd"])) | set(shingles(["efgh"]))


def test_repeats_count() -> None:
    assert len(shingles(["v=f(v)"] * 3)) > len(shingles(["v=f(v)"]))
    assert shingles(["v=f(v)"] * 9) == shingles(["v=f(v)"] * 4)
    assert shingles([]) == ()


def test_whole_statements_are_odd() -> None:
    assert sum(item & 1 for item in shingles(["v=f(v,v)"])) == 1
    assert not any(item & 1 for item in shingles(["v=v"]))


def test_names_of_loops_blocks_and_inner_functions_are_its_own() -> None:
    text = (
        "def f(rows):\n    for {0}, x in rows:\n        {0}(x)\n    with open() as {1}:\n        {1}(2)\n"
        "    done = [{2}(3) for {2} in rows]\n    {3}, y = rows\n    {3}(y)\n    try:\n        act = lambda {4}: {4}(5)\n"
        "    except ValueError as {5}:\n        {5}(6)\n"
    )
    one, other = text.format(*"abcdeg"), text.format("go", "run", "step", "call", "each", "wrong")
    assert flow(one) == flow(other)
    assert anchored(one) == anchored(other)


def test_own_names_are_no_anchors() -> None:
    one = anchored("def f(run):\n    step = load()\n    run(step.rate)\n    step()\n")
    other = anchored("def g(call):\n    part = load()\n    call(part.rate)\n    part()\n")
    assert one == other
    assert len(one) == 2


def test_words_of_texts_are_anchors() -> None:
    assert anchored("def f():\n    g('not enough money')\n") == anchored("def f():\n    g('money, not ' 'enough')\n")


def test_how_much_a_name_tells() -> None:
    assert [tells(name) for name in ("append", "x", "config", "settle_invoice")] == [0, 1, 1, 2]


def test_the_anchors_of_a_token_are_those_a_body_has() -> None:
    body = body_of("def f(a):\n    send(a.order, 'orders are late')\n    return Order(a)\n", "python")
    found = set(anchors_and_flow(list(statements(body, "python")), body.head)[0])
    for token in ("send", "order", "Order", "'orders are late'"):
        assert found.issuperset(anchors_of(token))
    assert found.isdisjoint(anchors_of("a"))


def test_a_flow_has_a_line_for_each_statement_and_forgets_own_names() -> None:
    one = flow("def f(run):\n    step = load(1)\n    run(step.rate)\n")
    assert one == flow("def g(call):\n    part = load(2)\n    call(part.rate)\n")
    assert len(one) == 2


def test_a_flow_tells_what_is_called() -> None:
    one, other = (flow(f"def f(a):\n    b = {name}(a)\n    send(b)\n") for name in ("load", "drop"))
    assert one[0] != other[0]
    assert one[1] == other[1]


def test_an_annotation_makes_no_name_the_functions_own() -> None:
    typed = "def f(rows: dict[str, int], *rest: bool, **more) -> str:\n    note(int(rows), bool(rest))\n    return str(more)\n"
    plain = "def f(rows, *rest, **more):\n    note(int(rows), bool(rest))\n    return str(more)\n"
    assert flow(typed) == flow(plain)
    assert anchored(typed) == anchored(plain)
