"""Pages from values: every text is escaped, and what a screen would obey or hide is spelled out.

What agents wrote is text and nothing else. Markdown of theirs loses everything that is not plain reading: no HTML of
its own, no pictures, no links but to the web.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

import nh3
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from leeboard.app.views.why import told_evidence
from leeboard.io.clock import now, span
from leeboard.model.text import as_sentence
from leeboard.rule import code_of
from leeboard.text.words import counted

LONGEST = 4_000
"""Characters of one text of a session that are shown; how many more there are is said."""
LONGEST_MARKDOWN = 128 << 10
_TAGS = set("a p br hr em strong del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split())
_ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "th": {"align"}, "td": {"align"}}
_WEB = ("https://", "http://", "mailto:")
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    """Characters that no reader sees, or that turn the line around, as people can read them."""
    text = _SURROGATE.sub("\ufffd", text)
    return _ODD.sub(lambda found: f"\\x{ord(found[0]):02x}" if ord(found[0]) < 256 else f"\\u{ord(found[0]):04x}", text)


def _finalized(value: Any) -> Any:
    return visible(value) if type(value) is str else value


def cut(text: str, most: int = LONGEST) -> str:
    """Never silently: the number of characters that are not shown stands at the end."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"


def rendered_markdown(text: str) -> Markup:
    """HTML that holds nothing but reading; what is too long for it is shown as it is written."""
    if len(text) > LONGEST_MARKDOWN:
        return Markup("<pre>{}</pre>").format(visible(cut(text, LONGEST_MARKDOWN)))
    html = _markdown().render(visible(text))
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_web_only,
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    )
    return Markup(clean)  # noqa: S704 - cleaned by nh3, tag by tag


def _web_only(_tag: str, name: str, value: str) -> str | None:
    return value if name != "href" or value.lower().startswith(_WEB) else None


@cache
def _markdown() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"]).disable("image")
    )


def moment(seconds: float) -> str:
    """A point in time, in full."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if seconds else "never"


def clock_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%H:%M:%S")


def ago(seconds: float) -> str:
    return f"{span(max(0.0, now() - seconds))} ago" if seconds else "never"


def since(text: str) -> str:
    """The same for a time as files have it."""
    try:
        return ago(datetime.fromisoformat(text).timestamp())
    except ValueError:
        return text


def byte_size(size: int) -> str:
    for unit, step in (("MB", 1 << 20), ("kB", 1 << 10)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{size} bytes"


def anchor(text: str) -> str:
    """A name for a place on a page, whatever the text holds."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]+", "-", plain)[:80]


def sentence(text: str) -> str:
    """With a capital in front, and the rest as it is: an address, a command and PATH are no words."""
    return as_sentence(text)


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("leeboard.surfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    made.filters.update(
        cut=cut,
        sentence=sentence,
        markdown=rendered_markdown,
        moment=moment,
        clock=clock_time,
        ago=ago,
        since=since,
        size=byte_size,
        anchor=anchor,
        told=told_evidence,
        code=code_of,
    )
    made.globals["counted"] = counted
    return made


def render(template: str, values: Mapping[str, Any]) -> str:
    return environment().get_template(template).render(values)
