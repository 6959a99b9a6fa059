"""Git commands that bring a workflow's work into a trunk: that it got there is how the workflow knows of a review.

Whoever reviews the work elsewhere merges it. An agent that moves the trunk itself has made that event up, whichever way
it takes: a push or fetch within the repository, a branch that is set, a merge in another work tree, a forge that is
asked to merge.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_options import Parsed, parse
from leeboard.model.pattern import lazy
from leeboard.model.plan_place import TRUNKS

_OF_WORK = lazy(r"(?:^|/|\.\.)haiku/")
_COMMIT = lazy(r"(?i:[0-9a-f]{7,40})$")
_HERE = lazy(r"(?:HEAD|@)(?:[~^@{].{0,40})?")
_TAKES_OVER = frozenset({"checkout", "cherry-pick", "merge", "pull", "read-tree", "rebase", "reset", "restore"})
"""With a branch's name they bring what is on it into the tree they are run in."""
_MERGES = frozenset({("pr", "merge"), ("mr", "merge"), ("mr", "accept")})
_NO_MERGE = frozenset({"--help", "-h", "--disable-auto"})
_MERGED_AT = lazy(r"/(?:pulls|merge_requests)/\d{1,12}/merge$")
_VALUED = "-b -B -c -C -m -s -S -F -X -o --source --message --strategy --reason --upload-pack --receive-pack --exec"


def moved_trunk(name: str, arguments: list[str], *, on_work: bool, is_here: bool) -> str:
    """The trunk that a git command would bring the work into; empty: none.

    `on_work`: the tree it is run in stands on a branch of the workflow. `is_here`: that tree is known to be of this
    repository; elsewhere only what names the workflow's branches counts.
    """
    parsed = parse(arguments, _VALUED)
    return next(_moved(name, parsed, on_work=on_work, is_here=is_here), "")


def merges_request(words: tuple[str, ...]) -> bool:
    """Whether it has a forge merge, whichever request that is: its trunk comes back with the next fetch."""
    if posixpath.basename(words[0]) not in {"gh", "glab"} or not _NO_MERGE.isdisjoint(words):
        return False
    plain = tuple(word for word in words[1:] if not word.startswith("-"))
    by_address = "api" in plain and "PUT" in " ".join(words) and any(_MERGED_AT.search(word) for word in plain)
    return by_address or any(named in _MERGES for named in (plain[:2], plain[1:3]))


def _moved(name: str, parsed: Parsed, *, on_work: bool, is_here: bool) -> Iterator[str]:
    if name in {"push", "fetch", "pull"}:
        yield from _by_refspec(name, parsed, on_work=on_work, is_here=is_here)
    if is_here and name in {"branch", "update-ref", "symbolic-ref", "worktree"}:
        yield from _by_setting(name, parsed, on_work=on_work)
    sources = (*parsed.operands, *parsed.values("-s", "--source")) if name in _TAKES_OVER else ()
    if not on_work and any(_names_work(word) for word in sources):
        yield "the branch of that tree"


def _by_refspec(name: str, parsed: Parsed, *, on_work: bool, is_here: bool) -> Iterator[str]:
    """From a remote only what names the work can be it; what is here, or goes there, may also be where we stand."""
    local = bool(parsed.operands) and parsed.operands[0].startswith((".", "/", "~", "file:"))
    for word in parsed.operands[1:]:
        source, _, target = word.lstrip("+").partition(":")
        lands = _is_trunk(target) or (local and UNKNOWN in target)
        may_be = is_here and (local or name == "push") and _may_be_work(source, on_work=on_work)
        if source and lands and (_names_work(source) or may_be):
            yield target.replace(UNKNOWN, "...")


def _by_setting(name: str, parsed: Parsed, *, on_work: bool) -> Iterator[str]:
    target, source = (*parsed.operands, "", "")[:2]
    if name == "worktree":
        (target, source) = ((parsed.values("-B") or [""])[0], (*parsed.operands, "", "", "")[2])
    elif name == "branch" and parsed.has("-m", "-M", "--move"):
        (target, source) = (target, "HEAD") if not source else (source, target)
    elif name == "branch" and not parsed.has("-f", "--force", "-C"):
        return
    if _is_trunk(target) and (_names_work(source) or _may_be_work(source or "HEAD", on_work=on_work)):
        yield target


def _is_trunk(ref: str) -> bool:
    return ref.rpartition("/")[2] in TRUNKS and "haiku/" not in ref


def _names_work(ref: str) -> bool:
    return bool(_OF_WORK.search(ref))


def _may_be_work(ref: str, *, on_work: bool) -> bool:
    """Where we stand; and a commit by its number, or what nobody can tell."""
    return (on_work and bool(_HERE.fullmatch(ref))) or UNKNOWN in ref or bool(_COMMIT.match(ref))
