"""Which data set the model is trained on: loaded by name, made by a class, named by an option or by a path."""

from functools import partial

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, known_dataset
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.models import squash
from schedmate.knowledge.option_names import option_names, squashed
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.acted_environments import by_environment
from schedmate.readers.code.fields.data.coco_notes import READER, set_of_notes
from schedmate.readers.code.fields.data.data_sources import (
    by_folder,
    by_own_class,
    by_read_folder,
    by_switch,
    by_table,
    is_mixed_in,
    keep_path,
    names_aside,
    told_folder,
)
from schedmate.readers.code.fields.data.likely_data import (
    ENDINGS,
    below_patterns,
    by_read_files,
    by_readme,
    by_setting,
    by_word,
)
from schedmate.readers.code.fields.data.named_data import (
    NO_NAMES,
    aside,
    by_benchmark,
    by_container,
    by_loading,
    exact_name,
    keep_agreed,
)
from schedmate.readers.code.fields.data.names_of_no_data import (
    PROGRAMS,
    is_beside_table,
    is_idle_default,
    is_unread,
    names_method,
    names_no_data,
)
from schedmate.readers.code.fields.data.opened_data import is_out_of_place, keep_opened, makes_data
from schedmate.readers.code.fields.data.several_sets import keep_paths, keep_several, sets_below
from schedmate.readers.code.fields.data.telling_paths import telling_part
from schedmate.readers.code.fields.words.command_names import (
    SETTINGS,
    is_kind,
    is_task,
    lies_among_data,
    name_in,
    name_in_command,
)
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Value, sequence_of

OPENING = words("data.opening")
READING = ("dataset", "loader", "folder", "reader", "memmap", "corpus")
DATA_WORDS = re2.compile(r"(?i)datamodule|dataset")

DRIVE = re2.compile(r"[A-Za-z]:[\\/]")
"""How paths begin on Windows."""


def by_class(view: View) -> None:
    """Take the class or module that a library's data set is made by."""
    found = [(event, name) for event in view.events if (name := name_by_class(view, event)) is not None]
    keep_agreed(view, [(event.sure, name, (event.spot,)) for event, name in found])


def name_by_class(view: View, event: Event) -> str | None:
    """Name the data set that a library's class or module makes, or a class of data of the repository's own."""
    made = event.result.data
    if isinstance(made, Instance) and any(base.endswith(("Dataset", "DataModule")) for base in made.cls.outside()):
        own = known_dataset(made.cls.name)
        stands = own is not None and not aside(view, event) and not is_out_of_place(view, own)
        return exact_name(event, own, made.cls.name) if own is not None and stands else None
    parts = event.name.split(".")
    exact = known_dataset(parts[-1]) is not None and parts[-1][:1].isupper() and not event.owner
    tutorial = parts[-1] == "read_data_sets" and parts[0] == "tensorflow" and "mnist" in parts
    if tutorial and not is_of_digits(event):
        return None
    if not ("datasets" in parts or "dataset" in parts or exact or tutorial) or aside(view, event):
        return None
    short = parts[-1] if parts[-1] not in ("load_data", "load", "splits", "iters") else parts[-2]
    short = "mnist" if tutorial else short
    if short in ("ImageFolder", "DatasetFolder"):
        if event.args and isinstance(event.args[0].data, str):
            keep_path(view, event.args[0])
        return None
    if event.name.startswith(READER):
        known = set_of_notes(view, event)
        return known.name if known is not None else None
    known = built_on(view, event) or known_dataset(short)
    return known.name if known is not None and not is_out_of_place(view, known) else None


def built_on(view: View, event: Event) -> DataSet | None:
    """Give the set after which a class of the repository's is named that is built on a library's: another's reader."""
    natives = ((value.data.cls, value.data.native) for value in view.run.instances)
    made = (cls for cls, native in natives if native is not None and native.data is event.result.data)
    return next((own for cls in made if (own := known_dataset("_".join(words_of(cls.name)))) is not None), None)


def by_exact_name(view: View) -> None:
    """Take the one of a family of sets that the command names, where the code only names the family: ETT, ETTm1."""
    found = view.values.get("dataset_name")
    name = str(found.value) if found is not None else ""
    for _, value in (*view.options("dataset_name"), *view.options("data_path")) if name else ():
        known = known_dataset(value.data) if isinstance(value.data, str) and view.is_told(value) else None
        begins = known is not None and squash(known.name).startswith(squash(name))
        if found is not None and known is not None and begins and not (name[-1:].isdigit() or known.name == name):
            view.correct("dataset_name", known.name, (*found.spots[:2], *value.src))
            return


