"""Data that are cut into parts or loaded by name: each part knows how many samples it holds, where the whole does."""

import math
from collections.abc import Callable

from schedmate.knowledge.data_sizes import library_sets, size_in_library, size_in_tensorflow, size_on_hub
from schedmate.knowledge.set_shapes import shape_of_pictures
from schedmate.readers.code.libraries.counted_files import count_in_file, count_lines
from schedmate.readers.code.libraries.data_lengths import SAMPLES, samples_in
from schedmate.readers.code.libraries.data_shapes import width
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Attributes, Value, held, join_spots, sequence_of

SPLITS = ("train", "test", "validation", "train_sft", "train_prefs", "train_gen")
"""How splits are called."""


def with_samples(call: Call, name: str, count: Value | None, *args: Value) -> Value:
    """Make a part of data that knows how many samples it holds."""
    attrs = {SAMPLES: count} if count is not None else {}
    return Value(ExternalResult(name, list(args), {}, call.spot, attrs=attrs), (call.spot,))


def split_randomly(call: Call) -> Value | None:
    """Model torch's `random_split`: each part is as long as is told, or a share of the whole."""
    data, lengths = call.need(0, "dataset"), sequence_of(call.arg(1, "lengths"))
    whole = samples_in(call.run, data)
    if not lengths:
        return None
    counts: list[Value | None] = [one if type(one.data) is int else None for one in lengths]
    shares = [one.data for one in lengths if type(one.data) is float]
    if len(shares) == len(lengths) and whole is not None:
        parts = [math.floor(whole.data * share) for share in shares]
        parts[0] += whole.data - sum(parts) if sum(shares) > 0.999 else 0
        counts = [Value(part, join_spots(whole, *lengths)) for part in parts]
    return Value([with_samples(call, "torch.utils.data.Subset", count, data) for count in counts], (call.spot,))


def split_for_test(call: Call) -> Value | None:
    """Model scikit-learn's `train_test_split`: of each array one part for training and one for testing."""
    made = ExternalResult(call.name, call.args, call.kwargs, call.spot)
    for place, whole in enumerate(call.args):
        trained, tested = shares_of(call, samples_in(call.run, whole))
        made.attrs[f"[{2 * place}]"] = with_samples(call, call.name, trained, whole)
        made.attrs[f"[{2 * place + 1}]"] = with_samples(call, call.name, tested, whole)
    return Value(made, (call.spot,))


