"""Cryptography that is too weak for what it guards.

## What it catches
Broken hashes (MD5, SHA-1) and fast unsalted ones for a password, ECB, DES, 3DES, RC4, Blowfish, RSA below 2048 and AES
below 128 bits, predictable random numbers for tokens and passwords, fixed keys, salts and initialisation vectors,
password hashing with too few rounds or none, certificates and signatures that nobody verifies, logins in clear text,
cookies without `secure`, secrets compared with `==`; in Python, JavaScript, TypeScript, Go, Java, Kotlin, C#, PHP,
Ruby, Rust, C, C++ and shell scripts.

## Why it matters
It works, so nothing shows that it protects nobody. Replacing it later means new passwords, new keys and new data.

## Example
`hashlib.md5(password)`, `Math.random()` for a session id, `AES.MODE_ECB`, `requests.get(url, verify=False)`.

## What is told
It never interrupts: what it has to say waits for the next pause. It speaks of

- a broken hash (MD5, SHA-1) that protects a password, a token, a signature, a secret or a session: one of these is
  hashed or compared with it, or its result is named after one; and any fast hash of a bare password;
- a random number that becomes one of these. It is followed over a few statements: through assignments, strings and
  lists that grow by it, arrays that it fills, and out of a helper to its callers in the same file;
- a broken cipher, ECB, a short key, a fixed key, salt or vector, wherever they stand;
- a certificate, a host key or the signature of a token that nobody verifies, and an old version of TLS;
- a session or login cookie that scripts can read or that travels in clear text.

One finding stands for what a function does several times, for a line that a file repeats, for several options of one
connection, for encrypting and decrypting with one cipher, and for the habit of a shell script; it names the other
lines. A new one beside an older one is told. A `scan` tells a line that was copied into several files once, and leaves
a fixed key to `credential` where that rule tells it.

## What is only logged, and why
The log names the reason.

- **It protects nothing:** checksums, cache keys, entity tags, shards; a number that decides whether something happens,
  picks one of a list, or is the id of a request or a trace; the order of characters that a strong generator drew; a
  cookie for a language or a theme; a field that starts out empty.
- **It is not broken there:** SHA-1 in an HMAC, in PBKDF2 or in one-time passwords, git's object ids, a building block
  of a key derivation, `usedforsecurity=False`.
- **Others decide:** an option asks for it (`if args.insecure`), a condition chooses between checking and not checking,
  or the class or function is named after it; a branch or a table offers an algorithm under its own name; a protocol, a
  format (PDF) or the server of a client demands it; the file is named after the algorithm and implements it; it only
  reads what others wrote; a client keeps a cookie that it was given; a table lists three curves or more.
- **It is checked elsewhere:** the certificate is checked by hand, a chosen authority is demanded, a token is read to
  find its key and verified afterwards; a server asks its clients for no certificate; the connection stays on this
  machine.
- **It is no part of the product:** tests, examples, benchmarks that answer no requests; a program that checks its own
  files; a branch for platforms or versions of a library that have nothing better.
- **Somebody explained it:** a comment says that it is known (not in authentication), or names the specification that
  demands it.

## Committed code
A `scan` of a tree mostly reads code that has been reviewed and has run. Some groups were hardly ever right there. They
are only logged on lines that git has, and in files that git does not track at all; on a line that is being written, in
a session, with `--diff` and with `--staged` they are told as above:

- a random number where only names nearby speak of a secret: neither its variable nor the function that returns it is
  called a password, a token, a code, a salt or a session; and one that is a length;
- a broken hash of anything but a password, a secret, a key, a salt, the time or a random number; of serialised data;
  in code that speaks to a foreign database; in a file with four functions or more that each hash passwords in another
  way;
- DES, RC4 or ECB in C outside of functions that encrypt; a class named after its cipher; ECB in a file that implements
  GCM or OCB; an HMAC compared with `==` while something is decrypted or read from a file;
- a cookie that a script has to read to guard against forged requests, and one that is not known to log anybody in;
- a token that is read unverified where nothing speaks of a request, a header, a cookie or a role: a client reads its
  own;
- a connection in a function that is called insecure or only looks who is there (discovery, probe, health), a constant
  or a class that offers to trust everybody, and in C a file that checks the certificate by hand;
- a hash that is a position in a table, that a remote service demands, or that answers a challenge; a number that tells
  tasks apart; the handshake of a WebSocket;
- an entry in a list of curves, the initial value of a building block or one that a standard fixes;
- a token whose variable is called unverified, and an id token that the code itself was just given;
- what a comment on the function calls weak or made for tests;
- what a comment for another tool accepts (`nosec`, `noqa: S324`).

The rows are in `leeboard/data/crypto/at_rest.toml`, with the reason that the log names.

## Known limits
What a hash or a random number is for is read from names: in the statement, the function, the lines that use it, the
path. An algorithm that is not in the file (read from a setting, passed as an argument) is not judged. A value that
comes from another file is not followed. Shell scripts are read line by line. The rule does not know which server is
the code's own: a client that sends a hash of a password is logged, and the server that stores it is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import FilesChanged, ToolFinished
from leeboard.model.lookup import BaseFiles
from leeboard.model.text import as_sentence, lazy
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import MED, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.security.crypto.gate import families_of
from leeboard.text.language import language_of, was_generated

if TYPE_CHECKING:
    from leeboard.security.crypto.weakness import Weakness

RULE = Rule(
    code="LB-B301",
    channel="signal",
    subclass="B3",
    only_where="written",
    summary="cryptography that is too weak for what it guards",
)

FIRES = (
    Sample(
        name="MD5 of a password",
        lines=("@ add a login", "write src/login.py | h = hashlib.md5(password.encode()).hexdigest()"),
    ),
    Sample(
        name="a guessable session id",
        lines=("@ add sessions", "write src/session.js | const sessionId = Math.random().toString(36);"),
    ),
    Sample(
        name="certificates off",
        lines=("@ fetch it", "write src/fetch.py | r = requests.get(url, verify=False)"),
    ),
)
SILENT = (
    Sample(name="a slow salted hash", lines=("@ add a login", "write src/login.py | h = argon2.hash(password)")),
    Sample(name="jitter", lines=("@ retry it", "write src/retry.py | time.sleep(random.random() * jitter)")),
    Sample(
        name="said to be no security",
        lines=("@ cache it", "write src/cache.py | k = hashlib.md5(body, usedforsecurity=False)"),
    ),
)

MOST = 40
_FLOOR = 2.0
_NAME = lazy(r"[^\W\d]\w*")
_BRINGS_IN = lazy(r"\s*(?:import|from|use|using|require|include|const|let|var)\b")


def detect(event: ToolFinished | FilesChanged, world: World, diffs: Diffs, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each weakness on a line that this change wrote."""
    if isinstance(event, FilesChanged) or event.outcome == "done":
        for diff in diffs:
            if diff.path:
                yield from islice(_of_file(diff, base), None if world.tells_all else MOST)


