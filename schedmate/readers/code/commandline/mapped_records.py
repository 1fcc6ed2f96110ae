"""Records that libraries make of a mapping or of a file: dacite, cattrs, pydantic, dataclasses-json and their kin."""

from schedmate.readers.code.commandline.records import fill_from_words
from schedmate.readers.code.configs.files import load_named, parse_config
from schedmate.readers.code.values.objects import Class
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value

TEXTS = ("json", "yaml", "toml")
"""Formats in which a record may be read from a text: functions are called after them."""


def fill_from_mapping(call: Call) -> Value | None:
    """Model `dacite.from_dict(cls, data)`, `cattrs.structure(data, cls)`, `model_validate(data)`, `load(file)`."""
    cls, data = class_and_data(call)
    if cls is None or data is None or not isinstance(cls.data, Class):
        return None
    if not isinstance(data.data, dict):
        loaded = load_named(call.run, data, call.scope) or read_text(call, data)
        call.run.configs += [("record file", loaded)] if loaded is not None else []
        data = loaded
    if data is None or not isinstance(data.data, dict):
        return None
    return call.run.offer(fill_from_words(call.run, cls, [], call.spot, data.data))


def class_and_data(call: Call) -> tuple[Value | None, Value | None]:
    """Tell the record's class from what it is made of: a method's own, the one of two that is a class, a `type=`."""
    owner = call.owner
    if owner is not None and isinstance(owner.data, Class):
        return owner, call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    given = [*call.args[:2], *call.kwargs.values()]
    cls = next((one for one in given if isinstance(one.data, Class)), None)
    return cls, next((one for one in given if one is not cls), None)


def read_text(call: Call, data: Value) -> Value | None:
    """Read a text of settings that the program holds, in the format after which the function is called."""
    named = next((one for one in TEXTS if one in call.name.lower()), None)
    return parse_config(data.data, f".{named}") if type(data.data) is str and named is not None else None


HOOKS: dict[str, Hook] = {
    **by_names("dacite.from_dict cattrs.structure cattr.structure msgspec.convert", fill_from_mapping),
    **by_names("apischema.deserialize dataclass_wizard.fromdict serde.from_dict", fill_from_mapping),
    **by_names("serde.json.from_json serde.yaml.from_yaml serde.toml.from_toml", fill_from_mapping),
    **by_names("msgspec.json.decode msgspec.yaml.decode msgspec.toml.decode", fill_from_mapping),
}
ENDINGS: dict[str, Hook] = {
    **by_names("BaseModel.model_validate BaseModel.parse_obj Serializable.from_dict", fill_from_mapping),
    **by_names("Serializable.load Serializable.load_yaml Serializable.load_json", fill_from_mapping),
    **by_names("Converter.structure GenConverter.structure make_converter().structure", fill_from_mapping),
}
