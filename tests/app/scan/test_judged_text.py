from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.judged_text import content_rules
from leeboard.app.scan.work import Terms
from leeboard.model.verdict import signal_classes
from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def _scanned_for(*ways: str) -> set[str]:
    return {name for name, one in signal_classes().subclasses.items() if one.scan in ways}


def test_the_rules_are_those_that_judge_a_text() -> None:
    assert {rule.traits.subclass for rule in content_rules()} == _scanned_for("text")
    assert {rule.traits.subclass for rule in content_rules(indexed=True)} == _scanned_for("text", "copies")
    assert "weak_crypto" not in {rule.id for rule in content_rules(("weak_crypto",))}


def test_a_file_as_if_just_written(tmp_path: Path) -> None:
    (one,) = scanned(tmp_path, {"login.py": "import hashlib\nh = hashlib.md5(password)\n"})
    (found,) = one.found
    assert (found.rule, found.subclass, found.path, found.line) == ("weak_crypto", "B3", "shown/login.py", 2)
    assert (found.confidence, found.disposition) == (0.9, "QUEUE")


def test_a_rule_that_is_switched_off_says_nothing(tmp_path: Path) -> None:
    (one,) = scanned(tmp_path, {"login.py": "h = hashlib.md5(password)\n"}, Terms(("weak_crypto",)))
    assert one.found == ()


def test_more_than_a_rule_tells_at_once(tmp_path: Path) -> None:
    text = "".join(f"def login{number}(password):\n    return hashlib.md5(password)\n" for number in range(90))
    (one,) = scanned(tmp_path, {"login.py": text})
    assert [found.line for found in one.found if found.rule == "weak_crypto"] == list(range(2, 181, 2))


def test_a_thousand_sinks_in_one_function_are_all_told(tmp_path: Path) -> None:
    """Each of them is followed once, and not again for each twentieth of the file."""
    head = "@app.route('/r')\ndef r():\n    x = request.args['x']\n"
    sinks = "".join(f"    os.system(x + '{number}')\n" for number in range(1_000))
    (one,) = scanned(tmp_path, {"app.py": "import flask\n" + head + sinks})
    assert [found.line for found in one.found if found.rule == "injection"] == list(range(5, 1_005))


def test_all_keys_of_a_file_are_told(tmp_path: Path) -> None:
    keys = "".join(f'api_key{number} = "sk_live_4eC39HqLyjWDarjtT1zd{number:04}"\n' for number in range(200))
    (one,) = scanned(tmp_path, {"keys.py": keys})
    assert [found.line for found in one.found if found.rule == "credential"] == list(range(1, 201))
