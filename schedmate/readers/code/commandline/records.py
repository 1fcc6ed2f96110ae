"""Options defined by records: HfArgumentParser, tyro, simple-parsing, draccus, chz, Tap, and libraries' own records."""

from typing import TYPE_CHECKING, Any

from schedmate.readers.code.commandline.words import (
    arguments_of,
    as_bool,
    guess,
    is_open,
    is_option,
    joined,
    number,
    word_text,
)
from schedmate.readers.code.libraries.defaults import record_defaults
from schedmate.readers.code.natives import Call, Hook, Native, NativeMethod
from schedmate.readers.code.python.classes import fields_of, instantiate
from schedmate.readers.code.things import Class, Function, Instance, Made
from schedmate.readers.code.values import Config, External, Spot, Unknown, Val, is_constant, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run


class RecordParser(Native):
    """HfArgumentParser: fills several records from one command line or one file."""

    def __init__(self, records: list[Val]) -> None:
        self.records = records

    def get(self, name: str) -> Val | None:
        """Give its methods."""
        hooks: dict[str, Hook] = {
            "parse_args_into_dataclasses": self.parse_words,
            "parse_args_and_config": self.parse_words,
            "parse": self.parse_words,
            "parse_yaml_file": self.parse_file,
            "parse_json_file": self.parse_file,
            "parse_yaml_and_args": self.parse_file,
            "parse_dict": self.parse_mapping,
        }
        return Val(NativeMethod(hooks[name], name, Val(self))) if name in hooks else None

    def parse_words(self, call: Call) -> Val:
        """Fill the records from the command line; a YAML or JSON file named first comes before the options."""
        given = call.arg(0, "args")
        words = list(given.data) if given is not None and isinstance(given.data, list) else arguments_of(call.run)
        words = with_file(call.run, words, call)
        records = [fill_from_words(call.run, record, words, call.spot) for record in self.records]
        return self.give(call, records)

    def parse_file(self, call: Call) -> Val | None:
        """Fill the records from a file."""
        from schedmate.readers.code.configs.loaders import load_named

        loaded = load_named(call.run, call.args[0] if call.args else next(iter(call.kwargs.values()), None), call.scope)
        if loaded is None or not isinstance(loaded.data, dict):
            return None
        extra = call.arg(1)
        words = list(extra.data) if extra is not None and isinstance(extra.data, (list, tuple)) else []
        return self.give(call, [self.fill(call, record, loaded.data, words) for record in self.records])

    def parse_mapping(self, call: Call) -> Val | None:
        """Fill the records from a mapping."""
        value = call.arg(0)
        if value is None or not isinstance(value.data, dict):
            return None
        return self.give(call, [self.fill(call, record, value.data, []) for record in self.records])

    def fill(self, call: Call, record: Val, items: dict[Any, Val], words: list[Val]) -> Val:
        """Fill one record from a mapping, then from words."""
        made = fill_from_words(call.run, record, words, call.spot)
        attrs = attributes_of(made)
        if attrs is not None:
            given = options_in(words)
            attrs.update(
                {key: value for key, value in items.items() if key not in given and key in known_names(record)}
            )
            if isinstance(made.data, Made):
                attrs.update({key: value for key, value in items.items() if key not in given})
        return made

    def give(self, call: Call, records: list[Val]) -> Val:
        """Hand the records out, as a tuple."""
        for record in records:
            call.run.namespaces.append((record, "records"))
        rest = Val([])
        if call.kwargs.get("return_remaining_strings") is not None:
            return Val((*records, rest))
        return Val(tuple(records)) if call.name != "parse" or len(records) > 1 else records[0]


def with_file(run: "Run", words: list[Val], call: Call) -> list[Val]:
    """Turn `config.yaml` or `--config config.yaml` into options that stand before those of the command line."""
    from schedmate.readers.code.configs.loaders import load_named

    for place, word in enumerate(words):
        text = word_text(word)
        previous = word_text(words[place - 1]) if place else ""
        named = text.endswith((".yaml", ".yml", ".json")) and (place == 0 or previous in ("--config", "--config_file"))
        if not named:
            continue
        loaded = load_named(run, word, call.scope)
        if loaded is None or not isinstance(loaded.data, dict):
            continue
        options: list[Val] = []
        for key, value in loaded.data.items():
            if is_constant(value):
                options.append(Val(f"--{key}={value.data}", value.src))
        before = words[: place - 1] if previous.startswith("--config") else words[:place]
        return [*options, *before, *words[place + 1 :]]
    return words


def options_in(words: list[Val]) -> set[str]:
    """Name the options among the words."""
    return {
        word_text(word).lstrip("-").partition("=")[0].replace("-", "_") for word in words if is_option(word_text(word))
    }


def known_names(record: Val) -> set[str]:
    """Name a record's fields."""
    if isinstance(record.data, Class):
        names = set(fields_of(record.data))
        for outside in record.data.outside():
            names |= set(record_defaults(outside))
        return names
    return set(record_defaults(record.data.name)) if isinstance(record.data, External) else set()


def attributes_of(value: Val) -> dict[Any, Val] | None:
    """Give what an object's attributes are kept in."""
    data = value.data
    if isinstance(data, (Instance, Made)):
        return data.attrs
    return data if isinstance(data, Config) else None


