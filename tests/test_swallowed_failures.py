"""Handlers that hide the error the work is about, through the real hook in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checked_work import Step, said_by

FILES = {
    "src/cart.py": "def price(row):\n    return row['price']\n",
    "src/cart.js": "export function price(row) {\n  return row.price.value;\n}\n",
    "Cart.java": "class Cart {\n  int price(Row row) {\n    return row.price();\n  }\n}\n",
}
NAMED: Step = ("say", "find out about the KeyError in src/cart.py")
SEEN: Step = ("run", "python shop.py", "1", "File src/cart.py, line 2\nKeyError: 'price'")


def python(handler: str) -> Step:
    tried = f"    try:\n        return row['price']\n    {handler}"
    return ("edit", "src/cart.py", "    return row['price']", tried)


SPOKEN: dict[str, tuple[Step, ...]] = {
    "a default": (NAMED, python("except Exception:\n        return 0")),
    "dropped": (NAMED, python("except Exception:\n        pass")),
    "every error": (NAMED, python("except:\n        return None")),
    "an error that was seen": (("say", "the shop is down"), SEEN, python("except Exception:\n        return 0")),
    "in JavaScript": (
        ("say", "there is a TypeError in src/cart.js"),
        (
            "edit",
            "src/cart.js",
            "  return row.price.value;",
            "  try { return row.price.value; } catch (e) { return 0; }",
        ),
    ),
    "in Java": (
        ("say", "there is a NullPointerException in Cart.java"),
        ("edit", "Cart.java", "return row.price();", "try { return row.price(); } catch (Exception e) { return 0; }"),
    ),
}
SILENT: dict[str, tuple[Step, ...]] = {
    "a special error": (NAMED, python("except KeyError:\n        return 0")),
    "handed on": (NAMED, python("except Exception as error:\n        raise ValueError(row) from error")),
    "no error in sight": (("say", "add prices to src/cart.py"), python("except Exception:\n        return 0")),
    "asked for": (("say", "ignore the KeyError in src/cart.py"), python("except Exception:\n        return 0")),
    "another file": (
        NAMED,
        ("write", "src/other.py", "def f():\n    try:\n        g()\n    except Exception:\n        pass\n"),
    ),
    "a test": (
        NAMED,
        ("write", "tests/test_a.py", "def test_a():\n    try:\n        g()\n    except Exception:\n        pass\n"),
    ),
    "a cure": (NAMED, ("edit", "src/cart.py", "row['price']", "row.get('price', row['cost'])")),
    "taken back": (
        NAMED,
        python("except Exception:\n        return 0"),
        ("write", "src/cart.py", FILES["src/cart.py"]),
    ),
}


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


@pytest.mark.parametrize("name", SPOKEN)
def test_what_is_said(name: str, tmp_path: Path) -> None:
    (words,) = said_by("LB-V501", tmp_path, FILES, (*SPOKEN[name], ("stop", "That is what I did.")))
    assert "instead of curing it" in words


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_said(name: str, tmp_path: Path) -> None:
    assert said_by("LB-V501", tmp_path, FILES, (*SILENT[name], ("stop", "That is what I did."))) == []
