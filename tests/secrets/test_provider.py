"""Every format, filled by chance: each is found, hidden, and never shown."""

from __future__ import annotations

import random
import re
import string
from functools import cache

import pytest

from leeboard.secrets import provider
from leeboard.secrets.provider import by_format, by_provider_name, formats, is_drawn, providers_met, worth_a_look
from leeboard.secrets.redaction import find_secrets, redact

AROUND = (
    ("a.py", '{name} = "{value}"'),
    ("a.js", "const {name} = '{value}';"),
    ("a.json", '{{"{name}": "{value}"}}'),
    ("a.yml", "{name}: {value}"),
    ("a.sh", 'export {name}="{value}"'),
    ("a.xml", '<add key="{name}" value="{value}" />'),
    ("a.md", "see `{value}` there"),
)
ALPHABETS = {
    "h": string.digits + "abcdef",
    "x": string.digits + "abcdef",
    "l": string.digits + string.ascii_lowercase,
    "u": string.digits + string.ascii_uppercase,
    "a": string.digits + string.ascii_letters,
    "w": string.digits + string.ascii_letters,
    "b": string.digits + string.ascii_letters,
    "d": string.digits,
}
PART = re.compile(r"<(?:(uuid)|([hxluawbd])(\d+)(?:-\d+)?)>")
CLASS = re.compile(r"(\[[^\]]*\])\{(\d+)(?:,\d+)?\}")
GROUP = re.compile(r"\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)\??")


def filled(shape: str, rng: random.Random) -> str:
    """One value of the shape: the first of every choice, the least of every size."""

    def part(match: re.Match[str]) -> str:
        if match[1]:
            hexes = "".join(rng.choices(ALPHABETS["h"], k=32))
            return "-".join((hexes[:8], hexes[8:12], hexes[12:16], hexes[16:20], hexes[20:]))
        return "".join(rng.choices(ALPHABETS[match[2]], k=int(match[3])))

    text = re.sub(r"\(\?[!=][^)]*\)|\\Z", "", shape)
    text = CLASS.sub(lambda match: "".join(rng.choices(_members(match[1]), k=int(match[2]))), text)
    text = GROUP.sub(lambda match: match[1] if not match[0].endswith("?") else "", text)
    text = re.sub(r"(?:=|/)\{0,\d\}|=\?|\?(?=\Z)", "", text)
    text = re.sub(r"\[([^\]])[^\]]*\]\??", r"\1", text)
    text = PART.sub(part, text)
    return text.replace(r"\d{1,2}", "7").replace(r"\d", "7").replace("\\", "")


def _members(char_class: str) -> list[str]:
    return [char for char in string.ascii_letters + string.digits if re.match(char_class, char)]


def shapes() -> list[tuple[str, str]]:
    marked = {**provider.shapes().cloud, **provider.shapes().product}
    return [(kind, shape) for kind, of_kind in marked.items() for shape in of_kind]


@cache
def planted() -> dict[str, tuple[str, list[str]]]:
    """Every format in every surrounding: by path a text and the secrets in it."""
    rng = random.Random(20)
    texts = {}
    for path, around in AROUND:
        rows = [(kind.partition("-")[0] + "_token", _bare(shape)) for kind, shape in shapes()]
        filled_rows = [(name, filled(shape, rng)) for name, shape in rows]
        lines = [f"# {name}\n" + around.format(name=name, value=value) for name, value in filled_rows]
        texts[path] = ("\n".join(lines), [value for _name, value in filled_rows])
    return texts


def _bare(shape: str) -> str:
    return shape.partition(" ")[2] if shape.startswith("@") else shape


def test_there_are_many_formats() -> None:
    assert len(formats()) >= 250
    assert len(provider.shapes().named) >= 150
    assert all(len(form.hint) >= 2 for form in formats())


