"""Only what an agent brings in is held against it: through the real hooks, in a real repository with old faults in it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from leeboard.surfaces import edge
from tests.hooked_agent import HookedAgent, run
from tests.leak import live_key

OLD_PAGE = """\
from flask import Flask, request
import sqlite3
import hashlib

app = Flask(__name__)


@app.route("/search")
def search():
    rows = sqlite3.connect("a.db").execute("SELECT * FROM u WHERE n = '" + request.args["n"] + "'")
    return str(list(rows))


def store(password):
    return hashlib.md5(password.encode()).hexdigest()
"""
OLD_LINE = """    rows = sqlite3.connect("a.db").execute("SELECT * FROM u WHERE n = '" + request.args["n"] + "'")"""
NEW_FLOW = """

@app.route("/delete")
def delete():
    sqlite3.connect("a.db").execute("DELETE FROM u WHERE n = '" + request.args["n"] + "'")
    return "gone"
"""


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    (place / "page.py").write_text(OLD_PAGE, encoding="utf-8")
    (place / "keys.py").write_text(f'STRIPE_API_KEY = "{live_key(1)}"\n', encoding="utf-8")
    assert run(place, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
    return place


@pytest.fixture
def agent(repo: Path) -> HookedAgent:
    made = HookedAgent(repo)
    made.prompt("tidy up page.py and keys.py and what belongs to them")
    for name in ("page.py", "keys.py"):
        made.read(name)
    return made


def at_stop(agent: HookedAgent) -> str:
    """What keeps the agent from stopping; empty where nothing does."""
    payload = {
        "session_id": agent.session,
        "cwd": str(agent.repo),
        "hook_event_name": "Stop",
        "stop_hook_active": False,
    }
    answer = edge.answer(msgspec.json.encode(payload), agent.env)
    return str(msgspec.json.decode(answer).get("reason", "")) if answer else ""


def rest(agent: HookedAgent) -> str:
    """All that waits is said by then: turns pass, and the agent stops."""
    words = [agent.end_turn() for _ in range(4)]
    return "".join(words) + at_stop(agent)


TOUCHED = OLD_LINE.replace("SELECT * FROM u", "SELECT id, n FROM u")


def test_an_old_flow_on_a_line_that_an_edit_touches_is_not_the_agents(agent: HookedAgent) -> None:
    answer = agent.edit("page.py", OLD_LINE, TOUCHED)
    assert not answer.denied
    assert answer.words + rest(agent) == ""


def test_nor_where_the_file_is_written_whole(agent: HookedAgent) -> None:
    answer = agent.write("page.py", OLD_PAGE.replace(OLD_LINE, TOUCHED).replace("return str(", "return repr("))
    assert not answer.denied
    assert answer.words + rest(agent) == ""


def test_nor_where_a_shell_line_writes_it(agent: HookedAgent) -> None:
    text = OLD_PAGE.replace(OLD_LINE, TOUCHED)
    answer = agent.bash(f"cat > page.py <<'EOF'\n{text}EOF")
    assert not answer.denied
    assert answer.words + rest(agent) == ""


def test_nor_where_its_function_is_renamed(agent: HookedAgent) -> None:
    answer = agent.edit("page.py", f"def search():\n{OLD_LINE}", f"def find_users():\n{TOUCHED}")
    assert not answer.denied
    assert answer.words + rest(agent) == ""


VIEWS = """\
from flask import request
from flask.views import MethodView
from app import db


class Members(MethodView):
    def get(self):
        return db.session.execute("SELECT * FROM u WHERE n = '" + request.args["n"] + "'")
