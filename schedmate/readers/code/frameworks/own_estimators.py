"""Estimators of the repository's own inside scikit-learn's pipelines and searches, which tell them to fit."""

from itertools import islice

from schedmate.readers.code.evidence.training_calls import parts_of
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, mapping_of, unknown

SPACES = ("param_grid", "param_distributions", "search_spaces")
"""How searches call what they choose among."""
DEEPEST = 6

MOST_PARTS = 60
"""So many things are looked at, one inside another."""


def fit_own(call: Call) -> Value | None:
    """Model `fit` of a pipeline or a search: estimators of the repository's own in it are fitted on the same data."""
    made = call.own(ExternalResult)
    space = next((made.kwargs[name] for name in SPACES if name in made.kwargs), None)
    space = space if space is not None or made.short.endswith("ipeline") else next(iter(made.args[1:2]), None)
    for estimator in estimators_in(call.owner) if call.owner is not None else ():
        for name, choices in mapping_of(space).items():
            attribute = str(name).rpartition("__")[2]
            if attribute in estimator.data.attrs:
                chosen = unknown("what a search chooses", choices)
                call.run.journal.put(estimator.data.attrs, attribute, chosen)
                call.run.reads.pop(attribute, None)  # what it was made with is not what it is fitted with
                call.run.saw(attribute, chosen)
    if call.owner is not None:
        fit_inside(call, call.owner, call.args, call.kwargs)
    return None


def cross_validate(call: Call) -> Value | None:
    """Model `cross_val_score(estimator, x, y)`, which fits the estimator on parts of the data."""
    more = [call.kwargs[name] for name in ("X", "y") if name in call.kwargs]
    fit_inside(call, call.need(0, "estimator"), [*call.args[1:3], *more], {})
    return None


def fit_inside(call: Call, whole: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Follow the `fit` of each estimator that is an object of the repository's."""
    for estimator in estimators_in(whole):
        fit = estimator.data.cls.find("fit")
        if fit is not None and isinstance(fit.data, Function):
            method = Value(BoundMethod(estimator, fit.data), fit.src)
            call.run.call(method, args[:2], {k: v for k, v in kwargs.items() if k in ("X", "y")}, call.spot, call.scope)


def estimators_in(whole: Value) -> list[Value]:
    """Give the objects of the repository's that a pipeline or a search is made of; level by level, each once."""
    found, level, seen = list[Value](), [whole], set[int]()
    for _ in range(DEEPEST):
        below: list[Value] = []
        for value in islice((one for one in level if id(one.data) not in seen), MOST_PARTS):
            seen.add(id(value.data))
            if isinstance(value.data, Instance):
                found.append(value)
            elif isinstance(value.data, (list, tuple)):
                below += value.data
            elif isinstance(value.data, ExternalResult):
                below += parts_of(value.data)
        level = below
    return found


FITTED = (
    "GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV", "BayesSearchCV", "Pipeline",
    "make_pipeline",
)  # fmt: skip
"""Objects of scikit-learn and its kin that fit what they are made of."""
VALIDATIONS = ("cross_val_score", "cross_validate", "cross_val_predict")
ENDINGS: dict[str, Hook] = {f"{name}.{does}": fit_own for name in FITTED for does in ("fit", "fit_predict")}
HOOKS: dict[str, Hook] = {
    f"sklearn.{place}.{name}": cross_validate
    for place in ("model_selection", "cross_validation")
    for name in VALIDATIONS
}
