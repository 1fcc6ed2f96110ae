"""How many samples data hold: by their own `__len__`, by what they are made from, by what a library loads."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.data_sizes import size_in_library, size_of_library_split, size_of_list, size_of_part
from schedmate.readers.code.libraries.counted_files import count_lines
from schedmate.readers.code.python.items import regroups
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, FileHandle, Function, Instance
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import External, Unknown, Value, join_spots, sequence_of

DEEPEST = 10

SAMPLES = "<samples>"
"""Under which attribute a library's object keeps how many samples it holds, worked out when it was made."""
KEEPING, FILLED, WRAPPING, JOINING, SIDES, PLACES, STATISTICS = (
    frozenset(words(f"data.{name}"))
    for name in ("keeping", "filled", "wrapping", "joining", "sides", "places", "statistics")
)

HOLDING, REPLACED = words("data.held"), words("data.replaced")

COLUMNS = (1, "columns")
"""How pandas is told that a call is about columns."""


def samples_in(run: Run, value: Value | None, depth: int = 0) -> Value | None:
    """Give how many samples data hold, with the places that say so; None where it is not known."""
    if value is None or depth > DEEPEST:
        return None
    data = value.data
    if isinstance(data, (list, tuple, range)):
        return run.counted_length(value)
    if isinstance(data, Unknown):
        if data.reason is Reason.LISTED and data.count is None and len(data.parts) == 1:
            return samples_in(run, data.parts[0], depth + 1)
        return Value(data.count, value.src) if data.count is not None else of_sum(run, data, depth)
    if isinstance(data, External):
        return samples_in(run, data.owner, depth + 1) if is_side(value) else None
    if isinstance(data, FileHandle):
        return count_lines(run.repository, data.path)
    if isinstance(data, Instance):
        return of_own(run, value, depth)
    if isinstance(data, ExternalResult):
        return of_library(run, value, data, depth)
    return None


def is_side(value: Value) -> bool:
    """Tell an attribute of a library's object under which it keeps its samples: `images.data`, `table.iloc`."""
    return bool(names := attributes_of(value)) and SIDES.issuperset(names)


def attributes_of(value: Value) -> list[str]:
    """Give the attributes, one after the other, that lead from a library's object to something of it."""
    data = value.data
    if not isinstance(data, External) or data.owner is None:
        return []
    made = data.owner.data
    start = made.callee if isinstance(made, ExternalResult) else "?"
    return data.name.removeprefix(f"{start}.").split(".")


def of_some(run: Run, owner: Value, key: Value) -> int | None:
    """Count what is taken of data by its key: columns of all rows, or as many samples as places are told."""
    told = key.data
    texts = told if isinstance(told, (list, tuple)) else [key]
    if texts and all(isinstance(one, Value) and isinstance(one.data, str) for one in texts):
        samples = samples_in(run, owner)
        return samples.data if samples is not None else None
    places = samples_in(run, key) if are_places(key) else None
    return places.data if places is not None else None


def are_places(key: Value) -> bool:
    """Tell places of samples that were drawn, cut or cast or not, from what says yes or no of each sample.

    Columns and comparisons are as long as the data, whose samples they choose from.
    """
    for _ in range(DEEPEST):
        data = key.data
        if isinstance(data, Unknown) and data.reason is Reason.PART and data.count is not None:
            key = data.parts[0]
        elif isinstance(data, ExternalResult) and data.short in KEEPING and data.owner is not None:
            if any(str(getattr(one.data, "name", one.data)).endswith(("bool", "bool_")) for one in data.args[:1]):
                return False
            key = data.owner
        else:
            break
    data = key.data
    return isinstance(data, ExternalResult) and data.short.removesuffix("()") in PLACES


def of_sum(run: Run, data: Unknown, depth: int) -> Value | None:
    """Count an array that was worked out with plain numbers, `x / 255`, or with its mean and the like."""
    worked_on = array_in(data)
    return samples_in(run, worked_on, depth + 1) if worked_on is not None else None


def array_in(data: Unknown) -> Value | None:
    """Give the array of two parts of a sum of which the other one is a number, for all samples or for each column."""
    numbers = [part for part in data.parts if type(part.data) in (int, float) or is_statistic(part)]
    arrays = [part for part in data.parts if isinstance(part.data, (ExternalResult, Unknown, External))]
    arrays = [part for part in arrays if part not in numbers]
    return arrays[0] if len(arrays) == len(numbers) == 1 else None


