"""JavaScript and TypeScript: the tables, put together of their parts."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow._javascript_functions import REQUEST
from leeboard.code.flow._javascript_sinks import ASSIGNED, SINKS
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Source, Tables

_HTML: frozenset[Kind] = frozenset({"html"})
_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_REQUEST = (
    r"(?:^|\s)(?:req|request|ctx|ctx\.request|ctx\.req|c\.req|self\.req|self\.request|self\.ctx|_req|httpRequest)$"
)

_REQUEST_PARTS = (
    "query params body headers cookies url originalUrl files file hostname path querystring rawBody "
    "queryStringParameters pathParameters multiValueQueryStringParameters signedCookies nextUrl"
)
_SURE_PARTS = "query params body headers cookies originalUrl queryStringParameters pathParameters signedCookies rawBody"
"""Those that are a request's wherever they are read; the others only of what is known to be one."""
_REQUEST_CALLS = "param get header json text formData queries query"
_BROWSER = (
    "window.location location.search location.hash location.href document.location document.URL document.referrer "
    "document.cookie window.name location.pathname document.documentURI window.location.search window.location.hash"
)

_READ = f"{_REQUEST_PARTS} {_REQUEST_CALLS} req request searchParams raw originalRequest"
_NOT_READ = rf"(?!(?:{'|'.join(_READ.split())})$)\w+"
"""Every other attribute of a request is the server's own."""

SOURCES = (
    *(Source(path=f"*.{name}", receiver=_REQUEST, label=f"request {name}") for name in _SURE_PARTS.split()),
    *(Source(path=f"*.{name}()", receiver=_REQUEST, label=f"request {name}") for name in ("param", "formData")),
    *(Source(path=path, label=path) for path in _BROWSER.split()),
    Source(path="useSearchParams()", label="search parameters"),
    Source(path="useParams()", label="route parameters"),
    Source(path="process.argv", trust="local", label="process.argv"),
    Source(path="process.env", trust="local", label="process.env"),
    Source(path="readline.question()", trust="local"),
    Source(path="prompt()", label="prompt"),
)

_NUMBERS = (
    "parseInt parseFloat Number Boolean BigInt Number.parseInt Number.parseFloat "
    "Math.floor Math.round Math.abs Math.min Math.ceil Math.trunc Math.sqrt Math.pow Math.log Math.sign "
    "*.toFixed *.toPrecision *.toExponential *.getTime *.toISOString *.toLocaleDateString *.toLocaleTimeString "
    "*.toLocaleString *.getFullYear *.getMonth *.getDate *.getHours *.getMinutes *.getSeconds *.toDateString "
    "Math.max Date validator.toInt mongoose.Types.ObjectId ObjectId Types.ObjectId mongodb.ObjectId crypto.createHash "
    "Date.parse uuid.v4 crypto.randomUUID Symbol"
)
_ESCAPES = (
    "escape-html lodash.escape _.escape he.encode he.escape validator.escape DOMPurify.sanitize dompurify.sanitize "
    "sanitize-html xss html-escaper.escape entities.encode entities.encodeHTML entities.escape escapeHtml escapeHTML "
    "htmlEscape encodeHTML sanitizeHtml sanitizeHTML htmlspecialchars isomorphic-dompurify.sanitize purify.sanitize "
    "encode.forHTML Handlebars.escapeExpression handlebars.escapeExpression Handlebars.Utils.escapeExpression esc "
    "escape_html xss-filters.inHTMLData filterXSS xss.filterXSS he.encode underscore.escape document.createTextNode "
    "sanitize string-escape lodash.escape.default CSS.escape Sanitizer"
)

CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(Cleaner(callee=name, kinds=_HTML) for name in _ESCAPES.split()),
    *(Cleaner(callee=name, kinds=_PLACE) for name in ("encodeURIComponent", "querystring.escape", "qs.stringify")),
    Cleaner(callee="encodeURI", kinds=frozenset({"html", "header", "log"})),
    Cleaner(callee="escape", kinds=_PLACE),
    *(
        Cleaner(callee=name, kinds=frozenset({"path"}))
        for name in ("path.basename", "sanitize-filename", "path.posix.basename", "path.win32.basename")
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"regex"}))
        for name in (
            "lodash.escapeRegExp",
            "_.escapeRegExp",
            "escapeRegExp",
            "escape-string-regexp",
            "escapeStringRegexp",
            "escapeRegex",
            "RegExp.escape",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"sql"}))
        for name in (
            "mysql.escape",
            "mysql.escapeId",
            "mysql2.escape",
            "mysql2.escapeId",
            "sqlstring.escape",
            "sqlstring.format",
            "pg-format",
            "mysql.format",
            "mysql2.format",
        )
    ),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"}))
        for name in ("escapeId", "escapeIdentifier", "escapeLiteral", "escape")
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"command"}))
        for name in (
            "shell-quote.quote",
            "shell-escape",
            "shellescape",
            "shlex.quote",
            "shescape.quote",
            "shellQuote",
            "escapeShellArg",
            "shell-quote.quote",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"nosql"}))
        for name in ("String", "mongo-sanitize", "*.toString", "express-mongo-sanitize.sanitize", "sanitize")
    ),
    Cleaner(callee="JSON.stringify", kinds=frozenset({"nosql", "log", "header", "path", "prototype"})),
    *(Cleaner(callee=f"*.{name}") for name in ("validateSync", "parseAsync", "validateAsync")),
    *(
        Cleaner(callee=f"*.{name}")
        for name in ("indexOf", "findIndex", "digest", "getTime", "charCodeAt", "some", "every", "localeCompare")
    ),
    Cleaner(callee="structuredClone", kinds=frozenset({"prototype"})),
)

GUARDS = (
    *shared.GUARDS,
    *(
        Guard(callee=f"validator.{name}", argument=0)
        for name in (
            "isInt",
            "isNumeric",
            "isAlphanumeric",
            "isUUID",
            "isAlpha",
            "isIP",
            "isIn",
            "isMongoId",
            "isHexadecimal",
            "isSlug",
            "isFQDN",
        )
    ),
    Guard(callee="validator.isURL", argument=0, kinds=frozenset({"url", "redirect"})),
    Guard(callee="validator.isEmail", argument=0, kinds=frozenset({"sql", "command", "header"})),
    *(
        Guard(callee=name, argument=0)
        for name in (
            "mongoose.isValidObjectId",
            "mongoose.Types.ObjectId.isValid",
            "ObjectId.isValid",
            "net.isIP",
            "net.isIPv4",
        )
    ),
    Guard(callee="path.isAbsolute", argument=0, kinds=frozenset()),
    *(
        Guard(callee=name, argument=0)
        for name in (
            "isValidHost",
            "isAllowed",
            "isSafePath",
            "isAllowedUrl",
            "isValidUrl",
            "isSafeUrl",
            "isValidFilename",
            "isAllowedHost",
            "isValidName",
            "isValidInput",
        )
    ),
)

_ROUTES = (
    r"(?:^|\.)(?:app|router|server|api|fastify|routes?|\w+Router|express\(\)|\w+App"
    r"|hono)(?:\.route\(\))?\.(?:get|post|put|delete|patch|all|use|head|options|del)$|^https?\.createServer$"
)

