"""What `leeboard doctor` says of the clients that are installed: version, trust, what hooks hear, what they lack."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator

from leeboard.app.guard.coverage import kept_coverage
from leeboard.app.guard.posted import posted_hooks
from leeboard.app.guard.probe import probe
from leeboard.app.views.guard import CheckState, DoctorCheck
from leeboard.clients import FIRST, client_named, first_sign, signs
from leeboard.errors import ConfigError
from leeboard.io.clock import ago
from leeboard.io.process import Bounds, ask_server, run, search_path

_CLIENT_SECONDS = 20.0
_VERSION = re.compile(r"\d+\.\d+\.\d+")


def check_client(client: str = FIRST, root: str = "") -> Iterator[DoctorCheck]:
    """Nothing where the client has no command that tells its version."""
    program = first_sign(client, "program")
    if not program:
        return
    found = _program(client, root)
    if not found:
        detail = f"`{program}` is not on PATH; its version is not known"
        yield DoctorCheck(about="client", state="note", detail=detail)
        return
    try:
        ran = run((found, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS))
    except (OSError, ValueError) as error:
        yield DoctorCheck(about="client", state="note", detail=f"`{program} --version` failed: {error}")
        return
    said = ran.out.decode("utf-8", "replace")
    yield judge_client(client, said)
    yield from check_coverage(client, _version_in(said))


def check_coverage(client: str, version: str) -> Iterator[DoctorCheck]:
    """What this version tells its hooks, where somebody has tried it."""
    title = f"{first_sign(client, 'title')} {version}"
    if not version or client_named(client).probe() is None:
        return
    found = kept_coverage(client, version)
    if found is None:
        detail = f"which calls of {title} its hooks hear of was not tried here; `leeboard doctor --probe` does"
        yield DoctorCheck(about="probe", detail=detail)
        return
    state: CheckState = "failed" if found.unheard else "ok"
    yield DoctorCheck(about="probe", state=state, detail=f"{title}, tried {ago(found.time)}: {found.words}")


def check_posts(root: str) -> Iterator[DoctorCheck]:
    """Who answers the hooks that a client posts; nothing where none are."""
    found = posted_hooks(root)
    if found is None:
        return
    tried, detail = kept_coverage(FIRST), found.words
    state: CheckState = "failed" if found.answers == "somebody" else "note" if found.answers == "silent" else "ok"
    if tried is not None and tried.version != found.hooks.version and state == "ok":
        state = "note"
        detail += (
            f"; that {found.hooks.version} posts them is known, of {tried.version} run `leeboard init --http` again"
        )
    yield DoctorCheck(about="posted hooks", state=state, detail=detail)


def check_client_trust(client: str, root: str) -> Iterator[DoctorCheck]:
    """Nothing where the client runs every hook that stands in its settings, and where it can not be asked."""
    question = client_named(client).settings().trust_question(root)
    program = _program(client, root)
    if question is None or not program:
        return
    title, words = first_sign(client, "title"), (program, *question.arguments)
    try:
        answer = ask_server(words, root, os.environ, question.told, question.answered, _CLIENT_SECONDS)
    except (OSError, ValueError):
        answer = b""
    trouble = client_named(client).settings().read_trust(answer)
    if trouble is None:
        detail = f"{title} did not tell whether it runs the hooks: {first_sign(client, 'next-step')}"
        yield DoctorCheck(about="client", state="note", detail=detail)
    else:
        detail = f"{title} {trouble or 'runs the hooks: they were reviewed'}"
        yield DoctorCheck(about="client", state="failed" if trouble else "ok", detail=detail)


def check_lowered(client: str) -> Iterator[DoctorCheck]:
    """What the client can not do, and what is done in its place: no fault, and good to know."""
    for line in signs(client, "lowered"):
        yield DoctorCheck(about="lowered", detail=f"{first_sign(client, 'title')}: {line}")


def try_clients(clients: Iterable[str], root: str) -> None:
    """Those that can be tried by themselves. EffectError where one can not be run."""
    for client in clients:
        found = _program(client, root)
        if found and client_named(client).probe() is not None:
            said = run((found, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS)).out.decode("utf-8", "replace")
            probe(client, found, _version_in(said))


def posting_version(client: str, root: str) -> str:
    """The installed version of a client that was seen to post its hooks. ConfigError that says why it can not be told
    to, and what to do.
    """
    title, program, posted = first_sign(client, "title"), _program(client, root), signs(client, "posted-event")
    instead = "`leeboard init` puts the hooks in as commands"
    if not posted:
        raise ConfigError(f"{title} posts no hooks; {instead}")
    try:
        ran = run((program, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS)) if program else None
    except (OSError, ValueError):
        ran = None
    version = _version_in(ran.out.decode("utf-8", "replace")) if ran else ""
    if not version:
        raise ConfigError(f"the version of {title} is not known here, so nobody can tell what it posts; {instead}")
    found = kept_coverage(client, version)
    if found is None:
        raise ConfigError(
            f"{title} {version} was not tried here: `leeboard doctor --probe` sees whether it posts hooks; until then "
            f"{instead}"
        )
    unheard = [event for event in posted if event in found.events and event not in found.http_events]
    if not found.takes_http or unheard or posted[0] not in found.http_events:
        raise ConfigError(f"{title} {version} does not post all that it tells its commands; {instead}")
    return version


def _program(client: str, root: str) -> str:
    """On PATH, but for what the repository brings; empty where it is not there."""
    program = first_sign(client, "program")
    return (program and shutil.which(program, path=search_path(os.environ.get("PATH", os.defpath), root))) or ""


def _version_in(said: str) -> str:
    found = _VERSION.search(said)
    return found[0] if found else ""


def judge_client(client: str, said: str) -> DoctorCheck:
    """The check by what the client printed as its version."""
    version = _version_in(said)
    if not version:
        return DoctorCheck(about="client", state="note", detail=f"can not read a version in {said.strip()[:60]!r}")
    trouble = client_named(client).settings().version_trouble(tuple(map(int, version.split("."))))
    name = f"{first_sign(client, 'title')} {version}"
    return DoctorCheck(about="client", state="note" if trouble else "ok", detail=f"{name} {trouble}".rstrip())
