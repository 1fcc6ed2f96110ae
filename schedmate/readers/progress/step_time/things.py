"""What a step takes, and what is told by the second: samples, or the tokens that they are made of."""

from collections.abc import Mapping

from schedmate.readers.progress.lines.names import pieces_of
from schedmate.readers.progress.rows.rows import Rows
from schedmate.readers.progress.step_time.slopes import stride_of

SAMPLES = {"samples", "sample", "examples", "example", "images", "image", "img", "imgs", "seq", "sequences", "seqs"}
TOKENS = {"token", "tokens", "tok", "toks"}

EVEN, SHARES = 32, 3
"""Batches are multiples of it, and hardly any program reports after so many steps; so many shares are to be right."""


def counts_samples(rows: Rows, total: float | None) -> bool:
    """Tell a counter of samples: it has no name, rises by whole batches, and its share of all follows, as `(1%)`.

    So is one whose last batch takes it beyond its end, `10048/10000`.
    """
    if total and max((step for step, _ in rows.pairs("step", "step")), default=0.0) > total:
        return True
    points = rows.pairs("step", "percent")
    if not total or len(points) < SHARES or not all(abs(share - 100 * step / total) <= 1 for step, share in points):
        return False
    return stride_of(points) % EVEN == 0


def things_fit(units: Mapping[str, str]) -> bool:
    """Tell whether what is counted beside the steps may be what so many of are done in a second."""
    counted, rated = (pieces_of((units.get(role, ""),)) for role in ("things", "throughput"))
    return not (says(counted, TOKENS) and says(rated, SAMPLES)) and not (says(counted, SAMPLES) and says(rated, TOKENS))


def says(pieces: tuple[str, ...], kind: set[str]) -> bool:
    """Tell whether a name says samples, or tokens, and not both."""
    other = TOKENS if kind is SAMPLES else SAMPLES
    return not kind.isdisjoint(pieces) and other.isdisjoint(pieces)
