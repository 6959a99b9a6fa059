"""Python: calls in which a foreign value does harm. Pages, files, addresses, documents, logs."""

from __future__ import annotations

from leeboard.code.flow.table import Sink

_NO_PAGE = (
    ("mimetype", r"json|plain|csv|pdf|octet|image|javascript|event-stream"),
    ("content_type", r"json|plain|csv|pdf|octet|image|javascript|event-stream"),
    ("media_type", r"json|plain|csv|pdf|octet|image"),
)


_MARKS = tuple(
    """markupsafe.Markup flask.Markup jinja2.Markup Markup django.utils.safestring.mark_safe mark_safe
    django.utils.safestring.SafeString django.utils.html.format_html django.utils.safestring.SafeText
    django.utils.html.mark_safe""".split()
)


def _request_only(
    kind: str, callees: str, args: tuple[int, ...] = (0,), keywords: tuple[str, ...] = ()
) -> tuple[Sink, ...]:
    return tuple(
        Sink(kind=kind, callee=callee, args=args, keywords=keywords, least="handler")  # type: ignore[arg-type]  # a kind
        for callee in callees.split()
    )


PAGES = (
    *(
        Sink(kind="html", callee=callee, keywords=("response", "content", "text"), unless=_NO_PAGE, least="handler")
        for callee in """flask.make_response flask.Response quart.Response quart.make_response
        werkzeug.wrappers.Response
        werkzeug.Response django.http.HttpResponse HttpResponse make_response bottle.HTTPResponse
        starlette.responses.HTMLResponse sanic.response.html webob.Response pyramid.response.Response
        django.http.HttpResponseBadRequest django.http.HttpResponseNotFound
        django.http.response.HttpResponse fastapi.responses.HTMLResponse""".split()
    ),
    *(
        Sink(
            kind="html",
            callee=callee,
            args=(),
            keywords=("text", "body"),
            needs=(("content_type", "text/html"),),
            least="handler",
        )
        for callee in ("aiohttp.web.Response", "fastapi.Response", "starlette.responses.Response")
    ),
    Sink(kind="html", callee="*.write", receiver=r"^self$|response|resp$|wfile|response\.out$", least="handler"),
    Sink(kind="html", callee="*.set_data", least="request"),
    Sink(kind="html", callee="*.finish", receiver=r"^self$", least="handler"),
    *(Sink(kind="html", callee=callee, least="handler") for callee in _MARKS),
    *(Sink(kind="html", callee=callee, joined=True, parameter=0.55) for callee in _MARKS),
    Sink(
        kind="html",
        callee="*.render",
        args=(-1,),
        keywords=("*",),
        receiver=r"jinja2\.Template\(\)|^Template\(\)|mako\.template\.Template\(\)",
        parameter=0.55,
    ),
    Sink(
        kind="html",
        callee="jinja2.Environment",
        args=(),
        unless=(("autoescape", r"True|select_autoescape|[\x01\x02]"),),
        always=0.6,
        note="Pass autoescape=True or select_autoescape().",
    ),
    *(
        Sink(kind="template", callee=callee, keywords=("source", "text"))
        for callee in """flask.render_template_string render_template_string jinja2.Template mako.template.Template
        django.template.Template tornado.template.Template bottle.template bottle.SimpleTemplate
        quart.render_template_string flask.templating.render_template_string chevron.render pystache.render""".split()
    ),
    Sink(kind="template", callee="*.from_string", receiver=r"env|jinja|engine|template"),
)

