"""Calls of Go that have a plain form in the IR."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import (
    RECEIVER,
    Shape,
    asked_of,
    at,
    compiled,
    equal,
    known,
    member,
    method,
    path_joined,
    replaced,
    shaped,
    without,
)
from leeboard.code.flow._page_building import page
from leeboard.code.flow._text_building import appended


def _filled(source: int, target: int) -> Shape:
    """A call that fills what it is given a pointer to: `json.Unmarshal(data, &x)`."""

    def shape(call: ir.Call) -> ir.Expr:
        value, place = at(call, source), at(call, target)
        return (
            ir.Walrus(call.line, place, value) if value is not None and isinstance(place, (ir.Name, ir.Attr)) else call
        )

    return shape


def _bound(call: ir.Call) -> ir.Expr:
    """`c.BindJSON(&x)`: the body of a request."""
    place = at(call, 0)
    return (
        ir.Walrus(call.line, place, known(call.line, "request.bound"))
        if isinstance(place, (ir.Name, ir.Attr))
        else call
    )


def _replacer(call: ir.Call) -> ir.Expr:
    """`strings.NewReplacer(old, new, …).Replace(x)`."""
    maker, value = at(call, RECEIVER), at(call, 0)
    if value is None or not isinstance(maker, ir.Call) or ir.dotted(maker.callee) != "strings.NewReplacer":
        return call
    removed = "".join(str(each.value) for each in maker.args[::2] if isinstance(each, ir.Const))
    return without(call, removed, value)


plain_call = shaped(
    {
        "filepath.Join": path_joined(),
        "path.Join": path_joined(),
        "strings.HasPrefix": method("startswith", 0, 1),
        "strings.HasSuffix": method("endswith", 0, 1),
        "strings.Contains": member(1, 0),
        "strings.ContainsAny": member(1, 0),
        "slices.Contains": member(1, 0),
        "strings.EqualFold": equal(0, 1),
        **dict.fromkeys(
            ("unicode.IsLetter", "unicode.IsDigit", "unicode.IsNumber"),
            lambda call: known(call.line, "char.is_plain", *call.args),
        ),
        "filepath.IsLocal": lambda call: known(call.line, "path.is_local", *call.args),
        ".MatchString": asked_of(RECEIVER, 0),
        ".Match": asked_of(RECEIVER, 0),
        "regexp.MatchString": asked_of(0, 1),
        "regexp.MustCompile": compiled(),
        "regexp.Compile": compiled(),
        "fmt.Sprintf": page,
        ".WriteString": appended,
        ".Decode": _filled(RECEIVER, 0),
        "json.Unmarshal": _filled(0, 1),
        "xml.Unmarshal": _filled(0, 1),
        "yaml.Unmarshal": _filled(0, 1),
        **dict.fromkeys(
            (".BindJSON", ".ShouldBindJSON", ".ShouldBind", ".Bind", ".BodyParser", ".BindQuery", ".ShouldBindQuery"),
            _bound,
        ),
        "strings.ReplaceAll": replaced(1, 0),
        "strings.Replace": replaced(1, 0),
        ".ReplaceAllString": replaced(RECEIVER, 0),
        ".Replace": _replacer,
    }
)
