"""Files that change underneath, with each hook a process of its own, by itself and with a resident behind it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.hook_process import HookProcess, hook_payload
from tests.hooked_agent import Answer, edited, read_answer, run

LINES = 12
TEXT = "".join(f"value_{number} = 0\n" for number in range(LINES))


class Bench:
    def __init__(self, folder: Path, profile: str) -> None:
        self.process = HookProcess(folder=str(folder))
        self.repo = folder / "repo"
        self.repo.mkdir()
        self.app = self.repo / "app.py"
        self.app.write_text(TEXT)
        self.env: dict[str, str | None] = {"LEEBOARD_PROFILE": profile}
        run(self.repo, "git init -q .")

    def hook(self, name: str, **fields: object) -> Answer:
        payload = json.loads(hook_payload(name, **fields)) | {"cwd": str(self.repo)}
        done = self.process.run(json.dumps(payload).encode(), self.env)
        assert (done.returncode, done.stderr) == (0, b"")
        return read_answer(done.stdout)

    def read(self, call_id: str = "r1") -> None:
        call = {"tool_name": "Read", "tool_input": {"file_path": str(self.app)}, "tool_use_id": call_id}
        self.hook("PreToolUse", **call)
        shown = {"type": "text", "file": {"filePath": str(self.app), "content": self.app.read_text()}}
        self.hook("PostToolUse", **call, tool_response=shown)

    def put(self, text: str) -> None:
        """As a client does: nobody who reads it meanwhile finds half of it."""
        beside = self.repo.parent / "app.new"
        beside.write_text(text)
        beside.replace(self.app)

    def edit_of(self, number: int) -> dict[str, Any]:
        given = {"file_path": str(self.app), "old_string": f"value_{number} = 0", "new_string": f"value_{number} = 1"}
        return {"tool_name": "Edit", "tool_input": given, "tool_use_id": f"e{number}"}


@pytest.fixture(params=["alone", "resident"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, "enforce")
    with ExitStack() as stack:
        if request.param == "alone":
            made.env["LEEBOARD_RESIDENT"] = "0"
        else:
            stack.enter_context(made.process.resident(made.env))
        made.hook("UserPromptSubmit", prompt="fix app.py", prompt_id="p1")
        yield made


def test_another_process_changes_the_file_between_read_and_edit(bench: Bench) -> None:
    bench.read()
    assert run(bench.repo, "sed -i 's/value_3 = 0/value_3 = 7/' app.py").returncode == 0
    refused = bench.hook("PreToolUse", **bench.edit_of(5))
    assert refused.denied
    assert "+ 4: value_3 = 7" in refused.words
    bench.read("r2")
    assert bench.hook("PreToolUse", **bench.edit_of(6)) == Answer()


def test_parallel_edits_of_one_message_never_raise_an_alarm(bench: Bench) -> None:
    """However their hooks overtake each other."""
    bench.read()
    landing = threading.Lock()

    def edit(number: int) -> list[Answer]:
        call = bench.edit_of(number)
        asked = bench.hook("PreToolUse", **call)
        given = call["tool_input"]
        with landing:
            before = bench.app.read_text()
            bench.put(before.replace(given["old_string"], given["new_string"]))
        return [asked, bench.hook("PostToolUse", **call, tool_response=edited(given, before))]

    with ThreadPoolExecutor(LINES) as pool:
        answers = [answer for both in pool.map(edit, range(LINES)) for answer in both]
    assert answers == [Answer()] * (2 * LINES)
    assert bench.app.read_text() == TEXT.replace("= 0", "= 1")
    bench.hook("PostToolBatch", tool_calls=[])
    call = {"tool_name": "Edit", "tool_use_id": "last"}
    given = {"file_path": str(bench.app), "old_string": "value_1 = 1", "new_string": "value_1 = 2"}
    assert bench.hook("PreToolUse", **call, tool_input=given) == Answer()
