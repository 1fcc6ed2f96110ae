"""argh: functions that the command line calls, one alone or several by their names."""

from schedmate.readers.code.commandline.called_functions import call_from_words
from schedmate.readers.code.libraries.argument_words import arguments_of, split_words, word_text
from schedmate.readers.code.values.objects import BoundMethod, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Value, held, sequence_of

CALLED = (Function, BoundMethod)


class CommandTable(LibraryObject):
    """A parser of argh's: the functions that it was given, by the names that the command line knows them under."""

    def __init__(self) -> None:
        self.commands: dict[str, Value] = {}
        self.alone: Value | None = None

    def get(self, name: str) -> Value | None:
        """Give what a parser can be asked."""
        hook = METHODS.get(name)
        return Value(LibraryMethod(hook, name, Value(self))) if hook is not None else None

    def put(self, functions: Value | None) -> None:
        """Take functions in."""
        for one in sequence_of(functions):
            function = one.data.function if isinstance(one.data, BoundMethod) else one.data
            if isinstance(function, Function):
                self.commands[function.name.replace("_", "-")] = one


def start(call: Call, table: CommandTable) -> Value | None:
    """Call the function that the first free word names, or the only one."""
    words = arguments_of(call.run)
    if table.alone is not None:
        return call_from_words(call.run, table.alone, words, call.spot)
    for at, word in enumerate(words):
        chosen = table.commands.get(word_text(word).replace("_", "-"))
        if chosen is not None and any(word is free for free in split_words(words)[1]):
            return call_from_words(call.run, chosen, [*words[:at], *words[at + 1 :]], call.spot)
    return None


def dispatch_command(call: Call) -> Value | None:
    """Model `argh.dispatch_command(main)`, and libraries that call a function in the same way."""
    return call_from_words(call.run, call.need(0, kind=CALLED), arguments_of(call.run), call.spot)


def dispatch_commands(call: Call) -> Value | None:
    """Model `argh.dispatch_commands([train, test])`."""
    table = CommandTable()
    table.put(call.arg(0, "functions"))
    return start(call, table)


def dispatch(call: Call) -> Value | None:
    """Model `argh.dispatch(parser)` and `parser.dispatch()`."""
    table = held(call.owner or call.arg(0, "parser"), CommandTable)
    return start(call, table) if table is not None else None


def add_commands(call: Call) -> Value | None:
    """Model `parser.add_commands([train, test])`."""
    call.own(CommandTable).put(call.arg(0, "functions"))
    return Value(None)


def set_default(call: Call) -> Value | None:
    """Model `parser.set_default_command(main)`."""
    call.own(CommandTable).alone = call.need(0, "function", CALLED)
    return Value(None)


METHODS: dict[str, Hook] = {"add_commands": add_commands, "set_default_command": set_default, "dispatch": dispatch}
HOOKS: dict[str, Hook] = {
    **by_names("argh.ArghParser argh.helpers.ArghParser", lambda call: Value(CommandTable(), (call.spot,))),
    **by_names("argh.dispatch_command argh.dispatching.dispatch_command plac.call clize.run", dispatch_command),
    **by_names("argh.dispatch_commands argh.dispatching.dispatch_commands", dispatch_commands),
    **by_names("argh.dispatch argh.dispatching.dispatch", dispatch),
}
