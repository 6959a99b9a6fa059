"""Git commands that move or remove branches and tags, here and on remotes, by their words alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leeboard.shell.losses.discard import Discard, GitCommand
from leeboard.shell.options import parse

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_PUSH_VALUES = "-o --push-option --repo --receive-pack --exec"
_FETCH_VALUES = "-j -o --depth --deepen --filter --jobs --refmap --server-option --shallow-since --shallow-exclude"


def _branch(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-u --set-upstream-to --contains --merged --no-merged --sort --format --points-at")
    names, folder = parsed.operands, command.folder
    forced = parsed.has("-f", "--force")
    if (parsed.has("-D") or (parsed.has("-d", "--delete") and forced)) and not parsed.has("-r", "--remotes"):
        yield Discard(kind="branch", program="git branch -D", folder=folder, names=tuple(names))
    elif parsed.has("-M", "-C") or (forced and parsed.has("-m", "-c", "--move", "--copy")):
        # Whatever had the new name before is left behind.
        old, new = ("HEAD", *names)[-2:] if names else ("", "")
        yield from _moved("git branch -M", command, new, old)
    elif forced and names:
        yield from _moved("git branch -f", command, names[0], "".join(names[1:2]) or "HEAD")


def _moved(program: str, command: GitCommand, name: str, target: str) -> Iterator[Discard]:
    if name:
        yield Discard(kind="move", program=program, folder=command.folder, names=(name,), target=target)


def _tag(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-m -F -u -n --message --file --local-user --contains --sort --format --points-at")
    if parsed.has("-d", "--delete") or (parsed.has("-f", "--force") and parsed.operands):
        names = parsed.operands if parsed.has("-d", "--delete") else parsed.operands[:1]
        yield Discard(kind="tag", program="git tag", folder=command.folder, names=tuple(names))


def _update_ref(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-m")
    if parsed.has("--stdin"):
        for line in command.handed.replace("\0", "\n").splitlines():
            verb, *words = line.split() or [""]
            yield from _set_ref(command, words, is_gone=verb == "delete") if verb in {"delete", "update"} else ()
    else:
        yield from _set_ref(command, parsed.operands, is_gone=parsed.has("-d"))


def _set_ref(command: GitCommand, words: list[str], *, is_gone: bool) -> Iterator[Discard]:
    ref = "".join(words[:1])
    if ref.startswith(_HEADS) and is_gone:
        names = (ref.removeprefix(_HEADS),)
        yield Discard(kind="branch", program="git update-ref -d", folder=command.folder, names=names)
    elif ref.startswith(_TAGS) and is_gone:
        yield Discard(kind="tag", program="git update-ref -d", folder=command.folder, names=(ref.removeprefix(_TAGS),))
    elif ref.startswith(_HEADS) and len(words) > 1:
        yield from _moved("git update-ref", command, ref.removeprefix(_HEADS), words[1])


def _symbolic_ref(command: GitCommand) -> Iterator[Discard]:
    """A branch that stands for another one from now on leads to its own commits no more."""
    words = parse(command.args, "-m").operands
    if len(words) > 1 and words[0].startswith(_HEADS):
        names = (words[0].removeprefix(_HEADS),)
        yield Discard(kind="branch", program="git symbolic-ref", folder=command.folder, names=names)


def _fetch(command: GitCommand) -> Iterator[Discard]:
    """Into branches of one's own, by force; those of remotes are there to be moved."""
    parsed = parse(command.args, _FETCH_VALUES)
    for word in parsed.operands[1:] if not parsed.has("--dry-run") else ():
        source, _, target = word.removeprefix("+").partition(":")
        is_forced = word.startswith("+") or parsed.has("-f", "--force")
        name = target.removeprefix(_HEADS)
        if is_forced and name and not name.startswith("refs/"):
            yield from _moved("git fetch --force", command, name, source if parsed.operands[0] == "." else "")


def _worktree(command: GitCommand) -> Iterator[Discard]:
    action, args = "".join(command.args[:1]), command.args[1:]
    parsed = parse(args, "-b -B --reason")
    if action == "remove" and parsed.has("-f", "--force") and parsed.operands:
        paths = (parsed.operands[0],)
        yield Discard(kind="worktree", program="git worktree remove", folder=command.folder, paths=paths)
    elif action == "add":
        for name in parsed.values("-B"):
            yield from _moved("git worktree add -B", command, name, "".join(parsed.operands[1:2]) or "HEAD")


def _push(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, _PUSH_VALUES)
    if parsed.has("-n", "--dry-run"):
        return
    remote, *refspecs = parsed.operands or [""]
    remote = (parsed.values("--repo") or [remote])[0]
    own = command.settings.get(f"remote.{(remote or 'origin').lower()}.mirror", "").lower()
    said = {
        "force": parsed.has("-f", "--force"),
        "lease": parsed.has("--force-with-lease", "--force-if-includes"),
        "delete": parsed.has("-d", "--delete"),
        "mirror": parsed.has("--mirror")
        or (parsed.has("--prune") and bool(refspecs))
        or own in {"true", "yes", "on", "1"},
        "all": parsed.has("--all", "--branches"),
    }
    if not refspecs:
        refspecs = command.settings.get(f"remote.{(remote or 'origin').lower()}.push", "").split()
    flags = {name for name, is_said in said.items() if is_said}
    if flags - {"all"} or any(word.startswith(("+", ":")) for word in refspecs):
        yield Discard(
            kind="push",
            program="git push",
            folder=command.folder,
            names=tuple(refspecs),
            target=remote,
            flags=frozenset(flags),
        )


REF_READERS: dict[str, Callable[[GitCommand], Iterator[Discard]]] = {
    "branch": _branch,
    "fetch": _fetch,
    "push": _push,
    "send-pack": _push,
    "symbolic-ref": _symbolic_ref,
    "tag": _tag,
    "update-ref": _update_ref,
    "worktree": _worktree,
}
