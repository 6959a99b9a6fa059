"""Ways that frameworks of today open from a request to a sink: each with a twin that does no harm."""

from __future__ import annotations

import pytest

from leeboard.rules.injection import DENIED_ABOVE
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_FASTAPI = "from fastapi import FastAPI\nfrom fastapi.responses import HTMLResponse\nimport html\napp = FastAPI()\n"
_SPRING = """
import org.springframework.web.bind.annotation.*;
import org.springframework.core.io.*;
import java.nio.file.*;
@RestController
public class Files_ {
"""
_LARAVEL = "<?php\nuse Illuminate\\Http\\Request;\nclass FileController extends Controller {\n"
_BUN = 'import { $ } from "bun";\nBun.serve({ async fetch(req) {\n  const h = new URL(req.url).searchParams.get("h");\n'
PAIRS = (
    (
        "a page of a route that answers HTML",
        "python",
        f'{_FASTAPI}@app.get("/", response_class=HTMLResponse)\ndef hi(name: str):\n    return f"<b>{{name}}</b>"\n',
        f'{_FASTAPI}@app.get("/")\ndef hi(name: str):\n    return f"<b>{{name}}</b>"\n',
    ),
    (
        "the same, escaped",
        "python",
        f'{_FASTAPI}@app.get("/", response_class=HTMLResponse)\ndef hi(name: str):\n    return "<b>" + name\n',
        f'{_FASTAPI}@app.get("/", response_class=HTMLResponse)\ndef hi(name: str):\n    return "<b>" + html.escape(name)\n',
    ),
    (
        "a text that is the body of an answer",
        "java",
        f'{_SPRING}@GetMapping("/a") public String a(@RequestParam String n) {{ return "<h1>" + n + "</h1>"; }}}}\n',
        f'{_SPRING}@GetMapping("/a") public String a(@RequestParam String n) {{ return "profile/" + n; }}}}\n',
    ),
    (
        "a resource by its name",
        "java",
        f"""{_SPRING}@GetMapping("/d") public Resource d(@RequestParam String n) throws Exception {{
  Path p = Paths.get("/data").resolve(n);
  return new UrlResource(p.toUri());
}}}}
""",
        f"""{_SPRING}@GetMapping("/d") public Resource d(@RequestParam String n) throws Exception {{
  Path p = Paths.get("/data").resolve(n).normalize();
  if (!p.startsWith("/data/")) {{ throw new IllegalArgumentException(); }}
  return new UrlResource(p.toUri());
}}}}
""",
    ),
    (
        "a file by the parts of its path",
        "java",
        f"""{_SPRING}@GetMapping("/d") public Object d(@RequestParam String n) throws Exception {{
  return Files.readAllBytes(Paths.get("/data", n));
}}}}
""",
        f"""{_SPRING}@GetMapping("/d") public Object d(@RequestParam int n, @PathVariable("i") Long i) throws Exception {{
  return Files.readAllBytes(Paths.get("/data", n + "-" + i));
}}}}
""",
    ),
    (
        "a number that a mark binds",
        "csharp",
        'class A : ControllerBase { [HttpGet("/a")] public object F([FromQuery] string n) { return File.ReadAllText("/d/" + n); } }',
        'class A : ControllerBase { [HttpGet("/a")] public object F([FromQuery] int n, [FromRoute(Name = "i")] Guid i) { return File.ReadAllText("/d/" + n + i); } }',
    ),
    (
        "a header that redirects, in a servlet",
        "java",
        f'{_SPRING}@GetMapping("/g") public void g(@RequestParam String n, HttpServletResponse response) {{ response.setHeader("Location", n); }}}}',
        f'{_SPRING}@GetMapping("/g") public void g(@RequestParam String n, HttpServletResponse response) {{ response.setHeader("Location", "/u/" + n); }}}}',
    ),
    (
        "a header that redirects, in Express",
        "javascript",
        "app.get('/g', (req, res) => { res.status(302).set('Location', req.query.next); res.setHeader('Location', req.query.next); });",
        "app.get('/g', (req, res) => { res.setHeader('Location', '/u/' + req.query.next); });",
    ),
    (
        "an exported handler that is given an address",
        "typescript",
        "import { exec } from 'child_process';\nexport async function GET({ url }) { exec('ping ' + url.searchParams.get('h')); }",
        "import { execFile } from 'child_process';\nexport async function GET({ url }) { execFile('ping', [url.searchParams.get('h')]); }",
    ),
    (
        "a page with markup around its code",
        "php",
        "<h1>Hi <?= $_GET['n'] ?></h1>\n<?php if ($a): ?><b><?php echo $_GET['m'] ?></b><?php endif; ?>",
        "<h1>Hi <?= htmlspecialchars($_GET['n']) ?></h1>\n<?php if ($a): ?><b>$_GET['m']</b><?php endif; ?>",
    ),
    (
        "a function that the request names",
        "php",
        "<?php call_user_func($_GET['f'], $rows);",
        "<?php class A { function f() { $this->q = $_GET['q']; return array_map([$this, 'shown'], $this->rows); } }",
    ),
    (
        "a number of another library",
        "php",
        "<?php echo '<b>' . $_GET['n'];",
        "<?php echo '<b>' . absint($_GET['n']) . number_format_i18n($_GET['n']);",
    ),
    (
        "a download by its name",
        "php",
        f"{_LARAVEL}  function a(Request $r) {{ return response()->download(storage_path('app/' . $r->input('f'))); }}\n}}",
        f"{_LARAVEL}  function a(Request $r) {{ return response()->download(storage_path('app/' . basename($r->input('f')))); }}\n}}",
    ),
    (
        "a second shell inside of one that quotes",
        "typescript",
        f'{_BUN}  return new Response(await $`sh -c ${{"ping " + h}}`.text());\n}}}});\n',
        f"{_BUN}  return new Response(await $`ping -c 1 ${{h}}`.text());\n}}}});\n",
    ),
    (
        "what is called raw for a shell",
        "typescript",
        f"{_BUN}  await $`${{{{ raw: h }}}}`;\n}}}});\n",
        f"{_BUN}  await $`echo ${{h}}`;\n}}}});\n",
    ),
    (
        "search parameters in a component",
        "tsx",
        (
            "import { useSearchParams } from 'next/navigation';\nexport default function P() {\n"
            "  const q = useSearchParams().get('q');\n  return <p dangerouslySetInnerHTML={{ __html: q }} />;\n}\n"
        ),
        (
            "import { useSearchParams } from 'next/navigation';\nexport default function P() {\n"
            "  const q = useSearchParams().get('q');\n  return <p>{q}</p>;\n}\n"
        ),
    ),
    (
        "search parameters of a page",
        "tsx",
        (
            "export default async function P({ searchParams }: { searchParams: Promise<{ q: string }> }) {\n"
            "  const { q } = await searchParams;\n  return <p dangerouslySetInnerHTML={{ __html: q }} />;\n}\n"
        ),
        (
            "import DOMPurify from 'dompurify';\n"
            "export default async function P({ searchParams }: { searchParams: Promise<{ q: string }> }) {\n"
            "  const { q } = await searchParams;\n"
            "  return <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(q) }} />;\n}\n"
        ),
    ),
)