def split_off(call: Call) -> Value | None:
    """Model `train_test_split` of the Hugging Face library, which gives both parts by their names."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, ExternalResult):
        return None
    made = ExternalResult(call.name, call.args, call.kwargs, call.spot, owner)
    trained, tested = shares_of(call, samples_in(call.run, owner), call.arg(0, "test_size"))
    made.attrs["[train]"] = with_samples(call, call.name, trained, owner)
    made.attrs["[test]"] = with_samples(call, call.name, tested, owner)
    return Value(made, (call.spot,))


def shares_of(call: Call, whole: Value | None, test: Value | None = None) -> tuple[Value | None, Value | None]:
    """Give how many of some samples are trained on and how many tested, as both libraries round them."""
    test, train = test or call.kwargs.get("test_size"), call.kwargs.get("train_size")
    if whole is None:
        return None, None
    tested = amount(whole.data, test, math.ceil)
    trained = amount(whole.data, train, math.floor)
    if test is None and train is None:
        tested = math.ceil(whole.data * 0.25)
    tested = whole.data - trained if tested is None and trained is not None else tested
    trained = whole.data - tested if trained is None and tested is not None else trained
    src = join_spots(whole, *(one for one in (test, train) if one is not None))
    return tuple(Value(one, src) if one is not None else None for one in (trained, tested))  # type: ignore[return-value]


def amount(whole: int, told: Value | None, rounded: Callable[[float], int]) -> int | None:
    """Read a share or a number of samples."""
    if told is None or isinstance(told.data, bool) or not isinstance(told.data, (int, float)):
        return None
    return rounded(whole * told.data) if isinstance(told.data, float) and told.data < 1 else int(told.data)


def load_from_hub(call: Call) -> Value | None:
    """Model `load_dataset`: its splits by name, with their sizes where the set is known or lies in the repository."""
    path, name, split = call.arg(0, "path"), held(call.arg(1, "name"), str), call.kwargs.get("split")
    made = ExternalResult(call.name, call.args, call.kwargs, call.spot)
    if path is None or not isinstance(path.data, str):
        return Value(made, (call.spot,))
    if split is not None:
        for place, one in split_parts(split):
            count = size_of_split(call, path.data, name, one)
            if count is not None:
                made.attrs[place] = with_samples(call, call.name, count, *call.args) if place != SAMPLES else count
        return Value(made, (call.spot,))
    for part in SPLITS:
        count = size_of_split(call, path.data, name, part)
        if count is not None:
            made.attrs[f"[{part}]"] = with_samples(call, call.name, count, *call.args)
    return Value(made, (call.spot,))


def split_parts(split: Value) -> list[tuple[str, str]]:
    """Give the splits that are asked for by where they stand in what is given: one alone, or several in a row."""
    if isinstance(split.data, (list, tuple)):
        return [(f"[{at}]", one.data) for at, one in enumerate(split.data) if isinstance(one.data, str)]
    return [(SAMPLES, split.data)] if isinstance(split.data, str) else []


def load_tensorflow_set(call: Call) -> Value | None:
    """Model `tfds.load`: its splits with their sizes where the set is known, and what else is told of it."""
    name, split = call.arg(0, "name"), call.arg(1, "split")
    if name is None or not isinstance(name.data, str):
        return None
    made = ExternalResult(call.name, call.args, call.kwargs, call.spot)
    asked = split_parts(split) if split is not None else [(f"[{part}]", part) for part in ("train", "test")]
    for place, one in asked:
        size = size_in_tensorflow(name.data, one)
        count = Value(size, (call.spot,)) if size is not None else None
        if count is not None:
            made.attrs[place] = with_samples(call, call.name, count, *call.args) if place != SAMPLES else count
    told = call.kwargs.get("with_info")
    data = as_arrays(call, made, split, [place for place, _ in asked]) or Value(made, (call.spot,))
    pair = (data, told_of_set(call, name.data))
    return Value(pair, (call.spot,)) if told is not None and told.data is True else data


def told_of_set(call: Call, name: str) -> Value:
    """Give what TensorFlow Datasets tells of a set: `info.splits["train"].num_examples`."""
    splits = {}
    for part in ("train", "test", "validation"):
        size = size_in_tensorflow(name, part)
        if size is not None:
            splits[f"[{part}]"] = described(call, {"num_examples": Value(size, (call.spot,))})
    return described(call, {"splits": described(call, splits)})


def described(call: Call, attrs: dict[str, Value]) -> Value:
    """Make an object of which some attributes are known."""
    return Value(ExternalResult(f"{call.name}.info", [], {}, call.spot, attrs=attrs), (call.spot,))


def make_builder(call: Call) -> Value | None:
    """Model `tfds.builder`, which tells of its set and gives its splits."""
    name = call.arg(0, "name")
    attrs = {"info": told_of_set(call, name.data)} if name is not None and isinstance(name.data, str) else {}
    return call.made(attrs)


def build_part(call: Call) -> Value | None:
    """Model `builder.as_dataset(split="train")`."""
    built = call.owner.data if call.owner is not None else None
    if not isinstance(built, ExternalResult) or built.callee != "tensorflow_datasets.builder":
        return None
    name, split = next(iter(built.args), None) or built.kwargs.get("name"), call.arg(0, "split")
    known = name is not None and split is not None and isinstance(name.data, str) and isinstance(split.data, str)
    size = size_in_tensorflow(name.data, split.data) if known and name is not None and split is not None else None
    return with_samples(call, call.name, Value(size, (call.spot,)) if size is not None else None)


def as_arrays(call: Call, made: ExternalResult, split: Value | None, places: list[str]) -> Value | None:
    """Give samples and labels as arrays, which are what a set is loaded as that is asked for in one batch."""
    whole, labelled = call.arg(3, "batch_size"), call.kwargs.get("as_supervised")
    if split is None or whole is None or whole.data != -1 or labelled is None or labelled.data is not True:
        return None
    pairs = []
    for place in places:
        known = made.attrs.get(place)
        count = known.data.attrs.get(SAMPLES) if known is not None and place != SAMPLES else known
        pairs.append(Value(tuple(with_samples(call, call.name, count, *call.args) for _ in range(2)), (call.spot,)))
    return pairs[0] if isinstance(split.data, str) else Value(pairs, (call.spot,))


def size_of_split(call: Call, path: str, name: str | None, split: str) -> Value | None:
    """Give the samples of a split: of files that lie here by counting, of known sets by the table."""
    files = call.kwargs.get("data_files")
    if files is None:
        size = size_on_hub(path, name, split)
        return Value(size, (call.spot,)) if size is not None and size > 0 else None
    wanted = files.data.get(split) if isinstance(files.data, dict) else files if split == "train" else None
    return in_file(call, wanted) if isinstance(wanted, Value) else None


def in_file(call: Call, path: Value | None) -> Value | None:
    """Count the samples in a file of the repository."""
    found = path_in_repository(call.run, path, call.scope) if path is not None else None
    return count_in_file(call.run.repository, found) if found is not None else None


def read_table(call: Call) -> Value | None:
    """Model pandas' readers of tables, which know how many rows a file of the repository has."""
    plain = not call.kwargs.keys() & {"nrows", "skiprows", "chunksize", "skipfooter", "comment"}
    count = in_file(call, call.arg(0)) if plain else None
    head = call.kwargs.get("header")
    if head is None and "names" in call.kwargs:
        head = Value(None)
    if count is None or (head is not None and head.data not in (None, 0)) or (head and call.name.endswith("json")):
        return None
    rows = Value(count.data + 1, count.src) if head is not None and head.data is None else count
    return with_samples(call, call.name, rows, *call.args)


