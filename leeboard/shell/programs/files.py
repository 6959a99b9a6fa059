"""Programs whose purpose is to make, copy, move and remove files."""

from __future__ import annotations

import posixpath

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.scope import Follow, Run, is_device_path

_TARGET = ("-t", "--target-directory")


def below(folder: str, source: str) -> str:
    """The path that `source` gets when it is put into a folder."""
    name = posixpath.basename(source.rstrip("/"))
    return folder if name in {"", ".", ".."} else folder.rstrip("/") + "/" + name


def placed(run: Run, parsed: Parsed) -> list[tuple[str, str]]:
    """Pairs of source and destination of a cp-like line."""
    folders = parsed.values(*_TARGET)
    if folders:
        return [(source, below(folders[-1], source)) for source in parsed.operands]
    if len(parsed.operands) < 2:
        return []
    *sources, target = parsed.operands
    if len(sources) > 1 or (run.is_folder(target) and not parsed.has("-T", "--no-target-directory")):
        return [(source, below(target, source)) for source in sources]
    return [(sources[0], target)]


def copy(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["cp"])
    if parsed.has("-b", "--backup", "-S", "--suffix", "--parents"):
        run.hide()
    keeps = parsed.has("-n", "--no-clobber", "-b", "--backup", "-u", "--update")
    for source, target in placed(run, parsed):
        run.read(source)
        (run.write if keeps else run.replace)(target)


def move(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["cp"])
    if parsed.has("-b", "--backup", "-S", "--suffix"):
        run.hide()
    keeps = parsed.has("-n", "--no-clobber", "-b", "--backup", "-u", "--update")
    for source, target in placed(run, parsed):
        if is_device_path(target):
            run.delete(source)
            continue
        run.move_away(source)
        (run.write if keeps else run.replace)(target)


def link(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["cp"])
    if any(UNKNOWN in word for word in parsed.operands):
        run.hide()
    if len(parsed.operands) == 1 and not parsed.has(*_TARGET):
        run.write(below(".", parsed.operands[0]))
    for _, target in placed(run, parsed):
        (run.replace if parsed.has("-f", "--force") else run.write)(target)


def install(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["cp"] + " -m -o -g --mode --owner --group")
    if parsed.has("-d", "--directory"):
        make_folders(run, parsed.operands)
        return
    for source, target in placed(run, parsed):
        run.read(source)
        run.replace(target)


def remove(run: Run, args: list[str]) -> None:
    run.delete(*parse(args).operands)


def trash(run: Run, args: list[str]) -> None:
    """It is gone from the tree, and can be had back."""
    run.move_away(*parse(args).operands)


def make_folders(run: Run, args: list[str]) -> None:
    for word in parse(args, "-m --mode").operands:
        path = run.scope.path(word)
        while path and path not in run.scope.folders and path not in {"/", "."}:
            run.scope.folders.add(path)
            path = posixpath.dirname(path)


def tee(run: Run, args: list[str]) -> None:
    parsed = parse(args)
    (run.write if parsed.has("-a", "--append") else run.replace)(*parsed.operands)


def touch(run: Run, args: list[str]) -> None:
    run.write(*parse(args, "-d -r -t --date --reference --time").operands)


