"""How git is started so that a repository's own settings run nothing.

A repository's `.git/config`, its attributes and its hooks may name programs that a plain `git status` runs: filters, a
file system monitor, hooks, merge drivers, helpers that fetch missing objects. Settings that have one name are given
here and so overrule the repository's. Those that a repository names itself (`filter.<any>.clean`) are looked up first,
and each that it defines is overruled by what the *user's* settings say of it, or by nothing. The user's own settings
keep working: a filter installed for all repositories (`git lfs install`), who commits, what is ignored everywhere.

`GIT_CONFIG_COUNT` and not `-c` carries them, because a name may hold any character; git hands both on to its children.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from posixpath import join, lexists
from typing import NamedTuple

from leeboard.errors import EffectError
from leeboard.io import process
from leeboard.io.file import read_regular
from leeboard.io.git.folder import folder_of, shared_by
from leeboard.io.process import Bounds, run, search_path
from leeboard.model.text import lazy

Settings = tuple[tuple[str, str], ...]

SECONDS = 5.0
MOST_CONFIG = 1 << 20

_ALWAYS: Settings = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.editor", ":"),
    ("sequence.editor", ":"),
    ("core.sshCommand", "false"),
    ("core.askPass", ""),
    ("core.alternateRefsCommand", "true"),
    ("core.quotePath", "false"),
    ("credential.helper", ""),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    ("merge.verifySignatures", "false"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("status.submoduleSummary", "false"),
    ("diff.submodule", "short"),
    ("diff.ignoreSubmodules", "dirty"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("advice.detachedHead", "false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    # A replaced object would let a commit look like another one.
    "GIT_NO_REPLACE_OBJECTS": "1",
    # A file that is not there: `.git/info/grafts` gives a commit other parents, and nobody sees that it does.
    "GIT_GRAFT_FILE": f"{os.devnull}/none",
    "GIT_TERMINAL_PROMPT": "0",
    # No object is fetched because somebody looked; where git does not know the first, the second leaves it no way.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_NOT_HANDED_ON = ("GIT_", "SSH_ASKPASS", "EDITOR", "VISUAL", "PAGER", "LESSOPEN", "LESSCLOSE")

_TEXTS = ("--no-ext-diff", "--no-textconv")
_SHALLOW = "--ignore-submodules=dirty"
_ALSO: dict[str, tuple[str, ...]] = {
    # A submodule has settings of its own, which nobody has looked up: git is not to look inside.
    "status": (_SHALLOW,),
    "diff": (*_TEXTS, _SHALLOW),
    "diff-files": (*_TEXTS, _SHALLOW),
    "diff-index": (*_TEXTS, _SHALLOW),
    "diff-tree": _TEXTS,
    "log": _TEXTS,
    "show": _TEXTS,
}
"""Options by command, before all that is given: what only an option can say for sure."""
_WITH_VALUE = frozenset({"-c", "-C", "--git-dir", "--work-tree", "--namespace"})

_MAY_NAME = lazy(r"(?i)\[(?:filter|merge|lfs|include|includeif)\b")
"""In a configuration without such a section no program has a name of its own. One may begin anywhere in a line."""
_PLAIN_MERGE = "git merge-file -q --marker-size=%L %A %O %B"
"""What git does itself where there is no driver."""
_NAMED = (
    (lazy(r"filter\..*\.(?:clean|smudge|process)"), ""),
    (lazy(r"lfs\.extension\..*\.(?:clean|smudge)"), ""),
    (lazy(r"merge\..*\.driver"), _PLAIN_MERGE),
)
_LARGE_FILES = frozenset(
    {
        "git-lfs clean -- %f",
        "git-lfs smudge -- %f",
        "git-lfs smudge --skip -- %f",
        "git-lfs filter-process",
        "git-lfs filter-process --skip",
    }
)
"""What `git lfs install --local` writes, word for word: a program of the user's. Without it every such file whose time
git is not sure of would look changed."""


class Start(NamedTuple):
    """What a process is started with, in the order of `child.start`."""

    words: tuple[str, ...]
    cwd: str
    env: dict[str, str]


def started(
    root: str, arguments: tuple[str, ...], also: Mapping[str, str] | None = None, inside: Settings = ()
) -> Start:
    """How every git process begins. OSError where what the repository names can not be told.

    `also` are further variables; `inside` is what keeps the programs of submodules off.
    """
    env = environment(root) | dict(also or {})
    # Our own options come first, then the one that leads to another work tree.
    where = join(root, arguments[arguments.index("-C") + 1]) if "-C" in arguments[:-1] else root
    own = (*named_programs(where, env), *inside)
    return Start(("git", "--no-pager", *hardened(arguments)), root, configured(env, own))


def environment(root: str = "") -> dict[str, str]:
    """For a git process: this one's, without what would lead it elsewhere or name programs.

    Inside a git hook, GIT_DIR and its like would point elsewhere than the tree that is asked about.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_HANDED_ON)}
    return kept | _ENVIRONMENT | {"PATH": search_path(kept.get("PATH", os.defpath), root)}


