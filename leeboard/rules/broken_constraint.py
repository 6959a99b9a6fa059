"""An action the user ruled out in so many words.

## What it catches
A change to a path, a deed on files, or a command that an explicit "do not", "never", "without", "leave ... alone",
"nothing outside" or "only" of the user forbids. It is refused under `advise` too, with what to do instead; the score
can not be above 2, whatever else speaks for the action. A shell line that deletes or moves a folder above a forbidden
file, or comes to it by a glob, a list, a link, a patch or another commit, changes that file.

## Why it matters
An explicit limit is the one thing the agent can not have misjudged.

## Example
The user says "don't modify the schema"; the agent edits `db/schema.sql`.

## Known limits
Only limits with a checkable object count: paths, globs, folders, a place and its tests, tests, database, schema and
migrations, style sheets, docs, lock files; deleting, making or moving files; new packages, by command and in manifests;
kinds of command (commit, push, branches, merging, installing, upgrading, migrations, tests, builds, servers, deploying,
publishing, the network) and programs that are named. Others ("keep the API stable") are given to the agent and listed
as not checked by `leeboard scope`, and so are limits under a condition ("unless it is needed"). "Yet" and "until I say
so" hold until the user nods, "don't change anything" until the next order. The user's newest word wins: asking for what
was forbidden or allowing it ends the ban; a mention does not. "Yes" or "that's fine" ends it for what was refused where
that answers the refusal: the agent asks for it ("May I edit db/schema.sql?") and has done nothing but look around
since, or the refused call is the last thing it tried and nobody knows what it said. A yes to "Shall I run the tests?"
lifts nothing. `leeboard scope` and `leeboard report` show what a yes has lifted. Leave to change a file ("you may edit
db/schema.sql now") ends the ban and keeps the goal. `leeboard allow` with the id of a refusal lets it stand in that
session alone, and there until the user states the limit anew. Giving a file back an older state breaks nothing, and
neither does deleting what the agent made itself. To which branch a bare `git push` goes nobody asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.path_role import is_own_notes
from leeboard.analysis.relation import Relations
from leeboard.contracts.manifest.kind import is_foreign, kind_of
from leeboard.model.contract import ADD_DEPENDENCY, EVERYTHING, Constraint
from leeboard.model.event import FilesChanged, ToolProposed, TreeChecked
from leeboard.model.lookup import Files, Surroundings
from leeboard.model.text import matches
from leeboard.model.touch import Diffs, ShellEffects
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample
from leeboard.text.language import is_test
from leeboard.text.words import cut

RULE = Rule(
    code="LB-S003",
    denies=True,
    permit="allow",
    needs_no_history=True,
    only_where="constraint",
    summary="an action the user ruled out in so many words",
    detail="ruled_out",
    order=4,
    countersteer=Countersteer(
        action="undo what the user ruled out",
        rationale="an explicit limit is the one thing that can not have been misjudged",
        priority="high",
    ),
)

FIRES = (
    Sample(name="a forbidden kind of file", lines=("@ Fix login. Don't modify the schema.", "edit db/schema.sql")),
    Sample(name="outside of the only place", lines=("@ Only edit src/auth/ please", "edit src/billing/pay.py")),
    Sample(name="through the shell", lines=("@ Fix it, but do not touch tests/", "$ sed -i s/1/2/ tests/test_a.py")),
    Sample(
        name="a mention lifts nothing",
        lines=("@ Fix it. Leave the database alone.", "@ see the schema", "edit a/b.sql"),
    ),
    Sample(name="a forbidden command", lines=("@ Fix login. Never push.", "$ git push origin main")),
    Sample(name="a kind of command", lines=("@ Never run the migrations.", "$ uv run alembic upgrade head")),
    Sample(name="a deed", lines=("@ Tidy up. Don't delete any files.", "$ git rm src/old.py")),
    Sample(
        name="a package in a manifest",
        lines=(
            "@ Parse the dates. No new dependencies.",
            'repo package.json | {"dependencies": {"react": "^18"}}',
            'write package.json | {"dependencies": {"react": "^18", "moment": "^2"}}',
        ),
    ),
)
SILENT = (
    Sample(name="an innocent don't", lines=("@ I don't know why tests/test_a.py fails", "edit tests/test_a.py")),
    Sample(
        name="lifted",
        lines=("@ Fix login. Don't commit.", "edit src/login.py", "@ now commit it", "$ git commit -am x"),
    ),
    Sample(
        name="allowed by now",
        lines=(
            "@ Fix login. Don't modify the schema.",
            "edit src/login.py",
            "@ schema changes are fine",
            "edit a/b.sql",
        ),
    ),
    Sample(
        name="what is pinned already",
        lines=("@ Fix it without adding dependencies", "$ pip install -r requirements.txt"),
    ),
    Sample(name="conditional", lines=("@ don't edit src/a.py unless it is needed", "edit src/a.py")),
    Sample(
        name="the user has said so",
        lines=("@ don't edit src/a.py until I say so", "read src/a.py", "@ looks good, go ahead", "edit src/a.py"),
    ),
    Sample(name="a look-alike", lines=("@ Fix login. Never push.", "$ git stash push -m 'git push'")),
    Sample(name="inside the only place", lines=("@ Only edit src/auth/ please", "edit src/auth/token.py")),
)

_CAP = 2
_OF_GIT = frozenset({"force-push", "amend", "rebase", "merge", "stash", "new-branch", "switch-branch"})


def detect(
    event: ToolProposed | FilesChanged | TreeChecked,
    world: World,
    relations: Relations,
    diffs: Diffs,
    around: Surroundings,
) -> Iterator[Finding]:
    """One finding for each constraint and each thing that breaks it."""
    for constraint in world.contract.constraints:
        if not constraint.checkable:
            continue
        if constraint.deeds:
            found = tuple(_forbidden_deeds(constraint, world, relations, around))
        else:
            paths = (*_forbidden_paths(constraint, world, relations), *_come_to(event, constraint, world, around))
            found = tuple((path, "change") for path in dict.fromkeys(paths))
        line = event.line if isinstance(event, FilesChanged) else ""
        for subject, deed in (*found, *_forbidden_programs(constraint, world, around), *_packages(constraint, diffs)):
            yield _finding(constraint, subject, deed, line)


def _come_to(
    event: ToolProposed | FilesChanged | TreeChecked, constraint: Constraint, world: World, around: Surroundings
) -> Iterator[str]:
    """What a shell line changes without naming it: by a folder above, a glob, a link, another commit."""
    if not isinstance(event, ToolProposed) or event.call.action != "bash" or constraint.kind != "forbid":
        return
    if not (world.analysis.unsure and constraint.patterns) or EVERYTHING in constraint.patterns:
        return
    from leeboard.shell.reach.files import come_to  # noqa: PLC0415 - for shell lines only

    cwd = event.cwd or world.workspace.root
    for path in come_to(event.call.command, cwd, constraint.patterns, world.workspace, around.files):
        spelled = world.workspace.spell(path, cwd)
        if world.workspace.holds(spelled) and matches(spelled, constraint.patterns):
            yield spelled


def _changed(world: World) -> tuple[str, ...]:
    """In a tree that is checked by what a session was asked, all that changed; who it was nobody can tell."""
    event = world.analysis.event
    if isinstance(event, TreeChecked):
        return event.change.paths if world.held and not world.held.contract.is_explicit else ()
    return tuple(touch.path for touch in world.analysis.touches if touch.kind in {"write", "delete"})


def _forbidden_paths(constraint: Constraint, world: World, relations: Relations) -> Iterator[str]:
    for path in dict.fromkeys(_changed(world)):
        if not world.workspace.holds(path) or (path in relations and relations[path].undoes):
            continue
        if constraint.is_sweeping and is_own_notes(path):
            continue
        if _forbids_path(constraint, path):
            yield path


def is_about(constraint: Constraint, subject: str) -> bool:
    """Whether a limit, as the user states it, is about what was found to break one: a path, a command, a package."""
    if constraint.programs and (subject in constraint.programs or " " in subject):
        return True
    return _speaks_of(constraint, subject) if constraint.deeds else _forbids_path(constraint, subject)


def _forbids_path(constraint: Constraint, path: str) -> bool:
    names_places = bool(constraint.patterns or constraint.areas)
    return names_places and _speaks_of(constraint, path) == (constraint.kind == "forbid")


def _speaks_of(constraint: Constraint, path: str) -> bool:
    if matches(path, constraint.patterns):
        return True
    freed = tuple(pattern[1:] for pattern in constraint.patterns if pattern.startswith("!"))
    return "tests" in constraint.areas and is_test(path) and not matches(path, freed)


# What is forbidden to do to files, where changing them is not: to delete, make or move them.


def _forbidden_deeds(
    constraint: Constraint, world: World, relations: Relations, around: Surroundings
) -> Iterator[tuple[str, str]]:
    event = world.analysis.event
    if not isinstance(event, ToolProposed):
        return
    touched = [
        touch
        for touch in world.analysis.touches
        if world.workspace.holds(touch.path) and _speaks_of(constraint, touch.path)
    ]
    moves = any(program in {"mv", "git mv"} for program in world.analysis.programs)
    for touch in touched:
        if touch.kind == "delete" and moves and "move" in constraint.deeds:
            yield touch.path, "move"
        elif touch.kind == "delete" and "delete" in constraint.deeds and not moves:
            if not _is_own(touch.path, relations, around):
                yield touch.path, "delete"
        elif touch.kind == "write" and "create" in constraint.deeds and _makes(event, touch.path, around.files):
            yield touch.path, "create"
    if "delete" in constraint.deeds and EVERYTHING in constraint.patterns and not touched and _sweeps(event):
        yield world.analysis.command[:80], "delete"


def _is_own(path: str, relations: Relations, around: Surroundings) -> bool:
    """What the agent made itself, and what git ignores, is not what a person asked to keep."""
    relation = relations.get(path)
    made = relation is not None and relation.settled in {"worked on before", "takes back an earlier change"}
    return (made and around.base.exists(path) is False) or around.files.ignored(path) is True


def _makes(event: ToolProposed, path: str, files: Files) -> bool:
    there = files.exists(path)
    is_new = there is False if event.call.action == "edit" else there is not True
    return is_new and files.ignored(path) is not True


def _sweeps(event: ToolProposed) -> bool:
    """`find ... -delete` names no file."""
    return any(one.words[:1] == ("find",) and "-delete" in one.words for one in _line(event).started)


# Commands, and manifests that bring in packages.


def _line(event: ToolProposed) -> ShellEffects:
    from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - for shell lines only

    return shell_effects(event.call.command, event.cwd)


def _forbidden_programs(constraint: Constraint, world: World, around: Surroundings) -> Iterator[tuple[str, str]]:
    event = world.analysis.event
    if not constraint.programs or not isinstance(event, ToolProposed) or event.call.action != "bash":
        return
    from leeboard.shell.command_kinds import NETWORK, is_command  # noqa: PLC0415 - as above

    line = _line(event)
    for program in constraint.programs:
        is_started = any(is_command(one, program) for one in line.started)
        if is_started and program in line.programs:
            yield program, program
            continue
        if is_started or (program == NETWORK and line.network) or _means(program, line, event, world, around):
            yield world.analysis.command[:80], program
            return


def _means(program: str, line: ShellEffects, event: ToolProposed, world: World, around: Surroundings) -> bool:
    """Whether the line does it by an alias of the user, or by a push that names no branch."""
    if not program.startswith("git ") and program not in _OF_GIT:
        return False
    if not any(name.startswith("git ") for name in line.programs):
        return False
    from leeboard.shell.command_kinds import is_command  # noqa: PLC0415 - for git commands alone
    from leeboard.shell.git_meaning import pushed_branches, unaliased  # noqa: PLC0415 - as above

    cwd = event.cwd or world.workspace.root
    line = unaliased(line, cwd, around.unsaved)
    branch = program.removeprefix("git push ") if program.startswith("git push ") else ""
    if branch and branch in pushed_branches(line, cwd, around.unsaved):
        return True
    return any(is_command(one, program) for one in line.started)


def _packages(constraint: Constraint, diffs: Diffs) -> Iterator[tuple[str, str]]:
    """Manifests that declare a package which they did not declare before."""
    if ADD_DEPENDENCY not in constraint.programs:
        return
    manifests = [diff for diff in diffs if diff.path and diff.before is not None and not diff.fragment]
    for diff in manifests:
        if not kind_of(diff.path) or is_foreign(diff.path):
            continue
        from leeboard.contracts.manifest.gain import packages  # noqa: PLC0415 - the readers, only for manifests

        before, after = packages(diff.path, diff.before or ""), packages(diff.path, diff.after)
        if before is None or after is None or before.problem or after.problem or after.locked:
            continue
        known = {entry.key for entry in before.entries}
        if any(entry.key not in known and not entry.transitive for entry in after.entries):
            yield diff.path, ADD_DEPENDENCY


# What is said of it: what to do instead depends on what was forbidden.


_INSTEAD = {
    "change": "leave {subject} as it is and reach the goal without changing it; where that can not be, ask the user",
    "delete": "keep {subject}; tell the user that it could go, and why",
    "create": "put it into a file that is there already, or ask the user for a new one",
    "move": "leave {subject} where it is, or ask the user",
    "git commit": "leave the changes uncommitted and tell the user what is ready to be committed",
    "git push": "leave pushing to the user; say what is ready to be pushed",
    "force-push": "do not rewrite what was pushed; add a commit, or ask the user",
    "add-dependency": "use what is installed already or the standard library, or ask the user for the package",
    "install": "work with what is installed; tell the user what is missing",
    "upgrade-dependency": "keep the versions as they are; tell the user which one is too old, and why",
    "run-migrations": "leave the database as it is; tell the user which migration is ready to be run",
    "run-tests": "do not run the tests; tell the user which ones would show that it works",
    "any-command": "go on without running anything; tell the user which command would help",
    "network": "go on with what is here; tell the user what would have to be fetched",
    "deploy": "leave deploying to the user; say what is ready",
    "release": "leave publishing to the user; say what is ready",
    "pull-request": "leave the pull request to the user; say what it would hold",
    "new-branch": "stay on the branch that is checked out",
    "switch-branch": "stay on the branch that is checked out",
    "start-server": "use the server that runs, or ask the user to start it",
}
_ELSEWHERE = "make the change inside what the user allows; where {subject} has to change as well, ask the user"
_NOT_RUN = "go on without `{subject}`; where it has to be run, ask the user"
_PUT_BACK = "put {subject} back as it was, and reach the goal without changing it"
_ROOM = 60


def _finding(constraint: Constraint, subject: str, deed: str, meanwhile: str) -> Finding:
    changed = f"; it was changed {meanwhile}" if meanwhile else ""
    by = f" ({constraint.source})" if constraint.source else ""
    project = "the team rules out" if constraint.is_team else "the project rules out"
    whose = project if constraint.source else "the user ruled out"
    text = f"{subject} is what {whose}: {constraint.text}{by}{changed}"
    return Finding(
        rule="broken_constraint",
        subject=subject,
        evidence=(Evidence(text, _CAP - 10),),
        cap=_CAP,
        message=f"{text}.",
        remedy=_remedy(constraint, subject, deed, done=bool(meanwhile)),
    )


def _remedy(constraint: Constraint, subject: str, deed: str, *, done: bool) -> str:
    short = cut(subject, _ROOM)
    if done:
        return _PUT_BACK.format(subject=short)
    if deed == "change" and constraint.kind == "only":
        return _ELSEWHERE.format(subject=short)
    known = _INSTEAD.get(deed) or _INSTEAD.get(" ".join(deed.split()[:2]), _NOT_RUN)
    return known.format(subject=short)
