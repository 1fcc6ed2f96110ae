"""Say what the weighing of a loop's step time needs beside its rows: units, ends, and what its counter counts."""

from schedmate.readers.progress.lines.formats import eta_of, means_of_pass
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.loop.loop import REPORTS, TrainingLoop
from schedmate.readers.progress.step_time.evidence import Scales

FRAMES = {"fps", "sps"}
BATCHES = {"batch", "batches", "iter", "iters", "iteration", "iterations", "minibatch"}
FRAME_COUNTERS = {"global_step", "global step", "env_steps", "env_step", "total_steps"}


def weighed_by(loop: TrainingLoop, batch: float | None = None, plain_batch: float | None = None) -> Scales:
    """Say what the weighing needs beside the rows."""
    is_meter = loop.averaged or loop.has_part_time
    return Scales(
        loop.half_units,
        loop.total,
        batch,
        loop.units_said.get("time", True),
        loop.time_in_ms,
        is_meter,
        loop.per_report,
        bool(loop.counter_role),
        loop.passes_left(),
        loop.units_said.get("step_time", True),
        loop.per_device,
        loop.units.get("throughput", "").lower() in FRAMES,
        loop.received,
        loop.primary.name in FRAME_COUNTERS,
        loop.counter_role == "epoch",
        loop.primary.name in {"step", "steps"} and has(pieces_of(tuple(loop.metrics)), "acting"),
        plain_batch,
        bool(loop.part_losses),
        loop.counter_role == "epoch" and loop.repeats >= REPORTS * loop.rows.seen,
        loop.eta_in_bar or eta_of(loop.framework) == "pass",
        means_of_pass(loop.framework),
        eta_in_bar=loop.eta_in_bar,
        one_each=loop.one_each,
        elapsed_has_unit=loop.units_said.get("elapsed", True),
        clock_is_named=loop.clock_is_named,
        counts_batches=loop.primary.name in BATCHES,
        pass_each_s=loop.passes.each_s() if loop.counter_role == "step" else None,
    )
