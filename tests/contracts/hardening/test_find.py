from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.contracts.hardening.find import Moves, added_hardening, find_hardening, is_worth_a_look
from leeboard.contracts.hardening.sign import BROAD, DEFAULT, FALLBACK, FLAG, GUARDS, RETRY, SIGNALS, SWALLOWED, TIMEOUT
from leeboard.testing.scenario import compared

LANGUAGES = (
    *("python", "javascript", "typescript", "tsx", "go", "java", "ruby", "php", "rust", "csharp", "kotlin", "c", "cpp"),
)

PYTHON: tuple[tuple[str, set[str]], ...] = (
    ("try:\n    f()\nexcept:\n    pass\n", {BROAD, SWALLOWED}),
    ("try:\n    f()\nexcept Exception as e:\n    log.warning(e)\n", {BROAD, SWALLOWED}),
    ("def g():\n    try:\n        return f()\n    except (ValueError, Exception):\n        return None\n", {BROAD, DEFAULT}),
    ("def g():\n    try:\n        return f()\n    except Exception as e:\n        return {'error': str(e)}\n", {BROAD}),
    ("try:\n    f()\nexcept requests.RequestException:\n    pass\n", {SWALLOWED}),
    ("try:\n    x = f()\nexcept OSError:\n    x = []\n", {DEFAULT}),
    ("with contextlib.suppress(Exception):\n    f()\n", {SWALLOWED}),
    (("def g():\n    for attempt in range(3):\n        try:\n            return f()\n        except HTTPError:\n"
     "            time.sleep(2 ** attempt)\n"), {RETRY}),
    (("def g():\n    while True:\n        try:\n            return f()\n        except ConnectionError:\n"
     "            sleep(1)\n"), {RETRY}),
    ("from tenacity import retry, stop_after_attempt\n\n@retry(stop=stop_after_attempt(3))\ndef f():\n    pass\n", {RETRY}),
    ("import backoff\n\n@backoff.on_exception(backoff.expo, E)\ndef f():\n    pass\n", {RETRY}),
    ("r = get(url, timeout=5)\n", {TIMEOUT}),
    ("s = Session(max_retries=3)\n", {RETRY}),
    ("def get(url, timeout: float = 5.0):\n    pass\n", {TIMEOUT}),
    ("def load_with_fallback(path):\n    pass\n", {FALLBACK}),
    ("if settings.feature_flags.new_export:\n    run()\n", {FLAG}),
    ("if use_legacy_parser:\n    run()\n", {FLAG}),
    ("FAST = os.environ.get('ENABLE_FAST_PATH')\n", {FLAG}),
    (("def f(a, b, c):\n    if not isinstance(a, int):\n        raise TypeError('a')\n    if b is None:\n        return None\n"
     "    if not isinstance(c, str):\n        raise TypeError('c')\n    return a\n"), {GUARDS}),
)  # fmt: skip
PYTHON_SILENT = (
    "try:\n    x = d['a']\nexcept KeyError:\n    x = None\n",
    "try:\n    import fast\nexcept ImportError:\n    fast = None\n",
    "def g(s):\n    try:\n        return int(s)\n    except ValueError:\n        return None\n",
    "try:\n    f()\nexcept Exception:\n    rollback()\n    raise\n",
    "try:\n    f()\nexcept Exception as e:\n    raise ExportError('x') from e\n",
    "try:\n    main()\nexcept Exception:\n    log.exception('x')\n    sys.exit(1)\n",
    "try:\n    os.remove(p)\nexcept FileNotFoundError:\n    pass\n",
    "# retry with a timeout and a fallback\nx = 1\n",
    "x = 'retry timeout=5 except Exception:'\n",
    'def f():\n    """Retry with timeout=5.\n\n    try:\n        x\n    except Exception:\n        pass\n    """\n',
    "for url in urls:\n    try:\n        fetch(url)\n    except HTTPError as e:\n        errors.append(e)\n    time.sleep(1)\n",
    "while not queue.done:\n    time.sleep(1)\n",
    "for entry in entries:\n    try:\n        add(entry)\n    except Invalid as e:\n        bad.append(e)\n",
    "raise TimeoutError('x')\n",
    "get(url, timeout=None)\n",
    "parser.add_argument('--timeout', type=int, required=True)\n",
    "def wait(timeout):\n    return clock.until(timeout)\n",
    "def f(a, b):\n    if a is None:\n        return None\n    if b is None:\n        return None\n    return a\n",
    ("def f(db):\n    a = db.one()\n    if a is None:\n        return None\n    b = db.two(a)\n    if b is None:\n"
    "        return None\n    c = db.three(b)\n    if c is None:\n        return None\n    return c\n"),
    "name = row.get('name') or 'unknown'\n",
    "home = os.environ['HOME']\n",
    "use = user_flags[0]\nflag = True\n",
)  # fmt: skip
SCRIPT: tuple[tuple[str, set[str]], ...] = (
    ("try { f() } catch (e) {}\n", {BROAD, SWALLOWED}),
    ("try { f() } catch { console.log('x') }\n", {BROAD, SWALLOWED}),
    ("function g() { try { return JSON.parse(s) } catch (e) { return null } }\n", {BROAD, DEFAULT}),
    ("function g() {\n  try {\n    return f()\n  } catch (err) {\n    console.error('failed', err);\n    return [];\n  }\n}\n", {BROAD, DEFAULT}),
    ("try { f() } catch (e) { setBusy(false); redraw() }\n", {BROAD}),
    ("load().catch(() => null);\n", {DEFAULT}),
    ("load().catch(() => {});\n", {SWALLOWED}),
    ("load().then(go).catch(console.error);\n", {SWALLOWED}),
    ("load().catch((e) => console.warn(e));\n", {SWALLOWED}),
    ("async function g() {\n  for (let i = 0; i < 3; i++) {\n    try { return await f() } catch (e) { await sleep(100 * i) }\n  }\n}\n", {RETRY}),
    ("async function g() {\n  let attempts = 0;\n  while (attempts < 5) {\n    const res = await fetch(u);\n    if (res.ok) return res;\n    attempts++;\n    await delay(100);\n  }\n}\n", {RETRY}),
    ("import pRetry from 'p-retry';\n", {RETRY}),
    ("axios.get(u, { timeout: 5000 });\n", {TIMEOUT}),
    ("const o = { maxRetries: 3 };\n", {RETRY}),
    ("const o = { 'timeout': 3 };\n", {TIMEOUT}),
    ("const fallbackUrl = pick(a);\n", {FALLBACK}),
    ("if (isFeatureEnabled('x')) { go() }\n", {FLAG}),
    ("const fast = process.env.ENABLE_FAST;\n", {FLAG}),
    ("function f(a, b, c) {\n  if (typeof a !== 'string') throw new TypeError('a');\n  if (b == null) return null;\n  if (!c) { return; }\n  return a;\n}\n", {GUARDS}),
)  # fmt: skip
SCRIPT_SILENT = (
    "try { f() } catch (e) { throw new AppError(e) }\n",
    "try { f() } catch (e) { if (e instanceof NotFound) { show404() } else { throw e } }\n",
    "app.get('/', async (q, r, next) => { try { await f() } catch (e) { next(e) } });\n",
    "try { f() } catch (e) { setError(e.message) }\n",
    "try { f() } catch (e) { return { ok: false, error: e } }\n",
    "load().catch(next);\n",
    "load().catch((e) => setError(e));\n",
    "load().catch((e) => { throw wrap(e) });\n",
    "// retry with timeout: 5\nconst a = 1;\n",
    "const s = 'catch (e) { retry() }';\n",
    "const timer = setTimeout(tick, 100); clearTimeout(timer);\n",
    "const timeout = setTimeout(tick, 100);\n",
    "const onRetry = () => refetch();\n",
    "const o = { retry: false, timeout: 0 };\n",
    "const name = user.name ?? 'unknown'; const b = c || [];\n",
    "for (const entry of entries) { add(entry); await sleep(5); }\n",
    "export async function getStaticPaths() { return { paths: [], fallback: false } }\n",
    "function f(a) {\n  if (!a) return null;\n  const b = load(a);\n  if (!b) return null;\n  const c = b.next;\n  if (!c) return null;\n  return c;\n}\n",
)  # fmt: skip
TYPED_SILENT = (
    "interface Options { timeout: number; retries?: number }\n",
    "function f(timeout: number): void { wait(timeout) }\n",
)
JSX_SILENT = ("const a = <Suspense fallback={<Spinner />}><B /></Suspense>;\n", "const a = <p>Please retry = later (timeout)</p>;\n")  # fmt: skip
GO: tuple[tuple[str, set[str]], ...] = (
    ("func f() error {\n\terr := g()\n\tif err != nil {\n\t\treturn nil\n\t}\n\treturn h()\n}\n", {DEFAULT}),
    ("func f() []string {\n\tx, err := g()\n\tif err != nil {\n\t\treturn []string{}\n\t}\n\treturn x\n}\n", {DEFAULT}),
    ("func f() {\n\tif err := g(); err != nil {\n\t\tlog.Println(err)\n\t}\n}\n", {SWALLOWED}),
    ("func f() {\n\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tlog.Println(r)\n\t\t}\n\t}()\n}\n", {BROAD}),
    ("func f() {\n\t_ = save(x)\n}\n", {SWALLOWED}),
    ("func f(s string) int {\n\tn, _ := strconv.Atoi(s)\n\treturn n\n}\n", {SWALLOWED}),
    ("func f() (*R, error) {\n\tfor i := 0; i < 3; i++ {\n\t\tr, err := get()\n\t\tif err == nil {\n\t\t\treturn r, nil\n\t\t}\n\t\ttime.Sleep(time.Second)\n\t}\n\treturn nil, errFailed\n}\n", {RETRY}),
    ("func f() {\n\tctx, cancel := context.WithTimeout(ctx, 5*time.Second)\n\tdefer cancel()\n}\n", {TIMEOUT}),
    ("var c = http.Client{Timeout: 5 * time.Second}\n", {TIMEOUT}),
    ('import "github.com/cenkalti/backoff/v4"\n', {RETRY}),
    ('func f() {\n\tif os.Getenv("USE_NEW_PATH") != "" {\n\t\tgo()\n\t}\n}\n', {FLAG}),
)  # fmt: skip
GO_SILENT = (
    ("func f() {\n\tfor {\n\t\tselect {\n\t\tcase <-ctx.Done():\n\t\t\treturn\n\t\tcase <-time.After(d):\n\t\t\tif x == nil {\n"
    "\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}\n"),
    "func f() error {\n\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
    'func f() (int, error) {\n\tx, err := g()\n\tif err != nil {\n\t\treturn 0, fmt.Errorf("x: %w", err)\n\t}\n\treturn x, nil\n}\n',
    "func f() (int, error) {\n\tx, err := g()\n\tif err != nil {\n\t\tlog.Println(err)\n\t\treturn 0, ErrBad\n\t}\n\treturn x, nil\n}\n",
    "func ok() bool {\n\t_, err := os.Stat(p)\n\tif err != nil {\n\t\treturn false\n\t}\n\treturn true\n}\n",
    "func f() {\n\tif err := g(); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n",
    'func h(w http.ResponseWriter) {\n\tif err := g(); err != nil {\n\t\thttp.Error(w, "bad", 400)\n\t\treturn\n\t}\n}\n',
    "func f() {\n\tfor _, x := range xs {\n\t\tif x == nil {\n\t\t\tcontinue\n\t\t}\n\t}\n\t_, ok := m[k]\n}\n",
    "func f() (n int, err error) {\n\tif n, err = g(); err != nil {\n\t\treturn\n\t}\n\treturn n, nil\n}\n",
    "func f() {\n\tdefer func() { _ = file.Close() }()\n}\n",
    "// retry with timeout\nfunc f() {}\n",
    "type Options struct {\n\tTimeout time.Duration\n}\n",
)  # fmt: skip
JAVA: tuple[tuple[str, set[str]], ...] = (
    ("class A { void f() { try { g(); } catch (Exception e) { } } }\n", {BROAD, SWALLOWED}),
    ('class A { void f() { try { g(); } catch (final Throwable t) { log.error("x", t); } } }\n', {BROAD, SWALLOWED}),
    ("class A { List<X> f() { try { return g(); } catch (IOException e) { return Collections.emptyList(); } } }\n", {DEFAULT}),
    ("class A { X f() { try { return g(); } catch (IOException | RuntimeException e) { return null; } } }\n", {BROAD, DEFAULT}),
    ("class A { void f() throws E {\n for (int attempt = 0; attempt < 3; attempt++) {\n try { g(); return; } catch (E e) { Thread.sleep(10); }\n } } }\n", {RETRY}),
    ("import io.github.resilience4j.retry.Retry;\n", {RETRY}),
    ("class A { C c = C.builder().connectTimeout(d).build(); }\n", {TIMEOUT}),
    ("class A {\n void f(X a, X b, X c) {\n Objects.requireNonNull(a);\n Objects.requireNonNull(b);\n Objects.requireNonNull(c);\n g(); } }\n", {GUARDS}),
)  # fmt: skip
JAVA_SILENT = (
    "class A { void f() { try { g(); } catch (Exception e) { throw new IllegalStateException(e); } } }\n",
    "class A { int f(String s) { try { return Integer.parseInt(s); } catch (NumberFormatException e) { return 0; } } }\n",
    "class A { void f() { try { g(); } catch (InterruptedException e) { Thread.currentThread().interrupt(); } } }\n",
    'class A { String s = "catch (Exception e) {}"; /* retry */ }\n',
    "class A { int f(Map<String, Integer> m) { return m.getOrDefault(k, 0); } }\n",
    "class A { void f(int timeout) { wait(timeout); } }\n",
)
KOTLIN: tuple[tuple[str, set[str]], ...] = (
    ("fun f() { try { g() } catch (e: Exception) { } }\n", {BROAD, SWALLOWED}),
    ("fun f() = try { g() } catch (e: IOException) { null }\n", {DEFAULT}),
    ("fun f(): Int { try { return g() } catch (e: Throwable) { return 0 } }\n", {BROAD, DEFAULT}),
    ("val x = runCatching { g() }.getOrNull()\n", {DEFAULT}),
    ("val c = Client(timeout = 5)\n", {TIMEOUT}),
)
KOTLIN_SILENT = (
    "fun f() { try { g() } catch (e: Exception) { throw AppError(e) } }\n",
    "fun f(s: String) = try { s.toInt() } catch (e: NumberFormatException) { null }\n",
    "val x = list.getOrNull(3)\n// catch (e: Exception)\n",
    "val y = map.getOrDefault(k, 0) ?: 1\n",
)
CSHARP: tuple[tuple[str, set[str]], ...] = (
    ("class A { void F() { try { G(); } catch { } } }\n", {BROAD, SWALLOWED}),
    ('class A { void F() { try { G(); } catch (Exception ex) { _logger.LogError(ex, "x"); } } }\n', {BROAD, SWALLOWED}),
    ("class A { X F() { try { return G(); } catch (System.IO.IOException) { return null; } } }\n", {DEFAULT}),
    ("using Polly;\n", {RETRY}),
    ("class A { C c = new C { Timeout = TimeSpan.FromSeconds(5) }; }\n", {TIMEOUT}),
)
CSHARP_SILENT = (
    "class A { void F() { try { G(); } catch (Exception e) { Log(e); throw; } } }\n",
    "class A { void F() { try { G(); } catch (Exception e) when (e.Code == 1) { Show(); } } }\n",
    "class A { int F(string s) { try { return int.Parse(s); } catch (FormatException) { return 0; } } }\n",
    "class A { string s = x ?? y; /* retry */ }\n",
)
PHP: tuple[tuple[str, set[str]], ...] = (
    ("<?php try { f(); } catch (\\Exception $e) { }\n", {BROAD, SWALLOWED}),
    ("<?php function g() { try { return f(); } catch (\\Throwable $e) { $this->logger->error($e); return []; } }\n", {BROAD, DEFAULT}),
    ("<?php $o = ['timeout' => 5];\n", {TIMEOUT}),
    ("<?php $x = @file_get_contents($u);\n", {SWALLOWED}),
    ("<?php function g() { for ($i = 0; $i < 3; $i++) { try { return f(); } catch (E $e) { sleep(1); } } }\n", {RETRY}),
)  # fmt: skip
PHP_SILENT = (
    "<?php try { f(); } catch (\\Exception $e) { throw new AppError($e); }\n",
    "<?php try { f(); } catch (NotFound $e) { return null; }\n",
    "<?php $x = $a ?? []; // retry\n",
    "<?php $s = 'catch (Exception $e)';\n",
)
RUBY: tuple[tuple[str, set[str]], ...] = (
    ("begin\n  f\nrescue => e\n  logger.error(e)\nend\n", {BROAD, SWALLOWED}),
    ("def g\n  f\nrescue StandardError\n  nil\nend\n", {BROAD, DEFAULT}),
    ("def g\n  f\nrescue\n  []\nend\n", {BROAD, DEFAULT}),
    ("x = f rescue nil\n", {DEFAULT}),
    ("begin\n  f\nrescue Bad\n  tries += 1\n  retry\nend\n", {RETRY}),
    ("c = Client.new(timeout: 5)\n", {TIMEOUT}),
)
RUBY_SILENT = (
    "begin\n  f\nrescue => e\n  raise AppError, e.message\nend\n",
    "def g(s)\n  Integer(s)\nrescue ArgumentError\n  nil\nend\n",
    "# rescue => e\nx = y || []\n",
    "def g\n  f\nrescue ActiveRecord::RecordNotFound\n  nil\nend\n",
)
RUST: tuple[tuple[str, set[str]], ...] = (
    ("fn f() { let _ = save(x); }\n", {SWALLOWED}),
    ("fn f() { save(x).ok(); }\n", {SWALLOWED}),
    ("fn f() -> u8 { match g() { Ok(v) => v, Err(_) => 0 } }\n", {DEFAULT}),
    ('fn f() { match g() { Ok(v) => use_it(v), Err(e) => eprintln!("{}", e), } }\n', {SWALLOWED}),
    ("fn f() -> u8 { s.parse().unwrap_or(0) }\n", {DEFAULT}),
    ("fn f() -> u8 { g().unwrap_or_else(|_| 0) }\n", {DEFAULT}),
    ("fn f() -> C { load(path).unwrap_or_default() }\n", {DEFAULT}),
    ("fn f() -> C { store.load_config()\n    .unwrap_or_default() }\n", {DEFAULT}),
    ("fn f() { let c = Client::builder().timeout(d).build(); }\n", {TIMEOUT}),
    ("fn f() { loop { match g() { Ok(v) => return v, Err(_) => sleep(d) } } }\n", {RETRY}),
)  # fmt: skip
RUST_SILENT = (
    "fn f() { if let Err(e) = g() { report(e); } }\n",
    'fn f() -> Result<(), E> { if let Err(e) = g() { warn!("x"); return Err(e); } Ok(()) }\n',
    "fn f() -> Result<u8, E> { let v = g()?; Ok(v) }\n",
    "fn f() -> Result<u8, E> { match g() { Ok(v) => Ok(v), Err(e) => Err(e.into()) } }\n",
    'fn f() { let _ = writeln!(out, "x"); let x = map.get(k).unwrap_or(&0); }\n',
    "fn f() { let v = opt.unwrap_or_else(|| 0); let y = g().ok()?; }\n",
    "fn f() { let x = map.get(k).copied().unwrap_or_default(); let y = it.next().unwrap_or_default(); }\n",
    "fn f() { let v = opt.unwrap_or_default(); let n = path.file_name().unwrap_or_default(); }\n",
    '// retry .ok();\nfn f() { match g() { Ok(v) => v, Err(e) => panic!("{}", e) }; }\n',
)
C: tuple[tuple[str, set[str]], ...] = (
    ("int f(void) { int timeout = 5; return g(); }\n", {TIMEOUT}),
    ("int f(void) { int i; for (i = 0; i < 3; i++) { int rc = g(); if (rc == 0) return 0; sleep(1); } return -1; }\n", {RETRY}),
    ("int f(char *a, char *b, char *c) {\n  if (!a) return -1;\n  if (b == NULL) return -1;\n  if (!c) { return -1; }\n  return g(a, b, c);\n}\n", {GUARDS}),
)  # fmt: skip
C_SILENT = (
    "/* retry timeout */ int f(void) { return 0; }\n",
    "int f(void) { char *a = malloc(1);\n if (!a) return -1;\n char *b = malloc(1);\n if (!b) return -1;\n char *c = malloc(1);\n if (!c) return -1;\n return 0; }\n",
    'int f(void) { puts("retry = timeout(5)"); for (int i = 0; i < n; i++) { sum += a[i]; } return 0; }\n',
)  # fmt: skip
CPP: tuple[tuple[str, set[str]], ...] = (
    ("int f() { try { g(); } catch (...) { } return 0; }\n", {BROAD, SWALLOWED}),
    ("int f() { try { return g(); } catch (const std::exception& e) { return 0; } }\n", {BROAD, DEFAULT}),
    ("void f() { try { g(); } catch (const std::runtime_error& e) { } client.setTimeout(5); }\n", {TIMEOUT}),
)
CPP_SILENT = (
    "int f() { try { g(); } catch (...) { cleanup(); throw; } return 0; }\n",
    "int f() { try { return std::stoi(s); } catch (const std::invalid_argument&) { return 0; } }\n",
    "// catch (...) retry\nint f() { return 0; }\n",
)

