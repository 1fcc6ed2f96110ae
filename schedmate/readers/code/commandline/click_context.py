"""click's context: what a group hands to the commands below it, and calls of one command by another."""

from dataclasses import dataclass, field

from schedmate.readers.code.commandline.parsing import OptionSet, defaults_of
from schedmate.readers.code.values.objects import LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Value, mapping_of, unknown


@dataclass(eq=False)
class ClickContext(LibraryObject):
    """One context for a command and all groups above it: `obj` is theirs together."""

    attrs: dict[str, Value] = field(default_factory=dict)

    def get(self, name: str) -> Value | None:
        """Give what is kept here, or a method."""
        if name in METHODS:
            return Value(LibraryMethod(METHODS[name], name, Value(self)))
        if name in ("find_root", "find_object"):
            return Value(LibraryMethod(lambda call: call.owner, name, Value(self)))
        return self.attrs.get(name)

    def put(self, name: str, value: Value) -> None:
        """Keep something for the commands below."""
        self.attrs[name] = value


def ensure_object(call: Call) -> Value | None:
    """Model `ctx.ensure_object(dict)`: made once, where nobody gave one."""
    context = call.own(ClickContext)
    known = context.attrs.get("obj")
    if known is None or known.data is None:
        context.attrs["obj"] = call.run.call(call.need(0), [], {}, call.spot, call.scope)
    return context.attrs["obj"]


def invoke(call: Call) -> Value | None:
    """Model `ctx.invoke(command, name=value)` and `ctx.forward(command)`: the command's defaults stand below."""
    target, context = call.need(0), call.own(ClickContext)
    function = getattr(target.data, "function", target)
    if not isinstance(function, Value):
        return call.run.call(target, call.args[1:], call.kwargs, call.spot)
    usual = defaults_of(call.run, OptionSet(options=list(getattr(target.data, "options", []))), call)
    handed = mapping_of(context.attrs.get("params")) if call.name.endswith("forward") else {}
    kwargs = {str(name): value for name, value in {**usual, **handed}.items()} | call.kwargs
    args = [*passed_on(function.data, Value(context), False), *call.args[1:]]
    return call.run.call(function, args, kwargs, call.spot)


METHODS: dict[str, Hook] = {"ensure_object": ensure_object, **by_names("invoke forward", invoke)}


def mark_passed(call: Call) -> Value | None:
    """Model `@click.pass_context` and `@click.pass_obj`: what the function gets before its options."""
    target = call.need(0)
    marks = getattr(target.data, "marks", None)
    if marks is None:
        return None
    marks["click passes"] = Value(call.name.rpartition("_")[2])
    return target


def passed_on(function: object, context: Value, takes_context: bool) -> list[Value]:
    """Give what click puts before a function's options."""
    mark = getattr(function, "marks", {}).get("click passes")
    if mark is not None and mark.data == "obj":
        return [context.data.attrs.get("obj") or unknown("what the group hands on")]
    return [context] if takes_context or mark is not None else []


HOOKS: dict[str, Hook] = by_names(
    "click.pass_context click.pass_obj rich_click.pass_context rich_click.pass_obj", mark_passed
)
