"""Who may look and who may act: each has a token, which a browser changes for a cookie."""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["viewer", "operator"]
IDLE_S = 12 * 3600.0
MOST_SESSIONS = 2000

MOST_LETTERS = 200
"""Of a token; what is longer is none."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who holds a token; the name stands in the audit trail."""

    name: str
    role: Role
    token: str


@dataclass(slots=True)
class Session:
    """One browser that has shown a token."""

    person: Person
    csrf: str
    """What every form of this browser must bring along, and no other site can know."""
    seen_s: float
    said: str = ""
    """What the loop answered to its last form, until a page shows it."""


class People:
    """Knows the tokens, and the browsers that showed one; the latest so many are remembered."""

    def __init__(self, people: Sequence[Person], clock: Callable[[], float] = time.monotonic) -> None:
        self.people = tuple(people)
        self.clock = clock
        self.sessions: OrderedDict[str, Session] = OrderedDict()

    def holder(self, token: str) -> Person | None:
        """Give who holds a token; how long this takes tells nothing of it."""
        found = None
        for person in self.people:
            if len(token) <= MOST_LETTERS and hmac.compare_digest(person.token.encode(), token.encode()):
                found = person
        return found

    def begin(self, person: Person) -> str:
        """Remember a browser; give what its cookie is to hold."""
        key = secrets.token_urlsafe(24)
        self.sessions[key] = Session(person, secrets.token_urlsafe(24), self.clock())
        while len(self.sessions) > MOST_SESSIONS:
            self.sessions.popitem(last=False)
        return key

    def session(self, key: str) -> Session | None:
        """Find a browser by its cookie, unless it has been silent for too long."""
        session = self.sessions.get(key)
        if session is None:
            return None
        if self.clock() - session.seen_s > IDLE_S:
            del self.sessions[key]
            return None
        session.seen_s = self.clock()
        self.sessions.move_to_end(key)
        return session

    def end(self, key: str) -> None:
        """Forget a browser."""
        self.sessions.pop(key, None)


def new_token() -> str:
    """Make a token that nobody guesses."""
    return secrets.token_urlsafe(24)
