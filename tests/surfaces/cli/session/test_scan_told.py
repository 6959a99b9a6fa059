"""What a person reads of a scan: nothing passes for clean that nobody looked at, and each thing is said once."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

COMMIT = ("commit", "-qm", "start", "--allow-empty")
WEAK = "import hashlib\nh = hashlib.md5(password)\n"
PAGE = "<html>\n<script>\nbox.innerHTML = location.hash.slice(1);\n</script>\n</html>\n"
IDLE = "# leeboard: allow LB-B301 an old protocol\ndef f(password):\n    x = 1\n    return hashlib.md5(password)\n"
EXPRESS = (
    'const { spawn, execFile } = require("child_process");\nconst app = require("express")();\n'
    'app.post("/a", (req, res) => { spawn("sh", ["-c", req.body.cmd]); });\n'
    'app.post("/b", (req, res) => { execFile("bash", ["-c", `ls ${req.body.dir}`]); });\n'
    "app.get(\"/c\", async (req, res) => { await pool.query(`select '${req.query.name}'`); });\n"
)
ALCHEMY = (
    "import sqlalchemy as sa\nfrom flask import request\ndef ask(c):\n"
    "    c.execute(sa.text(f\"select * from t where n = '{request.args['n']}'\"))\n"
)


def start(desk: Desk) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.example", *COMMIT], cwd=desk.repo, check=True)


def test_what_nobody_followed_is_counted_by_kind(desk: Desk) -> None:
    for name, text in (("page.html", PAGE), ("run.sh", 'eval "$1"\n'), ("README.md", "# Hi\n"), ("empty.css", "")):
        (desk.repo / name).write_text(text)
    ran = desk.run("scan", "page.html", "run.sh", "README.md", "empty.css")
    assert "page.html:3 injection" in ran.out
    assert "2 files not analysed for injections: 1 .md, 1 .sh\n" in ran.out
    ran = desk.run("scan", "run.sh", "README.md", "--sarif")
    (run,) = json.loads(ran.out)["runs"]
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes == ["2 files not analysed for injections: 1 .md, 1 .sh"]
    assert "not analysed for injections" in desk.run("scan", "run.sh", "--json").err


def test_shells_and_queries_of_a_server_name_what_the_request_brings(desk: Desk) -> None:
    (desk.repo / "server.js").write_text(EXPRESS)
    told = [found["message"] for found in desk.run("scan", "server.js", "--json").objects]
    sources = ["req.body.cmd (line 3)", "req.body.dir (line 4)", "req.query.name (line 5)"]
    assert [text.partition(" from ")[2].partition(" reaches")[0] for text in told] == sources


@pytest.mark.parametrize("line", [3, 4])
def test_the_same_is_refused_when_a_shell_line_writes_it(desk: Desk, line: int) -> None:
    lines = EXPRESS.splitlines()
    text = "\n".join((*lines[:2], lines[line - 1]))
    payload = {
        "session_id": "s1",
        "transcript_path": str(desk.home / "none.jsonl"),
        "cwd": str(desk.repo),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": f"cat > server.js <<'EOF'\n{text}\nEOF\n"},
        "tool_use_id": "t1",
    }
    (answer,) = desk.run("hook", stdin=json.dumps(payload).encode()).objects
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_one_line_and_harm_is_one_finding(desk: Desk) -> None:
    (desk.repo / "ask.py").write_text(ALCHEMY)
    (found,) = desk.run("scan", "ask.py", "--json").objects
    assert found["id"] == "injection:ask.py:ask:sql:sa.text"


def test_a_reason_for_only_noting_is_told_once(desk: Desk) -> None:
    (desk.repo / "sum.py").write_text("import hashlib\netag = hashlib.md5(content)\n")
    out = desk.run("scan", "sum.py").out
    assert "only noted: " in out
    assert "Only logged" not in out
    assert "to let one stand" not in out


def test_the_way_out_is_named_and_works(desk: Desk) -> None:
    (desk.repo / "weak.py").write_text(WEAK)
    out = desk.run("scan", "weak.py").out
    assert "to let one stand: a comment on its line" in out
    shown = desk.run("scan", "weak.py", "--verbose").out
    name = shown.partition("id: ")[2].partition("\n")[0]
    assert desk.run("allow", *shlex.split(name), "--reason", "an old protocol").code == 0
    ran = desk.run("scan", "weak.py")
    assert (ran.code, "1 finding left out: allowed by a person" in ran.out) == (0, True)
    ran = desk.run("scan", "weak.py", "--all", "--json")
    assert [(one["state"], one["reason"]) for one in ran.objects] == [("allowed", "an old protocol")]
    assert ran.code == 0


def test_a_comment_that_lets_nothing_stand_says_where_it_has_to_be(desk: Desk) -> None:
    why = "there is no weak_crypto LB-B301 on line 2; it has to stand on a finding's line or right above it (here: line 5)"
    start(desk)
    (desk.repo / "old.py").write_text(IDLE.replace("    x = 1\n", "    x = 1\n    y = 2\n"))
    assert f"old.py:1: this comment has no effect: {why}" in desk.run("scan", "old.py").out
    told = f"ine 1 in old.py has a new comment that lets nothing stand: {why}."
    assert f"L{told}" in desk.run("scan", "--diff", "HEAD").out
    assert f"l{told}" in desk.run("check").out


def test_a_new_baseline_is_one_finding_and_paths_keep_their_letters(desk: Desk) -> None:
    start(desk)
    for name in ("a.py", "b.py"):
        (desk.repo / name).write_text(WEAK)
    assert desk.run("scan", "--write-baseline", "a.py").code == 0
    told = "a.py: weak_crypto LB-B301 in leeboard-baseline.json was accepted"
    assert told in desk.run("scan", "--diff", "HEAD").out
    assert desk.run("scan", "--write-baseline").code == 0
    out = desk.run("scan", "--diff", "HEAD").out
    assert "2 entries in leeboard-baseline.json are new since the work began (a.py: weak_crypto LB-B301, b.py: " in out
    assert out.count("contract_changed") == 1


def test_a_renamed_file_stays_accepted_when_the_baseline_is_written_for_another(desk: Desk) -> None:
    start(desk)
    for name in ("a.py", "b.py"):
        (desk.repo / name).write_text(WEAK)
    assert desk.run("scan", "--write-baseline").code == 0
    (desk.repo / "a.py").rename(desk.repo / "c.py")
    assert desk.run("scan", "--write-baseline", "b.py").code == 0
    assert desk.run("scan").code == 0
    assert desk.run("scan", "--write-baseline").code == 0
    assert '"path":"a.py"' not in (desk.repo / "leeboard-baseline.json").read_text()


@pytest.mark.parametrize("old", ["", '{"version": 1, "find', "<<<<<<< HEAD\n{}\n"])
def test_a_baseline_that_can_not_be_read_is_written_anew(desk: Desk, old: str) -> None:
    start(desk)
    (desk.repo / "a.py").write_text(WEAK)
    kept = desk.repo / "leeboard-baseline.json"
    kept.write_text(old)
    assert "can not be read" in desk.run("scan").err
    ran = desk.run("scan", "--write-baseline", "a.py")
    assert (ran.code == 0, kept.read_text()) == (False, old), "of the other files nobody knows what it held"
    assert f"`leeboard scan --write-baseline {desk.repo.resolve()}` writes it anew" in " ".join(ran.err.split())
    ran = desk.run("scan", "--write-baseline")
    assert (ran.code, "leeboard-baseline.json could not be read (" in ran.err) == (0, True)
    assert desk.run("scan").code == 0


def test_a_baseline_of_another_version_is_not_written_over(desk: Desk) -> None:
    kept = desk.repo / "leeboard-baseline.json"
    kept.write_text('{"version": 99, "findings": []}')
    assert "version 99 is not known here" in desk.run("scan", "--write-baseline").err
    assert "99" in kept.read_text()


def test_a_finding_that_is_let_stand_twice_is_there_all_the_same(desk: Desk) -> None:
    start(desk)
    (desk.repo / "a.py").write_text(WEAK)
    assert desk.run("scan", "--write-baseline").code == 0
    desk.ok("allow", "weak_crypto", "--path", "a.py", "--project", "--reason", "old protocol")
    out = desk.run("scan").out
    assert "no longer match" not in out
    assert ".json" not in out, "our own files are nothing to analyse"


def test_what_is_left_out_and_what_counts_later_is_said(desk: Desk) -> None:
    start(desk)
    (desk.repo / "a.py").write_text(WEAK)
    assert "1 finding left out: below `--min fire`" in desk.run("scan", "--min", "fire").out
    assert "once a person has reviewed it: `--reviewed`" in desk.run("scan", "--diff", "HEAD").out
    assert "--reviewed" not in desk.run("scan").out


def test_a_comment_that_came_with_a_change_is_told_at_its_line_and_no_comment_is_advised(desk: Desk) -> None:
    start(desk)
    (desk.repo / "a.py").write_text(WEAK.replace("\nh", "\n# leeboard: allow LB-B301 an old protocol\nh"))
    ran = desk.run("scan", "--diff", "HEAD", "--reviewed")
    assert ran.code == 0
    (desk.repo / "b.py").write_text("x = 1\n")
    desk.ok("allow", "injection", "--path", "src/**", "--project", "--reason", "a tool of ours")
    ran = desk.run("scan", "--diff", "HEAD", "--json", "a.py", "leeboard-allowed.json")
    decided = [one for one in ran.objects if one["rule"] == "contract_changed"]
    assert {(one["path"], one["line"]) for one in decided} == {("a.py", 2), ("leeboard-allowed.json", 0)}
    assert any("was allowed on src/** since the work began" in one["message"] for one in decided)


@pytest.mark.parametrize("change", [("--diff", "HEAD"), ("--staged",)])
def test_a_comment_in_the_wrong_place_is_told_whoever_reviewed_it(desk: Desk, change: tuple[str, ...]) -> None:
    start(desk)
    (desk.repo / "old.py").write_text(IDLE)
    subprocess.run(["git", "add", "old.py"], cwd=desk.repo, check=True)
    why = "there is no weak_crypto LB-B301 on line 2; it has to stand on a finding's line or right above it (here: line 4)"
    assert why in " ".join(desk.run("scan", *change).out.split())
    ran = desk.run("scan", *change, "--reviewed")
    assert f"old.py:1: this comment has no effect: {why}" in " ".join(ran.out.split())
    (desk.repo / "old.py").write_text(WEAK.replace("\nh", "\n# leeboard: allow LB-B301 an old protocol\nh"))
    subprocess.run(["git", "add", "old.py"], cwd=desk.repo, check=True)
    assert "no effect" not in desk.run("scan", *change, "--reviewed").out
    start(desk)
    (desk.repo / "old.py").write_text((desk.repo / "old.py").read_text() + "x = 1\n")
    subprocess.run(["git", "add", "old.py"], cwd=desk.repo, check=True)
    assert "no effect" not in desk.run("scan", *change, "--reviewed").out, "it was there, and lets stand what was there"


def test_a_change_is_told_in_the_order_of_paths_and_lines(desk: Desk) -> None:
    start(desk)
    accepted = WEAK.replace("\nh", "\n# leeboard: allow LB-B301 an old protocol\nh")
    (desk.repo / "b.py").write_text(WEAK + accepted)
    (desk.repo / "a.py").write_text(WEAK)
    places = [(one["path"], one["line"]) for one in desk.run("scan", "--diff", "HEAD", "--json").objects]
    assert places == sorted(places)
    assert ("b.py", 4) in places, "what it decides about itself"
    out = desk.run("scan", "--diff", "HEAD").out
    assert out.index("a.py:2") < out.index("b.py:2") < out.index("b.py:4") < out.index("b.py:5")


def test_the_way_out_is_not_the_finding_itself(desk: Desk) -> None:
    start(desk)
    desk.ok("allow", "injection", "--path", "src/**", "--project", "--reason", "a tool of ours")
    out = desk.run("scan", "--diff", "HEAD").out
    assert "contract_changed" in out
    assert "to let one stand" not in out
    assert "What a change decides about itself counts once a person has reviewed it: `--reviewed`" in out


def test_words_in_a_baseline_are_no_secrets(desk: Desk) -> None:
    text = "import random\ndef reset_token(user):\n    return str(random.random())\n"
    (desk.repo / "reset.py").write_text(text)
    assert desk.run("scan", "--write-baseline").code == 0
    assert "reset_token:predictable random:random.random()" in (desk.repo / "leeboard-baseline.json").read_text()


def test_a_check_names_the_lines_of_secrets(desk: Desk) -> None:
    start(desk)
    (desk.repo / "keys.py").write_text(f'A = "{live_key(1)}"\n\nB = "{live_key(2)}"\n')
    out = desk.run("check").out
    assert ": keys.py:1, keys.py:3" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--diff", "nothere"), "'nothere' names no commit here; `git log --oneline` lists what there is.\n"),
        (("--diff", "HEAD", "--staged"), "--diff and --staged are two changes: name one of them\n"),
        (("--sarif", "--json"), "--json and --sarif are two forms of the same output: name one of them\n"),
        (("--github", "--json"), "--json and --github are two forms of the same output: name one of them\n"),
        (
            ("--watch", "--sarif"),
            "--watch and --sarif: a SARIF log is one document, and a scan that watches has no end\n",
        ),
    ],
)
def test_what_contradicts_itself_or_names_nothing(desk: Desk, options: tuple[str, ...], said: str) -> None:
    ran = desk.run("scan", *options)
    assert (ran.code, ran.err) == (2, f"leeboard: {said}")


def test_the_examples_of_the_page_are_what_it_prints(desk: Desk) -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "commands" / "scan.md").read_text(encoding="utf-8")
    blocks = [block.partition("\n```")[0].splitlines() for block in page.split("```console\n")[1:]]
    assert len(blocks) == 2
    for block in blocks:
        for line in (line.removeprefix("$ ") for line in block if line.startswith("$ ")):
            words = shlex.split(line)
            if words[0] == "leeboard":
                out = desk.run(*words[1:]).out
            else:
                subprocess.run(line, shell=True, cwd=desk.repo, check=True)
        assert out.splitlines() == [line for line in block if not line.startswith("$ ")]


def test_a_baseline_is_no_finding_itself(desk: Desk) -> None:
    entry = '{"path":"a.py","rule":"credential","what":"password password ~aec1"}'
    (desk.repo / "leeboard-baseline.json").write_text(f'{{"version": 1, "findings": [\n{entry}\n]}}\n')
    assert "0 findings" in desk.ok("scan", "--all").out


@pytest.mark.parametrize("form", ["", "--verbose", "--json", "--sarif", "--github", "--write-baseline"])
def test_a_secret_in_a_name_is_told_nowhere(desk: Desk, form: str) -> None:
    drawn = "Zk3J9qWx7L" + "mT2vBn8RpY4s"
    key = live_key(3)
    text = "import hashlib\ndef {}(password):\n    return hashlib.md5(password).hexdigest()\n"
    (desk.repo / f"{key}.py").write_text(text.format("stored"))
    (desk.repo / "a.py").write_text(text.format(f"password_{drawn}"))
    (desk.repo / "b.py").write_text(text.format(f"key_{key}"))
    ran = desk.run("scan", *filter(None, [form]))
    assert "LB-B301" in ran.out or form == "--write-baseline"
    kept = [place.read_bytes() for place in desk.repo.parent.rglob("*") if place.is_file() and place.suffix != ".py"]
    told = ran.out.encode() + ran.err.encode() + b"".join(kept)
    assert [one for one in (drawn, key) if one.encode() in told] == []
