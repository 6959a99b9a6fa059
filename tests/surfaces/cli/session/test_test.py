"""What would be thought of a command or a file: the same as the hook would answer, and nothing is kept."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def kept(desk: Desk) -> dict[str, str]:
    """Every session, verdict and receipt there is, by the report of the store."""
    (report,) = desk.ok("report", "--json").objects
    (status,) = desk.run("status", "--json").objects
    status["last_heard"]["seconds_ago"] = 0
    text = json.dumps((report, status["session"], status["last_heard"]), sort_keys=True)
    return {"report": hashlib.sha256(text.encode()).hexdigest()}


def test_a_harmless_line_passes(drifted: Desk) -> None:
    ran = drifted.run("test", "ls -la")
    assert ran.code == 0
    assert "would pass: no rule has anything to say" in ran.out


def test_a_key_would_be_refused_and_is_not_shown(drifted: Desk, tmp_path: Path) -> None:
    draft = tmp_path / "draft.py"
    draft.write_text(f'STRIPE_API_KEY = "{live_key(1)}"\n')
    ran = drifted.run("test", "--file", "src/pay.py", "--content", str(draft))
    assert ran.code == 1
    assert "would be refused" in ran.out
    assert "credential LB-B101" in ran.out
    assert live_key(1) not in ran.out
    by_stdin = drifted.run("test", "--file", "src/pay.py", "--content", "-", stdin=draft.read_bytes())
    assert by_stdin.out == ran.out
    assert not (drifted.repo / "src/pay.py").exists()


def test_what_leads_away_from_the_goal_of_the_newest_session_would_be_said(drifted: Desk, tmp_path: Path) -> None:
    draft = tmp_path / "theme.css"
    draft.write_text("a { color: red }\n")
    ran = drifted.run("test", "--json", "--file", "src/styles/colours.css", "--content", str(draft))
    assert ran.code == 10
    (found,) = ran.objects
    assert found["verdict"] == "said"
    assert found["session"] == "session-1"
    assert {one["rule"] for one in found["findings"]} >= {"scope_drift", "tangent"}
    assert found["score"] < 8


def test_a_goal_can_be_supposed(desk: Desk) -> None:
    ran = desk.run("test", "--json", "--goal", "fix the login in src/login.py. Never push.", "git push origin main")
    (found,) = ran.objects
    assert found["session"] is None
    assert "broken_constraint" in {one["rule"] for one in found["findings"]}
    assert ran.code in {1, 10}
    other = desk.run("test", "--goal", "fix the login in src/login.py", "git push origin main")
    assert "broken_constraint" not in other.out


def test_a_weakness_that_is_only_looked_for_after_writing_is_foreseen_too(desk: Desk, tmp_path: Path) -> None:
    draft = tmp_path / "login.py"
    draft.write_text(
        "import hashlib\n\n\ndef store(password):\n    return hashlib.md5(password.encode()).hexdigest()\n"
    )
    ran = desk.run(
        "test", "--json", "--goal", "add a login in src/login.py", "--file", "src/login.py", "--content", str(draft)
    )
    (found,) = ran.objects
    assert "weak_crypto" in {one["rule"] for one in found["findings"]}


def test_nothing_is_kept(drifted: Desk) -> None:
    before = kept(drifted)
    for line in ("ls", "rm -rf src", "git push --force"):
        drifted.run("test", line)
    assert kept(drifted) == before


def test_where_nothing_was_ever_recorded_no_store_is_made(desk: Desk) -> None:
    assert desk.run("test", "ls").code == 0
    assert not (desk.state / "leeboard.db").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ((), "give one thing to judge"),
        (("ls", "--file", "a.py"), "give one thing to judge"),
        (("ls", "--content", "-"), "--content goes with --file"),
        (("--file", "nowhere.py"), "can not be read"),
        (("ls", "--session", "zzz"), "no session starts with"),
    ],
)
def test_wrong_use_says_what_is_right(drifted: Desk, line: tuple[str, ...], told: str) -> None:
    ran = drifted.run("test", *line)
    assert ran.code == 2
    assert told in ran.err


def test_a_word_that_is_a_file_is_judged_as_one(desk: Desk) -> None:
    (desk.repo / "pay.py").write_text(f'STRIPE_API_KEY = "{live_key(1)}"\n')
    told = desk.run("test", "pay.py")
    assert told.code == 1
    assert told.out == desk.run("test", "--file", "pay.py").out
    (desk.repo / "run.sh").write_text("echo x\n", encoding="utf-8")
    (desk.repo / "run.sh").chmod(0o755)
    assert "would pass" in desk.run("test", "run.sh").out