TABLES = Tables(
    language="javascript",
    prefilter=(
        r"<\w|chmod|quer|exec|eval|Function|raw|\.(?:all|get|run|each)\(|spawn|vm\b|innerHTML"
        r"|outerHTML|HTML|\.send|\.write|\.end\(|html\(|append|prepend"
        r"|fs\b|sendFile|download|fetch|axios|request|got\b|redirect|location|[hH]eader"
        r"|writeHead|console\.|log\w*\.|render|compile|RegExp"
        r"|erialize|find|update|delete|merge|defaultsDeep|search|select|\]\s*=|srcdoc|body\s*="
        r"|setTimeout|setInterval|require\("
    ),
    candidates=(
        r"<\w|chmod|quer|exec|eval|Function\(|[rR]aw\b|\.(?:all|get|run|each|literal)\(|spawn"
        r"|vm|HTML|\.(?:send|write|writeln|end|html|append|prepend|after|before|replaceWith)\("
        r"|\b(?:fs|fse|fsp|promises)\b|File|Sync\(|createReadStream|createWriteStream|unlink"
        r"|download|fetch|axios|request|got\b|needle|superagent|http|redirect|location"
        r"|[hH]eader|writeHead|console\.|log\w*\.|winston|render|compile|template|RegExp"
        r"|erialize|find|update|delete|countDocuments|merge|defaultsDeep"
        r"|search|select|evaluate|\]\s*=[^=]|srcdoc|body\s*=|set(?:Timeout|Interval)|goto"
        r"|parseXml|\$where|\b(?:read|open|rm|mkdir|rename|copy)\w*\("
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    assigned=shared.told(ASSIGNED),
    cleaners=CLEANERS,
    guards=GUARDS,
    handlers=(
        Handlers(requests=REQUEST, calls=_ROUTES, request_position=0),
        Handlers(
            decorators=r"^(?:Get|Post|Put|Delete|Patch|All)(?:\(\))?$",
            annotations=r"@(?:Query|Param|Body|Headers)\b",
            requests=r"@Req\b|\bRequest\b",
        ),
        Handlers(
            requests=(
                r"\b(?:NextApiRequest|IncomingMessage|FastifyRequest|APIGatewayProxyEvent|NextRequest"
                r"|express\.Request)\b"
            )
        ),
    ),
    numbers=frozenset("- * / % ** & | ^ << >> >>>".split()),
    lexical=True,
    exits=frozenset({"process.exit", "process.abort"}),
    checks=(
        r"^(?:is|has|check|assert|validate|ensure|verify)_?(?:valid|safe|allowed|permitted"
        r"|sanitized|clean|trusted|within|inside)|^(?:validate|sanitize)[A-Z]\w*"
        r"|^assert(?:Valid|Safe|Allowed)"
    ),
    escapes=(
        (
            (
                r"(?i)escape_?(?:html|xml|markup)|html_?(?:escape|encode|entities)|encode_?html"
                r"|sanitize_?html|(?:html|xss)_?(?:sanitize|clean)"
            ),
            frozenset({"html"}),
        ),
        (r"(?i)(?:escape|quote)_?(?:shell|arg|cmd)|shell_?(?:escape|quote)", frozenset({"command"})),
        (r"(?i)escape_?(?:sql|identifier|id|literal)|quote_?(?:ident|identifier|literal)", frozenset({"sql"})),
        (r"(?i)escape_?reg(?:exp|ex)", frozenset({"regex"})),
        (r"(?i)sanitize_?(?:file_?name|path)|safe_?(?:join|path)|clean_?path", frozenset({"path"})),
        (r"(?i)escape_?(?:ldap|filter|dn)|ldap_?escape", frozenset({"ldap"})),
        (r"(?i)strip_?(?:newlines|crlf)|sanitize_?(?:log|header)", frozenset({"log", "header"})),
    ),
    request_safe=_NOT_READ,
    model=Model(
        push=frozenset({"push", "unshift", "add"}),
        write=frozenset({"set"}),
        read=frozenset({"get"}),
        take=frozenset({"pop", "shift", "at"}),
        drop=frozenset({"clear"}),
        same=frozenset(
            {
                "trim",
                "toLowerCase",
                "toUpperCase",
                "trimStart",
                "trimEnd",
                "toString",
                "slice",
                "substring",
                "substr",
                "replace",
                "replaceAll",
                "normalize",
                "split",
                "reverse",
                "sort",
                "filter",
                "String",
                "decodeURIComponent",
                "decodeURI",
                "padStart",
                "padEnd",
                "repeat",
                "valueOf",
                "from",
                "atob",
                "btoa",
                "resolve",
                "parse",
                "assign",
                "flat",
                "unescape",
                "URLSearchParams",
                "URL",
                "Buffer",
                "querystring",
                "charAt",
                "map",
                "toLocaleLowerCase",
                "Object",
            }
        ),
        join=frozenset({"join", "concat", "format"}),
        mapped=frozenset({"map", "flatMap"}),
        folded=frozenset({"reduce", "reduceRight"}),
        copy=frozenset({"built"}),
        values=frozenset({"values", "entries"}),
        harmless=frozenset(
            {
                "typeof",
                "length",
                "isArray",
                "indexOf",
                "lastIndexOf",
                "charCodeAt",
                "codePointAt",
                "stat",
                "existsSync",
                "status",
                "isNaN",
            }
        ),
    ),
    safe_types=(
        r"^(?:number|boolean|Date|bigint|null|undefined|never|void|symbol|Number"
        r"|Boolean)(?:\s*\|\s*(?:null|undefined|number|boolean))*$"
    ),
)
