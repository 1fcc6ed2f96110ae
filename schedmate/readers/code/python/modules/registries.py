"""Registries: names that modules write into a mapping when they are imported, which is all that they are imported for.

Such modules are not followed when they are imported, since most of what they register is not what the job uses. When a
mapping lacks a name, the modules that wait are searched for it, and only those that write it down are followed.
"""

import ast
import posixpath
from collections.abc import Hashable
from dataclasses import dataclass, field

import re2

from schedmate.readers.code.python.modules.modules import LazyImport, execute_module, module_at
from schedmate.readers.code.values.objects import BoundMethod, Class, ExternalResult, Function, Instance, Partial
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import Attributes, External, Items, Value
from schedmate.tools.repository import inside

MOST_ROUNDS = 5
MOST_FOLLOWED = 6
MOST_SEARCHED = 400
LONGEST_NAME = 80
LEAST_IMPORTED = 3
REGISTERED = (LazyImport, Class, Function, External, Partial, BoundMethod, Instance, ExternalResult, Module)


@dataclass
class RegistrySearch:
    """The searches for registered names: what was sought, folders that programs walk, texts that were looked into."""

    sought: set[tuple[int, str, bool]] = field(default_factory=set)
    is_under_way: bool = False
    folders: dict[str, None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def remember_table(run: Run, value: Value) -> None:
    """Keep a mapping that a module, a class or an object holds: programs register names in such."""
    if type(value.data) is dict and len(run.tables) < 2_000:
        run.tables[id(value.data)] = value.data
        for item in value.data.values():
            if isinstance(item, Value) and type(item.data) is dict:
                run.tables[id(item.data)] = item.data


def table_items(node: ast.Dict, scope: Scope) -> list[Value]:
    """Give what a mapping of imported names holds, each to be followed when it is asked for; else nothing.

    Such a table picks one class of many: to follow all their modules would read what the job never uses.
    """
    if len(node.values) < LEAST_IMPORTED or not all(isinstance(value, ast.Name) for value in node.values):
        return []
    found = [scope.find(value.id) for value in node.values if isinstance(value, ast.Name)]
    items = [value for value in found if value is not None and isinstance(value.data, LazyImport)]
    return items if len(items) == len(node.values) else []


def complete_table(run: Run, table: Items | Attributes, key: Hashable) -> bool:
    """Follow the waiting modules that write a missing name down, until the mapping has it; tell whether it has."""
    # A function that registers only asks whether the name is taken already.
    registers = any("regist" in name.lower() for name in run.functions[-3:])
    if not isinstance(key, str) or not is_registry(run, table) or registers:
        return False
    return search_for(run, table, key)


def search_for(run: Run, table: Items | Attributes, key: str, packages: bool = True) -> bool:
    """Follow waiting modules until the mapping has the name, packages that may bring such modules in too, if asked."""
    search = run.about(RegistrySearch)
    if not 0 < len(key) <= LONGEST_NAME or (id(table), key, packages) in search.sought or search.is_under_way:
        return False
    search.sought.add((id(table), key, packages))
    search.is_under_way = True
    try:
        follow_writers(run, table, key, packages)
    finally:
        search.is_under_way = False
    return key in table


def is_registry(run: Run, table: Items | Attributes) -> bool:
    """Tell a mapping that names are registered in: held by a module, class or object, and of such things only."""
    if type(table) is not dict or id(table) not in run.tables:
        return False
    return all(isinstance(item, Value) and isinstance(item.data, REGISTERED) for item in table.values())


def follow_writers(run: Run, table: Items | Attributes, key: str, packages: bool) -> None:
    """Follow modules in rounds: what writes the name down, else packages that may bring such modules in."""
    followed = 0
    for _ in range(MOST_ROUNDS):
        waiting = waiting_modules(run)
        writers = [module for module in waiting if writes(run, module, key)]
        chosen = writers or [module for module in waiting if packages and module.path.endswith("__init__.py")]
        if not chosen:
            return
        for module in chosen:
            followed += module in writers
            execute_module(run, module)
            if key in table or followed >= MOST_FOLLOWED:
                return


def waiting_modules(run: Run) -> list[Module]:
    """Give the modules that are imported so far and not followed yet, with the packages above them."""
    for module in [one for one in run.modules.values() if one is not None]:
        above = module.folder
        while above not in (".", ""):
            if run.repository.is_file(inside(above, "__init__.py")):
                module_at(run, above, above.replace("/", "."))
            above = posixpath.dirname(above)
        for name, value in list(module.vars.items()) if module.done else []:
            if isinstance(value.data, LazyImport) and value.data.module.is_package:
                module_at(run, inside(value.data.module.folder, value.data.name), name)
    for folder in run.about(RegistrySearch).folders:
        for file in run.repository.list_folder(folder, MOST_SEARCHED)[1]:
            if file.endswith(".py"):
                module_at(run, inside(folder, file[:-3]), file[:-3])
    found = {one.path: one for one in run.modules.values() if one is not None and one.path and not one.done}
    return list(found.values())[:MOST_SEARCHED]


def writes(run: Run, module: Module, key: str) -> bool:
    """Tell whether a module's text names the key as a text, a class or a function, or the module is called so."""
    if module.path.rpartition("/")[2] == f"{key}.py":
        return True
    texts = run.about(RegistrySearch).texts
    if module.path not in texts:
        texts[module.path] = run.repository.glimpse(module.path)
    text = texts[module.path]
    if key not in text and key.lower() not in text.lower():
        return False
    name = re2.escape(key)
    pattern = rf"""["']{name}["']|(?i:\b(?:class|def)\s+{name}\b)|\b{name}\s*="""
    return re2.search(pattern, text) is not None


def note_walked(run: Run, folder: str) -> None:
    """Keep a folder whose modules the program imports by names that could not be followed."""
    run.about(RegistrySearch).folders[folder] = None
