"""Python: what makes a foreign value harmless, and for what."""

from __future__ import annotations

from leeboard.code.flow.table import Cleaner, Guard, Kind, Model


def _for(kinds: str, callees: str) -> tuple[Cleaner, ...]:
    wanted: frozenset[Kind] | None = None if kinds == "all" else frozenset(kinds.split())  # type: ignore[arg-type]  # names of kinds
    return tuple(Cleaner(callee=callee, kinds=wanted) for callee in callees.split())


_ADDRESS_SAFE = "html url redirect header log xpath ldap"

CLEANERS = (
    *_for(
        "all",
        """int float bool complex round abs ord sum uuid.UUID decimal.Decimal fractions.Fraction *.hexdigest
        *.digest ipaddress.ip_address ipaddress.ip_network ipaddress.IPv4Address ipaddress.IPv6Address
        *.strptime *.fromisoformat *.isdigit *.isalnum *.getint *.getfloat *.getboolean bson.ObjectId
        bson.objectid.ObjectId bcrypt.hashpw werkzeug.security.generate_password_hash
        werkzeug.security.check_password_hash django.contrib.auth.hashers.make_password zlib.crc32
        binascii.crc32 *.timestamp *.tell flask.render_template django.shortcuts.render *.TemplateResponse
        quart.render_template render_template flask.jsonify jsonify *.JSONResponse *.JsonResponse
        fastapi.responses.JSONResponse starlette.responses.JSONResponse django.http.JsonResponse
        flask.url_for url_for django.urls.reverse *.send_file flask.send_file flask.send_from_directory
        fastapi.Depends flask.redirect django.shortcuts.redirect redirect jsonify pydantic.TypeAdapter""",
    ),
    *_for(
        "html log header",
        """html.escape cgi.escape markupsafe.escape flask.escape jinja2.escape werkzeug.utils.escape
        django.utils.html.escape django.utils.html.conditional_escape django.utils.html.strip_tags
        bleach.clean nh3.clean xml.sax.saxutils.escape xml.sax.saxutils.quoteattr
        tornado.escape.xhtml_escape *.xhtml_escape escape lxml.html.clean.clean_html json.dumps
        simplejson.dumps ujson.dumps orjson.dumps""",
    ),
    *_for("html", "*.render bleach.linkify markdown2.markdown"),
    *_for(
        _ADDRESS_SAFE,
        """urllib.parse.quote urllib.parse.quote_plus urllib.parse.urlencode urllib.quote urllib.quote_plus
        urllib.urlencode django.utils.http.urlquote *.urlencode""",
    ),
    *_for("command", "shlex.quote pipes.quote shlex.join"),
    *_for(
        "path upload command",
        """werkzeug.utils.secure_filename werkzeug.secure_filename secure_filename
        django.utils.text.get_valid_filename pathvalidate.sanitize_filename""",
    ),
    *_for(
        "path upload",
        """os.path.basename ntpath.basename posixpath.basename werkzeug.utils.safe_join
        werkzeug.security.safe_join flask.safe_join django.utils._os.safe_join pathlib.Path().name
        pathlib.Path().stem pathlib.PurePath().name pathlib.PurePosixPath().name werkzeug.safe_join""",
    ),
    *_for("path url", "io.BytesIO io.StringIO"),
    *_for(
        "ldap",
        """ldap.filter.escape_filter_chars ldap.dn.escape_dn_chars ldap3.utils.conv.escape_filter_chars
        ldap3.utils.dn.escape_rdn ldap.filter.filter_format""",
    ),
    *_for(
        "sql",
        """psycopg2.sql.Identifier psycopg2.sql.Literal psycopg.sql.Identifier psycopg.sql.Literal *.mogrify
        *.bindparams
        *.escape_string *.quote_ident *.quote_name *.escape_identifier sqlalchemy.bindparam *.quoted_name""",
    ),
    *_for("regex", "re.escape regex.escape"),
    *_for("code deserialise", "ast.literal_eval"),
    *_for("log header", "repr ascii"),
    *_for("nosql", "str"),
)

