from __future__ import annotations

from tools._clones_peer import Peer, normal, runs

ONE = 'def a(x):\n    """Doc."""\n    y = x + 1  # why\n    return print(y, "text")\n'
TWO = "def b(other):\n    z = other + 5\n    return print(z, 'word')\n"
THREE = "class A:\n    while True:\n        break\n"


def test_names_values_and_comments_do_not_count() -> None:
    assert normal(ONE, "python") == normal(TWO, "python")
    assert normal("let a = 1; // b", "javascript") == normal('let c = "d";', "javascript")


def test_shares() -> None:
    peer = Peer([(ONE, "python"), (THREE, "python")])
    assert peer.share(0, TWO, "python") == 1.0
    assert peer.shares(TWO, "python", -1) == {0: 1.0}
    assert peer.shares(ONE, "python", 0) == {}


def test_a_short_text_has_a_run() -> None:
    assert len(runs("a b", "python")) == 1
