from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.shell.written_texts import ShellWrite, written_by
from tests.call_count import calls


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("cat > a.py <<'EOF'\nimport os\nEOF", [ShellWrite("a.py", "import os\n")]),
        ("cat <<EOF > a.py\nx = 1\nEOF\npython a.py", [ShellWrite("a.py", "x = 1\n")]),
        ("cat >> a.txt <<EOF\nmore\nEOF", [ShellWrite("a.txt", "more\n", appends=True)]),
        ("tee a b <<EOF\nx\nEOF", [ShellWrite("a", "x\n"), ShellWrite("b", "x\n")]),
        ("sudo tee -a /etc/hosts <<EOF\nx\nEOF", [ShellWrite("/etc/hosts", "x\n", appends=True)]),
        ("cat <<EOF | tee a\nx\nEOF", [ShellWrite("a", "x\n")]),
        ("echo 'K=1' > .env", [ShellWrite(".env", "K=1\n")]),
        ("echo -e 'a\\nb' >> f", [ShellWrite("f", "a\nb\n", appends=True)]),
        ("printf '%s\\n' one two > f", [ShellWrite("f", "one\ntwo\n")]),
        ("printf 'a\\tb\\n' > f", [ShellWrite("f", "a\tb\n")]),
        ("cat > run.sh <<EOF\necho $X $(date)\nEOF", [ShellWrite("run.sh", "echo ${...} ${...}\n")]),
        ("if true; then\ncat > f <<'EOF'\nx\nEOF\nfi", [ShellWrite("f", "x\n")]),
        ("N=a; echo hi > $N.txt", [ShellWrite("a.txt", "hi\n")]),
        ("python - <<EOF\nprint(1)\nEOF", []),
        ("cat a > b", []),
        ("ls > b", []),
        ("echo hi >&2", []),
        ("echo hi > /dev/null", []),
        ("echo hi > $UNKNOWN/x", []),
        ("git commit -m 'a > b'", []),
        ("ls", []),
        ("cat > a <<EOF\nnever ends", [ShellWrite("a", "never ends\n")]),
    ],
)
def test_texts_a_line_writes(command: str, written: list[ShellWrite]) -> None:
    assert list(written_by(command)) == written


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (f"echo '{'<p>' * 2_000}' > a.html", [ShellWrite("a.html", f"{'<p>' * 2_000}\n")]),
        (f"cat > a.html <<'EOF'\n{'<p>' * 2_000}\nEOF", [ShellWrite("a.html", f"{'<p>' * 2_000}\n")]),
        (f"echo hi {'2>&1 ' * 1_000}> a.txt", []),
    ],
)
def test_angles_of_a_text_are_no_redirections(command: str, written: list[ShellWrite]) -> None:
    assert list(written_by(command)) == written


@pytest.mark.parametrize("unit", ["a<b>", "a > b ", "echo a>b<c", "x 2>&1 "])
def test_very_many_redirections_are_not_followed(unit: str) -> None:
    assert calls(lambda: written_by(unit * 4_000)) < 100


@given(st.text(alphabet=st.sampled_from("cat tee echo<>|&;'\"$(){}\nEOF\0\1`\\-"), max_size=80))
@settings(deadline=None)
def test_any_line_is_taken(command: str) -> None:
    assert isinstance(written_by(command), tuple)