def _of_file(diff: Diff, base: BaseFiles) -> Iterator[Finding]:
    """Those that the file did not have before; where nobody knows what it had, those on written lines."""
    found = _weaknesses(diff.path, diff.after)
    if not found or was_generated(diff.path, diff.after, diff.before):
        return
    if diff.before is None:
        from leeboard.analysis.patch import against_commit  # noqa: PLC0415 - only where one was found

        diff = against_commit(diff, base)
    if not diff.before:
        yield from _on_written_lines(found, diff)
        return
    old = _weaknesses(diff.path, diff.before)
    had, room, said = Counter(map(_name, old)), _room(found, old), _Said()
    for weakness in found:
        name, kind = _name(weakness), (weakness.kind, weakness.what)
        if room[name] > 0 and room[kind] > 0 and _is_made_by(weakness, diff):
            had[name] += 1
            room.subtract((name, kind))
            yield _finding(said.of(weakness), diff, had[name])


def _on_written_lines(found: tuple[Weakness, ...], diff: Diff) -> Iterator[Finding]:
    seen, said = Counter[str](), _Said()
    for weakness in found:
        seen[_name(weakness)] += 1
        if diff.wrote(weakness.line, weakness.end):
            yield _finding(said.of(weakness), diff, seen[_name(weakness)])


class _Said:
    """What is said of one edit: one that only repeats an older line is new, and the first of its kind here."""

    def __init__(self) -> None:
        self._lines: set[int] = set()

    def of(self, weakness: Weakness) -> Weakness:
        first = weakness.same_as or weakness.line
        is_repeated = first in self._lines
        self._lines.add(first)
        if is_repeated or not weakness.same_as:
            return weakness
        return replace(weakness, queues=True, log_only="", same_as=0)


