"""Workloads of known kinds that the project makes itself: one kind told with different names and settings."""

from random import Random

from evals.embedding.jobs import JobKind, chosen, draw_facts, read_kinds
from schedmate.schemas import Workload

NAMES = {"model": "model_name", "dataset": "dataset_name", "task": "task_fine", "type": "model_type"}


def make_workloads(kinds: int, each: int, seed: int, held_out: bool) -> tuple[list[Workload], list[str]]:
    """Draw jobs of some kinds; fields are left out as readers leave them out."""
    draw = Random(seed)
    pool = read_kinds(held_out)
    picked = draw.sample(pool, min(kinds, len(pool)))
    jobs = [(make_workload(kind, draw), kind.name) for kind in picked for _ in range(each)]
    return [job for job, _ in jobs], [name for _, name in jobs]


def make_workload(kind: JobKind, draw: Random) -> Workload:
    """Draw one job of a kind."""
    facts = chosen(draw_facts(kind, draw), draw)
    fields: dict[str, object] = {NAMES[key]: value for key, value in facts.items() if key in NAMES}
    fields |= {key: facts[key] for key in ("framework", "optimizer", "precision") if facts.get(key)}
    fields |= {key: int(facts[key]) for key in ("num_gpus", "batch_size", "epochs") if key in facts}
    if "learning_rate" in facts:
        fields["learning_rate"] = float(facts["learning_rate"])
    return Workload.model_validate({"is_training": True, **fields})
