"""Functions are known again after renaming, reordering, reformatting and small edits; others are not."""

from __future__ import annotations

import struct
from binascii import b2a_base64
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Fingerprint
from leeboard.source.fingerprint import (
    candidates_key,
    fingerprint,
    fingerprints,
    of_text,
    overlap,
    pack,
    pack_text,
    unpack,
)
from leeboard.source.likeness import SAME, similarity
from leeboard.source.syntax import parse
from leeboard.source.tokens import tokens

PYTHON = '''
def load_config(path: str, defaults: dict | None = None) -> dict:
    """Reads a file."""
    config = dict(defaults or {})
    count: int = 0
    with open(path, encoding="utf-8") as handle:
        for number, line in enumerate(handle, 1):
            if not line.strip() or line.startswith("#"):
                continue  # a comment
            if "=" not in line:
                raise ConfigError(f"{path}:{number}: expected key=value")
            key, value = line.split("=", 1)
            config[key.strip()] = value.strip()
            count += 1
    return config
'''
PYTHON_RENAMED = """
def read_settings(name, base=None):
    seen = 0
    found = dict(base or {})
    with open(
        name,
        encoding='utf-8',
    ) as source:
        for at, text in enumerate(source, 1):
            if (not text.strip()) or text.startswith('#'):
                continue
            if '=' not in text:
                raise ConfigError(f'{name}:{at}: expected key=value')
            left, right = text.split('=', 1)
            found[left.strip()] = right.strip()
            seen += 1
    return found
"""
PYTHON_TWIN = """
def load_config(board, players=None):
    scores = dict(players or {})
    turn = 0
    with board.lock("write", timeout=9) as guard:
        for column, stone in board.stones(guard, 1):
            if not stone.alive() or stone.belongs("nobody"):
                continue
            if stone.owner not in scores:
                raise GameError(f"{column}: nobody plays {stone}")
            row, field = stone.place(column, 1)
            scores[row.shade()] = field.weight()
            turn += 1
    return scores
"""
LANGUAGES = {
    "javascript": (
        (
            "function groupByKind(products, min) {\n  const groups = {};\n  for (const product of products) {\n"
            "    if (product.price < min || product.archived) {\n      continue;\n    }\n    const kind = product.kind || 'other';\n"
            "    if (!groups[kind]) {\n      groups[kind] = [];\n    }\n    groups[kind].push(product.name);\n  }\n  return groups;\n}"
        ),
        (
            "function bucket(items, floor) {\n  // by kind\n  const out = {}\n  for (const it of items) {\n"
            '    if (it.price < floor || it.archived) continue\n    const key = it.kind || "other"\n'
            "    if (!out[key]) { out[key] = [] }\n    out[key].push(it.name)\n  }\n  return out\n}"
        ),
    ),
    "typescript": (
        (
            "async function load(url: string, tries: number): Promise<User[]> {\n  let last: Error | null = null;\n"
            "  for (let i = 0; i < tries; i++) {\n    try {\n      const reply = await client.fetchUsers(url);\n"
            "      return reply.users;\n    } catch (e) {\n      last = e;\n      await pause(100);\n    }\n  }\n"
            "  throw new LoadError('gave up', last);\n}"
        ),
        (
            "async function pull(address, times) {\n  let problem = null;\n  for (let n = 0; n < times; n++) {\n    try {\n"
            "      const answer = await client.fetchUsers(address);\n      return answer.users;\n    } catch (x) {\n"
            "      problem = x;\n      await pause(100);\n    }\n  }\n  throw new LoadError('gave up', problem);\n}"
        ),
    ),
    "go": (
        (
            "func LoadUsers(db *sql.DB, active bool) ([]User, error) {\n\trows, err := db.Query(selectUsers, active)\n"
            '\tif err != nil {\n\t\treturn nil, fmt.Errorf("query users: %w", err)\n\t}\n\tdefer rows.Close()\n\tvar users []User\n'
            "\tfor rows.Next() {\n\t\tvar u User\n\t\tif err := rows.Scan(&u.ID, &u.Name); err != nil {\n\t\t\treturn nil, err\n"
            "\t\t}\n\t\tusers = append(users, u)\n\t}\n\treturn users, rows.Err()\n}"
        ),
        (
            "func fetchAll(conn *sql.DB, only bool) ([]User, error) {\n\tcursor, e := conn.Query(selectUsers, only)\n"
            '\tif e != nil {\n\t\treturn nil, fmt.Errorf("query users: %w", e)\n\t}\n\tdefer cursor.Close()\n\tvar found []User\n'
            "\tfor cursor.Next() {\n\t\tvar one User\n\t\tif e := cursor.Scan(&one.ID, &one.Name); e != nil {\n\t\t\treturn nil, e\n"
            "\t\t}\n\t\tfound = append(found, one)\n\t}\n\treturn found, cursor.Err()\n}"
        ),
    ),
    "java": (
        (
            "public List<String> validate(Order order) {\n  List<String> errors = new ArrayList<>();\n"
            '  if (order.getItems().isEmpty()) {\n    errors.add("order has no items");\n  }\n'
            "  for (Item item : order.getItems()) {\n    if (item.getQuantity() <= 0) {\n"
            '      errors.add("bad quantity for " + item.getSku());\n    }\n  }\n  return errors;\n}'
        ),
        (
            "public List<String> check(Order o)\n{\n  List<String> found = new ArrayList<>();\n"
            '  if (o.getItems().isEmpty()) found.add("order has no items");\n'
            "  for (Item one : o.getItems())\n  {\n    if (one.getQuantity() <= 0)\n    {\n"
            '      found.add("bad quantity for " + one.getSku());\n    }\n  }\n  return found;\n}'
        ),
    ),
    "ruby": (
        (
            "def import_rows(file, user)\n  rows = CSV.read(file, headers: true)\n  imported = []\n  rows.each do |row|\n"
            "    next if row['email'].blank?\n    account = Account.find_or_create_by(email: row['email'])\n"
            "    account.update!(name: row['name'], owner: user)\n    imported << account\n  end\n  imported\nend"
        ),
        (
            "def load_accounts(path, owner_of)\n  # reads all\n  lines = CSV.read(path, headers: true)\n  out = []\n  lines.each do |l|\n"
            '    next if l["email"].blank?\n    acc = Account.find_or_create_by(email: l["email"])\n'
            '    acc.update!(name: l["name"], owner: owner_of)\n    out << acc\n  end\n  out\nend'
        ),
    ),
    "php": (
        (
            "function totals(array $orders, $rate) {\n  $sum = 0;\n  $lines = [];\n  foreach ($orders as $order) {\n"
            "    if ($order->isOpen()) { continue; }\n    $sum += $order->getTotal() * $rate;\n"
            "    $lines[] = sprintf('%s: %d', $order->getName(), $order->getTotal());\n  }\n"
            "  return ['sum' => $sum, 'lines' => $lines];\n}"
        ),
        (
            "function addUp(array $all, $tax) {\n  $rows = [];\n  $total = 0;\n  foreach ($all as $one) {\n"
            "    if ($one->isOpen()) continue;\n    $total += $one->getTotal() * $tax;\n"
            "    $rows[] = sprintf('%s: %d', $one->getName(), $one->getTotal());\n  }\n"
            "  return ['sum' => $total, 'lines' => $rows];\n}"
        ),
    ),
    "rust": (
        (
            "fn parse_header(line: &str) -> Result<(String, String), ParseError> {\n    let mut parts = line.splitn(2, ':');\n"
            "    let name = parts.next().ok_or(ParseError::Empty)?;\n    let value = parts.next().ok_or(ParseError::NoColon)?;\n"
            "    if name.trim().is_empty() {\n        return Err(ParseError::Empty);\n    }\n"
            "    Ok((name.trim().to_lowercase(), value.trim().to_string()))\n}"
        ),
        (
            "fn split_field(text: &str) -> Result<(String, String), ParseError> {\n    let mut it = text.splitn(2, ':');\n"
            "    let key = it.next().ok_or(ParseError::Empty)?; // first\n    let rest = it.next().ok_or(ParseError::NoColon)?;\n"
            "    if key.trim().is_empty() { return Err(ParseError::Empty); }\n"
            "    Ok((key.trim().to_lowercase(), rest.trim().to_string()))\n}"
        ),
    ),
    "csharp": (
        (
            "public async Task<User> FindUser(string mail) {\n  var key = mail.Trim().ToLower();\n"
            '  if (string.IsNullOrEmpty(key)) {\n    throw new ArgumentException("mail is empty");\n  }\n'
            "  var user = await db.Users.FirstOrDefaultAsync(u => u.Mail == key);\n  if (user == null) {\n"
            '    log.Warn("unknown");\n    return User.Guest;\n  }\n  return user;\n}'
        ),
        (
            "public async Task<User> Lookup(string address) {\n  var wanted = address.Trim().ToLower();\n"
            '  if (string.IsNullOrEmpty(wanted)) throw new ArgumentException("mail is empty");\n'
            "  var found = await db.Users.FirstOrDefaultAsync(x => x.Mail == wanted);\n  if (found == null) {\n"
            "    return User.Guest;\n  }\n  return found;\n}"
        ),
    ),
    "kotlin": (
        (
            "fun summarize(orders: List<Order>, limit: Int): Map<String, Int> {\n    val totals = mutableMapOf<String, Int>()\n"
            '    for (order in orders) {\n        if (order.cancelled) continue\n        val key = order.customer.region ?: "none"\n'
            "        totals[key] = (totals[key] ?: 0) + order.amount\n    }\n    return totals.filterValues { it > limit }\n}"
        ),
        (
            "fun perRegion(all: List<Order>, least: Int): Map<String, Int> {\n    val sums = mutableMapOf<String, Int>()\n"
            '    for (one in all) {\n        if (one.cancelled) { continue }\n        val region = one.customer.region ?: "none"\n'
            "        sums[region] = (sums[region] ?: 0) + one.amount\n    }\n    return sums.filterValues { it > least }\n}"
        ),
    ),
    "c": (
        (
            "static int read_block(FILE *in, struct block *out) {\n  size_t got = fread(out->data, 1, BLOCK_SIZE, in);\n"
            "  if (got == 0) {\n    return feof(in) ? 0 : -1;\n  }\n  if (got < BLOCK_SIZE) {\n    memset(out->data + got, 0, BLOCK_SIZE - got);\n  }\n"
            "  out->used = got;\n  out->sum = crc32(0, out->data, got);\n  return 1;\n}"
        ),
        (
            "static int next_chunk(FILE *src, struct block *dst)\n{\n  size_t n = fread(dst->data, 1, BLOCK_SIZE, src);\n"
            "  if (n == 0)\n    return feof(src) ? 0 : -1;\n  if (n < BLOCK_SIZE)\n    memset(dst->data + n, 0, BLOCK_SIZE - n);\n"
            "  dst->sum = crc32(0, dst->data, n);\n  dst->used = n;\n  return 1;\n}"
        ),
    ),
}


