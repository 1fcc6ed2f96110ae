"""JAX's own optimizers, which are three functions: one makes a state of weights, one moves it, one gives weights back.

`init, update, weights = optimizers.adam(1e-3)`; before JAX 0.2.25 they were in `jax.experimental.optimizers`.
"""

from schedmate.readers.code.libraries.standard_library import keep_first
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod
from schedmate.readers.code.values.value import Value

PLACES = ("jax.example_libraries.optimizers", "jax.experimental.optimizers")
KINDS = ("sgd", "momentum", "nesterov", "adagrad", "rmsprop", "rmsprop_momentum", "adam", "adamax", "sm3")


def three_functions(call: Call) -> Value | None:
    """Model `adam(rate)`: a state stands for the weights of which it was made."""
    made = call.made()

    def move(inner: Call) -> Value | None:
        """Note the step that `update(number, gradients, state)` makes, and give the state."""
        inner.run.record(f"{call.name}.apply_gradients", inner.args, inner.kwargs, inner.spot, made, Value(None))
        return inner.arg(2, "state")

    parts = [("init", keep_first), ("update", move), ("params", keep_first)]
    functions: dict[str, Value] = {
        f"[{place}]": Value(LibraryMethod(follow, f"{call.name}.{name}")) for place, (name, follow) in enumerate(parts)
    }
    return call.made(functions)


HOOKS: dict[str, Hook] = {f"{place}.{kind}": three_functions for place in PLACES for kind in KINDS}
