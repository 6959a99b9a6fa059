"""Open PR: the branch of an intent is pushed, and a request to merge it is opened where the project is reviewed.

A person asked for it, so it is done with their keys and their `gh` or `glab`. Whatever can not be done is said as the
exact command that does it. The decision itself is on the disk before any of this begins.
"""

from __future__ import annotations

import shlex
import shutil

import msgspec

from leeboard.app.person.gate import note
from leeboard.app.plan.engine import Engine
from leeboard.io.git.remote import Remote, bare_environment, find_remote, head_of, push
from leeboard.io.process import Bounds, ProcessResult, run
from leeboard.model.plan import Plan
from leeboard.model.text import lazy
from leeboard.plan.disk import layout
from leeboard.plan.machine.moves import external_url
from leeboard.secrets.redaction import redact

SECONDS = 90.0
_MOST = 1 << 20
_ADDRESS = lazy(r"https?://[^\s\"'<>]+/(?:pull|merge_requests)/\d+")
_LONGEST_BODY = 60_000
WHO_FETCHES = (
    "its merge releases the gate: while somebody waits there, Leeboard itself fetches that branch once a minute; "
    "`leeboard flow next` does so at once"
)


class OpenedReview(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, and what is left to be done by hand."""

    pushed: str = ""
    """The remote that has the branch now; empty: none."""
    url: str = ""
    """Where it is reviewed; empty: nobody could open it."""
    left: tuple[str, ...] = ()
    """Commands, in their order."""
    problem: str = ""

    @property
    def text(self) -> str:
        """In sentences, the commands aside."""
        done = f"pushed to {self.pushed}" if self.pushed else "not pushed"
        opened = f"opened at {self.url}" if self.url else "no request to merge it is open yet"
        return f"{done}; {opened}" + (f" ({self.problem})" if self.problem else "")


def open_review(engine: Engine, slug: str, *, by_hand: bool = False) -> OpenedReview:
    """`by_hand`: nothing is done, and all of it is said. What is opened is noted in the plan."""
    plan = engine.look(slug)
    branch = layout.hub(slug)
    remote = find_remote(engine.home)
    if remote is None:
        add = "git remote add origin ADDRESS"
        left = (add, f"git push origin {branch}")
        return OpenedReview(left=left, problem="this repository has no remote, or several and none called origin")
    base = base_of(engine.home, plan, remote)
    by_command = (f"git push {shlex.quote(remote.name)} {branch}", *_spelled(remote, plan, branch, base))
    if by_hand:
        return OpenedReview(left=by_command)
    if problem := push(engine.home, remote, branch):
        return OpenedReview(left=by_command, problem=redact(problem.splitlines()[-1]))
    url, problem = _opened(engine.home, remote, plan, (branch, base))
    if url:
        note(engine, slug, lambda plan, _now: external_url(plan, url))
        return OpenedReview(pushed=remote.name, url=url)
    return OpenedReview(pushed=remote.name, left=by_command[1:], problem=problem)


def base_of(home: str, plan: Plan, remote: Remote) -> str:
    """The branch that it is to be merged into."""
    return plan.intent.base or head_of(home, remote) or "main"


def _programs(remote: Remote) -> tuple[str, ...]:
    """Which program speaks with the host; where its name says nothing, whichever is there."""
    if "gitlab" in remote.host:
        return ("glab",)
    return ("gh",) if "github" in remote.host else ("gh", "glab")


def _opened(home: str, remote: Remote, plan: Plan, branches: tuple[str, str]) -> tuple[str, str]:
    """Its address, or why there is none."""
    env = bare_environment(home)
    found = next((name for name in _programs(remote) if shutil.which(name, path=env["PATH"])), "")
    if not found:
        return "", f"{' and '.join(_programs(remote))} {'is' if len(_programs(remote)) == 1 else 'are'} not on PATH"
    words = _words(found, plan, *branches)
    try:
        ran = run(words, home, env, Bounds(SECONDS, _MOST), _body(plan).encode() if found == "gh" else b"")
    except (OSError, ValueError) as error:
        return "", f"{found} can not be started: {error}"
    return _address(found, ran)


def _address(program: str, ran: ProcessResult) -> tuple[str, str]:
    """One that was open before is named by what the program complains about."""
    out, err = (part.decode("utf-8", "replace") for part in (ran.out, ran.err))
    printed = _ADDRESS.findall(out) or (_ADDRESS.findall(err) if "already exists" in err else [])
    if printed:
        return printed[-1], ""
    said = err.strip().splitlines()
    return "", redact(f"{program}: {said[-1] if said else 'it printed no address'}")


def _words(program: str, plan: Plan, branch: str, base: str) -> tuple[str, ...]:
    title = plan.intent.title
    if program == "gh":
        return ("gh", "pr", "create", "--head", branch, "--base", base, "--title", title, "--body-file", "-")
    about = ("--title", title, "--description", _body(plan), "--yes")
    return ("glab", "mr", "create", "--source-branch", branch, "--target-branch", base, *about)


def _spelled(remote: Remote, plan: Plan, branch: str, base: str) -> tuple[str, ...]:
    """For a person to type: short, with the description left to be written."""
    title = shlex.quote(plan.intent.title)
    if _programs(remote)[0] == "glab":
        return (f"glab mr create --source-branch {branch} --target-branch {base} --title {title} --fill",)
    if "github" in remote.host:
        return (f"gh pr create --head {branch} --base {base} --title {title} --fill",)
    return (f"gh pr create --head {branch} --base {base} --title {title} --fill   # or as your host does it",)


def _body(plan: Plan) -> str:
    """What is wanted, and what was built."""
    units = [unit for view in plan.stages for unit in view.units]
    built = [f"- {unit.title or unit.id}" for unit in units]
    shown = [f"  - [{'x' if done else ' '}] {text}" for unit in units for text, done in unit.criteria]
    lines = [plan.intent.body.strip(), "", "## What was built", *built]
    lines += ["", "## What holds", *shown] if shown else []
    return redact("\n".join(lines).strip())[:_LONGEST_BODY] + "\n"
