"""What others ask of the loop, through its store: each thing is a function, and each gets its answer."""

from collections.abc import Callable, Mapping
from functools import partial

from schedmate.clusters.managed import ManagedCluster
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_requests import QUESTIONS
from schedmate.history.live_rows import Answer, Request
from schedmate.history.retention import DAY_S
from schedmate.scheduling.live import nodes
from schedmate.scheduling.live.board import board
from schedmate.scheduling.live.estimates import LiveEstimates
from schedmate.scheduling.live.messages import Board, Standing
from schedmate.scheduling.live.presence import myself
from schedmate.scheduling.live.retention import Retention
from schedmate.scheduling.live.rights import Rights
from schedmate.scheduling.live.standing import standing
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.recovery.engine import RecoveryEngine

AT_ONCE = frozenset({"release", "undo", "reset-breaker", "drain", "resume"})
"""Deed and answer are one transaction: done again after a kill, these would be refused, and the answer be untrue."""


class Desk:
    """Does what is asked by those who may; a deed's answer is words, a question's is data, and a refusal is raised."""

    def __init__(
        self,
        cluster: ManagedCluster,
        store: LiveStore,
        loop: Loop,
        estimates: LiveEstimates,
        recovery: RecoveryEngine,
        retention: Retention,
        stop: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self.cluster = cluster
        self.store = store
        self.loop = loop
        self.estimates = estimates
        self.mode = recovery.mode
        self.retention = retention
        self.rights = Rights(recovery.rules.people.operators)
        self.stop = stop
        self.say = say
        self.deeds: Mapping[str, Callable[[Request], str]] = {
            "cancel": self.cancel,
            "release": self.release,
            "drain": partial(nodes.drain, cluster),
            "resume": partial(nodes.resume, cluster),
            "prune": self.prune,
            "down": self.down,
            **dict.fromkeys(("approve", "reject", "undo", "reset-breaker"), recovery.obey),
        }
        self.questions: Mapping[str, Callable[[Request], object]] = {
            "standing": self.standing,
            "nodes": lambda request: nodes.told(cluster, store),
            "board": lambda request: self.board(),
        }

    def serve(self) -> None:
        """Do what has been asked; what was done is written down with the answer."""
        for request in self.store.requests():
            if request.kind in AT_ONCE:
                answer = self.store.write(partial(self.settle, request))
            else:
                answer = self.settle(request)
            if request.kind not in QUESTIONS:
                self.say(answer.words if answer.ok else f"error: {answer.words}")

    def settle(self, request: Request) -> Answer:
        """Do what was asked, or say why not, and write the answer down."""
        try:
            answer = self.obey(request)
        except SchedMateError as error:
            answer = Answer(error.message, ok=False)
        self.store.answer(request.id, answer)
        return answer

    def obey(self, request: Request) -> Answer:
        """Do one thing that was asked for, if it is this person's to ask."""
        self.rights.judge(request, self.store)
        if request.kind in self.questions:
            return Answer(data=self.questions[request.kind](request))
        if request.kind not in self.deeds:
            raise InputError(f"'{request.kind}' is nothing that could be asked")
        return Answer(self.deeds[request.kind](request))

    def cancel(self, request: Request) -> str:
        """End a job for good; of one that is over it stays known how it ended."""
        row = self.store.job(request.target)
        done = self.cluster.cancel(row.id)
        if done == "over":
            return f"job {row.job_id} is over already: {row.state}"
        self.store.update(row.id, reason=f"cancelled by {request.actor}")
        return f"job {row.job_id} is {'being stopped' if done == 'stopping' else 'cancelled'}"

    def release(self, request: Request) -> str:
        """Put a held or failed job back into the queue, as its owner wants."""
        row = self.store.job(request.target)
        if row.state not in ("held", "failed", "cancelled"):
            raise InputError(f"job {row.job_id} is {row.state}: only held, failed and cancelled jobs can be released")
        if row.end_s is not None and not row.environment and self.is_bare(row.end_s):
            kept = f"the environment of job {row.job_id} is no longer kept ([keep] in policy.toml)"
            raise InputError(f"{kept}: submit it anew")
        self.cluster.release(row.id, f"released by {request.actor}")
        return f"job {row.job_id} is back in the queue"

    def is_bare(self, end_s: float) -> bool:
        """Tell whether what ended then has lost its variables."""
        return self.cluster.now_s() - end_s >= DAY_S * self.retention.keep.environment_days

    def prune(self, request: Request) -> str:
        """Begin a round of forgetting now."""
        self.retention.next_s = 0.0
        return "what is over for long is being forgotten, as [keep] in policy.toml says"

    def down(self, request: Request) -> str:
        """Go down, if it is this very loop that is meant."""
        if request.argument not in ("", myself()):
            raise InputError(f"that loop ({request.argument}) is gone already")
        self.stop()
        return "going down; jobs that run go on"

    def standing(self, request: Request) -> Standing | None:
        """Tell where a waiting job stands; None where it does not wait."""
        job = self.cluster.job(request.target)
        part = None if job is None else self.loop.part(job.vc)
        if job is None or part is None or job.number not in part.view.pending:
            return None
        return standing(job, part, self.estimates.duration_s, self.estimates.knows)

    def board(self) -> Board:
        """Give the loop's own view."""
        there = nodes.told(self.cluster, self.store)
        return board(self.loop.parts, self.estimates.duration_s, self.estimates.knows, there, self.mode)
