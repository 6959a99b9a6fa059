"""Which tracked files an agent's call wrote, and over what: stamped into the intent's action log.

Before a call the digests of what it may change are kept in a small file, for another process will answer when it has
ended. Afterwards each file that differs is stamped, where the call is known to have written it: an edit whose outcome
could be foreseen, a shell line that named the file or a folder around it, one that gave the file's name to a program
to write to, or one that ran a script which names it and came back within seconds while no other call was open. An edit
that failed has written nothing; a line that failed may have, before it did. What differs from what an edit had to lead
to was done by somebody else, and is left unexplained, as is what no call named: the next tick asks what it means. Only
the log's own lock is taken.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from posixpath import basename, dirname, isdir, join, normpath

import msgspec

from leeboard.analysis.analyse import touches_of
from leeboard.analysis.patch import edited
from leeboard.app.tree_watch import KeptLooks
from leeboard.errors import StateError
from leeboard.io import clock, places
from leeboard.io.file import read_start
from leeboard.model.event import ToolCall, ToolFinished, ToolProposed
from leeboard.model.session import Session
from leeboard.model.text import lazy, matches
from leeboard.model.touch import Started
from leeboard.model.truth import ABSENT, INTENT_SCOPE, LogEntry
from leeboard.model.workspace import Workspace, from_top
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.read import read_tick
from leeboard.plan.disk.truth.action_log import told
from leeboard.plan.disk.truth.agent_writes import AgentWrite, agent_wrote
from leeboard.plan.disk.truth.surface import digest_of, drift_settings, read_surface
from leeboard.plan.surface import alias, canonical, spelled, tracked, unspelled
from leeboard.shell.effects import may_change, shell_effects

ALONE_SECONDS = 5.0
"""A line that takes longer gives a person the time to change something themselves."""


class _Before(msgspec.Struct, frozen=True, kw_only=True):
    """What lay at the places that a call names before it ran, by which its own writes are told from others'."""

    time: float
    named: dict[str, str]
    """Place (spelled) of what the call names, to its digest; empty for a folder."""
    tick: int
    newest: dict[str, str]
    """Canonical path of a named file to the newest line of the log about it."""
    leads_to: tuple[str, ...] = ()
    """Digests an edit may lead to; none: nobody could tell."""
    opaque: bool = False
    """It may change what it does not name."""
    surface: dict[str, str] | None = None
    """All tracked files, where more may change than the named ones."""


