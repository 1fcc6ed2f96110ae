"""draccus' choice registries: classes that subclasses register with by name, and that `type` in a record picks."""

from schedmate.readers.code.python.modules.registries import complete_table, note_walked, remember_table
from schedmate.readers.code.values.objects import Class
from schedmate.readers.code.values.run import Call, Hook, Run, filed
from schedmate.readers.code.values.value import CONSTANTS, External, Value, mapping_of

REGISTRIES = ("ChoiceRegistry", "PluginRegistry")
TABLE = "__choices__"


def table_of(run: Run, cls: Class) -> Value | None:
    """Give the mapping of choices that a class and its subclasses share; None for a class without any."""
    for one in cls.lineage():
        if any(isinstance(base.data, External) and base.data.name.endswith(REGISTRIES) for base in one.bases):
            if TABLE not in one.attrs:
                one.attrs[TABLE] = Value({})
                remember_table(run, one.attrs[TABLE])
            return one.attrs[TABLE]
    return None


def chosen_class(run: Run, cls: Class, name: str) -> Value | None:
    """Find the class that is registered under a name; modules that wait to be followed are searched for it."""
    table = table_of(run, cls)
    if table is None:
        return None
    if name not in table.data:
        note_plugins(run, cls)
        complete_table(run, table.data, name)
    return mapping_of(table).get(name)


def note_plugins(run: Run, cls: Class) -> None:
    """Let the packages that a plugin registry discovers be searched, and the class's own folder."""
    for one in cls.lineage():
        note_walked(run, one.scope.module.folder)
        for keyword in one.node.keywords:
            value = run.evaluate(keyword.value, one.scope)
            if keyword.arg == "discover_packages_path" and isinstance(value.data, str):
                for root in run.roots:
                    place = f"{root}/{value.data.replace('.', '/')}".removeprefix("./")
                    if run.repository.is_folder(place):
                        note_walked(run, place)
                        break


def register_choice(call: Call) -> Value | None:
    """Model `register_subclass("name")` as a decorator and `register_subclass("name", cls)`."""
    name, table = call.need(0, "name", CONSTANTS), table_of(call.run, call.own(Class))
    given = call.arg(1, "choice_type")
    if table is None:
        return given

    def put(value: Value) -> Value:
        table.data[name.data] = value
        return value

    return filed(call, given, put)


def name_choice(call: Call) -> Value | None:
    """Model `get_choice_name(cls)` and an object's `type`, which lerobot's records give so."""
    value, table = call.need(0), table_of(call.run, call.own(Class))
    names = [key for key, cls in table.data.items() if cls.data is value.data] if table is not None else []
    return Value(names[0], value.src) if names else None


ENDINGS: dict[str, Hook] = {
    f"{registry}.{method}": hook
    for registry in REGISTRIES
    for method, hook in (
        ("register_subclass", register_choice),
        ("get_choice_class", lambda call: chosen_class(call.run, call.own(Class), call.text(0, "name"))),
        ("get_choice_name", name_choice),
    )
}
