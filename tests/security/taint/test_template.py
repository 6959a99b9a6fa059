"""Templates that write a value of the request as it is, each with a twin that does not."""

from __future__ import annotations

import pytest

from leeboard.rules.injection import DENIED_ABOVE
from leeboard.security.taint.template import UNPROVEN, template_flows, template_of

_SETUP = "<script setup>\nconst route = useRoute()\nconst q = route.query.q\n</script>\n"
_SPLIT = """<script>const w = $derived(page.url.searchParams.get('w'));
const s = $derived(
  hits.length
    ? `${hits.length} for ${w}`
    : `none for ${w}`
);</script>"""
PAIRS = (
    ("a.vue", '<p v-html="$route.query.q"></p>', "<p>{{ $route.query.q }}</p>"),
    ("b.vue", f'{_SETUP}<p v-html="q"></p>', f'{_SETUP}<p v-html="DOMPurify.sanitize(q)"></p>'),
    (
        "g.vue",
        f'{_SETUP[:-10]}html.value = "<b>" + q\n</script>\n<p v-html="html"></p>',
        f'{_SETUP[:-10]}html.value = DOMPurify.sanitize("<b>" + q)\n</script>\n<p v-html="html"></p>',
    ),
    (
        "c.vue",
        '<p v-html="q"></p><script>export default { computed: { q() { return this.$route.query.q } } }</script>',
        '<p v-text="q"></p><script>export default { computed: { q() { return this.$route.query.q } } }</script>',
    ),
    ("h.vue", '<a :href="$route.query.next">on</a>', '<a :href="next">on</a>'),
    ("a.svelte", "{@html $page.url.searchParams.get('q')}", "{$page.url.searchParams.get('q')}"),
    ("c.svelte", _SPLIT + "{@html s}", _SPLIT + "{s}"),
    (
        "c.cshtml",
        '@{ var note = Request.Query["n"]; }\n@Html.Raw(note.Replace("\\n", "<br>"))',
        "@Model.Note",
    ),
    ("a.html", '{{ request.args.get("q")|safe }}', '{{ request.args.get("q") }}'),
    ("b.html", "{{ request.GET.q|safe }}", "{{ request.GET.q|escape|safe }}"),
    ("a.j2", "{% set q = request.args.q %}\n{{ q|safe }}", "{% set q = request.args.q|int %}\n{{ q|safe }}"),
    ("a.pug", "p!= req.query.q", "p= req.query.q"),
    ("b.pug", "p Hello !{req.query.q}", "p Hello #{req.query.q}"),
    ("a.slim", "p == params[:q]", "p = params[:q]"),
    ("a.astro", "const q = Astro.url.searchParams.get('q');\n<p set:html={q} />", "<p>{Astro.url.searchParams}</p>"),
    ("c.html", '<p th:utext="${param.q}"></p>', '<p th:text="${param.q}"></p>'),
    ("a.twig", "{{ app.request.get('q')|raw }}", "{{ app.request.get('q') }}"),
    ("a.html.erb", "<%= raw params[:q] %>", "<%= params[:q] %>"),
    ("b.html.erb", "<%== params[:q] %>", "<%# <%== params[:q] %>"),
    ("c.html.erb", "<% q = params[:q] %>\n<%= q.html_safe %>", "<% q = params[:q] %>\n<%= sanitize(q).html_safe %>"),
    ("a.haml", "%p!= params[:q]", "%p= params[:q]"),
    ("a.ejs", "<%- req.query.q %>", "<%= req.query.q %>"),
    ("a.blade.php", "{!! request('q') !!}", "{{ request('q') }}"),
    ("b.blade.php", "{!! $request->input('q') !!}", "{!! e($request->input('q')) !!}"),
    ("a.cshtml", '@Html.Raw(Request.Query["q"])', '@Request.Query["q"]'),
    ("b.cshtml", '@{ var q = Request.Query["q"]; }\n@Html.Raw(q)', '@{ var q = Request.Query["q"]; }\n@q'),
    ("a.jsp", '<%= request.getParameter("q") %>', '<%= Encode.forHtml(request.getParameter("q")) %>'),
    (
        "d.html",
        "{% autoescape off %}<p>\n{{ request.GET.q }}{% endautoescape %}",
        "{% autoescape off %}<p>{% endautoescape %}\n{{ request.GET.q }}",
    ),
    (
        "e.html",
        "{%- autoescape false -%}\n{{ request.args.q }}{% endautoescape %}",
        "{%- autoescape false -%}\n{{ request.args.q|e }}{% endautoescape %}",
    ),
    ("a.hbs", "<p>{{{req.query.q}}}</p>", "<p>{{req.query.q}}</p>"),
    ("a.mustache", "<p>{{& request.query.q }}</p>", "<p>{{! {{& request.query.q }} }}</p>"),
    (
        "c.jsp",
        '<% String q = request.getParameter("q"); String a = q; %><i><%= a %></i>',
        '<% String q = request.getParameter("q"); q = escapeHtml4(q); %><i><%= q %></i>',
    ),
    (
        "d.jsp",
        '<% String q = request.getParameter("q"); String size = "x" + q; %><i><%= size %></i>',
        '<% String q = request.getParameter("q"); long size = 1; %><input size="4" name="q"/><i><%= size %></i>',
    ),
    ("b.jsp", "<p>${param.q}</p>", '<c:out value="${param.q}"/>'),
)


