from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.surfaces._line_names import LONGEST, LineNames

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


@given(st.text(max_size=60), st.text(alphabet="abc*?[].-/", min_size=1, max_size=20))
def test_no_line_and_no_name_raises(command: str, name: str) -> None:
    LineNames(command, "/nowhere", ["/nowhere"]).has(f"/nowhere/{name}")
