"""Stands in for the `wg` program: locks, strict reading, drafts, whole rewrites in any order without unknown fields.

`put_wg(folder)` writes `folder/wg`; each call is kept in `folder/wg.calls`. A `way` other than the empty one makes it a
program that is old, broken or another one of that name.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STATUSES = {
    *("open", "in-progress", "waiting", "done", "blocked", "failed", "abandoned", "incomplete", "pending-review"),
    *("pending-validation", "pending-eval", "failed-pending-eval"),
}
KNOWN = {
    *("kind", "id", "title", "description", "status", "priority", "assigned", "after", "before", "requires", "tags"),
    *("created_at", "started_at", "completed_at", "last_interaction_at", "log", "paused", "loop_iteration"),
}
ALIASES = {"type": "kind", "blocked_by": "after", "blocks": "before"}
Record = dict[str, Any]


def put_wg(folder: Path, way: str = "") -> Path:
    """The folder, for PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "wg"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{__file__}" "{program}.calls" "{way}" "$@"\n')
    program.chmod(0o755)
    return folder


def calls(folder: Path, *, probes: bool = False) -> list[Record]:
    """What it was asked, oldest first: `words` and the `WG_` variables."""
    path = folder / "wg.calls"
    made = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [call for call in made if probes or "--help" not in call["words"]]


class RefusedError(Exception):
    pass


def refuse_if(wrong: object, why: str) -> None:
    if wrong:
        raise RefusedError(why)


def load(path: Path) -> list[Record]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        records = [read(json.loads(line)) for line in lines if line.strip() and not line.startswith("#")]
    except ValueError as error:
        raise RefusedError(f"Failed to load graph: {error}") from error
    return list({record["id"]: record for record in records if record["kind"] != "actor"}.values())


def read(found: Record) -> Record:
    renamed = [ALIASES.get(name, name) for name in found]
    refuse_if(len(renamed) != len(set(renamed)), "duplicate field")
    record = {ALIASES.get(name, name): value for name, value in found.items()}
    refuse_if(not record.get("id") or not record.get("title"), "missing field")
    refuse_if(record.get("status", "open") not in STATUSES, "unknown variant")
    return {name: value for name, value in record.items() if name in KNOWN}


