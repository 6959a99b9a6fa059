"""Which lines of the last commit an agent wrote, and under which goal, as an Agent Trace record.

Contents of files are not stored, so the client's own transcripts are read anew: what each edit added, and what shell
lines wrote out of themselves, is followed into the commit. A line counts where it stands there as it was written; what
somebody changed since is nobody's here, and so is what a program made up that a shell line only started.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec

import leeboard
from leeboard.analysis.patch import compare
from leeboard.app.replay import RecordedFiles, play_recording, read_recording, recorded_folder
from leeboard.app.session_files import SessionSource, read_source
from leeboard.errors import LeeboardError
from leeboard.io.clock import iso, now
from leeboard.io.git import ask
from leeboard.io.git.tree_files import CommittedFiles, DiskFiles
from leeboard.io.places import project_root
from leeboard.model.event import Event, ToolFinished
from leeboard.model.lookup import Files
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict
from leeboard.model.workspace import Workspace, is_inside
from leeboard.secrets.redaction import redact
from leeboard.settings.settings import Settings
from leeboard.shell.written_texts import written_by

VERSION = "0.1"
"""Of Agent Trace; its schema wants two numbers."""
VENDOR = "dev.leeboard"
_GIT_SECONDS = 10.0
_TELLING = 4
"""Letters and digits that a line needs to be told from others like it: a brace stands everywhere."""


class _Written(msgspec.Struct, frozen=True):
    """Lines that one edit added, one below the other."""

    path: str
    lines: tuple[str, ...]
    goal: int
    """Which of the goals it was written under."""


class WrittenGoal(msgspec.Struct, frozen=True):
    session: str
    number: int
    """Counted within the session."""
    text: str

    @property
    def url(self) -> str:
        return f"leeboard:session/{quote(self.session, safe='')}/goal/{self.number}"


class AgentEdits:
    """What agents wrote in a project, in the order of the sessions."""

    def __init__(self, root: str) -> None:
        self._workspace = Workspace(root)
        self.goals: list[WrittenGoal] = []
        self.blocks: list[_Written] = []

    def hear(self, data: bytes, name: str) -> None:
        """One session, from its first edit to its last."""
        recording = read_recording(data, name)
        files = RecordedFiles(self._workspace.spell)

        def observe(event: Event, _verdict: Verdict | None, session: Session) -> None:
            if isinstance(event, ToolFinished) and event.outcome == "done":
                self._note(event, files, session)
            files.observe(event)

        play_recording(recording, Settings(), observe)

    def _note(self, event: ToolFinished, files: RecordedFiles, session: Session) -> None:
        call = event.call
        if call.action in {"edit", "write"} and len(call.paths) == 1:
            for edit in call.edits:
                adds = bool(edit.old or edit.at)
                self._add(event, call.paths[0], edit.new, edit.old if adds else None, files, session)
        elif call.action == "bash":
            for piece in written_by(call.command):
                self._add(event, piece.path, piece.text, "" if piece.appends else None, files, session)

    def _add(
        self, event: ToolFinished, name: str, new: str, old: str | None, files: RecordedFiles, session: Session
    ) -> None:
        """Without an old text it is the whole file that is new."""
        path = self._workspace.spell(name, event.cwd)
        if not is_inside(path):
            return
        goal, after = self._goal(session), new.split("\n")
        for first, last in compare((files.text(path) or "") if old is None else old, new)[0]:
            self.blocks.append(_Written(path, tuple(after[first - 1 : last]), goal))

    def _goal(self, session: Session) -> int:
        text = redact(session.contract.objective)
        mine = [one for one in self.goals if one.session == session.id]
        if not mine or mine[-1].text != text:
            self.goals.append(WrittenGoal(session.id, len(mine) + 1, text))
        return max(at for at, one in enumerate(self.goals) if one.session == session.id)


class Attribution(msgspec.Struct, frozen=True, kw_only=True):
    record: dict[str, object]
    sessions: int
    """That were read."""
    notes: tuple[str, ...] = ()


def attribution(root: str, sources: Iterable[SessionSource]) -> Attribution:
    """Of the sessions that ran in this project, the oldest first."""
    written, notes, count = AgentEdits(root), list[str](), 0
    for source, data in _ran_here(root, sources, notes):
        try:
            written.hear(data, source.stem)
            count += 1
        except (LeeboardError, RecursionError, MemoryError) as error:
            notes.append(f"{source.path}: it could not be read: {error or type(error).__name__}")
    head = (ask.run(root, ("rev-parse", "--verify", "-q", "HEAD"), _GIT_SECONDS) or b"").decode().strip()
    texts: Files = CommittedFiles(root) if head else DiskFiles(root)
    paths = sorted({block.path for block in written.blocks})
    files = [found for path in paths if (found := _file(path, texts.text(path) or "", written))["conversations"]]
    return Attribution(record=_record(head, files, written.goals), sessions=count, notes=tuple(notes))


def _ran_here(root: str, sources: Iterable[SessionSource], notes: list[str]) -> list[tuple[SessionSource, bytes]]:
    found: list[tuple[float, SessionSource, bytes]] = []
    for source in sources:
        try:
            data = read_source(source)
        except OSError as error:
            notes.append(f"{source.path}: {error.strerror}")
            continue
        folder = recorded_folder(data)
        if folder and (folder == root or folder.startswith(f"{root}/") or project_root(folder) == root):
            found.append((read_recording(data).ended, source, data))
    return [(source, data) for _, source, data in sorted(found, key=lambda one: (one[0], one[1].path))]


def _record(head: str, files: Sequence[object], goals: Sequence[WrittenGoal]) -> dict[str, object]:
    body: dict[str, object] = {
        **({"vcs": {"type": "git", "revision": head}} if head else {}),
        "tool": {"name": "leeboard", "version": leeboard.__version__},
        "files": files,
        "metadata": {VENDOR: {"goals": {goal.url: goal.text for goal in goals}}},
    }
    # The same record has the same id, whenever it is made.
    made_of = hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()
    return {"version": VERSION, "id": str(uuid5(NAMESPACE_URL, made_of)), "timestamp": iso(now()), **body}


def _file(path: str, text: str, written: AgentEdits) -> dict[str, object]:
    """Newer edits first: a line has one author."""
    lines = text.split("\n")
    authors: dict[int, int] = {}
    for block in reversed([one for one in written.blocks if one.path == path]):
        for number in _found(block.lines, lines, authors):
            authors[number] = block.goal
    conversations = [
        {
            "url": written.goals[goal].url,
            "contributor": {"type": "ai"},
            "ranges": [_range(first, last, lines) for first, last in _ranges(authors, goal)],
        }
        for goal in sorted(set(authors.values()))
    ]
    return {"path": path, "conversations": conversations}


def _found(block: tuple[str, ...], lines: list[str], taken: dict[int, int]) -> Iterator[int]:
    """The numbers of lines that stand in the file as the block has them, in its order."""
    rest = [line if number not in taken else None for number, line in enumerate(lines, 1)]
    for run in SequenceMatcher(None, block, rest, autojunk=False).get_matching_blocks():
        matched = block[run.a : run.a + run.size]
        if any(sum(map(str.isalnum, line)) >= _TELLING for line in matched):
            yield from range(run.b + 1, run.b + run.size + 1)


def _ranges(authors: dict[int, int], goal: int) -> Iterator[tuple[int, int]]:
    first = last = 0
    for number in sorted(one for one, whose in authors.items() if whose == goal):
        if first and number != last + 1:
            yield first, last
            first = 0
        first, last = first or number, number
    if first:
        yield first, last


def _range(first: int, last: int, lines: list[str]) -> dict[str, object]:
    digest = hashlib.sha256("\n".join(lines[first - 1 : last]).encode("utf-8", "replace")).hexdigest()
    return {"start_line": first, "end_line": last, "content_hash": f"sha256:{digest}"}
