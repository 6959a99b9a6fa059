"""A team's policy: signed by whoever keeps its key, published in its database, and taken by its members.

Signatures are those of `ssh-keygen -Y`, as git signs with. What was taken lies in a file beside the state and holds
until a newer one is taken: neither an outage, nor an older document, nor one whose time is up loosens anything.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from posixpath import dirname, join

import msgspec

from leeboard.app.team_files import MISSING, is_over, kept_document, policy_file, root_file, roots
from leeboard.errors import ConfigError, EffectError
from leeboard.io import clock
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import make_private_dir
from leeboard.io.process import Bounds, ProcessResult, run
from leeboard.io.system import expanduser
from leeboard.settings.settings import Settings
from leeboard.settings.team import TeamSettings
from leeboard.settings.team_policy import LONGEST, TeamPolicy, parse, render, split, tightens

_SPACE = "leeboard-policy"
"""What the signatures are made for: one made for a commit does not count here."""
_WHO = "team"
_PROGRAMS = os.pathsep.join(("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", r"C:\Windows\System32\OpenSSH"))
_SECONDS = 20.0
_NO_KEYGEN = "policies are signed and checked by `ssh-keygen`, which is not installed: it comes with OpenSSH"


class PolicyTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the head of a document."""

    project: str
    serial: int
    expires: str = ""


def signed(text: str, terms: PolicyTerms, key: str) -> str:
    """The document with its signature. `key` is a private key, or a public one whose other half an agent holds.
    ConfigError for one that nobody would take.
    """
    document = render(terms.project, terms.serial, clock.iso(clock.now()), terms.expires, text)
    made = parse(document)
    if is_over(made):
        raise ConfigError(f"the policy would have expired at {clock.iso(made.expires)}: give --expires a day to come")
    done = _keygen("sign", "-f", expanduser(key), "-n", _SPACE, given=document.encode())
    if done.code != 0:
        raise ConfigError(f"ssh-keygen could not sign with {key}: {_said(done.err)}")
    return document + done.out.decode()


def verified(document: str, keys: tuple[str, ...]) -> TeamPolicy:
    """ConfigError where it is no policy, or none of these keys has signed it as it is."""
    if not keys:
        raise ConfigError("no key says which policies are the team's: put policy_keys into [team] of your settings")
    text, signature = split(document)
    with tempfile.TemporaryDirectory(prefix="leeboard-") as folder:
        signers, mark = join(folder, "signers"), join(folder, "signature")
        replace_file(signers, "".join(f'{_WHO} namespaces="{_SPACE}" {key}\n' for key in keys).encode())
        replace_file(mark, signature.encode())
        asked = ("-f", signers, "-I", _WHO, "-n", _SPACE, "-s", mark)
        done = _keygen("verify", *asked, given=text.encode())
    if done.code != 0:
        raise ConfigError(
            f"the policy's signature is by none of the team's keys, or not of this text: {_said(done.err)}"
        )
    return parse(text)


def _keygen(verb: str, *arguments: str, given: bytes) -> ProcessResult:
    # A repository may have a word in PATH, and must not be whom we ask whether it is the team that speaks.
    found = shutil.which("ssh-keygen", path=_PROGRAMS) or "ssh-keygen-is-missing"
    try:
        return run((found, "-Y", verb, *arguments), "/", os.environ, Bounds(_SECONDS, LONGEST), given)
    except OSError as error:
        raise EffectError(_NO_KEYGEN) from error


def _said(words: bytes) -> str:
    return " ".join(words.decode("utf-8", "replace").split())[:200] or "it said nothing"


def take(document: str, team: TeamSettings, name: str) -> TeamPolicy:
    """Keep what the team published for a project. ConfigError where it is not taken; what is kept holds on then."""
    if len(document) > LONGEST:
        raise ConfigError(f"the policy has more than {LONGEST:,} characters")
    policy = verified(document, team.policy_keys)
    if fault := why_not_taken(document, policy, team, name):
        raise ConfigError(fault)
    place = policy_file(name)
    if kept_document(name) != document:
        make_private_dir(dirname(place))
        replace_file(place, document.encode(), mode=0o600)
    _keep_root(team, name)
    return policy


