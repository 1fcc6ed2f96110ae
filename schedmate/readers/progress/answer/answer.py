"""Say how a loop is getting on: the step time by all evidence, what is left, and the quotes that it rests on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from schedmate.counts import how_many
from schedmate.readers.progress.answer.remaining import remaining
from schedmate.readers.progress.kinds.episodes import tells_acting
from schedmate.readers.progress.kinds.kinds import Quote
from schedmate.readers.progress.kinds.losses import is_score, plainest
from schedmate.readers.progress.lines.formats import eta_of
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends
from schedmate.readers.progress.loop.loop import REPORTS, TrainingLoop
from schedmate.readers.progress.loop.units import weighed_by
from schedmate.readers.progress.step_time.evidence import Scales
from schedmate.readers.progress.step_time.slopes import differences
from schedmate.readers.progress.step_time.step_time import Verdict, weigh
from schedmate.readers.progress.step_time.things import SAMPLES, TOKENS, counts_samples, things_fit
from schedmate.schemas import Evidence, Metrics, Phase

TREND = 16

DOUBTED = 0.75
"""The most that is believed of a bar that tells of no learning."""
UNQUOTED = {"part_time", "things", "percent"}

PER_SECOND = {"wps", "tps", "sps"}
"""Words, tokens or samples a second."""
Settings = Mapping[str, Sequence[tuple[float, int, str]]]


class TrackAnswer(NamedTuple):
    """The metrics, and how the step time was found."""

    metrics: Metrics
    verdict: Verdict

    @property
    def each_s(self) -> float | None:
        """The time of one count of the loop's counter, whatever it counts."""
        return self.verdict.per_count_s or self.metrics.step_time_s


def answer_of(
    loop: TrainingLoop | None,
    settings: Settings,
    path: str,
    phase: Phase | None = None,
    skipped_to: int = 0,
    ends: Ends = NO_ENDS,
) -> TrackAnswer:
    """Put a loop's state into metrics; without a loop all is unknown."""
    if loop is None:
        verdict = Verdict(None, None, (), (), 0.0)
        return TrackAnswer(Metrics(phase=phase or "init", notes=("no training progress found",)), verdict)
    if loop.total is None and not (loop.counter_role == "epoch" and "pass_steps" in settings):
        loop.total = only_value(settings, "total_steps", loop)
    things = set(pieces_of((loop.units.get("throughput", ""),)))
    per_sample = SAMPLES & things
    batch = only_value(settings, "batch_size", loop) if per_sample else None
    batch = only_value(settings, "token_batch", loop) if TOKENS & things else batch
    batch = batch or fed_each(loop)
    plain = only_value(settings, "plain_batch", loop) if per_sample else None
    loss, named = loss_of(loop)
    verdict = weigh(loop.rows, scales_of(loop, batch, plain, settings))
    notes = list(verdict.notes)
    step_time = verdict.value
    if loop.counter_role == "epoch" and not verdict.per_count_s:
        step_time, verdict, note = of_passes(loop, settings, verdict)
        notes.append(note)
    if loop.one_each and step_time:
        notes.append("no line numbers its step: each is taken for one")
    if named and len(loop.part_losses) > 1:
        notes.append(f"the log tells several losses and no whole: loss is that called {named[:60]}")
    if loop.odd_loss:
        notes.append(loop.odd_loss)
    step = last(loop, "step")
    throughput, unit = throughput_of(loop)
    epochs = loop.total_epochs or only_value(settings, "total_epochs", loop) or ends.epochs
    left = remaining(loop, verdict, replace(ends, epochs=epochs), step_time)
    metrics = Metrics(
        framework=loop.framework or None,
        step_time_s=significant(step_time),
        throughput=throughput,
        throughput_unit=unit,
        loss=loss,
        metrics={name: value for name, value in loop.metrics.items() if math.isfinite(value)},  # as JSON can say
        step=whole(step) if loop.counter_role else None,
        total_steps=whole(loop.total or (left.total if loop.counter_role == "step" else None)),
        epoch=step if loop.counter_role == "epoch" else last(loop, "epoch"),
        total_epochs=epochs,
        eta_s=left.seconds,
        eta_low_s=left.low,
        eta_high_s=left.high,
        phase="done" if is_done(loop, step, left.seconds) else phase or "train",
        trend=trend_of(loop, verdict),
        notes=tuple(notes),
        evidence=evidence_of(loop, verdict, path, skipped_to),
        confidence=round(min(verdict.confidence, DOUBTED if is_mute(loop) or not loop.is_proven else 1.0), 2),
    )
    return TrackAnswer(metrics, verdict)


