"""Scripts of the session's own, read as lines."""

from __future__ import annotations

from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.scripts import run_scripts
from tests.shell.losses.told_ground import told_ground


def read(line: str, made: str = "/repo/go.sh") -> list[str]:
    lists = {"/repo/go.sh": ("cd drafts", "rm one.md"), "/repo/go.py": ("print(1)",)}
    return [*run_scripts(line, shell_effects(line, "/repo"), told_ground(lists=lists, made=made))]


def test_a_script_is_read_however_it_is_run() -> None:
    for line in ("sh go.sh", "bash -x ./go.sh now", ". ./go.sh", "./go.sh"):
        assert read(line) == ["cd drafts\nrm one.md"], line
    assert read("python3 go.py", "/repo/go.py") == ["python3 -c 'print(1)'"]


def test_a_recipe_is_read_with_what_it_needs_and_so_is_a_script_of_the_line_itself() -> None:
    recipe = "D = drafts\nall: clean\n\t@echo $$HOME\nclean:\n\t-rm -rf $(D)\n"
    line = f"cat > Makefile <<'X'\n{recipe}X\nmake"
    assert read(line) == ["cd /repo\nrm -rf drafts", "cd /repo\necho $HOME"]
    assert read(line.replace("\nmake", "\nmake -n")) == []
    assert read("printf 'rm a\\n' > go && sh go") == ["rm a\n"]
    packed = '{"scripts": {"preclean": "echo", "clean": "rm -rf drafts"}}'
    assert read(f"echo '{packed}' > package.json && npm run clean") == ["echo", "rm -rf drafts"]


def test_a_script_that_is_not_run_or_not_the_sessions_is_not_read() -> None:
    for line in ("cat go.sh", "sh -n go.sh", "sh -c 'ls'", "python3 -m go"):
        assert read(line) == [], line
    assert read("sh go.sh", made="/repo/other.sh") == []
