from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from leeboard.errors import EffectError
from leeboard.io import places


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without settings, whose home is a folder of the test."""
    for name in list(os.environ):
        if name.startswith(("LEEBOARD_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def mode(path: str) -> int:
    return stat.S_IMODE(Path(path).lstat().st_mode)


def test_without_settings_everything_lives_under_home(home: Path) -> None:
    assert places.state_dir() == f"{home}/.local/state/leeboard"
    assert places.config_dir() == f"{home}/.config/leeboard"
    assert places.database() == f"{home}/.local/state/leeboard/leeboard.db"


def test_xdg_moves_them_unless_it_is_relative(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/elsewhere")
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert places.state_dir() == "/elsewhere/leeboard"
    assert places.config_dir() == f"{home}/.config/leeboard"


def test_our_own_variables_win(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/elsewhere")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", "~/mine")
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", "/set")
    assert places.state_dir() == f"{home}/mine"
    assert places.config_dir() == "/set"


def test_the_cache_has_a_place_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.cache_dir() == f"{home}/.cache/leeboard"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert places.cache_dir() == "/elsewhere/leeboard"
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", "~/mine")
    assert places.cache_dir() == f"{home}/mine"


def test_the_runtime_dir_is_made_for_the_user_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
    assert places.runtime_dir() == f"{home}/leeboard"
    assert mode(places.runtime_dir()) == 0o700


def test_a_missing_xdg_runtime_dir_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/nobody-was-here")
    assert places.runtime_dir() == f"/tmp/leeboard-{os.getuid()}"


def test_a_runtime_dir_open_to_others_is_closed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "run").mkdir()
    (home / "run").chmod(0o777)
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(home / "run"))
    assert mode(places.runtime_dir()) == 0o700


def test_a_link_in_place_of_the_runtime_dir_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "real").mkdir(mode=0o700)
    (home / "run").symlink_to(home / "real")
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(home / "run"))
    with pytest.raises(EffectError, match="not a directory of this user"):
        places.runtime_dir()


def test_a_runtime_dir_of_somebody_else_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(home / "run"))
    places.runtime_dir()
    monkeypatch.setattr(os, "getuid", lambda: (home / "run").stat().st_uid + 1)
    with pytest.raises(EffectError, match="not a directory of this user"):
        places.runtime_dir()


def test_a_file_in_the_way_is_an_error_with_advice(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(home / "file" / "run"))
    with pytest.raises(EffectError, match="LEEBOARD_RUNTIME_DIR"):
        places.runtime_dir()


def test_each_database_has_its_own_socket(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", short)
        monkeypatch.setenv("LEEBOARD_STATE_DIR", str(home / "one"))
        one = places.socket_path()
        monkeypatch.setenv("LEEBOARD_STATE_DIR", str(home / "two"))
        assert places.socket_path() != one
        assert Path(one).parent == Path(short)


def test_a_long_runtime_dir_gives_a_short_socket(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(home / ("x" * 90)))
    path = places.socket_path()
    assert len(path) <= places.SOCKET_PATH_LIMIT
    assert path.startswith(f"/tmp/leeboard-{os.getuid()}/")


def test_the_root_of_a_project_is_its_work_tree(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / ".git" / "HEAD").write_text("ref: refs/heads/main")
    (tmp_path / "repo" / "src" / "deep").mkdir(parents=True)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".git").write_text("gitdir: /somewhere")
    assert places.project_root(str(tmp_path / "repo" / "src" / "deep")) == str(tmp_path / "repo")
    assert places.project_root(str(tmp_path / "repo" / "gone")) == str(tmp_path / "repo")
    assert places.project_root(str(tmp_path / "linked")) == str(tmp_path / "linked")


def test_a_folder_without_a_work_tree_is_its_own_root(tmp_path: Path) -> None:
    (tmp_path / "sub" / ".git").mkdir(parents=True)
    assert places.project_root(str(tmp_path / "sub")) == str(tmp_path / "sub")
    assert places.project_root("/") == "/"
    assert places.project_root("") == ""


def test_private_files_and_folders_stay_private(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    places.make_private_file(str(tmp_path / "open" / "a" / "b" / "file"))
    assert mode(str(tmp_path / "open")) == 0o755, "what was there before is not ours to close"
    assert mode(str(tmp_path / "open" / "a")) == 0o700
    assert mode(str(tmp_path / "open" / "a" / "b" / "file")) == 0o600


def test_a_private_file_is_never_emptied(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    places.make_private_file(str(tmp_path / "file"))
    assert (tmp_path / "file").read_text() == "kept"


def test_a_session_is_found_by_the_name_of_its_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each character but letters and digits is a dash; symlinks are resolved (AD-13)."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    tree = tmp_path / "a.b_c d" / "é-X"
    tree.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tree)
    folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(tree))
    kept = tmp_path / "claude" / "projects" / folder / "s1.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}\n")
    assert folder.endswith("-a-b-c-d---X")
    assert places.transcript_of("s1", str(tmp_path / "link")) == str(kept)
    assert places.transcript_of("s1", "/elsewhere") == str(kept), "a long path is cut with a hash: look everywhere"
    assert places.transcript_of("s2", str(tree)) == ""
    assert places.transcript_of("../s1", str(tree)) == ""


def test_no_client_no_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "none"))
    assert places.transcript_of("s1", str(tmp_path)) == ""