def _confidences(code: str, language: str) -> list[float]:
    tree = parse(code, language)
    assert tree is not None
    return [flow.confidence for flow in find_flows(tree)]


@pytest.mark.parametrize(("language", "unsafe"), [pytest.param(*pair[1:3], id=pair[0]) for pair in PAIRS])
def test_a_request_reaches_a_sink(language: str, unsafe: str) -> None:
    assert max(_confidences(unsafe, language), default=0) > DENIED_ABOVE


@pytest.mark.parametrize(("language", "safe"), [pytest.param(pair[1], pair[3], id=pair[0]) for pair in PAIRS])
def test_its_twin_is_silent(language: str, safe: str) -> None:
    assert max(_confidences(safe, language), default=0) <= DENIED_ABOVE


@pytest.mark.parametrize(
    ("given", "is_said"),
    [
        ("$r->all()", True),
        ("$r->only(['name'])", False),
        ("$r->validated()", False),
        ("['name' => $r->input('name')]", False),
    ],
)
def test_a_record_is_filled_with_whatever_was_sent(given: str, is_said: bool) -> None:  # noqa: FBT001 - a column
    code = f"{_LARAVEL}  function a(Request $r, User $u) {{ $u->forceFill({given})->save(); }}\n}}"
    assert bool(_confidences(code, "php")) == is_said
