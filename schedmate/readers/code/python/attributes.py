"""Look up attributes of whatever a name stands for."""

from collections.abc import Hashable
from types import NoneType

from schedmate.knowledge.code_words import words
from schedmate.readers.code.python.assignments import write_named
from schedmate.readers.code.python.builtins.builtin_functions import count_owner
from schedmate.readers.code.python.builtins.builtin_methods import builtin_method, make_from_keys
from schedmate.readers.code.python.modules.modules import module_attribute, resolve
from schedmate.readers.code.python.operators import PATHS
from schedmate.readers.code.values.objects import (
    BoundMethod,
    Class,
    ExternalResult,
    FileHandle,
    Function,
    Instance,
    LibraryObject,
    SuperOf,
    are_made_alike,
    methods_of_each,
)
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import Config, External, SourceLocation, Unknown, Value, is_constant, unknown

KEEPS = frozenset(words("networks.keeps"))
"""Attributes and methods that lead from a model to itself."""
FIELD_TABLES = frozenset({"__annotations__", "__dataclass_fields__", "model_fields", "__fields__"})
"""Under these names Python and libraries keep what fields a class has."""
DRAWN = ("shuffle", "shuffle()", "copy", "copy()", "to", "to()")
"""Calls on data that give the same samples."""
SIDES = frozenset(words("data.sides"))
"""Attributes under which libraries' data keep their samples."""
WRAPPED = ("module", "_orig_mod", "_fsdp_wrapped_module")
"""Under these names wrappers keep the model that they were given."""


def get_attribute(run: Run, owner: Value, name: str, scope: Scope | None, line: int = 1) -> Value:
    """Give an attribute of anything."""
    data = owner.data
    if isinstance(data, Module):
        return module_attribute(run, data, name)
    if isinstance(data, External):
        return outside_attribute(run, owner, data, name, scope, line)
    if isinstance(data, Instance):
        return resolve(run, instance_attribute(run, owner, data, name))
    if isinstance(data, Class):
        told = run.libraries.told_of_fields(run, owner, name) if name in FIELD_TABLES else None
        return told or resolve(run, class_attribute(data, name, owner))
    if isinstance(data, Config):
        return config_attribute(run, owner, data, name)
    if isinstance(data, ExternalResult):
        return made_attribute(run, owner, data, name)
    if isinstance(data, EnumMember) and name not in ("name", "value"):
        return member_attribute(run, owner, data, name)
    if isinstance(data, LibraryObject):
        found = data.get(name)
        return found if found is not None else unknown(f".{name} of a modelled object", owner)
    if isinstance(data, (Function, BoundMethod, LibraryMethod)):
        return function_attribute(owner, data, name)
    if isinstance(data, (str, list, dict, tuple, set, int, float, bytes, range, FileHandle, NoneType)):
        known = run.libraries.value_of(run, f"builtins.{type(data).__name__}") if name == "__class__" else None
        return known or builtin_method(owner, name)
    if isinstance(data, Unknown):
        return unknown_attribute(run, owner, name)
    return unknown(f".{name}", owner)


BY_WAY_OF_OTHERS = {"os.sys": "sys", "torch.os": "os"}
"""Modules that programs take from a module which imports them for itself."""


def outside_attribute(run: Run, owner: Value, data: External, name: str, scope: Scope | None, line: int) -> Value:
    """Give a library's value where it is known, else name what stands there."""
    full = f"{data.name}.{name}"
    known = run.libraries.value_of(run, full)
    src = owner.src
    if scope is not None:
        if not run.asking:
            run.observer.names_attribute(run, name, SourceLocation(scope.path, line))
        src = (SourceLocation(scope.path, line),) if scope.path else src
    return known or Value(External(BY_WAY_OF_OTHERS.get(full, full), data.owner), src)


def instance_attribute(run: Run, owner: Value, data: Instance, name: str) -> Value:
    """Look in the object, its class, the library's part of it, and at last name it after its library class."""
    if name in data.attrs:
        return data.attrs[name]
    if name == "__class__":
        return Value(data.cls, owner.src)
    if name == "__dict__":
        return Value(data.attrs, owner.src)
    found = data.cls.find(name)
    if found is not None:
        return bind(run, owner, found)
    if name in ACCESS:
        return Value(LibraryMethod(ACCESS[name], name, owner))
    if data.native is not None:
        inner = get_attribute(run, data.native, name, None)
        if not isinstance(inner.data, (Unknown, External)):
            return inner
    dynamic = data.cls.find("__getattr__")
    if dynamic is not None and isinstance(dynamic.data, Function):
        return run.call(Value(BoundMethod(owner, dynamic.data)), [Value(name)])
    outside = data.cls.outside()
    return Value(External(f"{outside[0] if outside else data.cls.name}.{name}", owner), owner.src)


def read_named(call: Call) -> Value | None:
    """Model `self.__getattribute__(name)`."""
    name = call.text(0)
    return get_attribute(call.run, call.owner, name, call.scope) if call.owner is not None else None


