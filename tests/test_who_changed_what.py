"""Whoever reads and writes files in whatever order: each change by somebody else is named once, and nothing else is."""

from __future__ import annotations

import time

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.hooked_agent import JSON, run
from tests.shared_work import ACTORS, ENFORCED, FILES, Open, SharedWork, first_line
from tests.worked_files import ABSENT, HEARD, Actor, Pair

SHORT_SECONDS = 4.0
"""What takes longer on a busy machine may be put down to nobody."""
AN_ACTOR, A_FILE = st.sampled_from(ACTORS), st.sampled_from(FILES)


class Work(SharedWork):
    @rule(actor=AN_ACTOR, name=A_FILE, part=st.booleans())
    def agent_reads(self, actor: Actor, name: str, *, part: bool) -> None:
        if self.is_there(name) and not self.is_busy(actor):
            self.agents[actor].read(name, 1, 2 if part else 0)
            if part:
                self.model.shows_beginning((actor, name))
            else:
                self.model.shows((actor, name), self.model.text[name])

    @rule(actor=AN_ACTOR, name=A_FILE, kind=st.sampled_from(("edit", "write", "sed", "look", "script")))
    def agent_proposes(self, actor: Actor, name: str, kind: str) -> None:
        """Several may be on their way at once, but no two of one agent to the same file."""
        if len(self.open) > 1 or any(one.actor == actor and one.name == name for one in self.open):
            return
        if kind in {"edit", "sed", "look"} and not self.is_there(name):
            return
        tool, given = self._given(kind, name)
        answer, call = self.agents[actor].propose(tool, given)
        if kind in {"edit", "write", "sed"}:
            self.checked(answer.words, (actor, name), whole=kind != "edit", denied=answer.denied)
        else:
            assert "changed_underneath" not in answer.words
        if answer.denied:
            self._ended(actor)
        else:
            self.open.append(Open(actor=actor, name=name, kind=kind, call=call, shown=self.model.text[name]))

    def _given(self, kind: str, name: str) -> tuple[str, JSON]:
        line, place = f"{next(self.fresh)} = 2", str(self.repo / name)
        if kind == "edit":
            return "Edit", {"file_path": place, "old_string": first_line(self.model.text[name]), "new_string": line}
        if kind == "write":
            return "Write", {"file_path": place, "content": self.new_text()}
        change = f"sed -i '1s/.*/{line}/' {name}"
        script = self.folder / f"{line.split(maxsplit=1)[0]}.sh"
        script.write_text(f"test ! -e {name} || {change}\n", encoding="utf-8")
        return "Bash", {"command": {"sed": change, "look": f"cat {name}", "script": f"sh {script}"}[kind]}

    def _ended(self, actor: Actor) -> None:
        if not self.is_busy(actor):
            self.agents[actor].end_turn()

    @rule(which=st.integers(0, 1))
    def call_lands(self, which: int) -> None:
        if which < len(self.open):
            one = self.open.pop(which)
            {"edit": self._edit_lands, "write": self._write_lands, "look": self._look_lands}.get(
                one.kind, self._line_lands
            )(one)
            self._ended(one.actor)

    def _edit_lands(self, one: Open) -> None:
        pair, found = (one.actor, one.name), first_line(one.shown) in self.model.text[one.name]
        words = self.agents[one.actor].land_edit(one.call).words
        if found:
            self._landed(pair, words, whole=False)
        else:
            assert words == ""

    def _write_lands(self, one: Open) -> None:
        pair = (one.actor, one.name)
        gone = not self.is_there(one.name)  # the client tells of what it wrote over, and there was nothing
        words = self.agents[one.actor].land_write(one.call).words
        self._landed(pair, words, whole=True, gone=gone)
        self.model.vague |= {one.name} if gone else set()  # who took it away before is not told by anything

    def _landed(self, pair: Pair, words: str, *, whole: bool, gone: bool = False) -> None:
        if pair not in self.model.hazy and not gone:
            assert ("had been changed" in words) == self.model.is_news(pair, whole=whole), (pair, words)
        knew = self.model.known.get(pair), pair in self.model.part
        self.took_over(pair, whole=whole)
        if not whole and knew == (None, False):
            self.model.hazy.add(pair)

    def _look_lands(self, one: Open) -> None:
        pair, agent = (one.actor, one.name), self.agents[one.actor]
        done = run(self.repo, "true")
        done.stdout = one.shown.encode()
        agent.land_bash(one.call, done)
        if one.shown == self.model.text[one.name] or pair not in self.model.known:
            self.model.shows(pair, one.shown)
        if one.shown != self.model.text[one.name]:
            self.model.outside.add(pair)
            self.model.vague.add(one.name)

    def _line_lands(self, one: Open) -> None:
        pair, names = (one.actor, one.name), one.kind == "sed"
        model, stale = self.model, self.model.matters(pair, whole=True)
        knew, hazy = pair in model.known, pair in model.hazy
        was = model.known.get(pair, "")
        done = run(self.repo, one.call["tool_input"]["command"])
        self.agents[one.actor].land_bash(one.call, done)
        outside = pair in model.outside
        if not self.is_there(one.name):
            return
        self.took_over(pair, whole=False)
        others = any(other.actor[0] == one.actor[0] and other.kind != "look" for other in self.open)
        if not knew or (stale and not names):
            model.marks[pair] = model.text[one.name]
            model.known.pop(pair)
            model.wrote.discard(pair)
            model.known |= {pair: was} if knew else {}
            model.outside |= {pair} if outside else set()
        if hazy or others or time.monotonic() - one.began > SHORT_SECONDS or not knew:
            model.vague.add(one.name)
            model.hazy |= {pair} if knew else set()
        if stale and not names:
            model.writer[one.name] = None

    @rule(
        actor=AN_ACTOR,
        name=A_FILE,
        line=st.sampled_from(("rm {0}", "mv {0} {1}", "cp {0} {1}", "git checkout -q -- {0}")),
    )
    def agent_uses_the_shell(self, actor: Actor, name: str, line: str) -> None:
        other = FILES[1 - FILES.index(name)]
        if self.is_busy(actor) or not (self.is_there(name) or line.startswith("git")):
            return
        written = {"rm": (name,), "mv": (name, other), "cp": (other,), "git": (name,)}[line.split(maxsplit=1)[0]]
        answer = self.agents[actor].bash(line.format(name, other))
        for each in written:
            named = answer.denied and f"{each} was changed" not in answer.words
            self.checked(answer.words, (actor, each), denied=answer.denied and not named)
        if answer.denied:
            return
        for each in written:
            if line.startswith("git") and not (self.repo / each).exists():
                continue  # git knows of no such file, and does nothing
            pair = (actor, each)
            knew = pair in self.model.known and pair not in self.model.part
            self.took_over(pair, whole=False)
            if self.model.text[each] == ABSENT:
                self.model.hazy.discard(pair)
                self.model.part.discard(pair)
            elif not knew or line.startswith("git"):
                self.model.hazy.add(pair)

    @rule(
        actor=AN_ACTOR,
        line=st.sampled_from(("git stash -q", "git stash pop -q", "git checkout -q .", "git commit -qam x")),
    )
    def agent_uses_git(self, actor: Actor, line: str) -> None:
        if self.is_busy(actor):
            return
        model = self.model
        answer, call = self.agents[actor].propose("Bash", {"command": line})
        takes_back = line in {"git stash -q", "git checkout -q ."}
        for name in FILES if takes_back else ():
            pair = (actor, name)
            lost = self.is_there(name) and model.text[name] != self._in_git(name)
            if lost and model.is_news(pair, whole=True) and pair not in model.hazy and name not in model.vague:
                assert f"{name} was changed" in answer.words, (pair, answer.words)
            if f"{name} was changed" in answer.words:
                assert model.matters(pair, whole=True) or pair in model.hazy, (pair, answer.words)
                model.told[pair] = model.text[name]
        if answer.denied:
            assert actor[0] == ENFORCED
        else:
            self.agents[actor].land_bash(call, run(self.repo, line))
            self._look_after_git(actor)
        self.agents[actor].end_turn()

    def _in_git(self, name: str) -> str:
        done = run(self.repo, f"git show :{name}")
        return done.stdout.decode() if done.returncode == 0 else ABSENT

    def _look_after_git(self, actor: Actor) -> None:
        for name in FILES:
            place = self.repo / name
            text = place.read_text(encoding="utf-8") if place.exists() else ABSENT
            if text != self.model.text[name]:
                self.model.change(name, text, actor)
                self.model.vague.add(name)
                self.model.hazy.add((actor, name))
                self.is_beside(name, actor)

    @rule(name=A_FILE, line=st.sampled_from((0, 3)))
    def person_edits(self, name: str, line: int) -> None:
        if self.is_there(name):
            lines = self.model.text[name].split("\n")
            lines[line] = f"{next(self.fresh)} = 6"
            self.saved(name, "\n".join(lines))

    @rule(actor=AN_ACTOR, name=A_FILE)
    def person_takes_it_back(self, actor: Actor, name: str) -> None:
        """To what some agent knows: for that one nothing has changed."""
        if (actor, name) in self.model.known and self.model.writer[name] is None:
            self.saved(name, self.model.known[actor, name])
            self.model.vague.add(name)

    @rule(name=A_FILE, how=st.sampled_from(("delete", "rename", "restore")))
    def person_moves_files(self, name: str, how: str) -> None:
        other = FILES[1 - FILES.index(name)]
        if how == "restore" and not self.is_there(name):
            self.saved(name, self.new_text())
        elif how != "restore" and self.is_there(name):
            if how == "rename":
                self.saved(other, self.model.text[name])
            self.saved(name, ABSENT)

    @rule(session=st.sampled_from(("s", "t")), ran=st.booleans(), attached=st.sampled_from(("", *FILES)))
    def user_speaks(self, session: str, attached: str, *, ran: bool) -> None:
        """Whatever the main agent had on its way never comes back, whether it ran or not."""
        actor, model = (session, ""), self.model
        for one in [one for one in self.open if one.actor == actor]:
            self.open.remove(one)
            model.unreturned |= {(actor, name) for name in FILES if one.may_write_anything or name == one.name}
            if ran and one.kind == "sed" and self.is_there(one.name):
                run(self.repo, one.call["tool_input"]["command"])
                self.saved(one.name, (self.repo / one.name).read_text(encoding="utf-8"))
        words = self.agents[actor].prompt(f"go on with {next(self.fresh)} @{attached}")
        for name in FILES:
            pair = (actor, name)
            if name == attached and self.is_there(name):
                assert f"\n{name}: " not in words, (pair, words)
                model.shows(pair, model.text[name])
            fresh = model.is_unheard(pair) and pair in model.outside
            named = f"\n{name}: " in words
            may = name in model.vague and model.is_unheard(pair)
            assert named == fresh or may or pair in model.hazy, (pair, fresh, words)
            if named:
                model.told[pair] = f"{HEARD}{model.text[name]}"


TestWork = Work.TestCase
TestWork.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
