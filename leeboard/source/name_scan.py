"""Names a file defines and modules it imports, read off its lines without a parser.

Linear in the length of the text and several times faster than parsing, so that a whole repository can be known by name
before anything of it was parsed. It errs towards finding: a definition inside a comment counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from leeboard.model.symbol import SymbolKind
from leeboard.model.text import lazy

MOST = 20_000
"""Names or imports of one file; more is data."""

_CLASSES = {"class", "interface", "enum", "record", "object", "struct", "trait", "union", "module", "type"}
_METHOD_LANGUAGES = {"java", "csharp"}
_MOST_RAISED, _READ_FOR_STYLE = 1_000, 200_000
"""What a file raises shows in its first so many; a longer one is made by a program."""
_WINDOW = 300
_FAR = "far away"
_WORD = lazy(r"[\w.]{1,200}")
_PLAIN = lazy(r"[A-Za-z_]\w{0,120}")


class ScannedName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    name: str
    kind: SymbolKind
    line: int


class ScannedImport(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`names` are what is taken from the module, where the language says so."""

    module: str
    line: int
    names: tuple[str, ...] = ()


class ScannedStyle(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the code of a file is like: the types it raises, and how many of its functions are asynchronous."""

    raised: tuple[str, ...] = ()
    waits: int = 0


def scan_style(text: str, language: str) -> ScannedStyle:
    expression = RAISED.get(language)
    found = islice(expression.finditer(text, 0, _READ_FOR_STYLE), _MOST_RAISED) if expression else ()
    raised = dict.fromkeys(match[1] for match in found)
    mark = WAITS.get(language, "")
    return ScannedStyle(tuple(raised)[:20], text.count(mark) if mark else 0)


def scan_names(text: str, language: str) -> tuple[ScannedName, ...]:
    """In the order of their lines; empty for a language that is not known."""
    found = _python_names("\n" + text) if language == "python" else _names("\n" + text, language)
    return tuple(found[:MOST])


def scan_imports(text: str, language: str) -> tuple[ScannedImport, ...]:
    """Modules as written, in the order of their lines; a path relative to the file starts with a dot."""
    scan = _IMPORTS.get(language)
    if scan is None:
        return ()
    return tuple(islice(scan("\n" + text), MOST))


def _python_names(text: str) -> list[ScannedName]:
    """Searching for the word and looking back costs a sixth of trying every line."""
    marks = [(match.start(), match[1], head, False) for match, head in _headed(PYTHON_FUNCTION, text)]
    if "class" in text:
        marks += [(match.start(), match[1], head, True) for match, head in _headed(PYTHON_CLASS, text)]
        marks.sort()
    found: list[ScannedName] = []
    line = at = 0
    for start, name, head, is_class in marks:
        kind: SymbolKind = "class" if is_class else "function"
        if head:
            if not head.isspace() and head.strip() != "async":
                continue
            kind = "method" if head[0] in " \t" and not is_class else kind
        line += text.count("\n", at, start)
        at = start
        found.append(ScannedName(name, kind, line))
    return found


def _headed(expression: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Matches with what stands before them on their line; where one is too far from its beginning, so is the rest."""
    match = expression.search(text)
    for _ in range(MOST):
        if match is None:
            return
        at = match.end()
        head = "" if text[match.start() - 1] == "\n" else _head(text, match.start())
        if head is not _FAR:
            yield match, head
        elif (at := text.find("\n", at)) < 0:
            return
        match = expression.search(text, at)


def _head(text: str, at: int) -> str:
    """What stands on the line before this place; `_FAR` where the line begins too far away."""
    line_break = text.rfind("\n", max(0, at - _WINDOW), at)
    return text[line_break + 1 : at] if line_break >= 0 else _FAR


def _names(text: str, language: str) -> list[ScannedName]:
    found: dict[tuple[int, str], SymbolKind] = {}
    for expression in NAMES.get(language, ()):
        for match in islice(expression.finditer(text), MOST):
            name = match["n"]
            if name not in NOT_NAMES and match.groupdict().get("t") not in NOT_NAMES:
                found.setdefault((match.start(), name), _kind(match, language))
    names: list[ScannedName] = []
    line = at = 0
    for (start, name), kind in sorted(found.items()):
        line += text.count("\n", at, start + 1)
        at = start + 1
        names.append(ScannedName(name, kind, line))
    return names


def _kind(match: re.Match[str], language: str) -> SymbolKind:
    word = match["k"]
    if word in _CLASSES or (language == "go" and match.re.pattern.startswith(r"\ntype")):
        return "class"
    groups = match.groupdict()
    inside = "m" in groups or language in _METHOD_LANGUAGES or bool(groups.get("i"))
    if language in {"go", "kotlin"}:
        inside = bool(word)
    return "method" if inside else "function"


def _lined(expression: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Matches with the line they start on; the text begins with a line break of its own."""
    line, at = 0, 0
    for match in islice(expression.finditer(text), MOST):
        start = match.start()
        line += text.count("\n", at, start)
        at = start
        yield line + (text[start] == "\n"), match


def _python(text: str) -> Iterator[ScannedImport]:
    line = at = 0
    for match, head in _headed(PYTHON_IMPORT, text):
        line += text.count("\n", at, match.start())
        at = match.start()
        words = head.split()
        if not words:
            modules = (_WORD.match(part.strip()) for part in match[1].split(","))
            yield from (ScannedImport(word.group(), line) for word in modules if word)
        elif len(words) == 2 and words[0] == "from":
            parts = (part.strip(" \t\n\r(\\").partition(" as ")[0].strip() for part in match[1].split(","))
            yield ScannedImport(words[1], line, tuple(part for part in parts if part.isidentifier()))


def _javascript(text: str) -> Iterator[ScannedImport]:
    found = [ScannedImport(match[1], line) for expression in JS_IMPORTS for line, match in _lined(expression, text)]
    yield from sorted(found, key=lambda item: item.line)


def _go(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(GO_IMPORT, text):
        block = match[1] or match[2] or ""
        for within, quoted in _lined(QUOTED, block):
            yield ScannedImport(quoted[1], line + within)


def _dotted(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(DOTTED_IMPORT, text):
        yield ScannedImport(match[1].rstrip("."), line)


def _csharp(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(USING, text):
        yield ScannedImport(match[1], line)


def _ruby(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(RUBY_IMPORT, text):
        near = match[1] == "require_relative" and not match[2].startswith(".")
        yield ScannedImport(f"./{match[2]}" if near else match[2], line)


def _php(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(PHP_USE, text):
        names = tuple(part.strip().partition(" as ")[0] for part in (match[2] or "").split(",") if part.strip())
        yield ScannedImport(match[1].rstrip("\\"), line, names)
    for line, match in _lined(PHP_INCLUDE, text):
        yield ScannedImport(match[1] if match[1].startswith(".") else f"./{match[1].lstrip('/')}", line)


def _rust(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(RUST_USE, text):
        names = tuple(word.group() for word in _PLAIN.finditer(match[3] or ""))
        module = match[2].rstrip(":")
        yield ScannedImport(f"self::{module}" if match[1] else module, line, names)


def _include(text: str) -> Iterator[ScannedImport]:
    for line, match in _lined(INCLUDE, text):
        yield ScannedImport(match[2] if match[1] == "<" else f"./{match[2]}", line)


_IMPORTS: dict[str, Callable[[str], Iterator[ScannedImport]]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "tsx": _javascript,
    "go": _go,
    "java": _dotted,
    "kotlin": _dotted,
    "csharp": _csharp,
    "ruby": _ruby,
    "php": _php,
    "rust": _rust,
    "c": _include,
    "cpp": _include,
}


# Where a name is defined and what is imported, per language, as expressions over lines.
#
# Each starts with a line break or a keyword: the engine then jumps from one to the next instead of trying every place.
# Every repeat is bounded, so that no line costs more than its length.


_JAVA_WORDS = (
    r"public|private|protected|internal|static|final|abstract|sealed|default|synchronized|native|open|override"
)
_MORE_WORDS = r"data|inner|partial|readonly|unsafe|async|virtual|extern|new|value|inline|suspend|operator|tailrec|infix"
_MODIFIERS = rf"(?:(?:{_JAVA_WORDS}|{_MORE_WORDS}|@\w{{1,60}})[ \t]{{1,40}}){{0,8}}"
_JS_OPEN = r"\n[ \t]{0,80}(?:export[ \t]{1,9})?(?:default[ \t]{1,9})?(?:declare[ \t]{1,9})?"

PYTHON_FUNCTION = lazy(r"def[ \t]{1,9}(\w{1,120})")
PYTHON_CLASS = lazy(r"class[ \t]{1,9}(\w{1,120})")
JAVASCRIPT = (
    lazy(
        _JS_OPEN + r"(?:abstract[ \t]{1,9})?(?:async[ \t]{1,9})?(?P<k>function|class|interface|enum)"
        r"(?:\*|[ \t])[ \t*]{0,9}(?P<n>[\w$]{1,120})"
    ),
    lazy(
        _JS_OPEN + r"(?:const|let|var)[ \t]{1,9}(?P<n>[\w$]{1,120})[ \t]{0,9}(?::[^=\n]{0,120})?=[ \t\n]{0,40}"
        r"(?P<k>(?:async\b[ \t]{0,9})?(?:function\b|\([^()\n]{0,200}\)[^=\n(]{0,80}=>"
        r"|[\w$]{1,60}[ \t]{0,9}=>|\([ \t]{0,9}\n))"
    ),
    lazy(
        r"\n[ \t]{1,80}(?P<m>(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set)"
        r"[ \t]{1,9}){0,5})"
        r"\*?(?P<n>[\w$#]{1,120})[ \t]{0,9}(?:<[^>\n]{0,80}>)?\((?P<k>)[^()\n]{0,240}\)[^\n;{}()]{0,120}\{"
    ),
)
GO = (
    lazy(r"\nfunc[ \t]{1,9}(?P<k>\([^)\n]{0,160}\)[ \t]{0,9})?(?P<n>\w{1,120})"),
    lazy(r"\ntype[ \t]{1,9}(?P<n>\w{1,120})(?:\[[^\]\n]{0,120}\])?[ \t]{1,9}(?P<k>\w|=|\[|\*|\()"),
)
TYPES = (
    lazy(
        r"\n[ \t]{0,80}"
        + _MODIFIERS
        + r"(?P<k>class|interface|enum|record|object|struct|trait)[ \t]{1,9}(?P<n>[A-Za-z_]\w{0,120})"
    ),
)
C_LIKE_METHOD = (
    lazy(
        r"\n[ \t]{1,80}"
        + _MODIFIERS
        + r"(?:<[^>\n]{1,80}>[ \t]{1,9})?(?P<t>[\w.]{1,80}(?:<[^\n(=;]{0,120}>)?[\[\]?]{0,6})[ \t]{1,9}"
        r"(?P<n>\w{1,120})[ \t]{0,9}\((?P<k>)[^;\n]{0,300}(?=\n)"
    ),
)
KOTLIN_FUNCTION = (
    lazy(
        r"\n(?P<k>[ \t]{0,80})" + _MODIFIERS + r"fun[ \t]{1,9}(?:<[^>\n]{1,80}>[ \t]{0,9})?"
        r"(?:[\w<>?]{1,80}\.){0,3}(?P<n>\w{1,120})[ \t]{0,9}\("
    ),
)
RUBY = (
    lazy(
        r"\n[ \t]{0,80}(?:(?:private|protected|public|module_function)[ \t]{1,9})?"
        r"(?P<k>def|class|module)[ \t]{1,9}(?:self\.)?(?P<n>[\w:]{1,120}[?!]?)"
    ),
)
PHP = (
    lazy(
        r"\n(?P<i>[ \t]{0,80})" + _MODIFIERS + r"(?P<k>function|class|interface|trait|enum)[ \t]{1,9}&?(?P<n>\w{1,120})"
    ),
)
RUST = (
    lazy(
        r"\n(?P<i>[ \t]{0,80})(?:pub(?:\([^)\n]{1,30}\))?[ \t]{1,9})?"
        r"(?:(?:default|const|async|unsafe|extern(?:[ \t]\"\w{1,9}\")?)"
        r"[ \t]{1,9}){0,4}(?P<k>fn|struct|enum|trait|union|type)[ \t]{1,9}(?P<n>\w{1,120})"
    ),
)
C = (
    lazy(
        r"\n(?!return\b|else\b|case\b|typedef\b|using\b)(?=[A-Za-z_])[\w \t*&:<>,~]{1,160}[ \t*&:]"
        r"(?P<n>~?[A-Za-z_]\w{0,120})"
        r"[ \t]{0,9}\((?P<k>)[^;\n]{0,400}(?=\n)"
    ),
    lazy(
        r"\n[ \t]{0,40}(?:typedef[ \t]{1,9})?(?P<k>struct|class|union|enum)[ \t]{1,9}(?P<n>\w{1,120})"
        r"[^;\n()]{0,160}(?:\{|(?=\n))"
    ),
)
BASH = (lazy(r"\n[ \t]{0,80}(?:function[ \t]{1,9})?(?P<n>[\w:.\-]{1,120})[ \t]{0,9}(?P<k>)\([ \t]{0,9}\)"),)

NAMES: dict[str, tuple[re.Pattern[str], ...]] = {
    "javascript": JAVASCRIPT,
    "typescript": JAVASCRIPT,
    "tsx": JAVASCRIPT,
    "go": GO,
    "java": TYPES + C_LIKE_METHOD,
    "csharp": TYPES + C_LIKE_METHOD,
    "kotlin": TYPES + KOTLIN_FUNCTION,
    "ruby": RUBY,
    "php": PHP,
    "rust": RUST,
    "c": C,
    "cpp": C,
    "bash": BASH,
}
NOT_NAMES = frozenset(
    "if for while switch catch return new else throw await case do try with using lock function class sizeof assert "
    "constructor yield synchronized when foreach fixed not and or in is super this default elif fi done then void "
    "static def end defined typeof delete import export extends implements".split()
)

_QUOTED = r"[\"'`]([^\"'`\n]{1,200})[\"'`]"
PYTHON_IMPORT = lazy(r"import(?:[ \t]{1,9}|(?=\())(\([^)]{0,4000}|[^\n#;(]{1,400})")
JS_IMPORTS = (
    lazy(r"from[ \t]{0,9}" + _QUOTED),
    lazy(r"require[ \t]{0,9}\([ \t]{0,9}" + _QUOTED),
    lazy(r"import[ \t]{0,9}\(?[ \t]{0,9}" + _QUOTED),
)
GO_IMPORT = lazy(r"\nimport[ \t]{0,9}(?:\(([^)]{0,20000})\)|(?:[\w.]{1,60}[ \t]{1,9})?(\"[^\"\n]{1,200}\"))")
QUOTED = lazy(r"\"([^\"\n]{1,200})\"")
DOTTED_IMPORT = lazy(r"\n[ \t]{0,9}import[ \t]{1,9}(?:static[ \t]{1,9})?([\w.*]{1,200})")
USING = lazy(
    r"\n[ \t]{0,80}(?:global[ \t]{1,9})?using[ \t]{1,9}(?:static[ \t]{1,9})?"
    r"(?:\w{1,80}[ \t]{0,9}=[ \t]{0,9})?([\w.]{1,200})[ \t]{0,9};"
)
RUBY_IMPORT = lazy(r"\n[ \t]{0,80}(require_relative|require|load)[ \t(]{1,9}" + _QUOTED)
PHP_USE = lazy(
    r"\n[ \t]{0,9}use[ \t]{1,9}(?:function[ \t]{1,9}|const[ \t]{1,9})?\\?([\w\\]{1,200})(?:\{([^}]{0,2000})\})?"
)
PHP_INCLUDE = lazy(r"\n[ \t]{0,80}(?:require|include)(?:_once)?[ \t(]{0,9}(?:__DIR__[ \t]{0,9}\.[ \t]{0,9})?" + _QUOTED)
RUST_USE = lazy(
    r"\n[ \t]{0,80}(?:pub(?:\([^)\n]{1,30}\))?[ \t]{1,9})?(?:use|extern[ \t]{1,9}crate|(mod))[ \t]{1,9}"
    r"([\w:]{1,200})(\{[^;]{0,4000})?[^;\n{]{0,80};"
)
INCLUDE = lazy(r"\n[ \t]{0,40}#[ \t]{0,9}include[ \t]{0,9}([<\"])([^>\"\n]{1,200})")

_THROWN = lazy(r"throw[ \t]{1,9}+(?:new[ \t]{1,9}+)?\\?([A-Z]\w{1,80}+)[ \t]{0,9}+[({]")
_RAISED = lazy(r"raise[ \t]{1,9}([A-Z]\w{1,80})")
RAISED = {
    "python": _RAISED,
    "ruby": _RAISED,
    **dict.fromkeys(("javascript", "typescript", "tsx", "java", "kotlin", "csharp", "php"), _THROWN),
}
"""What the types are called that a file raises."""
WAITS = {
    "python": "async def ",
    **dict.fromkeys(("javascript", "typescript", "tsx", "csharp"), "async "),
    "kotlin": "suspend fun ",
    "rust": "async fn ",
}
"""What an asynchronous function begins with."""