class Stamps:
    """For the calls of one session, in one intent."""

    def __init__(self, home: str, slug: str, workspace: Workspace, session: str) -> None:
        self._folder = PlanFolder(home)
        self._slug = slug
        self._workspace = workspace
        self._session = session
        self._looks = KeptLooks(join(places.state_dir(), "stamps"))

    def remember(self, proposed: ToolProposed) -> None:
        """Before a call that may change tracked files. Nothing where nobody wants to hear of drift."""
        if not drift_settings(self._folder).drift_detection:
            return
        named, opaque = self._named(proposed.call, proposed.cwd)
        if not named and not opaque:
            return
        tick = read_tick(self._folder, self._slug)
        before = _Before(
            time=proposed.time,
            tick=tick,
            named={place: self._digest(place) for place in named},
            newest={path: lines[-1].entry_id for path, lines in self._said(named, tick).items()},
            leads_to=self._foreseen(proposed.call, named),
            opaque=opaque,
            surface=self._surface() if opaque or any(map(self._is_folder, named)) else None,
        )
        self._looks.keep(f"{self._session}/{proposed.call.id}", msgspec.json.encode(before))

    def stamp(self, finished: ToolFinished, session: Session | None) -> tuple[LogEntry, ...]:
        """After it: what it wrote is put on record as the agent's."""
        kept = self._looks.take(f"{self._session}/{finished.call.id}")
        is_over = finished.outcome == "done" or (finished.outcome == "failed" and finished.call.action == "bash")
        if kept is None or not is_over:
            return ()
        before = msgspec.json.decode(kept, type=_Before)
        changed = {**self._changed_around(before, finished, session), **self._changed_named(before)}
        if not changed:
            return ()
        tick, now = read_tick(self._folder, self._slug), clock.iso(finished.time or clock.now())
        wrote = [
            AgentWrite(place=unspelled(place), sha=sha, before=over or None) for place, (over, sha) in changed.items()
        ]
        return agent_wrote(self._folder, self._slug, wrote, tick, now)

    def _changed_named(self, before: _Before) -> dict[str, tuple[str, str]]:
        """Place to the digest it had and the one it was given by this call."""
        said = self._said(before.named, before.tick)
        found = {}
        for place, seen in before.named.items():
            over = _over(seen, said.get(canonical(place), ()), before.newest.get(canonical(place), ""))
            sha = self._digest(place)
            if before.leads_to and over == seen and sha not in before.leads_to:
                sha = before.leads_to[0]  # that is what it wrote; what is there now is somebody else's
            if seen and sha not in {over, ""}:
                found[place] = over, sha
        return found

    def _changed_around(
        self, before: _Before, finished: ToolFinished, session: Session | None
    ) -> dict[str, tuple[str, str]]:
        """What it did not say it would change: below a folder it named, or named by what it ran, where nobody else is
        likely to have done it.
        """
        folders = tuple(f"{canonical(place)}/" for place, seen in before.named.items() if not seen)
        folders += tuple(f"{canonical(place)}/" for place in before.named if self._is_folder(place))
        if before.surface is None and not folders:
            return {}
        was, after = before.surface or {}, self._surface()
        names = {canonical(place) for place in before.named}
        changed = {path for path in {*was, *after} - names if was.get(path, ABSENT) != after.get(path, ABSENT)}
        below = {path for path in changed if path.startswith(folders or ("\0",))}
        ran: set[str] = set()
        if before.opaque and changed - below:
            is_alone = _is_alone(before, finished, session)
            ran = self._named_by_what_ran(finished, changed - below, is_alone=is_alone)
            ran |= self._put_back(changed - below, after) if is_alone else set()
        return {path: (was.get(path, ABSENT), after.get(path, ABSENT)) for path in sorted(below | ran)}

    def _put_back(self, paths: Iterable[str], after: Mapping[str, str]) -> set[str]:
        """Files that are again what was vouched for: nothing differs, and only the log can tell that somebody's change
        was there before. Nothing is silenced by it.
        """
        from leeboard.plan.disk.truth.record import TruthRecord, digests_now  # noqa: PLC0415 - as below

        scopes = (INTENT_SCOPE, *self._stages())
        record = TruthRecord(self._folder, self._slug, digests_now(self._folder, self._slug, scopes))
        entries = {path: record.entries(layout.scope_of(path)).get(path) for path in paths}
        vouched = {path: entry.sha256 if entry else ABSENT for path, entry in entries.items()}
        return {path for path, sha in vouched.items() if after.get(path, ABSENT) == sha}

    def _named_by_what_ran(self, finished: ToolFinished, paths: Iterable[str], *, is_alone: bool) -> set[str]:
        """A person may save a file while any line runs: what the line and its scripts do not name is not theirs.

        Where it was not alone, or took long, only what it gave a program to write to is.
        """
        root = self._workspace.root
        names = LineNames(finished.call.command, finished.cwd or root, (root, self._folder.home))
        top = self._folder.spelled(intent_folder(self._slug))
        is_its_own = names.has if is_alone else names.gives
        return {path for path in paths if any(is_its_own(f"{top}/{each}") for each in _ways(unspelled(path)))}

    def _foreseen(self, call: ToolCall, named: Sequence[str]) -> tuple[str, ...]:
        """The digests that an edit of one file can lead to."""
        is_whole = call.action == "write" or all(edit.old for edit in call.edits)
        if call.action == "bash" or len(named) != 1 or not call.edits or not is_whole:
            return ()
        with contextlib.suppress(OSError, StateError):
            before = self._folder.read(f"{intent_folder(self._slug)}/{unspelled(named[0])}")
            return tuple(sha256(text).hexdigest() for text in edited(before, call.edits))
        return ()

    def _said(self, named: Iterable[str], tick: int) -> dict[str, tuple[LogEntry, ...]]:
        paths = {canonical(place) for place in named}
        return told(self._folder, self._slug, paths, tick).entries if paths else {}

    def _named(self, call: ToolCall, cwd: str) -> tuple[list[str], bool]:
        """Places of the surface that a call says it changes, and whether it may change others."""
        if call.action not in {"edit", "write", "bash"}:
            return [], False
        touches, effects = touches_of(call, self._workspace, cwd)
        paths = (touch.path for touch in touches if touch.modifies)
        # A program that by itself writes nothing here, such as a test runner, writes where it is told to.
        is_told = may_change(call, effects) and _speaks_of_intents(call.command, cwd)
        return list(dict.fromkeys(self._places(paths))), effects.opaque or is_told

    def _places(self, paths: Iterable[str]) -> Iterator[str]:
        top = f".haiku/{intent_folder(self._slug)}/"
        stages = self._stages()
        for path in paths:
            found = from_top(path, self._workspace.root, self._folder.home)
            place = found.removeprefix(top)
            if found.startswith(top) and tracked(place, stages) is not None:
                yield spelled(place)

    def _stages(self) -> tuple[str, ...]:
        return self._folder.folders(f"{intent_folder(self._slug)}/stages")

    def _surface(self) -> dict[str, str]:
        scopes = (INTENT_SCOPE, *self._stages())
        found = read_surface(self._folder, self._slug, scopes)
        return {path: sha for scope in scopes for path, sha in found.shas(scope).items()}

    def _is_folder(self, place: str) -> bool:
        return isdir(self._folder.spelled(f"{intent_folder(self._slug)}/{unspelled(place)}"))

    def _digest(self, place: str) -> str:
        """Empty where it can not be read."""
        return digest_of(self._folder, f"{intent_folder(self._slug)}/{unspelled(place)}") or ""