def fill_from_words(run: "Run", record: Val, words: list[Val], spot: Spot, prefix: str = "") -> Val:
    """Make a record and put in what the words say."""
    if isinstance(record.data, Instance):
        made = record
    elif isinstance(record.data, Class):
        made = instantiate(run, record, [], {}, spot)
        fill_library_defaults(made, record.data)
    elif isinstance(record.data, External):
        made = Val(Made(record.data.name, [], {}, spot, attrs=record_defaults(record.data.name, spot)), (spot,))
        run.record(record.data.name, [], made.data.attrs, spot, None, made)
    elif isinstance(record.data, Unknown) and record.data.parts:
        return fill_from_words(run, record.data.parts[0], words, spot, prefix)
    else:
        return unknown("a record that is not known", record)
    put_words(run, made, words, prefix)
    return made


def fill_library_defaults(made: Val, cls: Class) -> None:
    """Give a record that extends a library's record the library's known defaults."""
    for outside in cls.outside():
        for name, value in record_defaults(outside, cls.spot).items():
            made.data.attrs.setdefault(name, value)


def put_words(run: "Run", made: Val, words: list[Val], prefix: str) -> None:
    """Put `--name value`, `--name=value`, `--flag`, `--no-flag` and `--group.name value` into a record."""
    place = 0
    while place < len(words):
        word = words[place]
        text = word_text(word)
        place += 1
        if not is_option(text):
            continue
        name, equals, inline = text.lstrip("-").partition("=")
        value: Val | None = Val(inline, word.src) if equals else None
        if not equals and place < len(words) and not is_option(word_text(words[place])):
            value = words[place]
            place += 1
        put_option(run, made, name, word, value)


def put_option(run: "Run", made: Val, name: str, word: Val, value: Val | None) -> None:
    """Put one option into the record or into the record under it that it names."""
    path = name.replace("-", "_").split(".")
    target: Val | None = made
    for part in path[:-1]:
        attrs = attributes_of(target) if target is not None else None
        target = attrs.get(part) if attrs is not None else None
    attrs = attributes_of(target) if target is not None else None
    if attrs is None:
        return
    key = path[-1]
    annotation = annotation_of(target, key) if target is not None else ""
    src = joined(word, value if value is not None and value.data is not None and "=" not in word_text(word) else word)
    if key not in attrs and key.startswith("no_") and key[3:] in attrs:
        run.journal.put(attrs, key[3:], Val(False, src))
        return
    if key not in attrs and not (target is not None and isinstance(target.data, Made)):
        nested = [item for item in attrs.values() if isinstance(item.data, Instance) and key in item.data.attrs]
        if len(nested) == 1 and len(path) == 1:
            put_option(run, nested[0], key, word, value)
        return
    run.journal.put(attrs, key, read_value(value, annotation, attrs.get(key), src))


def annotation_of(target: Val, key: str) -> str:
    """Give a field's annotation as text."""
    import ast

    if not isinstance(target.data, Instance):
        return ""
    node = fields_of(target.data.cls).get(key)
    return ast.unparse(node) if node is not None else ""


def read_value(value: Val | None, annotation: str, before: Val | None, src: tuple[Spot, ...]) -> Val:
    """Read a word by the field's type; without one by what stood there before."""
    if value is None:
        return Val(True, src)
    text = word_text(value)
    if is_open(text):
        return Val(text, src) if "str" in annotation else unknown(f"{text} is not set here", Val(text, src))
    if annotation.startswith("bool") or (before is not None and isinstance(before.data, bool)):
        yes = as_bool(text)
        return Val(yes, src) if yes is not None else Val(text, src)
    if annotation.startswith("str"):
        return Val(text, src)
    if annotation.startswith(("int", "float", "Optional[int]", "Optional[float]")):
        known = number(text)
        return Val(known, src) if known is not None else unknown(f"{text!r} is no number")
    return Val(guess(text) if annotation or not isinstance(before.data if before else None, str) else text, src)


def make_record_parser(call: Call) -> Val | None:
    """Model `HfArgumentParser(...)` and TRL's parser."""
    records = call.arg(0, "dataclass_types")
    if records is None:
        return None
    items = list(records.data) if isinstance(records.data, (list, tuple)) else [records]
    return Val(RecordParser(items), (call.spot,))


def parse_record(call: Call) -> Val | None:
    """Model `tyro.cli(Record)`, `simple_parsing.parse`, `draccus.parse` and their kin; tyro takes functions too."""
    record = call.arg(0, "config_class")
    if record is None:
        return None
    words = arguments_of(call.run)
    if isinstance(record.data, Function):
        from schedmate.readers.code.commandline.decorators import call_from_words

        return call_from_words(call.run, record, words, call.spot)
    made = fill_from_words(call.run, record, with_file(call.run, words, call), call.spot)
    call.run.namespaces.append((made, "records"))
    return made


def parse_self(call: Call) -> Val | None:
    """Model Tap's `Args().parse_args()`."""
    if call.owner is None or not isinstance(call.owner.data, Instance):
        return None
    made = fill_from_words(call.run, call.owner, arguments_of(call.run), call.spot)
    call.run.namespaces.append((made, "records"))
    return made


ENDINGS: dict[str, Hook] = {
    "HfArgumentParser": make_record_parser,
    "TrlParser": make_record_parser,
    "H4ArgumentParser": make_record_parser,
    "Tap.parse_args": parse_self,
    "tyro.cli": parse_record,
    "simple_parsing.parse": parse_record,
    "draccus.parse": parse_record,
    "pyrallis.parse": parse_record,
    "chz.entrypoint": parse_record,
    "datargs.parse": parse_record,
}
HOOKS: dict[str, Hook] = {}
