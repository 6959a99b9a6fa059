"""C#: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "query string into a command",
        "sql",
        True,
        """
    public class UsersController : Controller {
      [HttpGet]
      public IActionResult Find() {
        var name = Request.Query["name"];
        var cmd = new SqlCommand("SELECT * FROM Users WHERE Name = '" + name + "'", conn);
        return Ok(cmd.ExecuteReader());
      }
    }
        """,
        """
    public class UsersController : Controller {
      [HttpGet]
      public IActionResult Find() {
        var name = Request.Query["name"];
        var cmd = new SqlCommand("SELECT * FROM Users WHERE Name = @name", conn);
        cmd.Parameters.AddWithValue("@name", name);
        return Ok(cmd.ExecuteReader());
      }
    }
        """,
    ),
    (
        "action parameter into raw sql",
        "sql",
        True,
        """
    public class UsersController : Controller {
      [HttpGet("{id}")]
      public IActionResult Get(string id) {
        return Ok(_context.Users.FromSqlRaw($"SELECT * FROM Users WHERE Id = {id}"));
      }
    }
        """,
        """
    public class UsersController : Controller {
      [HttpGet("{id}")]
      public IActionResult Get(string id) {
        return Ok(_context.Users.FromSqlRaw("SELECT * FROM Users WHERE Id = {0}", id));
      }
    }
        """,
    ),
    (
        "plain method into a process",
        "command",
        False,
        """
    public class Tool {
      public void Ping(string host) {
        Process.Start("cmd.exe", "/c ping " + host);
      }
    }
        """,
        """
    public class Tool {
      public void Ping(string host) {
        if (!Regex.IsMatch(host, "^[a-z0-9.]+$")) {
          throw new ArgumentException("host");
        }
        Process.Start("cmd.exe", "/c ping " + host);
      }
    }
        """,
    ),
    (
        "path",
        "path",
        True,
        """
    public class FilesController : Controller {
      [HttpGet]
      public IActionResult Load([FromQuery] string name) {
        return Ok(System.IO.File.ReadAllText(Path.Combine("/srv/files", name)));
      }
    }
        """,
        """
    public class FilesController : Controller {
      [HttpGet]
      public IActionResult Load([FromQuery] string name) {
        var full = Path.GetFullPath(Path.Combine("/srv/files", name));
        if (!full.StartsWith("/srv/files/")) {
          return BadRequest();
        }
        return Ok(System.IO.File.ReadAllText(full));
      }
    }
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    public class AuthController : Controller {
      [HttpGet]
      public IActionResult Go(string next) {
        return Redirect(next);
      }
    }
        """,
        """
    public class AuthController : Controller {
      [HttpGet]
      public IActionResult Go(string next) {
        if (!Url.IsLocalUrl(next)) {
          return RedirectToAction("Index");
        }
        return Redirect(next);
      }
    }
        """,
    ),
    (
        "address of a request",
        "url",
        True,
        """
    public class ProxyController : Controller {
      [HttpGet]
      public async Task<string> Get(string url) {
        return await httpClient.GetStringAsync(url);
      }
    }
        """,
        """
    public class ProxyController : Controller {
      private static readonly HashSet<string> Hosts = new HashSet<string> { "api.example.com" };
      [HttpGet]
      public async Task<string> Get(string url) {
        var target = new Uri(url);
        if (!Hosts.Contains(target.Host)) {
          throw new ArgumentException("host");
        }
        return await httpClient.GetStringAsync(target);
      }
    }
        """,
    ),
    (
        "deserialisation",
        "deserialise",
        False,
        """
    public class Store {
      public object Load(Stream stream) {
        var formatter = new BinaryFormatter();
        return formatter.Deserialize(stream);
      }
    }
        """,
        """
    public class Store {
      public object Load(Stream stream) {
        return JsonSerializer.Deserialize<Settings>(stream);
      }
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "csharp")
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
