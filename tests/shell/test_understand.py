"""Whole lines, from text to effects: AD-31, an Edit and a shell line are told the same way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.model.touch import ShellEffects
from leeboard.shell.scope import Effects, ShellScope
from leeboard.shell.source import ShellSource
from leeboard.shell.tree import Walk
from leeboard.shell.understand import perform, plain_command, understand


def told(line: str, cwd: str = "") -> str:
    effects = understand(line, cwd)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    # redirections
    ("echo hi > a", "write:a"),
    ("echo hi >> a", "write:a"),
    ("echo hi >| a", "write:a"),
    ("make_nothing > a", "write:a opaque"),
    ("ls 2> err", "write:err"),
    ("ls &> all", "write:all"),
    ("ls &>> all", "write:all"),
    ("ls >& all", "write:all"),
    ("ls > out 2>&1", "write:out"),
    ("ls > /dev/null 2>&1", ""),
    ("ls >&2 2>&-", ""),
    ("sort < in > out", "read:in write:out"),
    ("> empty", "write:empty"),
    (": > empty", "write:empty"),
    ("echo a > f b c", "write:f"),
    ("> f echo hi", "write:f"),
    ("{ ls; pwd; } > f", "write:f"),
    ("(ls; pwd) >> f", "write:f"),
    ("exec > log 2>&1", "write:log"),
    ("cat <<< hello > f", "write:f"),
    ("cat > f <<< hello", "write:f"),
    ("echo hi > 'a b'", "write:a b"),
    ("echo hi > a\\ b", "write:a b"),
    ('echo hi > "x;y"', "write:x;y"),
    ("echo 'a > b'", ""),
    ("echo hi > $UNSET", "opaque"),
    ("echo hi > out-$(date).txt", "opaque"),
    ("echo hi > *.txt", "opaque"),
    ("echo é > ü.txt", "write:ü.txt"),
    ("echo '😀' && echo x > ñ && rm 日本", "write:ñ delete:日本"),
    # here-documents
    ("cat > f <<EOF\nhi > no\nEOF", "write:f"),
    ("cat <<'EOF' > f && rm b\n$(rm no)\nEOF", "write:f delete:b"),
    ("cat > f <<EOF\n$(rm yes)\nEOF", "delete:yes write:f"),
    ("cat <<-EOF | tee f\n\thi\n\tEOF\nrm b", "write:f delete:b"),
    ("cat <<A <<B > o\n1\nA\n2\nB\nrm x", "write:o delete:x"),
    ("cat <<EOF; rm b\nx\nEOF", "delete:b"),
    ("cat > f <<EOF\nnever ends", "write:f opaque"),
    ("bash <<'EOF'\nrm b", "delete:b"),
    ("cat <<EOF\n$(rm b)", "delete:b opaque"),
    ("cat <<E\\OF\nx\nEOF\nrm b", "delete:b"),
    ("cat <<$X\nx\n$X\nrm b", "delete:b"),
    ('git commit -m "$(cat <<\'EOF\'\nit\'s (one) "quoted" `thing`\nEOF\n)"', ""),
    ("(cat <<EOF\nx\nEOF\n) > f", "write:f"),
    ("echo $((1<<2)) > f", "write:f"),
    # order, groups, branches, loops
    ("touch a && touch b || touch c; touch d", "write:a write:b write:c write:d"),
    ("(touch a); { touch b; }", "write:a write:b"),
    ("touch a & touch b", "write:a write:b"),
    ("! touch a", "write:a"),
    ("if test -f a; then rm a; elif true; then rm b; else rm c; fi", "delete:a delete:b delete:c"),
    ("case $1 in a) rm x;; *) rm y;; esac", "delete:x delete:y"),
    ("for f in a b; do cat $f; done", "read:a read:b"),
    ("for f in a b; do rm $f; done", "delete:a delete:b"),
    ("for f in a $b; do rm $f; done", "opaque"),
    ("for i in 1 2; do echo $i >> log; done", "write:log"),
    ('while read l; do rm "$l"; done < in', "read:in opaque"),
    ("while true; do touch a; break; done", "write:a"),
    ("for ((i=0;i<3;i++)); do touch f$i; done", "opaque"),
    ("f() { rm x; }; f", "delete:x"),
    ("f() { rm x; }", ""),
    ("function f { rm $1; }; f a", "delete:a"),
    ("f() { f; f; }; f", "opaque"),
    ("x=$(rm a); y=`rm b`", "delete:a delete:b"),
    ('echo "$(cat a)" "${z:-$(cat b)}"', "read:a read:b"),
    ("diff <(cat a) <(sort b)", "read:a read:b"),
    ("ls | tee >(cat > f) > /dev/null", "write:f"),
    ("[ a > b ]", "write:b"),
    ("[[ a > b ]] && touch c", "write:c"),
    ("ls | xargs echo | cat - a", "read:a"),
    # directories
    ("cd sub && sed -i s/a/b/ x.py", "write:sub/x.py"),
    ("cd sub && echo x >> y.py", "write:sub/y.py"),
    ("cd sub && true && echo x > y.py", "write:sub/y.py"),
    ("cd sub; cd ..; touch x", "write:x"),
    ("(cd sub; touch x); touch y", "write:sub/x write:y"),
    ("cd sub & touch y", "write:y"),
    ("cd sub | touch y", "write:y"),
    ("cd /abs && touch x", "write:/abs/x"),
    ("cd - && touch x", "opaque"),
    ("cd $DIR && cat x && touch /tmp/y", "write:/tmp/y"),
    ("cd $DIR; touch x", "opaque"),
    ("cd && touch x", "write:~/x"),
    ("cd ~/p && touch ../x", "write:~/x"),
    ("cd a || exit 1; touch x", "write:a/x"),
    ("cd a || cd b; touch x", "opaque"),
    ("cd a || { mkdir a && cd a; }; touch x", "write:a/x"),
    ("[ -d a ] && cd a; touch x", "opaque"),
    ("if true; then cd a; fi; touch x", "opaque"),
    ("if true; then cd a; else cd a; fi; touch x", "write:a/x"),
    ("for i in 1 2; do cd a; touch x; done", "write:a/x opaque"),
    ("pushd a; touch x; popd; touch y", "write:a/x write:y"),
    ("popd; touch y", "opaque"),
    ('rm ~/a $HOME/b "${HOME}/c" ~/d/../../e', "delete:~/a delete:~/b delete:~/c delete:~/../e"),
    ("rm '~/a'", "delete:./~/a"),
    # variables
    ("F=a.txt; echo > $F", "write:a.txt"),
    ("D=src F=a; touch $D/${F}.py", "write:src/a.py"),
    ('export D=src && touch "$D/x"', "write:src/x"),
    ("F='a b'; rm $F", "delete:a delete:b"),
    ("IFS=_; F='a b'; rm $F", "opaque"),
    ("F='a b'; touch x > $F", "write:x opaque"),
    ("F='a b'; rm \"$F\"", "delete:a b"),
    ("F=a touch $F", "opaque"),
    ("F=a; F=b; touch $F", "write:b"),
    ("F=a; unset F; touch $F", "opaque"),
    ("F=a; if true; then F=b; fi; touch $F", "opaque"),
    ("F=a; (F=b); touch $F", "write:a"),
    ("F=a; read F; touch $F", "opaque"),
    ("F=(a b); rm ${F[0]}", "delete:a"),
    ('F=(a "b c"); F+=(d); rm "${F[@]}"', "delete:a delete:b c delete:d"),
    ('declare -a F=(a b); rm "${F[1]}"', "delete:b"),
    ('F=(a *.py); rm "${F[@]}"', "delete:a opaque"),
    ('set -- a "b c"; rm "$2"', "delete:b c"),
    ('set -e; rm "$@"', "opaque"),
    ("read F <<< a; touch $F", "write:a"),
    ("IFS=, read F G <<< a,b; touch $G", "write:b"),
    ("echo a b | xargs rm", "delete:a delete:b"),
    ("printf '%s\\n' a b | while read -r F; do rm $F; done", "delete:a delete:b"),
    ("env -C s rm a", "delete:s/a"),
    ("rm ${F:-a}", "opaque"),
    ("F=a; rm ${F:-b}", "delete:a"),
    ("F=$(pwd)/a; touch $F", "opaque"),
    ("F=$(mktemp -d) && touch $F/a", "write:/tmp/x/a"),
    ('cd "$(mktemp -d)" && touch a', "write:/tmp/x/a"),
    ("F=$(mktemp -p src); touch $F", "opaque"),
    ("F=$(mktemp src/XXXX); touch $F", "opaque"),
    ("touch src/{a,b}.py x{,.bak}", "write:src/a.py write:src/b.py write:x write:x.bak"),
    ("touch f{1..3}", "opaque"),
    ("touch $'a\\tb'", "write:a\tb"),
    # shells in shells
    ("bash -c 'rm a; cd s; rm b'; rm c", "delete:a delete:s/b delete:c"),
    ('sh -c "rm $F"', "opaque"),
    ("bash -lc 'rm a'", "delete:a"),
    ("eval 'cd s'; rm b", "delete:s/b"),
    ("bash <<'EOF'\nrm a\nEOF", "delete:a"),
    ("echo 'rm a' | bash", "delete:a"),
    ("cat script | bash", "read:script opaque"),
    ("bash script.sh", "opaque"),
    ("trap 'rm -f t' EXIT; cd s", "delete:s/t"),
    ('eval "rm $X"', "opaque"),
    ("while x=$(rm a); do break; done", "delete:a"),
    ("source env.sh", "opaque"),
    (". .venv/bin/activate && pytest", ""),
    # not a shell text
    ("", ""),
    ("   \n", ""),
    ("# only a comment", ""),
    ("echo 'unfinished", "opaque"),
    ("if true; then", "opaque"),
    ("touch a )", "write:a opaque"),
    ("a\0b", "opaque"),
    ("touch \ud800", "opaque"),
    ("((((((((((", "opaque"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected


def test_paths_are_absolute_where_the_start_is_known() -> None:
    line = "cat a ../b && cd s && touch c $PWD/d $(pwd)/e /x//y && rm -r ./f/ ~/g"
    assert told(line, "/w/p") == (
        "read:/w/p/a read:/w/b write:/w/p/s/c write:/w/p/s/d write:/w/p/s/e write:/x/y delete:/w/p/s/f delete:~/g"
    )


PROGRAMS = [
    ("git -C x commit -m 'y' && git push", ("git commit", "git push")),
    ("/usr/bin/python3 x.py", ("python3",)),
    ("npm install x; npm run build", ("npm install", "npm run")),
    ("ls; ls -l; pwd", ("ls", "pwd")),
    ("sudo -u me env A=1 rm x", ("sudo", "env", "rm")),
    ("python -m pytest -q", ("python", "pytest")),
    ("find . -exec grep x {} +", ("find", "grep")),
    ("bash -c 'ls | wc'", ("bash", "ls", "wc")),
    ("A=1 make test", ("make",)),
    ("$X y", ()),
]


@pytest.mark.parametrize(("line", "programs"), PROGRAMS)
def test_programs_are_named(line: str, programs: tuple[str, ...]) -> None:
    assert understand(line).programs == programs


LISTING = [
    "ls",
    "ls -la src | head",
    "tree -L 2",
    "find . -name '*.py' | sort | wc -l",
    "git status -s",
    "git ls-files",
]
LISTING += [
    "git diff --stat HEAD",
    "git diff --name-only | grep -v x",
    "rg --files",
    "fd -e py",
    "cd src && ls",
    "time ls",
]
NOT_LISTING = ["pwd", "cat a", "ls; cat a", "ls > f", "find . -delete", "find . -exec cat {} +", "git diff", "git log"]
NOT_LISTING += ["ls | xargs cat", "rg foo", "grep -v x a", "ls | grep -f a", "", "fd -x rm", "head", "ls | python x.py"]


@pytest.mark.parametrize("line", LISTING)
def test_a_line_that_only_lists_names(line: str) -> None:
    assert understand(line).listing


@pytest.mark.parametrize("line", NOT_LISTING)
def test_a_line_that_does_more_than_list(line: str) -> None:
    assert not understand(line).listing


def test_text_too_long_is_opaque_and_names_the_first_program() -> None:
    effects = understand("ls '" + "x" * 300_000 + "'\ntouch a")
    assert effects == ShellEffects(opaque=True, unread=True, programs=("ls",))


def test_text_too_long_is_searched_for_what_takes_work_away() -> None:
    effects = understand("ls '" + "x" * 300_000 + "'\ntouch b\nrm a")
    assert effects.unread
    assert not effects.hides
    assert [touch.path for touch in effects.touches] == ["a"]
    assert understand(": $(" * 60 + "rm a" + ")" * 60).hides
    assert not understand(": $(" * 60 + "ls" + ")" * 60).hides


def test_a_long_here_document_is_read() -> None:
    body = "| a | b |\n" * 4_000
    assert told(f"cat > table.md <<'EOF'\n{body}EOF\nrm old.md") == "write:table.md delete:old.md"


NESTS = ["(", "$(", "{ ", "`", '"$(', "if ", "a|", "a&&", "a=(", "<<E\n", ">", "()", "?é", "bash -c '", "! ", "eval "]


@pytest.mark.parametrize("piece", NESTS)
def test_nesting_and_repetition_without_end(piece: str) -> None:
    for size in (50, 1_000, 30_000):
        understand(piece * size)
        understand(f"{piece * size}x{')' * size}")


SHELL_TEXT = st.lists(
    st.sampled_from(
        "a b.py > >> < | || && ; & ( ) { } $ ` ' \" \\ \n <<EOF EOF <<< $( ${ $(( )) [[ ]] if then fi for in do done while"
        " case esac cd rm mv sed -i git checkout -- python -c eval f() x= * ? ~ # é 😀".split(" ")
    ),
    max_size=25,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(st.text() | SHELL_TEXT | st.text(alphabet="a >|&;(){}$`'\"\\\n<=-*~\0\ud800", max_size=40))
def test_no_text_makes_it_fail(text: str) -> None:
    understand(text, "/w")


# The grammar takes `==` for an operator wherever a word begins with it, as a shell does in a test alone.
PLAIN_WORD = st.text(alphabet="abcxyz019._/-+=:@%é", min_size=1, max_size=8).filter(lambda word: word[:2] != "==")
PROGRAM = st.sampled_from("ls cat rm cp mv touch tee sed git grep sort find unknown make python npm mkdir head".split())


@settings(deadline=None)
@given(PROGRAM, st.lists(PLAIN_WORD, max_size=5))
def test_plain_commands_need_no_grammar_and_get_the_same_answer(program: str, words: list[str]) -> None:
    line = " ".join([program, *words])
    assert plain_command(line, ShellScope("")) is not None
    parsed = Effects()
    understood = understand(line)
    Walk(ShellSource(line, []), parsed, perform).walk(ShellScope(""))
    assert parsed.finished() == understood


JOINABLE = [
    line
    for line, expected in LINES
    if line.strip() and "opaque" not in expected
    if not any(mark in line for mark in ("cd", "pushd", "\n", "=", "#", "() {"))
]


def test_a_function_behind_a_pipe_is_not_lost_in_silence() -> None:
    """The grammar binds what follows `&&` into the pipe before it, where a definition ends with its subshell."""
    assert understand("ls | xargs echo | cat - a && f() { rm x; }; f").opaque


@settings(deadline=None)
@given(st.sampled_from(JOINABLE), st.sampled_from(JOINABLE))
def test_joined_lines_touch_what_both_touch(one: str, other: str) -> None:
    joined = understand(f"{one} && {other}")
    assert set(joined.touches) == {*understand(one).touches, *understand(other).touches}
    assert not joined.opaque