FIRES = [
    *(("python", *case) for case in PYTHON),
    *((language, *case) for language in ("javascript", "typescript", "tsx") for case in SCRIPT),
    *(("go", *case) for case in GO),
    *(("java", *case) for case in JAVA),
    *(("kotlin", *case) for case in KOTLIN),
    *(("csharp", *case) for case in CSHARP),
    *(("php", *case) for case in PHP),
    *(("ruby", *case) for case in RUBY),
    *(("rust", *case) for case in RUST),
    *(("c", *case) for case in C),
    *(("cpp", *case) for case in (*CPP, *C)),
]
SILENT = [
    *(("python", text) for text in PYTHON_SILENT),
    *((language, text) for language in ("javascript", "typescript", "tsx") for text in SCRIPT_SILENT),
    *((language, text) for language in ("typescript", "tsx") for text in TYPED_SILENT),
    *((language, text) for language in ("javascript", "tsx") for text in JSX_SILENT),
    *(("go", text) for text in GO_SILENT),
    *(("java", text) for text in JAVA_SILENT),
    *(("kotlin", text) for text in KOTLIN_SILENT),
    *(("csharp", text) for text in CSHARP_SILENT),
    *(("php", text) for text in PHP_SILENT),
    *(("ruby", text) for text in RUBY_SILENT),
    *(("rust", text) for text in RUST_SILENT),
    *(("c", text) for text in C_SILENT),
    *(("cpp", text) for text in (*CPP_SILENT, *C_SILENT)),
]


