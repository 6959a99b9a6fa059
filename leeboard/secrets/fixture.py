"""What was made for a test, an example or a manual: told by the names of files and folders, and by the value itself."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit
from leeboard.secrets.weight import class_count, is_hex, is_strong
from leeboard.text.language import is_sample, is_test_path

SAYS_TEST = lazy(
    r"(?i)(?-i:(?<![A-Za-z])[Tt]ests?(?![a-z])|[a-z0-9]Tests?(?![a-z])|(?<![A-Z])TEST)|(?<![a-z])(?:unit|http|io|load|smoke)tests?/|(?<![a-z])(?:load|stress)[_-]?test(?:er|ing)|(?<![a-z])(?:fs|db|net|app|srv|api|sql|rpc)?test(?:er|ing|server|suite|bed|utils?|help\w{0,4})?/|localhost|insecure|snakeoil|self-?signed|dummy|\bmock|\bfake"
)
_MADE_UP = lazy(
    r"(?i)(?:^|/)(?:fixtures?|test[_-]?(?:data|ca|certs?|certificates|keys?|pki|ssl|tls))(?:[_-][\w.-]*)?/|"
    r"(?:insecure|localhost|127\.0\.0\.1|snakeoil|self[_-]?signed|dummy|expired|revoked)[^/]*(?:/|$)|"
    r"(?:^|[/_.-])(?:mock|test|fake)s?[_.-][^/]*(?:key|rsa|dsa|cert|crt|pem)[^/]*$|"
    r"(?:^|[/_.-])(?:mock|test|fake|sample|example)s?[_.-]?(?:key|rsa|dsa|cert|crt|pem)[^/]*$"
)
"""Folders and names that say of a key that it was made for a test, and protects nothing."""
_OTHER_TESTS = lazy(r"\A(?!(?:.*/)?(?:src|app|lib|pkg|internal)/)(?:.*/)?(?:x?t|(?:[\w.]+-)?integration)/")
"""Where keys are those of tests too: as Perl calls them, and whole systems that are put together for them."""
_KEY_FILE = lazy(
    r"(?i)(?:^|/)(?:[^/]+\.(?:pem|key|priv|p8|pk8|ppk|der|crt|cert|asc|gpg|seed|creds|nk)|[^/.]*(?:key|rsa|dsa|25519)[^/.]*)$"
)
_IN_A_SET = lazy(r"(?i)(?:^|[/_-])(?:certs?|certificates?|ssl|tls|keys?|nkeys|pki|x509|ssh|jwt|jwk|ocsp|saml|gpg|pgp)/")
_OF_A_ROLE = lazy(
    r"(?i)key|cert|server|client|root|host|rsa|dsa|ed25519|priv|sign|crypt|pkcs|ssl|tls|issuer|intermediate|(?:^|[-_.])ca(?:$|[-_.])"
)
_UNIT_TEST = lazy(
    r"(?:^|/)(?:test_[^/]+\.py|[^/]+_tests?\.(?:py|go|rb|exs?|dart|cc|cpp|rs|c)|conftest\.py|tests?\.(?:py|rs)|(?:test|spec|rails)_?helper\.\w+"
    r"|(?:test[-_][^/]+|t-test[^/]*|[^/]+-tests?)\.(?:c|cc|cpp|cxx|erl|pl|pm|lua|ml)"
    r"|[^/]+_fuzz(?:er)?\.(?:c|cc|cpp|go|rs)|(?:tests?|specs?|__tests__|testing)/(?:[^/]+/){0,20}(?:mocks?|fakes?|stubs?)\.(?:py|[cm]?[jt]s|rb|go|java|php)"
    r"|[^/]+[.\-_](?:test|spec|cy|e2e)\.[cm]?[jt]sx?|[^/]+_spec\.(?:rb|lua)|[^/]+\.t"
    r"|[^/]*[A-Za-z0-9](?:Tests?|TestCase|Spec|IT)\.(?:java|kt|scala|groovy|php|cs|swift|m)|Test[A-Z][^/]*\.(?:java|kt|php|cs))$"
)
_BUILD = lazy(
    r"(?:^|/)(?:\.github/workflows|\.circleci|\.gitlab|\.buildkite)/|(?:^|/)\.(?:gitlab-ci|travis|appveyor)\.ya?ml$"
)
_BELOW_TESTS = lazy(r"(?:(?:^|/)(?:tests?|testing|testdata|spec|__tests__|e2e)|^t)/(?:[^/]+/){2,}[^/]+$")
_IN_USE = lazy(r"(?i)(?:^|[/._-])(?:prod|production|live|staging)(?:[/._-]|$)")
"""Names of places where a product runs: what is written there opens something, wherever it lies."""
_INLINE_TESTS = {
    ".rs": lazy(r"#\[cfg\(test\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([a-z]+\))?\s+)?mod\s+\w+\s*\{"),
    ".erl": lazy(r"-ifdef\(TEST\)(?![\s\S]*\n-endif\b)"),
}
"""What opens them: a module of another file, an import for them and a part that is closed are none."""
_PROMISED = frozenset({"secret", "password"})
_MIXED = 3
"""Small letters, capitals, digits, signs: what a service hands out has three of them, a digest made for a test two."""
_UUID = lazy(r"(?i)(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
"""What tells one thing from another; a service that takes one for a key gives it a name that says so."""


def is_key_file(path: str) -> bool:
    """A file that holds a key and nothing else, by its name."""
    return _KEY_FILE.search(path) is not None


def is_key_of_a_set(path: str) -> bool:
    """A key file of the certificates that tests or examples bring along, by its folder or the part it plays."""
    if _MADE_UP.search(path):
        return True
    shown = is_test_path(path) or is_sample(path) or _OTHER_TESTS.search(path) is not None
    if shown and "." not in path.rpartition("/")[2] and _IN_A_SET.search(path):
        return True
    if not shown or not is_key_file(path):
        return False
    stem = path.rpartition("/")[2].rpartition(".")[0] or path
    return _IN_A_SET.search(path) is not None or _OF_A_ROLE.search(stem) is not None


def is_unit_test(path: str, before: str = "") -> bool:
    """Whether the file's own name says that it is the code of tests; what only lies among tests may serve others.

    Rust and Erlang have them at the end of the code they are for: `before` is what stands in front of the place.
    """
    mark = _INLINE_TESTS.get(path[path.rfind(".") :]) if "." in path else None
    return _UNIT_TEST.search(path) is not None or (mark is not None and mark.search(before) is not None)


def is_of_a_case(path: str) -> bool:
    """In a folder of its own below those of tests: what one case is set up with, and nothing else reads."""
    return _BELOW_TESTS.search(path) is not None and _IN_USE.search(path) is None


def is_of_a_build(path: str) -> bool:
    """What a build server runs: the databases it starts are gone with the build."""
    return _BUILD.search(path) is not None


def is_mock(hit: SecretHit) -> bool:
    """In a test: what no generator made, what only promises a key, and the header of a request are the test's own."""
    if hit.kind in {"key", "authorization"} or _UUID.search(hit.value):
        return True
    bare = hit.value.partition(":")[2] or hit.value
    if hit.kind in _PROMISED and (is_hex(bare) or class_count(bare) < _MIXED):
        return True
    return not is_strong(hit.value)
