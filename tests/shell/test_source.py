from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.shell.expansion import HERE, KEPT
from leeboard.shell.source import MAX_SKELETON, MAX_TEXT, ShellSource, prepare, readable

MARK = f"<'{HERE}'"


@pytest.mark.parametrize("text", ["a\0b", "\1", "\ud800", "x" * (MAX_TEXT + 1)])
def test_what_no_shell_runs_is_unreadable(text: str) -> None:
    assert not readable(text)


def test_plain_text_is_left_alone() -> None:
    assert prepare("a && b") == ShellSource("a && b", [])


@pytest.mark.parametrize(
    ("text", "prepared", "kept"),
    [
        ("cat <<'E' > f\nit's\nE\nls", f"cat {MARK}'{KEPT}0{KEPT}'  > f\n\nls", ["it's\n"]),
        ('cat <<-E\n\ta "b"\n\tE\n', f'cat {MARK}"{KEPT}0{KEPT}" \n\n', ['a \\"b\\"\n']),
        ("cat <<E\n$(x) \\$(y)\nE", f'cat {MARK}"{KEPT}0{KEPT}"$(x) \n\n', ["$(x) \\$(y)\n"]),
        ("cat <<E\nx", f'cat {MARK}"{KEPT}0{KEPT}" \n\nx', ["x\n"]),
        ("cat <<E\n5 ` x\nE\nls", f'cat {MARK}"{KEPT}0{KEPT}" \n\nls', ["5 ` x\n"]),
        ("cat <<E", f'cat {MARK}"{KEPT}0{KEPT}" \n', ["\n"]),
        ("cat <<$X\nx\n$X\nls", f'cat {MARK}"{KEPT}0{KEPT}" \n\nls', ["x\n"]),
        ("cat <<E\\O'F'\nx\nEOF\nls", f"cat {MARK}'{KEPT}0{KEPT}' \n\nls", ["x\n"]),
        ("cat <<< x", f"cat {MARK}x", []),
        ('echo "<<E" # <<E\n$((1<<2))', 'echo "<<E" \n$((1<<2))', []),
    ],
)
def test_here_documents_are_taken_out(text: str, prepared: str, kept: list[str]) -> None:
    assert prepare(text) == ShellSource(prepared, kept)


@pytest.mark.parametrize("text", ["cat <<", "echo 'a <<E", "cat <<$(x)\n", "cat <<'E"])
def test_what_does_not_end_is_refused(text: str) -> None:
    assert prepare(text) is None


def test_long_quotes_are_taken_out_and_long_skeletons_refused() -> None:
    quoted = "x" * MAX_SKELETON
    assert prepare(f"echo '{quoted}'") == ShellSource(f"echo '{KEPT}0{KEPT}'", [quoted])
    assert prepare("a " * MAX_SKELETON) is None


@settings(deadline=None)
@given(st.text(alphabet="ab'\"$(){}`\\\n<E -#"))
def test_what_the_grammar_gets_is_bounded(text: str) -> None:
    source = prepare(text * 3)
    assert source is None or len(source.text) <= MAX_SKELETON
