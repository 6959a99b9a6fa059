from __future__ import annotations

import pytest

from leeboard.model.verdict import Finding
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

NAMED = "@ fix the KeyError in src/cart.py"
SEEN = "$! python shop.py -> src/cart.py, line 2\nKeyError: 'price'"
HIDES = "write src/cart.py | def price(row):\n    try:\n        return row['price']\n    except Exception:\n        return 0\n"
DROPS = "write src/cart.py | def price(row):\n    try:\n        show(row)\n    except Exception:\n        pass\n"
SCRIPT = "write src/cart.js | function price(row) {\n  try { return row.price } catch (e) { return 0 }\n}\n"
RAISES = "write src/cart.py | def price(row):\n    try:\n        return row['x']\n    except Exception:\n        log()\n        raise\n"


def spoken_of(*lines: str) -> list[Finding]:
    store = MemoryStore()
    told = play(("repo src/cart.py | def price(row):\n    return row['price']\n", *lines), store=store).told
    verdicts = [one.verdict for one in told if one.verdict is not None]
    every = [finding for verdict in verdicts for finding in store.findings(verdict.id)]
    return [one for one in every if one.rule == "swallowed_failure" and one.signal and not one.signal.log_only]


@pytest.mark.parametrize(
    "lines",
    [
        (NAMED, HIDES),
        (NAMED, DROPS),
        ("@ the shop is down", SEEN, HIDES),
        ("@ TypeError in cart.js when the row is empty", SCRIPT),
    ],
)
def test_what_hides_the_error(lines: tuple[str, ...]) -> None:
    (finding,) = spoken_of(*lines)
    assert "hides" in finding.message
    assert finding.path.startswith("src/cart")


@pytest.mark.parametrize(
    "lines",
    [
        ("@ add prices to src/cart.py", HIDES),
        (NAMED, HIDES.replace("Exception", "KeyError")),
        (NAMED, RAISES),
        (NAMED, HIDES.replace("src/cart.py", "src/other.py")),
        (NAMED, HIDES.replace("src/cart.py", "tests/test_cart.py")),
        ("@ ignore the KeyError in src/cart.py", HIDES),
        ("@ handle every error in src/cart.py and the KeyError too", HIDES),
        ("@ the shop is slow", SEEN.replace("cart", "shop"), HIDES),
    ],
)
def test_what_does_not(lines: tuple[str, ...]) -> None:
    assert spoken_of(*lines) == []
