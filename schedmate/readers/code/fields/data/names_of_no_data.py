"""Words that stand where data are named and name none: of runs, parts of the work, ways to train, idle defaults."""

from schedmate.knowledge.datasets import DataSet
from schedmate.knowledge.models import families, squash
from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import one_table, outputs, told_folder
from schedmate.readers.code.fields.data.telling_paths import telling_part
from schedmate.readers.code.fields.words.command_names import is_to_be_filled_in
from schedmate.readers.code.values.value import Value

WORLDS = ("env_id", "env_name", "game_name", "environment_name", "environment")
"""Options of worlds, whose names code also has for what it goes through: `for env_name in ENV_NAMES`."""
PROGRAMS = (".py", ".sh")
"""How the names of programs end."""


def names_no_data(view: View, rank: int, value: Value) -> bool:
    """Tell a word that is no known set's, under an option which may also name a run or a part of the work."""
    name = option_names()["dataset_name"][rank]
    if is_to_be_filled_in(str(value.data)):
        return True
    if name == "task_name":
        return is_run_of_task(view, value)
    return name in WORLDS and not is_declared(view, value)


def is_run_of_task(view: View, value: Value) -> bool:
    """Tell a name of a task after which a run or its folder is called, or by which code calls a part of its work."""
    if view.is_partial:
        return False
    if not view.is_told(value) or "task_name" not in view.run.reads:
        return True
    return any(value.data in one.data and not set(one.src).isdisjoint(value.src) for one in view.once(outputs))


def is_declared(view: View, value: Value) -> bool:
    """Tell an option's value, or that of a file of settings, from one that the code itself only hands on."""
    if view.is_told(value) or not value.src or not value.src[0].path.endswith(".py"):
        return True
    return any(one.src == value.src for mapping in view.namespaces for _, one in flattened(mapping))


def is_idle_default(view: View, value: Value, known: DataSet | None) -> bool:
    """Tell a default beside the data's own folder that the command gives: a word of its own, or one that nothing reads.

    A known set that the program reads by its name may lie in a folder of any name.
    """
    beside = not view.is_told(value) and told_folder(view)
    return beside and (known is None or is_unread(view, value))


def is_beside_table(view: View, value: Value, known: DataSet | None) -> bool:
    """Tell a default that no set is called by, where the one table that is read has another name of its own."""
    table = one_table(view) if known is None and not view.is_told(value) else None
    if table is None or not telling_part(table.data):
        return False
    return squash(str(value.data)) not in squash(table.data)


def is_unread(view: View, value: Value) -> bool:
    """Tell a default that the program was not seen to read, beside the data's own folder that the command gives."""
    if view.is_told(value) or not told_folder(view):
        return False
    return not any(one is value for values in view.run.reads.values() for one in values)


def names_method(known: DataSet) -> bool:
    """Tell a set that is called as a way to train is: a program or folder of that name is about the way."""
    return any(squash(known.name) == word for word, _, _ in families())
