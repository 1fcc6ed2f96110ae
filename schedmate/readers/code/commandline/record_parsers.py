"""Parsers that fill records: HfArgumentParser, tyro, simple-parsing, draccus, chz, Tap."""

from dataclasses import replace

from schedmate.readers.code.commandline.argparse import CommandLineParser, parse_args
from schedmate.readers.code.commandline.called_functions import call_from_words
from schedmate.readers.code.commandline.records import attributes_of, fill_from_words
from schedmate.readers.code.commandline.words_in_files import with_told_files
from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.libraries.argument_words import arguments_of, split_words, word_text, words_given
from schedmate.readers.code.values.objects import Class, ExternalResult, Function, Instance, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.value import Config, Items, Unknown, Value, each_of, held, sequence_of, unknown

DEEPEST_MARKS = 5


class RecordParser(LibraryObject):
    """HfArgumentParser: fills several records from one command line or one file."""

    def __init__(self, records: list[Value]) -> None:
        self.records = records
        self.plain = CommandLineParser()
        """the options that stand in no record"""

    def get(self, name: str) -> Value | None:
        """Give its methods."""
        hooks: dict[str, Hook] = {
            **by_names("parse_args_into_dataclasses parse_args_and_config parse", self.parse_words),
            **by_names("parse_yaml_file parse_json_file parse_yaml_and_args", self.parse_file),
            "parse_dict": lambda call: self.fill(call, call.need(0, kind=dict).data, []),
            "parse_args": self.parse_flat,
            "_add_dataclass_arguments": self.add_record,
        }
        if name not in hooks:
            return self.plain.get(name)  # it is argparse's parser too
        return Value(LibraryMethod(hooks[name], name, Value(self)))

    def add_record(self, call: Call) -> Value:
        """Take one more record in."""
        self.records.append(call.need(0, "dtype"))
        return Value(None)

    def parse_flat(self, call: Call) -> Value:
        """Put the fields of all records and the other options into one namespace."""
        records = [fill_from_words(call.run, record, arguments_of(call.run), call.spot) for record in self.records]
        found = parse_args(replace(call, owner=Value(self.plain)))
        fields = {name: value for record in records for name, value in (attributes_of(record) or {}).items()}
        if found is not None and isinstance(found.data, Config):
            found.data.update({name: value for name, value in fields.items() if name not in found.data})
        return found or unknown("options that are not known")

    def parse_words(self, call: Call) -> Value:
        """Fill the records from the command line; a YAML or JSON file named first comes before the options."""
        given = call.arg(0, "args")
        words = words_given(call.run, given)
        words, items = with_file(call.run, with_told_files(call, words), call)
        return self.fill(call, items, words)

    def parse_file(self, call: Call) -> Value | None:
        """Fill the records from a file."""
        loaded = load_named(call.run, call.args[0] if call.args else next(iter(call.kwargs.values()), None), call.scope)
        if loaded is None or not isinstance(loaded.data, dict):
            return None
        return self.fill(call, loaded.data, list(sequence_of(call.arg(1))))

    def fill(self, call: Call, items: Items, words: list[Value]) -> Value:
        """Fill the records from a mapping, then from words, and hand them out as a tuple."""
        records = [fill_from_words(call.run, record, words, call.spot, items) for record in self.records]
        call.run.namespaces += records
        if call.kwargs.get("return_remaining_strings") is not None:
            return Value((*records, Value([])))
        return Value(tuple(records)) if call.name != "parse" or len(records) > 1 else records[0]


def stands_for(function: Function) -> Hook | None:
    """Give the model of the alignment handbook's parser, which many copy: a file first, the command's words over it."""
    names = function.owner.outside() if function.owner is not None else []
    is_copy = function.name == "parse_yaml_and_args" and any(name.endswith("HfArgumentParser") for name in names)
    return parse_as_copied if is_copy else None


def parse_as_copied(call: Call) -> Value | None:
    """Let the library's part of the copied parser read the file and the words."""
    native = call.own(Instance).native if call.owner is not None else None
    parser = held(native, RecordParser)
    return parser.parse_file(call) if parser is not None else None


FILE_OPTIONS = ("--config", "--config_file", "--config_path", "--config-path", "--config-file", "--cfg", "--CONFIG")


