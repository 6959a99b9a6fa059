from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import ChangeState, FileChange, Hunk, TreeChange
from tests.tree_rules import found, found_between, held, tree_event

# In pieces, so that no scanner takes this file for one that holds a key.
KEY = f"sk{'_'}live{'_'}aB3dE6gH{9}jK2mN5p{'Q'}8sT1vW4"
LINE = f'api_key = "{KEY}"\n'


def test_a_key_is_an_error_and_never_shown() -> None:
    (one,) = found_between(
        "secret_found", held(Contract()), {"src/pay.py": "x = 1\n"}, {"src/pay.py": f"x = 1\n{LINE}"}
    )
    assert (one.severity, one.path, one.line) == ("error", "src/pay.py", 2)
    assert one.subject.startswith("src/pay.py:")
    assert KEY[:12] not in repr(one)


@pytest.mark.parametrize("mode", ["core", "harden", "perf", "explore"])
def test_in_every_mode(mode: Mode) -> None:
    assert found_between("secret_found", held(Contract(mode=mode)), {}, {"src/pay.py": LINE})


def test_without_a_contract_too() -> None:
    assert found_between("secret_found", None, {}, {"src/pay.py": LINE})


@pytest.mark.parametrize("mark", ["pragma: allowlist secret", "gitleaks:allow", "nosec"])
def test_a_mark_for_another_tool_is_no_leave(mark: str) -> None:
    (one,) = found_between("secret_found", None, {}, {"src/pay.py": f'api_key = "{KEY}"  # {mark}\n'})
    assert one.severity == "error"


def test_the_same_secret_has_the_same_fingerprint_wherever_it_stands() -> None:
    first = found_between("secret_found", None, {}, {"src/pay.py": LINE})
    later = found_between("secret_found", None, {}, {"src/pay.py": f"\n\n{LINE}"})
    assert [one.fingerprint for one in first] == [one.fingerprint for one in later]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/pay.py", 'api_key = "your_api_key_here"\n'),
        ("src/pay.py", 'api_key = os.environ["API_KEY"]\n'),
        ("tests/test_pay.py", 'token = "test-token"\n'),
        ("src/pay.py", "x = 1\n"),
        (".env", f"API_KEY={KEY}\n"),
        ("dist/app.min.js", f'var api_key="{KEY}";\n'),
    ],
)
def test_what_is_none(path: str, text: str) -> None:
    assert not found_between("secret_found", None, {}, {path: text})


def test_what_was_there_before_was_not_brought() -> None:
    assert not found_between("secret_found", None, {"src/a.py": LINE}, {"src/a.py": f"if x:\n    {LINE}"})
    assert not found_between("secret_found", None, {"src/a.py": LINE}, {"src/b.py": LINE})
    assert not found_between("secret_found", None, {"src/a.py": LINE}, {"src/a.py": f"{LINE}x = 1\n"})


@pytest.mark.parametrize(
    ("states", "count"), [(("staged",), 1), (("committed", "unstaged"), 1), (("untracked",), 0), (("unstaged",), 0)]
)
def test_an_environment_file_that_git_was_given(states: tuple[ChangeState, ...], count: int) -> None:
    text = f"API_KEY={KEY}\n"
    file = FileChange(path=".env", kind="added", states=states, hunks=(Hunk(1, (text.strip(),)),), added=1)
    event = tree_event(TreeChange(root="/repo", files=(file,)))
    assert len(found("secret_found", None, event, {}, {".env": text})) == count


def test_garbage_never_raises() -> None:
    assert not found_between("secret_found", None, {}, {"a": "\x00\ud800" * 50, "b.py": "'" * 99})
