"""Follow calls: into the repository's own code, through the models of libraries, or only noting that they happen."""

from dataclasses import replace
from functools import partial

from schedmate.readers.code.python.branches import explore, merge
from schedmate.readers.code.python.classes import call_library_init, instantiate
from schedmate.readers.code.python.functions import call_function, updates_a_model
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
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, NotModelled, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value, unknown


def call(
    run: Run, callee: Value, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation, scope: Scope | None
) -> Value:
    """Follow a call of anything."""
    return follow(callee, Call(run, "", args, kwargs, spot, scope or nowhere()))


def follow(callee: Value, made: Call) -> Value:
    """Follow a call by what it is that is called."""
    data, run = callee.data, made.run
    run.step()
    known = known_copy(data, made)
    if known is not None:
        return known
    if isinstance(data, Function):
        return call_own(data, made)
    if isinstance(data, BoundMethod):
        run.observer.calls_method(run, data, made.args, made.kwargs, made.spot)
        return call_function(run, data.function, [data.owner, *made.args], made.kwargs)
    if isinstance(data, Class):
        return instantiate(run, callee, made.args, made.kwargs, made.spot)
    if isinstance(data, Partial):
        return follow(data.callee, replace(made, args=[*data.args, *made.args], kwargs={**data.kwargs, **made.kwargs}))
    if isinstance(data, LibraryMethod):
        result = answer(data.hook, replace(made, name=data.name, owner=data.owner))
        return result if result is not None else unknown(f"{data.name}()", *made.args[:2])
    if isinstance(data, External):
        return call_external(data, made)
    if isinstance(data, LibraryObject):
        method = data.get("__call__")
        return follow(method, made) if method is not None else unknown("", callee)
    if isinstance(data, Instance):
        return call_instance(callee, made)
    if isinstance(data, ExternalResult):
        return call_made(callee, made)
    if isinstance(data, Unknown):
        return call_unknown(data, made)
    return unknown("a call of what cannot be called", callee)


def call_own(function: Function, made: Call) -> Value:
    """Call a function of the repository's; where it was seen to be an optimizer, what it gives is kept with that."""
    run = made.run
    place = len(run.events)
    run.observer.calls_function(run, function, made.args, made.kwargs, made.spot)
    seen = run.events[place] if place < len(run.events) else None
    result = call_function(run, function, made.args, made.kwargs)
    if seen is not None:
        seen.result = result
    return result


def known_copy(data: object, made: Call) -> Value | None:
    """Ask the model of a library's function or class of which the repository has a copy."""
    called, owner = (data.function, data.owner) if isinstance(data, BoundMethod) else (data, made.owner)
    if not isinstance(called, (Function, Class)):
        return None
    model = made.run.libraries.stands_for(called)
    return answer(model, replace(made, name=called.name, owner=owner)) if model is not None else None


def answer(hook: Hook, made: Call) -> Value | None:
    """Ask a model; None where nothing is known of a call that is made in this way."""
    try:
        return hook(made)
    except (NotModelled, ArithmeticError):  # a program may write any number
        return None


def nowhere() -> Scope:
    """Give a scope for calls that no file makes."""
    return Scope(Module("", "", "."), {})


def call_external(data: External, made: Call) -> Value:
    """Call a library's function: its model answers where there is one, and the call is noted either way."""
    run, name, owner = made.run, data.name, data.owner
    if owner is not None and isinstance(owner.data, SuperOf) and owner.data.owner is not None:
        if name.endswith("__init__"):
            return call_library_init(replace(made, name=name), owner.data.owner)
        owner = owner.data.owner
    if made.args and begins_its_ancestor(name, made.args[0]):
        return call_library_init(replace(made, name=name, args=made.args[1:]), made.args[0])
    hook = run.libraries.hook_for(name)
    place = len(run.events)
    run.record(name, made.args, made.kwargs, made.spot, owner, Value(None))
    told = replace(made, name=name, owner=owner)
    result = answer(hook or run.libraries.follow_unmodelled, told)
    if result is None:
        result = made_by(name, made, owner)
    if place < len(run.events):
        run.events[place].result = result
    return result


def begins_its_ancestor(name: str, value: Value) -> bool:
    """Tell `nn.Module.__init__(self)`, by which older code begins the library's part of an object."""
    is_init = name.endswith(".__init__") and isinstance(value.data, Instance)
    return is_init and name.removesuffix(".__init__") in value.data.cls.outside()


def call_instance(callee: Value, made: Call) -> Value:
    """Call an object: a model's forward pass is not followed unless it takes steps itself, any other `__call__` is."""
    data: Instance = callee.data
    own, forward = data.cls.find("__call__"), data.cls.find("forward")
    if own is not None and isinstance(own.data, Function):
        return follow(Value(BoundMethod(callee, own.data)), made)
    if forward is not None and isinstance(forward.data, Function) and updates_a_model(forward.data.node):
        return follow(Value(BoundMethod(callee, forward.data)), made)
    if data.native is not None:
        return follow(data.native, made)
    made.run.observer.passes_by(made.run, "", made.spot)
    return unknown(f"what {data.cls.name} gives", callee)


def call_made(callee: Value, made: Call) -> Value:
    """Call a library's object: as a decorator it leaves what it decorates, else its result remembers it."""
    data: ExternalResult = callee.data
    if len(made.args) == 1 and not made.kwargs and isinstance(made.args[0].data, (Function, Class)):
        return made.run.libraries.decorated_by(made.run, data, made.args[0])
    made.run.record(f"{data.callee}()", made.args, made.kwargs, made.spot, callee, Value(None))
    return made_by(f"{data.callee}()", made, callee)


def made_by(name: str, made: Call, owner: Value | None) -> Value:
    """Give what a library's call gives that is not modelled."""
    return Value(
        ExternalResult(name, made.args, made.kwargs, made.spot, owner, loops=made.run.open_loops), (made.spot,)
    )


def call_unknown(data: Unknown, made: Call) -> Value:
    """Call what may be one of several functions: each is followed as a way that may not be taken."""
    ways = [part for part in data.parts if isinstance(part.data, (Function, Class, BoundMethod, Partial, External))][:3]
    if not ways or made.run.unsure > 6:
        return unknown("a call of what is not known", *made.args[:2], *data.parts[:1])
    place = len(made.run.instances)
    several = int(sum(isinstance(way.data, BoundMethod) for way in ways) > 1)
    made.run.rivals += several
    try:
        outcomes = explore(made.run, [partial(follow, way, made) for way in ways])
    finally:
        made.run.rivals -= several
    classes = [part.data for part in data.parts if isinstance(part.data, Class)]
    for value in made.run.instances[place:]:
        if value.data.cls in classes:
            value.data.rivals = tuple(one for one in classes if one is not value.data.cls)
    if not outcomes:
        return unknown("a call of what is not known", *made.args[:2])
    merge(made.run, [written for _, written in outcomes])
    result = outcomes[0][0]
    for other, _ in outcomes[1:]:
        result = join(result, other)
    return result
