"""Follow calls: into the repository's own code, through the models of libraries, or only noting that they happen."""

from schedmate.readers.code.python.branches import explore, merge
from schedmate.readers.code.python.classes import call_library_init, instantiate
from schedmate.readers.code.python.functions import call_function
from schedmate.readers.code.values.joining import join
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    Partial,
    SuperOf,
)
from schedmate.readers.code.values.run import Call, LibraryMethod, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value, unknown


def call(
    run: Run, callee: Value, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation, scope: Scope | None
) -> Value:
    """Follow a call of anything."""
    run.step()
    data = callee.data
    if isinstance(data, Function):
        model = run.libraries.stands_for(data)
        known = model(Call(run, data.name, args, kwargs, spot, scope or nowhere())) if model is not None else None
        return known if known is not None else call_function(run, data, args, kwargs)
    if isinstance(data, BoundMethod):
        run.observer.calls_method(run, data, args, kwargs, spot)
        return call_function(run, data.function, [data.owner, *args], kwargs)
    if isinstance(data, Class):
        return instantiate(run, callee, args, kwargs, spot)
    if isinstance(data, Partial):
        return call(run, data.callee, [*data.args, *args], {**data.kwargs, **kwargs}, spot, scope)
    if isinstance(data, LibraryMethod):
        result = data.hook(Call(run, data.name, args, kwargs, spot, scope or nowhere(), data.owner))
        return result if result is not None else unknown(f"{data.name}()", *args[:2])
    if isinstance(data, External):
        return call_external(run, callee, args, kwargs, spot, scope)
    if isinstance(data, LibraryObject):
        method = data.get("__call__")
        return call(run, method, args, kwargs, spot, scope) if method is not None else unknown("", callee)
    if isinstance(data, Instance):
        return call_instance(run, callee, data, args, kwargs, spot, scope)
    if isinstance(data, ExternalResult):
        return call_made(run, callee, data, args, kwargs, spot)
    if isinstance(data, Unknown):
        return call_unknown(run, callee, data, args, kwargs, spot, scope)
    return unknown("a call of what cannot be called", callee)


def nowhere() -> Scope:
    """Give a scope for calls that no file makes."""
    return Scope(Module("", "", "."), {})


def call_external(
    run: Run, callee: Value, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation, scope: Scope | None
) -> Value:
    """Call a library's function: its model answers where there is one, and the call is noted either way."""
    name, owner = callee.data.name, callee.data.owner
    if owner is not None and isinstance(owner.data, SuperOf) and owner.data.owner is not None:
        if name.endswith("__init__"):
            return call_library_init(Call(run, name, args, kwargs, spot, scope or nowhere()), owner.data.owner)
        owner = owner.data.owner
    result: Value | None = None
    hook = run.libraries.hook_for(name)
    place = len(run.events)
    run.record(name, args, kwargs, spot, owner, Value(None))
    if hook is not None:
        result = hook(Call(run, name, args, kwargs, spot, scope or nowhere(), owner))
    if result is None:
        result = Value(ExternalResult(name, args, kwargs, spot, owner), (spot,))
    if place < len(run.events):
        run.events[place].result = result
    return result


def call_instance(
    run: Run,
    callee: Value,
    data: Instance,
    args: list[Value],
    kwargs: dict[str, Value],
    spot: SourceLocation,
    scope: Scope | None,
) -> Value:
    """Call an object: a model's forward pass is not followed, any other `__call__` is."""
    own = data.cls.find("__call__")
    if own is not None and isinstance(own.data, Function):
        return call(run, Value(BoundMethod(callee, own.data)), args, kwargs, spot, scope)
    if data.native is not None:
        return call(run, data.native, args, kwargs, spot, scope)
    run.observer.passes_by(run, "", spot)
    return unknown(f"what {data.cls.name} gives", callee)


def call_made(
    run: Run, callee: Value, data: ExternalResult, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
) -> Value:
    """Call a library's object: as a decorator it leaves what it decorates, else its result remembers it."""
    if len(args) == 1 and not kwargs and isinstance(args[0].data, (Function, Class)):
        return run.libraries.decorated_by(run, data, args[0])
    run.record(f"{data.callee}()", args, kwargs, spot, callee, Value(None))
    return Value(ExternalResult(f"{data.callee}()", args, kwargs, spot, callee), (spot,))


def call_unknown(
    run: Run,
    callee: Value,
    data: Unknown,
    args: list[Value],
    kwargs: dict[str, Value],
    spot: SourceLocation,
    scope: Scope | None,
) -> Value:
    """Call what may be one of several functions: each is followed as a way that may not be taken."""
    ways = [part for part in data.parts if isinstance(part.data, (Function, Class, BoundMethod, Partial, External))][:3]
    if not ways or run.unsure > 6:
        return unknown("a call of what is not known", *args[:2], *data.parts[:1])
    outcomes = explore(run, [lambda way=way: call(run, way, args, kwargs, spot, scope) for way in ways])  # type: ignore[misc]
    if not outcomes:
        return unknown("a call of what is not known", *args[:2])
    merge(run, [written for _, written in outcomes])
    result: Value = outcomes[0][0]
    for other, _ in outcomes[1:]:
        result = join(result, other)
    return result