def _speaks_of_intents(command: str, cwd: str) -> bool:
    return "intents" in command or "/.haiku/intents/" in f"{cwd}/"


def _ways(place: str) -> set[str]:
    return {place, alias(place)}


def _over(seen: str, said: Sequence[LogEntry], newest: str) -> str:
    """What a call wrote over. Calls that run side by side all look before any of them writes: where another one was
    stamped since, it was that one's work.
    """
    known = next((at + 1 for at, line in enumerate(said) if line.entry_id == newest), 0)
    since = [line for line in said[known:] if line.author_class == "agent"]
    return since[-1].sha if since else seen


def _is_alone(before: _Before, finished: ToolFinished, session: Session | None) -> bool:
    agents = session.agents if session else ()
    others = any(known.id != finished.call.id for agent in agents for known in agent.open_calls)
    return not others and 0 <= finished.time - before.time <= ALONE_SECONDS


# Which files a shell line names: in its own words, or through a script of the work tree that it runs.
#
# What a program does behind a line that names nothing can not be told from what a person does meanwhile.


MOST_SCRIPTS, LONGEST = 16, 256 << 10
"""Scripts that are looked into for one line; bytes of each."""
_RECIPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn", "bun"), ("package.json",)),
    "just": ("justfile", "Justfile", ".justfile"),
    "rake": ("Rakefile", "rakefile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
"""Where programs look for what they are to run."""
_SCRIPTS = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".mk")
"""Endings of files that a script runs when it names them; any other file is data to it."""
_SHELL_WORD = lazy(r"[^\s'\"`;|&()<>=]+")
_FILLED_IN = lazy(r"\$\([^()'\"`]{1,200}\)|`[^`]{1,200}`|\$\{\w{1,80}\}|\$\w{1,80}")
"""What the shell puts something in place of: `diff-$(date +%F).txt`."""
_PATH_WORD = lazy(r"[\w@+./-]+")
_GIVEN = lazy(
    r"(?<=\s)--?[\w-]{1,60}=['\"]?([^\s'\"`;|&()<>=]{1,400})"
    r"|(?<=\s)(?:-o|--[\w-]{0,30}(?:out|file|xml|html|json|report|log|dest)[\w-]{0,30})\s{1,8}['\"]?([^\s'\"`;|&()<>=]{1,400})"
)
"""The value of an option: with `=` of any, else of one whose name says that it is written to."""
_LONGEST_WORD, _MOST_GLOBS = 400, 50
_UNKNOWN = "\0"


