"""Shell lines that would take a workflow's work away: its trees and branches, or what is not committed beside them.

The primary work tree stands on the intent's branch and holds the plan; whoever resets, cleans, stashes or leaves it
takes the plan along. In a unit's own tree git is the unit's, but for the branch that tree is on.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import INTENTS, TRUNKS, plan_path, worktree_of
from leeboard.plan.guards.git_files import aliased_line, past_rules
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse
from leeboard.shell.patch import INSTEAD, UNTOLD, PatchCommand, PatchDisk, patches_of
from leeboard.shell.programs.git import subcommand
from leeboard.shell.programs.readers import looks_like_file

_TREES = ".haiku/worktrees"
_HOLDS_ALL = frozenset({".haiku", _TREES, ".haiku/intents", ".git", ".git/worktrees", ".git/refs", ".git/objects"})
_TREE_DEPTH = 3
_EVERYTHING = frozenset({".", "./", "..", ":/", ":", "*", "/"})
_ELSEWHERE_COMMIT = lazy(r"[~^]|@\{|(?i:[0-9a-f]{7,40})$|/")
_ENDED_BY_ENGINE = "the engine removes a unit's work tree and branch itself once its work is merged"
_AWAY = "commit there what belongs to the work, and leave the rest to the user"


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """The work trees and the branch that a line is run in, as far as they belong to a workflow."""

    top: str
    """The primary work tree."""
    here: str
    """The work tree the agent is in."""
    hub: str
    branch: str
    """Checked out in the primary tree."""
    unit: tuple[str, str] = ("", "")
    """Slug and unit of the agent; both empty: of none."""


class PlanHarm(msgspec.Struct, frozen=True, kw_only=True):
    subject: str
    why: str
    instead: str


def harms(line: ShellEffects, ground: Ground, patches: tuple[PatchCommand, ...] = ()) -> Iterator[PlanHarm]:
    """One for each program of the line that would do any, and for each folder that would go."""
    yield from (harm for patch in patches for harm in _by_patch(patch, ground))
    gone = [touch.path for touch in line.touches if touch.kind == "delete"]
    taken = [path for path in gone if _is_taken(_placed(path, ground.here, ground.top))]
    emptied = [path for each in line.started for path in _emptied(each)]
    taken += [path for path in emptied if _holds_work(_placed(path, ground.here, ground.top))]
    for path in dict.fromkeys(taken):
        why = "work of the workflow lies in it that is nowhere else"
        yield PlanHarm(subject=path, why=why, instead=_ENDED_BY_ENGINE)
    for path in dict.fromkeys(path for path in emptied if _is_plan(_placed(path, ground.here, ground.top))):
        why = "files that only the workflow's engine keeps lie in it"
        yield PlanHarm(subject=path, why=why, instead="name the files of yours that go, one by one")
    for each in line.started:
        if posixpath.basename(each.words[0]) == "git":
            yield from _of_git(each, ground)
        elif merges_request(each.words):
            yield _made_up(f"{each.words[0]} merge", "the trunk of the remote")


def _emptied(started: Started) -> Iterator[str]:
    """The folder that `rm -rf folder/*` empties, and what `find folder -delete` goes through."""
    program, *arguments = started.words
    name = posixpath.basename(program)
    folder = started.folder or ""
    if name in {"rm", "shred", "unlink"}:
        emptied = [word.partition(UNKNOWN)[0] for word in parse(arguments).operands if UNKNOWN in word]
        yield from (posixpath.join(folder, posixpath.dirname(word)) for word in emptied)
    elif name == "find" and ("-delete" in arguments or {"rm", "-exec"} <= {*arguments}):
        operands = [word for word in arguments if not word.startswith(("-", "("))]
        yield from (posixpath.join(folder, word) for word in operands[:1] if UNKNOWN not in word)


def _placed(path: str, here: str, top: str) -> str | None:
    """A path counted from the top of the primary tree, "." for the top and what holds it; None: it lies elsewhere."""
    whole = posixpath.normpath(path if path.startswith("/") else posixpath.join(here, path))
    if path.startswith("~") or not top:
        return None
    if whole == top or top.startswith(f"{whole.rstrip('/')}/"):
        return "."
    return whole.removeprefix(f"{top}/") if whole.startswith(f"{top}/") else None


def _is_taken(place: str | None) -> bool:
    """Whether it is a unit's tree, or holds some."""
    if place is None:
        return False
    is_tree = place.startswith(f"{_TREES}/") and place.count("/") == _TREE_DEPTH
    return place == "." or is_tree or _holds_work(place)


def _holds_work(place: str | None) -> bool:
    """Whether unit's trees, branches or plans lie in it, so that it can not be emptied either."""
    if place is None:
        return False
    of_intent = place.startswith(f"{_TREES}/") and place.count("/") < _TREE_DEPTH
    return of_intent or place in _HOLDS_ALL or place.startswith(".git/refs/heads")


def _is_plan(place: str | None) -> bool:
    """Whether it is the folder of an intent or a stage."""
    found = plan_path(place) if place and place.startswith(INTENTS) else None
    return found is not None and found.kind == "folder"


