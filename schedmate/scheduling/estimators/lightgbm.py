"""QSSF's predictor (Helios): gradient boosted trees on user, cluster, request and time, beside the user's own mean."""

from typing import TYPE_CHECKING, Any

from schedmate.errors import MissingExtra
from schedmate.scheduling.estimators.mixture import Array
from schedmate.scheduling.estimators.published import NOMINAL, Coded, Published, Row
from schedmate.scheduling.estimators.retraining import Model
from schedmate.scheduling.estimators.user_mean import UserMean
from schedmate.schemas import Estimate, Job, PastJob, Workload

if TYPE_CHECKING:
    import lightgbm

MODEL_SHARE = 0.9
"""What Helios gives the trees; the rest goes to the mean of the user's jobs."""
TREES, LEAVES, RATE = 200, 31, 0.05


def import_lightgbm() -> Any:  # Any: LightGBM has no types
    """Import LightGBM where it is installed."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("the lightgbm estimator", "estimators") from error
    return lightgbm


def boost(
    matrix: Array, targets: Array, objective: str, nominal: list[int], trees: int = TREES, **other: object
) -> "lightgbm.Booster":
    """Train trees, the same for the same data whatever the machine's number of cores."""
    library = import_lightgbm()
    settings = {
        "objective": objective,
        "num_leaves": LEAVES,
        "learning_rate": RATE,
        "min_data_in_leaf": 20,
        "feature_fraction": 0.7,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "seed": 1,
        "deterministic": True,
        "num_threads": 1,
        "verbose": -1,
        **other,
    }
    data = library.Dataset(matrix, targets, categorical_feature=nominal, free_raw_data=True)
    booster: lightgbm.Booster = library.train(settings, data, trees)
    return booster


class Trees:
    """Trained trees with the codes that they were trained on."""

    def __init__(self, rows: list[Row], targets: Array) -> None:
        self.coded = Coded(rows)
        self.booster = boost(self.coded.matrix(rows), targets, "l2", list(range(NOMINAL)))

    def predict(self, rows: Any) -> Any:  # Any: rows of the kind that it was trained on; LightGBM has no types
        """Give seconds."""
        return self.booster.predict(self.coded.matrix(rows), num_threads=1)


class LightGbm(Published):
    """Trees and the user's mean, nine parts to one."""

    name = "LightGBM"

    def __init__(self, in_background: bool = True) -> None:
        import_lightgbm()
        super().__init__(in_background)
        self.mean = UserMean()

    def train(self, rows: list[Row], targets: Array) -> Model:
        """Fit the trees."""
        return Trees(rows, targets)

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Mix the trees with the mean."""
        said, mean = super().estimate(job, workload, at_s), self.mean.mean_s(job)
        if self.retraining.model is None or mean is None:
            return said
        mixed = MODEL_SHARE * (said.duration_p50_s or 0.0) + (1 - MODEL_SHARE) * mean
        return said.model_copy(update={"duration_p50_s": mixed})

    def learn(self, past: PastJob) -> None:
        """Keep the job for the refit, and for the mean at once."""
        super().learn(past)
        self.mean.learn(past)
