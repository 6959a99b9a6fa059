"""What holds in a project: its work tree, its settings file and the environment over it, rules and allowances.

What counts in a session are the settings it began under, and what became stricter since. A file that is deleted or
edited, a branch without it, a variable that a client's settings set: none of them loosens a session that runs. A person
does, by a command that proves them; new sessions go by what they find.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from posixpath import isdir, isfile, join, lexists
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.app.handle import RunSetting, load_rules
from leeboard.app.pause import Pause, paused
from leeboard.app.settings_files import read_settings
from leeboard.contracts.disk.task_folder import task_folder
from leeboard.errors import LeeboardError
from leeboard.io import clock, places
from leeboard.io.file import read_start
from leeboard.io.git.tree_files import CommittedFiles, DiskFiles
from leeboard.io.git.unsaved import UnsavedWork
from leeboard.io.places import secret_key
from leeboard.model.contract import TEAM_POLICY, Allowance, Constraint, Contract, Held
from leeboard.model.lookup import Store, Tree
from leeboard.model.own_rule import RULES_FOLDER, OwnRules
from leeboard.model.policy import Pin, Policy, loosened, stricter
from leeboard.model.session import Session
from leeboard.model.symbol import Symbols
from leeboard.model.workspace import Workspace
from leeboard.settings.decisions import ALLOWED
from leeboard.settings.settings import KeepSettings, Settings

GUIDES = ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md")
"""Where a project tells agents how to work in it, from its root."""

if TYPE_CHECKING:
    from leeboard.model.unit import Unit
    from leeboard.plan.disk.glance import Glance
    from leeboard.settings.model_judge import JudgeSettings


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """What counts, and what the settings say beside it."""

    policy: Policy
    enabled: bool
    pin: Pin | None
    """As the session keeps it from here on."""
    looser: tuple[str, ...] = ()
    """What the settings would loosen, in words: it does not count."""


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    setting: RunSetting
    enabled: bool = True
    notes: tuple[str, ...] = ()
    """What is wrong with the settings; what is valid holds, and the defaults for the rest."""
    track: tuple[str, ...] = ()
    """Globs of the files whose changes by others are always told."""
    looser: tuple[str, ...] = ()
    """What the settings would loosen for this session, in words: it goes on under what it began with."""
    judge: JudgeSettings | None = None
    """The model that may be asked beside the traffic."""
    keep: KeepSettings = KeepSettings()
    """How much of a person's work is copied."""
    pause: Pause | None = None
    """A person's word that nothing is to be said or refused here for a while."""


def setting_for(cwd: str, session_id: str, store: Store, env: Mapping[str, str]) -> RunSetting:
    return resolve(cwd, session_id, store, env).setting


def resolve(cwd: str, session_id: str, store: Store, env: Mapping[str, str], writes: tuple[str, ...] = ()) -> Resolved:
    """Never raises for what a person wrote: broken settings must not silence everything.

    `writes` are the files that are about to be written in trees of a workflow: they may be another intent's.
    """
    session = store.session(session_id) if session_id else None
    root = work_tree(cwd, session.root if session else "")
    settings, notes = read_settings(root, env)
    counts = counting(settings, session, root)
    pause = paused(session.root if session else root, clock.now())
    held, note = _held(root, env, settings)
    workflow, wrong = _workflow(root, cwd, writes)
    own = _own_rules(root)
    setting = RunSetting(
        workspace=Workspace(root),
        policy=counts.policy if pause is None else replace(counts.policy, profile="observe"),
        rules=load_rules(counts.policy.disabled_rules),
        pin=counts.pin,
        allowances=(*store.allowances(root, session_id, clock.now()), *_committed(root)),
        given=_begun(given_contract(settings), root) if session is None else given_contract(settings),
        held=held,
        tree=_tree(root, session),
        secret_key=secret_key(),
        own_rules=own.rules,
        team_steps=_team_steps(settings, root),
        paused=pause is not None,
    )
    if workflow is not None:
        setting = workflow.over(setting)
    told = tuple(one for one in (pause.words if pause else "", *notes, note, wrong, *map(str, own.problems)) if one)
    return Resolved(
        setting=setting,
        enabled=counts.enabled,
        notes=told,
        track=settings.track,
        looser=counts.looser,
        judge=settings.judge,
        keep=settings.keep,
        pause=pause,
    )


