from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.file_scan import FileScan, Terms, content_rules, scan
from leeboard.app.scan.target import Target
from leeboard.model.contract import Allowance
from leeboard.model.verdict import signal_classes


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def scanned(folder: Path, files: dict[str, str], terms: Terms | None = None, jobs: int = 1) -> list[FileScan]:
    targets = []
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
        targets.append(Target(f"shown/{name}", str(folder), name))
    return list(scan(tuple(targets), {str(folder): terms or Terms()}, jobs))


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


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("h = hashlib.md5(password)\n", ""),
        ("password = 'changeme'\n", "placeholder"),
        ("etag = hashlib.md5(content)\n", "checksum"),
    ],
)
def test_why_it_is_only_logged(tmp_path: Path, text: str, note: str) -> None:
    (one,) = scanned(tmp_path, {"a.py": f"import hashlib\n{text}"})
    assert [note in found.note and bool(found.note) == bool(note) for found in one.found] == [True]


def test_what_can_not_be_read_is_told(tmp_path: Path) -> None:
    files = {"a.bin": "a\0b", "large.py": "#" * (2 << 20) + "x", "empty.py": ""}
    assert [one.problem for one in scanned(tmp_path, files)] == ["binary", "larger than 2 MB", ""]
    (gone,) = scan((Target("gone.py", str(tmp_path), "gone.py"),), {}, 1)
    assert gone.problem == "unreadable"


def test_what_a_person_allowed_is_left_out_and_counted(tmp_path: Path) -> None:
    terms = Terms((), (Allowance(id="a", rule="weak_crypto", path="old/**"), Allowance(id="b", path="login.py")))
    (one,) = scanned(tmp_path, {"login.py": "h = hashlib.md5(password)\n"}, terms)
    assert (one.found, [item.state for item in one.decided]) == ((), ["allowed"])


def test_a_rule_that_is_switched_off_says_nothing(tmp_path: Path) -> None:
    (one,) = scanned(tmp_path, {"login.py": "h = hashlib.md5(password)\n"}, Terms(("weak_crypto",)))
    assert one.found == ()


def test_more_than_a_rule_tells_at_once(tmp_path: Path) -> None:
    text = "".join(f"def login{number}(password):\n    return hashlib.md5(password)\n" for number in range(90))
    (one,) = scanned(tmp_path, {"login.py": text})
    assert [found.line for found in one.found if found.rule == "weak_crypto"] == list(range(2, 181, 2))


def test_processes_do_not_change_the_order(tmp_path: Path) -> None:
    files = {f"{number}.py": "h = hashlib.md5(password)\n" for number in range(6)}
    alone = scanned(tmp_path, files)
    assert scanned(tmp_path, files, jobs=2) == alone
