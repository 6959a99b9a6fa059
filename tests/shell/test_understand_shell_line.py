"""What is told of a line is held against what bash really does with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from leeboard.shell.command import Simple
from leeboard.shell.scope import Effects, ShellScope
from leeboard.shell.understand import perform, understand

FILES = ("a", "b", "c", "a.py", "b.py", "src/x.py", "src/y.py", "src/deep/z.py", "dir/keep", "list", "sp ace")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template") / "work"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"alpha {name}\nbeta\n")
    (root / "list").write_text("a\nb\n")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    (root / "a.py").write_text("changed\n")
    (root / "untracked").write_text("new\n")
    return root


def _contents(root: Path) -> dict[str, bytes]:
    return {
        str(path): str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        for path in root.rglob("*")
        if ".git" not in path.parts and (path.is_file() or path.is_symlink())
    }


CERTAIN = [
    "echo x > new; echo y >> a",
    "ls nothing 2> err; ls &> both",
    "cat <<EOF > h1; cat > h2 <<'X' && rm b\none $HOME\nEOF\n$(rm a)\nX",
    "cat > h <<EOF\n$(rm b; echo hi)\nEOF",
    'F=a; D=src; echo hi > $F; echo hi > "$D/$F.py"',
    "cd src && sed -i s/alpha/omega/ x.py && (cd deep; rm z.py); touch w",
    "sed -i.bak -E 's/(alpha|beta)/x/' a b",
    "sed -n 1p a; sed s/a/b/ b > b2; sed -Ei s/a/b/ c",
    "perl -pi -e 's/alpha/x/' a; perl -i.orig -ne 'print' b; perl -ne 'print if /x/' c",
    "awk '{print $1 > \"first\"}' a; awk '$2 > 1 {print}' b",
    "cp a b dir/; cp a a2; cp -r src copy; cp a.py b.py src",
    "mkdir -p new/deep && cp a new/deep && mv b new",
    "mv a b dir; mv c c2; mv -t src a.py b.py",
    "rm -f a nothing; rm -rf src; rm 'sp ace'",
    "ln -s a link; ln -s ../a src; ln b hard",
    "touch n1 src/{n2,n3}.py x{,.bak}; truncate -s 0 a; install -m 644 a dir/i",
    "dd if=a of=dd bs=1 count=3 2>/dev/null; install -d made; mkdir other; chmod 600 b",
    "echo x | tee t1 -a t2 > /dev/null; sort list -o list; sort -r list > sorted; uniq list u",
    "git checkout -q -- a.py; git rm -q --cached b; git mv c c3; git rm -q b.py",
    "git checkout -q HEAD -- a.py src/x.py; git restore a.py; git clean -fq untracked",
    "git status; git diff; git add .; git log --oneline; git -c user.name=x -c user.email=x@y commit -qm y",
    "git stash push -q a.py; git stash list; git diff --output=patch HEAD",
    "for i in 1 2; do echo $i >> log; done; while read l; do cat $l; done < list > both",
    "f() { echo hi > made_$X; cd src; }; X=1; f() { rm a; cd src; }; f; rm x.py",
    "if [ -f a ]; then rm a; else touch no; fi; [ -f b ] && rm b || touch no2",
    "case a in a) touch yes;; *) touch no;; esac; test -f a && touch t || touch u",
    "bash -c 'cd src; rm x.py'; sh -c \"echo hi > a\"; eval 'rm b; cd src'; touch here",
    "bash <<'EOF'\nrm a\nEOF",
    "python3 -c \"open('p','w').write('x'); import os; os.remove('a'); os.rename('b', 'b2')\"",
    (
        "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('a')\np.write_text(p.read_text() + 'x')\n"
        "for f in ['b', 'c']:\n    Path(f).unlink()\nEOF"
    ),
    (
        "python3 - <<'EOF'\nimport shutil, subprocess\nshutil.copy('a', 'a9'); shutil.rmtree('src')\n"
        "subprocess.run(['rm', 'b'])\nsubprocess.run('echo hi > c', shell=True)\nEOF"
    ),
    "env X=1 nice -n 1 timeout 5 rm a; command rm b; nohup touch n > out 2>&1; time touch t",
    "cat a b | grep alpha | head -1 | tee h; diff <(cat a) <(sort b > sorted_b); ls > >(cat > late); sleep 0.05",
    "pushd src > /dev/null; touch p; popd > /dev/null; touch q; (cd dir && rm keep)",
    "gzip a; gzip -k b; tar czf o.tgz src; tar tzf o.tgz; gunzip -c b.gz",
    "echo hi > ~/in_home; cp a $HOME/b_home; cd && touch c_home",
    "trap 'rm -f a' EXIT; x=$(rm b) y=`touch made`; echo \"$(touch made2)\"",
    "echo a > f b c; > g echo hi; { ls; pwd; } > both; ! rm a; rm b & wait; exec 3> three",
    "find . -name '*.py' | wc -l; grep -rn alpha . > found; find src -fprint names; ls | xargs echo",
    "true && { rm a; } || { rm b; }; ( ( rm c ) ); [[ a > b ]] || touch no; [ a > b ]",
    "echo 'quoted > no' \"also > no\" \\> no; echo $((3 > 2)) > yes # > no",
]
CERTAIN += [
    "for f in a b; do rm $f; done",
    "mkdir p q; for d in p q; do cd $d && touch x && cd ..; done; touch y",
    'for n in a \'b c\' {d,e}; do f="new-$n"; echo $n > "$f"; done',
    "mkdir p; cd p && echo 1 2>&1 | tee one | tail -1 && touch two",
    "mkdir p; cd p && cat <<'E' | tee one; touch two\n1\nE",
    "mkdir p; cd p && { mkdir q; cd q; touch z; } > one | cat; touch two",
]
UNCERTAIN = ["rm *.py", "for f in a $b; do rm $f; done", "find . -name '*.py' -delete", "xargs rm < list", "git stash"]
UNCERTAIN += [
    "git checkout .",
    "git clean -fd",
    "git reset -q --hard",
    "cd - ; rm a",
    "ls | while read f; do rm -f $f; done",
]
UNCERTAIN += [
    "find . -name '*.py' -exec sed -i s/a/b/ {} +",
    "cat a | sh",
    "touch f{1..3}",
    "python3 -c 'exec(\"x\")'",
]
UNCERTAIN += [
    "awk '{print > $1}' a",
    "sed -n 'w out' a",
    "split a",
    "cat list | xargs -I{} cp {} dir/",
    "echo x > $RANDOM",
]


@pytest.mark.parametrize("line", CERTAIN + UNCERTAIN)
def test_bash_changes_nothing_that_was_not_told(line: str, template: Path, tmp_path: Path) -> None:
    work, home = tmp_path / "work", tmp_path / "home"
    home.mkdir()
    shutil.copytree(template, work, symlinks=True)
    effects = understand(line, str(work))
    before = _contents(tmp_path)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    subprocess.run(["/bin/bash", "-c", line], cwd=work, env=environment, capture_output=True, check=False, timeout=20)
    after = _contents(tmp_path)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    told = {touch.path.replace("~", str(home), 1) for touch in effects.touches if touch.modifies}
    untold = {path for path in changed if not told & {path, *map(str, Path(path).parents)}}
    assert effects.opaque or not untold
    assert effects.opaque == (line in UNCERTAIN)


def test_a_line_without_end_is_given_up() -> None:
    effects = Effects()
    for _ in range(2_000):
        perform(Simple([], ["touch", "a"], []), effects, ShellScope(""))
    assert effects.opaque
