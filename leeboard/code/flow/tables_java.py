"""Java (and, with its own spellings on top, Kotlin): the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Sink, Source, Tables

_SQL_TEXT = (
    r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant|from)\b"
)
_SQL_RECEIVER = (
    r"(?:stmt|statement|conn|connection|template|entityManager|em|session|jdbc|db"
    r"|database|handle|dsl)\w{0,3}(?:\(\))?$"
)
_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_REQUEST = r"(?:^|\s)(?:req|request|httpRequest|servletRequest|httpServletRequest)$"
_RESPONSE = r"(?:resp|response|httpResponse)(?:\.getWriter\(\)|\.getOutputStream\(\))?$|^(?:out|writer|pw)$"

SOURCES = (
    *(
        Source(path=f"*.{name}()", receiver=_REQUEST, label=f"request {name}")
        for name in (
            "getParameter",
            "getParameterValues",
            "getHeader",
            "getQueryString",
            "getCookies",
            "getReader",
            "getInputStream",
            "getParameterMap",
            "getRequestURI",
            "getPathInfo",
            "getPart",
            "getHeaders",
            "getRequestURL",
        )
    ),
    *(
        Source(path=f"*.{name}()", receiver=r"call\.parameters|queryParameters|pathVariable", label="request")
        for name in ("get",)
    ),
    *(
        Source(path=path, label="request")
        for path in ("call.parameters", "call.request.queryParameters", "call.request.headers")
    ),
    *(
        Source(path=f"{name}()", label="request")
        for name in ("call.receiveText", "call.receive", "call.receiveParameters")
    ),
    Source(path="System.getenv()", trust="local", label="the environment"),
    Source(path="System.getProperty()", trust="local", label="a system property"),
    Source(path="*.readLine()", receiver=r"console|reader|stdin", trust="local", label="standard input"),
)
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
_NUMBERS = (
    "Integer.parseInt Integer.valueOf Long.parseLong Long.valueOf Double.parseDouble "
    "Boolean.parseBoolean UUID.fromString Float.parseFloat "
    "BigDecimal BigInteger LocalDate.parse Short.parseShort Enum.valueOf Instant.parse ObjectId"
)
_ESCAPES = (
    "HtmlUtils.htmlEscape StringEscapeUtils.escapeHtml4 StringEscapeUtils.escapeHtml "
    "Encode.forHtml Encode.forHtmlContent "
    "Encode.forHtmlAttribute HtmlEscapers.htmlEscaper().escape "
    "ESAPI.encoder().encodeForHTML Jsoup.clean Encode.forJavaScript "
    "ESAPI.encoder().encodeForJavaScript"
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(
        Cleaner(callee=f"*.{name}")
        for name in (
            "toInt",
            "toLong",
            "toIntOrNull",
            "toLongOrNull",
            "toDouble",
            "valueOf",
            "hashCode",
            "length",
            "size",
            "toBoolean",
        )
    ),
    *(Cleaner(callee=name, kinds=frozenset({"html"})) for name in _ESCAPES.split()),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"html"}))
        for name in ("encodeForHTML", "escapeHtml4", "escapeHtml", "escapeHTML", "htmlEscape", "sanitize", "forHtml")
    ),
    Cleaner(callee="URLEncoder.encode", kinds=_PLACE),
    *(Cleaner(callee=name, kinds=frozenset({"path"})) for name in ("FilenameUtils.getName",)),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"path"})) for name in ("getFileName", "getName")),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"ldap"}))
        for name in ("encodeForLDAP", "filterEncode", "encodeForDN", "escapeLDAPSearchFilter")
    ),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"}))
        for name in ("encodeForSQL", "enquoteIdentifier", "enquoteLiteral")
    ),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"command"})) for name in ("encodeForOS", "escapeXSI")),
    Cleaner(callee="Pattern.quote", kinds=frozenset({"regex"})),
)
GUARDS = (
    *shared.GUARDS,
    *(Guard(callee=f"StringUtils.{name}", argument=0) for name in ("isNumeric", "isAlphanumeric", "isAlpha")),
    Guard(callee="Character.isLetterOrDigit", argument=0),
)
ROUTES = Handlers(
    decorators=r"^(?:Get|Post|Put|Delete|Patch|Request)Mapping$|^(?:GET|POST|PUT|DELETE|Path)$",
    annotations=(
        r"@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|PathParam"
        r"|QueryParam|FormParam|HeaderParam|ModelAttribute|MatrixVariable)\b"
    ),
)
SERVLETS = Handlers(requests=r"\b(?:HttpServletRequest|ServletRequest|WebRequest|ServerHttpRequest)\b")
HANDLERS = (ROUTES, SERVLETS)
SAFE_TYPES = (
    r"^(?!.*(?:String|Object\b|CharSequence|Request|Map\b|Map<|List|Set<|byte\[\]"
    r"|InputStream|Reader|MultipartFile|Path\b|File\b|URI|URL|var\b|ZipEntry|Part\b|Any\b"
    r"|val\b|Array|Parameters|Entry))."
)
REQUEST_SAFE = (
    r"getSession|getMethod|getContextPath|getServletContext|getRemoteUser|getLocale"
    r"|getRequestDispatcher|setAttribute|getAttribute|getUserPrincipal"
    r"|getRemoteAddr|isUserInRole|getServerName|getScheme|getServerPort|getContentLength"
    r"|setCharacterEncoding|isSecure|getAuthType|login|logout|startAsync|getContentType"
)
CHECKS = (
    r"^(?:is|has|check|assert|validate|ensure|verify|require)_?(?:Valid|Safe|Allowed"
    r"|Permitted|Whitelisted|Trusted|Inside|Within)|^validate[A-Z]\w*|^sanitize[A-Z]\w*"
)
ESCAPES: tuple[tuple[str, frozenset[Kind] | None], ...] = (
    (
        r"(?i)escape_?(?:html|xml|markup)|html_?(?:escape|encode)|encode_?html|sanitize_?html|for_?html",
        frozenset({"html"}),
    ),
    (r"(?i)sanitize_?(?:file_?name|path)|safe_?(?:join|path)", frozenset({"path"})),
    (r"(?i)escape_?(?:ldap|filter|dn)|ldap_?(?:escape|encode)", frozenset({"ldap"})),
    (r"(?i)escape_?sql|quote_?ident", frozenset({"sql"})),
    (r"(?i)sanitize_?(?:log|header)|strip_?(?:newlines|crlf)", frozenset({"log", "header"})),
)
MODEL = Model(
    push=frozenset({"add", "addAll"}),
    write=frozenset({"put", "setProperty", "set"}),
    read=frozenset({"get", "getOrDefault", "getProperty"}),
    same=frozenset(
        {
            "trim",
            "toLowerCase",
            "toUpperCase",
            "toString",
            "substring",
            "strip",
            "split",
            "normalize",
            "toAbsolutePath",
            "toRealPath",
            "intern",
            "replace",
            "replaceAll",
            "replaceFirst",
            "getBytes",
            "toCharArray",
            "getCanonicalPath",
            "getAbsolutePath",
            "getPath",
            "toPath",
            "toFile",
            "getCanonicalFile",
            "URL",
            "URI",
            "create",
            "of",
            "ofNullable",
            "orElse",
            "lowercase",
            "uppercase",
            "String",
            "decode",
            "ByteArrayInputStream",
            "StringReader",
            "InputSource",
            "nextElement",
            "valueOf",
            "get",
            "uri",
            "File",
            "toURL",
            "toURI",
            "toUri",
            "BufferedReader",
            "InputStreamReader",
            "build",
        }
    ),
    join=frozenset({"format", "concat", "join", "formatted"}),
    values=frozenset({"values", "entrySet"}),
    harmless=frozenset(
        {
            "length",
            "size",
            "indexOf",
            "isEmpty",
            "hashCode",
            "equals",
            "exists",
            "isFile",
            "isBlank",
            "contains",
            "charAt",
            "compareTo",
        }
    ),
)

TABLES = Tables(
    language="java",
    prefilter=(
        r"execute|prepare|[qQ]uery|update|exec|ProcessBuilder|eval|Expression|print|write|File"
        r"|Files|Path|open|Http|HTTP|redirect|Redirect|Header|log|search|XPath|xpath"
        r"|newInstance|newFactory|createXMLReader|ObjectInputStream|XMLDecoder|load|fromXML"
        r"|Pattern|Jsoup|[tT]emplate|respond|transferTo"
    ),
    candidates=(
        r"execute|prepare|[qQ]uery|update\(|exec|SQL|ProcessBuilder|command|eval|Expression"
        r"|\.(?:print|println|write|append|printf|format)\(|File|Files|Path|openConnection"
        r"|openStream|Http|connect|uri\(|url\(|ForObject|ForEntity|exchange|edirect|Header"
        r"|[lL]og\w*\.|search|xpath|newInstance|newFactory|createXMLReader|ObjectInputStream"
        r"|XMLDecoder|load|fromXML|Pattern\.compile|[tT]emplate|respond|transferTo|read(?:Text"
        r"|Bytes|Lines)|writeText|forName|parse\(|BasicQuery|addBatch"
    ),
    sources=SOURCES,
    sinks=shared.told((*SQL, *COMMAND, *CODE, *HTML, *PATH, *URL, *OTHER)),
    cleaners=CLEANERS,
    guards=GUARDS,
    handlers=HANDLERS,
    model=MODEL,
    request_safe=REQUEST_SAFE,
    exits=frozenset({"System.exit", "exitProcess"}),
    checks=CHECKS,
    escapes=ESCAPES,
    safe_types=SAFE_TYPES,
)