def is_of_digits(event: Event) -> bool:
    """Tell the tutorials' own digits from a set of their form that lies elsewhere: `read_data_sets("data/fashion")`."""
    folder = event.arg(0, "train_dir")
    if "source_url" in event.kwargs or folder is None or not isinstance(folder.data, str):
        return "source_url" not in event.kwargs
    last = folder.data.rstrip("/").rpartition("/")[2]
    named = [known_dataset(text) for text in (folder.data, f"{last}-mnist")]
    return all(one is None or one.name == "MNIST" for one in named)


def by_option(view: View) -> None:
    """Take the option that names the data."""
    # What the command says goes before defaults, whatever their names.
    for rank, last in sorted(view.options("dataset_name"), key=lambda pair: not view.is_told(pair[1])):
        value = first_read(view, rank, last)
        data = value.data
        if value.src and view.get("is_training") and names_aside(value.src[0].path):
            continue
        if is_no_set(rank, data):
            continue
        if isinstance(data, str) and 1 < len(data) < 120 and "$" not in data:
            data = telling_part(data) if DRIVE.match(data) else data
            if is_file(data) and view.get("is_training") and names_aside(data):
                continue
            data = telling_part(data) if is_local(data) else data
            if data.startswith(("/", "./", "../", "~")) or data.lower() in NO_NAMES or data.isdigit() or is_kind(data):
                continue
            known = known_dataset(data.partition(":")[0])
            if is_idle_default(view, value, known) or (known is None and names_no_data(view, rank, value)):
                continue
            if is_beside_table(view, value, known):
                by_table(view)
                continue
            data = telling_part(below_patterns(data)) if "*" in data else data  # of a pattern the folder may tell
            is_hub = "/" in data and ":" not in data
            view.keep("dataset_name", known.name if known is not None and not is_hub else data, value.src)
        elif isinstance(data, (list, tuple)) and data and not is_choice_of(view, data):
            from_list(view, data[0])
        elif isinstance(data, dict) and (named := name_in(value) or first_listed(value)) is not None:
            known = known_dataset(str(named.data))
            if known is not None:
                view.keep("dataset_name", known.name, named.src)


def is_no_set(rank: int, data: object) -> bool:
    """Tell a file of settings, or a task under an option that may name one."""
    name = option_names()["dataset_name"][rank]
    return isinstance(data, str) and (data.lower().endswith(SETTINGS) or is_task(name, data))


def is_local(text: str) -> bool:
    """Tell a path from a hub's name: it ends like a folder, is a file below two, or lies among the program's data."""
    return text.endswith("/") or (is_file(text) and text.count("/") > 1) or lies_among_data(text)


def is_file(text: str) -> bool:
    """Tell the path of a file of samples from what a hub calls a set."""
    return "/" in text and text.lower().endswith(ENDINGS)


def first_read(view: View, rank: int, last: Value) -> Value:
    """Give the first of several data sets that a program goes over under one name."""
    name = squashed(option_names()["dataset_name"][rank])
    read = [value for key, values in view.run.reads.items() if squashed(key) == name for value in values]
    texts = [value for value in read if isinstance(value.data, str) and known_dataset(value.data) is not None]
    return texts[0] if len(texts) > 1 and last is texts[-1] else last


def is_choice_of(view: View, items: list[Value] | tuple[Value, ...]) -> bool:
    """Tell a list of the names of which another option holds the one that was chosen."""
    chosen = {value.data for _, value in view.options("dataset_name") if isinstance(value.data, str)}
    return not chosen.isdisjoint(item.data for item in items if isinstance(item.data, str))


def first_listed(section: Value) -> Value | None:
    """Give the first of the sets that a section of settings lists by name: `DATASETS.NAMES`."""
    listed = section.data.get("names") or section.data.get("NAMES")
    return next((one for one in sequence_of(listed) if isinstance(one.data, str)), listed)


def from_list(view: View, first: Value) -> None:
    """Take the first of several data sets: a name, or a mapping with its path."""
    if isinstance(first.data, str) and first.data.lower() not in NO_NAMES:  # ["train", "dev"] are parts of one
        view.keep("dataset_name", first.data, first.src)
    elif isinstance(first.data, dict):
        for key in ("path", "name", "dataset", "hf_path", "dataset_name"):
            value = first.data.get(key)
            if value is not None and isinstance(value.data, str):
                view.keep("dataset_name", value.data, value.src)
                return


