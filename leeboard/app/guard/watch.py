"""What must not change, compared by digest at every hook that may follow a change: guard files and stated limits.

What a line will do is judged before it runs, as far as it can be read. This is the other half: whatever way a file was
changed (a script, a merge, a link, a folder moved away, a process left behind), it has another digest afterwards. The
line that ran meanwhile is named. Nobody is blamed where others were near or the line took long; but it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import touches_of
from leeboard.app.guard.look import (
    GONE,
    NO_STAMP,
    GuardedFile,
    GuardLook,
    OpaqueCall,
    first_look,
    forget_look,
    guard_files,
    guard_now,
    keep_look,
    limited_now,
    limits_of,
    read_look,
    speaks_of,
    stands,
    under_limits,
)
from leeboard.app.settings import Resolved
from leeboard.app.settings_files import settings_files
from leeboard.app.tree_watch import ALONE_SECONDS, Others, accounted_for, is_near, line_text
from leeboard.clients import signs_of_all
from leeboard.clients.call import HookCall
from leeboard.io import clock
from leeboard.model.event import FilesChanged, PromptGiven, ToolFinished, ToolProposed
from leeboard.model.session import Session
from leeboard.model.text import digest, lazy
from leeboard.model.touch import ShellEffects
from leeboard.model.workspace import Workspace
from leeboard.shell.effects import may_change, shell_effects

MOST_SAID = 8
_BEHIND = 3
_LINES = 32
_BY_COMMAND = 5.0
"""Seconds: a command notes that a person ran it right before or after it has written its files."""
_BACKGROUND = lazy(r"(?<![&>|])&(?![&>])|\b(?:nohup|setsid|disown|crontab|at|batch|screen|tmux|daemonize)\b")
_WRITE_TASKS = {"leeboard", "wg", "cd", "echo"}
"""A line of nothing else may write the project's tasks, and leaves its own trace there."""


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """What of the agents may be changing files just now."""

    lines: tuple[OpaqueCall, ...] = ()
    behind: tuple[str, ...] = ()
    """Lines that were sent to the background before."""

    @property
    def words(self) -> str:
        """Since when something may be another one, for a sentence."""
        if self.lines:
            return f"since {_quoted(tuple(line.text for line in self.lines))} ran"
        return f"after {_quoted(self.behind)} had left something running" if self.behind else ""