class LineNames:
    """The files that a line run in `cwd` names. Only scripts below one of `trees`, folders of the work, are read."""

    def __init__(self, command: str, cwd: str, trees: Iterable[str]) -> None:
        self._trees = tuple(f"{tree.rstrip('/')}/" for tree in trees if tree)
        started = shell_effects(command, cwd).started
        folders = dict.fromkeys((cwd, *(each.folder for each in started if each.folder)))
        words = _SHELL_WORD.findall(command)
        dated = _SHELL_WORD.findall(_FILLED_IN.sub("*", command)) if "$" in command or "`" in command else []
        globs = [word for word in (*words, *filter(_is_partly_told, dated)) if _is_glob(word)][:_MOST_GLOBS]
        self._globs = [normpath(join(folder, glob)) for folder in folders for glob in globs]
        self._texts = (command, *self._scripts(started, cwd))
        self._folders = tuple(folders)

    def has(self, path: str) -> bool:
        """Whether it names the file at this absolute path: by its name, its path, or a glob that matches it."""
        name = basename(path)
        if "." not in name.strip("."):  # a bare word stands in many a text for other reasons
            name = f"{basename(dirname(path))}/{name}"
        sought = re.compile(rf"(?<![\w.-]){re.escape(name)}(?!\.?[\w-])")
        return any(map(sought.search, self._texts)) or matches(path.lstrip("/"), self._globs)

    def gives(self, path: str) -> bool:
        """Whether its own words hand this very file to an option, as the place for what the program makes."""
        given = (word for found in _GIVEN.finditer(self._texts[0]) for word in found.groups() if word)
        return any(normpath(join(folder, word)) == path for word in given for folder in self._folders)

    def _scripts(self, started: Iterable[Started], cwd: str) -> Iterator[str]:
        """The texts of what the line runs, and of what is named there, as far as it lies in the work."""
        waiting = [place for each in started for place in self._run_by(each, cwd)]
        seen: set[str] = set()
        while waiting and len(seen) < MOST_SCRIPTS:
            place = waiting.pop(0)
            text = "" if place in seen else _text(place)
            seen.add(place)
            if text:
                yield text
                words = dict.fromkeys(word for word in _PATH_WORD.findall(text) if word.endswith(_SCRIPTS))
                around = dict.fromkeys((dirname(place), cwd))
                named = (self._file(join(folder, word)) for word in words for folder in around)
                waiting += [each for each in named if each]

    def _run_by(self, started: Started, cwd: str) -> Iterator[str]:
        """The first word that is a file: a program of the project, or what an interpreter is given to run."""
        folder, (program, *given) = started.folder or cwd, started.words
        if "-C" in given[:-1]:
            folder = join(folder, given[given.index("-C") + 1])
        modules = [f"{word.replace('.', '/')}{end}" for word in given[:2] for end in (".py", "/__main__.py")]
        words = [*started.words, *(modules if "-m" in given[:1] else ()), *_RECIPES.get(basename(program), ())]
        found = (self._file(join(folder, word)) for word in words if _UNKNOWN not in word)
        yield from [place for place in found if place][:1]

    def _file(self, path: str) -> str:
        """Its place; empty where none of the work lies there."""
        place = normpath(path)
        return place if place.startswith(self._trees) and os.path.isfile(place) else ""  # noqa: PTH113 - hooks do without pathlib


def _is_glob(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and any(mark in word for mark in "*?[")


def _is_partly_told(word: str) -> bool:
    """Whether it spells out the folder, and some of the file's own name."""
    folder, _, name = word.rpartition("/")
    return folder != "" and "*" not in folder and any(map(str.isalnum, name.partition(".")[0]))


def _text(place: str) -> str:
    try:
        data = read_start(place, LONGEST + 1, follow=True)
    except OSError:
        return ""
    return "" if len(data) > LONGEST or b"\0" in data else data.decode("utf-8", "surrogateescape")