def loss_of(loop: TrainingLoop) -> tuple[float | None, str]:
    """Give the loss, and the name of the part that stands for the whole where no whole is told."""
    loss = loop.newest_loss
    named = plainest(loop.part_losses) if loss is None and loop.part_losses else ""
    if named:
        loss, loop.quotes["loss"] = loop.part_losses[named]
    elif loss is not None and is_score(loop.loss_name, loop.rows.column("loss")):
        loop.note_metric(loop.loss_name, loss)
        loop.quotes.pop("loss", None)
        return None, ""
    return loss if loss is not None and math.isfinite(loss) and not loop.odd_loss else None, named


def scales_of(loop: TrainingLoop, batch: float | None, plain: float | None, settings: Settings) -> Scales:
    """Say what the weighing needs beside the rows, of the loop, its settings, its units and its format."""
    of_run = eta_of(loop.framework) == "run"
    sampled = loop.counter_role == "step" and not loop.primary.name and counts_samples(loop.rows, loop.total)
    fed = (only_value(settings, "batch_size", loop) or only_value(settings, "plain_batch", loop)) if sampled else None
    scales = weighed_by(loop, batch, plain)
    return replace(scales, things_fit=things_fit(loop.units), eta_of_run=of_run, counts_samples=sampled, fed=fed)


def of_passes(loop: TrainingLoop, settings: Settings, verdict: Verdict) -> tuple[float | None, Verdict, str]:
    """Give the time of a pass where passes alone are counted, or a step's, where the log tells how many a pass has."""
    is_clock = loop.passes.times > REPORTS * loop.rows.seen  # told so often, it is how long a pass has taken so far
    pass_s = (None if is_clock else last(loop, "epoch_time")) or verdict.value
    steps = steps_of_pass(loop, settings)
    if steps <= 1 or not pass_s:
        return pass_s, verdict, "the log counts epochs only: a step is an epoch"
    note = f"the log counts epochs only: each has {how_many(steps, 'step')}, as it says elsewhere"
    return pass_s / steps, replace(verdict, per_count_s=pass_s), note


def steps_of_pass(loop: TrainingLoop, settings: Settings) -> int:
    """Give the steps that a pass is said to have; one where that is not told, told in more than one way, or of acting.

    What learns by acting counts the steps of its world so.
    """
    steps = only_value(settings, "pass_steps", loop) or 1.0
    if steps <= 1 or any(map(tells_acting, loop.metrics)):
        return 1
    loop.quotes["length of a pass"] = next(Quote(number, text) for _, number, text in settings["pass_steps"])
    return math.ceil(steps)


def is_mute(loop: TrainingLoop) -> bool:
    """Tell a bar of which nothing says that it learns: it may be any other work."""
    told = last(loop, "loss") is not None or loop.part_losses or loop.last_stream.work == "train"
    return loop.primary.kind == "bar" and not told


def only_value(settings: Settings, role: str, loop: TrainingLoop) -> float | None:
    """Take a setting that the log gives once or always alike; two values of equal right are none."""
    values = {value for value, _, _ in settings.get(role, ()) if value > 0}
    step = last(loop, "step") or 0
    if role == "total_steps":
        values = {value for value in values if value >= step}
    return values.pop() if len(values) == 1 else None


