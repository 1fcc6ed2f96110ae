"""What a step takes, and what is told by the second: samples, or the tokens that they are made of."""

from collections.abc import Mapping

from schedmate.readers.progress.names import pieces_of

SAMPLES = {"samples", "sample", "examples", "example", "images", "image", "img", "imgs", "seq", "sequences", "seqs"}
TOKENS = {"token", "tokens", "tok", "toks"}


def things_fit(units: Mapping[str, str]) -> bool:
    """Tell whether what is counted beside the steps may be what so many of are done in a second."""
    counted, rated = (pieces_of((units.get(role, ""),)) for role in ("things", "throughput"))
    return not (says(counted, TOKENS) and says(rated, SAMPLES)) and not (says(counted, SAMPLES) and says(rated, TOKENS))


def says(pieces: tuple[str, ...], kind: set[str]) -> bool:
    """Tell whether a name says samples, or tokens, and not both."""
    other = TOKENS if kind is SAMPLES else SAMPLES
    return not kind.isdisjoint(pieces) and other.isdisjoint(pieces)
