"""The C library's ways of moving text: which call writes where, as the assignments they are.

`strcpy(to, from)` is `to = from`, `fgets(to, …)` is `to = fgets(…)`, `strcmp(a, b) == 0` is `a == b`.
"""

from __future__ import annotations

from collections.abc import Callable

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import based, known, prefixed
from leeboard.code.flow._page_building import page

_COPIES = frozenset({"strcpy", "strncpy", "memcpy", "memmove", "stpcpy", "strlcpy", "wcscpy", "wcsncpy", "mempcpy"})
_APPENDS = frozenset({"strcat", "strncat", "strlcat", "wcscat", "wcsncat"})
_PRINTS = {"sprintf": 1, "snprintf": 2, "vsprintf": 1, "vsnprintf": 2, "swprintf": 2, "asprintf": 1, "vasprintf": 1}
_READS = {
    "fgets": 0, "gets": 0, "read": 1, "recv": 1, "recvfrom": 1, "fread": 0, "getline": 0, "getdelim": 0, "fgetws": 0,
    "pread": 1, "SSL_read": 1, "BIO_read": 1, "recvmsg": 1, "ReadFile": 1, "readlink": 1,
}  # fmt: skip
_SOCKETS = frozenset({"recv", "recvfrom", "SSL_read", "BIO_read", "recvmsg"})
_SCANS = {"scanf": 1, "fscanf": 2, "sscanf": 2, "wscanf": 1, "fwscanf": 2}
_RESOLVES = {"realpath": (0, 1), "getcwd": (0, 0), "mysql_real_escape_string": (2, 1), "PQescapeStringConn": (2, 1)}
_COMPARES = frozenset({"strcmp", "strcasecmp", "wcscmp", "stricmp", "_stricmp"})
_PREFIXES = frozenset({"strncmp", "strncasecmp", "memcmp", "wcsncmp"})
_SEARCHES = frozenset({"strstr", "strchr", "strrchr", "strcasestr", "memchr", "wcsstr"})
_ONE_OF = frozenset({"strpbrk", "wcspbrk"})


def plain(call: ir.Call) -> ir.Expr:
    """The call in its plain form; as it is where it has none."""
    name = ir.dotted(call.callee).removeprefix("std.")
    for names, least, form in _FORMS:
        if name in names and len(call.args) >= least:
            return form(call, name)
    return call


def _copied(call: ir.Call, _name: str) -> ir.Expr:
    return ir.Walrus(call.line, call.args[0], call.args[1])


def _extended(call: ir.Call, _name: str) -> ir.Expr:
    return ir.Walrus(call.line, call.args[0], ir.Join(call.line, call.args[:2]))


