"""What a mixture says, held against what came: its mean, and how far its interval reaches.

The mean of a heavy tail is mostly tail. A mixture that is right about the middle says minutes where one job in fifty
runs for days, and those days are most of the cluster's time: jobs told "300 s" take an hour on average. So beside each
mean that was said stands what such jobs took on average. The ends of the interval are moved until as many jobs lie
beyond them as should (adaptive conformal inference).
"""

import math

import numpy as np

STEP, REACH = 0.5, 0.7
"""Log seconds between the places at which is kept what came, and how far those around count: a factor of two."""
LONGEST = 17.0

PRIOR = 20.0
"""How many jobs the mixture's own mean is worth."""
BEYOND = 0.1
"""The share of jobs that should lie beyond each end of the interval."""
PACE = 0.03
"""How far, in log seconds, a job that lies beyond moves an end; one that does not moves it back by a ninth of that."""
PACE_NEW = 0.1
"""The same for jobs of users of whom little is known: they are fewer, and each is wrong about several jobs at once."""
BEYOND_NEW = 0.085
"""What is aimed at for them: several come before the first has ended, so that what it teaches comes late."""
MOST_MOVED = 3.0

LEAST_MOVED = -0.3
"""Ends are hardly moved inwards: who repeats himself to the second would else narrow everybody's interval."""


class Calibration:
    """Learns from each end; says nothing of its own before any."""

    def __init__(self) -> None:
        places = int(LONGEST / STEP) + 2
        self.places = np.arange(places) * STEP
        self.counts = np.zeros(places)
        self.totals_s = np.zeros(places)
        self.moved: dict[bool, tuple[float, float]] = {True: (0.0, 0.0), False: (0.0, 0.0)}
        """How far each end is moved outwards, for new users and for others: more is wrong about the new."""

    def mean_s(self, said_s: float) -> float:
        """Give what jobs of about that mean took on average."""
        near = np.exp(-0.5 * ((self.places - place_of(said_s)) / REACH) ** 2)
        return float((near @ self.totals_s + PRIOR * said_s) / (near @ self.counts + PRIOR))

    def ends(self, low: float, middle: float, high: float, is_new: bool = False) -> tuple[float, float]:
        """Move the ends of an interval, never past its middle; all are log seconds."""
        low_moved, high_moved = self.moved[is_new]
        return min(low - low_moved, middle), max(high + high_moved, middle)

    def learn(self, mean_said_s: float, ends: tuple[float, float], truth: float, is_new: bool = False) -> None:
        """Take in one end: the mean as the mixture said it, the interval as it was told, the log duration."""
        share, place = math.modf(place_of(mean_said_s) / STEP)
        for where, weight in ((int(place), 1 - share), (int(place) + 1, share)):
            self.counts[where] += weight
            self.totals_s[where] += weight * math.exp(truth)
        low_moved, high_moved = self.moved[is_new]
        pace, beyond = (PACE_NEW, BEYOND_NEW) if is_new else (PACE, BEYOND)
        self.moved[is_new] = (
            moved(low_moved, truth < ends[0], pace, beyond),
            moved(high_moved, truth > ends[1], pace, beyond),
        )


def place_of(seconds: float) -> float:
    """Give the place of a duration among those that are kept."""
    return min(max(math.log(max(seconds, 1.0)), 0.0), LONGEST)


def moved(before: float, is_beyond: bool, pace: float, share: float) -> float:
    """Widen where a job lay beyond; narrow a little where none did, so that in the end that share lies beyond."""
    after = before + pace * ((1.0 if is_beyond else 0.0) - share)
    return min(max(after, LEAST_MOVED), MOST_MOVED)
