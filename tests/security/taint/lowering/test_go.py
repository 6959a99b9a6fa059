"""Go: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.go import GRAMMAR, sends_html
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "sql by Sprintf in a handler",
        "sql",
        True,
        """
    package main
    import ("database/sql"; "fmt"; "net/http")
    func user(w http.ResponseWriter, r *http.Request) {
        id := r.URL.Query().Get("id")
        query := fmt.Sprintf("SELECT name FROM users WHERE id = '%s'", id)
        rows, err := db.Query(query)
        _ = rows
        _ = err
    }
        """,
        """
    package main
    import ("database/sql"; "net/http")
    func user(w http.ResponseWriter, r *http.Request) {
        id := r.URL.Query().Get("id")
        rows, err := db.Query("SELECT name FROM users WHERE id = $1", id)
        _ = rows
        _ = err
    }
        """,
    ),
    (
        "sql concatenation in a method",
        "sql",
        False,
        """
    package store
    func (s *Store) ByName(name string) (*sql.Rows, error) {
        return s.db.Query("SELECT * FROM users WHERE name = '" + name + "'")
    }
        """,
        """
    package store
    func (s *Store) ByName(name string) (*sql.Rows, error) {
        return s.db.Query("SELECT * FROM users WHERE name = ?", name)
    }
        """,
    ),
    (
        "sql order by an allow list",
        "sql",
        False,
        """
    package store
    func (s *Store) List(sort string) (*sql.Rows, error) {
        return s.db.QueryContext(ctx, "SELECT * FROM users ORDER BY "+sort)
    }
        """,
        """
    package store
    var columns = map[string]bool{"name": true, "age": true}
    func (s *Store) List(sort string) (*sql.Rows, error) {
        if !columns[sort] {
            return nil, errors.New("bad column")
        }
        return s.db.QueryContext(ctx, "SELECT * FROM users ORDER BY "+sort)
    }
        """,
    ),
    (
        "command by the shell",
        "command",
        True,
        """
    package main
    import ("net/http"; "os/exec")
    func ping(w http.ResponseWriter, r *http.Request) {
        host := r.FormValue("host")
        out, _ := exec.Command("sh", "-c", "ping -c 1 "+host).Output()
        _ = out
    }
        """,
        """
    package main
    import ("net/http"; "os/exec")
    func ping(w http.ResponseWriter, r *http.Request) {
        host := r.FormValue("host")
        out, _ := exec.Command("ping", "-c", "1", host).Output()
        _ = out
    }
        """,
    ),
    (
        "command in a plain function",
        "command",
        False,
        """
    package tool
    import "os/exec"
    func Archive(name string) ([]byte, error) {
        return exec.Command("bash", "-c", fmt.Sprintf("tar czf out.tgz %s", name)).CombinedOutput()
    }
        """,
        """
    package tool
    import ("os/exec"; "regexp")
    var safe = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
    func Archive(name string) ([]byte, error) {
        if !safe.MatchString(name) {
            return nil, errors.New("bad name")
        }
        return exec.Command("bash", "-c", fmt.Sprintf("tar czf out.tgz %s", name)).CombinedOutput()
    }
        """,
    ),
    (
        "program chosen by the request",
        "command",
        True,
        """
    package main
    import ("net/http"; "os/exec")
    func run(w http.ResponseWriter, r *http.Request) {
        cmd := exec.Command(r.URL.Query().Get("cmd"))
        cmd.Run()
    }
        """,
        """
    package main
    import ("net/http"; "os/exec")
    func run(w http.ResponseWriter, r *http.Request) {
        name := r.URL.Query().Get("cmd")
        switch name {
        case "uptime", "date":
        default:
            http.Error(w, "bad command", 400)
            return
        }
        cmd := exec.Command(name)
        cmd.Run()
    }
        """,
    ),
    (
        "html by Fprintf",
        "html",
        True,
        """
    package main
    import ("fmt"; "net/http")
    func hello(w http.ResponseWriter, r *http.Request) {
        name := r.URL.Query().Get("name")
        fmt.Fprintf(w, "<h1>Hello %s</h1>", name)
    }
        """,
        """
    package main
    import ("fmt"; "html"; "net/http")
    func hello(w http.ResponseWriter, r *http.Request) {
        name := r.URL.Query().Get("name")
        fmt.Fprintf(w, "<h1>Hello %s</h1>", html.EscapeString(name))
    }
        """,
    ),
    (
        "html by Write",
        "html",
        True,
        """
    package main
    import "net/http"
    func hello(w http.ResponseWriter, r *http.Request) {
        w.Write([]byte("<p>" + r.FormValue("q") + "</p>"))
    }
        """,
        """
    package main
    import ("html/template"; "net/http")
    func hello(w http.ResponseWriter, r *http.Request) {
        w.Write([]byte("<p>" + template.HTMLEscapeString(r.FormValue("q")) + "</p>"))
    }
        """,
    ),
    (
        "trusted html type",
        "html",
        False,
        """
    package view
    import "html/template"
    func Page(body string) template.HTML {
        return template.HTML("<div>" + body + "</div>")
    }
        """,
        """
    package view
    import "html/template"
    func Page(body string) template.HTML {
        return template.HTML("<div>" + template.HTMLEscapeString(body) + "</div>")
    }
        """,
    ),
    (
        "path of a download",
        "path",
        True,
        """
    package main
    import ("net/http"; "os"; "path/filepath")
    func download(w http.ResponseWriter, r *http.Request) {
        name := r.URL.Query().Get("file")
        data, err := os.ReadFile(filepath.Join("/srv/files", name))
        _, _ = data, err
    }
        """,
        """
    package main
    import ("net/http"; "os"; "path/filepath"; "strings")
    func download(w http.ResponseWriter, r *http.Request) {
        name := r.URL.Query().Get("file")
        full := filepath.Clean(filepath.Join("/srv/files", name))
        if !strings.HasPrefix(full, "/srv/files/") {
            http.Error(w, "bad path", http.StatusForbidden)
            return
        }
        data, err := os.ReadFile(full)
        _, _ = data, err
    }
        """,
    ),
    (
        "path in a plain function",
        "path",
        False,
        """
    package store
    import "os"
    func Load(name string) ([]byte, error) {
        return os.ReadFile("/srv/docs/" + name)
    }
        """,
        """
    package store
    import ("os"; "path/filepath")
    func Load(name string) ([]byte, error) {
        return os.ReadFile("/srv/docs/" + filepath.Base(name))
    }
        """,
    ),
    (
        "zip slip",
        "path",
        False,
        """
    package archive
    import ("archive/zip"; "os"; "path/filepath")
    func Extract(r *zip.Reader, target string) error {
        for _, f := range r.File {
            out, err := os.Create(filepath.Join(target, f.Name))
            if err != nil {
                return err
            }
            out.Close()
        }
        return nil
    }
        """,
        """
    package archive
    import ("archive/zip"; "os"; "path/filepath"; "strings")
    func Extract(r *zip.Reader, target string) error {
        for _, f := range r.File {
            path := filepath.Join(target, f.Name)
            if !strings.HasPrefix(path, filepath.Clean(target)+string(os.PathSeparator)) {
                return errors.New("bad entry")
            }
            out, err := os.Create(path)
            if err != nil {
                return err
            }
            out.Close()
        }
        return nil
    }
        """,
    ),
    (
        "request to a given address",
        "url",
        True,
        """
    package main
    import "net/http"
    func proxy(w http.ResponseWriter, r *http.Request) {
        resp, err := http.Get(r.URL.Query().Get("url"))
        _, _ = resp, err
    }
        """,
        """
    package main
    import ("net/http"; "net/url")
    var allowedHosts = map[string]struct{}{"api.example.com": {}}
    func proxy(w http.ResponseWriter, r *http.Request) {
        target, err := url.Parse(r.URL.Query().Get("url"))
        if err != nil {
            return
        }
        if _, ok := allowedHosts[target.Hostname()]; !ok {
            http.Error(w, "bad host", 400)
            return
        }
        resp, err := http.Get(target.String())
        _, _ = resp, err
    }
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    package main
    import "net/http"
    func next(w http.ResponseWriter, r *http.Request) {
        http.Redirect(w, r, r.FormValue("next"), http.StatusFound)
    }
        """,
        """
    package main
    import ("net/http"; "strings")
    func next(w http.ResponseWriter, r *http.Request) {
        target := r.FormValue("next")
        if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
            target = "/"
        }
        http.Redirect(w, r, target, http.StatusFound)
    }
        """,
    ),
    (
        "gin context",
        "sql",
        True,
        """
    package main
    import "github.com/gin-gonic/gin"
    func list(c *gin.Context) {
        name := c.Query("name")
        db.Raw("SELECT * FROM users WHERE name = '" + name + "'").Scan(&users)
    }
        """,
        """
    package main
    import "github.com/gin-gonic/gin"
    func list(c *gin.Context) {
        name := c.Query("name")
        db.Raw("SELECT * FROM users WHERE name = ?", name).Scan(&users)
    }
        """,
    ),
    (
        "ldap filter",
        "ldap",
        False,
        """
    package dir
    import "github.com/go-ldap/ldap/v3"
    func Find(conn *ldap.Conn, user string) {
        filter := fmt.Sprintf("(uid=%s)", user)
        req := ldap.NewSearchRequest("dc=example", 2, 0, 0, 0, false, filter, nil, nil)
        conn.Search(req)
    }
        """,
        """
    package dir
    import "github.com/go-ldap/ldap/v3"
    func Find(conn *ldap.Conn, user string) {
        filter := fmt.Sprintf("(uid=%s)", ldap.EscapeFilter(user))
        req := ldap.NewSearchRequest("dc=example", 2, 0, 0, 0, false, filter, nil, nil)
        conn.Search(req)
    }
        """,
    ),
    (
        "log line",
        "log",
        True,
        """
    package main
    import ("log"; "net/http")
    func visit(w http.ResponseWriter, r *http.Request) {
        log.Printf("user %s", r.FormValue("user"))
    }
        """,
        r"""
    package main
    import ("log"; "net/http"; "strings")
    func visit(w http.ResponseWriter, r *http.Request) {
        log.Printf("user %s", strings.ReplaceAll(r.FormValue("user"), "\n", ""))
    }
        """,
    ),
    (
        "template from input",
        "template",
        True,
        """
    package main
    import ("net/http"; "text/template")
    func page(w http.ResponseWriter, r *http.Request) {
        t, _ := template.New("x").Parse(r.FormValue("template"))
        t.Execute(w, nil)
    }
        """,
        """
    package main
    import ("html/template"; "net/http")
    func page(w http.ResponseWriter, r *http.Request) {
        t, _ := template.New("x").Parse("<p>{{.}}</p>")
        t.Execute(w, r.FormValue("template"))
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "go")
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


