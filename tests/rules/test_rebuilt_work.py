"""C2: the session's own work, done again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.app.replay import RecordedFiles
from leeboard.model.event import SessionStarted
from leeboard.model.ledger import Entry, Kind
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import discover
from leeboard.rules.rebuilt_work import holds
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

RULES = tuple(rule for rule in discover() if rule.id == "rebuilt_work")

SLUG = """def slugify(title, limit=60):
    plain = unicodedata.normalize('NFKD', title).encode('ascii', 'ignore').decode()
    words = re.findall(r'[a-z0-9]+', plain.lower())
    slug = '-'.join(words)
    if len(slug) > limit:
        slug = slug[:limit].rsplit('-', 1)[0]
    return slug or 'untitled'
"""
AGAIN = SLUG.replace("plain", "text").replace("words", "parts")
DIFFERENT = """def slugify(node, depth, seen):
    if node.id in seen or depth > MAX_DEPTH:
        raise GraphError(node.id)
    seen.add(node.id)
    for edge in node.edges:
        visit(edge.target, depth + 1, seen)
    return sum(edge.weight for edge in node.edges)
"""
LOOSE = """def slugify(title, limit=60):
    plain = unicodedata.normalize('NFKD', title).encode('ascii', 'ignore').decode()
    out = []
    for letter in plain.lower():
        if letter.isalnum():
            out.append(letter)
        elif out and out[-1] != '-':
            out.append('-')
    return ''.join(out)[:limit].strip('-') or 'untitled'
"""
JS = """export function debounce(run, wait) {
  let timer = null;
  return function (...args) {
    if (timer) {
      clearTimeout(timer);
    }
    timer = setTimeout(() => {
      timer = null;
      run.apply(this, args);
    }, wait);
  };
}
"""
GO = """package text

func Wrap(line string, width int) []string {
	var out []string
	words := strings.Fields(line)
	current := ""
	for _, word := range words {
		if len(current)+len(word)+1 > width && current != "" {
			out = append(out, current)
			current = ""
		}
		current = strings.TrimSpace(current + " " + word)
	}
	return append(out, current)
}
"""
STUB = "def slugify(title, limit=60):\n    raise NotImplementedError\n"
CHECKED = """limits = load_limits(order.shop)
    if limits is None:
        raise MissingLimits(order.shop)
    if order.total > limits.most:
        raise TooMuch(order.total, limits.most)
    log.info('order %s is within %s', order.id, limits)
"""
GO_CHECKED = """var limits = loadLimits(shop)

