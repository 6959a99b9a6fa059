"""The agent loosening its own guard.

## What it catches
A shell line of the agent that runs `leeboard allow`, `leeboard scope widen`, `leeboard init`, `leeboard uninstall`,
`leeboard pause`, `leeboard purge`, `leeboard trust`, `leeboard untrust`, `--trust`, `leeboard contract end`, `leeboard
drift accept`, `leeboard doctor --fix`, `leeboard scan --write-baseline`, `--reviewed` or what a person decides in a
workflow (`leeboard flow review --approve`, `flow say`, `flow feedback close`, `flow repair --apply`); text of the
agent's with a comment that lets a finding stand (`leeboard: allow LB-B201 why`); and an edit, a write or a shell line
that changes or deletes what the guard stands on: `leeboard.toml`, `leeboard-baseline.json`, `leeboard-allowed.json`,
the client's `.claude/settings.json` and `.claude/settings.local.json`, in the project or at home, Leeboard's own state
directory, and the tasks with their contracts (`.leeboard/`, `graph.jsonl` and `.speedrift/` of a workgraph). `leeboard
contract set-touch` and `wg` are the ways to change a task: both leave a trace on it. A line need not name such a file
to come to it: a folder above it that is deleted or moved, a glob, `find -delete`, `xargs`, `git clean -fdx`, a link, a
patch, a path taken from another commit and code of another language with the path in it count as well, where the file
is there. What is not read in the line (a whole tree taken from another commit, a name or a comment that a program puts
together, `sed` in several steps) is seen when the line has run, and told by `changed_guard`. So do lines that take the
package or the running process away, or put its switches into a start-up file of the shell. Of a line that is too long
or too deep to be read to its end, those statements are read that have words of what is refused; where they are too many
or too deep as well, the line is refused. Under `enforce` every line is refused that can not be read to its end;
`leeboard status` tells of it.

And speaking in somebody else's name: a shell line that runs the hook itself (`leeboard hook`, `hook.py`), asks
Leeboard's resident process by its socket, or types one of these commands into another terminal, and a change of the
transcript the client keeps (`~/.claude/projects/`, `~/.codex/sessions/`). A hook that an agent's shell or a quality
gate ran all the same is taken for that: nothing it told is believed, the attempt is a finding, and `leeboard status`
shows it.

## Why it matters
Only people loosen. An agent that may widen its own scope has none.

## Example
`leeboard scope widen src/ --reason "needed"` in a Bash call, or `rm .claude/settings.local.json`.

## Known limits
The line is read as a shell reads it: wrappers (`env -u`, `script -c`), `bash -c`, `python -m leeboard`, paths,
functions, variables and aliases of git hide nothing, nor does a script that the same line writes and runs. A word that
nobody can tell beforehand (`leeboard flow review $(...)`, `xargs leeboard`) counts as what it could be; what a line
deciphers and hands to a shell is refused while a workflow is under way. A script that was there before, and words that
another language puts together, are not seen here, and what they did to the guard is told afterwards; the command itself
refuses to run where an agent's shell is above it, by its own environment and those of the processes above. Files are
known by their usual places, and reading them is fine. A file that a message of the user names, by its path or as
`leeboard.toml` or `settings.local.json`, may be changed, that one alone: then it is what they asked for. "Don't touch
leeboard.toml" names it and asks for nothing, and so does a message that speaks of Leeboard, of hooks or of a whole
folder; a bare "yes" or "go ahead" names no file, whatever the agent has asked. The commands are for people in any case.
`leeboard allow self_allowance` is refused unless `--path` names one file: no allowance lets a command of this rule
pass, nor a number of files. `[tool.leeboard]` in `pyproject.toml` is not told apart from the rest of that file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.text import lazy, matches
from leeboard.model.touch import Diffs, Touch
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import may_mean_guard, shell_effects

RULE = Rule(
    code="LB-S006",
    denies=True,
    permit="terminal",
    remedy_first=True,
    needs_no_history=True,
    summary="the agent loosening its own guard",
)

FIRES = (
    Sample(name="allow", lines=("@ fix a.py", "$ leeboard allow scope_drift --path src/ --reason x")),
    Sample(
        name="through the module", lines=("@ fix a.py", "$ cd /x && python3 -m leeboard scope widen src/ --reason x")
    ),
    Sample(name="its hooks taken out by hand", lines=("@ fix a.py", "$ rm .claude/settings.local.json")),
    Sample(name="another profile", lines=("@ fix a.py", "write leeboard.toml | profile = 'observe'")),
    Sample(name="its memory deleted", lines=("@ fix a.py", "$ rm -rf ~/.local/state/leeboard")),
    Sample(name="its contract widened by hand", lines=("@ fix a.py", "$ sed -i s/src/lib/ .leeboard/graph.jsonl")),
    Sample(name="its contract ended", lines=("@ fix a.py", "$ leeboard contract end")),
    Sample(name="a change of others accepted", lines=("@ fix a.py", "$ leeboard drift accept docs/a.md")),
    Sample(name="its own gate", lines=("@ fix a.py", "$ env -u CLAUDECODE leeboard flow review --approve")),
    Sample(name="a decision nobody can read", lines=("@ fix a.py", "$ leeboard flow review $(printf %s%s --app rove)")),
    Sample(name="a script nobody can read", lines=('plan phase = "execute"', "@ fix a.py", "$ base64 -d x.b64 | sh")),
    Sample(name="its tasks deleted", lines=("@ fix a.py", "$ rm -rf .leeboard")),
    Sample(name="what the repository brings let loose", lines=("@ fix a.py", "$ leeboard trust --yes")),
    Sample(name="the same for one run", lines=("@ fix a.py", "$ leeboard check --run-acceptance --trust")),
    Sample(name="a prompt of its own making", lines=("@ fix a.py", "$ leeboard hook < prompt.json")),
    Sample(
        name="by the hook's script", lines=("@ fix a.py", "$ python3 -I /x/leeboard/surfaces/hook.py < prompt.json")
    ),
    Sample(name="by the socket", lines=("@ fix a.py", "$ nc -U /run/user/1000/leeboard/0a1b2c3d.sock < request")),
    Sample(name="words in the transcript", lines=("@ fix a.py", "$ cat x >> ~/.claude/projects/-repo/s.jsonl")),
    Sample(name="typed for the user", lines=("@ fix a.py", "$ tmux send-keys 'leeboard allow scope_drift' Enter")),
    Sample(name="speaking of it", lines=("@ fix the bug in leeboard", "edit leeboard.toml | a => b")),
    Sample(name="speaking of hooks", lines=("@ explain claude hooks", "edit .claude/settings.json | a => b")),
    Sample(name="another file was named", lines=("@ update leeboard.toml", "edit .claude/settings.json | a => b")),
    Sample(
        name="named to be left alone", lines=("@ fix a.py, don't touch leeboard.toml", "edit leeboard.toml | a => b")
    ),
    Sample(
        name="a finding let stand by a comment",
        lines=("@ fix a.py", "edit a.py | h = md5(p) => h = md5(p)  # leeboard: allow LB-B301 an old protocol"),
    ),
    Sample(name="what was found accepted", lines=("@ fix a.py", "$ leeboard scan . --write-baseline")),
    Sample(name="its own change reviewed", lines=("@ fix a.py", "$ leeboard scan --diff main --reviewed")),
    Sample(name="the baseline by hand", lines=("@ fix a.py", "write leeboard-baseline.json | {}")),
    Sample(name="its process ended by a pattern", lines=("@ fix a.py", "$ pkill -f leeboard.surfaces.resident")),
    Sample(name="its guard paused", lines=("@ fix a.py", "$ leeboard pause --reason 'in my way' --for 2h")),
    Sample(name="switched off for later", lines=("@ fix a.py", "write .envrc | export LEEBOARD_OFF=1")),
    Sample(
        name="its socket moved for later", lines=("@ fix a.py", "write .envrc | export LEEBOARD_RUNTIME_DIR=/tmp/x")
    ),
    Sample(name="its memory purged", lines=("@ fix a.py", "$ leeboard purge --older-than 1s")),
)
SILENT = (
    Sample(name="what sleeps may be looked at", lines=("@ fix a.py", "$ leeboard trust show --json")),
    Sample(name="showing is fine", lines=("@ fix a.py", "$ leeboard scope")),
    Sample(name="widening its touch globs leaves a trace", lines=("@ fix a.py", "$ leeboard contract set-touch src/")),
    Sample(name="looking at a gate", lines=("@ fix a.py", "$ leeboard flow review", "$ leeboard flow status")),
    Sample(name="an installer", lines=('plan phase = "execute"', "$ curl -fsSL https://example.invalid/x.sh | sh")),
    Sample(name="no workflow to decide in", lines=("@ fix a.py", "$ base64 -d x.b64 | sh")),
    Sample(name="a word in a search", lines=("@ fix a.py", "$ grep -rn 'leeboard' docs")),
    Sample(
        name="the user asked for it",
        lines=("@ set the profile in leeboard.toml to enforce", "edit leeboard.toml | a => b"),
    ),
    Sample(
        name="the user named the client's file",
        lines=("@ add a hook to .claude/settings.json", "edit .claude/settings.json | a => b"),
    ),
    Sample(name="reading a transcript", lines=("@ fix a.py", "$ tail -n 5 ~/.claude/projects/-repo/s.jsonl")),
    Sample(name="a recording in the project", lines=("@ fix a.py", "write tests/projects/-repo/s.jsonl | {}")),
    Sample(name="reading it", lines=("@ fix a.py", "$ cat .claude/settings.json leeboard.toml")),
    Sample(
        name="a comment that was there",
        lines=(
            "@ fix a.py",
            "repo a.py | h = md5(p)  # leeboard: allow LB-B301 an old protocol",
            "read a.py",
            "edit a.py | h = md5(p)  # leeboard: allow LB-B301 an old protocol => h = md5(q)  # leeboard: allow LB-B301 an old protocol",  # noqa: E501 - one line of a scenario
        ),
    ),
    Sample(name="a process of its own ended", lines=("@ fix a.py", "$ kill 4242", "$ pkill -f 'npm run dev'")),
    Sample(name="looking for more", lines=("@ fix a.py", "$ leeboard scan . --diff main --all")),
    Sample(name="another variable", lines=("@ fix a.py", "write .envrc | export DEBUG=1")),
    Sample(name="a note about it", lines=("@ fix a.py", "write docs/off.md | LEEBOARD_OFF=1 switches it off")),
    Sample(name="a template", lines=("@ fix a.py", "edit templates/.claude/settings.json | a => b")),
)

_GUARD = lazy(
    r"(?:[~/].*/)?(?:\.claude/settings(?:\.local)?\.json|\.config/leeboard/leeboard\.toml)"
    r"|(?:.*/)?\.local/state/leeboard(?:/.*)?|leeboard\.toml|leeboard-(?:baseline|allowed)\.json|(?:.*/)?\.leeboard/.*"
    r"|(?:.*/)?\.(?:wg|workgraph)/(?:graph\.jsonl|\.speedrift/.*)"
    r"|(?:.*/)?(?:site|dist)-packages/leeboard(?:-[\w.]+\.dist-info)?(?:/.*)?|[~/].*/bin/leeboard"
)
"""Whole paths, relative to the work tree or outside of it."""
_HOLDS_GUARD = lazy(
    r"(?:[~/].*/)?\.(?:claude|leeboard|wg|workgraph)/?|[~/].*(?<=/)(?:\.config/leeboard|\.local(?:/state)?)/?"
)
"""Folders whose deletion takes the guard along."""
_STARTUP = lazy(
    r"(?:^|/)\.(?:bash\w{0,12}|zsh\w{0,12}|profile|envrc|env(?:\.\w{1,20})?|mise\.toml)$|(?:^|/)(?:mise|devcontainer)\.(?:toml|json)$"
    r"|(?:^|/)(?:fish|environment\.d|profile\.d)/[^/]{1,80}$|^/etc/(?:environment|profile|bash\.bashrc)$|(?:^|/)\.vscode/settings\.json$"
    r"|\.(?:service|plist|fish)$"
)
"""Files that shells, editors and services read their variables from."""
_SETS = lazy(
    r"^(?!\s*(?:#|//))[^\n]{0,200}?\b(LEEBOARD_(?:OFF|PROFILE|STATE_DIR|CONFIG_DIR|RUNTIME_DIR|RESIDENT))\b[\"']?(?:\s*[=:]|\s+[\"'\w]|</key>)",
    re.MULTILINE,
)
_MARK = "leeboard:"
_CLEANS = lazy(r"\bgit\b[^;|&\n]{0,200}\bclean\b")


def detect(event: ToolProposed, world: World, files: Files, diffs: Diffs) -> Iterator[Finding]:
    """One finding for the line, one for each file of the guard, and one for each comment that lets a finding stand."""
    if event.call.action == "bash":
        yield from _told_by_line(event, world)
    for path in _guard_files(event, world, files):
        text = f"{path} belongs to the guard, and only the user may change the guard"
        yield _finding(path, text, f"leave {path} alone and ask the user{_instead(event, path)}")
    for path, goes in _records(world):
        only = "deleting it can not be undone, and that is for the user to do" if goes else "only the client writes it"
        text = f"{path} is the client's own record of what was said and done, and {only}"
        yield _finding(path, text, f"leave {path} as the client wrote it, or ask the user to delete it")
    for path, switch in _switches(world, diffs):
        text = f"{path} would have {switch} set for what starts later, and only the user may change the guard"
        yield _finding(f"{path}:{switch}", text, "leave the guard's variables alone and ask the user")
    for path, line in (*_comments(diffs), *_comments_in_words(event, diffs)):
        text = f"{path}:{line} would let a finding stand by a comment, and only the user may decide that"
        yield _finding(f"{path}:comment", text, "mend what was found, or ask the user to write the comment themselves")


def _comments(diffs: Diffs) -> Iterator[tuple[str, int]]:
    """Comments that were nowhere in the texts that this call changes."""
    if not any(_MARK in diff.after for diff in diffs):
        return
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - hardly any text has one

    known = Counter(one.said for diff in diffs for one in suppressions_in(diff.before or "", diff.path))
    for diff in diffs:
        for one in suppressions_in(diff.after, diff.path):
            known[one.said] -= 1
            if known[one.said] < 0 and diff.wrote(one.line) and not one.problem:
                yield diff.path or "the shell line", one.line


def _comments_in_words(event: ToolProposed, diffs: Diffs) -> Iterator[tuple[str, int]]:
    """Comments in a shell line that only stand there once its quotes are read: `'leebo''ard: allow ...'`."""
    if event.call.action != "bash" or not any(quote in event.call.command for quote in "'\"\\"):
        return
    words = (word for each in shell_effects(event.call.command, event.cwd).started for word in each.words)
    texts = [word for word in words if _MARK in word and word not in event.call.command]
    if not texts:
        return
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - as above

    seen = {
        one.said
        for diff in diffs
        for text in (diff.before or "", diff.after)
        for one in suppressions_in(text, diff.path)
    }
    for one in suppressions_in("\n".join(texts), ""):
        if not one.problem and one.said not in seen:
            yield "the shell line", 1
            return


def _switches(world: World, diffs: Diffs) -> Iterator[tuple[str, str]]:
    """Variables of ours that a change sets where every shell or client to come reads them."""
    for diff in diffs:
        if "LEEBOARD_" not in diff.after or not _STARTUP.search(diff.path):
            continue
        found = {match[1] for match in _SETS.finditer(diff.after)} - {m[1] for m in _SETS.finditer(diff.before or "")}
        if found and not _is_asked_for(diff.path, world):
            yield diff.path, min(found)


def _told_by_line(event: ToolProposed, world: World) -> Iterator[Finding]:
    line = shell_effects(event.call.command, event.cwd)
    hidden = world.session.is_live and (line.hides or (line.unread and world.policy.profile == "enforce"))
    if not hidden and world.plan is None and not may_mean_guard(line, event.call.command, world.own_processes):
        return
    from leeboard.shell.own_command import UNTOLD, hides_a_script, loosening  # noqa: PLC0415 - hardly any line comes here
    from leeboard.shell.reach.files import ends_guard  # noqa: PLC0415 - as above
    from leeboard.shell.speaker import speaks_for_others  # noqa: PLC0415 - as above

    found = loosening(line)
    if found.endswith(UNTOLD):
        text = f"`{found}`: nobody can tell what it decides, and only the user may change the guard"
        yield _finding(found, text, "spell the command out, and let the user run what only they may decide")
    elif found:
        text = f"`{found}`: only the user may change the guard, in a terminal of their own"
        yield _finding(found, text, "ask the user, and let them run the command")
    elif ended := ends_guard(line, event.call.command, world.own_processes):
        text = f"`{ended}` turns the guard off, and only the user may do that"
        yield _finding(ended, text, "leave the guard alone and ask the user")
    elif voice := speaks_for_others(line):
        text = f"{voice}: only the client tells what happened, and only the user what they said"
        yield _finding(voice, text, "go on without it, and ask the user for what only they can say")
    elif world.plan is not None and hides_a_script(line):
        text = (
            "a shell would run what is deciphered on the way to it: nobody can tell what that decides in the workflow"
        )
        yield _finding("a hidden script", text, "write the script out, and run it as it stands")
    elif hidden:
        text = "the line is too long, or nested too deeply, to be read to its end: nobody can tell what it changes"
        yield _finding("an unread line", text, "split it into shorter lines; long texts may stand in here-documents")


def _guard_files(event: ToolProposed, world: World, files: Files) -> Iterator[str]:
    """Those that are changed or deleted though no message of the user named them, where the guard really stands."""
    if not world.session.is_live:
        return
    touches = (*world.analysis.touches, *_reached(event, world, files))
    deleted = {touch.path for touch in touches if touch.kind == "delete"}
    for path in dict.fromkeys(touch.path for touch in touches if touch.modifies):
        guarded = _GUARD.fullmatch(path) or (path in deleted and _HOLDS_GUARD.fullmatch(path))
        if guarded and not _is_asked_for(path, world):
            yield path


def _reached(event: ToolProposed, world: World, files: Files) -> tuple[Touch, ...]:
    """What a shell line comes to without naming it; one that only looks comes to nothing."""
    if event.call.action != "bash" or not world.analysis.unsure:
        return ()
    from leeboard.shell.reach.files import may_reach, standing_guard, taken_away  # noqa: PLC0415 - for shell lines only

    if not may_reach(event.call.command):
        return ()
    root, cwd = world.workspace.root, event.cwd or world.workspace.root
    line = shell_effects(event.call.command, event.cwd)
    found = taken_away(event.call.command, cwd, line.touches, standing_guard(root, files))
    return tuple(Touch(world.workspace.spell(touch.path, cwd), touch.kind) for touch in found)


def _instead(event: ToolProposed, path: str) -> str:
    """The same line without the guard's files, where it is that simple."""
    folder = path.partition("/")[0]
    return f", or spare it: git clean ... -e {folder}" if _CLEANS.search(event.call.command) else ""


