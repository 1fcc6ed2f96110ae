"""Which estimators there are, by name."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from schedmate.errors import InputError
from schedmate.scheduling.estimators import Estimator

if TYPE_CHECKING:
    from schedmate.history.similarity.names import NameCloseness
    from schedmate.models.embedders.embedder import Embedder

ESTIMATORS = {
    "best": "whatever does best for each user, learned online (with trees, where lightgbm is installed)",
    "advisor": "runs of the same thing, else similar jobs (the paper's)",
    "lightgbm": "QSSF's trees on user, cluster, request and time",
    "ga2m": "Lucid's additive model",
    "user_mean": "the mean of the user's like jobs",
    "oracle": "the truth",
}


def open_estimator(
    name: str,
    *,
    embedder: "Embedder | None" = None,
    truth_s: Mapping[str, float] | None = None,
    in_background: bool = True,
    trees: bool = True,
) -> Estimator:
    """Make an estimator that has learned nothing yet; heavy libraries are imported for those that need them."""
    if name not in ESTIMATORS:
        raise InputError(f"there is no estimator '{name}'", f"there are: {', '.join(ESTIMATORS)}")
    if name == "user_mean":
        from schedmate.scheduling.estimators.user_mean import UserMean

        return UserMean()
    if name == "oracle":
        from schedmate.scheduling.estimators.oracle import Oracle

        return Oracle(truth_s or {})
    if name == "lightgbm":
        from schedmate.scheduling.estimators.lightgbm import LightGbm

        return LightGbm(in_background)
    if name == "ga2m":
        from schedmate.scheduling.estimators.ga2m import Ga2m

        return Ga2m(in_background)
    from schedmate.scheduling.estimators.advisor import Advisor

    advisor = Advisor(names_of(embedder))
    if name == "advisor":
        return advisor
    from schedmate.scheduling.estimators.best import Best

    return Best(advisor, trees=trees and find_spec("lightgbm") is not None, in_background=in_background)


def names_of(embedder: "Embedder | None") -> "NameCloseness":
    """Compare names with the embedder given, else with the one that the settings name."""
    from schedmate.history.similarity.names import NameCloseness

    if embedder is None:
        from schedmate.models.embeddings import open_embedder
        from schedmate.settings import get_settings

        embedder = open_embedder(get_settings())
    return NameCloseness(embedder)
