"""In which branch of a choice a site stands: one for this very algorithm, or one for platforms that have no better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.source import CryptoSource, Site, Word
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode

C_FAMILY = frozenset({"c", "cpp"})
_SIGNS = lazy(r"[^a-z0-9]")
_UP = 24
_SHORT = 3
_LABEL_ROOM = 120
_NEAR = 8
_DIRECTIVE = lazy(r"[ \t]*#[ \t]*(?:if|el|endif)")
_OLDER = lazy(r"VERSION\w{0,10}\s*<")
_FUNCTIONS = lazy(
    r"(?:function|method|constructor|class|lambda|closure|arrow_function|singleton_method|func_literal|"
    r"anonymous_function)(?:_(?:definition|declaration|expression|item|body))?\Z"
)
_CASES = frozenset("when match_arm switch_section switch_block_statement_group switch_rule".split())
_DATABASE = lazy(r"(?i)mysql")
_LABEL_ENDS = lazy(r"=>|->|\{|\n|(?<!:):(?!:)")
_PLATFORM = lazy(
    r"(?i)/dev/u?random|function_exists|version_compare|PHP_VERSION|extension_loaded|is_callable\(\s*[\"']|sys\.version_info|"
    r"\bhasattr\(\s*(?:os|ssl|hmac|random|secrets|hashlib|socket|sys)\b|\bcrypto\b|getRandomValues|\bdefined\?|"
    r"\btypeof\s*\(?\s*(?:window|globalThis|global|self|require|process|Uint\w+|\w*crypto)\b"
)
"""A question about the platform: what a user or a request has is none."""
_VERSION = lazy(r"(?i)(?:ssl|tls)_?v?\d(?:[_.]?[01])?(?!\d)")
_V = lazy(r"(?<=ssl|tls)v(?=\d)")
_SIZE = lazy(r"\d{3,4}")
_BOUND = lazy(r"[<>]=?\s*\d+|\d+\s*[<>]=?")
"""A bound asks for no size."""
_NAME = lazy(r"\w+")
_NO_CHECK = lazy(
    r"(?<![=!])(?<![=!] )(?:\b|_|is|Is)(?:none|NONE)\b|(?:[.:_]|[iI]s)None\b|"
    r"(?i:insecure|unsafe|unsigned|unverified|skip_?verif|no_?verif|without_?verif|"
    r"!\s*(?!is|has|was)\w{0,20}verify\w{0,16}\b(?!\s*\())"
)
"""Nothing at all, `None`, is no wish, and neither is what was not verified yet."""
_OTHER_NAMES = {
    "sha1": ("sha1", "mysql", "{sha}", "{ssha}", "'sha'", '"sha"'),
    "md5": ("md5", "{smd5}", "$1$", "$apr1$"),
    "rc4": ("arcfour", "arc4"),
    "3des": ("des_ede", "des-ede", "desede", "tripledes", "triple_des", "des3"),
    "blowfish": ("bf-", "bf_"),
}


def around(site: Site) -> list[SgNode]:
    """What a site lies in, the nearest first. A word is looked for below the call or setting it is known to lie in."""
    node = site.node
    while isinstance(site, Word) and (inner := _child_with(node, site)) is not None:
        node = inner
    return node.ancestors()[:_UP]


def plain(text: str) -> str:
    """Its letters and digits, in lower case."""
    return _SIGNS.sub("", text.lower())


def is_asked_by_name(hit: WeaknessHit, *, is_kept: bool = False) -> bool:
    """A branch for this very algorithm or size: `case ENCR_DES:`, `elif name == "md5"`. Who asked decided which. Of a
    hash that is kept, the name of a database asks for none.
    """
    named = _VERSION.search(hit.what) if hit.kind == "old TLS" else _SIZE.search(hit.what)
    name = plain(named[0] if named is not None else hit.what.partition(" ")[0])
    if len(name) < 2 or name == "none":
        return False
    labels = _labels(hit.site)
    if hit.kind == "short key":
        labels = [_BOUND.sub("", label) for label in labels]
    if is_kept:
        labels = [_DATABASE.sub("", label) for label in labels]
    return any(_says(label, name) for label in labels)


def is_wished(site: Site) -> bool:
    """A branch for whoever asks for no check at all: `if flags.none`, `case allowUnsigned`."""
    return any(_NO_CHECK.search(label) for label in _labels(site))


def is_fallback(site: Site, source: CryptoSource) -> bool:
    """The other side of a question whether the platform has something better."""
    if source.language in C_FAMILY and _is_for_old_library(source.lines[max(0, site.line - _NEAR) : site.line]):
        return True
    for ancestor in around(site):
        if _FUNCTIONS.match(ancestor.kind()):
            return False
        condition, other = ancestor.field("condition"), ancestor.field("alternative")
        if condition is not None and other is not None and _PLATFORM.search(condition.text()[:200]):
            span = other.range()
            return span.start.index <= site.start and site.end <= span.end.index
    return False


def _is_for_old_library(lines: list[str]) -> bool:
    """`#if OPENSSL_VERSION_NUMBER < ...` is the last question that the preprocessor asked."""
    asked = next((line for line in reversed(lines) if _DIRECTIVE.match(line)), "")
    return _OLDER.search(asked) is not None


def _says(label: str, name: str) -> bool:
    if name.isalpha() and len(name) <= _SHORT:  # three letters stand in many a word: `destination`
        words = (word for found in _NAME.finditer(label) for word in split_name(found[0]))
        return any(word.rstrip("0123456789").removesuffix("ede") == name for word in words)
    return _V.sub("", name) in _V.sub("", plain(label)) or any(
        other in label.lower() for other in _OTHER_NAMES.get(name, ())
    )


def _labels(site: Site) -> list[str]:
    """The conditions and labels of the branches that a site stands in, inside its function."""
    found = []
    for ancestor in around(site):
        kind = ancestor.kind()
        if _FUNCTIONS.match(kind):
            break
        if "case" in kind or kind in _CASES:
            value = ancestor.field("value") or ancestor.field("pattern")
            text = value.text() if value is not None else _LABEL_ENDS.split(ancestor.text()[:_LABEL_ROOM], 1)[0]
            found.append(text[:_LABEL_ROOM])
        elif (condition := ancestor.field("condition")) is not None and not _is_inside(site, condition):
            other = ancestor.field("alternative")
            if other is None or not _is_inside(site, other):
                found.append(condition.text()[:_LABEL_ROOM])
    return found


def _is_inside(site: Site, node: SgNode) -> bool:
    span = node.range()
    return span.start.index <= site.start and site.end <= span.end.index


def _child_with(node: SgNode, site: Site) -> SgNode | None:
    spans = ((child, child.range()) for child in node.children())
    return next((one for one, span in spans if span.start.index <= site.start and site.end <= span.end.index), None)