def is_statistic(part: Value) -> bool:
    """Tell a mean or the like of an array: `numpy.mean(x, axis=0)`, `x.std()`."""
    return isinstance(part.data, ExternalResult) and part.data.short in STATISTICS


def of_own(run: Run, value: Value, depth: int) -> Value | None:
    """Ask the repository's own data for their length, else the library's part of them."""
    method = value.data.cls.find("__len__")
    if method is None or not isinstance(method.data, Function):
        put = next((value.data.attrs[name] for name in HOLDING if name in value.data.attrs), None)
        replaced = put is None and not value.data.attrs.keys().isdisjoint(REPLACED)
        return samples_in(run, put or value.data.native, depth + 1) if not replaced else None
    told = run.call(Value(BoundMethod(value, method.data)), [])
    counted = isinstance(told.data, int) and not isinstance(told.data, bool) and told.data >= 0
    return Value(told.data, told.src or (value.data.spot,)) if counted else None


def of_library(run: Run, value: Value, data: ExternalResult, depth: int) -> Value | None:
    """Count what a library made: what it was told, what it was made from, what it is known to load."""
    told = data.attrs.get(SAMPLES)
    if told is not None:
        return told if type(told.data) is int else None
    short, first = data.short, data.args[0] if data.args else None
    if is_of_some(data):
        return None
    keeps = (short in KEEPING and not regroups(first)) or (short == "drop" and is_of_columns(data))
    if data.owner is not None and keeps:
        return samples_in(run, data.owner, depth + 1)
    if short in ("choice", "sample") and "random" in data.callee:
        drawn = data.kwargs.get("size") or data.kwargs.get("k") or (data.args[1] if len(data.args) > 1 else None)
        return filled(drawn)
    if short in JOINING and all(one.data == 0 for one in (*data.args[1:], *data.kwargs.values())):
        return total(run, first, depth)
    if short in ("reshape", "expand_dims"):
        return reshaped(run, data, depth)
    if short == "select" and data.owner is not None:
        return samples_in(run, first or data.kwargs.get("indices"), depth + 1)
    if short == "Subset":
        return samples_in(run, data.kwargs.get("indices") or (data.args[1] if len(data.args) > 1 else None), depth + 1)
    if short in ("ConcatDataset", "concatenate_datasets"):
        return total(run, first or data.kwargs.get("datasets"), depth)
    if short in WRAPPING:
        together = first is not None and short == "from_tensor_slices" and isinstance(first.data, (tuple, dict))
        inside = first.data if together and first is not None else [first]
        return samples_in(run, next(iter(inside.values() if isinstance(inside, dict) else inside), None), depth + 1)
    if short in FILLED and data.callee.startswith(("torch.", "numpy.", "np.", "jax.", "tensorflow.")):
        return filled(first or data.kwargs.get("size"))
    return known_set(run, value, data, depth)


LISTING = ("open", "loadtxt", "genfromtxt")
"""Calls that read a list of samples from a file of lines."""
PASSING_LINES = ("readlines", "read", "splitlines", "strip", "split")
"""Methods that give a file's lines, each of one word."""


def of_lines(run: Run, value: Value, data: ExternalResult, depth: int) -> Value | None:
    """Count the lines of a file that comes with a standard set and lists its samples, by its path."""
    if data.short in PASSING_LINES:
        return samples_in(run, data.owner, depth + 1) if not data.args else None
    size = size_of_list(path_text(next(iter(data.args), None)))
    return Value(size, value.src or (data.spot,)) if size is not None else None


def is_of_some(data: ExternalResult) -> bool:
    """Tell a method of some samples of an object: `table.loc[chosen].copy()`."""
    owner = data.owner.data if data.owner is not None else None
    return isinstance(owner, ExternalResult) and "[" in data.callee.removeprefix(owner.callee)


def is_of_columns(data: ExternalResult) -> bool:
    """Tell a call of pandas that leaves out columns from one that leaves out rows."""
    axis = data.kwargs.get("axis") or (data.args[1] if len(data.args) > 1 else None)
    return "columns" in data.kwargs or (axis is not None and axis.data in COLUMNS)


