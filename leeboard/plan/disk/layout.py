"""Where everything of a workflow lies: below `.haiku/` at the top of a work tree, whichever tree asks.

That is the primary work tree of the repository, or for an intent that lives beside another one a tree of its own, next
to those of its units. Paths of plan files are relative to `.haiku`; what git is told is relative to the top of the work
tree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from posixpath import basename, dirname, exists, isdir, isfile, islink, join, lexists

from leeboard.io.git.folder import folder_of, shared_by
from leeboard.io.git.place import GitPlace, find
from leeboard.io.places import project_root
from leeboard.io.system import abspath, realpath
from leeboard.model.plan import Plan
from leeboard.model.text import matches
from leeboard.model.truth import INTENT_SCOPE
from leeboard.model.workspace import INTENT_TREE

HOME = ".haiku"
TRANSIENT = (
    "/.haiku/worktrees/",
    "/.haiku/locks/",
    "/.haiku/tmp/",
    "/.haiku/intents/*/.fsm_checksum",
    "/.haiku/intents/*/.drift_checksum",
    "/.haiku/intents/*/.hwm-tmp-*",
    "/.haiku/intents/*/drift-dispatch.json",
    "/.haiku/intents/*/.baseline-ack",
    "/.haiku/intents/*/stages/*/.baseline-ack",
    "/.haiku/intents/*/.last_action.json",
    "/.haiku/intents/*/intent-tick.json",
    "/.haiku/intents/*/user-turns.jsonl",
    "/.haiku/intents/*/stages/*/gate-runs.json",
    "/.haiku/intents/*/stages/*/produced/",
    "/.haiku/intents/**/.DS_Store",
    "/.haiku/intents/**/Thumbs.db",
    "/.haiku/intents/**/desktop.ini",
)
"""What belongs to this machine alone: git is told not to see it. So is what desktops put into any folder they show."""
_AUTHORED = frozenset({"artifacts", "outputs", "knowledge", "discovery"})
_AUTHORED_BY_INTENT = frozenset({"knowledge", "features"})
_POLICY = (f"{HOME}/settings.yml", f"{HOME}/studios")
ANSWERS = "knowledge/ANSWERS.md"
"""What a person said with `flow say`, below the intent: a record, and nobody's work."""


def home_of(root: str) -> str:
    """The top of the work tree that the plan lies in: where git links several the primary one, or that of the intent
    whose tree, or a unit's tree, it is.
    """
    tree = project_root(root)
    primary = _primary(tree)
    if not primary:
        return tree
    _, _, rest = tree.rpartition(f"/{HOME}/worktrees/")
    slug, _, name = rest.partition("/")
    return intent_home(primary, slug) if name and "/" not in name else primary


def top_of(home: str) -> str:
    """The primary work tree that a home belongs to: most are it themselves."""
    above, _, rest = home.rpartition(f"/{HOME}/worktrees/")
    is_tree = above and rest.count("/") == 1 and rest.endswith(f"/{INTENT_TREE}")
    return _primary(home) or home if is_tree else home


def intent_home(top: str, slug: str) -> str:
    """Where an intent lies: in a work tree of its own where that is whole and has it, else in the primary one."""
    tree = intent_tree(top, slug)
    return tree if isfile(join(tree, HOME, intent_file(slug))) and is_whole_tree(top, tree) else top


def policy_home(home: str, name: str) -> str:
    """The work tree whose settings or studios count for the plans at `home`: its own, else the primary one, where
    somebody may have written them without committing.
    """
    return home if lexists(join(home, HOME, name)) else top_of(home)


def intent_tree(top: str, slug: str) -> str:
    return join(top, HOME, "worktrees", slug, INTENT_TREE)


def own_homes(top: str) -> Iterator[tuple[str, str]]:
    """Each intent that lies in a work tree of its own, with that tree."""
    trees = join(top, HOME, "worktrees")
    try:
        names = sorted(os.listdir(trees))  # noqa: PTH208 - names as the system gives them
    except OSError:
        return
    yield from ((slug, home) for slug in names if (home := intent_home(top, slug)) != top)


def is_whole_tree(top: str, tree: str) -> bool:
    """Whether it is a work tree of the repository at `top`, made to its end, and no link leads there."""
    place = top
    for name in tree.removeprefix(f"{top}/").split("/"):
        place = join(place, name)
        if islink(place):
            return False
    folder = folder_of(tree) if isfile(join(tree, ".git")) else ""
    if not folder or realpath(shared_by(folder)) != realpath(shared_by(folder_of(top))):
        return False
    return exists(join(folder, "index")) and not lexists(join(folder, "locked"))


