from __future__ import annotations

import pytest

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.programs.python import examine

IMPORTS = "import os, shutil, subprocess, io, sys, urllib.request\nfrom pathlib import Path\n"


@pytest.mark.parametrize(
    ("code", "touches"),
    [
        ("os.remove('a'); os.unlink('b')", [("delete", "a"), ("delete", "b")]),
        ("os.rename('a', 'b')", [("delete", "a"), ("write", "b")]),
        ("os.replace(src='a', dst='b')", [("delete", "a"), ("write", "b")]),
        ("shutil.copy('a', 'b')", [("read", "a"), ("write", "b")]),
        ("shutil.move('a', 'b')", [("delete", "a"), ("write", "b")]),
        ("shutil.rmtree('a')", [("delete", "a")]),
        ("open('a', mode)", [("write", "a")]),
        ("os.makedirs('a'); os.listdir('b')", []),
        ("io.open('a', 'wb'); open(1, 'w')", [("write", "a")]),
        (
            "Path('a').write_text('x'); Path('b').touch(); Path('c').unlink()",
            [("write", "a"), ("write", "b"), ("delete", "c")],
        ),
        ("Path('a').read_text().replace('x', 'y')", [("read", "a")]),
        ("Path('a').rename('b')", [("delete", "a"), ("write", "b")]),
        ("Path('a').open('w'); Path('b').open()", [("write", "a"), ("read", "b")]),
        ("os.symlink('a', 'b'); os.truncate('c', 0)", [("write", "b"), ("write", "c")]),
        ("os.chdir('s')\nopen('/a', 'w')", [("write", "/a")]),
        ("os.chdir('s')\nopen('a', 'w')", [("write", UNKNOWN)]),
    ],
)
def test_calls_that_name_their_files(code: str, touches: list[tuple[str, str]]) -> None:
    effects = examine(IMPORTS + code)
    assert (effects.touches, effects.opaque) == (touches, False)


@pytest.mark.parametrize(
    "code",
    [
        "os.remove(x)",
        "exec('x')",
        "__import__('x')",
        "x.write_text('a')",
        "x.unlink()",
        "x.rename('b')",
        "os.system(x)",
        "os.execv('a', [])",
        "subprocess.run(x)",
        "subprocess.run(['ls'], cwd='x')",
        "fig.savefig('a')",
        "shutil.unpack_archive('a')",
    ],
)
def test_calls_nobody_can_follow(code: str) -> None:
    assert examine(IMPORTS + code).opaque


def test_programs_are_handed_on() -> None:
    effects = examine(
        IMPORTS + "os.system('rm a')\nsubprocess.run('rm b', shell=True)\nsubprocess.run([sys.executable, '-c', x])"
    )
    assert effects.lines == ["rm a", "rm b"]
    assert effects.commands == [["python", "-c", UNKNOWN]]


def test_fetching_is_network() -> None:
    effects = examine(IMPORTS + "urllib.request.urlretrieve('u', 'f')\nurllib.request.urlopen('u')")
    assert effects.network
    assert effects.touches == [("write", "f")]
