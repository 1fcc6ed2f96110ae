"""Sets of torchtext and its iterators: how many samples each split has, and each part that is cut from one."""

from schedmate.knowledge.data_sizes import text_sets, text_splits
from schedmate.readers.code.libraries.data_lengths import SAMPLES, samples_in
from schedmate.readers.code.libraries.data_parts import with_samples
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, sequence_of

PLACES = ("torchtext.datasets", "torchtext.legacy.datasets", "torchtext.experimental.datasets")
ITERATORS = ("BucketIterator", "Iterator")
MAKERS = ("torchtext.data", "torchtext.legacy.data")

OTHERWISE = {"train_subtrees", "filter_pred", "fine_grained"}
"""What makes another set of one."""


def give_splits(call: Call) -> Value | None:
    """Model `IMDB.splits(TEXT, LABEL)` of older versions: one part a split."""
    sizes = text_splits(call.name.split(".")[-2])
    return parts_of(call, list(sizes.values())) if sizes and not call.kwargs.keys() & OTHERWISE else None


def give_asked(call: Call) -> Value | None:
    """Model `AG_NEWS(split="train")`: the split that is asked for, all of them where none is."""
    sizes, split = text_splits(call.name.rpartition(".")[2]), call.arg(1, "split")
    if split is None:
        return parts_of(call, list(sizes.values()))
    if isinstance(split.data, str):
        size = sizes.get(split.data)
        return with_samples(call, call.name, Value(size, (call.spot,)) if size else None, *call.args)
    asked = [sizes.get(str(one.data), 0) for one in sequence_of(split)]
    return parts_of(call, asked) if asked else with_samples(call, call.name, None, *call.args)


def parts_of(call: Call, sizes: list[int]) -> Value:
    """Give parts of so many samples; none are known of a part of 0."""
    counts = [Value(size, (call.spot,)) if size else None for size in sizes]
    return Value(tuple(with_samples(call, call.name, count, *call.args) for count in counts), (call.spot,))


def split_in_two(call: Call) -> Value | None:
    """Model `train.split(split_ratio=0.7)` of older versions, which rounds the first part."""
    owner = call.owner
    made = owner.data if owner is not None else None
    if owner is None or not isinstance(made, ExternalResult) or not made.callee.startswith(PLACES):
        return None
    whole, share = samples_in(call.run, owner), call.arg(0, "split_ratio") or Value(0.7)
    if whole is None or not isinstance(share.data, float) or call.kwargs.get("stratified") is not None:
        return None
    first = round(whole.data * share.data)
    return parts_of(call, [first, whole.data - first])


def cut_into_batches(call: Call) -> Value | None:
    """Model `BucketIterator.splits((train, test), batch_size=64)`: one iterator a part."""
    counts = [None if is_other(call) else samples_in(call.run, one) for one in sequence_of(call.arg(0, "datasets"))]
    made = [with_samples(call, call.name, count) for count in counts]
    return Value(tuple(made), (call.spot,)) if made else None


def iterate(call: Call) -> Value | None:
    """Model `BucketIterator(train, batch_size=64)`."""
    count = samples_in(call.run, call.arg(0, "dataset"))
    return call.made({SAMPLES: count} if count is not None and not is_other(call) else None)


def is_other(call: Call) -> bool:
    """Tell an iterator that never ends, or whose batches are not counted in samples: `batch_size_fn=count_tokens`."""
    told = [call.kwargs.get(name) for name in ("batch_size_fn", "repeat")]
    return any(one is not None and one.data not in (None, False) for one in told)


HOOKS: dict[str, Hook] = {
    **{f"{place}.{name}.splits": give_splits for place in PLACES for name in text_sets()},
    **{f"{place}.{name}": give_asked for place in PLACES for name in text_sets()},
    **{f"{place}.{name}.splits": cut_into_batches for place in MAKERS for name in ITERATORS},
    **{f"{place}.{name}": iterate for place in MAKERS for name in ITERATORS},
}
ENDINGS: dict[str, Hook] = {"split": split_in_two}
