"""A batch on Ray: reader actors on any node, few sources ahead of each, a lost worker's sources read again elsewhere.

The sources must be readable from every node: object storage, or a file system that all see.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from schedmate.batch.pool import AHEAD, Readers
from schedmate.batch.results import BatchRow
from schedmate.batch.sources import Source
from schedmate.choices import EngineChoice
from schedmate.clusters.managed import Unreachable
from schedmate.errors import MissingExtra
from schedmate.settings import as_environment, get_settings

TOGETHER = 16
"""Sources that are handed over at once: a small log is read faster than a message is sent."""
RETRIES = 3
LOOK_S = 1.0
OF_MODELS = ("SCHEDMATE_LLM", "SCHEDMATE_EMBEDDER")
CALLS = "SCHEDMATE_LLM_CONCURRENCY"


class RayWorker:
    """Reads in a process of its own, so that what kills the reader does not kill the actor."""

    def __init__(self, verb: str, engine: EngineChoice, limit_s: float, settings: dict[str, str]) -> None:
        os.environ.update(settings)
        get_settings.cache_clear()
        self.readers = Readers(verb, engine, 1, limit_s)

    def read(self, sources: list[tuple[str, int]]) -> list[tuple[Any, ...]]:
        """Give a row for each source."""
        wanted = (Source(*one) for one in sources)
        return [tuple(row) for row in self.readers.read(wanted) if row is not None]


def rows_on_ray(
    address: str, verb: str, engine: EngineChoice, limit_s: float, workers: int, wanted: Iterator[Source]
) -> Iterator[BatchRow | None]:
    """Hand sources to actors as they get done, and give rows as they come."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("a batch on Ray", "ray") from error

    with suppress(RuntimeError):
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    if not ray.is_initialized():
        raise Unreachable(f"no Ray cluster answers at {address}", "ray start --head; --on ray=HOST:PORT")
    try:
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        nodes = len([node for node in ray.nodes() if node["Alive"]])
        settings = model_settings()
        if engine != "built-in":
            count, calls = portions(nodes, count, get_settings().llm_concurrency)
            settings[CALLS] = str(calls)
        kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=RETRIES)(RayWorker)
        actors = [kind.remote(verb, engine, limit_s, settings) for _ in range(count)]
        coming: dict[Any, tuple[Any, list[Source]]] = {}
        free = [actor for actor in actors for _ in range(AHEAD)]
        while True:
            while free and (some := taken(wanted)):
                actor = free.pop()
                coming[actor.read.remote([tuple(one) for one in some])] = (actor, some)
            if not coming:
                return
            ready, _ = ray.wait([*coming], num_returns=1, timeout=LOOK_S)
            for one in ready:
                actor, some = coming.pop(one)
                free.append(actor)
                yield from rows_in(one, some, verb)
            yield None
    finally:
        ray.shutdown()


def model_settings() -> dict[str, str]:
    """Give what is set here of models: a node knows nothing of it. Paths stay each node's own."""
    return {name: value for name, value in as_environment().items() if name.startswith(OF_MODELS)}


def portions(nodes: int, workers: int, calls: int) -> tuple[int, int]:
    """Say how many workers there may be, and how many calls each node may have under way: together no more than all.

    The readers of a node share its part among them; a node cannot have less than one, so with more nodes than calls
    only so many have a worker.
    """
    workers = min(workers, calls) if nodes > calls else workers
    return workers, calls // min(nodes, workers)


def taken(wanted: Iterator[Source]) -> list[Source]:
    """Take some sources, none when there are no more."""
    return list(islice(wanted, TOGETHER))


def rows_in(answer: Any, some: list[Source], verb: str) -> Iterator[BatchRow]:
    """Give what an actor has read; what was lost too often is a row that says so."""
    import ray

    try:
        yield from (BatchRow(*fields) for fields in ray.get(answer))
    except ray.exceptions.RayError as error:
        words = f"the worker was lost {RETRIES + 1} times: {type(error).__name__}"
        yield from (BatchRow(source.name, source.size, verb, words) for source in some)
