from __future__ import annotations

import pytest

from leeboard.secrets.handed_around import is_handed_around
from leeboard.secrets.redaction import find_secrets

ADDRESS = "0x" + "4bC7e19A" * 5
CHAIN_KEY = "0x" + "4bc7e19a" * 8
PUBLIC = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEq7Zx2LpW9vTf3KdRn5YbGh8JmCsX1uQoEiV6tNzA4wLkPjHrBc0SgDyUeMa"
UUID = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
DRAWN = "kT9vq2ZxW7bLmR4pYs8N"
GIVEN = "gh" + "p_b7Ld83KmRx91WcMzQ5tVw2Pd7Ks6Hg0FhVo4"


@pytest.mark.parametrize(
    ("value", "is_open"),
    [
        (ADDRESS, True),
        (CHAIN_KEY, False),
        (ADDRESS + "!", False),
        (PUBLIC, True),
        ("MCowBQYDK2VwAyEAHrq7Zx2LpW9vTf3KdRn5YbGh8JmCsX1uQoEiV6tNzA", True),
        ("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq7Zx2LpW9vTf", True),
        ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDq7Zx2", False),
        ("read,create,delete", True),
        ("Read,create7", False),
        ("Station%20Store", True),
        (DRAWN, False),
    ],
)
def test_what_everybody_may_see_says_so_by_itself(value: str, is_open: bool) -> None:  # noqa: FBT001 - a column
    assert is_handed_around(value) is is_open


@pytest.mark.parametrize(
    ("path", "text", "is_told"),
    [
        ("src/chain.py", f'collateral_token = "{ADDRESS}"', False),
        ("src/chain.py", f'wallet_secret = "{CHAIN_KEY}"', True),
        ("src/chain.py", f'oracle_key = "{ADDRESS}"', False),
        ("src/keys.js", f'const signing = {{ keyid: "a", "key": "{PUBLIC}" }};', False),
        ("src/keys.js", f'const signing = {{ keyid: "a", "secretKey": "{DRAWN}" }};', True),
        ("src/paste.py", 'rights = {passwords[0]: "admin,list,create"}', False),
        ("src/paste.py", 'passwords[0] = "hunter2!x"', True),
        ("src/move.lua", 'if password[1] == "scram" then', False),
        ("src/move.lua", 'if password == "scram7!" then', True),
        ("src/rows.c", 'rows[] = { "EAAA08807D0616026FF51C849EFBF35BA0CE3C53" };', False),
        ("src/pay.py", 'client = "EAAAEO7dq2ZxW7bLmR4pYs8NkT9vXy1uQoEiV6tNzA4wLkPjHrBc0SgDyUeMa5Jf"', True),
        ("rules/age.json", '{"Other": "Click the **Password Policy** tab.\\n4. Set **Password Age** to 24."}', False),
        ("rules/age.json", '{"Other": "the password is hunter2!Zq9"}', True),
        ("rules/keys.yml", "metadata-ssh-secret: true\\n5. Click Save", False),
        ("rules/keys.yml", f"metadata-ssh-secret: {DRAWN}", True),
        ("src/feed.toml", f"minisign_key = 'RWQ{DRAWN}{DRAWN}{DRAWN[:13]}'", False),
        ("src/s3.go", f"// AWS4-HMAC-SHA256 Credential={'PRL470D7Q93X1ZA1L82X'}/20220825/US/s3/aws4_request", False),
        ("src/Makefile", "MAN_API = mib_api.3 config_api.3 \\", False),
        ("src/net.py", 'def login(self, user="anonymous", password="guest"):', False),
        ("src/net.py", 'def login(self, user="root", password="gu3st!x"):', True),
        ("src/tasks.py", 'assert config.connect.password == "sikrit"', False),
        ("src/tasks.py", 'if config.connect.password == "sikrit":', True),
        ("src/onion.py", 'add(key_content="ED25519-V3")', False),
        ("src/kube.rb", "kube_token = 'k8s-aws-v1.' + Base64.encode(url)", False),
        ("src/kube.rb", f"kube_token = '{DRAWN}.' + user_id", True),
        ("src/kube.rb", f"kube_token = '{DRAWN}'", True),
        ("src/eap.c", 'printf("EAP-PSK: 16-octet pre-shared key not configured");', False),
        ("wlan.conf", "key_mgmt=WPA-EAP WPA-PSK IEEE8021X NONE", False),
        ("wlan.conf", "psk=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", False),
        ("wlan.conf", f"psk={DRAWN}", True),
        ("wlan.conf", "pass=<passphrase hexdump>", False),
        ("src/ftp.c", 'password = "myapp7-ftp-" VERSION "@acme.io";', False),
        ("src/ftp.c", 'password = "myapp7-Ftp!x";', True),
        ("src/dns.rb", 'h["X-Authorization"] = "AWS3-HTTPS AWSAccessKeyId=#{id},Signature=#{sign(id)}"', False),
        ("src/dns.rb", f'h["X-Authorization"] = "{DRAWN}{DRAWN}"', True),
        ("src/rand.c", 'const char *pw_ambiguous = "B8G6I1l0OQDS5Z2";', False),
        ("README.md", "declare const encryptionKey: kms.IKey;", False),
        ("README.md", f"encryption_key: kms.{DRAWN}", True),
        ("src/clip.py", f'"id": "md-ast-{UUID}"', False),
        ("src/clip.py", f'"id": "md-{DRAWN}ab"', True),
        ("src/tweet.py", "x = self._call_graphql_api('zZXycP0V6H7m-2r0mOnFcA/TweetDetail')", False),
        ("src/words.ts", 'const VALID_KEY_CHARS = "a-zA-Z0-9:._-";', False),
        ("src/get.py", f'x = "https://s.io/f?x-security-token={DRAWN}&Expires=1440104129&Signature=abc"', False),
        ("src/get.py", f'x = "https://s.io/f?x-security-token={DRAWN}&size=1440104129"', True),
        ("src/get.py", f'x = "https://s.io/f?api_key={GIVEN}&expires=3600&signature=1"', True),
        ("src/app.py", 'DB_PASSWORD_MGMT = "xT9#wQ2vB7nR4kZ"', True),
        ("src/app.py", 'SECRET_CHARS = "b3e9d17ce04f48c2a6f0d5e7c91b2a84"', True),
        ("src/app.py", 'SECRET_CHARS = "abcdefghjkmnpqrstuvwxyz23456789"', False),
        ("src/app.py", f'api_secret = "{ADDRESS}"', True),
        ("src/app.py", 'DB_PASSWORD = "Tq8%20Bm2xVb7Rt4Zw"', True),
        ("src/tasks.py", 'ensure(ready); if config.connect.password == "sikrit":', True),
        ("wlan.conf", 'private_key="pkcs11:manufacturer=piv_II;id=%01"', False),
    ],
)
def test_only_what_opens_something_is_told(path: str, text: str, is_told: bool) -> None:  # noqa: FBT001 - a column
    told = [one for one in find_secrets(text, path) if not one.note and one.confidence > 0.5]
    assert bool(told) is is_told


