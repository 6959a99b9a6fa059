"""Stream editors: sed, perl and awk read or rewrite the files they are given, as their options say."""

from __future__ import annotations

import re

from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Run
from leeboard.model.pattern import lazy

_SED_WRITES = lazy(r"(?:^|[;{}\n/0-9$])\s*[wW]\s+\S|/[gpiIMm0-9]*e[gpiIMm0-9]*\s*(?:[;}\n]|$)|/[gpiIMm0-9]*w\s")
_SED_EXECUTES = lazy(r"(?:^|[;{}\n])\s*[0-9$]*e(?:\s|$)")
_PERL_ACTS = lazy(
    r"`|\b(?:open|sysopen|unlink|system|exec|rename|qx|mkdir|rmdir|symlink|link|require|use|eval|truncate|utime)\b"
)
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


def rewrite(run: Run, files: list[str], suffix: str) -> None:
    for word in files:
        run.write(word)
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
        rewrite(run, files, parsed.values("--in-place")[-1])
    else:
        run.read(*files)


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
        rewrite(run, parsed.operands, parsed.values("--in-place")[-1])
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
