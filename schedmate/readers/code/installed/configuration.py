"""Load an installed program's configuration and put the command line's options over it."""

import posixpath
from dataclasses import dataclass
from itertools import islice

import re2

from schedmate.knowledge.programs import ProgramRow
from schedmate.readers.code.configs.files import load_config, load_with_bases
from schedmate.readers.code.configs.merging import merge_into, put_path, wrap_guess
from schedmate.readers.code.configs.omegaconf_interpolation import resolve_all
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import guess, joined, split_words, word_text
from schedmate.readers.code.values.nested import record_defaults
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.value import COMMAND, Config, Items, SourceLocation, Value, mapping_of
from schedmate.tools.repository import Repository, inside

MMENGINE_FILE = "mmengine.Config.fromfile"
"""The kind of configuration that the rules of MMEngine read."""
MOST_SEARCHED = 20_000
CONFIG_ENDINGS = (".yaml", ".yml", ".json", ".toml", ".cfg", ".py", ".jsonnet")


@dataclass
class ToolFacts:
    """What the reading of an installed program finds missing."""

    without_configuration: bool = False


VARIABLE = re2.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}")


def read_options(view: View, entry: ProgramRow, words: list[Value]) -> Value:
    """Load the configuration and put the command line's options over it."""
    given, named, positional = given_options(words, entry["overrides"] == "pairs")
    if entry.get("settings"):
        take_settings(given, [word for name, word in named.items() if name in entry["settings"]] + positional)
    config: Value | None = None
    for where in entry["config"]:
        if where == "every":
            config = every_config(view, [word_text(word) for word in positional], named.get(entry["config_folder"]))
            break
        source = positional[0] if where == "positional" and positional else named.get(where)
        if source is not None:
            config = find_config(view, entry, word_text(source), named)
            break
    options = config if config is not None and isinstance(config.data, dict) else Value(Config(), view.command_spot)
    merge_into(options.data, given.data)
    if entry.get("positional") and positional:
        first_word = Value(word_text(positional[0]), joined(positional[0], positional[0]))
        options.data.setdefault(entry["positional"], first_word)
    resolve_all(view.run, options)
    if entry.get("mmengine") and config is not None:
        view.run.configs.append((MMENGINE_FILE, options))
    add_section(view, entry, options)
    files = [word for word in positional if word_text(word).endswith(CONFIG_ENDINGS)]
    named_file = "positional" in entry["config"] and bool(files)
    asked = named_file or any(where in named for where in entry["config"]) or not entry.get("optional_config")
    if config is None and entry["config"] and (positional or named) and asked and not entry.get("bare"):
        view.run.about(ToolFacts).without_configuration = True
    return options


def every_config(view: View, names: list[str], folder: Value | None) -> Value | None:
    """Put all configurations that are named together, as GPT-NeoX does; they lie in one folder."""
    options: Value | None = None
    for name in names:
        if name.endswith(".py"):
            continue
        path = name if folder is None else inside(word_text(folder), name)
        found = find_config(view, None, path, {})
        if found is not None and isinstance(found.data, dict):
            options = options or Value(Config(), found.src)
            merge_into(options.data, found.data)
    return options


def given_options(words: list[Value], all_pairs: bool) -> tuple[Value, dict[str, Value], list[Value]]:
    """Give what the words set, as a tree; the options as they are written; and the words that are neither."""
    tree, named, positional = Value(Config()), {}, []
    options, free = split_words(words)
    for one in options:
        value = guess(word_text(one.value)) if one.value is not None else True
        put_path(tree, one.name, Value(value, one.src))
        named[word_text(one.word).partition("=")[0]] = one.value or Value(True, one.word.src)
    for word in free:
        key, equals, inline = VARIABLE.sub(r"$\1", word_text(word)).partition("=")  # a shell's, no interpolation
        if equals and (all_pairs or not inline.endswith(CONFIG_ENDINGS)):
            put_path(tree, key.lstrip("+"), wrap_guess(inline, joined(word, word)))
            named[key] = Value(inline, word.src)
        else:
            positional.append(word)
    return tree, named, positional