def truncate(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-s -r --size --reference")
    grows = any(size.startswith(("+", ">", "%")) for size in parsed.values("-s", "--size"))
    (run.write if grows else run.replace)(*parsed.operands)


def shred(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-n -s --iterations --size --random-source")
    (run.delete if parsed.has("-u", "--remove") else run.replace)(*parsed.operands)


def dd(run: Run, args: list[str]) -> None:
    for word in args:
        name, _, value = word.partition("=")
        if name == "if":
            run.read(value)
        elif name == "of":
            run.replace(value)


def pack(run: Run, args: list[str], program: str) -> None:
    parsed = parse(args, "-S --suffix")
    undo = parsed.has("-d", "--decompress", "--uncompress") or program in PROGRAMS.unpacked
    if parsed.has("-c", "--stdout", "-l", "--list", "-t", "--test"):
        run.read(*parsed.operands)
    elif parsed.has("-r", "--recursive", "-S", "--suffix"):
        run.hide()
    else:
        suffix = PROGRAMS.unpacked.get(program) or PROGRAMS.packed[program]
        for word in parsed.operands:
            run.write(word.removesuffix(suffix) if undo else word + suffix)
            if not parsed.has("-k", "--keep"):
                run.move_away(word)


def tar(run: Run, args: list[str]) -> None:
    """Listing and packing are told; unpacking writes what only the archive knows."""
    if args and not args[0].startswith("-"):
        args = ["-" + args[0], *args[1:]]
    parsed = parse(args, "-f -C -T -X --file --directory --exclude --files-from --exclude-from")
    archives = parsed.values("-f", "--file")
    if parsed.has("-t", "--list"):
        run.read(*archives)
    elif parsed.has("-c", "--create") and not parsed.has("--remove-files"):
        run.replace(*[word for word in archives if word != "-"])
    else:
        run.hide()


def zip_up(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-x -i -b -n -P -t")
    if parsed.has("-m", "--move") or not parsed.operands:
        run.hide()
    name = parsed.operands[0] if parsed.operands else ""
    if name and name != "-":
        run.write(name if "." in posixpath.basename(name) else name + ".zip")


def unzip(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-d -x -P")
    if parsed.has("-l", "-p", "-t", "-Z", "-v", "-z", "-c"):
        run.read(*parsed.operands[:1])
    else:
        run.hide()


# Programs that start another program for names only they will know: find, fd, xargs.


_EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FD_EXECUTES = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_MOST_NAMES = 40
_FILE_ACTIONS = frozenset({"-fprint", "-fprint0", "-fls", "-fprintf"})


def acts(program: str, args: list[str]) -> bool:
    """Whether a find or fd line does more than list names."""
    if program in {"fd", "fdfind"}:
        return not _FD_EXECUTES.isdisjoint(args)
    return "-delete" in args or not (_EXECUTES | _FILE_ACTIONS).isdisjoint(args)


def find(run: Run, args: list[str]) -> None:
    if folders := _emptied(args):
        run.delete(*folders)
        return
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word == "-delete":
            run.hide()
        elif word in _FILE_ACTIONS:
            run.write(*args[at : at + 1])
        elif word in _EXECUTES:
            end = _end_of_command(args, at)
            run.follow.append(Follow([part.replace("{}", UNKNOWN) for part in args[at:end]]))
            at = end


def _emptied(args: list[str]) -> list[str]:
    """The folders that a line deletes as a whole, since it asks nothing about what is below them."""
    *folders, last = args or [""]
    plain = all(word.strip("./") and word[0] not in "-(!" for word in folders)
    return folders if last == "-delete" and plain else []


def _end_of_command(args: list[str], at: int) -> int:
    while at < len(args) and args[at] != ";" and not (args[at] == "+" and args[at - 1] == "{}"):
        at += 1
    return at


def fd(run: Run, args: list[str]) -> None:
    for at, word in enumerate(args):
        if word in _FD_EXECUTES:
            command = [_fd_word(part) for part in args[at + 1 : _end_of_command(args, at + 1)]]
            run.follow.append(Follow([*command, UNKNOWN]))
            return


def _fd_word(word: str) -> str:
    for mark in ("{}", "{/}", "{//}", "{.}", "{/.}"):
        word = word.replace(mark, UNKNOWN)
    return word


def xargs(run: Run, args: list[str]) -> None:
    valued = "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars --replace"
    parsed = parse(args, valued, in_order=True)
    run.read(*parsed.values("-a", "--arg-file"))
    if not parsed.operands:
        return
    marks = [mark for mark in parsed.values("-I", "--replace") if mark]
    words = parsed.operands
    if marks:
        for name in _handed_to(run, parsed, by_line=True):
            filled = words
            for mark in marks:
                filled = [word.replace(mark, name) for word in filled]
            run.follow.append(Follow(filled))
    else:
        run.follow.append(Follow([*words, *_handed_to(run, parsed, by_line=False)]))


def _handed_to(run: Run, parsed: Parsed, *, by_line: bool) -> list[str]:
    """The names that xargs reads, where they stand in the line."""
    text = run.stdin
    if text is None or parsed.has("-a", "--arg-file"):
        return [UNKNOWN]
    lined = by_line or parsed.has("-d", "--delimiter", "-0", "--null", "-L", "--max-lines")
    names = [line.strip() for line in text.split("\n")] if lined else text.split()
    return [name for name in names if name][:_MOST_NAMES] or [UNKNOWN]
