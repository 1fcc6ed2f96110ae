"""TensorFlow's ready-made estimators: networks of the library's own, and by what they learn if nothing is given."""

from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.estimators import estimator_train
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Hook, by_names
from schedmate.readers.code.values.value import Value, held

KINDS = ("Classifier", "Regressor", "Estimator")
"""How their names end."""
LEARN_BY = {"DNN": "Adagrad", "Linear": "Ftrl", "DNNLinearCombined": ""}
"""How they begin, and by what one learns that is told nothing; the last learns by both, each for its half."""
READY = {f"{start}{kind}": optimizer for start, optimizer in LEARN_BY.items() for kind in KINDS}
TRAINING = ("train", "fit", "train_and_evaluate")


def trained(view: View) -> list[ExternalResult]:
    """Give the ready-made estimators that are surely told to train."""
    owners = [
        event.arg(0, "estimator") if event.short == "train_and_evaluate" else event.owner
        for event in view.events
        if event.sure and event.short in TRAINING
    ]
    made = [one for owner in owners if (one := held(owner, ExternalResult)) is not None]
    return [one for one in made if one.short in READY and "estimator" in one.callee]


def name_network(view: View) -> None:
    """Name the network after its class."""
    for made in trained(view)[:1]:
        view.keep("model_name", made.short, (made.spot,))
        if made.short.startswith("DNN"):
            view.keep("model_type", "mlp", (made.spot,))


def tell_optimizer(view: View) -> None:
    """Take the optimizer that it is told by name, else its own."""
    for made in trained(view)[:1]:
        told = made.kwargs.get("optimizer")
        if told is None and READY[made.short] and "**" not in made.kwargs:
            view.keep("optimizer", READY[made.short], (made.spot,), "by which it learns where it is told nothing")
        elif told is not None and isinstance(told.data, str):
            keep_optimizer(view, Value(told.data, told.src or (made.spot,)))


ENDINGS: dict[str, Hook] = by_names(" ".join(f"{name}.train" for name in READY), estimator_train)
RULES = (
    Rule(Subject.MODEL, "TensorFlow's ready-made estimators", name_network),
    Rule(Subject.OPTIMIZER, "TensorFlow's ready-made estimators", tell_optimizer),
)
