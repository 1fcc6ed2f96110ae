"""Single facts of the store; one of them says which loop may write jobs and runs: the last that came up."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Leaving(BaseException):
    """Say that a write was given up because its process is to end; no handler of errors may take it for one."""


class Superseded(Leaving):
    """Say that another loop has taken the store over, so that nothing more may be written by this one."""


class SingleValues:
    """The part of the store that holds single values."""

    connection: sqlite3.Connection
    turn = ""
    """The loop's own, while it is the only writer of jobs and runs; empty for whoever only hands something in."""

    def write(self, work: Callable[[], T]) -> T:
        """Do work in a transaction."""
        raise NotImplementedError

    def fact(self, name: str) -> str:
        """Read a single value; empty when it was never set."""
        row = self.connection.execute("SELECT value FROM live_facts WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row["value"])

    def set_fact(self, name: str, value: str) -> None:
        """Keep a single value."""
        sql = "INSERT INTO live_facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        self.write(lambda: self.connection.execute(sql, (name, value)))

    def own(self, turn: str) -> None:
        """Be the loop of this store from now on: whoever was so before writes nothing more."""
        self.set_fact("turn", turn)
        self.turn = turn

    def keep_turn(self) -> None:
        """Refuse a transaction of a loop that is no longer the one of its store."""
        if self.turn and self.fact("turn") != self.turn:
            raise Superseded
