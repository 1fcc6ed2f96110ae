"""What the jobs before went through that whoever submits the next one would want to know."""

from collections import Counter
from collections.abc import Sequence

from schedmate.history.expectation import Evidenced
from schedmate.history.gpu_memory import ran_out_of_memory
from schedmate.history.similarity.fields import number_of
from schedmate.schemas import Estimate, Workload

MANY = 0.5
LOW_UTILISATION = 0.3
SHOWN = 3


def warn(found: Sequence[Evidenced], workload: Workload | None, estimate: Estimate, gpus: float) -> tuple[str, ...]:
    """Give the warnings worth having, gravest first."""
    told = [memory(found, workload), failures(found), limits(found), cancellations(found), idleness(estimate, gpus)]
    return tuple(filter(None, told))


def memory(found: Sequence[Evidenced], workload: Workload | None) -> str:
    """Say that jobs before ran out of GPU memory, with what batch, and how this one's compares."""
    hit = [one for one in found if ran_out_of_memory(one.past)]
    if not hit:
        return ""
    text = f"{len(hit)} of {len(found)} ran out of GPU memory"
    sizes = Counter(
        int(size)
        for one in hit
        if one.past.workload is not None and (size := number_of(one.past.workload, "batch_size")) is not None
    )
    if not sizes:
        return text
    text += f"; they used batch_size {' or '.join(str(size) for size in sorted(sizes)[:SHOWN])}"
    mine = number_of(workload, "batch_size") if workload is not None else None
    if mine is None:
        return text
    return f"{text}, {'as this one does' if int(mine) in sizes else f'this one uses {mine:g}'}"


def failures(found: Sequence[Evidenced]) -> str:
    """Name what other failures there were."""
    causes = Counter(
        one.past.diagnosis.failure_id or one.past.diagnosis.category
        for one in found
        if one.past.diagnosis and one.past.diagnosis.category != "none" and not ran_out_of_memory(one.past)
    )
    unexplained = sum(one.past.job.status in {"failed", "node_fail"} and one.past.diagnosis is None for one in found)
    if causes:
        named = ", ".join(f"{cause} ({count})" for cause, count in causes.most_common(SHOWN))
        return f"{causes.total()} of {len(found)} failed: {named}"
    if unexplained and unexplained >= MANY * len(found):
        return f"{unexplained} of {len(found)} failed; no log of theirs was diagnosed"
    return ""


def limits(found: Sequence[Evidenced]) -> str:
    """Say that jobs before were cut off by their time limit."""
    cut = [one.past.duration_s or 0.0 for one in found if one.past.job.status == "timeout"]
    return f"{len(cut)} of {len(found)} were ended by their time limit, after {max(cut) / 3600:.1f} h" if cut else ""


def cancellations(found: Sequence[Evidenced]) -> str:
    """Say that jobs before were mostly cancelled."""
    cancelled = sum(one.past.job.status == "cancelled" for one in found)
    return f"{cancelled} of {len(found)} were cancelled" if len(found) > 1 and cancelled >= MANY * len(found) else ""


def idleness(estimate: Estimate, gpus: float) -> str:
    """Say that the GPUs would be mostly idle."""
    if estimate.gpu_util is None or estimate.gpu_util >= LOW_UTILISATION or not gpus:
        return ""
    return f"jobs like it kept their GPUs {estimate.gpu_util:.0%} busy: fewer GPUs, or a shared one, may do"