def _is_asked_for(path: str, world: World) -> bool:
    """The user named this very file, and no limit of theirs stands against it."""
    from leeboard.shell.speaker import named_by_user  # noqa: PLC0415 - only where the guard would be changed

    limits = (limit.patterns for limit in world.session.contract.constraints if limit.kind == "forbid")
    return named_by_user(path, world.session.goals) and not any(matches(path, patterns) for patterns in limits)


def _records(world: World) -> Iterator[tuple[str, bool]]:
    """Transcripts that are changed, where they are read as what was said, and whether they would be gone."""
    suspects = [path for path in world.analysis.modified if ".jsonl" in path or ".c" in path or "projects" in path]
    if not world.session.is_live or not suspects:
        return
    from leeboard.shell.speaker import (  # noqa: PLC0415 - hardly any call comes near one
        holds_records,
        is_record,
        of_another_project,
    )

    deleted = {touch.path for touch in world.analysis.touches if touch.kind == "delete"}
    for path in suspects:
        goes = path in deleted
        if (is_record(path) or (goes and holds_records(path))) and not (
            goes and of_another_project(path, world.workspace.root)
        ):
            yield path, goes


def _finding(subject: str, text: str, remedy: str) -> Finding:
    return Finding(rule="self_allowance", subject=subject, evidence=(Evidence(text, -8),), cap=2, remedy=remedy)
