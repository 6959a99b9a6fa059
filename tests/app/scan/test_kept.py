from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

import leeboard
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.kept import KeptScans, KeptText, judge_stamp, text_key
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan, Terms
from leeboard.model.contract import Allowance
from leeboard.model.verdict import Finding

WEAK = "import hashlib\nh = hashlib.md5(password)\n"
SECRET = f"xox{'b'}-2314567890-2314567890123-aB3dE5fG7hJ9kL1mN3pQ5rS7"


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))


def scanned(root: Path, *names: str, **terms: object) -> tuple[FileScan, ...]:
    targets = tuple(Target(name, str(root), name) for name in names)
    kept = KeptScans(str(root))
    held = Terms(stamp=judge_stamp(()), **terms)  # type: ignore[arg-type]  # fields of the terms
    found = tuple(scan(targets, {str(root): held}, 1, kept={str(root): kept}))
    kept.save()
    return found


def test_what_is_kept_is_told_again_and_what_changed_is_judged(tmp_path: Path) -> None:
    (tmp_path / "weak.py").write_text(WEAK)
    (tmp_path / "clean.py").write_text("print(1)\n")
    first = scanned(tmp_path, "clean.py", "weak.py")
    assert scanned(tmp_path, "clean.py", "weak.py") == first
    (tmp_path / "clean.py").write_text(WEAK)
    changed, same = scanned(tmp_path, "clean.py", "weak.py")
    assert (len(changed.found), same) == (1, first[1])


def test_the_rules_are_not_asked_about_a_text_they_have_judged(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("print(1)\n")
    scanned(tmp_path, "clean.py")
    stamp = judge_stamp(())
    kept = KeptScans(str(tmp_path))
    assert kept.find(text_key(stamp, "clean.py", "print(1)\n")) == KeptText()
    assert kept.find(text_key(stamp, "other.py", "print(1)\n")) is None
    assert kept.find(text_key(judge_stamp(("weak_crypto",)), "clean.py", "print(1)\n")) is None


@pytest.mark.parametrize("name", ["rules.py", "words.json", "sinks.json.z"])
def test_a_text_is_judged_again_where_a_file_of_the_program_changed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leeboard, "__file__", str(tmp_path / "leeboard" / "__init__.py"))
    changing = tmp_path / "leeboard" / name
    changing.parent.mkdir()
    changing.write_bytes(b"1")
    before = judge_stamp(())
    changing.write_bytes(b"22")
    assert judge_stamp(()) not in {before, b""}


def test_what_people_decide_counts_at_once(tmp_path: Path) -> None:
    (tmp_path / "weak.py").write_text(WEAK)
    (open_still,) = scanned(tmp_path, "weak.py")
    allowance = Allowance(id="a", rule="weak_crypto", reason="old data")
    (allowed,) = scanned(tmp_path, "weak.py", allowances=(allowance,))
    assert (len(open_still.found), len(allowed.found), len(allowed.decided)) == (1, 0, 1)


def test_an_environment_file_is_judged_each_time(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"SLACK_TOKEN={SECRET}\n")
    (found,) = scanned(tmp_path, ".env")
    assert found.found
    assert KeptScans(str(tmp_path)).find(text_key(judge_stamp(()), ".env", f"SLACK_TOKEN={SECRET}\n")) is None


def test_no_secret_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f'TOKEN = "{SECRET}"\n')
    (found,) = scanned(tmp_path, "a.py")
    assert found.found
    (file,) = (tmp_path / "cache" / "scan").iterdir()
    assert SECRET.encode() not in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "content", [b"", b"\xc1", b"\x81\xc4\x01a\xc0", b"\x81\xc4\x01a" + b"\x91" * 100_000, os.urandom(200)]
)
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "weak.py").write_text(WEAK)
    first = scanned(tmp_path, "weak.py")
    (file,) = (tmp_path / "cache" / "scan").iterdir()
    file.write_bytes(content)
    assert scanned(tmp_path, "weak.py") == first


def test_where_nothing_can_be_written_all_is_judged(tmp_path: Path) -> None:
    (tmp_path / "weak.py").write_text(WEAK)
    (tmp_path / "cache").write_text("no folder")
    assert [len(one.found) for one in (*scanned(tmp_path, "weak.py"), *scanned(tmp_path, "weak.py"))] == [1, 1]


def test_too_many_leave_those_that_were_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leeboard.app.scan.kept.MOST", 1)
    old, new = KeptScans("/repo"), KeptText((Finding(rule="a", subject="b", evidence=()),))
    old.add(b"old", KeptText())
    old.save()
    later = KeptScans("/repo")
    later.add(b"new", new)
    later.save()
    last = KeptScans("/repo")
    assert (last.find(b"old"), last.find(b"new")) == (None, new)


def kept_file(folder: Path) -> Path:
    (file,) = (folder / "cache" / "scan").iterdir()
    return file


def test_findings_that_somebody_took_out_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "weak.py").write_text(WEAK)
    (tmp_path / "clean.py").write_text("print(1)\n")
    first = scanned(tmp_path, "clean.py", "weak.py")
    sealed = msgspec.msgpack.decode(kept_file(tmp_path).read_bytes(), type=dict[bytes, bytes])
    clean = text_key(judge_stamp(()), "clean.py", "print(1)\n")
    for changed in (b"", msgspec.msgpack.encode(KeptText()), sealed[clean]):
        kept_file(tmp_path).write_bytes(msgspec.msgpack.encode(dict.fromkeys(sealed, changed)))
        assert scanned(tmp_path, "clean.py", "weak.py") == first


def test_a_file_whose_name_is_no_text_is_judged_each_time(tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xff.py")
    (tmp_path / name).write_text(WEAK)
    (tmp_path / "weak.py").write_text(WEAK)
    first = scanned(tmp_path, name, "weak.py")
    assert [len(one.found) for one in first] == [1, 1]
    assert scanned(tmp_path, name, "weak.py") == first


def test_without_a_key_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    kept = KeptScans(str(tmp_path))
    kept.add(b"a", KeptText())
    kept.save()
    assert KeptScans(str(tmp_path)).find(b"a") is None