def made(text: str, language: str) -> Fingerprint:
    tree = parse(text, language)
    assert tree is not None
    found = fingerprints(tree)
    assert len(found) == 1, [definition.name for definition in tree.definitions]
    return found[0][1]


def alike(one: str, other: str, language: str) -> float:
    return similarity(made(one, language), made(other, language))


def test_known_again_in_python() -> None:
    assert alike(PYTHON, PYTHON_RENAMED, "python") > 0.9


def test_same_name_for_another_purpose_is_not() -> None:
    assert alike(PYTHON, PYTHON_TWIN, "python") < SAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_known_again_in(language: str) -> None:
    original, renamed = LANGUAGES[language]
    assert alike(original, renamed, language) > SAME
    key = set(candidates_key(made(original, language)))
    assert len(key.intersection(candidates_key(made(renamed, language)))) >= 2


def test_functions_of_one_language_differ() -> None:
    for language, (original, _renamed) in LANGUAGES.items():
        for other, (text, _) in LANGUAGES.items():
            if other != language:
                assert similarity(made(original, language), made(text, other)) < SAME


EDITS = (
    (
        'raise ConfigError(f"{path}:{number}: expected key=value")',
        'raise ConfigError(f"{path}:{number}: wants key=value")',
    ),
    ("            count += 1\n", '            count += 1\n            logger.debug("line %s", line)\n'),
    ('if "=" not in line:', "if line.find('=') < 0:"),
    ("    return config\n", "    result = config\n    return result\n"),
    ("enumerate(handle, 1)", "enumerate(handle, 2)"),
)


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_known_again_after(old: str, new: str) -> None:
    assert old in PYTHON
    assert alike(PYTHON, PYTHON_RENAMED.replace(old, new), "python") > SAME
    assert alike(PYTHON, PYTHON.replace(old, new), "python") > SAME


