"""Tell whether a log speaks of training at all: simulations, transfers and preparation count and time steps too."""

from collections.abc import Collection, Iterable
from statistics import median
from typing import Literal

from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read
from schedmate.readers.progress.kinds.letters import LETTERED, letters_of
from schedmate.readers.progress.kinds.work import waits_for_data
from schedmate.readers.progress.lines.fields import Shape
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.streams.bars import fastest, learns
from schedmate.readers.progress.streams.streams import WORDED

Proof = Literal["trains", "may train", "nothing"]
TELLING = ("learning", "loss_exact", "epoch", "training", "acting")

ITERATING = {
    "iter",
    "iters",
    "iteration",
    "iterations",
    "itr",
    "batch",
    "batches",
    "minibatch",
    "update",
    "updates",
    "it",
}
"""Words that loops of training prefer; whatever moves in time counts steps."""
OTHERWISE = {"residual", "residuals", "solver", "solving", "latency"} | {
    "mcmc", "bootstrap", "permutation", "permutations", "simulation", "inversion", "calibration", "denoising",
}  # fmt: skip
"""Words of equations that are solved step by step, and of measurements of what is trained already."""
PROPAGATING = {"forward", "backward", "fwd", "bwd", "optimizer"}

LOST = ("loss", "rate")
"""Packets are lost so."""
MOST_PASSES = 1e8

FAST, FEW_RATES = 250.0, 3
"""So many things a second a bar counts that is no training's, as long as nothing else speaks for it."""
WHOLE = {"overall", "progress", "total", "round", "fold", "run"}
"""Names that any bar may have, a training's too."""
GOING_ON = ("done", "learning", "epoch", "training", "acting")

MAKES_TEXTS = "for open-end generation"
"""What Transformers says before each text that a model makes: a bar beside it that learns nothing is of prompts."""
BARS = {"tqdm", "alive-progress"}
"""Formats of what any work may print."""


def proof_of(primary: LinesOfKind, streams: Collection[LinesOfKind], is_named: bool, made_texts: int = 0) -> Proof:
    """Tell what speaks for training: a loss, a pass, a rate of learning, a trainer's format, or only how it counts."""
    if primary.key.kind == "bar" and makes_ready(primary, streams):
        return "nothing"
    if is_named or any(trains(stream.lines[-1]) for stream in streams):
        return "trains"
    last = primary.lines[-1]
    if primary.key.kind == "bar" and (2 * made_texts >= primary.count or is_other_bar(primary)):
        return "nothing"
    if any(not OTHERWISE.isdisjoint(name) for name in names_in(last.shape)):
        return "nothing"
    is_mute = not WORDED.search(last.text) and not any(WORDED.search(one.name) for one in last.shape.fields)
    if (
        primary.key.kind == "bar"
        or is_mute
        or waits_for_data(last.shape.fields)
        or any(not ITERATING.isdisjoint(name) for name in names_in(primary.lines[-1].shape))
    ):
        return "may train"
    return "nothing"


def makes_ready(bar: LinesOfKind, streams: Iterable[LinesOfKind]) -> bool:
    """Tell a bar without a word over as many things as a slower one that says of itself that it is other work.

    One that shows no pace yet says nothing: it may be the same bar, with a warning behind it.
    """
    if WORDED.search(bar.lines[-1].text.partition("%")[0]) or learns(bar) or not bar.totals():
        return False
    end, rate = bar.totals()[-1], fastest(bar)
    others = [one for one in streams if one.key.kind == "bar" and one.key.work in {"other", "eval"}]
    return any(one.totals()[-1:] == [end] and 0 < fastest(one) < rate for one in others)


def is_other_bar(bar: LinesOfKind) -> bool:
    """Tell a bar of which nothing but its look says training: it is called something else, or is through too fast."""
    names = [pieces_of((one.name,)) for one in bar.lines[-1].shape.fields if one.role == "percent"]
    called = tuple(piece for name in names for piece in name if len(piece) > 2)
    spoken = not (ITERATING | WHOLE | {"fine"}).isdisjoint(called) or any(
        has(called, kind) for kind in ("step", *GOING_ON)
    )
    rates = [one.value(line.numbers) for line in bar.lines for one in line.shape.fields if one.role == "steps_rate"]
    return (bool(called) and not spoken) or (len(rates) >= FEW_RATES and median(rates) > FAST)


def trains(line: Read) -> bool:
    """Tell whether a line says what training says; an epoch of seconds is a time of day."""
    shape = line.shape
    if any(one.role == "epoch" and one.value(line.numbers) > MOST_PASSES for one in shape.fields):
        return False
    if shape.work == "train" or (shape.framework and shape.framework not in BARS and shape.work != "other"):
        return True
    if any(one.role in {"loss", "epoch"} for one in shape.fields):
        return True
    if letters_of(shape.fields) >= LETTERED:
        return True  # what is learnt has letters for names
    return any(has(name, kind) for name in names_in(shape) if name[-2:] != LOST for kind in TELLING) or any(
        not PROPAGATING.isdisjoint(name) for name in names_in(shape)
    )


def names_in(shape: Shape) -> list[tuple[str, ...]]:
    """Give the names of a line's values, and the words that tell what it is about."""
    return [*(pieces_of((one.name, one.unit)) for one in shape.fields), pieces_of((shape.stream.about,))]