def last(loop: TrainingLoop, name: str) -> float | None:
    """Give the last value of a column."""
    if name in loop.after:
        return loop.after[name]
    found = loop.rows.last(name)
    return None if found is None else found[0]


def whole(value: float | None) -> int | None:
    """Give a counter as a whole number."""
    return int(value) if value is not None and math.isfinite(value) and abs(value) < 1e18 else None


def significant(value: float | None) -> float | None:
    """Drop digits that no log can carry."""
    return None if value is None or not math.isfinite(value) or value <= 0 else float(f"{value:.6g}")


def fed_each(loop: TrainingLoop) -> float | None:
    """Give what each step takes of what the throughput counts: `wpb` beside `wps`, words/batch beside words/s."""
    thing, slash, _ = loop.units.get("throughput", "").lower().partition("/")
    for name, value in loop.metrics.items():
        what, _, per = name.lower().partition("/")
        short = thing in PER_SECOND and what == f"{thing[0]}pb"
        if value > 0 and (short or (slash and per and what == thing and has(pieces_of((per,)), "step"))):
            return value
    return None


def throughput_of(loop: TrainingLoop) -> tuple[float | None, str | None]:
    """Give samples or tokens per second; steps per second where the log has nothing else.

    What waits for the next step was told last.
    """
    for role in ("throughput", "steps_rate"):
        value = loop.rows.waiting.get(role) or last(loop, role)
        if value is not None:
            return value, loop.units.get(role) or (None if role == "throughput" else "it/s")
    return loop.flops or (None, None)


def is_done(loop: TrainingLoop, step: float | None, left_s: float | None) -> bool:
    """Tell whether the counter is at its end, and no pass is to come: an evaluation behind that trains nothing."""
    if step is None or not loop.total or step < loop.total:
        return False
    of_passes = len(loop.rows) > 1 and len(set(loop.rows.column("step"))) == 1  # told only as each of them ends
    return left_s == 0 if loop.restarts or of_passes else not left_s


def trend_of(loop: TrainingLoop, verdict: Verdict) -> tuple[float, ...]:
    """Give the last step times, oldest first."""
    column = verdict.chosen.column if verdict.chosen else ""
    if column in {"step_time", "steps_rate"}:
        values = [value for value in loop.rows.column(column) if math.isfinite(value) and value > 0]
        values = values if column == "step_time" else [1 / value for value in values]
    elif column in {"time", "elapsed"} and verdict.value and verdict.chosen and "per" in verdict.chosen.source:
        raw = [value for value in loop.rows.column(column) if math.isfinite(value) and value > 0]
        values = [value * verdict.value / median(raw) for value in raw] if raw else []
    elif column in {"stamp", "elapsed"}:
        pairs = differences(loop.rows.pairs("step", column))
        values = [spent / steps for steps, spent in pairs if spent > 0]
    else:
        values = []
    return tuple(float(f"{value:.6g}") for value in values[-TREND:])


def evidence_of(loop: TrainingLoop, verdict: Verdict, path: str, skipped_to: int) -> tuple[Evidence, ...]:
    """Quote the lines that the values were read from; in a huge log, lines are counted from a byte near its end."""
    how = verdict.chosen.source if verdict.chosen else ""
    counted = f"; lines counted from byte {skipped_to}" if skipped_to else ""
    noted: dict[tuple[int, str], list[str]] = {}
    for role, quote in loop.quotes.items():
        if role not in UNQUOTED:
            note = f"{role}: {how}" if verdict.chosen and role == verdict.chosen.column else role
            noted.setdefault((quote.number, quote.text), []).append(note)
    return tuple(
        Evidence(path=path, line=max(1, number), quote=text, note="; ".join(notes) + counted)
        for (number, text), notes in sorted(noted.items(), key=lambda pair: pair[0][0])
    )
