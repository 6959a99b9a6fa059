"""What the goal judge looks at, and what it takes for the work: played through the whole pipeline."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import TextEdit, ToolCall, ToolProposed
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

WORK = (
    "@ fix the login: people are signed out after a minute",
    "grep expiry -> src/auth/token.py:3: expiry = 60",
    "read src/auth/token.py -> expiry = 60\nrefresh_token = True",
    "edit src/auth/token.py | expiry = 60 => expiry = 3600",
    "read src/auth/session.py -> session_expiry = 60",
    "edit src/auth/session.py | session_expiry = 60 => session_expiry = 3600",
)
LOOKED = "read src/billing/invoice.py -> invoice_total = 1"


def spoken(*lines: str) -> list[str]:
    return [verdict.message for verdict in play((*WORK, *lines)).spoken()]


def test_the_work_itself_is_left_in_peace() -> None:
    assert not spoken()


@pytest.mark.parametrize(
    "line",
    [
        "$ rm -rf legacy",
        "$ rm -rf src/billing docs/archive",
        "$ git rm -r src/billing",
        "$ mv src/billing/invoice.py archive/invoice.py",
        "$ sed -i s/invoice_total/total/ src/billing/invoice.py",
        "$ cat > src/billing/invoice.py <<'EOF'\ninvoice_total = 2\nEOF",
        "edit src/billing/invoice.py | invoice_total = 1 => invoice_total = 2",
    ],
)
def test_however_it_is_done_a_change_that_nothing_led_to_is_spoken_of(line: str) -> None:
    second = "edit src/billing/tax.py | tax_rate = 1 => tax_rate = 2"
    assert spoken(line) or spoken(line, second)


@pytest.mark.parametrize(
    "line",
    [
        "$ rm -rf legacy",
        "$ rm -r src/billing",
        "$ cd src && rm -fr billing",
        "$ sudo /bin/rm -rf vendor/legacy",
        "$ git rm -rq src/billing",
        "$ rmdir legacy",
        "$ mv src/billing /tmp/gone",
        "$ bash -c 'rm -rf src/billing'",
        "$ find src/billing -delete",
        "$ trash src/billing",
        "$ python3 -c \"import shutil; shutil.rmtree('src/billing')\"",
        "$ git clean -fdx src/billing",
    ],
)
def test_a_folder_that_nothing_led_to_is_not_deleted_in_silence(line: str) -> None:
    assert spoken(line)


UNNAMED = [
    "$ rm -rf src/billing/*",
    "$ cd src/billing && rm -rf *",
    "$ git rm -q src/billing/*.py",
    "$ find src/billing -name '*.py' -delete",
    "$ find src/billing -name '*.py' -exec rm -f {} \\;",
    "$ find src/billing -name '*.py' -print0 | xargs -0 rm -f",
    "$ git ls-files src/billing | xargs git rm",
    "$ rm $(git ls-files src/billing)",
    '$ for f in src/billing/*.py; do rm "$f"; done',
    '$ find src/billing -type f | while read f; do rm "$f"; done',
    "$ perl -e 'unlink \"src/billing/invoice.py\"'",
    "$ perl -e 'unlink glob \"src/billing/*.py\"'",
    "$ python3 -c \"import os; os.unlink('src/billing/invoice.py')\"",
    "$ python3 -c \"import pathlib; [p.unlink() for p in pathlib.Path('src/billing').glob('*.py')]\"",
    "$ node -e \"require('fs').rmSync('src/billing', {recursive: true})\"",
    "$ ruby -e 'File.delete(\"src/billing/invoice.py\")'",
]


@pytest.mark.parametrize("line", UNNAMED)
def test_what_is_deleted_without_being_named_is_weighed_as_what_is(line: str) -> None:
    edited = play((*WORK, LOOKED, "edit src/billing/invoice.py | a => b")).proposed()[-1].score
    assert spoken(line)
    assert play((*WORK, LOOKED, line)).proposed()[-1].score <= edited


@pytest.mark.parametrize(
    "line",
    [
        "$ rm -rf dist/*",
        "$ find src/billing -name '*.pyc' -delete",
        "$ find src/billing -name __pycache__ | xargs rm -rf",
        "$ rm -f /tmp/work/*",
        '$ out=$(mktemp); grep -r total src/billing > $out; rm "$out"',
        '$ rm -rf "$BUILD_DIR"/*',
    ],
)
def test_what_is_not_of_another_work_may_go_unnamed(line: str) -> None:
    assert not spoken(line)


@pytest.mark.parametrize(
    "line",
    [
        "$ rm -rf node_modules",
        "$ rm -rf dist build",
        "$ find dist -delete",
        "$ find . -name '*.pyc' -delete",
        "$ rm -rf __pycache__ .pytest_cache",
        "$ rm coverage.out",
        "$ rm -f /tmp/out.log",
        "$ rm src/auth/token.py",
    ],
)
def test_what_running_things_left_and_what_is_the_work_may_be_deleted(line: str) -> None:
    assert not spoken(line)


def test_a_deletion_is_judged_no_milder_than_an_edit() -> None:
    edited = play((*WORK, LOOKED, "edit src/billing/invoice.py | a => b")).proposed()[-1].score
    deleted = play((*WORK, LOOKED, "$ rm src/billing/invoice.py")).proposed()[-1].score
    assert deleted <= edited


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/deploy.yml",
        ".circleci/config.yml",
        "azure-pipelines.yml",
        ".travis.yml",
        "Jenkinsfile",
        "Makefile",
        "docker-compose.yml",
        "tsconfig.json",
    ],
)
@pytest.mark.parametrize("change", ["edit {} | on: push => on: workflow_dispatch", "$ sed -i s/push/dispatch/ {}"])
def test_build_configuration_is_not_free_for_having_been_read(path: str, change: str) -> None:
    lines = (WORK[0], f"read {path} -> on: push", *WORK[1:], change.format(path))
    assert play(lines).proposed()[-1].score < 10


def test_a_delegation_does_not_launder() -> None:
    store = MemoryStore()
    play((*WORK, "tool Task | tidy the invoices"), store=store)
    call = ToolCall(
        id="toolu_sub",
        tool="Edit",
        action="edit",
        paths=("src/billing/invoice.py",),
        edits=(TextEdit("a = 1", "a = 2"),),
    )
    event = ToolProposed(session=SESSION, cwd=ROOT, agent="a01", call=call)
    first = tell(event, store)
    other = replace(event, call=replace(call, id="toolu_sub2", paths=("src/shipping/label.py",)))
    second = tell(other, store)
    assert first is not None
    assert second is not None
    assert min(first.score, second.score) < 8


def test_a_name_in_the_request_leads_to_where_it_is_defined() -> None:
    defined = "repo lib/text/words.py | def slugify(title):\n    return title.lower()"
    request = "@ slugify drops umlauts, keep them"
    other = "edit lib/text/paths.py | a => b"
    change = "edit lib/text/words.py | return title.lower() => return title.casefold()"
    assert play((defined, request, other, change)).proposed()[-1].score == 10


@pytest.mark.parametrize(
    "request_", ["@ tidy up the code base", "@ clean up the whole project", "@ refactor the code."]
)
def test_of_the_whole_repository_nothing_is_foreign(request_: str) -> None:
    edits = ("edit src/auth/token.py | a => b", "edit lib/okapi/zebra.py | c => d", "edit docs/guide.md | e => f")
    assert not play((request_, *edits)).spoken()


DRIFT = ("edit src/styles/theme.css | black => navy", "edit src/styles/button.css | grey => teal")


@pytest.mark.parametrize(
    "words",
    [
        "that's fine, keep the colour, and make the buttons bigger",
        "yes, keep it",
        "fine by me",
        "leave the theme as it is now",
        "I like the new colours",
        "no problem, that can stay",
        "looks good, go on",
    ],
)
def test_what_the_newest_words_approve_is_part_of_the_work(words: str) -> None:
    assert spoken(*DRIFT)
    after = play((*WORK, *DRIFT, f"@ {words}", "edit src/styles/theme.css | navy => blue"))
    assert after.proposed()[-1].score == 10


@pytest.mark.parametrize("words", ["why did you touch the styles?", "that was wrong"])
def test_what_takes_back_is_no_approval(words: str) -> None:
    played = play((*WORK, *DRIFT, f"@ {words}", "edit src/styles/theme.css | red => blue"))
    assert played.proposed()[-1].score < 10


@pytest.mark.parametrize("words", ["undo that, keep to the login", "no, revert the colours"])
def test_an_order_to_undo_covers_what_is_undone_alone(words: str) -> None:
    undone = play((*WORK, *DRIFT, f"@ {words}", "edit src/styles/theme.css | navy => black"))
    assert undone.proposed()[-1].score == 10
    more = play(
        (*WORK, *DRIFT, f"@ {words}", "edit src/shipping/label.py | a => b", "edit src/shipping/box.py | c => d")
    )
    assert more.proposed()[-1].score < 10


def test_a_run_that_is_spoken_of_names_all_that_makes_it_one() -> None:
    files = ("src/auth/token.ts", "src/styles/theme.css", "src/components/Button.tsx")
    played = play(("@ fix auth bug", *(f"write {file} | const value = 1" for file in files)))
    (message,) = [verdict.message for verdict in played.spoken()]
    assert files[1] in message
    assert files[2] in message


def test_what_is_enough_alone_drags_nothing_else_along() -> None:
    assert "src/auth/" not in spoken(DRIFT[0])[0].partition("Goal:")[0]


def test_a_correction_names_the_heaviest_facts_and_the_trace_all_of_them() -> None:
    played = play((*WORK, "$ rm -rf legacy"))
    message = played.spoken()[0].message
    weighed = [line for line in played.proposed()[-1].trace if line.startswith("scope_drift +0: ")]
    told = next(line for line in message.splitlines() if line.startswith("scope_drift: legacy"))
    reasons = told.removeprefix("scope_drift: ").partition(": ")[2].split("; ")
    assert 2 <= len(reasons) <= 3
    assert all(any(line.endswith(reason) for line in weighed[2:5]) for reason in reasons), (
        "the heaviest, in whole words"
    )
    assert len(weighed) > 4