ACCESS: dict[str, Hook] = {"__setattr__": write_named, "__getattribute__": read_named}
"""Python's own methods that write and read what they are told the name of."""


def bind(run: Run, owner: Value, found: Value) -> Value:
    """Turn a class's function into the object's method; a property is called at once."""
    function = found.data
    if not isinstance(function, Function) or function.kind == "static":
        return found
    if function.kind == "property":
        return run.call(found, [owner])
    if function.kind == "class" and isinstance(owner.data, (Instance, Config)):
        owner = Value(owner.data.cls)
    return Value(BoundMethod(owner, function), found.src)


def class_attribute(data: Class, name: str, owner: Value) -> Value:
    """Look along the lineage; members of an enumeration know their value."""
    found = data.find(name)
    if found is not None:
        if isinstance(found.data, Function) and found.data.kind == "class":
            return Value(BoundMethod(owner, found.data), found.src)
        if data.kind == "enum" and not isinstance(found.data, Function):
            return Value(EnumMember(name, found, data), found.src)
        return found
    if name == "__name__":
        return Value(data.name, (data.spot,))
    if name == "__dict__":
        return Value(dict(data.attrs), (data.spot,))
    outside = data.outside()
    return Value(External(f"{outside[0]}.{name}", owner), owner.src) if outside else unknown(f"{data.name}.{name}")


class EnumMember(LibraryObject):
    """A member of an enumeration."""

    def __init__(self, name: str, value: Value, cls: Class) -> None:
        self.name = name
        self.value = value
        self.cls = cls

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnumMember) and other.name == self.name and other.value.data == self.value.data

    def __hash__(self) -> int:
        return hash(self.name)

    def stands_for(self) -> Value:
        """Give the member's value, by which programs choose their options' members."""
        return self.value

    def filed_under(self) -> Hashable:
        """Give the member itself, or its value where that is mixed in: such a member is found under the plain one."""
        mixed = any(is_plain_base(base) for one in self.cls.lineage() for base in one.bases)
        return self.value.data if mixed and is_constant(self.value) else self

    def get(self, name: str) -> Value | None:
        """Give name and value."""
        return {"name": Value(self.name, self.value.src), "value": self.value}.get(name)


def is_plain_base(base: Value) -> bool:
    """Tell a base by which the members of an enumeration are texts or numbers too."""
    name = base.data.name if isinstance(base.data, (LibraryMethod, External)) else ""
    return name.rpartition(".")[2] in ("str", "int", "IntEnum", "StrEnum")


def member_of(made: Class, value: Value) -> Value | None:
    """Give the member of an enumeration whose value is a known one."""
    members = members_of(Value(made)) or []
    found = [one for one in members if is_constant(one.data.value) and one.data.value.data == value.data]
    return Value(found[0].data, value.src or found[0].src) if found and is_constant(value) else None


def members_of(value: Value) -> list[Value] | None:
    """Give the members of an enumeration in their order; None for anything else."""
    if not isinstance(value.data, Class) or value.data.kind != "enum":
        return None
    cls = value.data
    names = [key for key, item in cls.attrs.items() if not key.startswith("_") and not isinstance(item.data, Function)]
    return [Value(EnumMember(name, cls.attrs[name], cls), cls.attrs[name].src) for name in names]


def member_attribute(run: Run, owner: Value, data: EnumMember, name: str) -> Value:
    """Look a method or property up in the enumeration; what a mixed-in text or number offers comes from its value."""
    found = data.cls.find(name)
    if found is not None and isinstance(found.data, Function):
        is_property = found.data.kind == "property"
        return run.call(found, [owner]) if is_property else Value(BoundMethod(owner, found.data), found.src)
    return get_attribute(run, data.value, name, None) if is_constant(data.value) else unknown(f"{data.name}.{name}")


def config_attribute(run: Run, owner: Value, data: Config, name: str) -> Value:
    """Look an option up; the mapping's own methods come last."""
    if name in data:
        value: Value = data[name]
        return run.libraries.interpolated(run, owner, value) if is_template(value) else value
    if name in ("__dict__", "_cfg_dict"):
        return owner
    if name == "__class__" and data.kind == "namespace":
        return Value(External("argparse.Namespace"), owner.src)
    if name == "__getattribute__":
        return Value(LibraryMethod(read_named, name, owner))
    own = data.cls.find(name) if data.cls is not None and not name.startswith("__") else None
    if own is not None and not (name == "merge_from_file" and any("CfgNode" in one for one in data.cls.outside())):
        return bind(run, owner, own)
    dynamic = data.cls.find("__getattr__") if data.cls is not None and not name.startswith("__") else None
    method = mapping_method(run, owner, name)
    if method is None and dynamic is not None and isinstance(dynamic.data, Function):
        return run.call(Value(BoundMethod(owner, dynamic.data)), [Value(name)])
    if method is None and data.kind == "growing" and not name.startswith("_") and not run.asking:
        run.journal.put(data, name, Value(Config(kind="growing"), owner.src))
        grown: Value = data[name]
        return grown
    return method or unknown(f"option {name} is not set", *([data.rest] if data.rest else []))


