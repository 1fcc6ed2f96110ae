"""What people ask of the running loop, and its answers."""

import json
import time

from schedmate.history.live_rows import Answer, Request
from schedmate.history.trail import Trail
from schedmate.tools.accounts import my_account

QUESTIONS = ("board", "nodes", "standing")
"""What is only asked: it changes nothing, the loop does not speak of it, and it is soon forgotten."""

REFUSED = "error: "
"""How a loop from before there was `ok` begins a refusal, also in a store that a newer one has changed under it."""
OLDER = "the loop that is up is of an older version: end it with schedmate down, and start it anew"


class Requests(Trail):
    """The part of the store into which everybody may write."""

    def ask(self, kind: str, target: int = 0, argument: str = "", actor: str = "") -> int:
        """Ask something of the loop, as whoever owns this process, or for somebody whom the caller has made out."""
        sql = "INSERT INTO live_requests (made_s, kind, target, argument, actor) VALUES (?, ?, ?, ?, ?)"
        row = (time.time(), kind, target, argument, actor or my_account())
        cursor = self.write(lambda: self.connection.execute(sql, row))
        return int(cursor.lastrowid or 0)

    def requests(self) -> list[Request]:
        """List what was asked and not yet done."""
        sql = "SELECT id, kind, target, argument, actor FROM live_requests WHERE done_s IS NULL ORDER BY id"
        return [Request(*row) for row in self.connection.execute(sql)]

    def asked(self, kind: str) -> dict[str, Request]:
        """Give the latest requests of a kind that were granted, by the node that they name."""
        sql = (
            "SELECT id, kind, target, argument, actor FROM live_requests WHERE kind = ? AND done_s IS NOT NULL"
            f" AND ok AND answer NOT LIKE '{REFUSED}%' ORDER BY id DESC LIMIT 1000"
        )
        found = [Request(*row) for row in self.connection.execute(sql, (kind,))]
        return {str(json.loads(one.argument)["node"]): one for one in reversed(found)}

    def answer(self, request: int, answer: Answer) -> None:
        """Say that a request is done, and how."""
        sql = "UPDATE live_requests SET done_s = ?, answer = ?, ok = ?, data = ? WHERE id = ?"
        row = (time.time(), answer.words, answer.ok, json.dumps(answer.data), request)
        self.write(lambda: self.connection.execute(sql, row))

    def answer_to(self, request: int) -> Answer | None:
        """Read the answer; None while there is none."""
        sql = "SELECT kind, answer, ok, data FROM live_requests WHERE id = ? AND done_s IS NOT NULL"
        row = self.connection.execute(sql, (request,)).fetchone()
        if row is None:
            return None
        words, was_done = row["answer"], bool(row["ok"])
        if was_done and (words.startswith(REFUSED) or (words and row["kind"] in QUESTIONS)):
            return of_older(row["kind"], words)
        return Answer(words, was_done, json.loads(row["data"]))


def of_older(kind: str, words: str) -> Answer:
    """Understand a loop that answers everything in words; what it says to a question is nothing that we can read."""
    if words.startswith(REFUSED):
        return Answer(words.removeprefix(REFUSED), ok=False)
    return Answer(OLDER, ok=False) if kind in QUESTIONS else Answer(words)
