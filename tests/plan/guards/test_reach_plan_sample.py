from __future__ import annotations

import pytest

from leeboard.plan.guards.reach import samples
from leeboard.shell.expansion import TEMPORARY

CHANGED = {
    "sed -i s/a/b/ src/*.py": ["/r/src/x.py"],
    "sed -i s/a/b/ src/**/test_?.py": ["/r/src/xx/test_x.py"],
    "rm src/*.py": ["/r/src/x.py"],
    "rm test_*.py": ["/r/test_x.py"],
    "cd src && perl -pi -e s/a/b/ old/*.py": ["/r/src/old/x.py"],
    "for f in src/*.py tests/*.py; do sed -i s/a/b/ $f; done": ["/r/src/x.py", "/r/tests/x.py"],
    "find src lib -name '*.py' -exec sed -i s/a/b/ {} +": ["/r/src/x.py", "/r/lib/x.py"],
    "find src | xargs sed -i s/a/b/": ["/r/src/x"],
    'find src -type f | while read f; do sed -i s/a/b/ "$f"; done': ["/r/src/x"],
    "grep -rl foo src | sort | xargs sed -i s/foo/bar/": ["/r/src/x"],
    "sed -i s/foo/bar/ $(grep -rl -e foo src)": ["/r/src/x"],
    "rg -l foo -g '*.py' | xargs perl -pi -e s/foo/bar/": ["/r/x"],
    "rg -l foo src; cd /u && find . -name a.py -exec sed -i s/a/b/ {} +": ["/u/a.py"],
    "cp src/*.py lib/": ["/r/lib/x.py"],
}
SILENT = (
    "cat src/*.py",
    "ls src/*.py | wc -l",
    "cp src/*.py /elsewhere/",
    "sed -i s/a/b/ src/a.py",
    'sed -i s/a/b/ "$W"/src/*.py',
    "rm -rf $D",
    "for f in src/*.py; do cat $f; done",
    "for f in src/*.py; do cp $f $D; done",
    "for u in $(ls trees); do sed -i s/a/b/ $u/a.py; done",
    "cd $W && sed -i s/a/b/ src/*.py",
    "find . -path './trees/one/*' -exec sed -i s/a/b/ {} +",
    "find $W -name '*.py' -exec sed -i s/a/b/ {} +",
    "find src -name '*.py' -exec grep -l foo {} +",
    "find src -name '*.py' | xargs -I{} cp {} $D",
    "grep -rn foo src | head; sed -i s/a/b/ $F",
    "grep -rl foo $W/src | xargs sed -i s/foo/bar/",
    "git diff --name-only | xargs sed -i s/a/b/",
)


@pytest.mark.parametrize("command", CHANGED)
def test_one_file_stands_for_all_that_a_line_changes(command: str) -> None:
    inside = [touch.path for touch in samples(command, "/r") if not touch.path.startswith(TEMPORARY)]
    assert list(dict.fromkeys(inside)) == CHANGED[command]


@pytest.mark.parametrize("command", SILENT)
def test_nothing_is_said_of_what_nobody_can_tell(command: str) -> None:
    assert not [touch for touch in samples(command, "/r") if touch.path.startswith(("/r", "/u"))]