def modify(folder: Path, change: Callable[[dict[str, Record]], None]) -> None:
    """Under the lock from before the load until after the save."""
    refuse_if(not (folder / "graph.jsonl").exists(), "Workgraph not initialized. Run 'wg init' first.")
    with (folder / "graph.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        graph = {record["id"]: record for record in load(folder / "graph.jsonl")}
        change(graph)
        records = list(graph.values())
        random.shuffle(records)
        beside = folder / f".graph.tmp.{os.getpid()}"
        with beside.open("w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())
        beside.rename(folder / "graph.jsonl")


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f123+00:00")


def task_of(graph: dict[str, Record], task_id: str) -> Record:
    refuse_if(task_id not in graph, f"Task '{task_id}' not found")
    graph[task_id]["last_interaction_at"] = now()
    return graph[task_id]


def operation(folder: Path, **fields: object) -> None:
    (folder / "log").mkdir(exist_ok=True)
    with (folder / "log" / "operations.jsonl").open("a") as file:
        file.write(json.dumps(fields) + "\n")


def tell_messages(folder: Path) -> None:
    """To an agent they are shown once, whoever reads what is printed."""
    agent = os.environ.get("WG_AGENT_ID", "")
    unread = folder / "messages" / f"{agent}.unread"
    if agent and unread.exists():
        sys.stdout.write(unread.read_text())
        unread.rename(unread.with_suffix(".read"))


def log(given: argparse.Namespace) -> None:
    def with_entry(graph: dict[str, Record]) -> None:
        entry = {"timestamp": now(), "actor": given.actor, "user": os.environ.get("WG_USER"), "message": given.message}
        task_of(graph, given.id).setdefault("log", []).append(entry)

    modify(given.dir, with_entry)
    tell_messages(given.dir)


def edit(given: argparse.Namespace) -> None:
    def with_words(graph: dict[str, Record]) -> None:
        task = task_of(graph, given.id)
        operation(given.dir, op="edit", old=task.get("description"), new=given.description)
        task["description"] = given.description

    modify(given.dir, with_words)


def add(given: argparse.Namespace) -> None:
    is_agent = "WG_TASK_ID" in os.environ or "WG_AGENT_ID" in os.environ
    after = [name for names in given.after for name in names.split(",")]

    def with_task(graph: dict[str, Record]) -> None:
        refuse_if(given.id in graph, f"Task with ID '{given.id}' already exists")
        missing = [name for name in after if name not in graph]
        refuse_if(missing and (is_agent or given.way == "strict"), f"Dependency '{missing}' does not exist.")
        made: Record = {"kind": "task", "id": given.id, "title": given.title, "description": given.description}
        made |= {"status": "open", "priority": 10, "after": after, "tags": given.tag, "created_at": now()}
        graph[given.id] = made | ({} if is_agent or given.title.startswith(".") else {"paused": True})
        for name in after:
            if name in graph:
                graph[name].setdefault("before", []).append(given.id)
        operation(given.dir, op="add_task", id=given.id)

    modify(given.dir, with_task)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="wg", add_help=False, allow_abbrev=False)
    made.add_argument("--dir", type=Path, default=Path(".wg"))
    verbs = made.add_subparsers(required=True)
    for name, run in {"log": log, "edit": edit, "add": add}.items():
        verb = verbs.add_parser(name, add_help=False, allow_abbrev=False)
        verb.set_defaults(run=run)
        verb.add_argument("title" if name == "add" else "id")
        if name == "log":
            verb.add_argument("message")
            verb.add_argument("--actor")
        else:
            verb.add_argument("-d", "--description")
    verb.add_argument("--id")
    verb.add_argument("--after", action="append", default=[])
    verb.add_argument("-t", "--tag", action="append", default=[])
    return made


def leave_something_behind() -> None:
    """It keeps stderr open, and outlives the call."""
    subprocess.Popen(("/bin/sh", "-c", "sleep 60"), stdout=subprocess.DEVNULL)


def wait_for_a_go(record: str) -> None:
    """Until the test writes to a pipe beside the program."""
    Path(f"{record}.go").read_bytes()


def odd_way(way: str, words: list[str], record: str) -> None:
    """What some programs do before, or in place of, what was asked."""
    match way:
        case "garbage":
            sys.stdout.write("\x00\x1b[31m%s\n" * 1000)
            sys.stderr.write("\u00ff\x1b]0;x\x07" * 100_000)
            sys.exit(0)
        case "wireguard":
            sys.exit(f"Invalid subcommand: `{words[0]}'")
        case "hangs":
            signal.pause()
        case "hangs when asked" if "--help" not in words:
            signal.pause()
        case "old" if "edit" in words:
            sys.stderr.write("error: unrecognized subcommand 'edit'\n")
            sys.exit(2)
        case "waits" if "--help" not in words:
            wait_for_a_go(record)


def main(record: str, way: str, words: list[str]) -> None:
    variables = {name: value for name, value in os.environ.items() if name.startswith("WG_")}
    with Path(record).open("a") as file:
        file.write(json.dumps({"words": words, "env": variables, "cwd": str(Path.cwd())}) + "\n")
    odd_way(way, words, record)
    if {"-h", "--help"} & set(words):
        sys.exit(0)
    if way == "fails":
        sys.exit("Error: IPC socket is gone")
    given = parser().parse_args(words)
    given.way = way
    try:
        given.run(given)
    except RefusedError as refused:
        sys.exit(f"Error: {refused}")
    if way == "crashes after it":
        os.abort()
    if way == "hangs after it":
        signal.pause()
    if way == "leaves something behind":
        leave_something_behind()
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
