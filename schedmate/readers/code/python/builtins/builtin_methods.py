"""Methods of text, mappings and files whose contents are known; those of lists are a file of their own."""

from collections.abc import Callable

from schedmate.readers.code.python.builtins.builtin_functions import count_owner
from schedmate.readers.code.python.builtins.formatting import are_plain_fields, format_open
from schedmate.readers.code.python.builtins.list_methods import LIST, MOST_ITEMS, owner_of, sequence_method
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.python.modules.named_files import LARGEST_LIST, MOST_SAMPLES, lines_of
from schedmate.readers.code.python.modules.registries import complete_table
from schedmate.readers.code.values.nested import plain, wrap
from schedmate.readers.code.values.objects import FileHandle, FileText
from schedmate.readers.code.values.path_texts import VARIABLE, has_open_part
from schedmate.readers.code.values.run import Call, LibraryMethod, by_names
from schedmate.readers.code.values.value import (
    CONSTANTS,
    Config,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    join_spots,
    unknown,
)

TEXT_METHODS = frozenset({
    "lower", "upper", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "replace", "startswith",
    "endswith", "join", "title", "capitalize", "partition", "rpartition", "isdigit", "isnumeric", "find", "rfind",
    "count", "index", "removeprefix", "removesuffix", "format", "zfill", "isalpha", "casefold", "isidentifier",
    "isupper", "islower"
})  # fmt: skip
LONGEST = 100_000
CUTTING, STRIPPING = ("splitlines", "split"), ("strip", "lstrip", "rstrip")


def builtin_method(owner: Value, name: str) -> Value:
    """Give a method of a built-in value."""
    data = owner.data
    if isinstance(data, (str, bytes)) and name in TEXT_METHODS:
        return method(text_method, name, owner)
    if isinstance(data, str) and name in ("decode", "encode"):
        return method(owner_of, name, owner)
    if isinstance(data, dict) and name in MAPPING:
        return method(MAPPING[name], name, owner)
    if isinstance(data, list) and name in LIST:
        return method(LIST[name], name, owner)
    if isinstance(data, (list, tuple)) and name in ("index", "count"):
        return method(sequence_method, name, owner)
    if isinstance(data, set) and name in ("add", "update", "union", "difference"):
        return method(lambda call: Value(None), name, owner)
    if isinstance(data, FileHandle) and name in FILE:
        return method(FILE[name], name, owner)
    if isinstance(data, FileHandle) and name == "name":
        return Value(data.path, owner.src)
    if name == "__len__":
        return method(count_owner, name, owner)
    if isinstance(data, (int, float)) and name in ("bit_length", "is_integer"):
        return method(lambda call: Value(getattr(data, name)()), name, owner)
    return unknown(f".{name}", owner)


def method(hook: Callable[[Call], Value | None], name: str, owner: Value) -> Value:
    """Make a method value."""
    return Value(LibraryMethod(hook, name, owner), owner.src)


def text_method(call: Call) -> Value | None:
    """Call a text's method on known arguments; `format` only with plain fields, since widths can be made huge."""
    owner = owner_of(call)
    try:
        args = [plain(arg) for arg in call.args]
        kwargs = {name: plain(arg) for name, arg in call.kwargs.items()}
    except LookupError:
        return format_open(owner, call.name, call.args, call.kwargs)
    if call.name in CUTTING and isinstance(owner.data, str) and len(owner.data) > LONGEST:
        return count_pieces(owner, call.name, args)
    if length_of([*([] if call.name in STRIPPING else [owner.data]), *args, *kwargs.values()]) > LONGEST or (
        call.name == "format" and not are_plain_fields(owner.data)
    ):
        return None
    if call.name == "zfill" and (not args or not isinstance(args[0], int) or args[0] > 1000):
        return None
    if call.name == "replace" and len(args) > 1 and len(str(args[1])) * (len(owner.data) + 1) > LONGEST:
        return None
    try:
        result = getattr(owner.data, call.name)(*args, **kwargs)
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
    if isinstance(result, int) and hangs_on_open(owner.data, call.name, args, bool(result)):
        return None
    src = join_spots(owner, *call.args, *call.kwargs.values())
    return wrap(result, src) if isinstance(result, (list, tuple)) else Value(result, src)


def hangs_on_open(text: object, name: str, args: list[object], found: bool) -> bool:
    """Tell whether what a method says of a text, of which parts may be open, hangs on these: `startswith`, `count`.

    A variable stands for a value: an option is none.
    """
    if not isinstance(text, str) or not has_open_part(text):
        return False
    pieces = VARIABLE.split(text)
    if name not in ("startswith", "endswith"):
        return True
    known = len(pieces[0] if name == "startswith" else pieces[-1])
    asked = args[0] if args and isinstance(args[0], (tuple, list)) else args[:1]
    return not found and any(len(str(one)) > known and not str(one).startswith("-") for one in asked)


def count_pieces(owner: Value, name: str, args: list[object]) -> Value | None:
    """Count the lines of a long text, which are not taken one by one."""
    if name == "split" and args != ["\n"]:
        return None
    return so_many(len(owner.data.splitlines()) if name == "splitlines" else owner.data.count("\n") + 1, owner)


