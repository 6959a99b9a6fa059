"""A foreign value reaches a dangerous call."""

from __future__ import annotations

import pytest

from leeboard.model.event import SessionStarted, ToolCall, ToolFinished, ToolProposed
from leeboard.model.ledger import Entry, Kind
from leeboard.model.lookup import NO_FILES
from leeboard.model.outcome import Judged
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import read_rule
from leeboard.rules import injection
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

RULES = (read_rule(injection),)
WORLD = World(
    session=Session(id="s"),
    agent=AgentState(),
    analysis=Analysis(event=SessionStarted(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)
FLASK = "from flask import Flask, request\nimport os, sqlite3, subprocess\napp = Flask(__name__)\n"


class Flags:
    """A registry that holds what was said."""

    def __init__(self, *keys: str) -> None:
        self._rows = tuple(Entry(kind="flag", key=key, turn=0, text="...") for key in keys)

    def find(self, kind: Kind, keys: object) -> tuple[Entry, ...]:
        del kind, keys
        return ()

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return self._rows[:limit] if kind == "flag" else ()


def handler(*lines: str, path: str = "src/app.py") -> Diff:
    body = "".join(f"    {line}\n" for line in lines)
    return whole(f'{FLASK}\n\n@app.route("/x")\ndef view():\n{body}', path)


def whole(text: str, path: str = "src/app.py") -> Diff:
    return Diff(path=path, after=text, before="", added=((1, text.count("\n") + 1),))


def found(*diffs: Diff, proposed: bool = False, flags: tuple[str, ...] = ()) -> list[Finding]:
    call = ToolCall(id="c", tool="Write", action="write", paths=tuple(diff.path for diff in diffs))
    event: ToolProposed | ToolFinished = ToolFinished(session="s", call=call, outcome="done")
    if proposed:
        event = ToolProposed(session="s", call=call)
    return list(injection.detect(event, WORLD, diffs, Flags(*flags), NO_FILES))


def one(*diffs: Diff) -> Finding:
    (finding,) = found(*diffs)
    return finding


@pytest.mark.parametrize(
    ("diff", "confidence", "message"),
    [
        (
            handler("sqlite3.connect('x').execute(f\"SELECT * FROM t WHERE n = '{request.args['n']}'\")"),
            0.92,
            "User input from request.args['n'] (line 8) reaches SQL unescaped at src/app.py:8. Pass it as a parameter",
        ),
        (handler("os.system('git checkout ' + request.args['b'])"), 0.92, "reaches a shell command unescaped"),
        (handler("exec(request.form['code'])"), 0.92, "reaches code"),
        (handler("subprocess.run('ls ' + request.args['d'], shell=True)"), 0.92, "list of arguments"),
        (handler("return '<b>' + request.args['n']"), 0.92, "reaches HTML"),
        (
            handler("return open('/srv/' + request.args['n']).name.upper() and {}"),
            0.92,
            "stays inside the intended folder",
        ),
        (handler("import pickle", "pickle.loads(request.data)"), 0.92, "deserialiser"),
        (whole(f'{FLASK}@app.route("/<n>")\ndef f(n):\n    os.system("ls " + n)\n'), 0.90, "parameter 'n' (line 4)"),
        (
            whole('def f(conn, n):\n    conn.execute("SELECT * FROM t WHERE n = \'" + n + "\'")\n'),
            0.65,
            "Unchecked parameter",
        ),
        (whole("def f():\n    eval(thing.text)\n"), 0.60, "A value of unknown origin reaches code"),
        (
            whole("import os, sys\nos.system('rm ' + sys.argv[1])\n"),
            0.50,
            "sys.argv[1] (line 2) reaches a shell command",
        ),
        (
            whole("import yaml\nyaml.load(open('a'))\n"),
            0.70,
            "yaml.load() is unsafe at src/app.py:2. Use yaml.safe_load.",
        ),
        (whole("import os\nos.chmod('a', 0o777)\n"), 0.60, "os.chmod() is unsafe"),
    ],
)
def test_it_fires(diff: Diff, confidence: float, message: str) -> None:
    """SW-62 to SW-66; P1, P4 of the labelled cases."""
    finding = one(diff)
    assert finding.confidence == confidence
    assert message in finding.message
    assert len(finding.message.split()) < 40
    assert finding.signal is not None
    assert (finding.signal.subclass, finding.signal.rework_cost, finding.signal.self_correct_prob) == ("B2", 2, 0.8)


@pytest.mark.parametrize(
    "diff",
    [
        handler("sqlite3.connect('x').execute('SELECT * FROM t WHERE n = ?', (request.args['n'],))"),
        handler("sqlite3.connect('x').execute('SELECT * FROM t WHERE n = %s', [request.args['n']])"),
        handler("User.query.filter_by(name=request.args['n']).first()"),
        handler("subprocess.run(['git', 'checkout', request.args['b']])"),
        handler("sqlite3.connect('x').execute(f\"SELECT * FROM t WHERE id = {int(request.args['id'])}\")"),
        handler("import shlex", "os.system('ls ' + shlex.quote(request.args['d']))"),
        handler("n = request.args['n']", "if n not in ('a', 'b'):", "    return 'no'", "os.system('ls ' + n)"),
        handler("import re", "n = request.args['n']", "if re.fullmatch(r'[a-z]+', n):", "    os.system('ls ' + n)"),
        handler("return render_template('x.html', n=request.args['n'])"),
        whole("TABLE = 'users'\ndef f(conn):\n    conn.execute(f'SELECT * FROM {TABLE}')\n"),
        whole("import ast\ndef f(x):\n    return ast.literal_eval(x)\n"),
        whole("import logging\ndef f(x):\n    logging.info('SELECT ' + x)\n"),
        whole("# eval(request.args['x'])\n", "docs/notes.md"),
        whole("def f(x):\n    eval(x)\n", "vendor/lib/x.py"),
        whole("def f(:\n  eval(", "src/half.json"),
    ],
)
def test_it_stays_silent(diff: Diff) -> None:
    """SW-67, SW-69; N1 to N4, N7 of the labelled cases."""
    assert found(diff) == []


def test_a_script_of_our_own_people_counts_half() -> None:
    """SW-68, O-4, N5: 2 x 0.8 by the formula, no floor."""
    finding = one(
        whole("import os\ndef run(config):\n    os.system('deploy ' + config['target'])\n", "scripts/nightly.py")
    )
    assert finding.confidence == 0.5
    assert found(handler("os.system(request.args['x'])", path="scripts/serve.py"))[0].confidence == 0.92


def test_a_test_is_only_logged() -> None:
    """N6."""
    finding = one(handler("os.system('ls ' + request.args['n'])", path="tests/test_app.py"))
    assert finding.signal is not None
    assert finding.signal.log_only == "test fixture"


@pytest.mark.parametrize(
    ("text", "path", "note"),
    [
        ("class Repl:\n    def feed(self, source):\n        exec(source, self.names)\n", "src/x.py", "run code"),
        ("def interact():\n    eval(input('> '))\n", "src/x.py", "run code"),
        ("class Template:\n    def fill(self, s):\n        exec(compile(s, 'f', 'exec'))\n", "src/x.py", "run code"),
        ("def go(s):\n    eval(s)\n", "src/console.py", "run code"),
        ("def go(s):\n    eval(s)\n", "src/reply.py", ""),
        ("def answer(formula):\n    return eval(formula)\n", "src/sheet.py", ""),
        ("def f(v):\n    op.execute(f\"UPDATE t SET a = '{v}'\")\n", "alembic/versions/1a2b3c4d_x.py", "migration"),
        ("def f(v):\n    op.execute(f\"UPDATE t SET a = '{v}'\")\n", "src/fill.py", ""),
        (
            "def f(conn):\n    conn.execute(f\"DELETE FROM t WHERE a = '{slug(row.n)}'\")\n",
            "app/migrations/0002_x.py",
            "migration",
        ),
    ],
)
def test_what_nobody_sends_or_what_is_meant_to_run_is_only_logged(text: str, path: str, note: str) -> None:
    finding = one(whole(text, path))
    assert finding.signal is not None
    assert note in finding.signal.log_only
    assert bool(note) is bool(finding.signal.log_only)


HELPERS = {
    "a file of a folder (go)": (
        "src/state.go",
        (
            "package state\n\nfunc read(dir, name string) ([]byte, error) {\n"
            '\treturn os.ReadFile(filepath.Join(dir, name+".json"))\n}\n'
        ),
    ),
    "a line for the shell (go)": (
        "src/run.go",
        'package run\n\nimport "os/exec"\n\nfunc sh(line string) error {\n\treturn exec.Command("sh", "-c", line).Run()\n}\n',
    ),
    "an address (go)": (
        "src/get.go",
        (
            'package get\n\nimport "net/http"\n\nfunc get(address string) (*http.Response, error) {\n'
            "\treturn http.Get(address)\n}\n"
        ),
    ),
    "a page (ts)": (
        "src/show.ts",
        "export function show(box: HTMLElement, text: string) {\n  box.innerHTML = `<b>${text}</b>`;\n}\n",
    ),
    "an address (ts)": ("src/get.ts", "export async function load(url: string) {\n  return fetch(url);\n}\n"),
    "a runner (py)": ("src/run.py", "import subprocess\ndef run(line):\n    subprocess.run(line, shell=True)\n"),
    "a line for the shell in a script (py)": (
        "scripts/git.py",
        "import os\ndef go(branch):\n    os.system(f'git switch {branch}')\n",
    ),
    "the name of a table (py)": ("src/db.py", "def count(conn, table):\n    conn.execute(f'SELECT 1 FROM {table}')\n"),
    "its own cache (py)": ("src/c.py", "import pickle\ndef load(f):\n    return pickle.load(f)\n"),
}


@pytest.mark.parametrize("name", HELPERS)
def test_a_parameter_of_a_plain_function_is_no_attacker(name: str) -> None:
    """On record, and nobody is interrupted: in real sessions these were helpers of command-line tools."""
    path, text = HELPERS[name]
    notes = [finding.signal.log_only for finding in found(whole(text, path)) if finding.signal]
    assert notes
    assert all(
        "no outside caller is visible" in note or "own people" in note or "runs the machine" in note for note in notes
    )
    assert {signal.disposition for signal in judged("@ add a helper", f"write {path} | {text}")} == {"LOG"}


OUTSIDE = {
    "a route (py)": f'{FLASK}@app.route("/<n>")\ndef f(n):\n    os.system("ls " + n)\n',
    "a route that calls a helper (py)": f"{FLASK}def go(line):\n    os.system(line)\n\n\n"
    "@app.route('/x')\ndef view():\n    go(request.args['l'])\n",
    "a loader of what was sent (py)": f"{FLASK}import pickle\n@app.route('/x')\ndef f():\n    pickle.loads(request.data)\n",
    "a value in a query (py)": 'def f(conn, n):\n    conn.execute("SELECT * FROM t WHERE n = \'" + n + "\'")\n',
    "code (py)": "def answer(formula):\n    return eval(formula)\n",
    "a word of a line for the shell (py)": "import os\ndef go(branch):\n    os.system(f'git switch {branch}')\n",
    "a loader that is unsafe by its name (py)": "import yaml\ndef load(f):\n    return yaml.load(f)\n",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_comes_from_outside_or_is_wrong_for_any_caller_is_spoken_of(name: str) -> None:
    assert all(finding.signal and not finding.signal.log_only for finding in found(whole(OUTSIDE[name])))
    assert judged("@ add it", f"write src/app.py | {OUTSIDE[name]}")[0].disposition in {"QUEUE", "FIRE"}


def test_a_console_over_the_web_is_no_excuse() -> None:
    finding = one(handler("exec(request.form['code'], names.__dict__)", path="src/console.py"))
    assert finding.confidence == 0.92
    assert finding.signal is not None
    assert finding.signal.log_only == ""


@pytest.mark.parametrize("name", ["DEFAULT", "Role.ADMIN.value", "consts.DEFAULT"])
def test_constants_of_other_modules_are_no_source(name: str) -> None:
    text = f"from app import DEFAULT, Role, consts\ndef f(conn):\n    conn.execute(f\"DELETE FROM t WHERE a = '{{{name}}}'\")\n"
    assert found(whole(text)) == []


def test_more_sinks_and_more_files_cost_more() -> None:
    """SW-70, P5."""
    two = found(handler("os.system(request.args['a'])", "eval(request.args['b'])"))
    assert {finding.signal.rework_cost for finding in two if finding.signal} == {3}
    three = found(*(handler("eval(request.args['b'])", path=f"src/{name}.py") for name in "abc"))
    assert [finding.signal.rework_cost for finding in three if finding.signal] == [4, 4, 4]


def test_before_the_call_only_what_is_denied() -> None:
    sure, unsure = handler("eval(request.args['b'])"), whole("def f(x):\n    eval(x)\n", "src/b.py")
    assert [finding.path for finding in found(sure, unsure, proposed=True)] == ["src/app.py"]
    assert len(found(sure, unsure)) == 2


def test_only_what_this_change_wrote_counts() -> None:
    text = f"{FLASK}def f():\n    x = request.args['x']\n    y = 1\n    eval(x)\n"
    assert found(Diff(path="a.py", after=text, before="old", added=((6, 6),))) == []
    assert len(found(Diff(path="a.py", after=text, before="old", added=((5, 5),)))) == 1
    assert len(found(Diff(path="a.py", after=text, before="old", added=((7, 7),)))) == 1
    assert found(Diff(path="a.py", after=text)) == []


def test_the_subject_survives_moved_lines() -> None:
    first = one(handler("eval(request.args['b'])"))
    moved = one(handler("a = 1", "eval(request.args['b'])"))
    assert first.subject == moved.subject == "src/app.py:view:code:eval"
    assert first.line != moved.line


def test_a_piece_of_a_file_is_read_where_it_stands() -> None:
    text = "        name = request.args['n']\n        os.system('ls ' + name)\n"
    assert len(found(Diff(path="src/a.py", after=text, added=((1, 2),), fragment=True))) == 1


def test_the_trace_names_what_was_said() -> None:
    (finding,) = found(handler("eval(request.args['b'])"), flags=("RF-B4",))
    texts = [evidence.text for evidence in finding.evidence]
    assert texts[0].startswith("User input from request.args['b']")
    assert any(text.startswith("B2: code sink eval") for text in texts)
    assert any(text.startswith("RF-B4") for text in texts)
    assert found(whole("x = 1\n"), flags=("RF-B2",)) == []


def test_a_failed_call_wrote_nothing() -> None:
    call = ToolCall(id="c", tool="Write", action="write")
    event = ToolFinished(session="s", call=call, outcome="failed")
    assert list(injection.detect(event, WORLD, (handler("eval(request.args['b'])"),), Flags(), NO_FILES)) == []


def judged(*lines: str) -> list[Judged]:
    store = MemoryStore()
    play(lines, store=store, rules=RULES)
    return list(store.signals(SESSION))


def test_a_sure_one_fires_at_once() -> None:
    """P1: above 0.85."""
    signals = judged("@ add a search", 'write src/u.py | os.system("ping " + request.args["host"])')
    assert signals[0].disposition == "FIRE"


def test_an_unsure_one_is_queued() -> None:
    """P4, SW-71: 0.6 is floored at QUEUE."""
    signals = judged("@ add a helper", "write src/u.py | eval(thing.text)")
    assert [signal.disposition for signal in signals] == ["QUEUE"]


HABIT = "".join(
    f"def find_{n}(db, name):\n    db.execute(f\"SELECT * FROM t{n} WHERE name = '{{name}}'\")\n\n\n" for n in range(8)
)


def test_one_habit_of_a_file_is_told_once_with_the_lines_of_the_others() -> None:
    findings = found(whole(HABIT))
    spoken = [one for one in findings if one.signal and not one.signal.log_only]
    assert [one.line for one in spoken] == [2]
    assert spoken[0].message.endswith("The same at lines 6, 10, 14, 18, 22 and 2 more.")
    assert {one.signal.log_only for one in findings[1:] if one.signal} == {"told once for the file, at line 2"}
    assert len({one.subject for one in findings}) == 8


def test_a_habit_of_the_file_is_no_excuse_for_a_new_line() -> None:
    before = HABIT.rpartition("def find_7")[0]
    diff = Diff(path="src/app.py", after=HABIT, before=before, added=((29, 31),))
    (finding,) = found(diff)
    assert finding.line == 30
    assert finding.signal is not None
    assert not finding.signal.log_only