def read_numbers(call: Call) -> Value | None:
    """Model numpy's readers of text: each line is a row, but for comments and what is skipped at the start."""
    skipped = call.kwargs.get("skiprows") or call.kwargs.get("skip_header") or Value(0)
    found = path_in_repository(call.run, call.arg(0, "fname"), call.scope) if call.arg(0, "fname") else None
    count = count_lines(call.run.repository, found, "#") if found is not None else None
    if count is None or type(skipped.data) is not int or not 0 <= skipped.data < count.data:
        return None
    if call.kwargs.keys() & {"max_rows", "unpack", "skip_footer", "comments", "names"}:
        return None
    return with_samples(call, call.name, Value(count.data - skipped.data, count.src), *call.args)


def picture_sides(call: Call, name: str) -> Attributes:
    """Give the shape of the pictures of a set that Keras loads by name."""
    sides = shape_of_pictures(name)
    return width(call, *sides) if sides else {}


def load_arrays(call: Call) -> Value | None:
    """Model `keras.datasets.NAME.load_data()`: pairs of samples and labels, for training and for testing."""
    name = call.name.split(".")[-2]
    pairs = []
    for trains in (True, False):
        size = size_in_library(name, trains)
        count = Value(size, (call.spot,)) if size is not None else None
        samples, labels = (with_samples(call, call.name, count) for _ in range(2))
        samples.data.attrs |= picture_sides(call, name)
        pairs.append(Value((samples, labels), (call.spot,)))
    return Value(tuple(pairs), (call.spot,))


def read_digits(call: Call) -> Value | None:
    """Model `input_data.read_data_sets` of TensorFlow's old tutorials: MNIST, of which some are kept back."""
    told = call.kwargs.get("validation_size") or Value(5000)
    whole, tested = size_in_library("mnist", True), size_in_library("mnist", False)
    if (
        type(told.data) is not int
        or whole is None
        or tested is None
        or call.kwargs.keys() & {"fake_data", "source_url"}
    ):
        return None
    sizes = {"train": whole - told.data, "validation": told.data, "test": tested}
    parts = {}
    for part, size in sizes.items():
        count = Value(size, (call.spot,))
        images, labels = (with_samples(call, call.name, count) for _ in range(2))
        attrs = {SAMPLES: count, "num_examples": count, "images": images, "labels": labels}
        parts[part] = Value(ExternalResult(f"{call.name}.{part}", [], {}, call.spot, attrs=attrs), (call.spot,))
    return call.made(parts)


HOOKS: dict[str, Hook] = {
    **by_names("torch.utils.data.random_split torch.utils.data.dataset.random_split", split_randomly),
    "sklearn.model_selection.train_test_split": split_for_test,
    "datasets.load_dataset": load_from_hub,
    "tensorflow_datasets.as_numpy": lambda call: call.arg(0),
    "tensorflow_datasets.load": load_tensorflow_set,
    "tensorflow_datasets.builder": make_builder,
    **by_names("pandas.read_csv pandas.read_table pandas.read_json", read_table),
    **by_names("numpy.loadtxt numpy.genfromtxt", read_numbers),
}
ENDINGS: dict[str, Hook] = {
    "train_test_split": split_off,
    "as_dataset": build_part,
    **by_names("input_data.read_data_sets mnist.read_data_sets", read_digits),
    **by_names(" ".join(f"{name}.load_data" for name in library_sets()), load_arrays),
}
