"""Functions that a library is handed and calls itself, again and again: what SciPy makes small."""

from schedmate.readers.code.values.objects import CALLABLES
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, each_of, unknown

MINIMIZERS = (
    "minimize fmin fmin_bfgs fmin_cg fmin_l_bfgs_b fmin_ncg fmin_powell fmin_tnc least_squares leastsq basinhopping "
    "differential_evolution dual_annealing shgo root fsolve minimize_scalar"
)
"""Functions of `scipy.optimize` that call the function which they are handed first, again and again."""


def make_small(call: Call) -> Value | None:
    """Model `scipy.optimize.minimize(function, start, args)`: the function is called with what is tried."""
    target = call.need(0, next((name for name in ("fun", "func", "f") if name in call.kwargs), "fun"), CALLABLES)
    tried = unknown("what an optimizer tries", *call.args[1:2])
    call.run.call(target, [tried, *each_of(call.kwargs.get("args"))], {}, call.spot, call.scope)
    return None


HOOKS: dict[str, Hook] = {f"scipy.optimize.{name}": make_small for name in MINIMIZERS.split()}
