"""What a job that ran out of GPU memory tells of another: it never did its steps, so it tells how soon that happens."""

from typing import Literal

from schedmate.history.similarity.fields import name_of, number_of
from schedmate.schemas import PastJob, Workload

OUT_OF_MEMORY = "out_of_memory"

GROWS = (("batch_size", 1), ("sequence_length", 1), ("param_size", 1), ("num_gpus", -1))
"""What a GPU holds grows with these; with more GPUs for one job it never grows."""


def ran_out_of_memory(past: PastJob) -> bool:
    """Tell whether a job ended because a GPU's memory was full."""
    return past.diagnosis is not None and OUT_OF_MEMORY in (past.diagnosis.failure_id or "")


def need_beside(now: Workload, then: Workload | None) -> Literal["less", "as much", "unknown"]:
    """Compare what two jobs of one model need of each GPU; unknown where one size speaks for more and one for less."""
    if then is None or not name_of(now, "model_name") or name_of(now, "model_name") != name_of(then, "model_name"):
        return "unknown"
    signs = set()
    for field, sign in GROWS:
        here, there = number_of(now, field), number_of(then, field)
        if here and there and here != there:
            signs.add(sign if here > there else -sign)
    if len(signs) > 1:
        return "unknown"
    return "less" if signs == {-1} else "as much"