def place_of(home: str) -> GitPlace | None:
    """What git keeps of it; None where there is no repository. No process is started."""
    mark = join(home, ".git")
    return find(home) if lexists(mark) and project_root(home) == home else None


def _primary(top: str) -> str:
    """The work tree a linked one belongs to; empty for one that is not linked, or linked to a bare repository."""
    if isdir(join(top, ".git")) or not lexists(join(top, ".git")):
        return ""
    shared = abspath(find(top).shared)
    folder = dirname(shared)
    return folder if basename(shared) == ".git" and folder != top and isdir(folder) else ""


def hub(slug: str) -> str:
    """The intent's own branch."""
    return f"haiku/{slug}/main"


def unit_branch(slug: str, unit: str) -> str:
    return f"haiku/{slug}/{unit}"


def slug_of_branch(branch: str) -> str:
    """Whose branch it is; empty: nobody's."""
    parts = branch.split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "haiku" else ""


def worktree(home: str, slug: str, unit: str) -> str:
    return join(top_of(home), HOME, "worktrees", slug, unit)


def spare_file(slug: str) -> str:
    """What is written of an intent until it is whole. Whoever holds the intent's lock may use it and take it away."""
    return f"tmp/{slug}.tmp"


def intent_folder(slug: str) -> str:
    return f"intents/{slug}"


def intent_file(slug: str) -> str:
    return f"intents/{slug}/intent.md"


def stage_folder(slug: str, stage: str) -> str:
    return f"intents/{slug}/stages/{stage}"


def state_file(slug: str, stage: str) -> str:
    return f"{stage_folder(slug, stage)}/state.json"


def unit_file(slug: str, stage: str, unit: str) -> str:
    return f"{stage_folder(slug, stage)}/units/{unit}.md"


def feedback_folder(slug: str, stage: str) -> str:
    """Without a stage that of the intent as a whole."""
    return f"{stage_folder(slug, stage) if stage else intent_folder(slug)}/feedback"


def commit_path(slug: str) -> str:
    """What the plan's own commits are made of, from the top of the work tree."""
    return f"{HOME}/{intent_folder(slug)}"


def ignored_question(slug: str) -> tuple[str, ...]:
    """What to ask git: it names the file where it was told not to see the plan."""
    return "ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", f"{commit_path(slug)}/intent.md"


def is_engine_file(path: str, slug: str) -> bool:
    """Whether a file of the work tree is the plan's own record, and not something that work brought forth."""
    top = f"{commit_path(slug)}/"
    if not path.startswith(top):
        return False
    inner = path.removeprefix(top)
    parts = inner.split("/")
    if len(parts) > 3 and parts[0] == "stages":
        return parts[2] not in _AUTHORED
    return inner == ANSWERS or not (len(parts) > 1 and parts[0] in _AUTHORED_BY_INTENT)


def is_transient(path: str) -> bool:
    """Whether a file of the work tree is of this machine alone."""
    return matches(path, (line.removeprefix("/") for line in TRANSIENT))


def is_policy(path: str) -> bool:
    """Whether a file of the work tree says how the workflow goes. Some systems do not tell `A` from `a`."""
    return f"{path.lower()}/".startswith(tuple(f"{each}/" for each in _POLICY))


# Where the truth of tracked files is kept, below an intent's folder: with the stage it is about, or at the top.


MARKERS, DISPATCH, LOG, AUDIT = "drift-markers.json", "drift-dispatch.json", "action-log.jsonl", "write-audit.jsonl"


def scope_folder(scope: str) -> str:
    """Below the intent's folder, with its slash; empty for the intent itself."""
    return f"stages/{scope}/" if scope else ""


def baseline_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline.json"


def ack_file(scope: str) -> str:
    return f"{scope_folder(scope)}.baseline-ack"


def thrash_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-thrash.json"


def content_folder(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-content"


def assessments_folder(stage: str) -> str:
    return f"{scope_folder(stage)}drift-assessments"


def below(slug: str, path: str) -> str:
    """A path below the intent's folder, as `PlanFolder` takes it."""
    return f"{intent_folder(slug)}/{path}"


def scope_of(path: str) -> str:
    """The scope whose baseline a canonical path belongs to."""
    parts = path.split("/", 2)
    return parts[1] if parts[0] == "stages" and len(parts) > 1 else INTENT_SCOPE


def all_scopes(plan: Plan) -> tuple[str, ...]:
    return (INTENT_SCOPE, *(view.spec.name for view in plan.stages))


def reached_scopes(plan: Plan) -> tuple[str, ...]:
    """The intent's and those of every stage up to the active one."""
    names = all_scopes(plan)
    active = plan.active.spec.name if plan.active else ""
    return names[: names.index(active) + 1] if active else names