def _fresh(text: str) -> dict[int, str]:
    return {number: line for number, line in enumerate(text.splitlines(), 1) if line.strip()}


@pytest.mark.parametrize(("language", "text", "signals"), FIRES)
def test_it_is_found(language: str, text: str, signals: set[str]) -> None:
    assert {one.signal for one in find_hardening(text, language)} == signals


@pytest.mark.parametrize(("language", "text", "signals"), FIRES)
def test_the_gate_lets_it_through(language: str, text: str, signals: set[str]) -> None:
    assert {one.signal for one in added_hardening("src/x", language, ("", text), _fresh(text))} == signals
    assert is_worth_a_look(text, language)


@pytest.mark.parametrize(("language", "text"), SILENT)
def test_ordinary_code_is_silent(language: str, text: str) -> None:
    assert find_hardening(text, language) == ()


def _added(before: str, after: str, language: str = "python") -> list[tuple[str, int]]:
    change = compared({"src/x": before}, {"src/x": after})
    fresh = Moves(change).fresh(change.files[0])
    return [(one.signal, one.line) for one in added_hardening("src/x", language, (before, after), fresh)]


_HANDLED = "try:\n    f()\nexcept Exception:\n    pass\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("x = 1\n", f"x = 1\n{_HANDLED}", [(BROAD, 4), (SWALLOWED, 4)]),
        (_HANDLED, f"{_HANDLED}x = 1\n", []),
        (_HANDLED, _HANDLED.replace("Exception:", "Exception as error:"), []),
        (_HANDLED, f"def g():\n{''.join(f'    {line}' for line in _HANDLED.splitlines(keepends=True))}", []),
        (_HANDLED, f"{_HANDLED}{_HANDLED}", [(BROAD, 7), (SWALLOWED, 7)]),
        ("get(url, timeout=5)\n", "get(address, timeout=5)\n", []),
        ("get(url)\n", "get(url, timeout=5)\n", [(TIMEOUT, 1)]),
    ],
)
def test_only_what_is_new_counts(before: str, after: str, expected: list[tuple[str, int]]) -> None:
    assert _added(before, after) == expected


