"""Short ways to say what the truth of a fault is."""

from collections.abc import Sequence

from evals.field.job import Job
from evals.field.stage import Stage, Truth


def pick(stage: Stage, choices: Sequence[str]) -> str:
    return stage.job.rng.choice(choices)


def gpu(job: Job, rank: int, reason: str, span: int = 1) -> Truth:
    return Truth("infrastructure", "gpu", f"{job.host(rank)} gpu {job.local(rank)}", reason, span)


def nvlink(job: Job, rank: int, reason: str, *, device: bool = True) -> Truth:
    part = f"{job.host(rank)} gpu {job.local(rank)}" if device else job.host(rank)
    return Truth("infrastructure", "nvlink", part, reason)


def network(host: str, reason: str, span: int = 1) -> Truth:
    return Truth("infrastructure", "network", host, reason, span)


def node(host: str, reason: str, span: int = 1, accept_also: str = "") -> Truth:
    return Truth("infrastructure", "node", host, reason, span, accept_also)


def own_memory_limit(reason: str) -> Truth:
    return Truth("infrastructure", "node", reason=reason, restart_helps=False)


def elsewhere(reason: str, component: str = "", span: int = 1) -> Truth:
    return Truth("infrastructure", "other", component, reason, span)


def framework(reason: str, accept_also: str = "") -> Truth:
    return Truth("framework", reason=reason, accept_also=accept_also)


def script(reason: str, accept_also: str = "") -> Truth:
    return Truth("script", reason=reason, accept_also=accept_also)


def stopped(reason: str) -> Truth:
    return Truth("other", reason=reason)
