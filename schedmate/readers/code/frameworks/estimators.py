"""TensorFlow's estimators: training calls the model's function and the one that makes the data."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.objects import CALLABLES, ExternalResult, Function
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import External, Value, held, product, unknown


def estimator_train(call: Call) -> Value | None:
    """Model `estimator.train(input_fn, max_steps=...)`."""
    follow_training(call, call.own(ExternalResult), call.arg(0, "input_fn"))
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot, call.owner))


def train_and_evaluate(call: Call) -> Value | None:
    """Model `tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)`: the evaluation is left aside."""
    made, spec = held(call.arg(0, "estimator"), ExternalResult), held(call.arg(1, "train_spec"), ExternalResult)
    if made is None:
        return None
    given = None if spec is None else spec.kwargs.get("input_fn") or (spec.args[0] if spec.args else None)
    follow_training(call, made, given)
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot, call.owner))


def follow_training(call: Call, made: ExternalResult, data: Value | None) -> None:
    """Follow the function that makes the data, and then the model's, as it is called in training."""
    params = made.kwargs.get("params") or unknown("parameters")
    batch = made.kwargs.get("train_batch_size")
    if data is not None and isinstance(data.data, CALLABLES):
        known = {"params": params if batch is None else Value({"batch_size": batch})}
        call.run.call(data, wanted(data, known), {}, call.spot, call.scope)
    function = made.kwargs.get("model_fn") or (made.args[0] if made.args else None)
    if function is not None and isinstance(function.data, Function):
        library = function.data.scope.find("tf")
        root = library.data.name if library is not None and isinstance(library.data, External) else "tensorflow"
        mode = Value(External(f"{root}.estimator.ModeKeys.TRAIN"), (call.spot,))
        call.run.call(function, wanted(function, {"mode": mode, "params": params}), {}, call.spot, call.scope)


def wanted(function: Value, known: dict[str, Value]) -> list[Value]:
    """Give what the library hands to a function, by the names that it takes without a default."""
    if not isinstance(function.data, Function):
        return []
    taken = function.data.node.args
    names = [arg.arg for arg in taken.args[: len(taken.args) - len(taken.defaults)]]
    return [known.get(name) or unknown(name) for name in names]


def tell_steps(view: View) -> None:
    """Take how many steps an estimator is told to train for; `steps` are only those of one round of a loop."""
    for event in view.events:
        if event.short == "train" and ("Estimator." in event.name or ".estimator." in event.name):
            most, more = event.arg(3, "max_steps"), event.arg(2, "steps")
            view.number("total_steps", most if event.loops or (most is not None and most.data is not None) else more)
            if event.loops and more is not None:
                whole = steps_of_rounds(event.loops, more) if event.sure and goes_on(view, event) else None
                if not view.number("total_steps", whole):
                    view.rule_out("total_steps")
        elif event.short == "TrainSpec" and "estimator" in event.name:
            view.number("total_steps", event.arg(1, "max_steps"))


def goes_on(view: View, event: Event) -> bool:
    """Tell an estimator that was made before the loop: each round goes on where the last one ended."""
    owner = event.owner.data if event.owner is not None else None
    return any(one.result.data is owner and not one.loops for one in view.events)


def steps_of_rounds(loops: tuple[FollowedLoop, ...], steps: Value) -> Value | None:
    """Multiply a round's steps by the rounds of the one loop around it, if that counts and goes over no choices."""
    count = loops[0].count if len(loops) == 1 and not isinstance(loops[0].items.data, (list, tuple)) else None
    if count is None or type(count.data) is not int or type(steps.data) is not int or count.data < 1:
        return None
    return product(count, steps)


ENDINGS: dict[str, Hook] = {
    **by_names("Estimator.train TPUEstimator.train", estimator_train),
    "estimator.train_and_evaluate": train_and_evaluate,
}
RULES = (Rule(Subject.DURATION, "an estimator", tell_steps),)
