"""fire: the words of a command lead from a function, a class, an object or a table to what is called in the end."""

from schedmate.readers.code.commandline.called_functions import call_from_words
from schedmate.readers.code.commandline.records import fill_from_words
from schedmate.readers.code.libraries.argument_words import split_words, word_text, words_given
from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.values.objects import BoundMethod, Class, Function, Instance
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.value import Value, held

DEEPEST = 6
"""Words that lead on, one after the other."""


def fire(call: Call) -> Value | None:
    """Model `fire.Fire(...)` on a function, a class, an object, a table of them, or the module's own names."""
    given, target = call.arg(-1, "command") or call.arg(1), call.arg(0, "component")
    words = words_given(call.run, given)
    found = target if target is not None else Value(call.scope.module.vars)
    for _ in range(DEEPEST):
        if isinstance(found.data, (Function, BoundMethod)):
            return call_from_words(call.run, found, words, call.spot)
        if isinstance(found.data, Class):
            found, words = made_of_words(call, found, words)
        free = {id(word) for word in split_words(words)[1]}
        fits = (at for at, word in enumerate(words) if id(word) in free and leads_on(call, found, word_text(word)))
        place = next(fits, None)
        if place is None:
            note_lost(call, found, [word_text(word) for word in words if id(word) in free])
            return found if isinstance(found.data, Instance) else None
        below = leads_on(call, found, word_text(words[place]))
        found, words = below or found, [*words[:place], *words[place + 1 :]]
    return None


def note_lost(call: Call, found: Value, words: list[str]) -> None:
    """Keep that a word names a member of an object which was not found there: what it does was not seen."""
    name = next((word.replace("-", "_") for word in words), "")
    if isinstance(found.data, Instance) and name.isidentifier() and found.data.cls.find("__call__") is None:
        call.run.note(f"{name}, to which the command leads, was not found", Gap.PATH)


def leads_on(call: Call, found: Value, word: str) -> Value | None:
    """Give what a word names below what was found so far."""
    name = word.replace("-", "_")
    if isinstance(found.data, dict):
        below = found.data.get(word) or found.data.get(name)
        below = resolve(call.run, below) if isinstance(below, Value) else Value(None)
        return below if is_component(below) else None
    if not isinstance(found.data, Instance) or not name.isidentifier():
        return None
    members = (name, "__getattr__")
    if name not in found.data.attrs and not any(found.data.cls.find(member) for member in members):
        return None
    below = get_attribute(call.run, found, name, None)
    return below if is_component(below) else None


def is_component(value: Value) -> bool:
    """Tell what words may lead to."""
    return isinstance(value.data, (Function, BoundMethod, Class, Instance, dict))


def made_of_words(call: Call, target: Value, words: list[Value]) -> tuple[Value, list[Value]]:
    """Make an object of a class with the options that its making takes; the other words stay."""
    start = target.data.find("__init__")
    function = held(start, Function)
    if function is None:
        return fill_or_make(call, target, words)
    names = set(parameters_of(function)) if function.node.args.kwarg is None else None
    taken: list[Value] = []
    for one in split_words(words)[0]:
        if names is None or one.name in names:
            taken += [one.word] if one.value is None or "=" in word_text(one.word) else [one.word, one.value]
    kept = {id(word) for word in taken}
    return call_from_words(call.run, target, taken, call.spot), [word for word in words if id(word) not in kept]


def fill_or_make(call: Call, target: Value, words: list[Value]) -> tuple[Value, list[Value]]:
    """Make an object of a class that has no making of its own: a record of its fields."""
    if target.data.kind == "record":
        return call.run.offer(fill_from_words(call.run, target, words, call.spot)), words
    return call.run.call(target, [], {}, call.spot, call.scope), words


HOOKS: dict[str, Hook] = {"fire.Fire": fire}
