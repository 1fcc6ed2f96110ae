"""The audit trail of recovery: steps and what happened to them, only ever added to, chained by digests."""

import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from schedmate.history.live_rows import ActionRow, action_row

T = TypeVar("T")
LATEST = (
    "SELECT a.*, e.event, e.at_s, e.detail, e.nodes, e.cleared FROM live_actions a JOIN live_action_events e ON e.id ="
    " (SELECT max(id) FROM live_action_events WHERE action = a.id)"
)
EVENT = ("action", "at_s", "event", "detail", "nodes", "cleared", "actor")

LOOP = "schedmate"
"""The actor of what no person asked for."""
FACT = -1
"""The place, among a plan's, of what is no step of any: a fact about a run."""
STEP = "made_s, job, run, place, kind, target, reason, mode"


NOTES_UNCHAINED = 15
"""The migration that notes the last entry without a digest."""


class Entry(NamedTuple):
    """One thing that happened to a step."""

    at_s: float
    event: str
    detail: str
    actor: str
    """Whose word it was; the loop's own where it is `schedmate`, empty in entries from before actors were noted."""


class Verified(NamedTuple):
    """What comparing the digests brought."""

    entries: int
    """Entries that are as they were written."""
    older: int
    """Entries from before there was a chain."""
    head: str
    """The digest of the last good entry: who notes it elsewhere will see that entries after it were cut off."""
    broken: int | None
    """The first entry that is not as it was written, or before which one is missing."""


class Trail:
    """The part of the store that nobody changes; the database itself refuses it."""

    connection: sqlite3.Connection

    def write(self, work: Callable[[], T]) -> T:
        """Do work in a transaction."""
        raise NotImplementedError

    def add_action(self, job: int, run: int, place: int, kind: str, target: str, reason: str, mode: str) -> int | None:
        """Add a step of a plan to the audit trail; None when this very step was planned before."""
        sql = (
            "INSERT INTO live_actions (made_s, job, run, place, kind, target, reason, mode)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        row = (time.time(), job, run, place, kind, target, reason, mode)
        cursor = self.write(lambda: self.connection.execute(sql, row))
        return cursor.lastrowid if cursor.rowcount else None

    def note_fact(self, job: int, run: int, kind: str, words: str) -> None:
        """Add to the audit trail, once, what is to be known of a run and is no step of recovery."""

        def work() -> None:
            if (action := self.add_action(job, run, FACT, kind, "", words, "")) is not None:
                self.note_action(action, "noted", words)

        self.write(work)

    def note_action(
        self,
        action: int,
        event: str,
        detail: str = "",
        nodes: Iterable[str] = (),
        cleared: Iterable[str] = (),
        actor: str = LOOP,
    ) -> None:
        """Add what happened to a step to the audit trail, with the nodes that it speaks against and for."""
        row = (action, time.time(), event, detail[:4000], json.dumps([*nodes]), json.dumps([*cleared]), actor)

        def work() -> None:
            last = self.connection.execute("SELECT digest FROM live_action_events ORDER BY id DESC LIMIT 1").fetchone()
            digest = self.digest(last["digest"] if last else "", row)
            sql = f"INSERT INTO live_action_events ({', '.join(EVENT)}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            self.connection.execute(sql, (*row, digest))

        self.write(work)

    def digest(self, before: str, row: tuple[Any, ...]) -> str:
        """Sum up an entry, its step, and through the digest before it all that came before."""
        step = self.connection.execute(f"SELECT {STEP} FROM live_actions WHERE id = ?", (row[0],)).fetchone()
        told = row if row[-1] else row[:-1]  # as before entries had an actor
        return sha256(json.dumps([before, *told, *(step or ())]).encode()).hexdigest()

    def verify(self) -> Verified:
        """Go through the trail and compare each digest and number, then the last with what the database counted."""
        sql = f"SELECT id, {', '.join(EVENT)}, digest FROM live_action_events ORDER BY id"
        count, older, head, last = 0, 0, "", 0
        unchained, counted = self.last_unchained(), self.counted()
        for number, *row, digest in self.connection.execute(sql):
            if number != last + 1:
                return Verified(count, older, head, number)
            if not digest and not head and number <= unchained:
                older += 1  # written before there was a chain
            elif digest != self.digest(head, tuple(row)):
                return Verified(count, older, head, number)
            else:
                count, head = count + 1, digest
            last = number
        return Verified(count, older, head, last + 1 if last < counted else None)

    def last_unchained(self) -> float:
        """Give the last entry from before there was a chain, as was noted when that was still to be seen."""
        row = self.connection.execute("SELECT value FROM live_facts WHERE name = 'unchained'").fetchone()
        is_old = self.connection.execute("PRAGMA user_version").fetchone()[0] < NOTES_UNCHAINED
        return float(row["value"]) if row is not None else math.inf if is_old else 0.0

    def counted(self) -> int:
        """Give the number of the last entry that there ever was."""
        sql = "SELECT seq FROM sqlite_sequence WHERE name = 'live_action_events'"
        row = self.connection.execute(sql).fetchone()
        return 0 if row is None else int(row["seq"])

    def actions(self, events: Iterable[str] = (), job: int | None = None) -> list[ActionRow]:
        """List steps by the last thing that happened to them; without events, all."""
        names = list(events)
        wheres = [f"e.event IN ({', '.join('?' * len(names))})"] if names else []
        wheres += ["a.job = ?"] if job is not None else []
        where = f" WHERE {' AND '.join(wheres)}" if wheres else ""
        arguments = (*names, *([job] if job is not None else []))
        rows = self.connection.execute(f"{LATEST}{where} ORDER BY a.id", arguments)
        return [action_row(row) for row in rows]

    def treated(self) -> set[int]:
        """Name the jobs about whose failures something was done."""
        return {
            row[0] for row in self.connection.execute(f"SELECT DISTINCT job FROM live_actions WHERE place <> {FACT}")
        }

    def trail(self, action: int) -> list[Entry]:
        """Give all that happened to a step, oldest first."""
        sql = "SELECT at_s, event, detail, actor FROM live_action_events WHERE action = ? ORDER BY id"
        return [Entry(*row) for row in self.connection.execute(sql, (action,))]

    def ends(self, kind: str, event: str) -> list[tuple[float, tuple[str, ...]]]:
        """Give when something happened to steps of a kind, and to which nodes."""
        sql = (
            "SELECT e.at_s, e.nodes FROM live_action_events e JOIN live_actions a ON a.id = e.action"
            " WHERE a.kind = ? AND e.event = ? ORDER BY e.id"
        )
        return [(row["at_s"], tuple(json.loads(row["nodes"]))) for row in self.connection.execute(sql, (kind, event))]
