"""Java: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "servlet parameter into a statement",
        "sql",
        True,
        """
    import java.sql.*;
    public class Login extends HttpServlet {
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String name = request.getParameter("name");
        Statement stmt = connection.createStatement();
        ResultSet rs = stmt.executeQuery("SELECT * FROM users WHERE name = '" + name + "'");
      }
    }
        """,
        """
    import java.sql.*;
    public class Login extends HttpServlet {
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String name = request.getParameter("name");
        PreparedStatement stmt = connection.prepareStatement("SELECT * FROM users WHERE name = ?");
        stmt.setString(1, name);
        ResultSet rs = stmt.executeQuery();
      }
    }
        """,
    ),
    (
        "spring parameter into a template query",
        "sql",
        True,
        """
    @RestController
    class Users {
      @GetMapping("/u")
      public List<User> find(@RequestParam String name) {
        StringBuilder sql = new StringBuilder("SELECT * FROM users WHERE name = '");
        sql.append(name).append("'");
        return jdbcTemplate.query(sql.toString(), mapper);
      }
    }
        """,
        """
    @RestController
    class Users {
      @GetMapping("/u")
      public List<User> find(@RequestParam String name) {
        return jdbcTemplate.query("SELECT * FROM users WHERE name = ?", mapper, name);
      }
    }
        """,
    ),
    (
        "plain method into a command",
        "command",
        False,
        """
    class Tool {
      public Process ping(String host) throws IOException {
        return Runtime.getRuntime().exec("ping -c 1 " + host);
      }
    }
        """,
        """
    class Tool {
      private static final Pattern HOST = Pattern.compile("[a-z0-9.]+");
      public Process ping(String host) throws IOException {
        if (!HOST.matcher(host).matches()) {
          throw new IllegalArgumentException("host");
        }
        return Runtime.getRuntime().exec("ping -c 1 " + host);
      }
    }
        """,
    ),
    (
        "shell through a builder",
        "command",
        False,
        """
    class Tool {
      public Process run(String file) throws IOException {
        ProcessBuilder pb = new ProcessBuilder("sh", "-c", "cat " + file);
        return pb.start();
      }
    }
        """,
        """
    class Tool {
      public Process run(String file) throws IOException {
        ProcessBuilder pb = new ProcessBuilder("cat", file);
        return pb.start();
      }
    }
        """,
    ),
    (
        "path of a download",
        "path",
        True,
        """
    @RestController
    class Files2 {
      @GetMapping("/f")
      public byte[] load(@RequestParam("name") String name) throws IOException {
        return Files.readAllBytes(Paths.get("/srv/files", name));
      }
    }
        """,
        """
    @RestController
    class Files2 {
      @GetMapping("/f")
      public byte[] load(@RequestParam("name") String name) throws IOException {
        Path base = Paths.get("/srv/files").toAbsolutePath().normalize();
        Path file = base.resolve(name).normalize();
        if (!file.startsWith(base)) {
          throw new SecurityException("path");
        }
        return Files.readAllBytes(file);
      }
    }
        """,
    ),
    (
        "html of a servlet",
        "html",
        True,
        """
    class Hello extends HttpServlet {
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PrintWriter out = response.getWriter();
        out.println("<h1>" + request.getParameter("name") + "</h1>");
      }
    }
        """,
        """
    class Hello extends HttpServlet {
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PrintWriter out = response.getWriter();
        out.println("<h1>" + HtmlUtils.htmlEscape(request.getParameter("name")) + "</h1>");
      }
    }
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    class Go extends HttpServlet {
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendRedirect(request.getParameter("next"));
      }
    }
        """,
        """
    class Go extends HttpServlet {
      private static final Set<String> PAGES = Set.of("/home", "/profile");
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String next = request.getParameter("next");
        if (!PAGES.contains(next)) {
          next = "/home";
        }
        response.sendRedirect(next);
      }
    }
        """,
    ),
    (
        "deserialisation",
        "deserialise",
        False,
        """
    class Store {
      public Object load(InputStream in) throws Exception {
        ObjectInputStream ois = new ObjectInputStream(in);
        return ois.readObject();
      }
    }
        """,
        """
    class Store {
      public Object load(InputStream in) throws Exception {
        return mapper.readValue(in, Settings.class);
      }
    }
        """,
    ),
    (
        "entities in xml",
        "xxe",
        False,
        """
    class Xml {
      public Document load(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return factory.newDocumentBuilder().parse(in);
      }
    }
        """,
        """
    class Xml {
      public Document load(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(in);
      }
    }
        """,
    ),
    (
        "address of a request",
        "url",
        True,
        """
    @RestController
    class Proxy {
      @GetMapping("/p")
      public String get(@RequestParam String url) throws IOException {
        return new String(new URL(url).openStream().readAllBytes());
      }
    }
        """,
        """
    @RestController
    class Proxy {
      private static final Set<String> HOSTS = Set.of("api.example.com");
      @GetMapping("/p")
      public String get(@RequestParam String url) throws IOException {
        URL target = new URL(url);
        if (!HOSTS.contains(target.getHost())) {
          throw new SecurityException("host");
        }
        return new String(target.openStream().readAllBytes());
      }
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "java")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= 0.55
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}
