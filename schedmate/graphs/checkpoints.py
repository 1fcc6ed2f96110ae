"""LangGraph's SQLite checkpointer as a guest in somebody else's database: what it writes belongs to their transaction.

A checkpoint in a file of its own and a row in the store can differ after a kill, and then a step is forgotten or done
twice. Here both are one transaction of one file.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from sqlite3 import Cursor

from langgraph.checkpoint.sqlite import SqliteSaver


class GuestSaver(SqliteSaver):
    """Leaves beginning and ending a transaction to the host, and its tables to whoever calls `setup` before one."""

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[Cursor]:
        """Give a cursor that commits nothing."""
        with self.lock, closing(self.conn.cursor()) as cursor:
            yield cursor