@pytest.mark.parametrize("path", [path for path, _around in AROUND])
def test_nearly_every_planted_key_is_found(path: str) -> None:
    """What chance makes look like words or like a row of the keyboard may be missed."""
    text, values = planted()[path]
    found = [secret.value for secret in find_secrets(text, path) if secret.confidence > 0.7]
    missed = [value for value in values if not any(value in other or other in value for other in found)]
    assert len(missed) <= 0.02 * len(values), missed


@pytest.mark.parametrize("path", [path for path, _around in AROUND])
def test_whatever_is_reported_is_hidden(path: str) -> None:
    text, _values = planted()[path]
    clean = redact(text)
    for secret in find_secrets(text, path):
        assert secret.note == "placeholder" or secret.value not in clean


@pytest.mark.parametrize("shape", ["ghp_<a36>", "AKIA<u16>", "sk_live_<a24>", "xoxb-<d12>-<d12>-<a24>", "dapi<h32>"])
@pytest.mark.parametrize("char", "x0a")
def test_one_character_over_and_over_is_no_key(shape: str, char: str) -> None:
    value = re.sub(r"<\w(\d+)>", lambda match: char * int(match[1]), shape)
    assert not list(by_format(value, value))


def test_words_in_a_format_are_no_key() -> None:
    for text in ("npm_config_some_setting_name_that_is_long", "sk-toggleable-content-container-of-some-size-and-more"):
        assert not list(by_format(text, worth_a_look(text)))


def test_a_documented_key_is_a_placeholder() -> None:
    text = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    (hit,) = by_format(text, worth_a_look(text))
    assert (hit.confidence, hit.note) == (0.3, "placeholder")


def test_a_letter_in_front_makes_it_part_of_a_word() -> None:
    value = filled("ghp_<a36>", random.Random(3))
    assert not list(by_format("x" + value, value))
    assert list(by_format("\\n" + value, value))


@pytest.mark.parametrize(("behind", "is_found"), [('..."', False), ('…"', False), ('."', True), ("...rest", True)])
def test_a_beginning_whose_rest_is_left_out_is_no_key(behind: str, is_found: bool) -> None:  # noqa: FBT001 - a column
    text = f'"{filled("ghp_<a36>", random.Random(4))}{behind}'
    assert bool([*by_format(text, worth_a_look(text))]) == is_found


def test_a_number_in_hexadecimal_is_no_key_whatever_it_begins_with() -> None:
    rng = random.Random(5)
    number, key = ("EAA" + "".join(rng.choices(signs, k=62)) for signs in ("0123456789ABCDEF", string.ascii_letters))
    assert [one.value for one in by_format(f"{number} {key}", worth_a_look(f"{number} {key}"))] == [key]


def test_formats_by_a_providers_name() -> None:
    value = filled("<h32>", random.Random(4))
    assert providers_met(f'algolia_key = "{value}"') == ("algolia",)
    assert by_provider_name("algolia_key", value, ("algolia",)) == "algolia"
    assert by_provider_name("algolia_key", value[:20], ("algolia",)) == ""
    assert by_provider_name("other_key", value, ("algolia",)) == ""
    assert not is_drawn("a" * 32)


def test_what_is_longer_than_any_key_is_data() -> None:
    """Hundreds of formats looked for in a line of a megabyte would cost more than all the rest."""
    key = "aB3" * 20
    assert worth_a_look(f"x = {key}") != ""
    assert worth_a_look("aB3" * 20_000) == ""
    assert key in worth_a_look(f"{'aB3' * 20_000} {key}")


def test_a_line_of_a_picture_in_base64_is_no_key() -> None:
    rng = random.Random(7)
    key = "A" * 22 + "".join(rng.choices(string.digits + string.ascii_letters, k=80))
    picture = "\n".join("        " + "".join(rng.choices(string.ascii_letters, k=76)) for _line in range(3))
    assert [one.kind for one in find_secrets(f"token:\n        {key}\n", "a.resx")] == ["twitter-bearer"]
    assert not find_secrets(f"{picture}\n        {key}\n{picture}\n", "a.resx")
