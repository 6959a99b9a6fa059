"""A value of unknown origin is the program's own where the file sets its name, and anybody's where nothing does."""

from __future__ import annotations

import pytest

from leeboard.security.taint.doubts.made_here import is_made_here


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("os.system('ping ' + host)\n", False),
        ("host = lookup()\nos.system('ping ' + host)\n", False),
        ("def lookup(): return 'a'\nhost = lookup()\nos.system('ping ' + host)\n", True),
        ("host = 'a' + DOMAIN\nos.system('ping ' + host)\n", True),
        ("log = shlex.quote(made)\nos.system('cat ' + given + ' > ' + log)\n", False),
        ("os.system(self.command)\n", True),
        ("for name in settings.REMOVED:\n    exec('from %s import *' % name)\n", True),
        ("os.system('ping ' + host)\nif host == 'a': pass\n", False),
        ("os.system('du ' + shlex.quote(folder) + ' ' + rest)\n", True),
        ("eval(text)\n", False),
        ("subprocess.run(line, shell=True)\n", False),
        ("subprocess.run(\n    line,\n    shell=True)\n", False),
        ("line = ' '.join(made)\nsubprocess.run(\n    line,\n    shell=True)\n", True),
    ],
)
def test_what_sets_a_name(text: str, is_own: bool) -> None:  # noqa: FBT001 - a column
    line = next(
        number
        for number, one in enumerate(text.split("\n"), 1)
        if "(" in one and "lookup" not in one and "made" not in one
    )
    assert is_made_here(text, line) == is_own
