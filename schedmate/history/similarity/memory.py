"""Past jobs by likeness, held in memory: for simulations, evals and histories of some thousand kinds of job."""

from collections import deque

import numpy as np

from schedmate.history.rows import facts_json
from schedmate.history.similarity.comparing import Likeness, compare, texts_of
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.workload_vectors import DIMENSIONS, workload_vector
from schedmate.schemas import PastJob, Workload

CANDIDATES = 64
RUNS_A_WORKLOAD = 8


class WorkloadMemory:
    """Keeps the latest runs of each different workload; finds candidates by vector, and compares them by field."""

    def __init__(self, names: NameCloseness) -> None:
        self.names = names
        self.places: dict[str, int] = {}
        self.workloads: list[Workload] = []
        self.runs: list[deque[PastJob]] = []
        self.vectors = np.zeros((256, DIMENSIONS), np.float32)

    def add(self, past: PastJob) -> None:
        """Keep an ended job whose workload was read."""
        if past.workload is None:
            return
        key = facts_json(past.workload)
        if key not in self.places:
            self.places[key] = place = len(self.workloads)
            if place == len(self.vectors):
                self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
            self.workloads.append(past.workload)
            self.runs.append(deque(maxlen=RUNS_A_WORKLOAD))
            self.vectors[place] = workload_vector(past.workload, self.names)
        self.runs[self.places[key]].append(past)

    def find(self, workload: Workload, threshold: float, top: int) -> list[tuple[PastJob, Likeness]]:
        """Give the most similar ended jobs, latest first among equals; nothing similar gives nothing."""
        if not self.workloads:
            return []
        cosines = self.vectors[: len(self.workloads)] @ workload_vector(workload, self.names)
        nearest = np.argsort(-cosines)[:CANDIDATES]
        self.names.prepare(texts_of(self.workloads[place] for place in nearest))
        found: list[tuple[PastJob, Likeness]] = []
        for place in nearest:
            likeness = compare(workload, self.workloads[place], self.names)
            if likeness.similarity >= threshold:
                found += [(past, likeness) for past in reversed(self.runs[place])]
        found.sort(key=lambda pair: (-pair[1].raw, -(pair[0].known_s or 0.0)))
        return found[:top]
