"""Functions that a library is handed and calls itself: what SciPy makes small, what rllab starts with its variants."""

from schedmate.readers.code.python.builtins.builtin_functions import known_sequence
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, Partial
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Config, Value, sequence_of, unknown

FUNCTIONS = (Function, BoundMethod, Partial)

MINIMIZERS = (
    "minimize fmin fmin_bfgs fmin_cg fmin_l_bfgs_b fmin_ncg fmin_powell fmin_tnc least_squares leastsq basinhopping "
    "differential_evolution dual_annealing shgo root fsolve minimize_scalar"
)
"""Functions of `scipy.optimize` that call the function which they are handed first, again and again."""


def make_small(call: Call) -> Value | None:
    """Model `scipy.optimize.minimize(function, start, args)`: the function is called with what is tried."""
    target = call.need(0, next((name for name in ("fun", "func", "f") if name in call.kwargs), "fun"), FUNCTIONS)
    tried = unknown("what an optimizer tries", *call.args[1:2])
    args = call.kwargs.get("args")
    more = sequence_of(args) if args is not None and isinstance(args.data, (tuple, list)) else [args] if args else []
    call.run.call(target, [tried, *more], {}, call.spot, call.scope)
    return None


def start_experiment(call: Call) -> Value | None:
    """Model rllab's `run_experiment_lite(function, variant=...)`, here or elsewhere: it is called with the variant."""
    target, variant = call.need(0, "stub_method_call", FUNCTIONS), call.kwargs.get("variant")
    return call.run.call(target, [variant] if variant is not None else [], {}, call.spot, call.scope)


def add_variants(call: Call) -> Value | None:
    """Model `generator.add(name, values)`."""
    made, name, values = call.own(ExternalResult), call.need(0, "key", str), call.need(1, "vals")
    call.run.journal.put(made.attrs, name.data, values)
    return Value(None)


def list_variants(call: Call) -> Value | None:
    """Model `generator.variants()`: what all of them share is known, what they try is open."""
    shared: dict[str, Value] = {}
    is_one = True
    for name, values in call.own(ExternalResult).attrs.items():
        known = known_sequence(values)
        is_one &= known is not None and len(known) == 1
        shared[name] = known[0] if known and len(known) == 1 else unknown("what variants try", *(known or [values]))
    made = [Value(Config({**shared}), (call.spot,))]
    if not is_one:
        call.run.grown[id(made)] = made
    return Value(made, (call.spot,))


HOOKS: dict[str, Hook] = {
    **{f"scipy.optimize.{name}": make_small for name in MINIMIZERS.split()},
    **by_names("rllab.misc.instrument.run_experiment_lite garage.experiment.run_experiment", start_experiment),
}
ENDINGS: dict[str, Hook] = {
    "VariantGenerator.add": add_variants,
    "VariantGenerator.variants": list_variants,
}