def so_many(count: int, source: Value) -> Value:
    """Make a list of which it is known how many items it has."""
    many = Unknown("lines of a long text")
    many.count = count
    return Value(many, source.src)


def length_of(values: list[object]) -> int:
    """Add up the lengths of all texts, so that joining and formatting cannot make one that is huge."""
    total = 0
    for value in values:
        if isinstance(value, (str, bytes)):
            total += len(value)
        elif isinstance(value, (list, tuple)):
            total += length_of(list(value))
    return total


def get_option(call: Call) -> Value | None:
    """Give what stands under a key, or the default."""
    owner, key = owner_of(call), call.arg(0)
    if key is None or not is_constant(key):
        return unknown("an item of what is not known", *list(owner.data.values())[:3])
    if key.data in owner.data or complete_table(call.run, owner.data, key.data):
        return resolve(call.run, wrap(owner.data[key.data]))
    if isinstance(key.data, str):
        default = call.arg(1, "default") or Value(None)
        call.run.saw(key.data, default)
        return default
    return call.arg(1, "default") or Value(None)


def set_default(call: Call) -> Value | None:
    """Give what stands under a key, putting the default there first."""
    owner, key = owner_of(call), call.need(0, kind=CONSTANTS)
    if key.data not in owner.data:
        call.run.journal.put(owner.data, key.data, call.arg(1) or Value(None))
    return wrap(owner.data[key.data])


def pop_option(call: Call) -> Value | None:
    """Take out what stands under a key."""
    owner, key = owner_of(call), call.need(0, kind=CONSTANTS)
    if key.data in owner.data:
        value = wrap(owner.data[key.data])
        call.run.journal.drop(owner.data, key.data)
        return value
    return call.arg(1) or unknown("nothing there")


def update_mapping(call: Call) -> Value | None:
    """Put another mapping's items in."""
    owner, other = owner_of(call), call.arg(0)
    if other is not None and isinstance(other.data, dict):
        for key, value in list(other.data.items()):
            call.run.journal.put(owner.data, key, wrap(value))
    for key, value in call.kwargs.items():
        call.run.journal.put(owner.data, key, value)
    return Value(None)


def as_asked_for(call: Call, value: object) -> object:
    """Resolve what a text of a configuration refers to, as asking for it by name does."""
    if isinstance(value, Value) and type(value.data) is str and "${" in value.data:
        return call.run.libraries.interpolated(call.run, owner_of(call), value)
    return value


def list_items(call: Call) -> Value:
    """Give keys, values or both."""
    owner = owner_of(call)
    pairs = [(key, as_asked_for(call, value)) for key, value in list(owner.data.items())[:MOST_ITEMS]]
    if call.name == "keys":
        made = Value([Value(key, owner.src) for key, _ in pairs], owner.src)
    elif call.name == "values":
        made = Value([wrap(value) for _, value in pairs], owner.src)
    else:
        made = Value([Value((Value(key, owner.src), wrap(value))) for key, value in pairs], owner.src)
    call.run.hand_growth_on(made, owner)
    return made


def copy_mapping(call: Call) -> Value:
    """Copy a mapping one level deep."""
    owner = owner_of(call)
    data = Config(owner.data, owner.data.kind) if isinstance(owner.data, Config) else dict(owner.data)
    data.update(call.kwargs if call.name == "_replace" else {})
    return Value(data, owner.src)


def make_from_keys(call: Call) -> Value | None:
    """Model `dict.fromkeys(names, value)`."""
    keys = call.need(0, kind=(list, tuple)).data
    if not all(is_constant(key) for key in keys):
        return None
    return Value(dict.fromkeys((key.data for key in keys), call.arg(1) or Value(None)), (call.spot,))


MAPPING: dict[str, Callable[[Call], Value | None]] = {
    "get": get_option,
    "setdefault": set_default,
    "pop": pop_option,
    "update": update_mapping,
    **by_names("items keys values", list_items),
    **by_names("copy to_dict clone _asdict _replace", copy_mapping),
    **by_names("freeze defrost lock", lambda call: Value(None)),
    "unlocked": lambda call: unknown(),
}


def read_file(call: Call) -> Value | None:
    """Read a file of the repository as text that knows where it came from."""
    path = owner_of(call).data.path
    written = call.run.written.get(path)
    if written is not None:
        return written if isinstance(written.data, str) else unknown("what a file holds that is written on the way")
    text = call.run.read_text(path)
    if text is None:
        return None
    known = FileText(text)
    known.path = path
    return Value(known, (SourceLocation(path, 1),))


def list_lines(call: Call) -> Value | None:
    """Give the lines of a file of the repository: settings, or a list of samples."""
    owner = owner_of(call)
    lines = lines_of(call.run, owner.data.path, MOST_SAMPLES, LARGEST_LIST)
    if lines is not None:
        return Value(lines, owner.src)
    text = call.run.read_text(owner.data.path) if owner.data.path not in call.run.written else None
    return so_many(len(text.splitlines()), owner) if text else None


FILE: dict[str, Callable[[Call], Value | None]] = {
    **by_names("read read_text", read_file),
    "readlines": list_lines,
    "close": lambda call: Value(None),
}