def _read(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _READS[name] or _is_cpp_getline(name, call.args):
        return call
    return ir.Walrus(call.line, call.args[_READS[name]], _source(call, name))


def _quoted(call: ir.Call, _name: str) -> ir.Expr:
    """SQLite's own formats `%q` and `%Q` escape what they print."""
    template = call.args[0]
    escapes = isinstance(template, ir.Const) and "%q" in str(template.value).lower()
    return known(call.line, "sqlite3_mprintf_q", *call.args) if escapes else call


def _is_cpp_getline(name: str, args: tuple[ir.Expr, ...]) -> bool:
    return name == "getline" and (len(args) < 3 or isinstance(args[2], ir.Const))


def _printed(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _PRINTS[name]:
        return call
    # A function that is given a list of arguments prints for others: the format is theirs.
    printer = "vsprintf" if name.startswith("v") else "sprintf"
    template, *values = call.args[_PRINTS[name] :]
    if values and isinstance(template, ir.Const) and str(template.value).startswith("%s/"):
        values[:1] = based((values[0], ir.Const(call.line, "/")))[:1]
    built = ir.Call(call.line, ir.Name(call.line, printer), (template, *values))
    return ir.Walrus(call.line, call.args[0], page(built))


def _source(call: ir.Call, name: str) -> ir.Expr:
    """Reading from the user, a socket, or a file: three sources."""
    if name in _SOCKETS:
        return known(call.line, "socket.read")
    origins = {ir.dotted(arg) for arg in call.args} | {
        repr(arg.value) for arg in call.args[:1] if isinstance(arg, ir.Const)
    }
    users = name == "gets" or bool(origins & {"stdin", "STDIN_FILENO", "0"})
    return known(call.line, "stdin.read" if users else "file.read")


def _scanned(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _SCANS[name]:
        return call
    targets = call.args[_SCANS[name] :]
    if name == "sscanf":
        value: ir.Expr = call.args[0]
    else:
        value = _source(call, "gets" if name in ("scanf", "wscanf") else name)
    values = tuple(
        ir.Walrus(call.line, target, value) for target in targets if isinstance(target, (ir.Name, ir.Attr, ir.Index))
    )
    return values[0] if len(values) == 1 else ir.Unknown(call.line, values)


def _resolved(call: ir.Call, name: str) -> ir.Expr:
    start, target = _RESOLVES[name]
    if len(call.args) <= max(start, target):
        return call
    value = ir.Call(call.line, ir.Name(call.line, name), (call.args[start],))
    if isinstance(call.args[target], (ir.Name, ir.Attr)):
        return ir.Walrus(call.line, call.args[target], value)
    return value


_FORMS: tuple[tuple[frozenset[str], int, Callable[[ir.Call, str], ir.Expr]], ...] = (
    (_COPIES, 2, _copied),
    (_APPENDS, 2, _extended),
    (frozenset(_PRINTS), 2, _printed),
    (frozenset(_READS), 1, _read),
    (frozenset(_SCANS), 2, _scanned),
    (frozenset(_RESOLVES), 1, _resolved),
    (frozenset({"sqlite3_mprintf"}), 1, _quoted),
)


def compared(value: ir.Compare) -> ir.Expr:
    """`strcmp(a, b) == 0`, `strstr(a, "..") != NULL` and the like."""
    asked, answer = value.left, value.right
    if not isinstance(asked, ir.Call) or value.op not in ("==", "!="):
        return value
    test = asked_by(asked)
    if test is asked or not isinstance(answer, (ir.Const, ir.Name)):
        return value
    # Zero says "equal" of a comparison, but "not found" of a search.
    found_by_zero = not _is_search(test)
    return test if (value.op == "==") == found_by_zero else ir.Not(value.line, test)


def asked_by(call: ir.Call) -> ir.Expr:
    """What a call asks, if it held: `a == b`, `a` starts with `b`, `b in a`."""
    name = ir.dotted(call.callee).removeprefix("std.")
    if len(call.args) < 2:
        return call
    one, other = call.args[0], call.args[1]
    if name in _COMPARES:
        return ir.Compare(call.line, "==", one, other)
    if name in _SEARCHES:
        return ir.Compare(call.line, "in", other, one)
    if name in _ONE_OF:
        return ir.Not(call.line, known(call.line, "char.is_plain", one))
    if name == "regexec":
        return known(call.line, "regex.test_whole", one, other)
    return prefixed(call.line, one, other) if name in _PREFIXES else call


def truth(test: ir.Expr) -> ir.Expr:
    """A condition: `!strcmp(a, b)` holds when they are equal, `strstr(a, b)` when it is found."""
    if isinstance(test, ir.Not):
        inner = test.value
        if isinstance(inner, ir.Call):
            asked = asked_by(inner)
            if asked is not inner:
                return ir.Not(test.line, asked) if _is_search(asked) else asked
        return ir.Not(test.line, truth(inner))
    if isinstance(test, ir.Bool):
        return ir.Bool(test.line, test.op, tuple(truth(part) for part in test.parts))
    if isinstance(test, ir.Call):
        asked = asked_by(test)
        return asked if asked is test or _is_search(asked) else ir.Not(test.line, asked)
    return test


def _is_search(asked: ir.Expr) -> bool:
    return isinstance(asked, ir.Not) or (isinstance(asked, ir.Compare) and asked.op == "in")


def option(call: ir.Call) -> ir.Expr:
    """`curl_easy_setopt(handle, CURLOPT_URL, x)` and parsers told to expand entities, named for what they do."""
    name = ir.dotted(call.callee)
    if name == "curl_easy_setopt" and len(call.args) > 2:
        return known(call.line, f"curl_easy_setopt.{ir.dotted(call.args[1])}", call.args[2])
    return call