REWRITES = (
    (
        (
            "def stale(sessions, now, limit):\n    found = []\n    for one in sessions:\n        if one.closed:\n            continue\n"
            "        age = now - one.last_seen\n        if age.total_seconds() > limit:\n            found.append(one.id)\n"
            "            one.mark_expired()\n    if found:\n        metrics.increment('sessions.stale', len(found))\n    return found\n"
        ),
        (
            "def expire(entries, current, most):\n    old = [e for e in entries if not e.closed and "
            "(current - e.last_seen).total_seconds() > most]\n    for e in old:\n        e.mark_expired()\n"
            "    ids = [e.id for e in old]\n    if not ids:\n        return ids\n"
            "    metrics.increment('sessions.stale', len(ids))\n    return ids\n"
        ),
    ),
)


@pytest.mark.parametrize(("one", "other"), REWRITES)
def test_known_again_rewritten(one: str, other: str) -> None:
    assert alike(one, other, "python") > SAME


SMALL = (
    ("python", "def name(self):\n    return self._name\n"),
    ("python", "def handle(self, request, *args, **kwargs):\n    return self.inner.handle(request, *args, **kwargs)\n"),
    ("java", "public String getName() { return this.name; }"),
)


@pytest.mark.parametrize(("language", "text"), SMALL)
def test_too_small_to_tell(language: str, text: str) -> None:
    tree = parse(text if language == "python" else f"class A {{ {text} }}", language)
    assert tree is not None
    assert fingerprints(tree) == ()


