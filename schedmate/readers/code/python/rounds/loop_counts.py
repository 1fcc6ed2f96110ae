"""How often a loop runs, as far as that is known: by its items, or by the range that it counts by beside them."""

import ast
from typing import TypeGuard

from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Unknown, Value, is_unknown_by, join_spots, ways_of

ENDLESS = ("cycle", "repeat")
PROGRESS_BARS = ("tqdm", "trange", "progress_bar", "track")

ARANGE = {
    "start": "start",
    **dict.fromkeys(("stop", "end", "limit"), "stop"),
    **dict.fromkeys(("step", "delta"), "step"),
}
"""How NumPy, PyTorch and TensorFlow name where an array of numbers starts and stops, and its steps."""
OF_ARRAYS = frozenset({"dtype", "device", "name", "like", "out", "layout", "requires_grad", "pin_memory", "sharding"})
"""What an array is told that changes none of its length."""
ARRAYS = ("numpy.arange", "jax.numpy.arange", "torch.arange", "tensorflow.range")


MANY = 1_000


def count_of(items: Value) -> Value | None:
    """Give how often a loop runs, when that is known."""
    data = items.data
    if isinstance(data, (range, list, tuple)):
        return Value(len(data), items.src)
    if isinstance(data, ExternalResult) and data.callee in ARRAYS:
        return count_of_array(data)
    if isinstance(data, ExternalResult) and data.short in ("range", "trange") and len(data.args) == 2:
        return count_when_fresh(data.args[0], data.args[1])
    if isinstance(data, ExternalResult) and data.short in (*PROGRESS_BARS, "enumerate") and data.args:
        return count_of(data.args[0])
    if passes_on(data):
        return count_of(data.args[0])
    beside = [count for one in counters_beside(data) if (count := count_of(one)) is not None]
    return min(beside, key=lambda count: int(count.data), default=None)


def count_from_anywhere(run: Run, loop: ast.expr, scope: Scope) -> Value | None:
    """Count `range(start, start + rounds)`, which are as many rounds wherever it starts."""
    while isinstance(loop, ast.Call) and ast.unparse(loop.func) in PROGRESS_BARS and loop.args:
        loop = loop.args[0]
    if not isinstance(loop, ast.Call) or ast.unparse(loop.func) not in ("range", "trange") or len(loop.args) != 2:
        return None
    start, stop = loop.args
    if not isinstance(stop, ast.BinOp) or not isinstance(stop.op, ast.Add):
        return None
    sides = {ast.dump(stop.left): stop.right, ast.dump(stop.right): stop.left}
    rounds = sides.get(ast.dump(start))
    if not isinstance(rounds, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    count = run.evaluate(rounds, scope)
    return count if type(count.data) is int and count.data > 0 else None


def count_of_array(made: ExternalResult) -> Value | None:
    """Count `arange(stop)`, `arange(start, stop)` and `arange(start, stop, step)` of whole numbers, however named."""
    told = ends_of(made)
    if told is not None and told.keys() == {"start", "stop"} and isinstance(told["start"].data, Unknown):
        return count_when_fresh(told["start"], told["stop"])
    if told is None or "stop" not in told or not all(type(one.data) is int for one in told.values()):
        return None
    stop, step = told["stop"], told["step"].data if "step" in told else 1
    first = told["start"].data if "start" in told else 0
    rounds = -(-(stop.data - first) // step) if step else None
    return Value(max(0, rounds), join_spots(*told.values())) if rounds is not None else None


def ends_of(made: ExternalResult) -> dict[str, Value] | None:
    """Give where an array of numbers starts and stops, and by which steps; None where it is told otherwise."""
    named = {ARANGE.get(name, ""): value for name, value in made.kwargs.items() if name not in OF_ARRAYS}
    places = ("stop",) if len(made.args) == 1 and not named.keys() & {"stop"} else ("start", "stop", "step")
    told = dict(zip(places, made.args, strict=False))
    if "" in named or len(made.args) > len(places) or named.keys() & told.keys():
        return None
    return {**told, **named}


def passes_on(data: object) -> TypeGuard[ExternalResult]:
    """Tell what a library makes of nothing but a range, such as a bar or a clock: it gives each number once."""
    if not isinstance(data, ExternalResult) or data.is_object or data.short in ENDLESS:
        return False
    return len(data.args) == 1 and isinstance(data.args[0].data, range)


def is_upper_bound(loop: ast.expr, items: Value, is_inner: bool) -> bool:
    """Tell a range beside items that may end sooner: one inside of another loop, or one as long as is written there."""
    inside = items
    while isinstance(inside.data, ExternalResult) and inside.data.short in (*PROGRESS_BARS, "enumerate"):
        if not inside.data.args:
            return False
        inside = inside.data.args[0]
    written = [call for call in ast.walk(loop) if isinstance(call, ast.Call) and ast.unparse(call.func) == "range"]
    names = [part for call in written for part in ast.walk(call) if isinstance(part, (ast.Name, ast.Attribute))]
    is_written = bool(written) and len(names) == len(written)
    return bool(counters_beside(inside.data)) and (is_inner or is_written)


def counters_beside(data: object) -> list[Value]:
    """Give the ranges that a loop counts by beside what it takes from elsewhere: `zip(range(steps), batches)`."""
    beside = data.args if isinstance(data, ExternalResult) and data.callee == "zip" else ()
    inner = [(one, one.data.args[0] if is_bar(one.data) else one) for one in beside]
    return [one for one, counted in inner if counts_up(counted.data)]


def counts_up(data: object) -> bool:
    """Tell a range, or the list of one."""
    return isinstance(data, range) or (
        isinstance(data, list) and len(data) > 1 and all(type(item.data) is int for item in (data[0], data[-1]))
    )


def is_bar(data: object) -> TypeGuard[ExternalResult]:
    """Tell a progress bar around something."""
    return isinstance(data, ExternalResult) and data.short in PROGRESS_BARS and bool(data.args)


def count_when_fresh(start: Value, stop: Value) -> Value | None:
    """Count `range(start, stop)` for a run that resumes nothing: it starts at 0, or at 1 where no way starts lower."""
    if not isinstance(start.data, Unknown) or type(stop.data) is not int:
        return None
    first = fresh_start(start.data)
    first = 1 if first is None and stop.data >= MANY else first  # one more or less of so many is as good as none
    return Value(stop.data - first, stop.src) if first is not None else None


def ways_when_fresh(part: Value) -> tuple[Value, ...]:
    """Give what a number may be that was saved, maybe: each way, and what stands in where nothing was saved."""
    data = part.data
    if isinstance(data, ExternalResult) and data.short == "get":
        return tuple(data.args[1:2])
    return data.parts if isinstance(data, Unknown) else ()


def fresh_start(start: Unknown) -> int | None:
    """Give the lowest number that a run which resumes nothing starts at; behind a last one, that has to be known.

    Of `kept["epoch"] + 1` the 1 is no start of its own: a run that resumes nothing does not come by there.
    """
    loaded = any(is_unknown_by(inner, Reason.FILED) for part in start.parts for inner in ways_of(part))
    if start.reason is Reason.ADDED:
        added = sum(part.data for part in start.parts if type(part.data) is int)
        last = [way.data for part in start.parts for way in ways_when_fresh(part) if type(way.data) is int]
        found = next((before + added for before in sorted(last) if before + added in (0, 1)), None)
        return 0 if found is None and loaded else found
    ways = () if loaded and start.reason is not Reason.ALTERNATIVES else start.parts
    return min((part.data for part in ways if type(part.data) is int and part.data in (0, 1)), default=0)
