"""Files that a person brings: where they may lie, what is taken, under whose name."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from leeboard.app.person.upload import LARGEST, BroughtFile, bring
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.truth.human_write import HumanWritten
from leeboard.plan.effect import Refusal
from tests.flow_desk import SLUG, FlowDesk

FILE = BroughtFile(name="notes.md", data=b"# Notes\n", stage="build", shelf="outputs", by="kim")


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.through_shape()
    flow.until("elaborate")
    return Engine(str(flow.root))


def test_it_lies_there_under_their_name_and_the_next_tick_accounts_for_it(engine: Engine) -> None:
    done = bring(engine, SLUG, FILE)
    assert isinstance(done, HumanWritten)
    assert (done.author_class, done.claimed_author_id) == ("human-via-mcp", "kim")
    top = Path(engine.home, ".haiku/intents", SLUG)
    assert next(top.rglob("notes.md")).read_bytes() == FILE.data
    whole = bring(engine, SLUG, msgspec.structs.replace(FILE, stage=""))
    assert isinstance(whole, HumanWritten)
    assert (top / "knowledge/notes.md").exists()
    again = bring(engine, SLUG, FILE)
    assert isinstance(again, Refusal)
    assert again.code == "path_already_exists"
    over = bring(engine, SLUG, msgspec.structs.replace(FILE, data=b"other\n", replaces=True))
    assert isinstance(over, HumanWritten)


def test_of_one_name_brought_at_once_one_is_there_whole_and_the_others_are_told(engine: Engine) -> None:
    files = [msgspec.structs.replace(FILE, data=f"{number}\n".encode() * 9_000, by=str(number)) for number in range(6)]
    with ThreadPoolExecutor(len(files)) as pool:
        ended = list(pool.map(lambda file: bring(Engine(engine.root), SLUG, file), files))
    (won,) = [file for file, end in zip(files, ended, strict=True) if isinstance(end, HumanWritten)]
    assert {end.code for end in ended if isinstance(end, Refusal)} == {"path_already_exists"}
    top = Path(engine.home, ".haiku/intents", SLUG)
    (there,) = top.rglob("notes.md")
    assert there.read_bytes() == won.data
    logged = [json.loads(line) for line in (top / "action-log.jsonl").read_text().splitlines()]
    assert [line["claimed_author_id"] for line in logged if line["path"].endswith("notes.md")] == [won.by]


def test_no_link_is_followed(engine: Engine, tmp_path: Path) -> None:
    """Neither one in the place of the file, nor one in that of its folder."""
    top = Path(engine.home, ".haiku/intents", SLUG)
    (tmp_path / "away").mkdir()
    (top / "knowledge").mkdir(exist_ok=True)
    (top / "knowledge/notes.md").symlink_to(tmp_path / "away/notes.md")
    whole = msgspec.structs.replace(FILE, stage="", replaces=True)
    assert isinstance(bring(engine, SLUG, whole), Refusal)
    (top / "knowledge/notes.md").unlink()
    (top / "knowledge").rename(tmp_path / "kept")
    (top / "knowledge").symlink_to(tmp_path / "away")
    assert isinstance(bring(engine, SLUG, whole), Refusal)
    assert not list((tmp_path / "away").iterdir())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "../notes.md"}, "invalid_name"),
        ({"name": ""}, "invalid_name"),
        ({"name": ".md"}, "invalid_name"),
        ({"name": "\N{RIGHT-TO-LEFT OVERRIDE}gpj.md"}, "invalid_name"),
        ({"name": "a\0.md"}, "invalid_name"),
        ({"name": "\udcff.md"}, "invalid_name"),
        ({"name": "a" * 300 + ".md"}, "path_outside_tracked_surface"),
        ({"name": "answers.md", "stage": ""}, "path_outside_tracked_surface"),
        ({"name": "page.html"}, "type_not_taken"),
        ({"name": "drawing.svg"}, "type_not_taken"),
        ({"name": "program"}, "type_not_taken"),
        ({"data": b"x" * (LARGEST + 1)}, "file_too_large"),
        ({"data": b""}, "empty_content"),
        ({"shelf": "units"}, "shelf_unknown"),
        ({"stage": "nowhere"}, "path_outside_tracked_surface"),
        ({"stage": "../.."}, "path_outside_tracked_surface"),
    ],
)
def test_what_is_not_taken(engine: Engine, change: dict[str, Any], code: str) -> None:
    refused = bring(engine, SLUG, msgspec.structs.replace(FILE, **change))
    assert isinstance(refused, Refusal)
    assert refused.code == code
