"""Make what a configuration describes: `_target_` nodes, and classes by their dotted names."""

from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.values.objects import Class, Partial
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import Config, External, Items, Value, unknown

DEEPEST = 16


def instantiate_config(call: Call) -> Value | None:
    """Model `hydra.utils.instantiate`: call what `_target_` names with the other options."""
    config = call.arg(0, "config")
    return instantiate(call.run, config, call.args[1:], call.kwargs, call) if config is not None else None


def instantiate(
    run: Run, config: Value, args: list[Value], kwargs: dict[str, Value], call: Call, depth: int = 0
) -> Value:
    """Make what a node of the configuration describes, nodes below it first."""
    data = config.data
    if depth == 0 and isinstance(data, dict) and (name := old_target(data)) is not None:
        given = data["params"].data if "params" in data and isinstance(data["params"].data, dict) else {}
        callee = find_object(run, name, call.scope)
        options = {**{str(key): item for key, item in given.items()}, **kwargs}
        return run.call(callee, list(args), options, name.src[0] if name.src else call.spot, call.scope)
    if isinstance(data, list):
        return Value([instantiate(run, item, [], {}, call, depth + 1) for item in data], config.src)
    if not isinstance(data, dict) or depth > DEEPEST:
        return config
    if "_target_" not in data:
        if data.get("_recursive_") is not None:
            return config
        items = {key: instantiate(run, item, [], {}, call, depth + 1) for key, item in data.items()}
        return Value(Config(items), config.src)
    target = data["_target_"]
    recursive = "_recursive_" not in data or data["_recursive_"].data is not False
    recursive = recursive and not ("_recursive_" in kwargs and kwargs["_recursive_"].data is False)
    options = {
        str(key): instantiate(run, item, [], {}, call, depth + 1) if recursive else item
        for key, item in data.items()
        if key not in ("_target_", "_partial_", "_args_", "_recursive_", "_convert_")
    }
    options.update({key: value for key, value in kwargs.items() if not (key.startswith("_") and key.endswith("_"))})
    callee = find_object(run, target, call.scope)
    spot = target.src[0] if target.src else call.spot
    positional = list(args)
    if "_args_" in data and isinstance(data["_args_"].data, list):
        positional += data["_args_"].data
    if ("_partial_" in data and data["_partial_"].data is True) or (
        "_partial_" in kwargs and kwargs["_partial_"].data is True
    ):
        return Value(Partial(callee, positional, options), config.src)
    return run.call(callee, positional, options, spot, call.scope)


def old_target(data: Items) -> Value | None:
    """Give what `class` names beside `params`, as Hydra had it before `_target_`; what lies below stays as it is."""
    if "_target_" in data:
        return None
    named = [data[key] for key in ("class", "cls", "target") if key in data]
    return next((value for value in named if isinstance(value.data, str)), None)


def find_object(run: Run, name: Value, scope: Scope) -> Value:
    """Find a class or function by its dotted name: the repository's own, else a library's."""
    if isinstance(name.data, (Class, External)):
        return name
    if not isinstance(name.data, str) or not name.data:
        return unknown("a target that is not known", name)
    parts = name.data.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        module = find_module(run, ".".join(parts[:cut]), scope.module.roots or run.roots)
        if isinstance(module, Module) and (module.path or cut == len(parts) - 1):
            value = Value(module)
            for part in parts[cut:]:
                value = get_attribute(run, value, part, scope)
            return value
    return Value(External(name.data), name.src)


def get_object(call: Call) -> Value | None:
    """Model `hydra.utils.get_class`, `get_method`, `get_object`."""
    name = call.arg(0, "path")
    return find_object(call.run, name, call.scope) if name is not None else None


HOOKS: dict[str, Hook] = {
    **by_names("hydra.utils.instantiate hydra.utils.call", instantiate_config),
    **by_names("hydra.utils.get_class hydra.utils.get_method hydra.utils.get_object", get_object),
}
ENDINGS: dict[str, Hook] = {**by_names("detectron2.config.instantiate config.instantiate", instantiate_config)}