def why_not_taken(document: str, policy: TeamPolicy, team: TeamSettings, name: str) -> str:
    """What keeps a member from taking a policy that is the team's; empty where it is taken, or was. What was taken and
    has been changed since keeps nothing away.
    """
    if not policy.is_for(name):
        return f"the policy is for the project {policy.project}, not for {name}"
    kept = kept_document(name)
    if kept == document:
        return ""
    known = _still_signed(kept, team)
    if known is not None and policy.serial <= known.serial:
        told = "another text of the same" if policy.serial == known.serial else "older than the"
        return f"the policy has serial {policy.serial}, {told} serial {known.serial} taken before"
    if is_over(policy):
        return f"the policy with serial {policy.serial} expired at {clock.iso(policy.expires)}"
    return ""


def _still_signed(kept: str, team: TeamSettings) -> TeamPolicy | None:
    try:
        return verified(kept, team.policy_keys) if kept else None
    except ConfigError:
        return None


def checked(document: str, team: TeamSettings) -> tuple[TeamPolicy, str]:
    """A policy of the team, and why it would not be taken here; empty where it would be, for each project it is for.
    ConfigError where it is not the team's.
    """
    policy = verified(document, team.policy_keys)
    names = [name for name in team.projects if policy.is_for(name)]
    if not names:
        return policy, f"the policy is for {policy.project}, which is none of [team.projects] in your settings"
    faults = {name: fault for name in names if (fault := why_not_taken(document, policy, team, name))}
    return policy, "; ".join(f"{name}: {fault}" for name, fault in faults.items())


def _keep_root(team: TeamSettings, name: str) -> None:
    for root, known in roots(team).items():
        if known == name:
            replace_file(root_file(name), root.encode("utf-8", "surrogateescape"), mode=0o600)


def read_document(path: str) -> str:
    try:
        return read_regular(path, LONGEST, follow=True).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError(f"{path}: can not be read: {error}") from error


def published(document: str, team: TeamSettings) -> tuple[TeamPolicy, tuple[str, ...]]:
    """Put into the team's database, for each project that it is for; what members would not take is refused here."""
    policy = verified(document, team.policy_keys)
    names = tuple(name for name in team.projects if policy.is_for(name))
    if not names:
        raise ConfigError(f"the policy is for {policy.project}, which is none of [team.projects] in your settings")
    if is_over(policy):
        raise ConfigError(f"the policy expired at {clock.iso(policy.expires)}: sign it anew")
    try:
        from leeboard.store.team.postgres import connected  # noqa: PLC0415 - only where a team is asked
    except ImportError as error:
        raise EffectError(MISSING) from error
    with connected(team.url) as remote:
        for name in names:
            remote.publish(name, policy.serial, document)
    return policy, names


# What people are shown of it.


class PolicyView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "team_policy"
    project: str
    serial: int
    issued: str
    expires: str | None
    expired: bool
    tightens: tuple[str, ...]
    """Keys that count here because of it."""
    ignored: tuple[str, ...]
    """What it says and does not count, since it would loosen or run something."""
    not_taken: str = ""
    """Why members would not take it."""
    place: str = ""
    text: str = ""


def policy_view(policy: TeamPolicy, base: Settings, place: str = "", not_taken: str = "") -> PolicyView:
    """`base`: the settings that it is laid over."""
    return PolicyView(
        project=policy.project,
        serial=policy.serial,
        issued=policy.issued,
        expires=clock.iso(policy.expires) if policy.expires else None,
        expired=is_over(policy),
        tightens=tightens(base, policy),
        ignored=policy.ignored(base),
        not_taken=not_taken,
        place=place,
        text=policy.text,
    )