func init() {
	if limits == nil {
		panic(missingLimits(shop))
	}
	log.Info("limits", limits.Most, limits.Least)
}
"""
TWO_PLACES = (
    "@ check the limits",
    "write shop/api.py | a = 1\nb = 2\nc = 3\n",
    "read a.py",
    f"edit shop/api.py | a = 1 => {CHECKED}",
    "read b.py",
)
BUILT = ("@ add slugs", f"write text/slug.py | {SLUG}", "read a.py", "read b.py", "read c.py")


def found(*lines: str) -> list[Finding]:
    store = MemoryStore()
    played = play(lines, store=store, rules=RULES)
    seen = [finding for told in played.told if told.verdict for finding in store.findings(told.verdict.id)]
    assert all(finding.rule == "rebuilt_work" for finding in seen), seen
    return seen


def spoken(*lines: str) -> list[Finding]:
    return [finding for finding in found(*lines) if finding.signal and not finding.signal.log_only]


FIRES = {
    "SW-89 elsewhere": (*BUILT, f"write blog/posts.py | {AGAIN}"),
    "elsewhere, in an edit": (
        *BUILT,
        "write blog/posts.py | X = 1",
        f"edit blog/posts.py | X = 1 => X = 1\n\n\n{AGAIN}",
    ),
    "elsewhere, partly alike": (*BUILT, f"write blog/posts.py | {LOOSE}"),
    "third time": (*BUILT, f"write blog/posts.py | {AGAIN}", f"write shop/items.py | {SLUG}"),
    "the same file": (*BUILT, f"write text/slug.py | {SLUG}"),
    "the same file, in a heredoc": (*BUILT, f"$ cat > text/slug.py <<'EOF'\n{SLUG}EOF"),
    "javascript": (
        "@ add",
        f"write src/time.js | {JS}",
        "read a.js",
        f"write src/search.js | {JS.replace('timer', 'handle')}",
    ),
    "typescript": ("@ add", f"write src/time.ts | {JS}", "read a.ts", f"write src/search.ts | {JS}"),
    "go": (
        "@ add",
        f"write text/wrap.go | {GO}",
        "read a.go",
        f"write mail/body.go | {GO.replace('package text', 'package mail')}",
    ),
    "the same to the letter, in parallel modules": (
        "@ add the pages",
        f"write pages/users/table.ts | {JS}",
        "read x.ts",
        f"write pages/orders/table.ts | {JS}",
    ),
    "SW-91 rewrite": (*BUILT, "~ I'll rewrite slugify in another way."),
    "SW-91 redo": (*BUILT, "~ Let me redo slugify."),
    "SW-91 replace": (*BUILT, "~ I'm going to replace `slugify` with a class."),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str) -> None:
    assert spoken(*FIRES[name])


SILENT = {
    "written whole with a change": (*BUILT, f"write text/slug.py | {SLUG.replace('untitled', 'post')}"),
    "SW-93 announced": (
        *BUILT,
        "~ I need to revise slugify so that the blog can use it.",
        f"write blog/posts.py | {AGAIN}",
    ),
    "after a failing test": (*BUILT, "$! pytest -> E assert slugify('a') == 'b'", f"write text/slug.py | {SLUG}"),
    "after the user spoke": (*BUILT, "@ the slugs are wrong", f"write text/slug.py | {SLUG}"),
    "ordered": ("@ write slugify, then copy it to blog/posts.py too", *BUILT[1:], f"write blog/posts.py | {AGAIN}"),
    "SW-94 another purpose": (*BUILT, f"write graph/walk.py | {DIFFERENT}"),
    "stub filled in": ("@ add", f"write text/slug.py | {STUB}", "read a.py", f"write text/slug.py | {SLUG}"),
    "test": (*BUILT, f"write tests/test_slug.py | {SLUG}"),
    "other work": (*BUILT, "write blog/posts.py | POSTS = ['one', 'two']"),
    "an edit of it": (*BUILT, "edit text/slug.py | 'untitled' => 'post'"),
    "a failed edit again": ("@ add", "$! cat a -> no such file", f"write text/slug.py | {SLUG}"),
    "method of another class": (
        "@ add",
        "write a.py | class A:\n" + "\n".join("    " + line for line in SLUG.splitlines()),
        "read x.py",
        "write b.py | class B:\n" + "\n".join("    " + line for line in SLUG.splitlines()[:5]),
    ),
    "moved": (*BUILT, f"edit text/slug.py | {SLUG} => from blog.posts import slugify", f"write blog/posts.py | {SLUG}"),
    "another platform": ("@ add", f"write a/slug_linux.py | {SLUG}", "read x.py", f"write a/slug_windows.py | {SLUG}"),
    "said of something else": (*BUILT, "~ I'll rewrite the header of the page."),
    "not going to": (*BUILT, "~ I won't rewrite slugify."),
    "one edit in two places of a file": (*TWO_PLACES, f"edit shop/api.py | b = 2 => {CHECKED}"),
    "one edit in three places of a file": (
        *TWO_PLACES,
        f"edit shop/api.py | b = 2 => {CHECKED}",
        f"edit shop/api.py | c = 3 => {CHECKED}",
    ),
    "one edit in two places, in sub-folders of go": (
        "@ pass the name on",
        "write shop/api.go | package shop\n\nvar a = 1\n\nvar b = 2\n",
        "read x.go",
        f"edit shop/api.go | var a = 1 => {GO_CHECKED}",
        "read y.go",
        f"edit shop/api.go | var b = 2 => {GO_CHECKED}",
    ),
    "one edit in several files": (
        "@ check the limits everywhere",
        *(f"write shop/{name}.py | a = 1" for name in "xyz"),
        *(f"edit shop/{name}.py | a = 1 => {CHECKED * 3}" for name in "xyz"),
    ),
    "put back where it was": (
        *BUILT,
        f"edit text/slug.py | {SLUG} => X = 1",
        "read d.py",
        f"edit text/slug.py | X = 1 => {SLUG}",
    ),
    "announced as a move": (*BUILT, "~ Let me extract the text functions first.", f"write blog/posts.py | {AGAIN}"),
    "something calls it by that name": (
        "@ add the jobs",
        f"write jobs/load.py | {SLUG.replace('slugify', 'main')}",
        "read x.py",
        f"write jobs/report.py | {SLUG.replace('slugify', 'main')}",
    ),
    "parallel modules": (
        "@ add the pages",
        f"write pages/users/table.ts | {JS}",
        "read x.ts",
        f"write pages/orders/table.ts | {JS.replace('clearTimeout', 'cancelFrame')}",
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_stays_silent(name: str) -> None:
    assert not spoken(*SILENT[name])


WEIGHTS = (
    ("O-5 copy", (*BUILT, f"write blog/posts.py | {AGAIN}"), 2, 0.5, 2.0),
    ("SW-95 partly alike", (*BUILT, f"write blog/posts.py | {LOOSE}"), 1, 0.5, 0.0),
    ("SW-95 second rebuild", (*BUILT, f"write blog/posts.py | {AGAIN}", f"write shop/items.py | {SLUG}"), 2, 1.0, 2.0),
    ("the same file", (*BUILT, f"write text/slug.py | {SLUG}"), 2, 0.5, 2.0),
    ("words", (*BUILT, "~ Let me redo slugify."), 1, 0.5, 0.0),
)


@pytest.mark.parametrize(("name", "lines", "rework", "stays", "floor"), WEIGHTS, ids=[row[0] for row in WEIGHTS])
def test_weighs(name: str, lines: tuple[str, ...], rework: int, stays: float, floor: float) -> None:
    signal = spoken(*lines)[-1].signal
    assert signal is not None
    assert (signal.rework_cost, signal.self_correct_prob, signal.floor) == (rework, stays, floor), name


def test_user_directed_is_logged() -> None:
    seen = found("@ write slugify, then copy it to blog/posts.py too", *BUILT[1:], f"write blog/posts.py | {AGAIN}")
    assert {finding.signal.log_only for finding in seen if finding.signal} <= {"user-directed: not signaled"}


MOVES = {
    "taken out at last": (f"edit text/slug.py | {SLUG} => # moved",),
    "handing on": (
        (
            f"edit text/slug.py | {SLUG} => from blog import posts\n\n\ndef slugify(title, limit=60):\n"
            "    return posts.slugify(title, limit)\n"
        ),
    ),
    "exported again": (f"edit text/slug.py | {SLUG} => from blog.posts import slugify",),
}
TURNS = tuple(f"read {name}.py" for name in "defghijk")


def messages(*lines: str) -> list[str]:
    return [verdict.message for verdict in play(lines, rules=RULES).spoken()]


@pytest.mark.parametrize("name", MOVES)
def test_a_move_may_take_some_turns(name: str) -> None:
    """The new place first, then what calls it, then the old place."""
    written = (*BUILT, f"write blog/posts.py | {SLUG}")
    assert messages(*written, *TURNS[:3], *MOVES[name], *TURNS) == []


def test_a_copy_that_stays_is_spoken_of_once() -> None:
    (message,) = messages(*BUILT, f"write blog/posts.py | {SLUG}", *TURNS)
    assert "`slugify` (blog/posts.py:1) was already built in this session (text/slug.py:1)" in message


def test_a_file_written_whole_again_is_spoken_of_at_once() -> None:
    (message,) = messages(*BUILT, f"write text/slug.py | {SLUG}", *TURNS[:2])
    assert "text/slug.py was written with the same content" in message


def test_what_is_left_alone_stays_on_record() -> None:
    notes = {
        finding.signal.log_only for finding in found(*SILENT["one edit in three places of a file"]) if finding.signal
    }
    assert notes == {"one edit in several places"}


@pytest.mark.parametrize("name", FIRES)
def test_messages_are_short(name: str) -> None:
    for finding in spoken(*FIRES[name]):
        assert len(finding.message.split()) < 40


class NoRows:
    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(Entry(kind=kind, key=key, turn=0) for key in keys)[:0]

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return (Entry(kind=kind, key="", turn=0),)[:0] if limit else ()


WORLD = World(
    session=Session(id="s"),
    agent=AgentState(),
    analysis=Analysis(event=SessionStarted(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)
STANDS = (
    ({"text/slug.py": SLUG, "blog/posts.py": AGAIN}, True),
    ({"text/slug.py": SLUG, "blog/posts.py": "from text.slug import slugify\n"}, False),
    ({"text/slug.py": "X = 1\n", "blog/posts.py": AGAIN}, False),
    ({"text/slug.py": SLUG, "blog/posts.py": AGAIN.replace("def slugify", "def make_slug")}, True),
    ({"text/slug.py": SLUG.replace("def slugify", "def slug_of"), "blog/posts.py": AGAIN}, True),
    ({"text/slug.py": "X = 1\n", "blog/posts.py": AGAIN.replace("def slugify", "def make_slug")}, False),
)


@pytest.mark.parametrize(("files", "stands"), STANDS)
def test_holds_while_both_are_there(files: dict[str, str], stands: bool) -> None:  # noqa: FBT001 - a column
    finding = spoken(*FIRES["SW-89 elsewhere"])[-1]
    assert holds(finding, WORLD, NoRows(), RecordedFiles(lambda path, _cwd: path, files)) is stands


def test_words_are_not_repeated_later() -> None:
    finding = spoken(*FIRES["SW-91 redo"])[-1]
    assert not holds(finding, WORLD, NoRows(), RecordedFiles(lambda path, _cwd: path, {}))
