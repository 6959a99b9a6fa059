"""A simple model of who knows what of which file, for agents and a person who work on the same ones."""

from __future__ import annotations

Actor = tuple[str, str]
Pair = tuple[Actor, str]

ABSENT = "\0absent"
UNKNOWN = "unknown: a person or another program"
LINTER = "a formatter, a linter or a person"
GIT = "git: it now equals commit"
NOT_BACK = "your own call that has not come back"
HEARD = "heard of: "


class Model:
    """What each agent knows of each file, and who wrote what is in it."""

    def __init__(self) -> None:
        self.text: dict[str, str] = {}
        self.writer: dict[str, Actor | None] = {}
        self.known: dict[Pair, str] = {}
        self.part: set[Pair] = set()
        """Of which the agent knows the beginning alone."""
        self.told: dict[Pair, str] = {}
        """With `HEARD` before it where the agent only heard at a prompt that it had changed."""
        self.wrote: set[Pair] = set()
        """As the agent itself left it."""
        self.marks: dict[Pair, str] = {}
        """What a command of an agent left in a file that the agent had not seen."""
        self.outside: set[Pair] = set()
        """Changed by somebody who is not of the agent's session, since it knew it."""
        self.vague: set[str] = set()
        """Files of which nobody can tell who left them so: they may be put down to an agent of the session."""
        self.hazy: set[Pair] = set()
        """Changed while a command of the agent ran that may have done it: it may be told or not."""
        self.unreturned: set[Pair] = set()
        """A call of the agent that may have changed it never came back."""

    def change(self, name: str, text: str, writer: Actor | None) -> None:
        if self.text.get(name) == text:  # whoever wrote the same again may be named
            self.vague.add(name)
            return
        self.text[name], self.writer[name] = text, writer
        self.vague.discard(name)
        if any(place == name and self.known[actor, place] == text for actor, place in self.wrote):
            self.vague.add(name)  # as some agent had left it before
        for actor, place in self.known:
            if place == name and (writer is None or writer[0] != actor[0]):
                self.outside.add((actor, name))
            if place == name and self.known[actor, name] == text:  # taken back
                self.outside.discard((actor, name))

    def shows(self, pair: Pair, text: str) -> None:
        """The agent was shown all of it, as it was then."""
        if self.known.get(pair) != text:
            self.wrote.discard(pair)
        self.known[pair] = text
        self.wrote |= {pair} if self.marks.get(pair) == text else set()
        self.told.pop(pair, None)  # what it was told of before this is news when it comes again
        self.unreturned.discard(pair)
        self.part.discard(pair)
        self.hazy.discard(pair)
        if text == self.text[pair[1]]:
            self.outside.discard(pair)

    def shows_beginning(self, pair: Pair) -> None:
        """What has changed elsewhere in what the agent knew of it stays unseen."""
        text = self.text[pair[1]]
        if pair in self.hazy:
            return
        if pair not in self.known:
            self.part.add(pair)
        elif pair not in self.part and _end(self.known[pair]) != _end(text):
            return
        self.wrote = self.wrote if self.known.get(pair) == text else self.wrote - {pair}
        self.known[pair] = text
        self.wrote |= {pair} if self.marks.get(pair) == text else set()
        self.told.pop(pair, None)
        self.outside.discard(pair)

    def writes(self, pair: Pair, text: str, *, whole: bool) -> None:
        actor, name = pair
        self.change(name, text, actor)
        self.known[pair] = text
        self.wrote.add(pair)
        self.unreturned.discard(pair)
        self.outside.discard(pair)
        self.told.pop(pair, None)
        if whole:
            self.part.discard(pair)
            self.hazy.discard(pair)

    def matters(self, pair: Pair, *, whole: bool) -> bool:
        """Whether what is there now is news to the agent, who is about to write it whole or in part."""
        known, text = self.known.get(pair), self.text[pair[1]]
        if known is None or known == text:
            return False
        return whole or pair not in self.part or ABSENT in {known, text} or _beginning(known) != _beginning(text)

    def is_news(self, pair: Pair, *, whole: bool) -> bool:
        return self.matters(pair, whole=whole) and self.told.get(pair) != self.text[pair[1]]

    def is_unheard(self, pair: Pair) -> bool:
        """Whether the agent is to hear of it at a prompt."""
        text = self.text[pair[1]]
        return self.is_news(pair, whole=False) and self.told.get(pair) != f"{HEARD}{text}"

    def authors(self, pair: Pair) -> tuple[str, ...]:
        """Who may be named."""
        (session, _), writer = pair[0], self.writer[pair[1]]
        if writer is None or pair in self.outside:
            own = (NOT_BACK,) if pair in self.unreturned else ()
            return UNKNOWN, LINTER, GIT, "another session of this project", *own
        return ("another agent of this session" if writer[0] == session else "another session of this project",)


def _beginning(text: str) -> list[str]:
    return text.split("\n")[:2]


def _end(text: str) -> list[str]:
    return text.split("\n")[2:]
