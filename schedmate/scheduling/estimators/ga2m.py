"""Lucid's workload estimator: an additive model with pairwise interactions (GA2M), interpret's EBM."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from schedmate.errors import MissingExtra
from schedmate.scheduling.estimators.mixture import Array
from schedmate.scheduling.estimators.published import FIELDS, NOMINAL, Published, Row
from schedmate.scheduling.estimators.retraining import Model

LEARNING_RATE, INTERACTIONS = 0.01, 20

ROUNDS, BAGS = 1_000, 2
"""Fewer than interpret's defaults: the fit of 40,000 jobs stays under a minute of one core."""


def import_ebm() -> Any:  # Any: interpret has no types
    """Import interpret's additive model where it is installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from interpret.glassbox import ExplainableBoostingRegressor
    except ImportError as error:
        raise MissingExtra("the ga2m estimator", "estimators") from error
    return ExplainableBoostingRegressor


class Additive:
    """A fitted additive model."""

    def __init__(self, rows: list[Row], targets: Array) -> None:
        self.model = import_ebm()(
            learning_rate=LEARNING_RATE,
            interactions=INTERACTIONS,
            max_rounds=ROUNDS,
            outer_bags=BAGS,
            feature_names=list(FIELDS),
            feature_types=["nominal"] * NOMINAL + ["uniform"] * (len(FIELDS) - NOMINAL),
            n_jobs=1,
            random_state=1,
        )
        with warnings.catch_warnings():
            # A column that has one value only (no names in this trace) is worth a warning to interpret, not to us.
            warnings.simplefilter("ignore")
            self.model.fit(table(rows), targets)

    def predict(self, rows: Any) -> Any:  # Any: rows of the kind that it was trained on; interpret has no types
        """Give seconds."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.model.predict(table(rows))


def table(rows: list[Row]) -> npt.NDArray[np.object_]:
    """Put words and numbers side by side."""
    matrix = np.empty((len(rows), len(FIELDS)), object)
    for place, row in enumerate(rows):
        matrix[place] = [*(word or "none" for word in row[:NOMINAL]), *row[NOMINAL:]]
    return matrix


class Ga2m(Published):
    """Refitted weekly, as Lucid does."""

    name = "GA2M"

    def __init__(self, in_background: bool = True) -> None:
        import_ebm()
        super().__init__(in_background)

    def train(self, rows: list[Row], targets: Array) -> Model:
        """Fit the additive model."""
        return Additive(rows, targets)