def _of_git(started: Started, ground: Ground) -> Iterator[PlanHarm]:
    name, arguments, before = subcommand(list(started.words[1:]))
    folder = started.folder if started.folder is not None else ground.here
    for given in before.values("-C"):
        folder = ground.here if UNKNOWN in given else posixpath.join(folder, given)
    place = _placed(folder or ground.here, ground.here, ground.top)
    owner = worktree_of(place or "")
    is_told = started.folder is not None and not any(UNKNOWN in given for given in before.values("-C"))
    yield from _to_trunk(name, arguments, place if is_told else None, ground)
    later = aliased_line(name, arguments)
    if later:
        yield from harms(shell_effects(later, folder), ground, patches_of(later, folder, PatchDisk(ground.top)))
    if place is None:
        return
    inner = place.removeprefix(f"{_TREES}/{owner[0]}/{owner[1]}").lstrip("/") if owner[0] else place
    for why, instead in past_rules(name, arguments, before, inner or "."):
        yield PlanHarm(subject=f"git {name}", why=why, instead=instead)
    yield from _to_trees_and_branches(name, arguments, (folder, ground))
    if owner[0]:
        yield from _in_unit(name, arguments, owner, ground)
    elif ground.branch == ground.hub and name in _IN_PRIMARY:
        yield from _said(name, _IN_PRIMARY[name](arguments, ground), ground)


def _by_patch(patch: PatchCommand, ground: Ground) -> Iterator[PlanHarm]:
    """The harm of a patch whose files nobody can tell; the files of all others are judged one by one."""
    place = _placed(patch.folder, ground.here, ground.top)
    is_primary = place is not None and not worktree_of(place)[0] and ground.branch == ground.hub
    if patch.paths is None and not patch.spared and is_primary:
        yield PlanHarm(subject=patch.program, why=f"{UNTOLD}, and some only the engine writes", instead=INSTEAD)


def _to_trunk(name: str, arguments: list[str], place: str | None, ground: Ground) -> Iterator[PlanHarm]:
    on_work = bool(worktree_of(place or "")[0]) or (place is not None and ground.branch.startswith("haiku/"))
    trunk = moved_trunk(name, arguments, on_work=on_work, is_here=place is not None)
    if trunk:
        yield _made_up(f"git {name}", trunk)


def _made_up(subject: str, trunk: str) -> PlanHarm:
    why = f"it would bring the work into {trunk}, by which the workflow is told that somebody else merged it"
    instead = "leave the merge to who reviews the work; push the intent's own branch where they are to see it"
    return PlanHarm(subject=subject, why=why, instead=instead)


def _said(name: str, found: str, ground: Ground) -> Iterator[PlanHarm]:
    if found:
        why = f"{found}, and the plan with the work of every unit stands on {ground.hub} in this tree"
        yield PlanHarm(subject=f"git {name}", why=why, instead=_INSTEAD.get(name, _AWAY))


def _to_trees_and_branches(name: str, arguments: list[str], at: tuple[str, Ground]) -> Iterator[PlanHarm]:
    """From whichever tree it is run."""
    folder, ground = at
    if name == "worktree" and arguments[:1] in (["remove"], ["move"]):
        for word in parse(arguments[1:]).operands[:1]:
            place = None if UNKNOWN in word else _placed(posixpath.join(folder, word), ground.here, ground.top)
            if UNKNOWN in word or (place or "").startswith(f"{_TREES}/"):
                why = "the work tree of a unit goes, with what is not committed in it"
                yield PlanHarm(subject="git worktree", why=why, instead=_ENDED_BY_ENGINE)
    parsed = parse(arguments)
    ours = [word for word in parsed.operands if word.removeprefix("refs/heads/").startswith("haiku/")]
    changes = name == "update-ref" or (name == "branch" and parsed.has(*_BRANCH_CHANGES))
    hidden = name == "branch" and parsed.has("-d", "-D", "--delete") and any(UNKNOWN in w for w in parsed.operands)
    if changes and (ours or hidden):
        why = "branches of the workflow hold work that is not merged yet" if ours else "nobody can tell which branches"
        instead = _ENDED_BY_ENGINE if ours else "name the branches that go; those below haiku/ stay"
        yield PlanHarm(subject=f"git {name}", why=why, instead=instead)


_BRANCH_CHANGES = ("-d", "-D", "--delete", "-m", "-M", "--move", "-f", "--force")


def _in_unit(name: str, arguments: list[str], owner: tuple[str, str], ground: Ground) -> Iterator[PlanHarm]:
    """A unit's tree stays on the unit's branch; what is in it is its own agent's."""
    own = f"haiku/{owner[0]}/{owner[1]}"
    away = _leaves(name, arguments, own)
    if away:
        instead = "look at other branches with `git show` or `git diff`; the engine merges this one"
        yield PlanHarm(subject=f"git {name}", why=f"{away}, and the unit's work belongs on {own}", instead=instead)
    elif ground.unit[0] and owner != ground.unit and name in _IN_PRIMARY and _IN_PRIMARY[name](arguments, ground):
        why = f"that is the work tree of {owner[1]}, and this agent works on {ground.unit[1]}"
        yield PlanHarm(subject=f"git {name}", why=why, instead="leave it to the agent of that unit")