def hardened(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """With the options that keep a command from running what attributes name."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        at += 2 if arguments[at] in _WITH_VALUE else 1
    also = _ALSO.get(arguments[at], ()) if at < len(arguments) else ()
    return (*arguments[: at + 1], *also, *arguments[at + 1 :])


def configured(env: Mapping[str, str], own: Settings = ()) -> dict[str, str]:
    """The environment with our settings after those that it holds."""
    before = env.get("GIT_CONFIG_COUNT", "0")
    start = int(before) if before.isdecimal() else 0
    pairs = dict(env)
    for number, (name, value) in enumerate((*_ALWAYS, *own), start):
        pairs[f"GIT_CONFIG_KEY_{number}"] = name
        pairs[f"GIT_CONFIG_VALUE_{number}"] = value
    return pairs | {"GIT_CONFIG_COUNT": str(start + len(_ALWAYS) + len(own))}


def named_programs(root: str, env: Mapping[str, str]) -> Settings:
    """What overrules each program that the repository names itself. OSError where git can not tell them."""
    if not _may_name(root):
        return ()
    ran = run(("git", "config", "--list", "--show-scope", "--includes", "-z"), root, configured(env), Bounds(SECONDS))
    if ran.code != 0:
        raise OSError(ran.err.decode("utf-8", "replace").strip() or "git config did not end in time")
    fields = ran.out.decode("utf-8", "surrogateescape").split("\0")
    return tuple(_overruled(zip(fields[::2], fields[1::2], strict=False)))


def _may_name(root: str) -> bool:
    """From the files alone: most repositories name none, and need no further process."""
    folder = folder_of(root)
    if not folder:
        return True
    for path in (join(shared_by(folder), "config"), join(folder, "config.worktree")):
        try:
            if _MAY_NAME.search(read_regular(path, MOST_CONFIG, follow=True).decode("latin-1")):
                return True
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False


def _overruled(listed: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """By name, in the order of the files."""
    users: dict[str, str] = {}
    for scope, entry in listed:
        name, _, value = entry.partition("\n")
        if scope in {"system", "global"}:
            users[name] = value
        elif scope != "command" and value not in _LARGE_FILES:
            instead = next((given for pattern, given in _NAMED if pattern.fullmatch(name)), None)
            if instead is not None:
                yield name, users.get(name, instead)
            if instead is not None and name.startswith("filter."):
                # A filter that must work and does nothing would be an error for each file.
                yield f"{name.rpartition('.')[0]}.required", "false"


# What the submodules of a work tree name as programs, for who has git look inside of them.
#
# Git hands our settings on to the process that looks into a submodule, but a submodule has a configuration of its own.
# In most work trees there is none, which is seen in the bytes of the index.


SUBMODULE_SECONDS = 10.0
DEEPEST = 5
MOST_INDEX = 256 << 20
_LISTED = b"160000 "


def programs_inside(root: str, depth: int = 0) -> Settings:
    """What overrules them. EffectError where they can not be told: git is not to look inside then."""
    if not _may_have(root):
        return ()
    if depth == DEEPEST:
        raise EffectError(f"{root} has submodules in submodules deeper than {DEEPEST}. Name a folder further inside.")
    found: list[tuple[str, str]] = []
    for path in _submodules(root):
        if lexists(join(path, ".git")):
            try:
                found += named_programs(path, environment(path))
            except OSError as error:
                raise EffectError(f"the settings of the submodule {path} can not be read: {error}") from error
            found += programs_inside(path, depth + 1)
    return tuple(found)


def _may_have(root: str) -> bool:
    folder = folder_of(root)
    try:
        index = read_regular(join(folder, "index"), MOST_INDEX) if folder else b""
    except FileNotFoundError:
        return False
    except OSError:
        return True
    # An index in two parts has the name of the other one behind its entries; as a word of a path it asks for nothing.
    return b"link" in index or _submodule_mode().search(index) is not None


@cache
def _submodule_mode() -> re.Pattern[bytes]:
    """The mode of an entry that is a submodule, looked for by its one rare byte: an index is full of zeros. The bytes
    may mean something else; then there is a question for nothing.
    """
    return re.compile(rb"\xe0\x00(?<=\x00\x00\xe0\x00)")


def _submodules(root: str) -> list[str]:
    try:
        ran = process.run(*started(root, ("ls-files", "-s", "-z")), Bounds(SUBMODULE_SECONDS))
    except (OSError, ValueError) as error:
        raise EffectError(f"git can not be asked in {root}: {error}") from error
    if ran.code != 0:
        words = ran.err.decode("utf-8", "replace").strip()
        raise EffectError(f"git ls-files failed in {root}: {words or 'it did not end in time'}")
    entries = (entry.partition(b"\t")[2] for entry in ran.out.split(b"\0") if entry.startswith(_LISTED))
    return [join(root, os.fsdecode(path)) for path in dict.fromkeys(entries)]
