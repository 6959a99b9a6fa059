"""A long shell text, cut into parts that the grammar can take."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.touch import ShellEffects
from leeboard.shell.source import pieces_of
from leeboard.shell.understand import understand
from tests.call_count import calls

LONG = "x" * 5_000


def changed(line: str) -> set[str]:
    return {f"{touch.kind}:{touch.path}" for touch in understand(line).touches if touch.modifies}


@pytest.mark.parametrize(
    "line",
    [
        f"# {LONG}\nrm a",
        f": {LONG}; rm a",
        f"echo {LONG} && rm a",
        f"true || echo {LONG}; rm a",
        f"echo {LONG} | cat; rm a",
        f"if true; then echo {LONG}; rm a; fi",
        f"for i in 1 2; do echo {LONG}; rm a; done",
        f"case x in x) echo {LONG}; rm a ;; esac",
        f"(echo {LONG}; rm a)",
        f'echo "$(date)"; echo {LONG}; rm a',
        f"{'true; ' * 900}rm a",
        f"cat <<'E'\n{LONG}\nE\necho {LONG}\nrm a",
        f"echo 'quoted; rm b' {LONG}; rm a",
        f"rm a # \x01 {LONG}",
    ],
)
def test_nothing_is_skipped_because_the_line_is_long(line: str) -> None:
    assert changed(line) == {"delete:a"}


def test_a_place_and_a_name_hold_from_one_part_to_the_next() -> None:
    assert changed(f"cd /d; f=b; echo {LONG}; g() {{ rm $f; }}; echo {LONG}; g") == {"delete:/d/b"}


@pytest.mark.parametrize(
    "line", [f"{'true; ' * 1_200}rm a", f"echo $(echo {LONG}; rm a)", "x" * 300_000, f"{'( ' * 60}rm a{' )' * 60}"]
)
def test_what_is_not_read_is_said(line: str) -> None:
    effects = understand(line)
    assert effects.unread
    assert effects.opaque


@pytest.mark.parametrize(
    "line",
    [
        f"git commit -m '{LONG * 10}'",
        f"cat > a.md <<'E'\n{LONG * 20}\nE",
        f'gh pr create --body "{LONG}"',
        f"python3 - <<'E'\nx = 1\n# {LONG}\nE",
    ],
)
def test_long_texts_of_honest_work_are_read_whole(line: str) -> None:
    effects = understand(line)
    assert (effects.unread, effects.opaque) == (False, False)


@given(st.integers(0, 9_000), st.sampled_from(["rm a", "cd b && touch c", "f=1; echo $f > d", "ls | xargs rm", "make"]))
def test_a_comment_before_it_changes_nothing(length: int, line: str) -> None:
    plain, commented = understand(line), understand(f"# {'y ' * length}\n{line}")
    assert isinstance(plain, ShellEffects)
    assert commented == plain


@given(
    st.lists(st.sampled_from("a b ; && || | & ( ) { } ' \" $( ` if then fi do done for \n # case esac ) in".split(" ")))
)
def test_the_parts_are_bounded_and_nothing_makes_it_fail(words: list[str]) -> None:
    text = " ".join(words)
    parts = list(pieces_of(text, 10))
    assert sum(len(part.text) for part in parts) <= len(text) + len(parts)
    understand(f"{text} {LONG} {text}")


@pytest.mark.parametrize("unit", ["a;", "a&&", "(", "$(", "if ", "a|", '"$(', "{ ", "case a in a) ", "\\\n", "# "])
def test_twice_the_line_is_twice_the_work_at_most(unit: str) -> None:
    once, twice = (calls(partial(understand, unit * size)) for size in (8_000, 16_000))
    assert twice <= 2 * once + 4_000


@pytest.mark.parametrize(
    "line",
    [
        f"a=xxxxxxxx; {'a=$a$a; ' * 40}rm $a",
        f"export a=xxxxxxxx; {'export a=$a$a$a; ' * 40}rm $a",
        f"a=xxxxxxxx; {'a+=$a; ' * 40}rm $a",
    ],
)
def test_a_variable_that_grows_without_end_becomes_one_that_nobody_can_tell(line: str) -> None:
    effects = understand(line)
    assert effects.opaque
    assert not effects.touches
    assert sum(len(word) for each in effects.started for word in each.words) < 1_000_000
