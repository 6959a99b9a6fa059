"""A process that outlives us has nothing of ours but what it is handed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.detached import HANDED, become, fork, fork_twice, leave


def test_a_child_ends_with_what_it_did() -> None:
    assert os.waitpid(fork(lambda: None), 0)[1] == 0
    assert os.waitstatus_to_exitcode(os.waitpid(fork(lambda: os._exit(7)), 0)[1]) == 7


def test_what_leaves_has_a_session_and_no_file_of_ours(tmp_path: Path) -> None:
    mine, handed = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)

    def look() -> None:
        leave(handed)
        still = [number for number in range(64) if Path(f"/proc/self/fd/{number}").exists()]
        (tmp_path / "seen").write_text(f"{os.getsid(0) == os.getpid()} {still}")
        os.fstat(HANDED)

    try:
        assert os.waitpid(fork(look), 0)[1] == 0
    finally:
        os.close(mine)
        os.close(handed)
    assert (tmp_path / "seen").read_text() == "True [0, 1, 2, 3]"


def test_our_interpreter_anew_imports_nothing_from_the_folder_and_gets_few_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leeboard.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    code = "import leeboard, os; open(sys.argv[1], 'w').write(f'{os.getcwd()} {sorted(os.environ)}')"
    env = {"HOME": "/h", "SECRET": "x", "PYTHONPATH": str(tmp_path)}
    assert os.waitpid(fork(lambda: become(code, env, str(tmp_path / "seen"))), 0)[1] == 0
    assert (tmp_path / "seen").read_text().startswith("/ ['HOME'")
    assert "SECRET" not in (tmp_path / "seen").read_text()


def test_nobody_waits_for_the_second_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "told")
    assert fork_twice(lambda: print("here", file=(tmp_path / "told").open("w"), end=""))
    assert (tmp_path / "told").read_text() == "here"
