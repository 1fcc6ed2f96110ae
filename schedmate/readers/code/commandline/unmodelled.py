"""What libraries that nobody here knows do with what they are handed: call a main function, fill a record."""

import sys

import re2

from schedmate.knowledge.code_words import words as words_of
from schedmate.knowledge.libraries import KNOWN_LIBRARIES
from schedmate.readers.code.commandline.called_functions import call_from_words
from schedmate.readers.code.commandline.mapped_records import fill_from_mapping
from schedmate.readers.code.commandline.record_parsers import parse_record
from schedmate.readers.code.configs.hydra_composition import record_mapping
from schedmate.readers.code.libraries.argument_words import arguments_of, split_words
from schedmate.readers.code.python.functions import WORK, parameters_of
from schedmate.readers.code.values.objects import BoundMethod, Class, Function, Instance
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import Value, unknown

TRAINS = frozenset(words_of("training.own_methods"))
"""Methods that train."""
MAPPED = frozenset(words_of("classes.gives_mapping"))

PARSES = re2.compile(r"(^|_)(cli|parse|from_(argv|args|arguments|command_?line|cmd))($|_)")
"""How functions are called that read the command line; those that only name its words may print or check them."""
FILLS = re2.compile(
    r"^(from_(dict|json|yaml|toml|file|mapping)(_file)?"
    r"|(parse|load|read|model_validate)_(obj|json|yaml|toml|file|raw))$"
)
"""How methods of records are called that fill one from a mapping, a text or a file."""


def follow_unmodelled(call: Call) -> Value | None:
    """Follow a call of a library that has no model, by what it is called and handed."""
    target = call.args[0] if call.args else None
    if target is not None and isinstance(target.data, Function):
        return run_main(call, target)
    makes = target is not None and isinstance(target.data, Class) and is_record(target)
    if makes and PARSES.search(call.name.rpartition(".")[2].lower()):
        return parse_record(call)
    if call.owner is not None and is_record(call.owner):
        method = call.name.rpartition(".")[2]
        if isinstance(call.owner.data, Class) and call.args and FILLS.search(method):
            return fill_from_mapping(call)
        if method in MAPPED:
            return record_mapping(call.run, call.owner) if isinstance(call.owner.data, Instance) else None
    return follow_stage(call)


def is_record(value: Value) -> bool:
    """Tell a record of the repository's, or an object of one."""
    made = value.data.cls if isinstance(value.data, Instance) else value.data
    return isinstance(made, Class) and made.kind == "record"


def run_main(call: Call, target: Value) -> Value | None:
    """Call the program's main function with the command's words.

    That is believed where each option of the command is one of the function's parameters.
    """
    if not call.scope.module.is_main:
        return follow_stage(call)
    if call.scope.find(target.data.name) is None:
        return None  # a decorator has it before it has its name
    words = arguments_of(call.run)
    named, parameters = split_words(words)[0], parameters_of(target.data)
    is_runner = bool(named) or "cli" in call.name.rpartition(".")[2].lower()
    if not is_runner or any(one.name not in parameters for one in named):
        return hand_over(call, target)
    return call_from_words(call.run, target, words, call.spot)


def hand_over(call: Call, target: Value) -> Value | None:
    """Follow the program's work where it is handed to a library that nobody here knows; what it is given is open."""
    library, does = call.name.partition(".")[0], call.name.rpartition(".")[2]
    is_known = library in KNOWN_LIBRARIES or library in sys.stdlib_module_names or not library.isidentifier()
    if is_known or does[:1].isupper() or WORK.match(target.data.name) is None:
        return None
    call.run.call(target, [], {"**": unknown("what a library hands over")}, call.spot, call.scope)
    return None


def follow_stage(call: Call) -> Value | None:
    """Follow a method that trains where a library is told to run it: `self.run_stage("train", self.train)`."""
    for place, arg in enumerate(call.args):
        if isinstance(arg.data, BoundMethod) and arg.data.function.name in TRAINS and call.scope.module.path:
            return call.run.call(arg, call.args[place + 1 :], {}, call.spot, call.scope)
    return None
