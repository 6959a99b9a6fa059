"""Where a name is defined and what is imported, per language, as expressions over lines.

Each starts with a line break or a keyword: the engine then jumps from one to the next instead of trying every place.
Every repeat is bounded, so that no line costs more than its length.
"""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

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