_FILE = "open io.open codecs.open os.open os.remove os.unlink os.rmdir os.removedirs os.mkdir os.makedirs os.listdir"
FILES = (
    *_request_only("path", _FILE, (0,), ("file", "path")),
    *_request_only(
        "path", "os.scandir os.walk os.chmod os.truncate os.readlink tarfile.open zipfile.ZipFile gzip.open bz2.open"
    ),
    *_request_only(
        "path", "aiofiles.open linecache.getlines fileinput.input shutil.rmtree shutil.unpack_archive os.access"
    ),
    *_request_only(
        "path",
        "shutil.copy shutil.copyfile shutil.copy2 shutil.copytree shutil.move os.rename os.replace os.symlink os.link",
        (0, 1),
        ("src", "dst"),
    ),
    *_request_only(
        "path",
        """flask.send_file send_file quart.send_file fastapi.responses.FileResponse
        starlette.responses.FileResponse aiohttp.web.FileResponse bottle.static_file sanic.response.file
        flask.send_from_directory""",
        (0,),
        ("path_or_file", "path", "filename_or_fp"),
    ),
    *(
        Sink(kind="path", callee=f"*.{name}", args=(-2,), receiver=r"Path\(|path|file|^p$", least="handler")
        for name in "read_text read_bytes write_text write_bytes unlink rmdir mkdir iterdir touch rename open".split()
    ),
    Sink(
        kind="upload",
        callee="*.save",
        receiver=r"file|upload|image|img|photo|avatar|picture|attach|doc|storage|media|(?:^|\.)fs?$",
        looks=r"/",
        least="request",
    ),
    Sink(
        kind="path",
        callee="*.extractall",
        args=(),
        receiver=r"tar|^t$",
        unless=(("filter", r"data|tar|\x01"),),
        always=0.6,
        note="Pass filter='data', or check each member's path first.",
    ),
    Sink(
        kind="path",
        callee="*.extract",
        args=(),
        receiver=r"tar",
        unless=(("filter", r"data|tar"),),
        always=0.55,
        note="Pass filter='data'.",
    ),
    Sink(kind="tempfile", callee="tempfile.mktemp", args=(), always=0.6),
    Sink(kind="tempfile", callee="os.tempnam", args=(), always=0.6),
    Sink(kind="tempfile", callee="os.tmpnam", args=(), always=0.6),
    *(
        Sink(kind="permission", callee=callee, args=(), needs=(("1", mode),), always=0.6)
        for callee in ("os.chmod", "os.fchmod", "os.lchmod")
        for mode in (0o777, 0o776, 0o766, 0o666, 0o667, 0o757, 0o755 | 0o002, 0o707)
    ),
    Sink(kind="permission", callee="os.umask", args=(), needs=(("0", 0),), always=0.55),
)

_HTTP = "get post put delete head patch options"
_CLIENTS = r"requests\.(?:Session|session)\(\)|httpx\.(?:Async)?Client\(\)|aiohttp\.ClientSession\(\)|PoolManager\(\)"
ADDRESSES = (
    *(
        Sink(kind="url", callee=f"{module}.{name}", keywords=("url",), start=True, least="handler")
        for module in ("requests", "httpx")
        for name in (*_HTTP.split(), "stream")
    ),
    *(
        Sink(kind="url", callee=f"{module}.request", args=(1,), keywords=("url",), start=True, least="handler")
        for module in ("requests", "httpx")
    ),
    *(
        Sink(kind="url", callee=f"*.{name}", keywords=("url",), receiver=_CLIENTS, start=True, least="handler")
        for name in _HTTP.split()
    ),
    Sink(
        kind="url",
        callee="*.request",
        args=(1,),
        keywords=("url",),
        receiver=_CLIENTS + r"|^http$",
        start=True,
        least="handler",
    ),
    *(
        Sink(kind="url", callee=callee, keywords=("url", "host"), start=True, least="handler")
        for callee in """urllib.request.urlopen urllib.request.Request urllib.request.urlretrieve urllib2.urlopen
        urllib2.Request urllib.urlopen urllib.urlretrieve http.client.HTTPConnection
        http.client.HTTPSConnection httplib.HTTPConnection wget.download urllib3.request ftplib.FTP""".split()
    ),
    *(
        Sink(
            kind="redirect",
            callee=callee,
            keywords=("location", "url", "to", "redirect_to"),
            start=True,
            least="handler",
        )
        for callee in """flask.redirect redirect quart.redirect werkzeug.utils.redirect bottle.redirect
        django.shortcuts.redirect django.http.HttpResponseRedirect django.http.HttpResponsePermanentRedirect
        HttpResponseRedirect fastapi.responses.RedirectResponse starlette.responses.RedirectResponse
        aiohttp.web.HTTPFound aiohttp.web.HTTPSeeOther aiohttp.web.HTTPTemporaryRedirect
        pyramid.httpexceptions.HTTPFound sanic.response.redirect cherrypy.HTTPRedirect""".split()
    ),
    Sink(kind="redirect", callee="*.redirect", receiver=r"^self$|^flask$|response|app$", start=True, least="handler"),
)

