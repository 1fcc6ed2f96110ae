"""DeepMind's K-FAC for JAX: one object works gradients and curvature out and makes the step."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import BoundMethod, Function
from schedmate.readers.code.values.value import Value

OPTIMIZER = "kfac_jax.Optimizer"


def tell_optimizer(view: View) -> None:
    """Take what the optimizer is made with: its rate, or a schedule's at the first step; without one it adapts it."""
    for event in view.of(OPTIMIZER):
        if event.name != OPTIMIZER or not event.sure:
            continue
        view.keep("optimizer", "K-FAC", (event.spot,))
        rate = event.kwargs.get("learning_rate_schedule")
        if rate is not None and isinstance(rate.data, (Function, BoundMethod)):
            rate = view.run.call(rate, [Value(0)])
        view.number("learning_rate", rate)


RULES = (Rule(Subject.OPTIMIZER, "K-FAC", tell_optimizer),)
