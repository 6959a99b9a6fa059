from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.plan.stamps import LONGEST, LineNames

FILES = {
    "gen.sh": "#!/bin/sh\ncat head > knowledge/index.md\n",
    "build.py": "open('knowledge/' + name, 'w')\n",
    "Makefile": "docs:\n\tpython3 tools/make_docs.py\n",
    "tools/make_docs.py": "TARGET = 'index.md'\n",
    "package.json": '{"scripts": {"gen": "node write.mjs index.md"}}\n',
    "notes.md": "see index.md\n",
    "reader.py": "print(open('notes.md').read())\n",
    "long.sh": "#" * LONGEST + "\nindex.md\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    (tmp_path / "gen.sh").write_text(FILES["gen.sh"])
    return tmp_path / "repo"


@pytest.mark.parametrize(
    ("command", "is_named"),
    [
        ("render docs/index.md", True),
        ("render index.md.", True),
        ("render myindex.md index.md.bak index.mdx", False),
        ("./gen.sh", True),
        ("cd tools && sh ../gen.sh", True),
        ("timeout 9 env A=1 ./gen.sh", True),
        ("sh -c ./gen.sh", True),
        ("../gen.sh", False),
        ("python3 build.py", False),
        ("make docs", True),
        ("make -C tools", False),
        ("python3 tools/make_docs.py", True),
        ("python3 -m tools.make_docs", True),
        ("npm run gen", True),
        ("python3 reader.py", False),
        ("sh long.sh", False),
        ("sed -i s/a/b/ knowledge/*.md", True),
        ("cd knowledge && for f in *.md; do touch $f; done", True),
        ("sed -i s/a/b/ *.md", False),
        ("sed -i s/a/b/ other/*.md knowledge/*.txt", False),
        ("git diff --stat > knowledge/ind$(date +%F).md", True),
        ("git diff --stat > knowledge/in`date +%F`.md", True),
        ("touch knowledge/${PART}dex.md knowledge/$OTHER.txt", True),
        ("git diff --stat > knowledge/diff-$(date +%F).md", False),
        ("touch $A/index$B knowledge/$NAME.md $ALL", False),
        ("make -v; pytest --version", False),
    ],
)
def test_a_file_is_named_by_the_line_or_by_what_it_runs(tree: Path, command: str, *, is_named: bool) -> None:
    if command.startswith("make -v"):
        (tree / "Makefile").write_text("all:\n")
    assert LineNames(command, str(tree), [str(tree)]).has(f"{tree}/knowledge/index.md") is is_named


@pytest.mark.parametrize(("command", "is_named"), [("run the plan", False), ("run knowledge/plan", True)])
def test_a_bare_word_needs_its_folder(tree: Path, command: str, *, is_named: bool) -> None:
    assert LineNames(command, str(tree), [str(tree)]).has(f"{tree}/knowledge/plan") is is_named


@pytest.mark.parametrize(
    ("command", "is_given"),
    [
        ("pytest -q --junitxml=knowledge/index.md", True),
        ("pytest -q --junitxml knowledge/index.md", True),
        ("cd knowledge; pytest --junitxml=index.md", True),
        ("tool --to='knowledge/index.md' src", True),
        ("tool -o knowledge/index.md", True),
        ("pytest -q knowledge/index.md", False),
        ("pytest --junitxml=index.md", False),
        ("pytest --junitxml=other/index.md", False),
        ("x--junitxml=knowledge/index.md", False),
        ("./gen.sh", False),
    ],
)
def test_a_file_is_given_to_a_program_to_write_to(tree: Path, command: str, *, is_given: bool) -> None:
    assert LineNames(command, str(tree), [str(tree)]).gives(f"{tree}/knowledge/index.md") is is_given


@given(st.text(max_size=60), st.text(alphabet="abc*?[].-/", min_size=1, max_size=20))
def test_no_line_and_no_name_raises(command: str, name: str) -> None:
    names = LineNames(command, "/nowhere", ["/nowhere"])
    names.has(f"/nowhere/{name}")
    names.gives(f"/nowhere/{name}")
