"""Programs that only read: their file operands are reads, and some have one option that names an output."""

from __future__ import annotations

import posixpath

from leeboard.code._shell_options import Parsed, parse
from leeboard.code._shell_scope import Run
from leeboard.model.pattern import lazy

SILENT = frozenset(
    """
    : [ arch basename bg bind break cal caller chgrp chmod chown clear cloc compgen complete continue date df dir
    dircolors dirname disown du echo enable exa exit expr eza false fc fg free getconf getent getopts groups hash
    help history host hostid hostname id ifconfig ip jobs kill killall last ldd let locale logout ls lsattr lsblk
    lscpu lsd lsof man mktemp netstat nm nproc nvidia-smi objdump pgrep pidof pkill printenv printf ps pwd readelf
    return scc seq set shift shopt size sleep ss stty suspend sw_vers sync test times tokei top tput tr tree true
    tty type ulimit umask uname uptime users vdir vmstat w wait whereis which who whoami yes
    """.split()
)
"""They change no file and say nothing worth knowing about the files they look at."""

VALUED = {
    "b2sum": "",
    "base64": "-w --wrap",
    "bat": "-l -r -H --language --line-range --theme --style --highlight-line --paging --color --decorations",
    "cat": "",
    "cksum": "",
    "cmp": "-i -n",
    "column": "-s -c -o -N",
    "comm": "",
    "cut": "-d -f -c -b --delimiter --fields --characters --output-delimiter",
    "diff": "-U -C -W -x -I -L --label --exclude --color --unified",
    "expand": "-t",
    "file": "-m -F",
    "fmt": "-w",
    "fold": "-w",
    "head": "-n -c --lines --bytes",
    "hexdump": "-n -s -e -f",
    "icdiff": "",
    "join": "-t -1 -2 -o -a -e -j",
    "less": "-p -P -x",
    "md5sum": "",
    "more": "-n",
    "nl": "-b -d -f -h -i -l -n -s -v -w",
    "od": "-A -t -N -j -w",
    "paste": "-d",
    "readlink": "",
    "realpath": "--relative-to --relative-base",
    "rev": "",
    "sha1sum": "",
    "sha256sum": "",
    "sha512sum": "",
    "shasum": "-a",
    "stat": "-c -f --format --printf",
    "strings": "-n -t -e",
    "sum": "",
    "tac": "-s",
    "tail": "-n -c -s --lines --bytes --pid",
    "unexpand": "-t",
    "view": "",
    "wc": "--files0-from",
    "zcat": "",
    "zless": "",
}
"""Plain readers and the options of theirs that take a value."""

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
    run.read(*parse(args, VALUED[program]).operands)


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