def _leaves(name: str, arguments: list[str], branch: str) -> str:
    """What a checkout or switch to another branch does; empty: the branch stays."""
    if name not in {"checkout", "switch"} or "--" in arguments:
        return ""
    parsed = parse(arguments, "-b -B -c -C --create --force-create --orphan --conflict --source")
    made = parsed.values("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan")
    if made:
        shown = made[0].replace(UNKNOWN, "...")
        return f"another branch ({shown}) would be checked out" if made[0] != branch else ""
    if parsed.has("--detach", "-d"):
        return "no branch would be checked out"
    if len(parsed.operands) != 1 or parsed.has("--ours", "--theirs", "-p", "--patch", "--help", "-h"):
        return ""
    target = parsed.operands[0]
    is_file = name == "checkout" and (looks_like_file(target) or target in _EVERYTHING or target.endswith("/"))
    if is_file or target == branch or UNKNOWN in target or target == "HEAD":
        return ""
    return f"another branch ({target}) would be checked out"


def _checkout(arguments: list[str], ground: Ground) -> str:
    paths = arguments[arguments.index("--") + 1 :] if "--" in arguments else parse(arguments).operands
    if any(word in _EVERYTHING for word in paths):
        return "all that is not committed would be thrown away"
    return _leaves("checkout", arguments, ground.hub)


def _restore(arguments: list[str], _ground: Ground) -> str:
    parsed = parse(arguments, "-s --source --conflict --pathspec-from-file")
    only_index = parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree")
    whole = any(word in _EVERYTHING for word in parsed.operands)
    return "all that is not committed would be thrown away" if whole and not only_index else ""


def _reset(arguments: list[str], _ground: Ground) -> str:
    before = arguments[: arguments.index("--")] if "--" in arguments else arguments
    parsed = parse(before)
    if parsed.has("--hard", "--merge", "--keep"):
        return "all that is not committed would be thrown away"
    moves = not parsed.has("-p", "--patch") and any(_names_commit(word) for word in parsed.operands[:1])
    return "commits of the engine would be taken back" if moves else ""


def _names_commit(word: str) -> bool:
    return bool(_ELSEWHERE_COMMIT.search(word)) and not looks_like_file(word) and not word.endswith("/")


def _stash(arguments: list[str], _ground: Ground) -> str:
    action = arguments[0] if arguments and not arguments[0].startswith("-") else "push"
    if action in {"pop", "apply"}:
        return "what was put away would come back, files that only the engine writes with it"
    if action not in {"push", "save"}:
        return ""
    rest = arguments[1:] if arguments[:1] == [action] else arguments
    named = parse(rest, "-m --message --pathspec-from-file")
    some = action == "push" and named.operands and not any(word in _EVERYTHING for word in named.operands)
    return "" if some or named.has("-h", "--help") else "all that is not committed would be put away"


def _clean(arguments: list[str], _ground: Ground) -> str:
    parsed = parse(arguments, "-e --exclude")
    spared = any(word.strip("/") == ".haiku" for word in parsed.values("-e", "--exclude"))
    some = parsed.operands and not any(word in _EVERYTHING for word in parsed.operands)
    if parsed.has("-n", "--dry-run") or not parsed.has("-f", "--force") or some or spared:
        return ""
    return "files that git does not know yet would be deleted"


def _rewrite(arguments: list[str], _ground: Ground) -> str:
    quiet = Parsed([(word, "") for word in arguments], []).has("--abort", "--quit", "--help", "--show-current-patch")
    return "" if quiet else "commits of the engine would be written anew"


_IN_PRIMARY: dict[str, Callable[[list[str], Ground], str]] = {
    "checkout": _checkout,
    "clean": _clean,
    "filter-branch": _rewrite,
    "rebase": _rewrite,
    "reset": _reset,
    "restore": _restore,
    "stash": _stash,
    "switch": lambda arguments, ground: _leaves("switch", arguments, ground.hub),
}
_INSTEAD = {
    "checkout": "name the files that go back, or look at other branches with `git show`; work on another branch needs"
    " a work tree of its own (`git worktree add ../name branch`)",
    "clean": "name the files or folders that go: `git clean -fd -- build/`",
    "rebase": "bring changes of another branch in with `git merge`",
    "reset": "take single files back with `git restore -- FILE`; what is committed is taken back with `git revert`",
    "restore": "name the files that go back: `git restore -- FILE`",
    "stash": "name what goes or comes back: `git stash push -- FILE`, where the user agrees, and"
    " `git checkout 'stash@{0}' -- FILE`",
    "switch": "look at other branches with `git show`; work on another branch needs a work tree of its own"
    " (`git worktree add ../name branch`)",
}


# Git commands that bring a workflow's work into a trunk: that it got there is how the workflow knows of a review.
#
# Whoever reviews the work elsewhere merges it. An agent that moves the trunk itself has made that event up, whichever
# way it takes: a push or fetch within the repository, a branch that is set, a merge in another work tree, a forge that
# is asked to merge.


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
