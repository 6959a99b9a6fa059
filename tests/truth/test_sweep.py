from __future__ import annotations

import pytest

from leeboard.model.workspace import Workspace
from leeboard.shell.effects import shell_effects
from leeboard.truth.sweep import sweeps_of

ROOT = "/home/dev/shop"


def reached(line: str, path: str, cwd: str = ROOT) -> list[str]:
    return [one.words for one in sweeps_of(shell_effects(line, cwd), line, Workspace(ROOT)) if one.reaches(path)]


@pytest.mark.parametrize(
    ("line", "by"),
    [
        ("git checkout .", "git checkout"),
        ("git checkout -- .", "git checkout"),
        ("git checkout HEAD .", "git checkout"),
        ("git checkout -f main", "git checkout"),
        ("git reset -q --hard", "git reset"),
        ("sh -c 'git reset --hard HEAD~1'", "git reset"),
        ("git restore .", "git restore"),
        ("git restore '*.py'", "git restore"),
        ("git restore :/", "git restore"),
        ("git -C src restore .", "git restore"),
        ("git stash", "git stash"),
        ("git stash -q", "git stash"),
        ("git stash push -m later", "git stash"),
        ("git clean -fd", "git clean"),
        ("cd src && git checkout -- .", "git checkout"),
        ("rm -rf .", "rm"),
        ("rm -rf src", "rm"),
        ("rm -rf *", "rm"),
        ("rm -f src/*.py", "rm"),
        (f"rm -rf {ROOT}", "rm"),
        ("git switch -f main", "git switch"),
        ("git switch --discard-changes main", "git switch"),
        ("git rm -rqf .", "git rm"),
        ("git rm -f 'src/*.py'", "git rm"),
        ("git rm -rf src", "git rm"),
        ("git read-tree -u --reset HEAD", "git read-tree"),
        ("git checkout-index -fa", "git checkout-index"),
        ("git checkout-index --force --all", "git checkout-index"),
        ("git diff | git apply -R", "git apply"),
        ("git diff HEAD | git apply --reverse -", "git apply"),
        ("git diff -- src | git apply -R", "git apply"),
        ("git diff src/app.py | git apply -R", "git apply"),
        ("find . -name '*.py' -delete", "find -delete"),
        ("find src -type f -delete", "find -delete"),
        ("find -name app.py -delete", "find -delete"),
        ("find . -name '*.md' -o -name '*.py' -delete", "find -delete"),
        ("mv src/*.py ..", "mv"),
        ("mv * ../old", "mv"),
        ("mv /tmp/new/* src", "mv"),
        ("cp /tmp/new/* src/", "cp"),
        ("cp -t src /tmp/new/*.py", "cp"),
        ("sed -i s/a/b/ src/*.py", "sed -i"),
        ("sed -i.bak -e s/a/b/ src/app.p?", "sed -i"),
        ("sed -i 's/a$/b/' src/*", "sed -i"),
        ("sed --in-place s/a/b/ src/[a-c]*", "sed -i"),
        ("perl -pi -e s/a/b/ src/*.py", "perl -i"),
        ("perl -i -pe s/a/b/ src/*", "perl -i"),
        ("cd src && perl -pi.bak -e s/a/b/ *.py", "perl -i"),
    ],
)
def test_what_a_line_sweeps_away(line: str, by: str) -> None:
    assert reached(line, "src/app.py") == [by]


@pytest.mark.parametrize(
    "line",
    [
        "git checkout main",
        "git checkout -b other",
        "git reset",
        "git reset --soft HEAD~1",
        "git restore --staged .",
        "git restore docs",
        "git stash list",
        "git stash pop",
        "git stash push docs",
        "git clean -nd",
        "cd docs && git checkout -- .",
        "rm -f *.py",
        "rm -rf docs",
        "rm -f src/*.md",
        "git status",
        "git --git-dir /elsewhere/.git checkout .",
        "git checkout -- ':(exclude)src'",
        "",
        "rm",
        "git switch main",
        "git switch -c new",
        "git rm -rq .",
        "git rm -rf --cached .",
        "git rm -rf docs",
        "git read-tree HEAD",
        "git read-tree -m -u HEAD",
        "git checkout-index -a",
        "git checkout-index -fa --prefix=/tmp/out/",
        "git apply -R fix.patch",
        "git apply fix.patch",
        "git diff | git apply -R --check",
        "git diff --cached | git apply -R",
        "git diff main..other | git apply -R",
        "git diff -- docs | git apply -R",
        "git show HEAD | git apply -R",
        "find . -name '*.pyc' -delete",
        "find . -name '*.py'",
        "find docs -delete",
        "find . -type d -empty -delete",
        "find . ! -name '*.py' -delete",
        "find . -mtime +3 -delete",
        "find $WHERE -delete",
        "find",
        "mv src/app.py src/main.py",
        "mv docs/*.md old",
        "cp src/*.py /tmp/out",
        "cp -n /tmp/new/* src",
        "mv",
        "sed -n 1,3p src/*.py",
        "sed s/a/b/ src/*.py",
        "sed -i 's/src.*/b/' docs/a.md",
        "sed -i s/a/b/ docs/*",
        "for f in $(git ls-files); do sed -i s/a/b/ $f; done",
        "ls src | xargs sed -i s/a/b/",
        "sed -i s/a/b/ src/$X.py",
        "sed -i s/a/b/ 'src/*.py'",
        "sed -i",
        "perl -ne 'print' src/*.py",
        "perl -i",
    ],
)
def test_what_it_leaves_alone(line: str) -> None:
    assert reached(line, "src/app.py") == []
