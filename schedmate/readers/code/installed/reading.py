"""Read a job of an installed program: its command, its configuration, its options."""

import posixpath
from itertools import islice

from schedmate.knowledge.programs import ProgramRow
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.installed.configuration import CONFIG_ENDINGS, ToolFacts, named_spot, read_options
from schedmate.readers.code.installed.entries import tell_framework
from schedmate.readers.code.installed.field_values import fill_fields
from schedmate.readers.code.installed.installed_frameworks import tell_installed_framework
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.launcher_options import take_launcher
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.nested import record_defaults
from schedmate.readers.code.values.value import Value

READ_BY_OPTIONS = ("transformers-trainer", "any-trainer")


def read_tool(view: View, entry: ProgramRow) -> None:
    """Fill the fields from the program's configuration and options."""
    launch, run = view.launch, view.run
    name_spot = view.command_spot
    view.program.found = True
    if entry["id"] in READ_BY_OPTIONS:
        run.note(f"{launch.name} is not in the repository: read by its name and options")
    words = list(launch.words[1:])
    if entry.get("never"):
        view.keep("is_training", False, name_spot, f"{posixpath.basename(launch.name)} trains nothing")
        return
    by_options = launch.kind == "script" and bool(words) and word_text(words[0]).startswith("-")
    trains, words = take_command(entry, words) if not by_options else (True, words)
    trains = trains and not entry.get("evaluates")
    if not trains:
        view.keep("is_training", False, name_spot, "this command of the program does not train")
    words = take_inner_launcher(launch, words)
    take_rank_variables(launch, entry)
    options = read_options(view, entry, words)
    view.program.complete = entry["id"] not in READ_BY_OPTIONS and not run.about(ToolFacts).without_configuration
    run.namespaces.append(options)
    for key, wanted in entry.get("requires", {}).items():
        value = options.data.get(key)
        if value is not None and value.data != wanted:
            view.keep("is_training", False, value.src)
    add_defaults(view, entry, options)
    if trains:
        view.keep("is_training", True, name_spot)
    view.keep("framework", entry.get("framework"), name_spot)
    tell_framework(view)
    if entry["id"] == "any-trainer":
        tell_installed_framework(view)
    fill_fields(view, entry, options, named_spot(name_spot))


def add_defaults(view: View, entry: ProgramRow, options: Value) -> None:
    """Put the defaults of the library's record that the program fills under what is set."""
    if not entry.get("like") or view.run.about(ToolFacts).without_configuration:
        return
    by_word = entry.get("like_by_word", {})
    words = [word_text(word) for word in view.launch.words]
    record = next((by_word[word] for word in words if word in by_word), entry["like"])
    for key, value in record_defaults(record, named_spot(view.command_spot)).items():
        options.data.setdefault(key, value)


def take_command(entry: ProgramRow, words: list[Value]) -> tuple[bool, list[Value]]:
    """Tell whether the words after the program's name make it train, and give those that are left."""
    wanted = entry.get("train")
    words = [word for word in words if word_text(word) not in entry.get("switches", ())]
    if {word_text(word) for word in words}.intersection(entry.get("aside", ())):
        return False, words
    if not wanted or entry.get("bare"):
        return True, words
    if entry.get("anywhere"):
        given = {word_text(word).removeprefix("mode=") for word in words}
        return bool(given & set(wanted)), [word for word in words if word_text(word) not in wanted]
    for place, word in enumerate(words[:3]):
        text = word_text(word)
        if text in wanted:
            return True, [*words[:place], *words[place + 1 + entry.get("skip_words", 0) :]]
        if not text.startswith("-") and not text.endswith(CONFIG_ENDINGS):
            return False, [*words[:place], *words[place + 1 :]]
    return True, words


def take_rank_variables(launch: Launch, entry: ProgramRow) -> None:
    """Read the variables by which the program is told to start a process a GPU through torchrun."""
    names = entry.get("rank_variables", {})
    given = {kind: launch.environment[name] for kind, name in names.items() if name in launch.environment}
    if not given or launch.ranks:
        return
    per_node, nodes = given.get("per_node", Value("gpu")), given.get("nodes", Value("1"))
    words = (Value(f"--nproc_per_node={per_node.data}", per_node.src), Value(f"--nnodes={nodes.data}", nodes.src))
    take_launcher("torchrun", [Value("torchrun", words[0].src or words[1].src), *words], launch)


def take_inner_launcher(launch: Launch, words: list[Value]) -> list[Value]:
    """Read a launcher that the program is told to use: `--launcher torchrun -- --nproc_per_node=8`."""
    texts = [word_text(word) for word in words]
    if "--" in texts:
        place = texts.index("--")
        kind = next((texts[i + 1] for i, text in enumerate(texts[:-1]) if text == "--launcher"), "accelerate")
        if kind in ("torchrun", "accelerate"):
            take_launcher(kind, [Value(kind, words[place].src), *words[place + 1 :]], launch)
        return words[:place]
    taken: list[Value] = []
    rest: list[Value] = []
    coming = iter(words)
    for word in coming:
        name, equals, _ = word_text(word).partition("=")
        if name.startswith("--") and name.lstrip("-").replace("-", "_") in ("nproc_per_node", "nnodes"):
            taken += [word, *(() if equals else islice(coming, 1))]
        else:
            rest.append(word)
    if taken:
        take_launcher("torchrun", [Value("torchrun", taken[0].src), *taken], launch)
    return rest