def _sure(path: str, text: str) -> list[int]:
    return [flow.sink_line for flow in template_flows(text, template_of(path)) if flow.confidence > DENIED_ABOVE]


@pytest.mark.parametrize(("path", "unsafe"), [pair[:2] for pair in PAIRS])
def test_a_value_of_the_request_is_written_as_it_is(path: str, unsafe: str) -> None:
    assert _sure(path, unsafe) == [unsafe.count("\n") + 1]


@pytest.mark.parametrize(("path", "safe"), [(pair[0], pair[2]) for pair in PAIRS])
def test_its_twin_is_silent(path: str, safe: str) -> None:
    assert not _sure(path, safe)


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.vue", '<p v-html="page.body"></p>'), ("a.html", "{{ body|safe }}"), ("a.blade.php", "{!! $page->body !!}")],
)
def test_a_value_from_elsewhere_is_no_proof(path: str, text: str) -> None:
    (flow,) = template_flows(text, template_of(path))
    assert (flow.confidence, flow.trust) == (UNPROVEN, None)


@pytest.mark.parametrize("path", ["a.py", "a.php", "a.md", "vue", "blade.php"])
def test_other_files_are_no_templates(path: str) -> None:
    assert template_of(path) == ""


def test_hostile_texts_end() -> None:
    for text in ("{{" * 50_000, "<!--" * 50_000, '<p v-html="' + "a" * 200_000, "\0{!! \ud800 !!}"):
        assert not _sure("a.vue", text) + _sure("a.html", text) + _sure("a.blade.php", text)


def test_what_a_server_is_asked_for_is_not_what_it_is_asked_with() -> None:
    text = f'{_SETUP[:-10]}const post = await useFetch("/api/" + route.query.id)\n</script>\n<p v-html="post.body"></p>'
    assert [flow.confidence for flow in template_flows(text, template_of("a.vue"))] == [UNPROVEN]


def test_a_text_whose_line_breaks_become_tags_was_none_of_a_page() -> None:
    plain, broken = "@Html.Raw(Model.Body)\n", '@Html.Raw(Model.Body.Replace("\\n", "<br>"))\n'
    assert template_flows(broken, ".cshtml")[0].confidence > template_flows(plain, ".cshtml")[0].confidence


def test_blank_lines_and_open_comments_are_passed_over() -> None:
    """From every blank line to the end of the text would be billions of steps."""
    for padding, times in (("\t\n", 150_000), (" \n", 150_000), ("<!--\n", 4_000), ("{#\n", 4_000)):
        (flow,) = template_flows(padding * times + "div!= req.query.x\n", ".pug")
        assert flow.sink_line == times + 1
