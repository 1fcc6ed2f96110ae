"""TensorFlow on TPUs: an estimator or a strategy that takes a whole slice of them, which is no GPU."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event

TAKING = ("CrossShardOptimizer", "TPUStrategy", "TPUClusterResolver")
"""What only a program on TPUs makes."""


def tpu_calls(view: View) -> list[Event]:
    """Give the calls that surely take TPUs, those first that spread the work over them."""
    made = [event for event in view.of("tensorflow", *TAKING) if event.sure]
    estimators = [event for event in view.of("tensorflow", "TPUEstimator") if event.sure and uses_tpus(event)]
    return sorted([*estimators, *made], key=lambda event: event.short == "TPUClusterResolver")


def uses_tpus(event: Event) -> bool:
    """Tell an estimator that is told to use TPUs; one that is told nothing does, but runs without them as well."""
    told = event.kwargs.get("use_tpu")
    return told is not None and told.data is True


def count_no_gpus(view: View) -> None:
    """Leave open how many GPUs a job on TPUs has."""
    if view.once(tpu_calls):
        view.rule_out("num_gpus")


def share_batches(view: View) -> None:
    """Name what an estimator does on TPUs: each core gets its part of the batch."""
    calls = [event for event in view.once(tpu_calls) if event.short in ("TPUEstimator", "CrossShardOptimizer")]
    if calls:
        view.spreads("TPU data parallel", (calls[0].spot,))


def tell_batch(view: View) -> None:
    """Take the batch of an estimator on TPUs, which is that of all cores together."""
    for event in view.once(tpu_calls):
        batch = event.kwargs.get("train_batch_size") if event.short == "TPUEstimator" else None
        if view.number("global_batch_size", batch):
            view.number("batch_size", batch)


RULES = (
    Rule(Subject.BATCH, "the TPUs that are taken", tell_batch),
    Rule(Subject.PROCESSES, "the TPUs that are taken", count_no_gpus),
    Rule(Subject.DISTRIBUTED, "the TPUs that are taken", share_batches),
)
