"""Programs that only read: their file operands are reads, and some have one option that names an output."""

from __future__ import annotations

import posixpath
import re

from leeboard.model.text import lazy
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.scope import Run

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
    parsed = parse(args, PROGRAMS.valued["grep"])
    _search(run, parsed, recursive=parsed.has("-r", "-R", "--recursive", "--dereference-recursive"))


def ripgrep(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["rg"])
    if parsed.has("--pre"):
        run.hide()
    if not parsed.has("--files", "--type-list"):
        _search(run, parsed, recursive=True)


def sort(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-k -t -S -T -o --key --field-separator --buffer-size --output --parallel")
    run.read(*parsed.operands)
    for target in parsed.values("-o", "--output"):
        (run.write if target in parsed.operands else run.replace)(target)


def uniq(run: Run, args: list[str]) -> None:
    operands = parse(args, "-f -s -w").operands
    run.read(*operands[:1])
    run.replace(*operands[1:2])


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


def output(run: Run, args: list[str], program: str) -> None:
    """What it makes goes into the file that an option names; in what else it may write nobody can tell."""
    words = [word.replace("-out", "--out", 1) if word == "-out" else word for word in args]
    names = PROGRAMS.outputs[program].replace("-out", "--out") if program == "openssl" else PROGRAMS.outputs[program]
    parsed = parse(words, f"{names} -f -t -r -w --from --to --reader --writer" if names else "")
    run.replace(*(value for value in parsed.values(*names.split()) if value != "-"))
    run.hide()


def sponge(run: Run, args: list[str]) -> None:
    parsed = parse(args)
    (run.write if parsed.has("-a") else run.replace)(*parsed.operands)


_EDITOR_WRITES = lazy(r"(?:^|[\n|:;'\"\s])(?:w|wq|x|wa|wqa|xa|up|update|write|ZZ)!?(?=$|[\n|;'\"\s])")
_EDITOR_EMPTIES = lazy(r"(?:^|[\n|:;])\s{0,3}(?:%|1,\$|,|g/(?:\^|\.|\.\*|\$)?/)\s{0,3}d(?:elete)?(?=$|[\n|;\s])")


def edit(run: Run, args: list[str], program: str) -> None:
    """`vim -c '%d' -c wq FILE`, `ed -s FILE <<< ...`: told by their options, or by what they are handed."""
    parsed = parse(args, "-p" if program in {"ed", "red"} else "-c -S -u -i --cmd")
    told = [*parsed.values("-c", "--cmd"), *(one[1:] for one in parsed.operands if one.startswith("+"))]
    script = "\n".join((*told, run.stdin or ""))
    files = [one for one in parsed.operands if not one.startswith("+")]
    if not script.strip() or parsed.has("-S", "-R"):
        run.hide()
    elif _EDITOR_WRITES.search(script):
        (run.replace if _EDITOR_EMPTIES.search(script) else run.write)(*files)


# Stream editors: sed, perl and awk read or rewrite the files they are given, as their options say.


_SED_WRITES = lazy(r"(?:^|[;{}\n/0-9$])\s*[wW]\s+\S|/[gpiIMm0-9]*e[gpiIMm0-9]*\s*(?:[;}\n]|$)|/[gpiIMm0-9]*w\s")
_SED_EMPTIES = lazy(
    r"\s{0,9}(?:(?:[01]\s{0,9},\s{0,9}\$|/\^?(?:\.[*+]?)?\$?/)\s{0,9})?d\s{0,9};?\s{0,9}"
    r"|\s{0,9}(?:1\s{0,9},\s{0,9}\$)?s([/|#,:@])\^?\.[*+]\$?\1\1g?\s{0,9};?\s{0,9}"
)
"""Scripts that delete every line, or all that is in it."""
_SED_LEAVES = lazy(r"[pPaicrRwW=]")
_SED_EXECUTES = lazy(r"(?:^|[;{}\n])\s*[0-9$]*e(?:\s|$)")
_PERL_ACTS = lazy(
    r"`|\b(?:open|sysopen|unlink|system|exec|rename|qx|mkdir|rmdir|symlink|link|require|use|eval|truncate|utime)\b"
)
_PERL_EMPTIES = lazy(r"\s{0,9}(?:s([/|#,:@])\^?\.[*+]\$?\1\1[gsm]{0,3}|\$_\s{0,3}=\s{0,3}(?:''|\"\"))\s{0,9};?\s{0,9}")
_PERL_PRINTS = lazy(r"\b(?:print|printf|say|write|syswrite)\b")
_AWK_STRING = lazy(r'"(?:[^"\\]|\\.)*"')
_AWK_STARTS = lazy(r'\bsystem\s*\(|\|&?\s*""|""\s*\|\s*getline')
_AWK_REDIRECT = lazy(r"\bprintf?\b[^;}\n]*?(?:>>?|(?<!\|)\|(?!\|))")
_AWK_WRITES_TO = lazy(r'\bprintf?\b[^;}\n]*>>?\s*"([^"$]+)"')


def separate(args: list[str], letter: str, valued: str) -> list[str]:
    """Spell `-Ei.bak` as `-E --in-place=.bak`: the value of -i can only be attached."""
    separated: list[str] = []
    for index, word in enumerate(args):
        if word == "--":
            return separated + args[index:]
        found = re.match(rf"-([^-{letter}{valued}]*){letter}(.*)", word, re.DOTALL)
        if found is None or word.startswith("--"):
            separated.append(word)
            continue
        separated += ["-" + found[1]] if found[1] else []
        separated.append(f"--in-place={found[2]}")
    return separated


def rewrite(run: Run, files: list[str], suffix: str, *, empties: bool = False) -> None:
    """`empties`: nothing is left of what was there, but for a copy under the suffix."""
    for word in files:
        (run.replace if empties and not suffix else run.write)(word)
        if "*" in suffix or "/" in suffix:
            run.hide()
        elif suffix:
            run.write(word + suffix)


def sed(run: Run, args: list[str]) -> None:
    valued = "-e -f -l --expression --file --line-length"
    parsed = parse(separate(_without_empty_suffix(args), "i", "efl"), valued)
    scripts = parsed.values("-e", "--expression")
    files = parsed.operands
    run.read(*parsed.values("-f", "--file"))
    if not scripts and not parsed.has("-f", "--file"):
        scripts, files = files[:1], files[1:]
    if any(_SED_WRITES.search(script) or _SED_EXECUTES.search(script) for script in scripts):
        run.hide()
    if parsed.has("--in-place"):
        only_asked = parsed.has("-n", "--quiet", "--silent")
        empties = any(_SED_EMPTIES.fullmatch(script) for script in scripts) or (only_asked and not _prints(scripts))
        rewrite(run, files, parsed.values("--in-place")[-1], empties=empties)
    else:
        run.read(*files)


def _prints(scripts: list[str]) -> bool:
    """Whether something may be left where only what is asked for is: by `p`, `a`, `i`, `c`, `r`, `w` and their like."""
    return not scripts or any(_SED_LEAVES.search(script) for script in scripts)


def _without_empty_suffix(args: list[str]) -> list[str]:
    """`-i ''` is how sed outside GNU says: no backup."""
    return [word for index, word in enumerate(args) if word or index == 0 or args[index - 1] != "-i"]


def perl(run: Run, args: list[str]) -> None:
    if args in (["-v"], ["-V"], ["--version"]):
        return
    parsed = parse(separate(args, "i", "eEMmIF"), "-e -E -M -m -I -F", in_order=True)
    codes = parsed.values("-e", "-E")
    if not codes:
        run.hide()
        return
    run.effects.interpreters["perl"] = None
    if any(_PERL_ACTS.search(code) for code in codes) or parsed.has("-M", "-m"):
        run.hide()
    if parsed.has("--in-place"):
        empties = parsed.has("-n") and not any(_PERL_PRINTS.search(code) for code in codes)
        empties = empties or (parsed.has("-p") and any(_PERL_EMPTIES.fullmatch(code) for code in codes))
        rewrite(run, parsed.operands, parsed.values("--in-place")[-1], empties=empties)
    elif parsed.has("-n", "-p"):
        run.read(*parsed.operands)


def awk(run: Run, args: list[str]) -> None:
    valued = "-F -v -f -i -e -E --field-separator --assign --file --include --source"
    parsed = parse(args, valued, in_order=True)
    programs, files = parsed.values("-e", "--source"), parsed.operands
    if parsed.has("-f", "--file", "-E"):
        run.hide()
    elif not programs:
        programs, files = files[:1], files[1:]
    for program in programs:
        _awk_program(run, program)
    files = [word for word in files if not re.match(r"[A-Za-z_]\w*=", word)]
    if "inplace" in parsed.values("-i", "--include"):
        run.write(*files)
    else:
        run.read(*files)


def _awk_program(run: Run, program: str) -> None:
    bare = _AWK_STRING.sub('""', program)
    if _AWK_STARTS.search(bare):
        run.hide()
    redirects = _AWK_REDIRECT.findall(bare)
    named = _AWK_WRITES_TO.findall(program)
    run.write(*named)
    if len(redirects) > len(named):
        run.hide()
