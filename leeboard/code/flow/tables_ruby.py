"""Ruby: the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Kind, Model, Sink, Source, Tables

_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|with|create|drop|alter|truncate|call)\b"

SOURCES = (
    *(Source(path=name, label=name) for name in ("params", "cookies")),
    *(Source(path=f"{name}()", label=name) for name in ("params", "cookies")),
    *(
        Source(path=f"request.{name}", label=f"request.{name}")
        for name in ("params", "headers", "body", "env", "path", "query_string", "referer", "user_agent")
    ),
    *(
        Source(path=f"request.{name}()", label=f"request.{name}")
        for name in (
            "params",
            "headers",
            "body",
            "env",
            "path",
            "query_string",
            "referer",
            "user_agent",
            "fullpath",
            "url",
        )
    ),
    *(Source(path=name, trust="local", label=name) for name in ("ENV", "ARGV")),
    *(Source(path=f"{name}()", trust="local", label=name) for name in ("gets", "STDIN.gets", "STDIN.read")),
    Source(path="gets", trust="local", label="gets"),
)
_RUNS = (
    "system exec spawn ` Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 "
    "IO.popen Kernel.system Kernel.exec Process.spawn"
)
_READS = (
    "File.read File.open File.new IO.read File.readlines IO.readlines File.write "
    "File.delete FileUtils.rm FileUtils.rm_rf Dir.glob File.binread IO.binread send_file "
    "File.unlink Dir.entries"
)
SINKS = (
    *(
        Sink(kind="sql", callee=f"*.{name}", joined=True, unless=(("0", r"^\S*$"),))
        for name in (
            "where",
            "order",
            "find_by_sql",
            "joins",
            "having",
            "group",
            "pluck",
            "exists?",
            "delete_all",
            "update_all",
            "select",
            "from",
            "find_by",
            "count_by_sql",
        )
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", looks=_SQL_TEXT, receiver=r"conn|connection|db|client|DB", joined=True)
        for name in (
            "execute",
            "exec_query",
            "select_all",
            "query",
            "exec",
            "run",
            "fetch",
            "select_rows",
            "exec_params",
        )
    ),
    *(Sink(kind="sql", callee=name, joined=True) for name in ("Arel.sql", "Sequel.lit")),
    *(Sink(kind="command", callee=name, arity=(1, 1)) for name in _RUNS.split()),
    *(
        Sink(kind="command", callee=name, args=(2,), given=(("0", shared.SHELL),))
        for name in ("system", "exec", "spawn")
    ),
    *(
        Sink(kind="command", callee=name, joined=True, arity=(2, 99))
        for name in ("Open3.popen3", "IO.popen", "Open3.capture3", "Open3.capture2")
    ),
    *(Sink(kind="code", callee=name) for name in ("eval", "instance_eval", "class_eval", "Kernel.eval")),
    *(Sink(kind="code", callee=f"*.{name}", looks=r".") for name in ("instance_eval", "class_eval", "module_eval")),
    *(
        Sink(kind="code", callee=f"*.{name}", least="request")
        for name in ("send", "public_send", "constantize", "const_get", "__send__")
    ),
    *(Sink(kind="code", callee=f"*.{name}", args=(-2,), least="request") for name in ("constantize",)),
    *(Sink(kind="html", callee=f"*.{name}", args=(-2,)) for name in ("html_safe",)),
    *(Sink(kind="html", callee=name) for name in ("raw",)),
    Sink(kind="html", callee="render", args=(), keywords=("html", "inline"), least="request"),
    Sink(kind="template", callee="render", args=(), keywords=("inline",), least="request"),
    *(
        Sink(kind="template", callee=name)
        for name in ("ERB", "ERB.new", "Liquid.Template.parse", "Slim.Template.new", "Haml.Engine.new")
    ),
    Sink(kind="template", callee="erb", least="request"),
    *(Sink(kind="path", callee=name, joined=True) for name in _READS.split()),
    *(Sink(kind="path", callee=name, least="request") for name in _READS.split()),
    Sink(kind="command", callee="open", least="request"),
    *(
        Sink(kind="url", callee=name, start=True)
        for name in (
            "URI.open",
            "Net.HTTP.get",
            "HTTP.get",
            "HTTParty.get",
            "HTTParty.post",
            "RestClient.get",
            "RestClient.post",
            "Faraday.get",
            "Net.HTTP.get_response",
            "open-uri.open",
            "HTTP.get_response",
            "OpenURI.open_uri",
        )
    ),
    Sink(
        kind="redirect",
        callee="redirect_to",
        start=True,
        unless=(("only_path", "True"), ("0", r"_path|_url")),
        least="request",
    ),
    Sink(kind="redirect", callee="redirect", start=True, least="request"),
    *(
        Sink(kind="deserialise", callee=name)
        for name in (
            "Marshal.load",
            "Marshal.restore",
            "YAML.load",
            "Psych.load",
            "YAML.unsafe_load",
            "Oj.load",
            "YAML.load_documents",
        )
    ),
    *(
        Sink(kind="log", callee=f"*.{name}", receiver=r"logger$", least="request", joined=True)
        for name in ("info", "warn", "error", "debug")
    ),
    Sink(kind="regex", callee="Regexp.new", least="request"),
    Sink(kind="ldap", callee="Filter.construct", joined=True),
    *(Sink(kind="xpath", callee=f"*.{name}", receiver=r"doc|xml|html", joined=True) for name in ("xpath", "at_xpath")),
    *(Sink(kind="attribute", callee=f"*.{name}", least="request") for name in ("permit!",)),
)
CLEANERS = (
    *shared.CLEANERS,
    *(
        Cleaner(callee=f"*.{name}")
        for name in ("to_i", "to_f", "length", "size", "count", "hash", "permit", "parameterize", "to_d")
    ),
    *(Cleaner(callee=name) for name in ("Integer", "Float", "Date.parse", "Time.parse")),
    *(
        Cleaner(callee=name, kinds=frozenset({"html"}))
        for name in (
            "h",
            "html_escape",
            "ERB.Util.html_escape",
            "Util.html_escape",
            "CGI.escapeHTML",
            "CGI.escape_html",
            "sanitize",
            "strip_tags",
            "Rack.Utils.escape_html",
            "Utils.escape_html",
            "Sanitize.fragment",
            "escape_html",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"command"}))
        for name in ("Shellwords.escape", "Shellwords.shellescape", "Shellwords.join")
    ),
    Cleaner(callee="*.shellescape", kinds=frozenset({"command"})),
    *(Cleaner(callee=name, kinds=frozenset({"path"})) for name in ("File.basename",)),
    *(
        Cleaner(callee=name, kinds=_PLACE)
        for name in ("CGI.escape", "ERB.Util.url_encode", "URI.encode_www_form_component", "Util.url_encode")
    ),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"}))
        for name in (
            "quote",
            "quote_column_name",
            "sanitize_sql",
            "sanitize_sql_like",
            "sanitize_sql_for_conditions",
            "escape",
            "escape_string",
            "quote_table_name",
        )
    ),
    Cleaner(callee="Regexp.escape", kinds=frozenset({"regex"})),
    Cleaner(callee="Filter.escape", kinds=frozenset({"ldap"})),
)
TABLES = Tables(
    language="ruby",
    prefilter=(
        r"where|order|find|joins|having|group|pluck|execute|exec|query|system|spawn|`|popen"
        r"|capture|eval|send|constantize|const_get|html_safe|raw|render|ERB|erb|File|IO\.|Dir"
        r"|FileUtils|open|HTTP|RestClient|Faraday|redirect|Marshal|YAML|Psych|Oj|logger|Regexp"
        r"|xpath|Arel|lit|delete_all|update_all|exists|select"
    ),
    candidates=(
        r"where|order|find|joins|having|group|pluck|execute|exec|query|system|spawn|`|popen"
        r"|capture|eval|send|constantize|const_get|html_safe|raw|render|ERB|erb|File|IO\.|Dir"
        r"|FileUtils|open|HTTP|RestClient|Faraday|redirect|Marshal|YAML|Psych|Oj|logger|Regexp"
        r"|xpath|Arel|lit|delete_all|update_all|exists|select"
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    cleaners=CLEANERS,
    guards=(*shared.GUARDS, Guard(callee="*.integer?"), Guard(callee="*.numeric?")),
    model=Model(
        push=frozenset({"push", "append"}),
        read=frozenset({"fetch", "dig"}),
        same=frozenset(
            {
                "strip",
                "downcase",
                "upcase",
                "to_s",
                "chomp",
                "to_str",
                "split",
                "slice",
                "sub",
                "gsub",
                "expand_path",
                "realpath",
                "squeeze",
                "capitalize",
                "force_encoding",
                "decode64",
                "unescape",
                "parse",
                "to_sym",
                "require",
                "presence",
                "first",
                "last",
                "string",
                "cleanpath",
            }
        ),
        join=frozenset({"format", "sprintf", "join", "concat"}),
        values=frozenset({"values"}),
        harmless=frozenset(
            {"length", "size", "nil?", "empty?", "blank?", "present?", "exist?", "file?", "hash", "is_a?"}
        ),
    ),
    exits=frozenset({"raise", "exit", "abort", "halt"}),
    checks=r"^(?:is_|has_|check_|assert_|validate_|ensure_|verify_)?(?:valid|safe|allowed|permitted)\w*\??$|^validate_",
    escapes=(
        (r"(?i)escape_?html|html_?escape|sanitize_?html", frozenset({"html"})),
        (r"(?i)sanitize_?(?:file_?name|path)", frozenset({"path"})),
        (r"(?i)sanitize_?sql|quote_?ident", frozenset({"sql"})),
    ),
    lexical=True,
)