def by_path(view: View) -> None:
    """Take a known data set's name off the path of the data."""
    named = [pair for pair in view.options("dataset_name") if not is_unread(view, pair[1])]
    paths = [*view.options("data_path"), *named]
    for _, value in sorted(paths, key=lambda pair: not view.is_told(pair[1])):
        several = sets_below(view, value.data) if isinstance(value.data, str) and view.is_told(value) else None
        if several is not None:
            keep_several(view, several, value.src)
        elif isinstance(value.data, str):
            keep_path(view, value)
        elif isinstance(value.data, (list, tuple)) and value.data and isinstance(value.data[0], Value):
            keep_paths(view, value)
    read = [one for one in view.events if any(word in one.short.lower() for word in READING) or makes_data(one)]
    keep_opened(view, read, len(view.events))


def by_option_named(view: View) -> None:
    """Take a known data set off the name of an option that is given its path: `--coco_path /data`, `musdb: /data`."""
    for mapping in view.namespaces if not told_folder(view) else ():
        for name, value in flattened(mapping):
            text = value.data
            if not isinstance(text, str) or "/" not in text or len(name) > 60 or names_aside(name):
                continue
            known = known_dataset(name)
            if known is None or is_mixed_in(known) or (view.get("is_training") and names_aside(text)):
                continue
            view.keep("dataset_name", known.name, value.src)


def by_files(view: View) -> None:
    """Take a known data set's name off the repository's own data classes: the only one, or the one that is loaded."""
    loaded = {id(origin.data) for event in training_loaders(view) if (origin := event.arg(0, "dataset")) is not None}
    classes = {value.data.cls.name for value in view.run.instances if "data" in value.data.cls.name.lower()}
    for value in view.run.instances:
        name = value.data.cls.name
        if name in classes and (len(classes) == 1 or id(value.data) in loaded):
            known = known_dataset(str(DATA_WORDS.sub("", name)))
            if known is not None and not is_out_of_place(view, known):
                view.keep("dataset_name", known.name, (value.data.spot, value.data.cls.spot))


def by_any_path(view: View) -> None:
    """Take a known data set's name off any path or address that the code opens."""
    told = any(view.is_told(value) and isinstance(value.data, str) for _, value in view.options("data_path"))
    # Where the command says where the data lie, a path that is only made may be a default that was not taken.
    made = (event for event in view.events if event.sure and event.short in OPENING)
    opened = [event for event in made if not (told and event.short == "Path")]
    opened = opened if not told_folder(view) else []  # what the command calls the data is not what a path aside says
    keep_opened(view, [event for event in opened if any("/" in str(arg.data) for arg in event.args[:2])], 2)


def by_place(view: View) -> None:
    """Take a known data set's name off the configuration's name or the folder that the job is started in."""
    for word in view.launch.words if view.program.found else ():
        text = word_text(word)
        if text.endswith((".yaml", ".yml", ".json", ".py", ".toml", ".gin", ".sh")) and "$" not in text:
            known = known_dataset(text)
            if known is not None and not (text.endswith(PROGRAMS) and names_method(known)):
                view.keep("dataset_name", known.name, word.src or view.command_spot, "the configuration's name")
    entry = view.program.entry
    if entry is not None:
        for place in (view.launch.workdir, entry.path):
            known = known_dataset(place)
            if known is None or is_out_of_place(view, known):
                continue
            if not tells_evaluation(place, "splits") and not names_method(known):
                view.keep("dataset_name", known.name, view.command_spot, f"the name of {place}")


RULES = (
    Rule(Subject.DATA, "data that the command has made up", by_switch),
    Rule(Subject.DATA, "the benchmark that the command names", by_benchmark),
    Rule(Subject.DATA, "a data set that is loaded by name", by_loading),
    Rule(Subject.DATA, "a container of known sets", by_container),
    Rule(Subject.DATA, "a known set's class", by_class),
    Rule(Subject.DATA, "the environment that is acted in", by_environment),
    Rule(Subject.DATA, "options", by_option),
    Rule(Subject.DATA, "paths", by_path),
    Rule(Subject.DATA, "names that options hold", by_option_named),
    Rule(Subject.DATA, "files that are opened", by_files),
    Rule(Subject.DATA, "paths of any meaning", by_any_path),
    Rule(Subject.DATA, "the program's place", by_place),
    Rule(Subject.DATA, "paths among the settings", by_setting),
    Rule(Subject.DATA, "the repository's own class of data", by_own_class),
    Rule(Subject.DATA, "folders of data", by_folder),
    Rule(Subject.DATA, "folders that a library reads", by_read_folder),
    Rule(Subject.DATA, "tables that are read", by_table),
    Rule(Subject.DATA, "the command", partial(name_in_command, field_name="dataset_name")),
    Rule(Subject.DATA, "a word of the command's", by_word),
    Rule(Subject.DATA, "the files that are read", by_read_files),
    Rule(Subject.DATA, "what the README says of the data", by_readme),
    Rule(Subject.DATA, "which of a family of sets it is", by_exact_name),
)