A, B = ir.Name(1, "a"), ir.Name(1, "b")


def _call(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Name(1, name), args)


def _method(receiver: ir.Expr, name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, receiver, name), args)


def _text(value: str) -> ir.Const:
    return ir.Const(1, value)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (_method(ir.Name(1, "slices"), "Contains", A, B), ir.Compare(1, "in", B, A)),
        (_method(ir.Name(1, "json"), "Unmarshal", A, B), _call("fill.done", ir.Walrus(1, B, A))),
        (_method(A, "BindJSON", B), _call("fill.done", ir.Walrus(1, B, _call("request.bound")))),
        (_method(A, "WriteString", B), ir.Walrus(1, A, ir.Join(1, (A, B)))),
        (
            _method(_method(ir.Name(1, "strings"), "NewReplacer", _text("\n"), _text("")), "Replace", A),
            _call("text.without_newlines", A),
        ),
        (_method(A, "Other", B), _method(A, "Other", B)),
    ],
)
def test_calls_get_their_plain_form(call: ir.Call, wanted: ir.Expr) -> None:
    assert GRAMMAR.idiom(call) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", True),
        ('w.Header().Set("Content-Type", "application/json")', False),
        ('w.Header().Set("X", "text/html")', True),
    ],
)
def test_the_content_type_tells(line: str, *, wanted: bool) -> None:
    tree = parse(f"package a\nfunc f(w http.ResponseWriter) {{\n{line}\nfmt.Fprint(w, x)\n}}", "go")
    assert tree is not None
    call = tree.root.find_all(kind="call_expression")[-1]
    assert sends_html(call) is wanted
