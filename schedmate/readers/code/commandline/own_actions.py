"""What a program's own `argparse.Action` does with an option: reads a file over the others, splits a list."""

from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.objects import BoundMethod, Class, Function, Instance
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import Value


def own_action(action: Value | None) -> Value | None:
    """Give an action that the repository writes itself, where it says what it does."""
    if action is None or not isinstance(action.data, Class):
        return None
    does = action.data.find("__call__")
    return action if does is not None and isinstance(does.data, Function) else None


def follow_action(call: Call, action: Value, dest: str, namespace: Value, value: Value, word: Value) -> bool:
    """Follow an option's own action, which puts into the namespace what it makes of the words; tell if it set its own.

    The action finds there what was set before, so that it may add to it.
    """
    does = action.data.find("__call__")
    told = Value(Instance(action.data, {"dest": Value(dest), "const": Value(None)}, call.spot), value.src)
    parser = call.owner or Value(None)
    outer = call.run.journal.begin()
    try:
        call.run.call(Value(BoundMethod(told, does.data)), [parser, namespace, value, Value(word.data)], {}, call.spot)
    except ProgramRaised:
        call.run.note(f"{action.data.name} refuses what it is given")
    finally:
        written = call.run.journal.keep(outer)
    return any(place is namespace.data and key == dest for place, key, _ in written)