def is_template(value: Value) -> bool:
    """Tell a text with `${...}` in it."""
    return type(value.data) is str and "${" in value.data


def mapping_method(run: Run, owner: Value, name: str) -> Value | None:
    """Give a method that mappings have, those of configurations first."""
    method = run.libraries.config_method(owner, name) or builtin_method(owner, name)
    return None if isinstance(method.data, Unknown) else method


def made_attribute(run: Run, owner: Value, data: ExternalResult, name: str) -> Value:
    """Give what was put there, or name it after the call that made its owner."""
    if not data.attrs and data.short in PATHS and (hook := run.libraries.hook_for("pathlib.Path")) is not None:
        # What `/` puts together gets its parts and methods when it is first asked for one.
        made = hook(Call(run, "pathlib.Path", data.args, {}, data.spot, Scope(Module("", "", "."), {})))
        data.attrs.update(made.data.attrs if made is not None and isinstance(made.data, ExternalResult) else {})
    if name in data.attrs:
        return data.attrs[name]
    if isinstance(data, SuperOf):
        if name == "__setattr__" and data.find(name) is None:
            return Value(LibraryMethod(write_named, name, data.owner))
        return data.find(name) or modelled(run, data.owner, name) or Value(External(f"{data.outside()}.{name}", owner))
    if data.short == "ModuleDict" and data.args and isinstance(data.args[0].data, dict) and name in data.args[0].data:
        part: Value = data.args[0].data[name]
        return part
    if name in WRAPPED:
        inner = data.kwargs.get("module") or next(iter(data.args), None)
        if inner is not None and isinstance(inner.data, (Instance, ExternalResult)):
            return inner
    if data.short in DRAWN and data.owner is not None and isinstance(data.owner.data, ExternalResult):
        known = data.owner.data.attrs.get(name)
        if known is not None and not name.startswith(("<", "[")):
            return known  # what a set tells of all of its samples
    if name == "__len__":
        return Value(LibraryMethod(count_owner, name, owner), owner.src)
    if name.endswith("_space") and data.short.endswith("Wrapper") and data.args:
        return get_attribute(run, data.args[0], name, None)  # an environment's, which its wrapper shows as they are
    return run.libraries.shown_by(owner, name) or Value(External(f"{data.callee}.{name}", owner), owner.src)


def modelled(run: Run, owner: Value | None, name: str) -> Value | None:
    """Look a method up in the library's part of an object, where that part is one that is followed closely."""
    if owner is None or name.startswith("__"):
        return None
    if isinstance(owner.data, Config):
        return mapping_method(run, owner, name)
    native = owner.data.native if isinstance(owner.data, Instance) else None
    if native is None:
        return None
    found = get_attribute(run, native, name, None)
    return None if isinstance(found.data, (Unknown, External)) else found


def function_attribute(owner: Value, data: Function | BoundMethod | LibraryMethod, name: str) -> Value:
    """Give a function's name or what was put on it; a method's function or object; a built-in type's name."""
    if isinstance(data, LibraryMethod):
        if (data.name, name) == ("object", "__setattr__"):
            return Value(LibraryMethod(write_named, name))
        if (data.name, name) == ("dict", "fromkeys"):
            return Value(LibraryMethod(make_from_keys, name))
        known = {"__name__": data.name, "__module__": "builtins"}.get(name)
        return Value(known, owner.src) if known is not None else unknown(f".{name}", owner)
    if isinstance(data, BoundMethod):
        return owner if name == "__func__" else data.owner if name == "__self__" else unknown(name)
    if name in data.marks:
        return data.marks[name]
    told = {"__name__": data.name, "__qualname__": data.name, "__module__": data.scope.module.name}.get(name)
    return Value(told, owner.src) if told else unknown(f"{data.name}.{name}")


def unknown_attribute(run: Run, owner: Value, name: str) -> Value:
    """Go on with what the unknown may be, so that a model in one of two wrappers stays a model."""
    if owner.data.count is not None:
        return Value(External(f"?.{name}", owner), owner.src)  # a part of data, which has not what the whole has
    kinds = (Instance, ExternalResult, Config, LibraryObject, Module)
    things = [part for part in owner.data.parts if isinstance(part.data, kinds)]
    if name in SIDES and things and isinstance(things[0].data, ExternalResult):
        return Value(External(f"?.{name}", owner), owner.src)  # some of its samples, not all
    put = [part.data.attrs.get(name) for part in things if isinstance(part.data, Instance)]
    if len(things) == len(put) > 1 and put[0] is not None and all(one and one.data is put[0].data for one in put):
        return put[0]  # each of them has it
    of_each = methods_of_each(things, name)
    if not of_each and (len(things) == 1 or (things and (name in KEEPS or are_made_alike(things, name)))):
        return get_attribute(run, things[0], name, None)
    return unknown("of one of several", *of_each) if of_each else Value(External(f"?.{name}", owner), owner.src)