def counting(settings: Settings, session: Session | None, root: str) -> Counting:
    """`root` is the tree whose settings these are: that of another tree binds its own agent, and no other."""
    policy, enabled = settings.policy, settings.enabled
    anew = Counting(policy=policy, enabled=enabled, pin=Pin(policy=policy, at=clock.now()))
    pin = session.pin if session else None
    if session is None or pin is None:
        return anew
    if enabled and policy == pin.policy:
        return Counting(policy=policy, enabled=True, pin=pin)
    looser = loosened(pin, policy, enabled=enabled)
    if looser and _released_at(session.root) > pin.at:
        return anew
    held = stricter(pin, policy)
    return Counting(policy=held.policy, enabled=True, pin=held if root == session.root else pin, looser=looser)


def _released_at(root: str) -> float:
    from leeboard.trust.released import released_at  # noqa: PLC0415 - only where settings would loosen a session

    return released_at(root)


def _committed(root: str) -> tuple[Allowance, ...]:
    """What the project's people have let stand in its own files, as far as that is trusted."""
    if not root or not lexists(join(root, ALLOWED)):
        return ()
    from leeboard.app.allowances import trusted_allowances  # noqa: PLC0415 - only where a project has committed some

    try:
        return trusted_allowances(root)
    except LeeboardError:
        return ()


def _team_steps(settings: Settings, root: str) -> str:
    """The file with what others in the team did here; empty where there is no team."""
    if settings.team is None:
        return ""
    from leeboard.app.team_files import project_name, steps_file  # noqa: PLC0415 - only for who has a team

    name = project_name(settings.team, root)
    return steps_file(name) if name else ""


def _own_rules(root: str) -> OwnRules:
    """The rules of the project's own people, as far as they are trusted, and what is wrong with them."""
    if not root or not isdir(join(root, RULES_FOLDER)):
        return OwnRules()
    from leeboard.app.own_rules import trusted_rules  # noqa: PLC0415 - only where a project has rules of its own

    return trusted_rules(root)


def _tree(root: str, session: Session | None) -> Tree:
    files = DiskFiles(root)
    if not root:
        return Tree(files)
    return Tree(files, cache(lambda: indexed(root, session)), CommittedFiles(root), disk=files, unsaved=UnsavedWork())


def _workflow(root: str, cwd: str, writes: tuple[str, ...]) -> tuple[PlanAround | None, str]:
    """The workflow on disk around a folder, and what kept it from being read. Where there is none it costs one look."""
    in_trees = bool(writes) or "/.haiku/worktrees/" in f"{cwd}/"
    if not in_trees and not (root and isdir(join(root, ".haiku/intents"))):
        return None, ""

    try:
        return plan_around(root, cwd, writes), ""
    except (LeeboardError, OSError) as error:
        return None, f"workflow: {error}"


def _held(root: str, env: Mapping[str, str], settings: Settings) -> tuple[Held | None, str]:
    """The explicit contract of the work tree, and what kept it from being read."""
    given = msgspec.structs.replace(settings.contract, root=root) if settings.contract else None
    try:
        if not root or not task_folder(root, env)[0]:
            return given, ""
        from leeboard.app.work_contract import held_for_agent  # noqa: PLC0415 - only where there are tasks

        return held_for_agent(root, env, given), ""
    except (LeeboardError, OSError) as error:
        return given, f"tasks: {error}"


def _begun(given: Contract, root: str) -> Contract:
    """With what the project has written down for agents, and the commit that a session starts from: what it changes is
    judged against that.
    """
    if any(lexists(join(root, name)) for name in GUIDES):
        given = msgspec.structs.replace(given, constraints=(*given.constraints, *read_written_limits(root, GUIDES)))
    if not lexists(join(root, ".git")):
        return given
    from leeboard.io.git.place import head_of  # noqa: PLC0415 - only where a session begins

    try:
        return msgspec.structs.replace(given, base=head_of(root))
    except LeeboardError:
        return given