_PARSER_SAFE = (("parser", r"resolve_entities=False|defused"), ("1", r"resolve_entities=False|defused"))
_EXTERNAL = r"external_(?:ges|pes)=(?:True|1)|external-(?:general|parameter)-entities=(?:True|1)"
_DOM = "Use defusedxml instead."
DOCUMENTS = (
    *(
        Sink(
            kind="xxe",
            callee=f"lxml.etree.{name}",
            unless=_PARSER_SAFE,
            parameter=0.55,
            note="Pass XMLParser(resolve_entities=False, no_network=True).",
        )
        for name in "parse fromstring XML iterparse fromstringlist".split()
    ),
    *(
        Sink(
            kind="xxe",
            callee="lxml.etree.XMLParser",
            args=(),
            needs=((name, value),),
            always=0.65,
            note="Switch entities, DTDs and network off.",
        )
        for name, value in (("resolve_entities", True), ("load_dtd", True), ("no_network", False), ("huge_tree", True))
    ),
    *(
        Sink(kind="xxe", callee=f"{module}.{name}", given=((position, _EXTERNAL),), parameter=0.65, bare=0.6, note=_DOM)
        for module in ("xml.sax", "xml.dom.minidom", "xml.dom.pulldom")
        for name in ("parse", "parseString")
        for position in ("1", "parser", "2")
    ),
    Sink(kind="xxe", callee="*.parse", given=(("receiver", _EXTERNAL),), always=0.65, parameter=0.65, note=_DOM),
    Sink(kind="xslt", callee="lxml.etree.XSLT"),
    Sink(kind="xpath", callee="*.xpath"),
    Sink(kind="xpath", callee="lxml.etree.XPath"),
    Sink(kind="xpath", callee="lxml.etree.ETXPath"),
    Sink(kind="xpath", callee="elementpath.select", args=(1,)),
    *(
        Sink(kind="xpath", callee=f"*.{name}", joined=True, looks=r"[/\[]", receiver="(?!)")
        for name in "find findall iterfind findtext".split()
    ),
)

OTHERS = (
    *(
        Sink(
            kind="log", callee=f"*.{name}", args=(-1,), receiver=r"log(?:ger|ging)?$|_log$|(?:^|\.)log", least="request"
        )
        for name in "debug info warning warn error critical exception log".split()
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", args=(0, 1), least="request")
        for name in ("add_header", "set_header", "putheader", "send_header")
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", args=(0, 1), receiver=r"headers$|Headers\(\)$", least="request")
        for name in ("add", "set", "append")
    ),
    *(
        Sink(kind="regex", callee=f"re.{name}", keywords=("pattern",), least="handler")
        for name in "compile match search fullmatch findall finditer split sub subn".split()
    ),
    Sink(kind="format", callee="*.format", args=(-2,), arity=(0, 9), least="request"),
    Sink(kind="format", callee="*.format_map", args=(-2,), least="request"),
    Sink(kind="attribute", callee="setattr", args=(1,), least="request"),
    Sink(kind="attribute", callee="getattr", args=(1,), least="request"),
    Sink(kind="attribute", callee="delattr", args=(1,), least="request"),
    Sink(
        kind="debug",
        callee="*.run",
        args=(),
        receiver=r"^(?:app|application|server)$",
        needs=(("debug", True),),
        always=0.7,
    ),
)

ASSIGNED = (
    Sink(kind="session", callee="*.session[]", args=(0, 1), least="request"),
    Sink(kind="header", callee="*.headers[]", args=(0, 1), receiver=r"resp|response", least="request"),
)
