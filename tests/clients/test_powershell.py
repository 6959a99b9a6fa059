"""PowerShell lines in the words of a POSIX shell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.powershell import posix_line
from leeboard.clients.tool_calls import parse_call


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (r"Remove-Item -Recurse -Force .\a\b", "rm -rf ./a/b"),
        ("ri a -r -fo; del b", "rm -rf a; rm -rf b"),
        ("Remove-Item -LiteralPath:'a b' -Force", "rm -rf 'a b'"),
        ('Remove-Item "a","b"', 'rm -rf "a" "b"'),
        ("Remove-Item a -WhatIf", "true"),
        ("Get-ChildItem a -Recurse -Filter *.md | Remove-Item", "find a -name '*.md' | xargs rm -rf"),
        ("gci a | % { ri $_.FullName }", "ls a | xargs rm -rf"),
        ("if (Test-Path a) { Remove-Item a } else { git reset --hard }", "rm -rf a; git reset --hard"),
        ("& 'git' reset --hard", "git reset --hard"),
        ('iex "git clean -fd"', "git clean -fd"),
        ("$d = 'x'; Remove-Item $d", "d=x; rm -rf ${d}"),
        ("Set-Content a.md -Value 'x'", "echo x > a.md"),
        ("'x' | Out-File a.md -Append", "echo x | cat >> a.md"),
        (r"Remove-Item $env:USERPROFILE\x, C:\y", "rm -rf ${HOME}/x /c/y"),
        ("Copy-Item a -Destination b", "cp -r a b"),
        ("Get-Process # Remove-Item a", "true"),
        ("Write-Host 'Remove-Item a'", "echo 'Remove-Item a'"),
        ("git commit -m 'it''s; done' # x", "git commit -m 'it'\"'\"'s; done'"),
        ("Invoke-WebRequest https://x.invalid -OutFile a.zip", "curl https://x.invalid -o a.zip"),
        ("npm test && npm run build", "npm test; npm run build"),
        ("Move-Item -Path a -Destination b -Force; mi c d", "mv a b; mv c d"),
        ("'x' >> a.md; Get-Date > b.md", "echo x >> a.md; true > b.md"),
        ("Get-Process *> log.txt", "true &> log.txt"),
        ("npm test 2>$null | Out-Null", "npm test 2> /dev/null | cat"),
        (r"Rename-Item -Path src\a.py -NewName b.py", "mv src/a.py src/b.py"),
        ("Rename-Item 'src/a b.py' c.py", "mv 'src/a b.py' 'src'/c.py"),
        ("pushd src; ri a; popd", "pushd src; rm -rf a; popd"),
        ("Get-Process | Export-Csv a.csv", "true | cat > a.csv"),
        ("Get-Date | Tee-Object a.md -Append", "true | tee -a a.md"),
        ("(Get-Content a) -replace 'x','y' | Set-Content a", "echo x y | cat > a"),
        ("@'\nrm -rf /; it's\n'@ | Out-File a.md", "echo 'rm -rf /; it'\"'\"'s' | cat > a.md"),
        ('Set-Content a.md -Value @"\r\none\r\ntwo\r\n"@', "echo 'one\r\ntwo' > a.md"),
        ("[IO.File]::WriteAllText('a b.md', 'x')", "echo x > 'a b.md'"),
        ("[System.IO.Directory]::Delete('src', $true)", "rm -rf src"),
        ("[IO.File]::Move('a', 'b'); [IO.File]::Exists('c')", "mv a b"),
        ("[IO.File]::SetAttributes('a', 'Hidden')", "powershell -Command SetAttributes"),
        ("pwsh -NoProfile -Command 'Remove-Item a'", "rm -rf a"),
        ("cmd.exe /c 'rd /s /q src & del b'", "rm -rf src; rm -rf b"),
        ("Remove-Item (Join-Path $PWD 'a')", "rm -rf ${PWD}/a"),
        ("Remove-Item Env:\\TOKEN, a; Remove-Item Env:\\TOKEN", "rm -rf a; true"),
        (r"Remove-Item HKCU:\Software\x", "Remove-Item HKCU:/Software/x"),
        ("", ""),
    ],
)
def test_a_line(script: str, line: str) -> None:
    assert posix_line(script) == line


@given(st.text(max_size=80))
def test_no_text_raises(script: str) -> None:
    assert isinstance(posix_line(script), str)


def test_the_tool_of_the_client_is_a_shell() -> None:
    call = parse_call("t1", "PowerShell", {"command": "Remove-Item a"})
    assert (call.action, call.command, call.tool) == ("bash", "rm -rf a", "PowerShell")
