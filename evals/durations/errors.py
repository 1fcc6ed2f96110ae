"""Errors of predicted durations, as the paper counts them and as a scheduler feels them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LENGTHS = (
    ("under 1 min", 0, 60),
    ("1 to 10 min", 60, 600),
    ("10 to 60 min", 600, 3600),
    ("1 to 6 h", 3600, 21_600),
    ("over 6 h", 21_600, 1e12),
)


@dataclass(frozen=True)
class Errors:
    """One estimator's answers beside the truth; an answer that is missing is NaN, and counts as wrong."""

    truth_s: Floats
    said_s: Floats
    low_s: Floats
    high_s: Floats

    def covered(self) -> float:
        """Give the share of jobs that got an answer."""
        return float((~np.isnan(self.said_s)).mean())

    def relative(self) -> Floats:
        """Give the paper's error: the gap as a share of the truth."""
        truth = np.maximum(self.truth_s, 1.0)
        errors: Floats = np.where(np.isnan(self.said_s), np.inf, np.abs(self.said_s - truth) / truth)
        return errors

    def within(self, share: float) -> float:
        """Give the share of jobs whose relative error is at most this."""
        return float((self.relative() <= share).mean())

    def factor(self, most: float = 2.0) -> float:
        """Give the share of jobs predicted within a factor, too long counting as much as too short."""
        return float((self.octaves() <= np.log2(most) + 1e-12).mean())

    def octaves(self) -> Floats:
        """Give how many doublings lie between said and true."""
        said = np.maximum(self.said_s, 1.0)
        gaps: Floats = np.where(np.isnan(said), np.inf, np.abs(np.log2(said / np.maximum(self.truth_s, 1.0))))
        return gaps

    def spearman(self) -> float | None:
        """Give the rank correlation over jobs with an answer; None where all answers are the same."""
        known = ~np.isnan(self.said_s)
        said, truth = ranks(self.said_s[known]), ranks(self.truth_s[known])
        if len(said) < 2 or said.std() == 0 or truth.std() == 0:
            return None
        return float(np.corrcoef(said, truth)[0, 1])

    def held(self) -> float | None:
        """Give the share of jobs that ended within their interval of 80 %; None where there is no interval."""
        known = ~np.isnan(self.high_s)
        if not known.any():
            return None
        return float(((self.truth_s >= self.low_s) & (self.truth_s <= self.high_s))[known].mean())

    def below_high(self) -> float | None:
        """Give the share of jobs that ended by their p90, which should be 0.9; None where there is none."""
        known = ~np.isnan(self.high_s)
        return float((self.truth_s <= self.high_s)[known].mean()) if known.any() else None

    def of(self, picked: NDArray[np.bool_]) -> "Errors":
        """Look at some jobs only."""
        return Errors(self.truth_s[picked], self.said_s[picked], self.low_s[picked], self.high_s[picked])


def ranks(values: Floats) -> Floats:
    """Rank values, equal ones by their mean rank."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    mean: Floats = (last - (counts - 1) / 2)[places]
    return mean
