"""Programs are started in one place, forks in another; files that others could have put there are opened in a few."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import leeboard
from tests.git_repository import GitRepository
from tests.killed_work import work_tree

_PACKAGE = Path(leeboard.__file__).parent
_STARTS = {"fork", "forkpty", "system", "popen", "posix_spawn", "posix_spawnp", "startfile"}
_STARTERS = {
    "io/process.py": "every other program",
    "io/detached.py": "our own processes that outlive us",
    "io/warden.py": "a gate, below a process that ends with all of it",
    "surfaces/relief.py": "the resident's helper, which is the resident once more",
}
_OWN = "in the user's state directory, or below the descriptor of a folder opened step by step without links"
_OPENERS = {
    "io/file.py": "the opener and the writer, and what makes a new file beside and moves it there",
    "io/detached.py": "/dev/null",
    "io/parents.py": "/proc",
    "io/system.py": "asks where a file lies: nothing of it is read or waited for",
    "io/warden.py": "/proc",
    "surfaces/cli/session/test.py": "a file that a person names",
    "surfaces/cli/main.py": "/dev/null",
    "surfaces/mcp/protocol.py": "/dev/null",
    "surfaces/cli/project/demo.py": "a recording of the package",
    "app/views/manual.py": "pages of the package",
    "app/posting/hooks.py": "/proc",
    "truth/digests/identity.py": "/proc",
    "surfaces/cli/person.py": "the terminal",
    "app/ring.py": "the terminal",
    "io/connection.py": "/proc",
    "surfaces/status_line.py": "what the client names, a regular file or nothing; it can not pay for an import",
    **dict.fromkeys(("surfaces/proxy/address.py", "surfaces/proxy/standing.py"), _OWN),
    **dict.fromkeys(
        ("io/git/changes.py", "io/git/untracked.py", "io/git/tree_files.py", "source/index/listing.py"), "same flags"
    ),
    **dict.fromkeys(("plan/disk/studios.py", "plan/disk/trusted.py", "app/catch_up.py"), "same flags"),
    **dict.fromkeys(("plan/disk/folder.py", "plan/disk/tree_state.py"), _OWN),
    **dict.fromkeys(("plan/disk/truth/surface.py", "plan/disk/truth/effects.py"), _OWN),
    **dict.fromkeys((f"truth/digests/{name}.py" for name in ("_worker", "cache", "hashing", "scan", "tree")), _OWN),
    **dict.fromkeys(("source/index/cache.py", "source/index/scan.py", "app/tree_watch.py", "io/places.py"), _OWN),
    **dict.fromkeys(
        ("io/places.py", "app/missing_store/fallback_files.py", "trust/record.py", "trust/written_here.py"), _OWN
    ),
    **dict.fromkeys(("surfaces/hook_client.py", "app/misses.py", "app/indexing.py"), _OWN),
    **dict.fromkeys(("app/install/kept_file.py",), _OWN),
    **dict.fromkeys(
        ("app/safety_net/keep.py", "app/safety_net/put_back.py"),
        "a person's file below a folder that is held open, so that no link can be put in between",
    ),
    **dict.fromkeys(("surfaces/quick_imports.py", "surfaces/kept_patterns.py"), "beside our own bytecode"),
    "surfaces/cli/session/report.py": "a file that a person names",
    "surfaces/cli/session/backtest.py": "a file that a person names",
    "app/session_files.py": "a pipe that a person names",
}


def test_programs_are_started_in_one_place() -> None:
    found = {module for module, tree in _modules() if any(_starts(node) for node in ast.walk(tree))}
    assert found == set(_STARTERS)


def test_files_are_opened_in_the_places_that_say_why() -> None:
    found = {module for module, tree in _modules() if any(_opens(node) for node in ast.walk(tree))}
    assert found - set(_OPENERS) == set(), "use leeboard.io.file"
    assert set(_OPENERS) - found == set(), "these open nothing any more"


def test_python_is_never_started_where_the_folder_could_bring_modules() -> None:
    for module, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Tuple | ast.List) and any(
                ast.unparse(one) == "sys.executable" for one in node.elts
            ):
                words = {one.value for one in node.elts if isinstance(one, ast.Constant)}
                assert words & {"-I", "-P"}, f"{module}:{node.lineno}"


@pytest.mark.parametrize("name", ["leeboard/__init__.py", "sitecustomize.py", "msgspec.py", "click.py"])
def test_watching_imports_no_module_of_the_repository(name: str, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    GitRepository(repo)
    work_tree(repo)
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LEEBOARD_STATE_DIR": str(tmp_path / "state")}
    command = (str(Path(sys.executable).parent / "leeboard"), "steer-tree", "--watch", "--json", "--interval", "1")
    with subprocess.Popen(command, cwd=repo, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline().startswith(b"{"), "the child has looked once"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert not (tmp_path / "ran").exists()


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        module = path.relative_to(_PACKAGE).as_posix()
        if not module.startswith("testing/"):
            yield module, ast.parse(path.read_text(encoding="utf-8"))


def _starts(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(name.name in {"subprocess", "_posixsubprocess", "pty"} for name in names)
        case ast.ImportFrom(module="subprocess"):
            return True
        case ast.Attribute(value=ast.Name(id="os" | "posix"), attr=attr):
            return attr in _STARTS or attr.startswith(("exec", "spawn"))
    return False


def _opens(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="open")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os" | "posix" | "io"), attr="open")):
            return True
        case ast.Call(func=ast.Attribute(attr="read_bytes" | "write_bytes" | "write_text")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr="read_text")):
            return not isinstance(value, ast.Name)
    return False