IDS = [f"{number}6f9619f-8b86-4011-b42d-00c04fc964ff" for number in range(1, 6)]


def test_an_id_between_ids_is_one_of_a_list() -> None:
    names = ("READER", "WRITER", "PASSWORD_ADMIN", "OWNER", "GUEST")
    table = "\n".join(f'{name} = "{one}"' for name, one in zip(names, IDS, strict=True))
    (found,) = find_secrets(table, "src/roles.py")
    assert found.note == "one of a list of ids"
    (alone,) = find_secrets(f'PORT = 5\nPASSWORD_ADMIN = "{IDS[0]}"\nHOST = "a"\n', "src/roles.py")
    assert alone.note == ""


def test_a_secret_between_ids_is_one() -> None:
    table = f'tenant_id = "{IDS[0]}"\nclient_id = "{IDS[1]}"\nclient_secret = "{IDS[2]}"\n'
    (found,) = find_secrets(table, "deploy/main.tf")
    assert found.note == ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('ENC_KEY = "000102030405060708090a0b0c0d0e0f"', "placeholder"),
        ('db_password = "delta,tango,sierra"', ""),
    ],
)
def test_what_people_may_have_thought_up_is_noted(text: str, note: str) -> None:
    assert [one.note for one in find_secrets(text, "src/app.py")] == [note]


def test_what_is_called_a_guid_is_one() -> None:
    assert not find_secrets(f'<?define kpasswd_exe_guid="{IDS[0]}"?>', "install/parts.wxi")