"""
SERVER = """\
const app = require("express")();
const db = require("mysql").createConnection({});
app.get("/search", (req, res) => {
  db.query("SELECT * FROM u WHERE n = '" + req.query.n + "'");
});
"""
NAMED_ANEW = [
    ("views.py", VIEWS, VIEWS.replace("class Members", "class People").replace("SELECT *", "SELECT id")),
    ("server.js", SERVER, SERVER.replace("/search", "/find").replace("SELECT *", "SELECT id")),
]


@pytest.mark.parametrize(("path", "text", "changed"), NAMED_ANEW)
def test_nor_where_its_class_or_route_is_renamed(agent: HookedAgent, path: str, text: str, changed: str) -> None:
    (agent.repo / path).write_text(text)
    assert run(agent.repo, "git add -A && git commit -qm more").returncode == 0
    agent.read(path)
    assert not agent.write(path, changed).denied
    assert "injection" not in rest(agent)


@pytest.mark.parametrize(("path", "text", "changed"), NAMED_ANEW)
def test_a_second_class_or_route_is_the_agents(agent: HookedAgent, path: str, text: str, changed: str) -> None:
    (agent.repo / path).write_text(text)
    assert run(agent.repo, "git add -A && git commit -qm more").returncode == 0
    agent.read(path)
    head, mark, _old = text.partition("class" if path.endswith(".py") else "app.get")
    assert agent.write(path, head + mark + changed.partition(mark)[2] + text.removeprefix(head)).denied


def test_an_old_weakness_on_a_touched_line_is_not_the_agents(agent: HookedAgent) -> None:
    answer = agent.edit(
        "page.py",
        "def store(password):\n    return hashlib.md5(password.encode()).hexdigest()",
        "def kept(password):\n    return hashlib.md5(password.encode('utf-8')).hexdigest()",
    )
    assert answer.words + rest(agent) == ""


def test_an_old_secret_on_a_touched_line_is_not_the_agents(agent: HookedAgent) -> None:
    answer = agent.edit("keys.py", "STRIPE_API_KEY =", "STRIPE_KEY =")
    assert not answer.denied
    assert answer.words + rest(agent) == ""


def test_a_new_flow_beside_an_old_one_is_refused(agent: HookedAgent) -> None:
    answer = agent.edit("page.py", "\n\ndef store(", f"{NEW_FLOW}\n\ndef store(")
    assert answer.denied
    assert "request.args" in answer.words


def test_a_new_secret_beside_an_old_one_is_refused(agent: HookedAgent) -> None:
    answer = agent.edit("keys.py", "STRIPE_API_KEY", f'OTHER_API_KEY = "{live_key(2)}"\nSTRIPE_API_KEY')
    assert answer.denied
    assert "OTHER_API_KEY" in answer.words


def test_a_new_weakness_beside_an_old_one_is_told(agent: HookedAgent) -> None:
    agent.edit(
        "page.py",
        "\n\ndef store(",
        "\n\ndef check_password(password):\n    return hashlib.sha1(password.encode()).hexdigest()\n\n\ndef store(",
    )
    assert "SHA-1" in rest(agent)


def test_a_new_flow_that_is_taken_out_again_leaves_only_the_old_one_and_that_holds_nobody_up(
    agent: HookedAgent,
) -> None:
    """They lie in one function, into one kind of call: only their number tells them apart."""
    second = OLD_LINE.replace("rows", "more").replace('request.args["n"]', "sys.argv[1]")
    agent.edit("page.py", "import hashlib", "import hashlib\nimport sys")
    assert not agent.edit("page.py", OLD_LINE, f"{OLD_LINE}\n{second}").denied
    agent.edit("page.py", f"{OLD_LINE}\n{second}", OLD_LINE)
    assert rest(agent) == ""


def test_an_import_that_makes_an_earlier_edit_dangerous_brings_it_up(agent: HookedAgent) -> None:
    code = """

@app.route("/ping")
def ping():
    run_line("ping " + request.args["host"])
    return "sent"
"""
    assert not agent.edit("page.py", "\n\ndef store(", f"{code}\n\ndef store(").denied
    answer = agent.edit("page.py", "import hashlib", "import hashlib\nfrom os import system as run_line")
    assert answer.denied
    assert "request.args" in answer.words


CHECK = """    if host not in ("a", "b"):
        return "no"
"""
CALL = """    os.system("ping " + host)
"""
CHECKED = f"""\
import os
from flask import Flask, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    host = request.args["host"]
{CHECK}{CALL}    return "sent"
"""


@pytest.mark.parametrize(
    ("old", "new", "denied"),
    [
        (CHECK, "", True),
        (CHECK + CALL, CALL + CHECK, True),
        ('    return "sent"\n', "", False),
    ],
    ids=["taken out", "behind the call", "of another line"],
)
def test_a_check_that_is_gone_makes_what_it_held_up_the_agents(
    agent: HookedAgent, old: str, new: str, *, denied: bool
) -> None:
    (agent.repo / "ping.py").write_text(CHECKED)
    assert run(agent.repo, "git add -A && git commit -qm more").returncode == 0
    agent.read("ping.py")
    assert agent.edit("ping.py", old, new).denied is denied
