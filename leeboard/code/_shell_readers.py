"""Programs that only read: their file operands are reads, and some have one option that names an output."""

from __future__ import annotations

import posixpath

from leeboard.code._shell_options import Parsed, parse
from leeboard.code._shell_scope import Run
from leeboard.code._shell_table import PROGRAMS
from leeboard.model.pattern import lazy

_SEARCH_VALUED = (
    "-e -f -m -A -B -C -d -D --include --exclude --exclude-dir --regexp --file --max-count --context --after-context"
    " --before-context --label"
)
_RIPGREP_VALUED = (
    _SEARCH_VALUED + " -g -t -T -M -j -r -E --glob --iglob --type --type-not --max-columns --threads --replace"
    " --encoding --sort --sortr --max-depth --color --colors --pre --engine --ignore-file --max-filesize"
)
_LOOKS_LIKE_FILE = lazy(r"[^/]\.[^/.]+$")


def read_operands(run: Run, args: list[str], program: str) -> None:
    run.read(*parse(args, PROGRAMS.readers[program]).operands)


def looks_like_file(word: str) -> bool:
    """Folders rarely have a dot in the middle of their name."""
    return bool(_LOOKS_LIKE_FILE.search(posixpath.basename(word)))


def _search(run: Run, parsed: Parsed, *, recursive: bool) -> None:
    operands = parsed.operands
    run.read(*parsed.values("-f", "--file"))
    if not parsed.has("-e", "-f", "--regexp", "--file"):
        operands = operands[1:]
    run.read(*[word for word in operands if not recursive or looks_like_file(word)])


def grep(run: Run, args: list[str]) -> None:
    parsed = parse(args, _SEARCH_VALUED)
    _search(run, parsed, recursive=parsed.has("-r", "-R", "--recursive", "--dereference-recursive"))


def ripgrep(run: Run, args: list[str]) -> None:
    parsed = parse(args, _RIPGREP_VALUED)
    if parsed.has("--pre"):
        run.hide()
    if not parsed.has("--files", "--type-list"):
        _search(run, parsed, recursive=True)


def sort(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-k -t -S -T -o --key --field-separator --buffer-size --output --parallel")
    run.read(*parsed.operands)
    run.write(*parsed.values("-o", "--output"))


def uniq(run: Run, args: list[str]) -> None:
    operands = parse(args, "-f -s -w").operands
    run.read(*operands[:1])
    run.write(*operands[1:2])


def xxd(run: Run, args: list[str]) -> None:
    operands = parse(args, "-c -g -l -o -s -cols -len -seek").operands
    run.read(*operands[:1])
    run.write(*operands[1:2])


def jq(run: Run, args: list[str]) -> None:
    words: list[str] = []
    skip = 0
    for word in args:
        if skip:
            skip -= 1
        elif word in {"--arg", "--argjson", "--slurpfile", "--rawfile"}:
            skip = 2
        else:
            words.append(word)
    parsed = parse(words, "-f -L --from-file --indent --args --jsonargs")
    run.read(*(parsed.operands if parsed.has("-f", "--from-file") else parsed.operands[1:]))


def yq(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-o -p -I --output-format --input-format --indent")
    files = parsed.operands[1:] if parsed.operands[:1] not in (["eval"], ["e"]) else parsed.operands[2:]
    (run.write if parsed.has("-i", "--inplace", "--in-place") else run.read)(*files)
