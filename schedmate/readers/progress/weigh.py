"""Weigh the evidence for the step time.

Each piece of evidence is a value with the width that its printed digits leave open: `3ms/step` is anything from 2.5 to
3.5 ms. The best source that is narrow enough wins; one that is too wide is narrowed by a source that agrees with it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from schedmate.readers.progress.bare_time import told
from schedmate.readers.progress.rows import Rows
from schedmate.readers.progress.sources import (
    AGREE,
    Evidence,
    Scales,
    averaged,
    elapsing,
    epochs_timed,
    fed,
    foretold,
    printed,
    rated,
    stamped,
    summed,
)

NARROW = 0.05
"""A value known to 5 % needs no second source."""
HOPELESS = 0.5
"""A value that may be half as much or half as much again is not known."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step time, all evidence for it, and what stands against it."""

    value: float | None
    chosen: Evidence | None
    evidence: tuple[Evidence, ...]
    notes: tuple[str, ...]
    confidence: float


def weigh(rows: Rows, scales: Scales) -> Verdict:
    """Gather all evidence and decide."""
    sources = (printed, rated, elapsing, stamped, averaged, foretold, fed, epochs_timed, summed)
    found = [one(rows, scales) for one in (sources if scales.counted else sources[:2])]
    evidence = [one for one in found if one is not None and math.isfinite(one.value) and one.value > 0]
    references = [one for one in evidence if one.column != "time"]
    bare, doubt = told(rows, scales, references)
    if bare is not None and bare.value > 0:
        evidence.append(bare)
    if not evidence:
        return Verdict(None, None, (), (doubt,) if doubt else (), 0.0)
    evidence.sort(key=lambda one: -one.trust)
    best = decide(evidence)
    if best.width > HOPELESS:
        others = [one for one in evidence if one.column != best.column and one.width <= HOPELESS]
        if not others:
            note = f"{best.source}: the clock is too coarse to tell a step's time"
            return Verdict(None, None, tuple(evidence), (note,), 0.0)
        best = others[0]
    others = [one for one in evidence if one.column != best.column]
    agree = sum(one.low / AGREE <= best.value <= one.high * AGREE for one in others)
    confidence = min(0.99, best.trust * (0.85 if not others else 0.75 + 0.25 * agree / len(others)))
    return Verdict(best.value, best, tuple(evidence), (), confidence)


def decide(evidence: Sequence[Evidence]) -> Evidence:
    """Take the most trusted; while it is wide, let a narrower one that lies within it say where."""
    best = evidence[0]
    low, high = best.low, best.high
    for one in evidence[1:]:
        if best.width <= NARROW:
            break
        if one.width < best.width and one.low <= high and one.high >= low:
            value = min(max(one.value, low), high)
            best = Evidence(f"{best.source}, narrowed by {one.source}", value, one.width, best.trust, best.column)
            low, high = max(low, one.low), min(high, one.high)
    return best