def take_settings(tree: Value, words: list[Value]) -> None:
    """Put settings that are written as `name:value`, or `name=value,other=2`, behind one option."""
    for word in words:
        told = word_text(word)
        listed = "=" in told.partition(":")[0]
        for setting in told.split(",") if listed else [told]:
            name, mark, text = setting.partition("=" if listed else ":")
            if mark and name.isidentifier():
                put_path(tree, name, wrap_guess(text, joined(word, word)))


def add_section(view: View, entry: ProgramRow, options: Value) -> None:
    """Add the part of a file of hyperparameters that is meant: the algorithm's file, the environment's part."""
    if "sections" not in entry:
        return
    pattern, key = entry["sections"]
    algo, part = options.data.get("algo"), options.data.get(key)
    if algo is None or part is None or not isinstance(algo.data, str):
        return
    sections = mapping_of(find_config(view, None, pattern.replace("{algo}", algo.data), {}))
    section = section_for(entry, sections, str(part.data))
    if section is None or not isinstance(section.data, dict):
        return
    known = record_defaults(f"{entry['like_prefix']}{algo.data.upper()}", named_spot(section.src))
    for name, value in {**known, **section.data}.items():
        options.data.setdefault(name, first_of_schedule(value))


def section_for(entry: ProgramRow, sections: Items, name: str) -> Value | None:
    """Give the section of this name, else the one that stands for all names with a word in them."""
    besides = (section for word, section in entry.get("sections_besides", {}).items() if word in name)
    return next((sections[one] for one in (name, *besides) if one in sections), None)


def first_of_schedule(value: Value) -> Value:
    """Give the value with which a schedule begins that is written as `lin_2.5e-4`."""
    kind, mark, start = value.data.partition("_") if isinstance(value.data, str) else ("", "", "")
    begun = guess(start) if mark and kind == "lin" else None
    return Value(begun, value.src) if isinstance(begun, float) else value


def find_config(view: View, entry: ProgramRow | None, name: str, named: dict[str, Value]) -> Value | None:
    """Find the configuration that is named: from here, from the root, or among those that come with the program."""
    file_name = named.get(entry.get("config_name", "")) if entry is not None else None
    if file_name is not None:
        name = inside(name, word_text(file_name))
    repository = view.run.repository
    bases = (view.launch.workdir, ".", *(entry.get("config_folders", ()) if entry is not None else ()))
    tried = [
        posixpath.normpath(posixpath.join(base, name.lstrip("/") if base == "." else name)) + ending
        for base in bases
        for ending in ("", ".yaml", ".yml")
    ]
    parts = name.strip("/").split("/")
    tried += ["/".join(parts[cut:]) for cut in range(1, len(parts) - 1)]
    found = next((path for path in tried if not path.startswith("/") and repository.is_file(path)), None)
    if found is None and entry is not None and entry.get("mmengine") and "/" not in name:
        found = config_called(repository, f"/{name.removesuffix('.py')}.py")
    if found is not None:
        return load_with_bases(view.run, found) if found.endswith(".py") else load_config(view.run, found)
    view.run.note(f"the configuration {name} is not in the repository", Gap.CONFIGURATION)
    return None


def config_called(repository: Repository, tail: str) -> str | None:
    """Find the one file of this name: MMEngine's tools take their own configurations by name alone."""
    found = [path for path in islice(repository.walk(), MOST_SEARCHED) if path.endswith(tail) and "config" in path]
    return found[0] if len(found) == 1 else None


def only_item(value: Value) -> Value:
    """Take the one item of a list: `lr: [0.0005]`."""
    if isinstance(value.data, list) and len(value.data) == 1 and isinstance(value.data[0], Value):
        return Value(value.data[0].data, value.data[0].src or value.src)
    return value


def named_spot(spots: tuple[SourceLocation, ...]) -> SourceLocation:
    """Give the first of some places."""
    return spots[0] if spots else SourceLocation(COMMAND, 1)
