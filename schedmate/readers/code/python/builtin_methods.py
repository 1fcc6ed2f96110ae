"""Methods of text, lists, mappings and files whose contents are known."""

from collections.abc import Callable

from schedmate.readers.code.python.formatting import are_plain_fields, format_open
from schedmate.readers.code.python.known_sets import set_method
from schedmate.readers.code.python.modules import resolve
from schedmate.readers.code.python.named_files import lines_of
from schedmate.readers.code.python.registries import complete_table
from schedmate.readers.code.values.nested import plain, wrap
from schedmate.readers.code.values.objects import FileHandle, FileText
from schedmate.readers.code.values.run import Call, LibraryMethod, by_names
from schedmate.readers.code.values.value import (
    CONSTANTS,
    Config,
    SourceLocation,
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
MOST_ITEMS = 4_096


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
    if isinstance(data, (int, float)) and name in ("bit_length", "is_integer"):
        return method(lambda call: Value(getattr(data, name)()), name, owner)
    return unknown(f".{name}", owner)


def method(hook: Callable[[Call], Value | None], name: str, owner: Value) -> Value:
    """Make a method value."""
    return Value(LibraryMethod(hook, name, owner), owner.src)


def owner_of(call: Call) -> Value:
    """Give the value that a method belongs to."""
    assert call.owner is not None
    return call.owner


def text_method(call: Call) -> Value | None:
    """Call a text's method on known arguments; `format` only with plain fields, since widths can be made huge."""
    owner = owner_of(call)
    try:
        args = [plain(arg) for arg in call.args]
        kwargs = {name: plain(arg) for name, arg in call.kwargs.items()}
    except LookupError:
        return format_open(owner, call.name, call.args, call.kwargs)
    if length_of([owner.data, *args, *kwargs.values()]) > LONGEST or (
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
    src = join_spots(owner, *call.args, *call.kwargs.values())
    return wrap(result, src) if isinstance(result, (list, tuple)) else Value(result, src)


def length_of(values: list[object]) -> int:
    """Add up the lengths of all texts, so that joining and formatting cannot make one that is huge."""
    total = 0
    for value in values:
        if isinstance(value, (str, bytes)):
            total += len(value)
        elif isinstance(value, (list, tuple)):
            total += length_of(list(value))
    return total


def sequence_method(call: Call) -> Value | None:
    """Find or count a known item."""
    items, wanted = owner_of(call).data, call.arg(0)
    if wanted is None or not all(is_constant(item) for item in [*items, wanted]):
        return None
    values = [item.data for item in items]
    if call.name == "count":
        return Value(values.count(wanted.data))
    return Value(values.index(wanted.data)) if wanted.data in values else None


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


def list_items(call: Call) -> Value:
    """Give keys, values or both."""
    owner = owner_of(call)
    pairs = list(owner.data.items())[:MOST_ITEMS]
    if call.name == "keys":
        made = Value([Value(key, owner.src) for key, _ in pairs], owner.src)
    elif call.name == "values":
        made = Value([wrap(value) for _, value in pairs], owner.src)
    else:
        made = Value([Value((Value(key, owner.src), wrap(value))) for key, value in pairs], owner.src)
    call.run.hand_growth_on(owner, made)
    return made


def copy_mapping(call: Call) -> Value:
    """Copy a mapping one level deep."""
    owner = owner_of(call)
    data = Config(owner.data, owner.data.kind) if isinstance(owner.data, Config) else dict(owner.data)
    data.update(call.kwargs if call.name == "_replace" else {})
    return Value(data, owner.src)


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


def append_item(call: Call) -> Value | None:
    """Grow a list; one that grows without end is left as it is."""
    items, value = owner_of(call).data, call.arg(0)
    if value is not None and len(items) < MOST_ITEMS:
        call.run.journal.touch(items)
        call.run.note_growth(items)
        items.append(value)
    return Value(None)


def add_item(call: Call) -> Value | None:
    """Put an item into a set, which stands as a list in a reading."""
    value = call.arg(0)
    if value is not None and is_constant(value) and any(value.data == item.data for item in owner_of(call).data):
        return Value(None)
    return append_item(call)


def extend_list(call: Call) -> Value | None:
    """Grow a list by another one."""
    items, value = owner_of(call).data, call.arg(0)
    if value is not None and isinstance(value.data, (list, tuple)) and len(items) + len(value.data) < MOST_ITEMS:
        call.run.journal.touch(items)
        call.run.note_growth(items)
        if not call.run.has_known_length(value):
            call.run.grown[id(items)] = items
        items.extend(value.data)
    return Value(None)


def insert_item(call: Call) -> Value | None:
    """Put an item at a place."""
    items, value = owner_of(call).data, call.arg(1)
    if value is not None and isinstance(call.constant(0), int) and len(items) < MOST_ITEMS:
        call.run.journal.touch(items)
        items.insert(call.constant(0), value)
    return Value(None)


def pop_item(call: Call) -> Value | None:
    """Take an item out."""
    items, place = owner_of(call).data, call.constant(0, default=-1)
    if not items or not isinstance(place, int) or not -len(items) <= place < len(items):
        return None
    call.run.journal.touch(items)
    value: Value = items.pop(place)
    return value


def put_in_order(call: Call) -> Value | None:
    """Sort or turn a list round; what is sorted by a function, or has no order of its own, stays as it is."""
    items = owner_of(call).data
    call.run.journal.touch(items)
    if call.name == "reverse":
        items.reverse()
    elif "key" not in call.kwargs and len({type(one.data) for one in items}) == 1 and all(map(is_constant, items)):
        turned = call.constant(-1, "reverse", False) is True
        if isinstance(items[0].data, (str, int, float)):
            items.sort(key=lambda one: one.data, reverse=turned)
    return Value(None)


def drop_item(call: Call) -> Value | None:
    """Take out the first item that equals a known one."""
    items, wanted = owner_of(call).data, call.need(0, kind=CONSTANTS)
    found = [place for place, one in enumerate(items) if is_constant(one) and one.data == wanted.data]
    if found:
        call.run.journal.touch(items)
        del items[found[0]]
    return Value(None)


def drop_items(call: Call) -> Value | None:
    """Empty a list."""
    call.run.journal.touch(owner_of(call).data)
    owner_of(call).data.clear()
    return Value(None)


LIST: dict[str, Callable[[Call], Value | None]] = {
    "append": append_item,
    "add": add_item,
    "extend": extend_list,
    "insert": insert_item,
    "pop": pop_item,
    "copy": lambda call: Value(list(owner_of(call).data), owner_of(call).src),
    **by_names("sort reverse", put_in_order),
    **by_names("remove discard", drop_item),
    "clear": drop_items,
    **by_names("union intersection difference symmetric_difference issubset issuperset", set_method),
    **by_names("index count", sequence_method),
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
    """Give the lines of a small file of the repository."""
    lines = lines_of(call.run, owner_of(call).data.path)
    return Value(lines, owner_of(call).src) if lines is not None else None


FILE: dict[str, Callable[[Call], Value | None]] = {
    **by_names("read read_text", read_file),
    "readlines": list_lines,
    "close": lambda call: Value(None),
}
