"""A shared loop seen from outside: the questions that the commands ask of a store, asked at its door."""

import array
import json
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from struct import Struct
from typing import Any

from schedmate.errors import SchedMateError
from schedmate.history.live_requests import of_older
from schedmate.history.live_rows import ActionRow, Answer, LiveRow, Request, RunRow, State, Submission
from schedmate.history.trail import Entry, Verified
from schedmate.scheduling.live.messages import Message
from schedmate.scheduling.live.presence import LoopError

CREDENTIALS = Struct("3i")
PATIENCE_S = 60.0
MOST_BYTES = 256 << 20


class Visitor:
    """The `Store` of a shared loop; nobody is asked who he is, the kernel tells."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pipe = socket.socket(socket.AF_UNIX)
        self.pipe.settimeout(PATIENCE_S)
        self.known: dict[int, list[RunRow]] = {}
        self.kinds: dict[int, str] = {}
        """What was asked, by the request's number."""
        try:
            self.pipe.connect(str(path))
        except OSError as error:
            self.pipe.close()
            hint = "systemctl status schedmate says more; SCHEDMATE_SOCKET=none uses a loop of your own"
            raise LoopError(f"the shared loop at {path} does not answer: {error.strerror}", hint) from error
        size = CREDENTIALS.size
        _, uid, _ = CREDENTIALS.unpack(self.pipe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
        if uid not in (0, os.geteuid()):  # it would be handed environments, and the tokens in them
            self.pipe.close()
            raise LoopError(
                f"{path} is served by the account {uid}, neither root nor yours", "name another in SCHEDMATE_SOCKET"
            )
        self.stream = self.pipe.makefile("rb")

    def close(self) -> None:
        """Leave."""
        self.stream.close()
        self.pipe.close()

    def question(self, verb: str, **words: object) -> Any:  # Any: whatever the loop answers to this verb
        """Ask, and give the answer."""
        self.say(verb, words)
        try:
            line = self.stream.readline(MOST_BYTES)
        except OSError as error:
            raise gone(self.path) from error
        return self.understood(line)

    def say(self, verb: str, words: Message) -> None:
        """Put a question; who was sent away before he could has the reason to read all the same."""
        with suppress(OSError):
            self.pipe.sendall(json.dumps({"verb": verb, **words}).encode() + b"\n")

    def understood(self, line: bytes) -> Any:  # Any: whatever the loop answers
        """Take an answer, or the error that it is."""
        if not line.endswith(b"\n"):
            raise gone(self.path)
        told = json.loads(line)
        if "error" in told:
            raise SchedMateError(str(told["error"]), str(told.get("hint", "")))
        return told["answer"]

    def submit(self, job: Submission, token: str, submit_s: float) -> int:
        """Hand in a job, with the umask and the limits of this session; its time is the loop's."""
        from schedmate.clusters.runner.account import session_limits

        umask = os.umask(0o077)
        os.umask(umask)
        told = asdict(job)
        for name in ("account", "runs_as", "vc"):
            told.pop(name)
        session = {"umask": umask, "limits": session_limits()}
        return int(self.question("submit", job=told, token=token, session=session))

    def loop_is_up(self) -> bool:
        """Say yes: who was let in at its door has met it."""
        return True

    def require_loop(self) -> None:
        """Refuse nothing: it is up."""

    def wake(self) -> None:
        """Do nothing: the door wakes it."""

    def requests(self) -> list[Request]:
        """Give none: they are the loop's affair."""
        return []

    def lost_jobs(self) -> list[int]:
        """Give none: they are the loop's affair, too."""
        return []

    def ask(self, kind: str, target: int = 0, argument: str = "") -> int:
        """Ask something of the loop."""
        request = int(self.question("ask", kind=kind, target=target, argument=argument))
        self.kinds[request] = kind
        return request

    def answer_to(self, request: int) -> Answer | None:
        """Read the answer to what was asked here; None while there is none."""
        answer = self.question("answer_to", request=request)
        if isinstance(answer, str):
            return of_older(self.kinds.get(request, ""), answer)
        return None if answer is None else Answer(**answer)

    def jobs(self, states: Sequence[State] = ()) -> list[LiveRow]:
        """List jobs in the order of submission; of others' only what the queue tells."""
        found: list[LiveRow] = []
        while told := self.question("jobs", states=list(states), after=found[-1].id if found else 0):
            found += [self.learn(one) for one in told]
        return found

    def job(self, number: int) -> LiveRow:
        """Read one job."""
        return self.learn(self.question("job", job=str(number)))

    def number_of(self, name: str) -> int:
        """Give the number of a job by its name."""
        return self.learn(self.question("job", job=name)).id

    def name_of(self, number: int) -> str:
        """Name a job as its users know it."""
        return self.job(number).job_id

    def learn(self, told: Message) -> LiveRow:
        """Take in a job, and its runs for when they are asked for."""
        row = LiveRow(**told["row"] | {"command": tuple(told["row"]["command"])})
        self.known[row.id] = [
            RunRow(**run | {"parts": tuple((str(node), int(mask)) for node, mask in run["parts"])})
            for run in told["runs"]
        ]
        return row

    def runs(self, job: int) -> list[RunRow]:
        """List a job's runs, as they were when the job was told."""
        if job not in self.known:
            self.job(job)
        return self.known[job]

    def run(self, job: int, run: int) -> RunRow:
        """Read one run as it is now."""
        self.job(job)
        found = next((row for row in self.known[job] if row.run == run), None)
        if found is None:
            raise SchedMateError(f"job {job} has no run {run}", f"schedmate why {job} lists them")
        return found

    def open_log(self, job: int, run: int) -> int:
        """Open a log of one's own for reading."""
        self.say("log", {"job": str(job), "run": run})
        handles = array.array("i")
        line, sent, _, _ = self.pipe.recvmsg(1 << 16, socket.CMSG_LEN(handles.itemsize))
        for level, kind, data in sent:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                handles.frombytes(data[: len(data) - len(data) % handles.itemsize])
        self.understood(line)
        return handles[0]

    def actions(self, job: int | None = None) -> list[ActionRow]:
        """List steps of recovery that one may see."""
        told = self.question("actions", job=job)
        return [ActionRow(**{**one, "nodes": tuple(one["nodes"]), "cleared": tuple(one["cleared"])}) for one in told]

    def trail(self, action: int) -> list[Entry]:
        """Give all that happened to a step."""
        return [Entry(**one) for one in self.question("trail", action=action)]

    def verify(self) -> Verified:
        """Have the trail's digests compared."""
        return Verified(**self.question("verify"))


def gone(path: Path) -> LoopError:
    """Say that the loop has gone."""
    return LoopError(f"the shared loop at {path} has gone", "systemctl status schedmate says more")
