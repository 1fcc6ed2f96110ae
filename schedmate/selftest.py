"""Try everything that is configured, and say how to get what is missing."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from schedmate.counts import how_many
from schedmate.errors import SchedMateError, without_passwords
from schedmate.schemas import Check
from schedmate.settings import Settings

Probe = Callable[[Settings], Iterable[Check]]


def language_model(settings: Settings) -> Iterable[Check]:
    """Ask the language model for what the agents will ask it for."""
    from schedmate.models.model_check import check_model

    yield from check_model(settings)


def embedder(settings: Settings) -> Iterable[Check]:
    """Embed lines that mean the same and one that does not: an embedder that cannot tell them apart is broken."""
    from schedmate.models.embeddings import open_embedder

    chosen = open_embedder(settings)
    vectors = chosen.embed(["CUDA out of memory", "CUDA error: out of memory", "epoch 3 finished, loss 0.25"])
    near, far = float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])
    detail = f"{chosen.name}, {vectors.shape[1]} dimensions; likeness of like lines {near:.2f}, of unlike {far:.2f}"
    if near > far:
        yield Check(name="embedder", status="ok", detail=detail)
    else:
        yield Check(name="embedder", status="failed", detail=detail, remedy="use another: SCHEDMATE_EMBEDDER=built-in")


def store(settings: Settings) -> Iterable[Check]:
    """Write to the data directory as the history will."""
    from schedmate.history.database import check_database

    yield check_database(settings.data_dir)


def vectors(settings: Settings) -> Iterable[Check]:
    """Open the index of past workloads where the settings say that it lies."""
    from schedmate.history.database import open_database
    from schedmate.history.similarity.names import NameCloseness
    from schedmate.history.similarity.upkeep import open_to_write
    from schedmate.models.embeddings import open_embedder

    notes: list[str] = []
    names = NameCloseness(open_embedder(settings))
    with (
        closing(open_database(settings.data_dir)) as connection,
        open_to_write(connection, settings.data_dir, settings.vectors, names, notes.append) as (way, index, _),
    ):
        detail = "; ".join([f"{way}: {how_many(len(index), 'workload')}", *notes])
        yield Check(name="vectors", status="ok", detail=detail)


def gpus(settings: Settings) -> Iterable[Check]:
    """Look for GPUs and for the tool that tests the links between them."""
    from schedmate.tools.engines import check_nccl_tests, check_nvml

    yield check_nvml()
    yield check_nccl_tests()


def engines(settings: Settings) -> Iterable[Check]:
    """Look for the schedulers that SchedMate can drive."""
    from schedmate.tools.engines import check_ray, check_slurm

    yield check_ray()
    yield check_slurm()


PROBES: tuple[tuple[str, Probe], ...] = (
    ("language model", language_model),
    ("embedder", embedder),
    ("store", store),
    ("vectors", vectors),
    ("GPUs", gpus),
    ("schedulers", engines),
)


def run_probe(name: str, probe: Probe, settings: Settings) -> list[Check]:
    """Turn a known error into a failed check, so that one broken part does not hide the others."""
    try:
        return [check.model_copy(update={"detail": without_passwords(check.detail)}) for check in probe(settings)]
    except SchedMateError as error:
        return [Check(name=name, status="failed", detail=error.message, remedy=error.hint)]


def selftest(settings: Settings, report: Callable[[str], None] = lambda name: None) -> list[Check]:
    """Run all probes side by side and return their checks in a fixed order; `report` hears of each that starts."""

    def started(name: str, probe: Probe) -> list[Check]:
        report(name)
        return run_probe(name, probe, settings)

    with ThreadPoolExecutor(len(PROBES)) as pool:
        answers = pool.map(lambda pair: started(*pair), PROBES)
        return [check for checks in answers for check in checks]
