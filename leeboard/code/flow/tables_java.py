"""Java (and, with its own spellings on top, Kotlin): the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow._java_sinks import SINKS
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Source, Tables

_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_REQUEST = r"(?:^|\s)(?:req|request|httpRequest|servletRequest|httpServletRequest)$"

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
    sinks=shared.told(SINKS),
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