def indexed(root: str, session: Session | None) -> Symbols | None:
    """The index of the work tree, where there is one by now, under what the session has written since."""
    from leeboard.source.index.symbols import open_symbols  # noqa: PLC0415 - only for rules that ask

    marks = (mark for agent in session.agents for mark in agent.marks) if session else ()
    return open_symbols(root, {mark.path for mark in marks if mark.path})


def given_contract(settings: Settings) -> Contract:
    """What the settings promise for every session. A limit that can not be checked is still given to the agent."""
    if not settings.scope and not settings.constraints:
        return Contract()
    from leeboard.speech.limits.constraint import (  # noqa: PLC0415 - costs a hook process much, and few set it
        find_constraints,
    )

    limits: list[Constraint] = []
    for text in settings.constraints:
        found = find_constraints(text) or (Constraint(text=text[:160], kind="must"),)
        source = f"{TEAM_POLICY}{settings.team_serial}" if text in settings.team_limits else ""
        limits += (replace(one, source=source) for one in found)
    return Contract(scope=settings.scope, constraints=tuple(limits))


def work_tree(cwd: str, known: str) -> str:
    """The tree paths are spelled in. It stays the session's own wherever the agent goes, but for a linked work tree:
    that is where the work of that agent happens.
    """
    found = places.project_root(cwd)
    if not known or found == known:
        return found or known
    return found if is_linked(found) else known


def is_linked(root: str) -> bool:
    """A linked work tree of git has a file that points into another tree's `.git/worktrees/`."""
    mark = join(root, ".git")
    if not isfile(mark):
        return False
    try:
        return b"/worktrees/" in read_start(mark, 4096, follow=True)
    except OSError:
        return False


def policy_of(root: str) -> Policy:
    """The judge's numbers in a project, for who looks at what was judged there."""
    return read_settings(root, os.environ)[0].policy


# A workflow around the folder an agent works in, laid over the settings of its project.


class PlanAround:
    """The workflow around a session as a glance at its folder shows it, laid over the session's setting."""

    def __init__(self, seen: Glance) -> None:
        self._seen = seen

    def over(self, setting: RunSetting) -> RunSetting:
        """The setting with the workflow in it: in the work tree of a unit the unit's own contract holds."""
        seen, root = self._seen, setting.workspace.root
        setting = replace(setting, plan_root=seen.home, plan=seen.plan, unit=seen.unit)
        if root != seen.home:
            from leeboard.plan.disk.glance import PrimaryFiles  # noqa: PLC0415 - only where a workflow lives on disk

            setting = replace(setting, tree=replace(setting.tree, files=PrimaryFiles(root, seen.home)))
        return replace(setting, held=held_by(seen.unit, root)) if seen.unit else setting


def plan_around(root: str, cwd: str, writes: tuple[str, ...] = ()) -> PlanAround:
    from leeboard.plan.disk.glance import glance, home_written_to  # noqa: PLC0415 - only where a workflow lives on disk

    beside = home_written_to(root, writes) if writes else ""
    return PlanAround(glance(beside, beside) if beside else glance(root, cwd))


def held_by(unit: Unit, root: str) -> Held:
    """The contract a unit yields to who works in its tree."""
    contract = Contract(
        objective=unit.title or unit.id,
        touch=unit.touch or tuple(dict.fromkeys(map(_around, unit.outputs))),
        acceptance=tuple(gate.command for gate in unit.quality_gates),
        task=unit.id,
        source="unit",
    )
    return Held(root=root, contract=contract, title=contract.objective)


def _around(output: str) -> str:
    """The folder an output lies in; one at the top stands for itself alone."""
    folder = output if output.endswith("/") else output.rpartition("/")[0]
    return f"{folder.rstrip('/')}/**" if folder else output


def read_written_limits(root: str, names: tuple[str, ...]) -> tuple[Constraint, ...]:
    """The limits that a project has written down for agents, each once, with the file and line it stands in.

    Nobody has to trust them: they only tighten. A link is not followed, and what can not be read says nothing.
    """
    from leeboard.speech.limits.written import LONGEST, project_limits  # noqa: PLC0415 - only where there is such a file

    found: dict[str, Constraint] = {}
    for name in names:
        try:
            text = read_start(join(root, name), LONGEST).decode("utf-8", "replace")
        except OSError:
            continue
        for limit in project_limits(text, name):
            found.setdefault(limit.text, limit)
    return tuple(found.values())
