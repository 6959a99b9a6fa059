from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.missing_store.fallback_files import forget_old_copies, keep_copy, read_copy
from leeboard.model.contract import Allowance, Constraint, Contract
from leeboard.model.session import SHAPE, Session

SESSION = Session(
    id="a/../b",
    root="/repo",
    contract=Contract(constraints=(Constraint(text="DO NOT touch x", kind="forbid", patterns=("x",)),)),
)


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path / "state" / "spare"


def test_what_was_promised_is_kept_and_what_moves_with_every_event_is_not(world: Path) -> None:
    allowance = Allowance(id="a", rule="credential")
    keep_copy(replace(SESSION, events=5, version=7), (allowance,))
    (file,) = world.iterdir()
    first = file.stat().st_ino
    keep_copy(replace(SESSION, events=6, version=8), (allowance,))
    assert file.stat().st_ino == first
    copy = read_copy(SESSION.id)
    assert copy is not None
    assert (copy.session, copy.allowances) == (SESSION, (allowance,))
    keep_copy(SESSION, ())
    assert file.stat().st_ino != first


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"session": {"id": "another"}}'])
def test_what_can_not_be_read_is_none(world: Path, data: bytes) -> None:
    keep_copy(SESSION, ())
    (file,) = world.iterdir()
    file.write_bytes(data)
    assert read_copy(SESSION.id) is None


def test_a_newer_shape_is_none(world: Path) -> None:
    keep_copy(SESSION, ())
    (file,) = world.iterdir()
    file.write_bytes(file.read_bytes().replace(b'"shape":%d' % SHAPE, b'"shape":%d' % (SHAPE + 1)))
    assert read_copy(SESSION.id) is None


def test_old_ones_are_forgotten(world: Path) -> None:
    for number in range(105):
        keep_copy(replace(SESSION, id=f"s{number}"), ())
    forget_old_copies()
    assert len(list(world.iterdir())) == 100
