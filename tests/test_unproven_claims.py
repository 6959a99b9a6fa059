"""Claims at the end of the work, through the real hook in real repositories: what keeps an agent going, and what does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checked_work import CheckedWork, Step, said_by

FILES = {"src/cart.py": "def total(items):\n    return sum(items)\n", "pyproject.toml": "[project]\nname = 'a'\n"}
ASKED: Step = ("say", "make total count empty carts")
EDIT: Step = ("edit", "src/cart.py", "sum(items)", "sum(items or ())")
AGAIN: Step = ("edit", "src/cart.py", "items or ()", "items or []")
NOTES: Step = ("write", "README.md", "# Cart\n")


def run(line: str, output: str, code: str = "0") -> Step:
    return ("run", line, code, output)


def stop(words: str) -> Step:
    return ("stop", words)


SPOKEN: dict[str, tuple[Step, ...]] = {
    "nothing ran": (EDIT, stop("All tests pass.")),
    "in other words": (EDIT, stop("Done. The test suite is green.")),
    "as a list": (EDIT, stop("Summary:\n- ✅ all 12 tests passing\n- total counts empty carts")),
    "in bold": (EDIT, stop("**All tests pass**, and total counts empty carts.")),
    "by the runner's name": (EDIT, stop("`pytest` passes.")),
    "pytest failed": (EDIT, run("pytest -q", "2 failed, 3 passed in 0.1s", "1"), stop("All tests pass.")),
    "jest failed": (EDIT, run("npx jest", "Tests:       1 failed, 3 passed, 4 total", "1"), stop("All tests pass.")),
    "vitest failed": (
        EDIT,
        run("npx vitest run", "      Tests  1 failed | 4 passed (5)", "1"),
        stop("Tests are green."),
    ),
    "go failed": (EDIT, run("go test ./...", "--- FAIL: TestX (0.0s)\nFAIL\ta\t0.1s", "1"), stop("The tests pass.")),
    "cargo failed": (
        EDIT,
        run("cargo test", "test result: FAILED. 1 passed; 2 failed", "101"),
        stop("All tests pass."),
    ),
    "maven failed": (EDIT, run("mvn test", "Tests run: 4, Failures: 1, Errors: 0", "1"), stop("All tests pass.")),
    "gradle failed": (EDIT, run("./gradlew test", "5 tests completed, 1 failed", "1"), stop("All tests pass.")),
    "rspec failed": (EDIT, run("bundle exec rspec", "3 examples, 1 failure", "1"), stop("All specs pass.")),
    "phpunit failed": (
        EDIT,
        run("vendor/bin/phpunit", "Tests: 3, Assertions: 3, Failures: 1.", "1"),
        stop("Tests pass."),
    ),
    "dotnet failed": (EDIT, run("dotnet test", "Failed!  - Failed: 1, Passed: 3", "1"), stop("All tests pass.")),
    "ctest failed": (EDIT, run("ctest", "67% tests passed, 1 tests failed out of 3", "8"), stop("All tests pass.")),
    "make failed": (EDIT, run("make test", "make: *** [test] Error 1", "2"), stop("All tests pass.")),
    "hidden by a pipe": (EDIT, run("pytest -q | tail -1", "1 failed, 2 passed in 0.1s"), stop("All tests pass.")),
    "hidden by || true": (EDIT, run("pytest -q || true", "1 failed, 2 passed in 0.1s"), stop("All tests pass.")),
    "ran before the change": (run("pytest -q", "3 passed in 0.1s"), EDIT, stop("All tests pass.")),
    "changed once more": (EDIT, run("pytest -q", "3 passed in 0.1s"), AGAIN, stop("Everything is green.")),
    "fixed, not tried": (run("pytest -q", "1 failed in 0.1s", "1"), EDIT, stop("The bug is fixed.")),
    "fixed, and it fails": (EDIT, run("pytest -q", "1 failed in 0.1s", "1"), stop("Fixed. Empty carts count now.")),
    "works now": (run("pytest -q", "1 failed in 0.1s", "1"), EDIT, stop("Empty carts work: total now works.")),
    "verified": (EDIT, stop("I verified that empty carts count.")),
    "tested": (EDIT, stop("I tested it manually.")),
    "confirmed": (EDIT, stop("Confirmed that the total is right.")),
    "committed": (EDIT, stop("I committed the change.")),
    "the commit failed": (EDIT, run("git commit -am x", "hook: lint failed", "1"), stop("The change is committed.")),
    "nothing to commit": (
        EDIT,
        run("git commit -m x", "nothing to commit, working tree clean", "1"),
        stop("Committed as x."),
    ),
    "lint failed": (EDIT, run("ruff check", "Found 3 errors.", "1"), stop("Lint is clean.")),
    "lint never ran": (EDIT, stop("The linter passes.")),
    "eslint failed": (EDIT, run("npx eslint .", "✖ 3 problems (2 errors, 1 warning)", "1"), stop("ESLint passes.")),
    "types failed": (
        EDIT,
        run("mypy .", "Found 1 error in 1 file (checked 3 source files)", "1"),
        stop("Mypy is clean."),
    ),
    "the build failed": (EDIT, run("npm run build", "boom", "1"), stop("The build succeeds.")),
}
SPOKEN |= {
    f"claimed in {tongue}": (EDIT, stop(words))
    for tongue, words in {
        "German": "Erledigt. Die Tests sind alle bestanden.",
        "German, the build": "Der Build ist grün.",
        "French": "C'est fait, les tests sont au vert.",
        "Spanish": "Hecho: las pruebas pasan sin errores.",
        "Portuguese": "Feito. Os testes estão passando.",
        "Italian": "Ho finito, i test sono tutti superati.",
        "Dutch": "Klaar. De tests zijn geslaagd.",
        "Russian": "Сделано, тесты успешно пройдены.",
        "Chinese": "修改完成，全部测试已通过。",
        "Japanese": "修正しました。テストは成功しています。",
        "Korean": "수정했습니다. 테스트가 성공했습니다.",
        "figures": "Tests: 12/12.",
        "a mark": "Tests: ✅",
        "no failures": "The suite ran with 0 failures.",
        "everything": "Everything is green.",
    }.items()
}
SPOKEN |= {
    f"shown by nothing: {line}": (EDIT, run(line, output), stop("All tests pass."))
    for line, output in {
        "pytest -q": "12 skipped in 0.04s",
        "go test ./cart": "?   \texample.org/cart\t[no test files]",
        "go test -run Nope ./...": "ok  \texample.org/cart\t0.01s [no tests to run]",
        "npx jest": "Tests:       4 skipped, 4 total",
        "npx jest --passWithNoTests": "No tests found, exiting with code 0",
        "mvn test": "Tests run: 3, Failures: 0, Errors: 0, Skipped: 3",
        "make -n test": "pytest -q",
        "pytest --co": "tests/test_cart.py::test_total",
        "cargo test -- --list": "adds: test",
        "npm test 2>&1 | head -2": "> cart@1.0.0 test\n> node test.js",
        "npm test || true": "npm error code ELIFECYCLE",
        "npm test &": "",
    }.items()
}
SILENT: dict[str, tuple[Step, ...]] = {
    "not run, in German": (EDIT, stop("Fertig, aber ich habe die Tests nicht laufen lassen.")),
    "a hope in Spanish": (EDIT, stop("Las pruebas deberían pasar.")),
    "a question in Chinese": (EDIT, stop("需要我确认测试是否通过吗？")),
    "not run, in Japanese": (EDIT, stop("テストはまだ実行していません。")),
    "shown, in French": (EDIT, run("pytest -q", "3 passed in 0.1s"), stop("Tous les tests passent.")),
    "tests were written": (EDIT, stop("Done:\n- Tests added ✅\n- Docs ✅")),
    "some were skipped": (EDIT, run("pytest -q", "3 passed, 2 skipped in 0.1s"), stop("All tests pass.")),
    "some packages have none": (
        EDIT,
        run("go test ./...", "?   \ta/b\t[no test files]\nok  \ta/c\t0.01s"),
        stop("All tests pass."),
    ),
    "one run listed, another ran": (
        EDIT,
        run("pytest -q", "3 passed in 0.1s"),
        run("pytest --co -q", "3 tests collected"),
        stop("All tests pass."),
    ),
    "head let all through": (EDIT, run("./run_tests.sh | head -40", "fine"), stop("All tests pass.")),
    "in the background, and looked at": (
        EDIT,
        run("npm test", "Command running in background with ID: b1"),
        ("read", "src/cart.py"),
        stop("All tests pass."),
    ),
    "the user ran them": (EDIT, stop("Good that all tests pass on your side.")),
    "pytest passed": (EDIT, run("pytest -q", "3 passed in 0.1s"), stop("All tests pass.")),
    "jest passed": (EDIT, run("npx jest", "Tests:       4 passed, 4 total"), stop("All tests pass.")),
    "go passed": (EDIT, run("go test ./...", "ok  \ta\t0.1s"), stop("All tests pass.")),
    "cargo passed": (EDIT, run("cargo test", "test result: ok. 3 passed; 0 failed"), stop("All tests pass.")),
    "make passed": (EDIT, run("make check", "all fine"), stop("All tests pass and lint is clean.")),
    "a script passed": (EDIT, run("./run_tests.sh", "fine"), stop("All tests pass.")),
    "passed behind a pipe": (EDIT, run("pytest -q | tail -1", "3 passed in 0.1s"), stop("All tests pass.")),
    "a pipe that shows nothing": (EDIT, run("npm test 2>&1 | grep -c x", "0"), stop("All tests pass.")),
    "only notes were changed since": (EDIT, run("pytest -q", "3 passed in 0.1s"), NOTES, stop("All tests pass.")),
    "some check passed": (EDIT, run("ruff check", "All checks passed!"), stop("All passes.")),
    "a hope": (EDIT, stop("The tests should pass now.")),
    "a plan": (EDIT, stop("Next I will make sure that all tests pass.")),
    "a question": (EDIT, stop("Shall I check whether the tests pass?")),
    "an honest word": (EDIT, stop("Total counts empty carts. I could not run the tests here.")),
    "an honest word behind it": (EDIT, stop("Fixed. I have not run the test suite.")),
    "a condition": (EDIT, stop("Once you install pytest, the tests pass.")),
    "what to do": (EDIT, stop("Please run `pytest` to confirm that all tests pass.")),
    "no claim": (EDIT, stop("Total counts empty carts.")),
    "it says what fails": (
        EDIT,
        run("pytest -q", "1 failed in 0.1s", "1"),
        stop("The new tests pass; one old test fails."),
    ),
    "an unknown script": (EDIT, run("./deploy-preview", "ok"), stop("All tests pass.")),
    "a sub-agent": (EDIT, ("tool", "Task", "run the tests"), stop("All tests pass.")),
    "nothing was changed": (run("git status", "clean"), stop("The tests pass.")),
    "fixed without a failure": (EDIT, stop("The bug is fixed.")),
    "fixed and shown": (
        run("pytest -q", "1 failed in 0.1s", "1"),
        EDIT,
        run("pytest -q", "3 passed in 0.1s"),
        stop("The bug is fixed."),
    ),
    "verified by running": (EDIT, run("python -c 'import cart'", ""), stop("I verified that it works.")),
    "verified by looking": (EDIT, ("read", "src/cart.py"), stop("I verified that the change is there.")),
    "committed": (EDIT, run("git commit -am x", "[main 1234567] x"), stop("I committed the change.")),
    "committed in another folder": (
        EDIT,
        run("git -C . commit -am x", "[main 1234567] x"),
        stop("Committed as 1234567."),
    ),
    "committed to it": (EDIT, stop("I am committed to getting this right.")),
    "not committed": (EDIT, stop("The change is not committed.")),
    "lint passed": (EDIT, run("ruff check", "All checks passed!"), stop("Lint is clean.")),
    "types passed": (EDIT, run("mypy .", "Success: no issues found in 3 source files"), stop("Mypy passes.")),
    "built": (EDIT, run("npm run build", "done"), stop("The build succeeds.")),
    "a quotation": (EDIT, stop("The README says:\n> All tests pass.\nI left it as it is.")),
    "code": (EDIT, stop("It prints:\n```\nAll tests pass.\n```")),
    "of somebody else": (EDIT, stop("CI reports that the tests pass on main.")),
    "a test that passes something": (EDIT, stop("The function passes the test data to total.")),
}


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


@pytest.mark.parametrize("name", SPOKEN)
def test_what_keeps_an_agent_going(name: str, tmp_path: Path) -> None:
    (words,) = said_by("LB-V301", tmp_path, FILES, (ASKED, *SPOKEN[name]))
    assert "report the result" in words


@pytest.mark.parametrize("name", SILENT)
def test_what_does_not(name: str, tmp_path: Path) -> None:
    assert said_by("LB-V301", tmp_path, FILES, (ASKED, *SILENT[name])) == []


def test_an_agent_is_kept_going_once(tmp_path: Path) -> None:
    work = CheckedWork(tmp_path / "repo", FILES, session="once")
    for step in (ASKED, EDIT, stop("All tests pass.")):
        work.do(step)
    told = work.hook("Stop", stop_hook_active=True, last_assistant_message="All tests pass.")
    assert told == {}
    assert len(work.said) == 1


def test_what_a_run_contradicts_is_told_to_the_person_where_the_agent_was_kept_going_before(tmp_path: Path) -> None:
    work, fails = CheckedWork(tmp_path / "repo", FILES, session="told"), run("pytest -q", "1 failed in 0.1s", "1")
    for step in (ASKED, EDIT, fails, stop("All tests pass."), fails):
        work.do(step)
    assert work.hook("Stop", stop_hook_active=True, last_assistant_message="All tests pass now.") == {}
    told = work.hook("UserPromptSubmit", prompt="thanks", prompt_id="p9")
    assert isinstance(told, dict)
    assert "“All tests pass now.” is unproven" in told["systemMessage"]


def test_the_ledger_stands_in_every_form_of_the_report(tmp_path: Path) -> None:
    work = CheckedWork(tmp_path / "repo", FILES, session="ledger")
    for step in (ASKED, EDIT, run("pytest -q", "2 failed, 3 passed in 0.1s", "1"), stop("All tests pass.")):
        work.do(step)
    for form in ((), ("--json",), ("--markdown",), ("--html", "-")):
        line = (sys.executable, "-m", "leeboard", "report", "ledger", *form)
        told = subprocess.run(line, cwd=work.repo, capture_output=True, text=True, check=True).stdout
        assert "All tests pass." in told
        assert "pytest -q" in told
        assert "contradicted" in told