def test_signature_names_the_function() -> None:
    assert made(PYTHON, "python").signature == "load_config(path, defaults)"


def test_no_fingerprint_for_a_class() -> None:
    tree = parse("class A:\n    def run(self):\n        pass\n", "python")
    assert tree is not None
    assert fingerprint(tree, tree.definitions[0]) is None


@given(
    st.text(max_size=400),
    st.sampled_from(["python", "javascript", "go", "rust", "ruby", "php", "csharp", "kotlin", "c", ""]),
)
def test_any_text_is_read(text: str, language: str) -> None:
    found = of_text(f"{text}{{ {text}", language)
    if found is not None:
        assert unpack(pack(found)) == found
        assert similarity(found, found) <= 1.0
        assert list(found.shingles) == sorted(found.shingles)


@given(st.text(max_size=200))
def test_unpack_never_raises(text: str) -> None:
    unpack(text)
    unpack(f"python|3|1|{text}|f()")
    unpack(f"python|3|1|AAAA|{text}|f()")
    assert overlap(text, pack_text("a = 1", "python")) == 0.0


def test_what_was_packed_without_a_flow_is_none() -> None:
    language, size, count, numbers, _flow, signature = pack(made(PYTHON, "python")).split("|")
    assert unpack(f"{language}|{size}|{count}|{numbers}|{signature}") is None


def test_packed_is_the_same_again() -> None:
    assert unpack(pack(made(PYTHON, "python"))) == made(PYTHON, "python")


OVERLAPS = (
    (PYTHON, PYTHON, 1.0, 1.0),
    (PYTHON, PYTHON.replace("continue  # a comment", "continue"), 1.0, 1.0),
    (PYTHON, PYTHON_TWIN, 0.0, 0.4),
    (PYTHON, PYTHON.replace("return config", "return dict(config)"), 0.9, 0.99),
    (PYTHON * 2 + PYTHON_TWIN * 2, PYTHON, 0.2, 0.6),
    (PYTHON, "", 0.0, 0.0),
)


@pytest.mark.parametrize(("one", "other", "least", "most"), OVERLAPS)
def test_overlap_of_written_texts(one: str, other: str, least: float, most: float) -> None:
    """SW-92: the share of the larger text."""
    found = overlap(pack_text(one, "python"), pack_text(other, "python"))
    assert least <= found <= most
    assert found == overlap(pack_text(other, "python"), pack_text(one, "python"))


def test_long_texts_are_sketched() -> None:
    long = "\n".join(f"value_{number} = compute({number}, 'text {number}')" for number in range(4_000))
    cut = "\n".join(long.split("\n")[:2_000])
    assert 0.35 < overlap(pack_text(long, "python"), pack_text(cut, "python")) < 0.65
    assert len(pack_text(long, "python")) < 4_000


@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "größe = straße + 'é' * maß + 1", "x = '" + "lorem ipsum " * 9 + "é'", "a\ud800b c"),
        " ".join(f"name_{number}" for number in range(3_000)),
    ],
)
def test_packed_text_is_that_of_its_words(text: str) -> None:
    """One hash for each five words, whatever letters they have; of many the 512 lowest."""
    words = [part for one in tokens(text, "python") for part in (one.split() if len(one) > 40 else [one])]
    width = max(1, min(5, len(words)))
    runs = {" ".join(words[at : at + width]).encode("utf-8", "replace") for at in range(len(words) - width + 1)}
    numbers = sorted(map(crc32, runs))
    kept = numbers[:512]
    packed = b2a_base64(struct.pack(f"<{len(kept)}I", *kept), newline=False).decode()
    assert pack_text(text, "python") == f"{len(numbers)}|{packed}"
