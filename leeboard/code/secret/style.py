"""What kind of file a line stands in, and with it what a value without quotes can be there."""

from __future__ import annotations

from typing import Literal

from leeboard.model.pattern import lazy

Style = Literal["code", "shell", "config", "prose", "style", "lock", "shell line", "any"]
"""`any`: whatever one of the others would take for a secret is one. `style`: sheets, maps, minified and drawn things,
where only formats and key blocks count. `lock`: digests by trade."""

_SUFFIXES: dict[Style, frozenset[str]] = {
    "code": frozenset(
        """
        py pyi pyx js jsx mjs cjs ts tsx mts cts java kt kts scala groovy gradle go rs rb rake erb php phtml c h cc
        cpp cxx hpp hh m mm cs fs vb swift dart lua pl pm r jl ex exs erl hrl clj cljs cljc hs ml mli elm nim zig v
        sol proto thrift graphql vue svelte jsp asp aspx cshtml ejs hbs sql ps1 psm1 psd1 tf tfvars hcl bicep cr d
        pas dpr f90 asm s coffee as feature sc ipynb ino
        """.split()
    ),
    "shell": frozenset("sh bash zsh ksh fish bat cmd command dockerfile mk makefile expect exp tcl".split()),
    "config": frozenset(
        """
        yaml yml json json5 jsonc xml plist ini cfg conf config properties props env toml netrc npmrc pypirc cnf
        service unit desktop reg inf editorconfig nix settings sls j2 tpl template tmpl erb dist example sample
        local pgpass htaccess csproj vbproj nuspec pom har postman_collection
        """.split()
    ),
    "prose": frozenset(
        "md markdown rst txt adoc asciidoc textile tex html htm xhtml log out csv tsv patch diff eml wiki pod".split()
    ),
    "style": frozenset(
        "css scss sass less styl svg map wasm snap ics pdf ttf woff woff2 eot po pot mo strings xlf xliff resx".split()
    ),
    "lock": frozenset("lock sum lockfile sha1 sha256 md5 asc sig sri integrity".split()),
}
_LOCK_NAMES = frozenset(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml composer.lock poetry.lock pipfile.lock cargo.lock
    go.sum gemfile.lock packages.lock.json flake.lock mix.lock podfile.lock pubspec.lock uv.lock deno.lock bun.lock
    """.split()
)
_SHELL_NAMES = frozenset("dockerfile makefile containerfile vagrantfile jenkinsfile procfile justfile".split())
_MINIFIED = lazy(r"(?i)[.\-]min\.(?:js|css|mjs)\Z|\.(?:bundle|chunk)\.js\Z")
_TRANSLATED = lazy(
    r"(?i)(?:\A|/)(?:i18n|l10n|locales?|translations?|lang|langs|languages|lc_messages|nls)(?:/|\Z)|"
    r"messages[_\-][a-z]{2}"
)
_SAMPLE = lazy(
    r"(?i)(?:\A|/)(?:examples?|samples?|demos?|docs?|documentation|tutorials?|fixtures?|testdata|mocks?|"
    r"templates?)/"
)
_SAMPLE_FILE = lazy(
    r"(?i)[.\-_](?:examples?|samples?|template|dist|tmpl|tpl)(?:\.|\Z)|\A(?:examples?|samples?)(?:[\-_]?\d{1,3})?\."
)
_SCRATCH = lazy(r"(?i)(?:/private)?(?:/var)?/tmp/|[a-z]:/(?:users/[^/]{1,60}/appdata/local/|windows/)?temp/|/dev/shm/")
_ENV_FILE = lazy(r"(?:\A|/)\.env(?:\.[\w\-.]{1,40})?\Z|(?:\A|/)[\w\-]{1,40}\.env\Z")


def style_of(path: str) -> Style:
    """By its name alone; a shell line has none."""
    if not path:
        return "shell line"
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if name in _LOCK_NAMES:
        return "lock"
    if _MINIFIED.search(name):
        return "style"
    if name in _SHELL_NAMES or name.startswith(("dockerfile.", "makefile.")):
        return "shell"
    suffix = name.rsplit(".", 1)[-1]
    for style, suffixes in _SUFFIXES.items():
        if suffix in suffixes:
            return style
    return "config" if name.startswith(".") or "." not in name else "prose"


def is_translation(path: str) -> bool:
    """Texts for people, in their languages."""
    return bool(_TRANSLATED.search(path))


def is_sample(path: str) -> bool:
    """Shown, not run: examples, documents, fixtures, templates."""
    return bool(_SAMPLE.search(path)) or is_sample_file(path)


def is_sample_file(path: str) -> bool:
    """The file's own name says so: `.env.example`, `service.examples.json`."""
    return bool(_SAMPLE_FILE.search(path.rpartition("/")[2]))


def is_scratch(path: str) -> bool:
    """In a folder of the system for what is thrown away: nobody commits from there."""
    return bool(_SCRATCH.match(path.replace("\\", "/")))


def is_env_file(path: str) -> bool:
    """`.env` and its siblings, `.env.example` among them."""
    return ".env" in path and bool(_ENV_FILE.search(path.replace("\\", "/")))