GUARDS = (
    *(
        Guard(callee=f"*.{name}")
        for name in "isdigit isnumeric isdecimal isalnum isalpha isidentifier is_valid validate".split()
    ),
    *(Guard(callee=f"re.{name}", argument=1, pattern=0) for name in ("match", "fullmatch", "search")),
    *(Guard(callee=f"*.{name}", argument=0, pattern=0) for name in ("match", "fullmatch", "search")),
    Guard(callee="*.relative_to", kinds=frozenset({"path", "upload"}), raises=True),
    Guard(callee="werkzeug.utils.secure_filename", argument=0, kinds=frozenset({"path", "upload"})),
)

_PATHS: frozenset[Kind] = frozenset({"path", "upload"})
ESCAPES: tuple[tuple[str, frozenset[Kind] | None], ...] = (
    (r"escape\w*html|html\w*escape|(?:sanit|clean|strip)\w*(?:html|tags|markup)|xss", frozenset({"html"})),
    (r"(?:shell|cmd|arg)\w*(?:quote|escape)|(?:quote|escape)\w*(?:shell|cmd|arg)", frozenset({"command"})),
    (r"(?:escape|quote|sanit)\w*(?:sql|ident|like)|sql\w*(?:escape|quote)", frozenset({"sql"})),
    (r"ldap\w*escape|escape\w*(?:ldap|filter|dn)", frozenset({"ldap"})),
    (r"xpath\w*(?:escape|quote)|(?:escape|quote)\w*xpath", frozenset({"xpath"})),
    (r"(?:secure|safe|sanit\w*|clean|valid\w*)_?(?:file|path|join)", _PATHS),
    (r"safe_?url|(?:sanit|clean|valid)\w*_?url", frozenset({"url", "redirect"})),
    (r"^(?:sanitize|sanitise|whitelist|allowlist)(?:_?(?:input|value|string|param\w*))?$", None),
    (r"^(?:to|as|parse|coerce|safe)_?(?:int|integer|float|number|bool|uuid|date)$", None),
)
CHECKS = (
    r"^_?(?:is_?(?:valid|safe|allowed|ok|trusted|permitted|whitelisted|local)|validate|verify|check|ensure|allowed|"
    r"valid_)|(?:_valid|_safe|_allowed)$|url_has_allowed"
)

MODEL = Model(
    push=frozenset("append add appendleft extend update insert write writelines put".split()),
    write=frozenset("set setdefault __setitem__ setFeature".split()),
    read=frozenset("get getlist get_list getone getall get_all getfirst __getitem__".split()),
    take=frozenset("pop popleft".split()),
    drop=frozenset("remove clear discard".split()),
    same=frozenset(
        """strip lower upper lstrip rstrip title capitalize casefold swapcase encode decode split rsplit
        splitlines partition rpartition splitext zfill ljust rjust center expandtabs removeprefix
        removesuffix b64encode b64decode urlsafe_b64encode urlsafe_b64decode standard_b64decode
        standard_b64encode unquote unquote_plus hexlify unhexlify str bytes bytearray fspath expanduser
        normpath unescape format_map""".split()
    ),
    join=frozenset("format join".split()),
    values=frozenset("values items keys getvalue getbuffer".split()),
    mapped=frozenset({"map"}),
    copy=frozenset("list tuple set sorted reversed dict frozenset copy deepcopy iter next".split()),
    transparent=frozenset(
        """loads urljoin abspath realpath parse_qs parse_qsl urlparse urlsplit geturl resolve absolute group groups read
        text json Path PurePath PurePosixPath joinpath with_suffix get_json read_text read_bytes load translate
        zip enumerate filter map reversed chain decodestring StringIO BytesIO getfirst parse as_posix to_dict dict
        model_dump urlunparse urlunsplit splitdrive dirname""".split()
    ),
    harmless=frozenset(
        """len isinstance hasattr type id hash print any all callable range open exists isfile isdir getsize
        stat execute executemany fetchone fetchall fetchmany scalar scalars first one one_or_none filter
        filter_by count find index startswith endswith is_file is_dir insert_one find_one update_one
        delete_one commit info debug warning error critical exception flash sleep get_or_404
        get_object_or_404 first_or_404 is_authenticated compare_digest urlopen urlretrieve connect system
        popen check_output check_call call getoutput getstatusoutput Popen communicate run""".split()
    ),
)
