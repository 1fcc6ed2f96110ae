"""Pools, processes and threads: what they are handed, or do themselves, is followed as if it ran here, once."""

from contextlib import suppress
from functools import reduce

from schedmate.readers.code.libraries.standard_library import keep_first, start_target
from schedmate.readers.code.python.builtins.builtin_functions import known_sequence
from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.objects import CALLABLES, BoundMethod, Function, Instance
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value, mapping_of, sequence_of, unknown

MOST_JOINED = 16


def handed(call: Call, target: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Follow what a pool is handed; loops around it repeat other runs, not this one's rounds."""
    loops, call.run.loops = call.run.loops, []
    try:
        call.run.call(target, args, kwargs, call.spot, call.scope)
    finally:
        call.run.loops = loops
    return call.made(owner=call.owner)


def submit(call: Call) -> Value | None:
    """Model `executor.submit(function, ...)`."""
    return handed(call, call.need(0, "fn", CALLABLES), call.args[1:], call.kwargs)


def run_beside(call: Call) -> Value | None:
    """Model `loop.run_in_executor(executor, function, ...)`."""
    return handed(call, call.need(1, "func", CALLABLES), call.args[2:], {})


def apply(call: Call) -> Value | None:
    """Model `pool.apply(function, args, kwargs)`."""
    named = {str(key): value for key, value in mapping_of(call.arg(2, "kwds")).items()}
    return handed(call, call.need(0, "func", CALLABLES), list(sequence_of(call.arg(1, "args"))), named)


def map_over(call: Call) -> Value | None:
    """Model `pool.map(function, items)`: followed once, with what all items share."""
    target, items = call.need(0, "func", CALLABLES), known_sequence(call.need(1, "iterable"))
    if not items or len(items) > MOST_JOINED:
        item = unknown("an item of what a pool is handed", *(items or [])[:1])
    else:
        item = reduce(shared, items)
    args = list(item.data) if call.name.endswith("starmap") and isinstance(item.data, tuple) else [item]
    return handed(call, target, args, {})


def shared(one: Value, other: Value) -> Value:
    """Give what two items share: of mappings and rows part by part."""
    a, b = one.data, other.data
    if type(a) is dict and type(b) is dict and a.keys() == b.keys():
        return Value({key: join(a[key], b[key]) for key in a}, one.src)
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return Value(tuple(join(left, right) for left, right in zip(a, b, strict=True)), one.src)
    return join(one, other)


def start_itself(call: Call) -> Value | None:
    """Model `start()` of a class that extends a process or thread: its `run` is followed."""
    worker: Instance = call.own(Instance)
    run = worker.cls.find("run")
    if run is None or not isinstance(run.data, Function) or call.owner is None:
        return None
    with suppress(ProgramRaised):  # what ends a worker does not end the program
        handed(call, Value(BoundMethod(call.owner, run.data)), [], {})
    return Value(None)


HOOKS: dict[str, Hook] = {
    **by_names("joblib.delayed joblib.parallel.delayed", keep_first),
    "asyncio.to_thread": submit,
}
ENDINGS: dict[str, Hook] = {
    **by_names("ProcessPoolExecutor.submit ThreadPoolExecutor.submit MPIPoolExecutor.submit", submit),
    **by_names("ProcessPoolExecutor.map ThreadPoolExecutor.map", map_over),
    **by_names("Pool.map Pool.imap Pool.imap_unordered Pool.starmap Pool.map_async ThreadPool.map", map_over),
    **by_names("Pool.apply Pool.apply_async", apply),
    **by_names("get_event_loop.run_in_executor get_running_loop.run_in_executor", run_beside),
    "get_context.Process": start_target,
    **by_names("Process.start Thread.start", start_itself),
}