@pytest.mark.parametrize(("language", "text", "signals"), FIRES)
def test_the_ends_of_lines_do_not_matter(language: str, text: str, signals: set[str]) -> None:
    assert {one.signal for one in find_hardening(text.replace("\n", "\r\n"), language)} == signals


def test_three_guards_must_be_new() -> None:
    def guarded(*names: str) -> str:
        guards = "".join(f"    if {name} is None:\n        raise TypeError\n" for name in names)
        return f"def f(a, b, c):\n{guards}    return a\n"

    assert _added(guarded("a", "b"), guarded("a", "b", "c")) == []
    assert _added(guarded(), guarded("a", "b", "c")) == [(GUARDS, 2)]


def test_other_languages_are_read_by_their_words() -> None:
    assert _added("x\n", "x\nlocal retry = 3\n", "") == [(RETRY, 2)]


def test_what_no_one_wrote_by_hand_is_not_read() -> None:
    assert find_hardening("x = 1\n" * 100_000 + _HANDLED, "python") == ()
    assert [one.signal for one in find_hardening("x" * 20_000 + "\n" + _HANDLED, "python")] == [BROAD, SWALLOWED]


_WORDS = (
    *(
        "try",
        "catch",
        "except Exception:",
        "rescue",
        "retry",
        "timeout=",
        "fallback",
        "if",
        "err != nil",
        "{",
        "}",
        "(",
    ),
    *(")", "\n", "    ", "for", "while", "return", "None", "null", "Err(_) =>", "let _ = f();", ".ok();", "\x00", "'"),
    *(
        '"',
        "#",
        "/*",
        ".catch(",
        "=> {",
        "def f(a):",
        "func f() {",
        "é😀",
        "\ud800",
        "<?php",
        "sleep(1)",
        "process.env.",
    ),
)


@given(st.sampled_from(LANGUAGES), st.lists(st.sampled_from(_WORDS), max_size=40).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_half_code_never_raises(language: str, text: str) -> None:
    assert {one.signal for one in find_hardening(text, language)} <= set(SIGNALS)
    last = len(text.split("\n"))
    assert all(1 <= line <= last for one in find_hardening(text, language) for line in one.lines)


@given(st.sampled_from((*LANGUAGES, "", "bash", "yaml")), st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_garbage_never_raises(language: str, text: str) -> None:
    added_hardening("src/x", language, (text, text + _HANDLED), _fresh(text + _HANDLED))
