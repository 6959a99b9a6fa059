"""How a client stands to our hooks: its version, whether it runs them, what it can not do."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

from leeboard.app.views.guard import DoctorCheck
from leeboard.clients import FIRST, client_named, first_sign, signs
from leeboard.io.process import Bounds, ask_server, run, search_path

_CLIENT_SECONDS = 20.0


def check_client(client: str = FIRST, root: str = "") -> Iterator[DoctorCheck]:
    """Nothing where the client has no command that tells its version."""
    program = first_sign(client, "program")
    if not program:
        return
    found = shutil.which(program, path=search_path(os.environ.get("PATH", os.defpath), root))
    if found is None:
        detail = f"`{program}` is not on PATH; its version is not known"
        yield DoctorCheck(about="client", state="note", detail=detail)
        return
    try:
        ran = run((found, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS))
    except (OSError, ValueError) as error:
        yield DoctorCheck(about="client", state="note", detail=f"`{program} --version` failed: {error}")
        return
    yield judge_client(client, ran.out.decode("utf-8", "replace"))


def check_client_trust(client: str, root: str) -> Iterator[DoctorCheck]:
    """Nothing where the client runs every hook that stands in its settings, and where it can not be asked."""
    question = client_named(client).settings().trust_question(root)
    program = shutil.which(first_sign(client, "program"), path=search_path(os.environ.get("PATH", os.defpath), root))
    if question is None or program is None:
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


def judge_client(client: str, said: str) -> DoctorCheck:
    """The check by what the client printed as its version."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", said)
    if found is None:
        return DoctorCheck(about="client", state="note", detail=f"can not read a version in {said.strip()[:60]!r}")
    trouble = client_named(client).settings().version_trouble(tuple(map(int, found.groups())))
    name = f"{first_sign(client, 'title')} {found[0]}"
    return DoctorCheck(about="client", state="note" if trouble else "ok", detail=f"{name} {trouble}".rstrip())
