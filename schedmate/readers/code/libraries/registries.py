"""Libraries' registries (fvcore, MMEngine): names under which a program files its classes, to make one by its name."""

from schedmate.readers.code.python.modules.registries import complete_table, remember_table
from schedmate.readers.code.values.objects import Class, ExternalResult, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names, filed
from schedmate.readers.code.values.value import Config, Value, held, mapping_of

MADE = (Class, Function)


class LibraryRegistry(LibraryObject):
    """A registry that a library's class makes; what other packages put into it is not known."""

    def __init__(self, callee: str, table: Value) -> None:
        self.callee = callee
        self.table = table

    def get(self, name: str) -> Value | None:
        """Give the methods of all these libraries' registries."""
        hooks = {"register": register, "register_module": register, "get": look_up, "build": build}
        return Value(LibraryMethod(hooks[name], name, Value(self))) if name in hooks else None


def make_registry(call: Call) -> Value | None:
    """Model `Registry("models")`."""
    table = Value({})
    remember_table(call.run, table)
    return Value(LibraryRegistry(call.name, table), (call.spot,))


def register(call: Call) -> Value | None:
    """Model `register(thing)`, `register("name", thing)` and both names as decorators, with or without one."""
    table = call.own(LibraryRegistry).table.data
    given = [*call.args, *(call.kwargs[key] for key in ("name", "module", "obj") if key in call.kwargs)]
    name = next((text for value in given if (text := held(value, str)) is not None), None)
    thing = next((value for value in given if isinstance(value.data, MADE)), None)

    def put(made: Value) -> Value:
        if isinstance(made.data, MADE):
            table[name or made.data.name] = made
        return made

    return filed(call, thing, put)


def look_up(call: Call) -> Value | None:
    """Model `get(name)`: modules that wait to be followed are searched for it."""
    registry = call.own(LibraryRegistry)
    return found(call, registry, call.need(0, "name")) or outside(call, registry)


def build(call: Call) -> Value | None:
    """Model `build(cfg, **more)`: the class that `type` names, made with the rest."""
    return make(call, call.own(LibraryRegistry), call.arg(0, "cfg"), call.kwargs.get("default_args"))


def build_from(call: Call) -> Value | None:
    """Model `build_from_cfg(cfg, registry, default_args)`."""
    registry = call.need(1, "registry", LibraryRegistry).data
    return make(call, registry, call.arg(0, "cfg"), call.arg(2, "default_args"))


def make(call: Call, registry: LibraryRegistry, config: Value | None, more: Value | None) -> Value | None:
    """Make what a configuration describes; a library's own classes are only noted."""
    items = {**(mapping_of(more) or {}), **(mapping_of(config) or {})}
    chosen = items.get("type")
    cls = found(call, registry, chosen) if chosen is not None else None
    if cls is None:
        return outside(call, registry)
    given = {str(key): value for key, value in items.items() if key != "type"}
    given |= {key: value for key, value in call.kwargs.items() if key not in ("cfg", "default_args", "registry")}
    return call.run.call(cls, call.args[1:] if call.owner is not None else [], given, call.spot, call.scope)


def found(call: Call, registry: LibraryRegistry, name: Value | None) -> Value | None:
    """Give what is filed under a name."""
    key = held(name, str)
    if key is None or (key not in registry.table.data and not complete_table(call.run, registry.table.data, key)):
        return None
    made: Value = registry.table.data[key]
    return made


def outside(call: Call, registry: LibraryRegistry) -> Value:
    """Note what a registry gives that the program's own files do not put there."""
    name = f"{registry.callee}.{call.name}"
    args = [Value(Config(mapping_of(arg) or {}), arg.src) if isinstance(arg.data, dict) else arg for arg in call.args]
    made = Value(ExternalResult(name, args, call.kwargs, call.spot), (call.spot,))
    call.run.record(name, args, call.kwargs, call.spot, None, made)
    return made


HOOKS: dict[str, Hook] = {
    **by_names("fvcore.common.registry.Registry detectron2.utils.registry.Registry mmcv.Registry", make_registry),
    **by_names("mmcv.utils.Registry mmcv.utils.registry.Registry mmengine.Registry", make_registry),
    **by_names("mmengine.registry.Registry mmengine.registry.registry.Registry", make_registry),
    **by_names("mmcv.utils.build_from_cfg mmcv.utils.registry.build_from_cfg mmcv.build_from_cfg", build_from),
    **by_names("mmengine.registry.build_from_cfg mmengine.build_from_cfg", build_from),
}