def with_file(run: Run, words: list[Value], call: Call, named: Value | None = None) -> tuple[list[Value], Items]:
    """Take out the file that the words name, first or behind `--config`; give the words that stay, and its items."""
    items: Items = {}
    loaded = load_named(run, named, call.scope) if named is not None else None
    place = 0
    rest: list[Value] = []
    while place < len(words):
        option, equals, inline = word_text(words[place]).partition("=")
        word, taken = words[place], 1
        if option in FILE_OPTIONS and (equals or place + 1 < len(words)):
            word, taken = (Value(inline, word.src), 1) if equals else (words[place + 1], 2)
        elif place or not option.endswith((".yaml", ".yml", ".json", ".toml")):
            word = Value(None)
        below = load_named(run, word, call.scope)
        if below is None or not isinstance(below.data, dict):
            rest.append(words[place])
            place += 1
            continue
        loaded = below
        place += taken
    if loaded is not None and isinstance(loaded.data, dict):
        items = loaded.data
        run.configs.append(("record file", loaded))
    return rest, items


def make_record_parser(call: Call) -> Value | None:
    """Model `HfArgumentParser(...)` and TRL's parser."""
    return Value(RecordParser(each_of(call.need(0, "dataclass_types"))), (call.spot,))


def parse_record(call: Call) -> Value | None:
    """Model `tyro.cli(Record)`, `simple_parsing.parse`, `draccus.parse` and their kin; tyro takes functions too."""
    record, default = call.arg(0, "config_class"), call.kwargs.get("default")
    if default is not None and isinstance(default.data, (Instance, Config)):
        record = default
    if record is None:
        return None
    offered = offered_records(record)
    if offered is not None:
        return pick_among(call, offered)
    given = call.arg(-1, "args")
    known = given is not None and isinstance(given.data, list) and given.data
    words = list(given.data) if known and given is not None else arguments_of(call.run)
    if isinstance(record.data, Function):
        return call_from_words(call.run, record, words, call.spot)
    words, items = with_file(call.run, words, call, call.arg(1, "config_path"))
    return call.run.offer(
        fill_from_words(call.run, record, words, call.spot, items, bare=call.name == "chz.entrypoint")
    )


def pick_record(call: Call) -> Value | None:
    """Model tyro's `overridable_config_cli({name: (text, record)})`: the first word picks, the others override."""
    named = call.arg(0, "configs") or call.kwargs.get("defaults")
    return pick_among(call, named) if named is not None else None


def offered_records(value: Value, depth: int = 0) -> Value | None:
    """Give the records by name that tyro's `subcommand_type_from_defaults` offers, whatever marks are put around it."""
    data = value.data
    if isinstance(data, ExternalResult) and data.short == "subcommand_type_from_defaults":
        return data.kwargs.get("defaults") or (data.args[0] if data.args else None)
    inside = data.args if isinstance(data, ExternalResult) else data.parts if isinstance(data, Unknown) else ()
    for part in inside if depth < DEEPEST_MARKS else ():
        found = offered_records(part, depth + 1)
        if found is not None:
            return found
    return None


def pick_among(call: Call, named: Value) -> Value | None:
    """Make the record that the first free word names, with the options over it."""
    words = arguments_of(call.run)
    free = split_words(words)[1]
    if not isinstance(named.data, dict) or not free:
        return None
    entry = named.data.get(word_text(free[0]).replace("_", "-")) or named.data.get(word_text(free[0]))
    if entry is not None and isinstance(entry.data, tuple) and entry.data:
        entry = entry.data[-1]
    if entry is None or not isinstance(entry.data, (Instance, Class)):
        return None
    rest = [word for word in words if word is not free[0]]
    return call.run.offer(fill_from_words(call.run, entry, rest, call.spot))


def parse_self(call: Call) -> Value | None:
    """Model Tap's `Args().parse_args()`."""
    if call.owner is None or not isinstance(call.owner.data, Instance):
        return None
    return call.run.offer(fill_from_words(call.run, call.owner, arguments_of(call.run), call.spot))


HOOKS: dict[str, Hook] = {
    "pydantic_settings.CliApp.run": parse_record,
}
ENDINGS: dict[str, Hook] = {
    **by_names("overridable_config_cli subcommand_cli_from_defaults", pick_record),
    **by_names("HfArgumentParser TrlParser H4ArgumentParser", make_record_parser),
    "Tap.parse_args": parse_self,
    **by_names("tyro.cli simple_parsing.parse draccus.parse pyrallis.parse chz.entrypoint datargs.parse", parse_record),
}
