"""Edits that a guard has to speak of, and edits that only look like them: each made through the hook, in real trees."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from leeboard.app.own_rules import rules_actor
from leeboard.trust import record
from tests.checked_work import CheckedWork, Step
from tests.guard_repository import FIXTURES

Change = tuple[str, str]
LANGUAGES = ("Python", "JavaScript", "Go", "Java", "Ruby", "Rust", "C#", "PHP")
NAMED = {
    *("continue-on-error", "|| true", "noqa", "type: ignore", "eslint-disable", "@ts-ignore", "nolint"),
    *("a threshold lowered", "a hook edited", "a hook of pre-commit taken out", "a swallowed failure"),
    *("tests left out by the settings of pytest", "tests left out by a conftest"),
    *("tests left out by the settings of a JavaScript runner", "the guard switched off for what starts later"),
    *("a linter's rule off, on one line",),
    *("a protected file", "a rule of the project's own", *(f"a test in {language}" for language in LANGUAGES)),
}
"""What people expect to be spoken of; commands have a table of their own."""


class Edits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Edits of one file that have something in common."""

    named: str
    code: str
    path: str
    before: str
    asked: str = "fix the cart so that the build is green"
    first: tuple[Step, ...] = ()
    settings: str = ""
    own: str = ""
    """A rule of the project's own people, which they trust."""
    spoken: tuple[Change, ...]
    silent: tuple[Change, ...] = ()
    beside: str = ""
    """Another file, in which the same edits are nobody's business."""


TABLE = tuple(
    msgspec.convert(row, Edits) for row in tomllib.loads((FIXTURES / "edits.toml").read_text(encoding="utf-8"))["edit"]
)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))


@pytest.mark.parametrize("edits", TABLE, ids=lambda edits: edits.named)
def test_every_edit_is_answered_as_the_table_says(edits: Edits, tmp_path: Path) -> None:
    work = _work(edits, tmp_path)
    if edits.own:
        record.grant(str(work.repo), tuple(rules_actor(str(work.repo))), record.PERSON)
    passed = [change for change in edits.spoken if not _said(work, edits, edits.path, change)]
    alike = [(edits.path, change) for change in edits.silent]
    alike += [(edits.beside, change) for change in edits.spoken if edits.beside]
    spoken_of = {change: said for path, change in alike if (said := _said(work, edits, path, change))}
    assert (passed, spoken_of) == ([], {})


def _work(edits: Edits, folder: Path) -> CheckedWork:
    files = {edits.path: edits.before}
    if edits.settings:
        files["leeboard.toml"] = edits.settings
    if edits.own:
        files[".leeboard/rules/own.yml"] = edits.own
    if edits.beside:
        files[edits.beside] = edits.before
    return CheckedWork(folder / "repo", files, "0")


def _said(work: CheckedWork, edits: Edits, path: str, change: Change) -> list[str]:
    """What the rule says to the edit, in a session of its own."""
    work.session, work.said = f"{int(work.session) + 1}", []
    (work.repo / path).write_text(edits.before, encoding="utf-8")
    for step in (("say", edits.asked), *edits.first, ("edit", path, *change), ("stop", "That is what I did.")):
        work.do(step)
    return [said for said in work.said if edits.code in said]


def test_whatever_is_named_has_three_spellings_of_each_kind() -> None:
    assert {edits.named for edits in TABLE} == NAMED
    few = [one.named for one in TABLE if len(one.spoken) < 3 or len(one.silent or one.spoken) < 3]
    assert few == []
