"""Java: calls in which foreign values do harm."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Sink

_SQL_TEXT = (
    r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant|from)\b"
)
_SQL_RECEIVER = (
    r"(?:stmt|statement|conn|connection|template|entityManager|em|session|jdbc|db"
    r"|database|handle|dsl)\w{0,3}(?:\(\))?$"
)
_RESPONSE = r"(?:resp|response|httpResponse)(?:\.getWriter\(\)|\.getOutputStream\(\))?$|^(?:out|writer|pw)$"

SQL = (
    *(
        Sink(kind="sql", callee=f"*.{name}", looks=_SQL_TEXT, receiver=_SQL_RECEIVER, joined=True)
        for name in (
            "executeQuery",
            "executeUpdate",
            "execute",
            "prepareStatement",
            "prepareCall",
            "createQuery",
            "createNativeQuery",
            "queryForObject",
            "queryForList",
            "query",
            "update",
            "addBatch",
            "createSQLQuery",
            "rawQuery",
            "execSQL",
            "queryForMap",
            "executeLargeUpdate",
            "batchUpdate",
        )
    ),
    *(
        Sink(kind="nosql", callee=name, joined=True)
        for name in ("BasicQuery", "Document.parse", "BasicDBObject.parse", "JSON.parse")
    ),
)
COMMAND = (
    Sink(kind="command", callee="Runtime.getRuntime().exec"),
    Sink(kind="command", callee="*.exec", receiver=r"runtime|^rt$"),
    Sink(kind="command", callee="ProcessBuilder"),
    Sink(kind="command", callee="ProcessBuilder", args=(2,), given=(("0", shared.SHELL),)),
    Sink(kind="command", callee="*.command", receiver=r"^(?:pb|builder|processBuilder)$", args=(0,)),
)
CODE = (
    Sink(kind="code", callee="*.eval", receiver=r"engine|script|shell|groovy"),
    *(Sink(kind="code", callee=f"*.{name}", receiver=r"parser|spel") for name in ("parseExpression", "parseRaw")),
    *(
        Sink(kind="code", callee=name, args=(0,))
        for name in ("Ognl.getValue", "MVEL.eval", "Eval.me", "GroovyShell.evaluate")
    ),
    Sink(kind="code", callee="*.evaluate", receiver=r"shell|groovy"),
    Sink(kind="code", callee="Class.forName", least="request"),
    Sink(kind="template", callee="Template", args=(0, 1), least="handler"),
    Sink(kind="template", callee="Velocity.evaluate", args=(3,)),
    Sink(kind="template", callee="*.process", receiver=r"templateEngine", least="handler"),
)
HTML = (
    *(
        Sink(kind="html", callee=f"*.{name}", receiver=_RESPONSE, least="handler")
        for name in ("print", "println", "write", "append", "printf", "format")
    ),
    *(
        Sink(kind="html", callee=f"*.{name}", receiver=r"response\.getWriter\(\)|^out$", looks=r"<\w", joined=True)
        for name in ("print", "println", "write")
    ),
    *(
        Sink(kind="html", callee=f"*.{name}", receiver=r"^call$", looks=r"<\w", joined=True)
        for name in ("respondText",)
    ),
)
_READERS = (
    "FileInputStream FileReader FileOutputStream FileWriter RandomAccessFile PrintWriter "
    "ZipFile File FileSystemResource FileInputStream Scanner"
)
PATH = (
    *(
        Sink(kind="path", callee=name, joined=True)
        for name in _READERS.split()
        if name not in ("PrintWriter", "Scanner", "File")
    ),
    *(
        Sink(kind="path", callee=name, least="handler")
        for name in _READERS.split()
        if name not in ("PrintWriter", "Scanner")
    ),
    *(
        Sink(kind="path", callee=f"Files.{name}", joined=True)
        for name in (
            "readAllBytes",
            "readString",
            "write",
            "writeString",
            "newInputStream",
            "newOutputStream",
            "delete",
            "deleteIfExists",
            "lines",
            "readAllLines",
            "newBufferedReader",
            "newBufferedWriter",
            "createFile",
            "createDirectories",
            "list",
        )
    ),
    *(
        Sink(kind="path", callee=f"Files.{name}", least="handler")
        for name in (
            "readAllBytes",
            "readString",
            "write",
            "newInputStream",
            "delete",
            "lines",
            "readAllLines",
            "newBufferedReader",
        )
    ),
    *(Sink(kind="path", callee=f"Files.{name}", args=(0, 1), joined=True) for name in ("copy", "move")),
    *(
        Sink(kind="path", callee=f"*.{name}", args=(-2,), joined=True)
        for name in ("readText", "readBytes", "writeText", "readLines", "inputStream", "deleteRecursively")
    ),
    *(
        Sink(kind="path", callee=f"*.{name}", args=(-2,), least="handler")
        for name in ("readText", "readBytes", "writeText", "readLines")
    ),
    Sink(kind="path", callee="*.getResourceAsStream", least="request"),
    Sink(kind="path", callee="*.transferTo", least="handler"),
)
URL = (
    *(
        Sink(kind="url", callee=name, start=True)
        for name in ("HttpGet", "HttpPost", "Jsoup.connect", "HttpRequest.newBuilder")
    ),
    *(Sink(kind="url", callee=f"*.{name}", args=(-2,), start=True) for name in ("openConnection", "openStream")),
    *(
        Sink(
            kind="url",
            callee=f"*.{name}",
            receiver=r"resttemplate|webclient|httpclient|^client$|\.get\(\)$|newBuilder\(\)$",
            start=True,
        )
        for name in (
            "getForObject",
            "getForEntity",
            "postForObject",
            "postForEntity",
            "exchange",
            "uri",
            "url",
            "execute",
            "get",
            "post",
        )
    ),
)
OTHER = (
    *(
        Sink(kind="redirect", callee=f"*.{name}", receiver=r"resp|call$", start=True)
        for name in ("sendRedirect", "respondRedirect")
    ),
    *(Sink(kind="redirect", callee=name, start=True) for name in ("RedirectView", "ModelAndView")),
    *(
        Sink(kind="header", callee=f"*.{name}", args=(1,), receiver=r"resp", least="request")
        for name in ("setHeader", "addHeader")
    ),
    *(
        Sink(kind="log", callee=f"*.{name}", args=(-1,), receiver=r"^(?:self\.)?(?:log|logger)$", least="request")
        for name in ("info", "warn", "error", "debug", "trace", "warning", "fine", "severe")
    ),
    *(
        Sink(kind="ldap", callee=f"*.{name}", args=(0, 1), receiver=r"ctx|context|ldap", looks=r"\(\w+=", joined=True)
        for name in ("search",)
    ),
    *(
        Sink(kind="xpath", callee=f"*.{name}", receiver=r"xpath", joined=True)
        for name in ("compile", "evaluate", "selectNodes")
    ),
    Sink(
        kind="xxe",
        callee="xml.unhardened",
        args=(),
        always=0.75,
        note="Switch doctypes and external entities off on the factory.",
    ),
    *(Sink(kind="deserialise", callee=name) for name in ("ObjectInputStream", "XMLDecoder")),
    *(
        Sink(kind="deserialise", callee=f"*.{name}", receiver=r"yaml$|xstream")
        for name in ("load", "loadAll", "fromXML")
    ),
    Sink(kind="regex", callee="Pattern.compile", least="request"),
    *(Sink(kind="attribute", callee=name, least="request") for name in ("BeanUtils.populate",)),
)

SINKS = (*SQL, *COMMAND, *CODE, *HTML, *PATH, *URL, *OTHER)
