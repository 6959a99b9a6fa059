"""Which language a file is in, and whether anybody wrote it by hand: told by its name and its first lines."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from leeboard.code.area import is_test
from leeboard.model.pattern import lazy

_EXTENSIONS = {
    **dict.fromkeys(("py", "pyi", "pyw", "pyx"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "es6"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    "tsx": "tsx",
    "go": "go",
    "java": "java",
    **dict.fromkeys(("rb", "rake", "gemspec", "ru"), "ruby"),
    **dict.fromkeys(("php", "phtml", "php5", "php7", "inc"), "php"),
    "rs": "rust",
    **dict.fromkeys(("cs", "csx"), "csharp"),
    **dict.fromkeys(("kt", "kts"), "kotlin"),
    "c": "c",
    **dict.fromkeys(("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "cu"), "cpp"),
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "bats"), "bash"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("json", "jsonc", "json5", "webmanifest"), "json"),
}
_NAMES = {
    **dict.fromkeys(("gemfile", "rakefile", "vagrantfile", "podfile", "fastfile", "guardfile"), "ruby"),
    **dict.fromkeys((".bashrc", ".bash_profile", ".profile", ".zshrc", "pkgbuild"), "bash"),
    **dict.fromkeys((".eslintrc", ".babelrc", ".prettierrc"), "json"),
    **dict.fromkeys(("wscript", "sconstruct", "sconscript"), "python"),
}
_INTERPRETERS = {
    **dict.fromkeys(("python", "pypy"), "python"),
    **dict.fromkeys(("node", "nodejs", "bun"), "javascript"),
    **dict.fromkeys(("deno", "tsx", "ts-node"), "typescript"),
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "dash"), "bash"),
    "ruby": "ruby",
    "php": "php",
}
_SHEBANG = lazy(
    r"\#![ \t]{0,4}(?:[^\s]{1,80}/)?(?:env[ \t]{1,4}(?:-\S{1,20}[ \t]{1,4})?)?([a-z][a-z\-]{1,20}?)[0-9.]{0,8}(?=\s|$)"
)
_IS_CPP = lazy(
    r"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|public:|private:)|\bstd::", re.MULTILINE
)
_HEAD = 2_000

_TEST_PATH = lazy(
    r"(?:^|/)(?:__fixtures__|mocks|Tests?|UnitTests?|IntegrationTests?|testFixtures|androidTest|jvmTest|commonTest)/"
    r"|\.(?:Unit|Integration)?Tests?/|(?:^|/)Test[A-Z]\w{0,80}\.(?:java|kt|cs|php)$"
    r"|[a-z0-9](?:TestCase|IT)\.(?:java|kt|php)$|\.(?:cy|stories|e2e)\.[cm]?[jt]sx?$"
)

_MADE_FOLDERS = lazy(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendored|_vendor|third_party|third-party|site-packages|dist|\.next"
    r"|\.nuxt|\.output|__pycache__|\.venv|venv|\.git|Pods|__generated__|generated|gen-src|\.terraform)/"
)
_MADE_NAMES = lazy(
    r"[.\-]min\.(?:js|css|mjs|html)$|[.\-]bundle\.(?:js|css)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|_grpc\.pb\.go$"
    r"|\.(?:g|freezed)\.dart$|[._]generated\.\w{1,8}$|\.designer\.cs$|\.g\.cs$|_string\.go$|zz_generated\.\w"
    r"|\.(?:map|lock|snap|sum|lockb|d\.ts\.map)$|^(?:package-lock|npm-shrinkwrap|composer\.lock|packages\.lock)\.json$"
    r"|^(?:pnpm-lock|pubspec\.lock)\.ya?ml$",
    re.IGNORECASE,
)
_MADE_BY = lazy(
    r"^[ \t]{0,20}(?://|\#|/?\*{1,2}|<!--|--|;|%|\"\"\")?[ \t!]{0,8}[^\n]{0,120}?(?:\bcode generated\b|@generated\b"
    r"|\bauto-?generated (?:file|by|code|from)\b|\bautomatically generated\b"
    r"|\bthis file (?:is|was) (?:auto-?)?generated\b"
    r"|\bgenerated (?:file|code)\W{1,3}do not (?:edit|modify))",
    re.IGNORECASE | re.MULTILINE,
)
_LONG_LINES = 400
"""Characters a line has on average where a machine wrote it."""
_ENOUGH = 4_000


def language_of(path: str, text: str = "") -> str:
    """The name of the language, as the parser knows it; empty where it is none of those known."""
    name = posixpath.basename(path.replace("\\", "/")).lower()
    extension = name.rpartition(".")[2] if "." in name[1:] else ""
    if extension == "h":
        return "cpp" if _IS_CPP.search(text[: 4 * _HEAD]) else "c"
    if extension == "ipynb":
        # A notebook is written whole as JSON, or cell by cell.
        return "json" if text[:_HEAD].lstrip().startswith("{") else "python"
    found = _EXTENSIONS.get(extension) or _NAMES.get(name)
    if found == "php" and extension == "inc" and "<?" not in text[:_HEAD]:
        return ""
    return found or ("" if extension else _by_shebang(text))


def _by_shebang(text: str) -> str:
    found = _SHEBANG.match(text) if text.startswith("#!") else None
    return _INTERPRETERS.get(found[1].rstrip("-"), "") if found else ""


@lru_cache(maxsize=4_096)
def is_test_path(path: str) -> bool:
    """Whether a file holds tests, or what only tests use: told by its name and its folders."""
    plain = path.replace("\\", "/")
    return is_test(plain) or bool(_TEST_PATH.search(plain))


def is_generated(path: str, text: str = "") -> bool:
    """Whether a tool made it or brought it along: generated, vendored, minified, a lock file."""
    plain = path.replace("\\", "/")
    if _MADE_FOLDERS.search(plain) or _MADE_NAMES.search(posixpath.basename(plain)):
        return True
    head = text[:_HEAD]
    # A look for the word costs a hundredth of the pattern, and hardly any file has it.
    return ("enerated" in head and bool(_MADE_BY.search(head))) or _is_minified(plain, text)


def _is_minified(path: str, text: str) -> bool:
    if len(text) < _ENOUGH or language_of(path) not in {"javascript", "typescript", "html", ""}:
        return False
    return len(text) > _LONG_LINES * (text.count("\n") + 1) and path.endswith(
        (".js", ".mjs", ".cjs", ".css", ".ts", ".html")
    )
