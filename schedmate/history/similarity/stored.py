"""Similar jobs out of the store: candidates by vector, then compared field by field.

The vectors are a cache of the workloads in SQLite. A small history does without: all its workloads are compared.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection

import numpy as np

from schedmate.counts import how_many
from schedmate.errors import StoreError
from schedmate.history.centres import Floats
from schedmate.history.database import identity
from schedmate.history.indexing import (
    catch_up,
    count_workloads,
    latest_workloads,
    open_index,
    ways,
    workloads_after,
    workloads_by_number,
)
from schedmate.history.jobs import jobs_of_workload
from schedmate.history.similarity.comparing import Likeness, compare, texts_of
from schedmate.history.similarity.memory import CANDIDATES
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.workload_vectors import DIMENSIONS, VERSION, workload_vector
from schedmate.schemas import PastJob, Workload

OUTRIGHT = 2_000
"""Workloads up to which all are compared, without an index."""
EXACTLY = 20_000
"""Workloads that are compared where there is no index to be had: about a second's work."""


class WorkloadVectors:
    """Makes the vectors that stand for workloads in the index of one history."""

    def __init__(self, names: NameCloseness, store: str = "") -> None:
        self.names = names
        self.name = f"{names.embedder.name}/{VERSION}/{store}"
        self.dimensions = DIMENSIONS

    def vectors(self, workloads: Sequence[Workload]) -> Floats:
        """Embed all names in one go, then put the vectors together."""
        self.names.prepare(texts_of(workloads))
        return np.stack([workload_vector(workload, self.names) for workload in workloads])


def find_similar(
    connection: Connection,
    data_dir: Path,
    workload: Workload,
    names: NameCloseness,
    *,
    threshold: float,
    top: int,
    now_s: float | None = None,
    note: Callable[[str], None] = lambda text: None,
    where: str = "auto",
) -> list[tuple[PastJob, Likeness]]:
    """Give the most similar jobs that had ended by `now_s`, latest first among equals."""
    compared = []
    near = candidates(connection, data_dir, workload, names, note, where)
    names.prepare(texts_of(near.values()))
    for number, other in near.items():
        likeness = compare(workload, other, names)
        if likeness.similarity >= threshold:
            compared.append((likeness, number))
    found: list[tuple[PastJob, Likeness]] = []
    for likeness, number in sorted(compared, key=lambda pair: -pair[0].raw):
        if len(found) < top:
            found += [(past, likeness) for past in jobs_of_workload(connection, number, now_s, top - len(found))]
    return found


def candidates(
    connection: Connection,
    data_dir: Path,
    workload: Workload,
    names: NameCloseness,
    note: Callable[[str], None],
    where: str,
) -> dict[int, Workload]:
    """Give the stored workloads that may be similar, by their numbers."""
    count = count_workloads(connection)
    if count <= OUTRIGHT:
        return dict(workloads_after(connection, 0, OUTRIGHT))
    vectoriser = WorkloadVectors(names, identity(connection))
    said: list[str] = []
    for way in ways(where):
        try:
            with open_index(data_dir, way, vectoriser, note) as index:
                catch_up(connection, index, vectoriser, note=note)
                near = index.nearest(vectoriser.vectors([workload])[0], CANDIDATES)
        except StoreError as error:
            said.append(f"{error.message} ({error.hint})")
        else:
            if said:
                note(f"{said[0]}; our own index was asked instead")
            return workloads_by_number(connection, [number for number, _ in near])
    # An answer from the store itself takes a second more, and is worth it.
    note(f"{'; '.join(said)}; the store was looked through instead{latest_of(count)}")
    return dict(latest_workloads(connection, EXACTLY))


def latest_of(count: int) -> str:
    """Say how much of a large store is looked through."""
    return f", the latest {EXACTLY:,} of {how_many(count, 'workload')}" if count > EXACTLY else ""
