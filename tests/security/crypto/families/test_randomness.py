"""SW-76: predictable random for what must not be guessed; play, jitter and simulations are left alone."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("java", "class A { void f() { int n = new Random().nextInt(99); String v = Integer.toString(n); response.addCookie(new Cookie(name, v)); } }".replace("; ", ";\n"), "class A { void f() { int n = new Random().nextInt(99); String v = Integer.toString(n); shape.add(new Corner(name, v)); } }".replace("; ", ";\n")),
    ("java", "class A { void f() {\nbyte[] b = new byte[10];\nnew Random().nextBytes(b);\nString cookie = encode(b);\n} }", "class A { void f() {\nbyte[] b = new byte[10];\nnew SecureRandom().nextBytes(b);\nString rememberMeKey = encode(b);\n} }"),
    ("python", "key = random.getrandbits(128)", "key = random.getrandbits(8)"),
    ("python", "def token():\n    return str(uuid.uuid1())", "def token():\n    return str(uuid.uuid4())"),
    ("go", 'package a\nimport "math/rand"\nfunc GenerateAPIKey() byte { return letters[rand.Intn(62)] }', 'package a\nimport "crypto/rand"\nfunc GenerateAPIKey() { rand.Read(b) }'),
    ("c", "void f(unsigned char *key) { for (int i = 0; i < 16; i++) key[i] = rand() % 256; }", "void f(unsigned char *key) { RAND_bytes(key, 16); }"),
    ("python", "def make_session_id():\n    return str(random.random())", "def make_session_id():\n    return secrets.token_hex(32)"),
    ("python", "def new_password():\n    return ''.join(random.choice(chars) for _ in range(12))", "def new_password():\n    return ''.join(secrets.choice(chars) for _ in range(12))"),
    ("python", "from random import randint\notp = randint(100000, 999999)", "from secrets import randbelow\notp = randbelow(1000000)"),
    ("python", "import random as r\ntoken = r.getrandbits(128)", "import random\nr = random.SystemRandom()\ntoken = r.getrandbits(128)"),
    ("python", "value = random.random()\nresponse.set_cookie('rememberMe', str(value), secure=True, httponly=True)", "value = secrets.token_hex()\nresponse.set_cookie('rememberMe', value, secure=True, httponly=True)"),
    ("python", "random = random.Random()\nsecret_key = random.randint(0, 9)", "random = SystemRandom()\nsecret_key = random.randint(0, 9)"),
    ("javascript", "const sessionId = Math.random().toString(36);", "const sessionId = crypto.randomUUID();"),
    ("javascript", "function resetToken() { return Math.floor(Math.random() * 1e9); }", "function resetToken() { return crypto.randomBytes(32).toString('hex'); }"),
    ("typescript", "const csrf: string = Math.random().toString();", "const csrf: string = randomBytes(16).toString('hex');"),
    ("go", 'package a\nimport "math/rand"\nfunc token() int { return rand.Intn(100) }', 'package a\nimport "crypto/rand"\nfunc token() { rand.Read(b) }'),
    ("go", 'package a\nimport (\n\tmr "math/rand"\n)\nfunc newPassword() int { return mr.Int() }', 'package a\nimport (\n\t"crypto/rand"\n)\nfunc newPassword() { rand.Int(rand.Reader, n) }'),
    ("java", "class A { String token() { return Long.toString(new Random().nextLong()); } }", "class A { String token() { return Long.toString(new SecureRandom().nextLong()); } }"),
    ("java", "class A { String f() { String password = RandomStringUtils.randomAlphanumeric(8); return password; } }", "class A { String f() { String password = gen.generate(new SecureRandom()); return password; } }"),
    ("kotlin", "fun sessionToken() = Random().nextLong()", "fun sessionToken() = SecureRandom().nextLong()"),
    ("kotlin", "class OtpService {\n fun generate(): String = Random.nextInt(100000, 999999).toString()\n}", "class DiceService {\n fun generate(): String = Random.nextInt(100000, 999999).toString()\n}"),
    ("python", "import random\nclass ApiKey:\n    def new():\n        return ''.join(random.sample(A, 32))\n", "import random\nclass Sample:\n    def new():\n        return ''.join(random.sample(A, 32))\n"),
    ("rust", "fn session_token() -> String {\n    let mut rng = fastrand::Rng::new();\n    (0..9).map(|_| rng.alphanumeric()).collect()\n}", "fn session_token() -> String {\n    let mut rng = OsRng;\n    (0..9).map(|_| rng.next()).collect()\n}"),
    ("csharp", "class A {\n static readonly Random Dice = new();\n int Otp() { return Dice.Next(); }\n}", "class A {\n static readonly Words Dice = new();\n int Otp() { return Dice.Next(); }\n}"),
    ("csharp", "class A { int Otp() { var r = new Random(); return r.Next(); } }", "class A { int Otp() { return RandomNumberGenerator.GetInt32(999999); } }"),
    ("php", "<?php function token() { return md5(mt_rand()); }", "<?php function token() { return bin2hex(random_bytes(32)); }"),
    ("php", "<?php $password = substr(str_shuffle($chars), 0, 8);", "<?php $password = bin2hex(random_bytes(8));"),
    ("ruby", "def reset_token\n  rand(10**8)\nend", "def reset_token\n  SecureRandom.hex(16)\nend"),
    ("python", "def generate_verification_code():\n    return random.randint(100000, 999999)", "def generate_verification_code():\n    return secrets.randbelow(900000)"),
    ("python", "def new_captcha(n):\n    random.seed(n)", "def new_captcha(n):\n    random.seed()"),
    ("python", "def make_key():\n    return random.getrandbits(128)", "def make_key():\n    return secrets.randbits(128)"),
    ("rust", "fn session_token() -> u64 { fastrand::u64(..) }", "fn session_token() -> u64 { OsRng.next_u64() }"),
    ("c", "int make_session_token(void) { srand(time(NULL)); return rand(); }", "int make_session_token(unsigned char *b) { return RAND_bytes(b, 16); }"),
    ("c", "void f(unsigned char *key) { for (int i = 0; i < 16; i++) { key[i] = rand() % 256; encrypt(key); } }", "void f(unsigned char *key) { RAND_bytes(key, 16); encrypt(key); }"),
    ("cpp", "std::string password() { std::mt19937 gen(seed); return pick(gen); }", "std::string password() { std::random_device rd; return pick(rd); }"),
    ("java", "class A { void f() { SecureRandom r = new SecureRandom(); r.setSeed(42L); } }", "class A { void f() { SecureRandom r = new SecureRandom(); } }"),
    (
        "python",
        "from random import *\ndef make_password(size):\n    return ''.join(sample(LETTERS, size))",
        "from secrets import *\ndef make_password(size):\n    return token_urlsafe(size)",
    ),
    (
        "python",
        "def benchmark_login():\n    value = str(random.gauss())[2:]\n    session[cookie] = value",
        "def benchmark_login():\n    value = secrets.token_hex()\n    session[cookie] = value",
    ),
    (
        "javascript",
        "function createPassword() { return crypto.pseudoRandomBytes(8).toString('hex'); }",
        "function createPassword() { return crypto.randomBytes(16).toString('hex'); }",
    ),
    (
        "php",
        "<?php function resetCode() { return substr(str_shuffle($digits), 0, 10); }",
        "<?php function resetCode() { return bin2hex(random_bytes(10)); }",
    ),
    ("kotlin", "fun otp(): Int = (100000..999999).random()", "fun otp(): Int = SecureRandom().nextInt(899999)"),
    (
        "go",
        'package a\nimport ("fmt"; "math/rand")\nfunc sessionToken() int64 { return rand.Int63() }',
        'package a\nimport ("fmt"; "crypto/rand")\nfunc sessionToken(b []byte) { rand.Read(b) }',
    ),
]  # fmt: skip
RANDOM = {"predictable random", "predictable seed"}


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert RANDOM & set(kinds(language, weak))
    assert not RANDOM & set(kinds(language, fixed))


SILENT = [
    ("python", "def session_token():\n    token = hexlify(secureRandom(12))\n    return token"),
    ("python", "time.sleep(random.random() * 5)  # jitter"),
    ("python", "def jitter():\n    return random.uniform(0, 1)"),
    ("python", "color = random.choice(COLORS)"),
    ("python", "def captcha():\n    a = random.randint(1, 9)\n    return a"),
    ("java", "class A { void token() { Random random = new Noise(); random.setSeed(8080); } }"),
    (
        "java",
        "class A { SecureRandom r = new SecureRandom(); void session() { r.setSeed(r.nextLong() ^ System.currentTimeMillis()); } }",
    ),
    ("python", "def train(batch):\n    random.shuffle(batch)"),
    ("python", "tokens = tokenizer.encode(text)\npick = random.choice(tokens)"),
    ("javascript", "const x = Math.random() * canvas.width;"),
    ("javascript", "function shuffle(deck) { return deck.sort(() => Math.random() - 0.5); }"),
    ("go", 'package a\nimport "math/rand"\nfunc backoff() { time.Sleep(rand.Intn(10)) }'),
    ("java", "class A { int roll() { return new Random().nextInt(6); } }"),
    ("c", "int dice(void) { return rand() % 6; }"),
    ("ruby", "quote = QUOTES.sample"),
    ("php", "<?php $banner = $banners[rand(0, 3)];"),
    ("cpp", "double noise() { std::mt19937 g(42); return d(g); }"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not RANDOM & set(kinds(language, code))


def test_a_neutral_draw_beside_secrets_is_only_logged() -> None:
    tree = parse("def password(): ...\n\n\n\n\ndef number():\n    return random.randint(1, 60)\n", "python")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "a.py")
    assert (weakness.queues, weakness.confidence) == (False, 0.5)
