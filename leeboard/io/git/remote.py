"""Git over the line: a branch is pushed, or a branch of the remote is fetched.

It is done with what the *user's* settings say about keys and passwords. What the repository's own settings and hooks
would run for it (an `ssh` command, a helper for credentials, `pre-push`) is left out: whoever works in a repository can
write those, and a person who has a branch pushed did not choose them.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import msgspec

from leeboard.io.git.settings import Settings
from leeboard.io.parents import GATE_MARK
from leeboard.io.process import Bounds, ProcessResult, run, search_path
from leeboard.model.text import lazy

SECONDS = 60.0
_MOST = 1 << 20
_PROGRAMS = (
    (lazy(r"core\.sshcommand"), "ssh"),
    (lazy(r"core\.askpass"), ""),
    (lazy(r"core\.gitproxy"), "none"),
    (lazy(r"credential\.(?:.*\.)?helper"), ""),
    (lazy(r"http\.(?:.*\.)?(?:proxy|sslverify|sslkey|sslcert|sslcainfo)"), ""),
)
"""Settings that name programs, keys or where the line goes, and what they are where only the repository has them."""
_ALWAYS: Settings = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("protocol.ext.allow", "never"),
    ("submodule.recurse", "false"),
    ("push.gpgSign", "false"),
    ("gc.auto", "0"),
)
_PLACED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_PREFIX")
_SCP = lazy(r"(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!//)(\S+)")


class Remote(msgspec.Struct, frozen=True, kw_only=True):
    """A place that the repository is pushed to."""

    name: str
    url: str

    @property
    def host(self) -> str:
        """Empty for a folder."""
        return _parts(self.url)[0]

    @property
    def path(self) -> str:
        """Owner and name, as a web address has them."""
        return _parts(self.url)[1].strip("/").removesuffix(".git")


def _parts(url: str) -> tuple[str, str]:
    if "://" in url:
        found = urlsplit(url)
        return (found.hostname or "", found.path) if found.scheme != "file" else ("", found.path)
    scp = _SCP.fullmatch(url)
    return (scp[1], scp[2]) if scp else ("", url)


def find_remote(root: str) -> Remote | None:
    """`origin`, or the only one there is."""
    names = _said(root, "remote").split()
    name = "origin" if "origin" in names else names[0] if len(names) == 1 else ""
    url = _said(root, "remote", "get-url", "--push", "--", name) if name else ""
    return Remote(name=name, url=url) if url else None


def head_of(root: str, remote: Remote) -> str:
    """The branch that the remote calls its own, as far as this clone knows; empty: it does not."""
    ref = _said(root, "symbolic-ref", "--quiet", f"refs/remotes/{remote.name}/HEAD")
    return ref.removeprefix(f"refs/remotes/{remote.name}/")


def push(root: str, remote: Remote, branch: str) -> str:
    """Why it could not be pushed, in git's words; empty: it is there."""
    spec = f"refs/heads/{branch}:refs/heads/{branch}"
    return _failure(
        _over_the_line(
            root, "push", "--no-recurse-submodules", "--receive-pack=git-receive-pack", "--", remote.name, spec
        )
    )


def fetch(root: str, remote: Remote, branch: str) -> str:
    """Why a branch could not be fetched, in git's words; empty: it was."""
    spec = f"+refs/heads/{branch}:refs/remotes/{remote.name}/{branch}"
    return _failure(
        _over_the_line(
            root,
            *("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--upload-pack=git-upload-pack", "--"),
            *(remote.name, spec),
        )
    )


def bare_environment(root: str) -> dict[str, str]:
    """For a program that is started for a person and may itself start others: nothing below it decides anything."""
    kept = {name: value for name, value in os.environ.items() if name not in _PLACED}
    return kept | {GATE_MARK: "1", "PATH": search_path(kept.get("PATH", os.defpath), root), "GIT_TERMINAL_PROMPT": "0"}


def _over_the_line(root: str, *arguments: str) -> ProcessResult:
    env = bare_environment(root)
    try:
        pairs = (*_ALWAYS, *_overruled(root, env))
        for number, (name, value) in enumerate(pairs):
            env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        env["GIT_CONFIG_COUNT"] = str(len(pairs))
        return run(("git", *arguments), root, env, Bounds(SECONDS, _MOST))
    except (OSError, ValueError) as error:
        return ProcessResult(code=1, err=f"git can not be started: {error}".encode())


def _overruled(root: str, env: dict[str, str]) -> Settings:
    """What the repository says of such settings, replaced by what the user says, or by nothing."""
    ran = run(("git", "config", "--list", "--show-scope", "--includes", "-z"), root, env, Bounds(SECONDS, _MOST))
    fields = ran.out.decode("utf-8", "surrogateescape").split("\0")
    of_the_user: dict[str, list[str]] = {}
    strange: dict[str, str] = {}
    for scope, entry in zip(fields[::2], fields[1::2], strict=False):
        name, _, value = entry.partition("\n")
        without = next((given for pattern, given in _PROGRAMS if pattern.fullmatch(name)), None)
        if without is None:
            continue
        if scope in {"system", "global"}:
            of_the_user.setdefault(name, []).append(value)
        elif scope != "command":
            strange[name] = without
    return tuple(pair for name, without in strange.items() for pair in _instead(name, without, of_the_user.get(name)))


def _instead(name: str, without: str, values: list[str] | None) -> Settings:
    """An empty helper ends the list of those before it."""
    first = ((name, ""),) if name.endswith(".helper") else ()
    return (*first, *((name, value) for value in values)) if values else ((name, without),)


def _failure(ran: ProcessResult) -> str:
    if ran.code == 0:
        return ""
    words = ran.err.decode("utf-8", "replace").strip()
    return words[-600:] or ("it did not end in time" if ran.code is None else f"it ended with {ran.code}")


def _said(root: str, *arguments: str) -> str:
    """Nothing is started by these; empty where git says no."""
    try:
        ran = run(("git", *arguments), root, bare_environment(root), Bounds(SECONDS, _MOST))
    except (OSError, ValueError):
        return ""
    return ran.out.decode("utf-8", "surrogateescape").strip() if ran.code == 0 else ""
