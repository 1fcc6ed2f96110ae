"""What a step takes, and what is told by the second: samples, or the tokens that they are made of."""

from schedmate.readers.progress.names import pieces_of

SAMPLES = {"samples", "sample", "examples", "example", "images", "image", "img", "imgs", "seq", "sequences", "seqs"}
TOKENS = {"token", "tokens", "tok", "toks"}


def things_fit(counted: str, rated: str) -> bool:
    """Tell whether what is counted beside the steps may be what so many of are done in a second."""
    kinds = [
        (not SAMPLES.isdisjoint(one), not TOKENS.isdisjoint(one)) for one in map(pieces_of, ((counted,), (rated,)))
    ]
    return kinds not in ([(True, False), (False, True)], [(False, True), (True, False)])
