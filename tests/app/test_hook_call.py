"""One hook call through its door: answered once, with a receipt; or left alone and nothing kept of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.hook_call import Asker, answer_call
from leeboard.app.hook_origin import OUTCOME
from leeboard.clients.claude_code.hooks import parse
from leeboard.io import clock, places
from leeboard.model.lookup import Receipt
from leeboard.store.sqlite import open_store
from tests.hook_process import edit

NOBODY = 0
"""Who asks can not be told, as on a system that says nothing of processes."""


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    for name, folder in (("HOME", "home"), ("LEEBOARD_STATE_DIR", "state"), ("LEEBOARD_RUNTIME_DIR", "run")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.setenv("LEEBOARD_INDEX", "0")
    (tmp_path / "repo").mkdir()
    return str(tmp_path / "repo")


def answered(root: str, asker: Asker) -> tuple[bool, list[bytes]]:
    sent: list[bytes] = []
    call = parse(edit("t1", f"{root}/a.py", cwd=root), clock.now())
    return answer_call(call, {}, sent.append, asker), sent


def receipts() -> tuple[Receipt, ...]:
    store = open_store(places.database())
    try:
        return tuple(store.receipts(10))
    finally:
        store.close()


def test_a_call_is_answered_once_and_leaves_its_receipt(root: str) -> None:
    done, sent = answered(root, Asker(process=NOBODY))
    assert (done, len(sent)) == (True, 1)
    (receipt,) = receipts()
    assert (receipt.event, receipt.outcome, receipt.call, receipt.session) == ("PreToolUse", "allow", "t1", "s")


def test_what_the_client_did_not_tell_is_kept_as_an_attempt_and_not_answered(root: str) -> None:
    done, sent = answered(root, Asker(process=NOBODY, believed=False))
    assert (done, sent) == (True, [])
    assert [receipt.outcome for receipt in receipts()] == [OUTCOME]


def test_who_is_not_patient_leaves_a_folder_to_its_own_hooks(root: str) -> None:
    asked: list[str] = []

    def may_enter(folder: str) -> bool:
        asked.append(folder)
        return False

    done, sent = answered(root, Asker(process=NOBODY, patient=False, may_enter=may_enter))
    assert (done, sent, asked) == (False, [], [root])
    assert not Path(places.database()).exists()


def test_nobody_waits_for_others_beyond_the_end() -> None:
    assert Asker().patience(5.0) == 5.0
    assert Asker(end=clock.monotonic() - 1).patience(5.0) < 5.0
    assert Asker(end=clock.monotonic() + 100).patience(5.0) == 5.0