def _room(found: tuple[Weakness, ...], old: tuple[Weakness, ...]) -> Counter[object]:
    """How many more there are than before: by function, and in the whole file, where a function may be renamed."""
    room: Counter[object] = Counter()
    for weakness in found:
        room.update((_name(weakness), (weakness.kind, weakness.what)))
    for weakness in old:
        room.subtract((_name(weakness), (weakness.kind, weakness.what)))
    return room


def _name(weakness: Weakness) -> str:
    owner = f"{weakness.owner}." if weakness.owner else ""
    return f"{owner}{weakness.symbol}:{weakness.kind}:{weakness.what}"


def _is_made_by(weakness: Weakness, diff: Diff) -> bool:
    """It stands on a written line, or one of them brings in what it goes by, or begins the function it stands in: of
    two lines that read the same a comparison takes either for the old one.
    """
    if diff.wrote(weakness.line, weakness.end):
        return True
    lines = diff.after.split("\n")
    written = [line for first, last in diff.added for line in lines[first - 1 : last]]
    if weakness.symbol and any(weakness.symbol in _NAME.findall(line) for line in written):
        return True
    called = set(_NAME.findall(" ".join(lines[weakness.line - 1 : weakness.end])))
    return any(_BRINGS_IN.match(line) and called & set(_NAME.findall(line)) for line in written)


@lru_cache(maxsize=4)
def _weaknesses(path: str, text: str) -> tuple[Weakness, ...]:
    """Remembered while a scan asks for one half of a long list after the other."""
    language = language_of(path, text)
    if language == "bash":
        from leeboard.security.crypto.shell_text import find_weak_shell  # noqa: PLC0415 - only scripts need it

        return find_weak_shell(text, path)
    if not language or not families_of(text):
        return ()
    from leeboard.security.crypto.source_text import (  # noqa: PLC0415 - a parser is what a hook pays for at start
        find_weak_crypto,
    )
    from leeboard.source.syntax import parse  # noqa: PLC0415 - as above

    tree = parse(text, language)
    return find_weak_crypto(tree, path) if tree is not None else ()


def _finding(weakness: Weakness, diff: Diff, number: int) -> Finding:
    """`number`: the second of its kind in a function is another one, wherever its line moves; old ones come first."""
    place = f"{diff.path}:{weakness.line}"
    is_auth = weakness.context == "auth"
    trace = [f"B3: {line}" for line in weakness.trace]
    log_only = _why_logged(weakness)
    trace += [f"at most logged: {log_only}"] if log_only else []
    trace += [f"the same in line {', '.join(map(str, weakness.also))}"] if weakness.also else []
    fix = as_sentence(weakness.fix)
    told = f"Weak cryptography in {place}: {weakness.kind} ({_shown(weakness)}). {fix}."
    return Finding(
        rule="weak_crypto",
        subject=f"{diff.path}:{_name(weakness)}{f'#{number}' if number > 1 else ''}",
        evidence=(
            Evidence(f"{_said(weakness)} in {place}{' guards authentication' if is_auth else ''}"),
            *(Evidence(line) for line in trace),
        ),
        confidence=weakness.confidence,
        path=diff.path,
        line=weakness.line,
        message=f"{told} Only logged: {log_only}." if log_only else told,
        signal=Signal(
            subclass="B3",
            rework_cost=2 if is_auth else 1,
            self_correct_prob=MED,
            stage=diff.stage,
            floor=_FLOOR if weakness.queues else 0.0,
            log_only=log_only,
            at_rest=weakness.at_rest,
            rests_at="LOG",
            symbol=weakness.symbol,
        ),
        remedy=f"{weakness.fix} in {place}",
    )


def _why_logged(weakness: Weakness) -> str:
    """Empty where it is said at the next pause."""
    if weakness.log_only or weakness.queues:
        return weakness.log_only
    return "a hint and no proof" if weakness.context == "auth" else "nothing shows that it guards anything"


def _said(weakness: Weakness) -> str:
    return f"{as_sentence(weakness.kind)} ({_shown(weakness)})"


_SHOWN = {
    "createcipher": "createCipher",
    "createdecipher": "createDecipher",
    "PBKDF2 with 1 iterations": "PBKDF2 with 1 iteration",
}
"""A weakness is known again by what it is called inside: its words are mended only where somebody reads them."""


def _shown(weakness: Weakness) -> str:
    return _SHOWN.get(weakness.what, weakness.what)