def reshaped(run: Run, data: ExternalResult, depth: int) -> Value | None:
    """Count an array whose other sides change: told by -1 or by its own number of samples."""
    array, rest = (data.owner, data.args) if data.owner is not None else (next(iter(data.args), None), data.args[1:])
    samples = samples_in(run, array, depth + 1)
    side = next(iter(rest), None) or data.kwargs.get("axis")
    if side is not None and isinstance(side.data, (list, tuple)):
        side = next(iter(side.data), None)
    if samples is None or side is None:
        return None
    if data.short == "expand_dims":
        return samples if side.data not in (0, None) else None
    own = isinstance(side.data, External) and side.data.name.endswith(".shape[0]")
    return samples if own or side.data in (-1, samples.data) else None


def total(run: Run, parts: Value | None, depth: int) -> Value | None:
    """Add up the samples of several data sets, of which it is known how many they are."""
    if parts is None or not run.has_known_length(parts):
        return None
    counts = [samples_in(run, part, depth + 1) for part in sequence_of(parts)]
    known = [count for count in counts if count is not None]
    return (
        Value(sum(count.data for count in known), join_spots(*known)) if known and len(known) == len(counts) else None
    )


def filled(size: Value | None) -> Value | None:
    """Give the first number of a shape."""
    first = size.data[0] if size is not None and isinstance(size.data, (list, tuple)) and size.data else size
    return first if isinstance(first, Value) and type(first.data) is int and first.data > 0 else None


def known_set(run: Run, value: Value, data: ExternalResult, depth: int) -> Value | None:
    """Give the size of a standard set that a library makes, or of what the program put in its samples' place."""
    if data.short in LISTING or data.short in PASSING_LINES:
        return of_lines(run, value, data, depth)
    if "folds" in data.kwargs or not data.attrs.keys().isdisjoint(REPLACED):
        return None
    put = next((data.attrs[name] for name in HOLDING if name in data.attrs), None)
    part = size_of_part(data.callee, lambda name, place: told_to(data, name, place))
    if put is not None and (part or data.callee.startswith("torchvision.datasets.")):
        return samples_in(run, put, depth + 1)
    if part is not None or not data.callee.startswith("torchvision.datasets."):
        return Value(part, value.src or (data.spot,)) if part is not None else None
    if data.short == "FakeData":
        return filled(data.kwargs.get("size") or next(iter(data.args), Value(1000, (data.spot,))))
    train = data.kwargs.get("train") or (data.args[1] if len(data.args) > 1 else Value(True))
    size = size_in_library(data.short, train.data) if isinstance(train.data, bool) else None
    if size is None:
        split = data.kwargs.get("split") or (data.args[1] if len(data.args) > 1 else Value(None))
        size = size_of_library_split(data.short, split.data) if isinstance(split.data, (str, type(None))) else None
    return Value(size, value.src or (data.spot,)) if size is not None else None


def told_to(data: ExternalResult, name: str, place: int) -> object:
    """Give what a call is told; None where nothing is said."""
    told = data.kwargs.get(name) or (data.args[place] if len(data.args) > place else None)
    return told.data if told is not None else None


OF_LOADERS = {"dataset": 0, "batch_size": 1}
"""What a loader of torch's shows of what it was made with, and at which places that stood."""


def shown_by_loader(owner: Value, name: str) -> Value | None:
    """Give the data of a loader, or its batch, as it was told: `loader.dataset`."""
    made, place = owner.data, OF_LOADERS.get(name)
    if place is None or made.short != "DataLoader" or not made.callee.startswith("torch."):
        return None
    told: Value | None = made.kwargs.get(name) or (made.args[place] if len(made.args) > place else None)
    return told


def length_of(run: Run, value: Value) -> Value | None:
    """Give what `len` says: samples of data, batches of a loader where they are not shared among processes."""
    data = value.data
    if not isinstance(data, ExternalResult) or data.short != "DataLoader":
        return samples_in(run, value)
    size = data.kwargs.get("batch_size") or (data.args[1] if len(data.args) > 1 else Value(1))
    samples = samples_in(run, data.kwargs.get("dataset") or (data.args[0] if data.args else None))
    if (
        samples is None
        or type(size.data) is not int
        or size.data < 1
        or data.kwargs.keys() & {"sampler", "batch_sampler"}
    ):
        return None
    drops = data.kwargs.get("drop_last")
    if drops is not None and not isinstance(drops.data, bool):
        return None
    count = samples.data // size.data if drops is not None and drops.data else -(-samples.data // size.data)
    return Value(count, join_spots(samples, size))
