"""What moved and weighs what it weighed is not new; what weighs more at its new place, or lost who let it stand, is."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.brought import scan_change
from leeboard.app.scan.change import ChangeOptions, find_change
from leeboard.app.scan.work import Terms
from tests.git_repository import GitRepository
from tests.leak import live_key

APP = "from flask import Flask, request\nimport os\napp = Flask(__name__)\n"
ROUTE = '@app.route("/run")\ndef run():\n    os.system("ls " + request.args["x"])\n'
ALLOW = "    # leeboard: allow LB-B201 only the people of this machine call it\n"
LET = ROUTE.replace("    os.system", f"{ALLOW}    os.system")
HELPER = 'def run(x):\n    os.system("ls " + x)\n'
FIXED = f'def go():\n    cmd = "ls"\n{ALLOW}    os.system(cmd)\n'
PASSWORD = f'password = "Zk3Jq8Wm{2}Xv7Tn5B"\n'
SHOWN = f'def f():\n    """How it is called.\n\n    Example:\n\n        {PASSWORD}    """\n'
KEY = f'k = "{live_key(1)}"\n'

Files = dict[str, str]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return GitRepository(tmp_path / "repo")


def told(repo: GitRepository, base: Files, now: Files) -> list[str]:
    """The files in which more than a line of a log is found, the same for what is staged as for the whole change."""
    for name, text in base.items():
        repo.write(name, text)
    repo.commit()
    for name in base.keys() - now.keys():
        repo.remove(name)
    for name, text in now.items():
        repo.write(name, text)
    repo.run("add", "-A")
    first, second = (_found(repo, options) for options in (ChangeOptions(base="HEAD"), ChangeOptions(staged=True)))
    assert first == second
    return first


def _found(repo: GitRepository, options: ChangeOptions) -> list[str]:
    (change,) = find_change((str(repo.path),), options, {})
    scanned = scan_change(change, Terms(), 1)
    return [item.name for one in scanned for item in one.found if item.disposition != "LOG"]


@pytest.mark.parametrize(
    ("base", "now"),
    [
        pytest.param(
            {"src/app.py": APP, "tests/test_app.py": APP + ROUTE},
            {"src/app.py": APP + ROUTE, "tests/test_app.py": APP},
            id="out of a test",
        ),
        pytest.param({"tests/test_app.py": APP + ROUTE}, {"src/app.py": APP + ROUTE}, id="a test renamed"),
        pytest.param({"notes.txt": APP + ROUTE}, {"src/app.py": APP + ROUTE}, id="notes renamed"),
        pytest.param(
            {"src/app.py": APP, "tests/test_app.py": APP + PASSWORD},
            {"src/app.py": APP + PASSWORD, "tests/test_app.py": APP},
            id="a password of a test",
        ),
        pytest.param(
            {"src/app.py": APP, "docs/a.md": f"# A\n```\n{KEY}```\n"},
            {"src/app.py": APP + KEY, "docs/a.md": "# A\n"},
            id="a key out of a document",
        ),
        pytest.param(
            {"src/app.py": APP, "src/b.py": APP + LET},
            {"src/app.py": APP + ROUTE, "src/b.py": APP},
            id="without its comment",
        ),
        pytest.param({"src/app.py": APP + LET}, {"src/app.py": APP + ROUTE}, id="only the comment went"),
        pytest.param(
            {"src/app.py": APP, "lib.py": f"import os\n{HELPER}"},
            {"src/app.py": f'{APP}@app.route("/r/<x>")\n{HELPER}', "lib.py": "import os\n"},
            id="a helper behind a route",
        ),
        pytest.param(
            {"src/app.py": APP + FIXED},
            {
                "src/app.py": APP
                + LET.replace("    #", '    cmd = request.args["x"]\n    #').replace('"ls " + re', "re")
            },
            id="a comment moved to another call",
        ),
        pytest.param(
            {"src/app.py": APP + FIXED},
            {"src/app.py": APP + FIXED.replace('"ls"', 'request.args["x"]')},
            id="another value under a comment",
        ),
        pytest.param(
            {"src/app.py": SHOWN},
            {"src/app.py": SHOWN.replace(f"        {PASSWORD}", "") + PASSWORD},
            id="an example became code",
        ),
    ],
)
def test_what_weighs_more_where_it_is_now_is_new(repo: GitRepository, base: Files, now: Files) -> None:
    assert told(repo, base, now) == ["src/app.py"]


@pytest.mark.parametrize(
    ("base", "now"),
    [
        pytest.param(
            {"src/app.py": APP, "src/b.py": APP + ROUTE},
            {"src/app.py": APP + ROUTE, "src/b.py": APP},
            id="within the product",
        ),
        pytest.param({"src/b.py": APP + ROUTE + KEY}, {"src/c.py": APP + ROUTE + KEY}, id="renamed"),
        pytest.param(
            {"src/b.py": f"{APP}{ROUTE}\n\ndef g():\n    return 3\n"},
            {"src/c.py": f"{APP}{ROUTE.replace('run', 'go')}\n\ndef g():\n    return 4\n"},
            id="renamed with its function",
        ),
        pytest.param({"src/b.py": APP + LET}, {"src/c.py": APP + LET}, id="renamed with its comment"),
        pytest.param(
            {"src/app.py": APP, "src/b.py": APP + LET},
            {"src/app.py": APP + LET, "src/b.py": APP},
            id="with its comment",
        ),
        pytest.param({"src/b.py": APP + LET}, {"src/b.py": f"{APP}x = 1\n{LET}"}, id="below a new line"),
        pytest.param({"src/b.py": APP + FIXED}, {"src/b.py": APP + FIXED.replace("go", "gone")}, id="nothing to let"),
        pytest.param({"src/a.py": PASSWORD, "src/b.py": APP}, {"src/b.py": APP + PASSWORD}, id="a password"),
        pytest.param({"tests/test_a.py": ROUTE + KEY}, {"tests/test_b.py": ROUTE + KEY}, id="among tests"),
        pytest.param({"src/a.py": APP + KEY}, {"tests/test_a.py": APP + KEY}, id="to the tests"),
    ],
)
def test_what_weighs_what_it_weighed_has_moved(repo: GitRepository, base: Files, now: Files) -> None:
    assert told(repo, base, now) == []
