"""What each kind of sink does, how sure a flow into it is, and what to do instead."""

from __future__ import annotations

import msgspec

from leeboard.security.taint.table import Kind, Trust


class TaintHarm(msgspec.Struct, frozen=True):
    noun: str
    """What the value reaches: `SQL`, `a shell command`."""
    fix: str
    request: float = 0.92
    handler: float = 0.90
    parameter: float = 0.0
    """Where any function's parameter arrives; 0: silent, callers are expected to pass good values."""
    local: float = 0.5


HARM: dict[Kind, TaintHarm] = {
    "sql": TaintHarm("SQL", "Pass it as a parameter: cursor.execute(sql, (value,)).", parameter=0.65),
    "command": TaintHarm("a shell command", "Pass a list of arguments without a shell.", parameter=0.65),
    "code": TaintHarm(
        "code that is executed", "Parse it (ast.literal_eval, json) or map allowed names.", parameter=0.65
    ),
    "html": TaintHarm("HTML", "Escape it or render it with an autoescaping template.", local=0.0),
    "path": TaintHarm("a file path", "Resolve it and check that it stays inside the intended folder.", local=0.0),
    "url": TaintHarm("the address of an outgoing request", "Allow only known hosts.", local=0.0),
    "redirect": TaintHarm("a redirect", "Redirect only to relative paths or known hosts.", local=0.0),
    "ldap": TaintHarm("an LDAP filter", "Escape it with escape_filter_chars.", parameter=0.6),
    "xpath": TaintHarm("an XPath expression", "Pass it as an XPath variable.", parameter=0.6),
    "xxe": TaintHarm("an XML parser", "Use defusedxml, or switch entities off.", 0.85, 0.8, 0.0, 0.0),
    "deserialise": TaintHarm("a deserialiser that runs code", "Use JSON, or a safe loader.", parameter=0.6),
    "log": TaintHarm("a log line", "Strip line breaks first, or log it with repr().", 0.6, 0.55, 0.0, 0.0),
    "header": TaintHarm("a response header", "Reject values with line breaks.", 0.6, 0.55, 0.0, 0.0),
    "nosql": TaintHarm(
        "a database query as an operator", "Cast it to str, and never build $where from it.", 0.9, 0.86, 0.55
    ),
    "regex": TaintHarm("a regular expression", "Escape it with re.escape.", 0.75, 0.7, 0.0, 0.0),
    "template": TaintHarm(
        "a template's source", "Keep the template constant and pass the value to render.", parameter=0.6
    ),
    "format": TaintHarm(
        "a format string", "Keep the format constant and pass the value as an argument.", 0.75, 0.7, 0.0, 0.0
    ),
    "session": TaintHarm("the session", "Validate it before it is trusted.", 0.8, 0.75, 0.0, 0.0),
    "upload": TaintHarm("the name of a stored file", "Use secure_filename or a name of your own.", local=0.0),
    "xslt": TaintHarm("an XSLT stylesheet", "Use stylesheets of your own only.", 0.9, 0.86, 0.0, 0.0),
    "attribute": TaintHarm("the name of an attribute", "Map allowed names explicitly.", 0.8, 0.75, 0.0, 0.0),
    "prototype": TaintHarm(
        "an object's prototype", "Refuse __proto__, constructor and prototype as keys.", 0.88, 0.86, 0.55, 0.0
    ),
    "debug": TaintHarm("production", "Switch debugging off.", 0.0, 0.0, 0.0, 0.0),
    "permission": TaintHarm("file permissions", "Give only the owner write access.", 0.0, 0.0, 0.0, 0.0),
    "tempfile": TaintHarm(
        "a guessable temporary file", "Use tempfile.mkstemp or NamedTemporaryFile.", 0.0, 0.0, 0.0, 0.0
    ),
}


def confidence_of(kind: Kind, trust: Trust) -> float:
    harm = HARM[kind]
    return {"request": harm.request, "handler": harm.handler, "parameter": harm.parameter, "local": harm.local}[trust]
