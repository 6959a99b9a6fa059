"""The features in what a call writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.feature import planned_words, units_of, words_of
from leeboard.model.touch import Diff
from tests.call_count import calls


def diff(path: str, text: str, before: str | None = None, removed: str = "") -> Diff:
    return Diff(path=path, after=text, before=before, added=((1, text.count("\n") + 1),), removed=removed)


@pytest.mark.parametrize(
    ("path", "line", "kind", "name"),
    [
        ("a.py", '@app.route("/users")', "route", "/users"),
        ("a.py", "@router.get('/users/{id}')", "route", "/users/{id}"),
        ("urls.py", 'path("users/", views.users),', "route", "users/"),
        ("a.js", "app.get('/users', list)", "route", "/users"),
        ("a.ts", "router.post(`/users`, create)", "route", "/users"),
        ("a.go", 'mux.HandleFunc("/users", users)', "route", "/users"),
        ("a.go", 'r.GET("/users", users)', "route", "/users"),
        ("A.java", '@GetMapping("/users")', "route", "/users"),
        ("A.cs", 'app.MapGet("/users", Users);', "route", "/users"),
        ("routes.rb", "get '/users', to: 'users#index'", "route", "/users"),
        ("web.php", "Route::get('/users', 'x');", "route", "/users"),
        ("a.py", 'p.add_argument("-f", "--format", default="x")', "flag", "format"),
        ("a.py", '@click.option("--dry-run", is_flag=True)', "flag", "dry-run"),
        ("a.go", 'cmd.Flags().StringVar(&f, "format", "", "x")', "flag", "format"),
        ("a.go", 'flag.Bool("verbose", false, "x")', "flag", "verbose"),
        ("a.ts", "program.option('-f, --format <x>', 'y')", "flag", "format"),
        ("a.rb", 'opts.on("-f", "--format X") { }', "flag", "format"),
        ("a.rs", 'Arg::new("format")', "flag", "format"),
        ("a.py", 'sub.add_parser("doctor")', "command", "doctor"),
        ("a.go", 'Use: "doctor"', "command", "doctor"),
        ("a.py", '@cli.command("doctor")', "command", "doctor"),
        ("a.py", 'x = os.environ.get("REGION")', "setting", "REGION"),
        ("a.js", "const r = process.env.REGION", "setting", "REGION"),
        ("a.rb", 'ENV.fetch("REGION")', "setting", "REGION"),
        ("a.tsx", "<Button onClick={f}>Export all</Button>", "control", "Export all"),
        ("a.sql", "CREATE TABLE IF NOT EXISTS audit (", "table", "audit"),
        ("a.rb", "create_table :audits do |t|", "table", "audits"),
        ("a.sql", "ALTER TABLE users ADD COLUMN age int;", "column", "age"),
        ("a.py", "op.add_column('users', sa.Column('age', sa.Integer()))", "column", "age"),
        ("a.js", "cron.schedule('0 3 * * *', cleanup)", "job", "0 3 * * *"),
        ("package.json", '    "left-pad": "^1.3.0",', "dependency", "left-pad"),
        ("requirements.txt", "requests==2.0", "dependency", "requests"),
        ("go.mod", "\tgithub.com/spf13/cobra v1.8.0", "dependency", "github.com/spf13/cobra"),
        ("Cargo.toml", 'serde = "1.0"', "dependency", "serde"),
    ],
)
def test_a_feature(path: str, line: str, kind: str, name: str) -> None:
    (unit,) = units_of(diff(path, line))
    assert (unit.kind, unit.name, unit.path, unit.line) == (kind, name, path, 1)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "def helper(): pass"),
        ("a.py", '# p.add_argument("--format")'),
        ("tests/test_a.py", 'p.add_argument("--format")'),
        ("README.md", 'p.add_argument("--format")'),
        ("a.py", 'requests.get("https://example.org/users")'),
        ("a.js", "cache.get('/users')"),
        ("a.js", "fetch('/users')"),
        ("a.js", "map.get('format')"),
        ("a.py", 'os.environ["GITHUB_TOKEN"]'),
        ("a.py", 'os.environ.get("HOME")'),
        ("", 'p.add_argument("--format")'),
        ("node_modules/x/a.js", "app.get('/users', list)"),
        ("a.py", "x" * 500 + ' p.add_argument("--format")'),
    ],
)
def test_no_feature(path: str, line: str) -> None:
    assert units_of(diff(path, line)) == ()


def test_a_job_is_named_by_its_function() -> None:
    (unit,) = units_of(diff("a.py", "@shared_task\ndef nightly_digest():\n    pass"))
    assert (unit.kind, unit.name) == ("job", "nightly_digest")


def test_what_was_there_is_not_new() -> None:
    line = "p.add_argument('--format')"
    assert units_of(diff("a.py", f"{line}\n", before=f"{line}  # old\n")) == ()
    assert units_of(diff("a.py", f"{line}, x", removed=line)) == ()
    assert len(units_of(diff("a.py", line, before="'{}'.format(x)"))) == 1


def test_one_feature_twice_is_one() -> None:
    assert len(units_of(diff("a.py", "p.add_argument('--format')\nq.add_argument('--format')"))) == 1


def test_words_of_a_name() -> None:
    assert words_of("/api/v2/users/:id") == ("user",)
    assert words_of("/") == ()


@pytest.mark.parametrize(
    ("sentence", "planned"),
    [
        ("I should also add a retries option.", ("retry",)),
        ("I'll also include a dashboard page.", ("dashboard", "page")),
        ("I should also add error handling.", ()),
        ("I'll also add a test.", ()),
        ("I'll also rename x.", ()),
        ("", ()),
    ],
)
def test_what_is_planned(sentence: str, planned: tuple[str, ...]) -> None:
    found = planned_words(sentence)
    assert found == planned or (planned and len(found) == len(planned))


@given(st.text(max_size=300))
def test_any_text_is_fine(text: str) -> None:
    assert all(unit.line for unit in units_of(diff("a.py", text)))


def test_one_under_another_spelling_was_there() -> None:
    assert units_of(diff("a.py", '@app.get("/users/")', before='@app.get("/api/users")')) == ()


@pytest.mark.parametrize("known", [True, False])
def test_twice_the_features_are_twice_the_work(known: bool) -> None:  # noqa: FBT001 - a case of the table
    """Held against the file as it was before, whether it had them or not."""

    def work(count: int) -> int:
        new, old = (
            "\n".join(f"@app.get('/{kind}{at}x')" for at in range(count))
            for kind in ("part", "part" if known else "other")
        )
        return calls(lambda: units_of(diff(f"a{count}.py", new, before=old)))

    work(10)
    once, twice = work(500), work(1_000)
    assert twice <= 2.2 * once
