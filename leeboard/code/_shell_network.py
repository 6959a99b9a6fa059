"""Programs that talk to other machines, and the files they leave here."""

from __future__ import annotations

import posixpath

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_files import below
from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Run

PLAIN = frozenset({"dig", "nslookup", "ping", "ssh", "ssh-add", "telnet", "traceroute", "whois", "nc", "host", "xh"})
"""They change nothing here, whatever they do elsewhere."""

_CURL_VALUED = (
    "-A -b -c -C -d -D -e -E -F -H -K -m -o -r -T -u -U -w -x -X -y -Y -z --output --output-dir --data --data-raw"
    " --data-binary --data-urlencode --header --request --user --user-agent --cookie --cookie-jar --dump-header --form"
    " --max-time --connect-timeout --retry --proxy --url --write-out --config --cacert --cert --key --referer --range"
    " --upload-file --trace --trace-ascii --json --resolve --retry-delay --retry-max-time --limit-rate"
)
_WGET_VALUED = (
    "-O -o -P -a -i -T -t -w -U -Q --output-document --output-file --directory-prefix --header --post-data --timeout"
    " --tries --user --password --user-agent"
)


def curl(run: Run, args: list[str]) -> None:
    run.effects.network = True
    parsed = parse(args, _CURL_VALUED)
    folders = parsed.values("--output-dir")
    targets = parsed.values("-o", "--output")
    if parsed.has("-O", "--remote-name", "--remote-name-all"):
        targets += [_name_in(url) for url in parsed.operands + parsed.values("--url")]
    if parsed.has("-J", "--remote-header-name", "-K", "--config"):
        run.hide()
    run.write(*[below(folders[-1], name) if folders else name for name in targets if name != "-"])
    side_files = parsed.values("-c", "--cookie-jar", "-D", "--dump-header", "--trace", "--trace-ascii")
    run.write(*[name for name in side_files if name != "-"])


def _name_in(url: str) -> str:
    """The file name at the end of an address."""
    plain = url.partition("?")[0].partition("#")[0].partition("://")[2]
    return posixpath.basename(plain) or UNKNOWN


def wget(run: Run, args: list[str]) -> None:
    """Without -O an existing file makes wget choose another name."""
    run.effects.network = True
    parsed = parse(args, _WGET_VALUED)
    run.write(*[name for name in parsed.values("-o", "--output-file", "-a") if name != "-"])
    targets = parsed.values("-O", "--output-document")
    if targets:
        run.write(*[name for name in targets if name != "-"])
    elif not parsed.has("--spider", "--version", "--help"):
        folders = parsed.values("-P", "--directory-prefix")
        names = [_name_in(url) for url in parsed.operands]
        run.write(*[below(folders[-1], name) if folders else name for name in names])
        run.hide()


def remote_copy(run: Run, args: list[str]) -> None:
    """For scp and rsync: a name with a colon is on another machine."""
    run.effects.network = True
    valued = "-e -i -P -F -l -o -c -S -J -f -T --rsh --exclude --include --filter --files-from --bwlimit --exclude-from"
    parsed = parse(args, valued)
    if parsed.has("-n", "--dry-run", "--list-only") or len(parsed.operands) < 2:
        return
    *sources, target = parsed.operands
    run.read(*[source for source in sources if not _is_remote(source)])
    if parsed.has("--remove-source-files"):
        run.delete(*[source for source in sources if not _is_remote(source)])
    if not _is_remote(target):
        run.write(target)


def _is_remote(word: str) -> bool:
    return ":" in word.partition("/")[0]


def plain(run: Run, _args: list[str]) -> None:
    run.effects.network = True
