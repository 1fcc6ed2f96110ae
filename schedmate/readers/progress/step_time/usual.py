"""Say how usual a step's time is, as far as nothing else tells two readings apart."""

import math

USUAL_S = 0.3

USUAL_SPREAD = 2.0
"""What steps usually take, as a log-normal prior: most lie between 5 ms and 16 s."""


def usual(seconds: float) -> float:
    """Give how usual a step's time is, as the logarithm of its odds."""
    return -0.5 * (math.log(seconds / USUAL_S) / USUAL_SPREAD) ** 2