class GuardWatch:
    """Over one hook call: compare, then begin what is proposed, then keep."""

    def __init__(self, call: HookCall, workspace: Workspace, env: Mapping[str, str]) -> None:
        self._call = call
        self._workspace = workspace
        self._proposed = next((event for event in call.events if isinstance(event, ToolProposed)), None)
        self._finished = next((event for event in call.events if isinstance(event, ToolFinished)), None)
        told = (*signs_of_all("home-variable"), *signs_of_all("project-variable"))
        self._env = {name: env[name] for name in told if env.get(name)}
        self._before: GuardLook | None = None
        self._look: GuardLook | None = None

    @property
    def is_due(self) -> bool:
        """Looking around changes nothing, and costs nothing here."""
        event = self._proposed or self._finished
        return bool(self._workspace.root) and (event is None or event.call.action != "read")

    def compare(self, session: Session | None, others: Callable[[], Iterable[Session]]) -> tuple[Slip, ...]:
        """What changed since the last look and was not judged before; nothing at the first."""
        root = session.root if session and session.root else self._workspace.root
        self._before = kept = read_look(self._call.session)
        if kept is None or kept.root != root:
            self._look = first_look(self._call.session, root, self._env)
            return ()
        guard, limited = guard_now(kept), limited_now(kept)
        found: tuple[Slip, ...] = ()
        if limited is not kept.limited or guard != kept.guard:
            self._look = replace(kept, guard=guard, limited=limited)
            known = self._judged(session, {line.id for line in kept.lines})
            found = (*self._guard_slips(kept, known), *self._limit_slips(kept, known, others))
        else:
            self._look = kept
        if found:
            near = any(one.id != kept.session and is_near(one, _since(kept, self._call)) for one in others())
            found = tuple(self._placed(slip, kept, near=near) for slip in found)
        self._ended()
        return found

    def begin(self) -> None:
        """The proposed call runs: from here on what changes may be its doing."""
        event, look = self._proposed, self._look
        if event is None or look is None:
            return
        shell = event.call.action == "bash"
        effects = shell_effects(event.call.command, event.cwd) if shell else ShellEffects()
        if not may_change(event.call, effects) and not self._edits_limited(event, look):
            return
        programs = {program.partition(" ")[0] for program in effects.programs}
        line = OpaqueCall(
            id=event.call.id,
            agent=event.agent,
            text=line_text(event.call),
            began=event.time,
            ours=bool(programs) and programs <= _WRITE_TASKS,
        )
        behind = (*look.behind, line.text)[-_BEHIND:] if self._leaves_behind(event) else look.behind
        self._look = replace(look, lines=(*look.lines, line)[-_LINES:], behind=behind)

    def _edits_limited(self, event: ToolProposed, look: GuardLook) -> bool:
        """Whether an edit that was let pass names a file under a limit: what it changes there is no surprise."""
        if not look.limits or event.call.action not in {"edit", "write"}:
            return False
        touches, _ = touches_of(event.call, self._workspace, event.cwd)
        return any(speaks_of(limit, touch.path) for limit in look.limits for touch in touches)

    def _leaves_behind(self, event: ToolProposed) -> bool:
        return self._call.in_background or bool(_BACKGROUND.search(event.call.command))

    def say(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """What of these was not said in this session yet; what no longer holds may be said again."""
        look = self._look
        if look is None or (not words and not look.said):
            return ()
        self._look = replace(look, said=words[:MOST_SAID])
        return tuple(one for one in words if one not in look.said)

    def stood(self) -> tuple[bool, bool]:
        """Whether our hooks stood in the client's settings before, and now."""
        before = stands(self._before.guard) if self._before else False
        return before, stands(self._look.guard) if self._look else False

    def off_since(self, time: float) -> float:
        """Note that they stand nowhere since then, or with zero that they do; the time noted before."""
        look = self._look
        if look is None:
            return 0.0
        self._look = replace(look, off=time)
        return look.off

    def keep(self, session: Session | None) -> None:
        """For the next hook; the session as it is after this one."""
        if self._call.kind == "end":
            forget_look(self._call.session)
        elif self._look is not None:
            look = under_limits(self._look, limits_of(session))
            if look != self._before:
                keep_look(look)

    @property
    def running(self) -> Running:
        """The calls that were open when this hook came, and what earlier ones had left running."""
        before = self._before
        return Running(lines=before.lines, behind=before.behind) if before else Running()

    @property
    def is_whole(self) -> bool:
        return self._look is None or self._look.limited.whole

    def _guard_slips(self, before: GuardLook, known: set[str]) -> Iterator[Slip]:
        now, files = self._look.guard if self._look else {}, guard_files(before.root, before.env)
        writes_tasks = any(line.ours for line in before.lines)
        for path, seen in now.items():
            was = before.guard.get(path)
            if was is None or seen.digest in {was.digest, was.first}:
                continue
            spelled = self._workspace.spell(path)
            if spelled in known or (files[path].kind == "tasks" and writes_tasks):
                continue
            by_people = files[path].kind in {"trust", "pause"}
            if not before.lines and not before.behind and self._by_own_command(path, files[path].kind, before.root):
                continue
            if by_people and not before.lines:
                continue  # a person trusts and pauses, and a server of theirs begins plans, while no line of it runs
            yield Slip(path=spelled, kind="trust" if by_people else "guard", how=_how(was, seen))

    def _by_own_command(self, path: str, kind: str, root: str) -> bool:
        """Whether a person's own command of ours wrote a file as late as that: what they did is no news to them."""
        from leeboard.trust.released import What, released_at  # noqa: PLC0415 - only where such a file was changed

        if kind not in {"settings", "table", "tasks", "decisions", "client"}:
            return False
        what: What = "tasks" if kind == "tasks" else "decisions" if kind == "decisions" else "settings"
        settled = released_at(root, what)
        seen = self._look.guard[path].stamp if self._look else NO_STAMP
        return seen[2] / 1e9 <= settled + _BY_COMMAND and settled > 0

    def _limit_slips(self, before: GuardLook, known: set[str], others: Others) -> Iterator[Slip]:
        now = self._look.limited if self._look else before.limited
        if now is before.limited:
            return
        for path, seen in now.files.items():
            was = before.limited.files.get(path, GuardedFile())
            if seen.digest in {was.digest, was.first} or path in known:
                continue
            if any(path in accounted_for(one) for one in others() if one.id != before.session):
                continue
            limit = next((limit.text for limit in before.limits if speaks_of(limit, path)), "")
            if limit:
                yield Slip(path=path, kind="limit", how=_how(was, seen), limit=limit)

    def _judged(self, session: Session | None, begun: set[str]) -> set[str]:
        """What calls of this session were about to change by name: that was judged before, and let pass. A call
        that was refused, or that no hook was asked about, accounts for nothing.
        """
        calls = [call for agent in (session.agents if session else ()) for call in agent.open_calls]
        known = {path for call in calls if call.id in begun for path in call.modifies}
        done = self._finished
        if done is not None and done.call.id in begun:
            touches, _ = touches_of(done.call, self._workspace, done.cwd)
            known |= {touch.path for touch in touches if touch.kind in {"write", "delete"}}
        return known

    def _placed(self, slip: Slip, before: GuardLook, *, near: bool) -> Slip:
        """With the lines that ran meanwhile, and the one to blame where it can have been nobody else."""
        lines = before.lines
        now = self._call.events[-1].time if self._call.events else 0.0
        alone = len(lines) == 1 and not near and now - lines[0].began <= ALONE_SECONDS
        return replace(
            slip,
            lines=tuple(line.text for line in lines),
            behind=() if lines else before.behind,
            agent=lines[-1].agent if lines else self._call.agent,
            call=lines[0].id if alone else "",
        )

    def _ended(self) -> None:
        """Forget the lines that have come back, and at the end of a turn those that never will."""
        look = self._look
        if look is None or not look.lines:
            return
        if self._finished is not None:
            left = tuple(line for line in look.lines if line.id != self._finished.call.id)
        elif self._call.kind in {"batch_end", "stop", "agent_stop"} or self._spoke:
            left = tuple(line for line in look.lines if line.agent != self._call.agent)
        else:
            return
        self._look = replace(look, lines=left)

    @property
    def _spoke(self) -> bool:
        return any(isinstance(event, PromptGiven) for event in self._call.events)


def events_of(slips: tuple[Slip, ...], call: HookCall) -> tuple[FilesChanged, ...]:
    """For the judge: what the agent is told. What happened while none of its lines ran is not its business."""
    found = []
    for guard in (True, False):
        own = [slip for slip in slips if slip.concerns_agent and (slip.kind == "guard") == guard]
        if own:
            paths = tuple(slip.path for slip in own)
            event = FilesChanged(
                session=call.session,
                key=f"slip:{digest(repr((own[0].call, call.events[-1].time, paths)), 8)}",
                agent=own[0].agent,
                cwd=call.cwd,
                time=call.events[-1].time,
                paths=paths,
                call=own[0].call,
                line=own[0].meanwhile,
                guard=guard,
            )
            found.append(event)
    return tuple(found)


def _how(was: GuardedFile, now: GuardedFile) -> How:
    if now.digest == GONE:
        return "deleted"
    return "made" if was.digest == GONE else "changed"


def _since(look: GuardLook, call: HookCall) -> float:
    return min((line.began for line in look.lines), default=call.events[-1].time if call.events else 0.0)


# Something that must not change and did, and the words for the person about it.


Kind = Literal["guard", "limit", "trust"]
How = Literal["changed", "deleted", "made"]

_ROOM = 1_500
_MOST = 6
_WAS = {"changed": "was changed", "deleted": "was deleted or moved away", "made": "was made"}


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    kind: Kind
    how: How
    limit: str = ""
    """The user's own words, where it breaks them."""
    lines: tuple[str, ...] = ()
    """What ran meanwhile, redacted."""
    behind: tuple[str, ...] = ()
    """What was sent to the background before, where nothing else ran."""
    agent: str = ""
    call: str = ""
    """The one to blame; empty where it may have been somebody else."""

    @property
    def concerns_agent(self) -> bool:
        return self.kind != "trust" and bool(self.lines or self.behind)

    @property
    def meanwhile(self) -> str:
        """When it happened, by what ran then."""
        if self.lines:
            return f"while {_quoted(self.lines)} ran"
        return f"after {_quoted(self.behind)} had left something running" if self.behind else ""

    @property
    def words(self) -> str:
        spoken = f" ({self.limit})" if self.limit else ""
        if not self.meanwhile and self.kind == "guard":
            return (
                f"{self.path} {_WAS[self.how]} outside of this session; `leeboard status` shows what counts here. If "
                "it was not you, look at the file before the agent goes on"
            )
        return f"{self.path}{spoken} {_WAS[self.how]} {self.meanwhile or 'while the agent ran nothing'}"


def person_words(slips: tuple[Slip, ...], looser: tuple[str, ...], *, cause: str, ended: bool, back: str) -> str:
    """What the person reads beside the agent's work; empty where there is nothing to tell."""
    told = [f"{slip.words}." for slip in slips[:_MOST]]
    if len(slips) > _MOST:
        told.append(f"So were {len(slips) - _MOST} more.")
    if looser:
        told.append(
            f"By {cause}, {'; '.join(looser)}. It does not count in this session, which goes on as it began; to accept "
            "it, run `leeboard init` in a terminal of your own, or begin a new session."
        )
    if ended:
        told.append(
            "No settings of the client name Leeboard's hooks any more: this session keeps them only as long as the "
            "client does, and a new one is not guarded. `leeboard init` puts them back."
        )
    if back:
        told.append(back)
    return f"Leeboard: {' '.join(told)}"[:_ROOM] if told else ""


def _quoted(lines: tuple[str, ...]) -> str:
    return " and ".join(f"`{line}`" for line in dict.fromkeys(lines[-2:]))


# Afterwards is a moment too: what slipped through, said to the agent by the judge and to the person in the answer.


class After:
    """Over one hook call. `words` are for the person, `events` for the judge, `notes` for the receipt."""

    def __init__(self, call: HookCall, resolved: Resolved, env: Mapping[str, str]) -> None:
        self._call = call
        self._resolved = resolved
        self._env = env
        self._watch = GuardWatch(call, resolved.setting.workspace, env)
        self._compared = False
        self.words = ""
        self.events: tuple[FilesChanged, ...] = ()
        self.notes: list[str] = []

    @property
    def is_due(self) -> bool:
        return self._watch.is_due

    @property
    def running(self) -> Running:
        return self._watch.running

    def compare(self, session: Session | None, others: Others) -> None:
        slips = self._watch.compare(session, others)
        self._compared = True
        self.events = events_of(slips, self._call)
        ended, back = self._hooks()
        looser = self._watch.say(self._resolved.looser)
        words = self._words(slips, looser, ended=ended, back=back) if slips or looser or ended or back else ""
        self.notes = [words.removeprefix("Leeboard: ")] if words else []
        if not self._watch.is_whole:
            self.notes.append("limits: more files than can be looked at each time")
        observes = self._resolved.setting.policy.profile == "observe"
        self.words = "" if observes else words

    def keep(self, session: Session | None, *, refused: bool) -> None:
        """Before the answer: the line may run as soon as it stands."""
        if self._compared:
            if not refused:
                self._watch.begin()
            self._watch.keep(session)

    def without_told(self, changes: tuple[FilesChanged, ...]) -> tuple[FilesChanged, ...]:
        """What git saw, without what was seen by digest already."""
        told = {path for event in self.events for path in event.paths}
        left = (replace(event, paths=tuple(p for p in event.paths if p not in told)) for event in changes)
        return tuple(event for event in left if event.paths) if told else changes

    def _hooks(self) -> tuple[bool, str]:
        """Whether our hooks have just gone from the client's settings; what is said when they are back."""
        stood, stand = self._watch.stood()
        root = self._resolved.setting.workspace.root
        if stood and not stand:
            from leeboard.app.guard.off import note_off  # noqa: PLC0415 - only where the hooks have gone

            self._watch.off_since(clock.now())
            note_off(root, "a hook that still ran saw it")
            return True, ""
        if stand and (not stood or self._call.kind == "start"):
            from leeboard.app.guard.off import told_back  # noqa: PLC0415 - only where a session begins

            self._watch.off_since(0.0)
            return False, told_back(root)
        return False, ""

    def _words(self, slips: tuple[Slip, ...], looser: tuple[str, ...], *, ended: bool, back: str) -> str:
        return person_words(slips, looser, cause=self._cause(slips), ended=ended, back=back)

    def _cause(self, slips: tuple[Slip, ...]) -> str:
        named = [slip.path for slip in slips if slip.kind == "guard"]
        if named:
            return " and ".join(named)
        set_now = [name for name in ("LEEBOARD_PROFILE", "LEEBOARD_OFF") if self._env.get(name)]
        files = settings_files(self._resolved.setting.workspace.root)
        return " and ".join(set_now or files) or "settings that are gone"
