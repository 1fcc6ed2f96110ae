"""How many samples a device sees at once, how many an optimizer step sees, and how gradients are accumulated."""

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.data_loaders import chosen_between, sampled_batch, training_loaders
from schedmate.readers.code.evidence.device_counts import data_parallel_size
from schedmate.readers.code.evidence.labels import is_spread_by
from schedmate.readers.code.evidence.proposals import Basis, ProposedValue
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.batch_shares import (
    WHOLE,
    is_dealt_out,
    is_share,
    keep_whole,
    steps_unseen,
    takes_open_devices,
)
from schedmate.readers.code.fields.batches.batched_items import batch_of_items, takes_the_item
from schedmate.readers.code.fields.batches.cut_batches import cuts_for_pipeline, pieces_of_batch
from schedmate.readers.code.fields.batches.gathered_gradients import is_too_many
from schedmate.readers.code.fields.batches.towers import LABEL, find_towers, splits_among_towers
from schedmate.readers.code.fields.networks.trained_network import is_model_class
from schedmate.readers.code.fields.words.algorithms import find_rollout_batch, learns_to_act
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import COMMAND, Unknown, Value, is_unknown, join_spots

OF_TURNS = ("update_freq", "iteration_per_update", "iterations_per_update", "iters_per_update", "batches_per_update")
"""Options of accumulation that for an agent mean how often something else is updated."""


def from_conditions(view: View) -> None:
    """Take the N of `if step % N == 0: optimizer.step()`."""
    view.accumulates(view.run.about(TrainingSigns).accumulation)


def accumulation_option(view: View) -> None:
    """Take the option; one where nothing says otherwise, and open where an option says what is no number."""
    told = [(rank, one) for rank, one in view.options("accumulation") if one.data is not None and not is_too_many(one)]
    told = [(rank, one) for rank, one in told if not cuts_for_pipeline(view, one)]
    if told and option_names()["accumulation"][told[0][0]] in OF_TURNS and learns_to_act(view):
        told = []  # an agent updates something else so often: its target network, or itself once in so many turns
    value = told[0][1] if told else None
    if value is not None and isinstance(value.data, int) and value.data > 0:
        view.accumulates(value)
    elif (value is None or value.data in (None, 0)) and not any(map(is_unknown, view.read("accumulation"))):
        view.accumulates(Value(1))


def from_loader(view: View) -> None:
    """Take the likeliest loader's, unless its batches are made before; several that differ leave it to the run."""
    loaders = training_loaders(view)
    rivals = loaders if all(one.rival for one in loaders) else chosen_between(view)
    sizes = [event.arg(1, "batch_size") for event in rivals]
    if len({str(size.data) if size is not None else "" for size in sizes}) > 1:
        view.rule_out("batch_size")
    wholes = {spot for value in view.read("global_batch_size") for spot in value.src}
    for event in loaders[:1]:
        size = event.arg(1, "batch_size") or sampled_batch(event.kwargs.get("batch_sampler"))
        is_whole = size is not None and bool(wholes.intersection(size.src)) and view.option("batch_size") is not None
        item = batch_of_items(event, size)
        if item is not None and not is_aside(view, event, item):
            view.number("batch_size", item, "one item of the loader is a batch")
            return
        made_before = size is not None and size.data == 1 and batches_are_made_before(view, event)
        if not is_whole and not made_before and not is_aside(view, event, size):
            view.number("batch_size", size)


def from_option(view: View) -> None:
    """Take the option."""
    view.number("batch_size", view.option("batch_size"))


def from_letters(view: View) -> None:
    """Take the B of a loader of the repository's own, which cuts a text into B rows of T tokens."""
    view.number("batch_size", lettered(view, "B"))


def lettered(view: View, letter: str) -> Value | None:
    """Give what the first loader that keeps a B and a T keeps under one of these letters."""
    for value in view.run.instances:
        kept: dict[str, Value] = value.data.attrs
        if all(is_count(kept.get(name)) for name in "BT") and gives_batches(value.data.cls):
            return kept[letter]
    return None


def is_count(value: Value | None) -> bool:
    """Tell a number of things, of which there is at least one."""
    return value is not None and type(value.data) is int and value.data > 0


def gives_batches(cls: Class) -> bool:
    """Tell a class of loaders by its methods from one that only keeps settings: a quantizer, a schedule, a network."""
    methods = {name for one in cls.lineage() for name in one.attrs}
    gives = any(name in ("__iter__", "__next__") or "batch" in name.lower() for name in methods)
    return gives and not is_model_class(cls)


def from_division(view: View) -> None:
    """Take the whole batch as it is configured where the program shares it among devices that are not counted."""
    view.number("batch_size", shared_batch(view, "global_batch_size", "batch_size"))


def shared_batch(view: View, *meanings: str) -> Value | None:
    """Give an option of a batch that the program shares out among devices."""
    places = {spot for field_name in meanings for _, value in view.options(field_name) for spot in value.src}
    shared = view.run.about(TrainingSigns).shared
    return next((whole for whole in shared if places.intersection(whole.src)), None)


def from_share(view: View) -> None:
    """Take the micro-batch that the command names as such; a loader may then make the batches of all devices."""
    names = option_names()["batch_size"]
    shares_whole = shared_batch(view, "global_batch_size", "batch_size") is not None
    for place, value in view.options("batch_size"):
        is_share = any(part in names[place] for part in ("micro", "per_gpu"))
        is_meant = view.is_told(value) or (shares_whole and "micro" in names[place])
        if is_share and type(value.data) is int and is_meant:
            view.number("batch_size", value)
            return


def batches_are_made_before(view: View, loader: Event) -> bool:
    """Tell a loader of ready-made batches: it takes one at a time, though the command asks for a batch of some size."""
    size, asked = loader.arg(1, "batch_size"), view.option("batch_size")
    in_code = size is not None and all(spot.path == loader.spot.path for spot in size.src)
    if in_code and takes_the_item(loader):
        return True
    return in_code and asked is not None and any(spot.path == COMMAND for spot in asked.src)


def is_aside(view: View, loader: Event, size: Value | None) -> bool:
    """Tell a loader in a branch that may not be taken, of another size than the one that the command asks for."""
    asked = view.option("batch_size")
    told = asked is not None and view.is_told(asked) and not loader.sure
    return told and asked is not None and size is not None and set(size.src).isdisjoint(asked.src)


def find_global_batch(view: View) -> None:
    """Find the samples of an optimizer step: as configured, else micro-batch x replicas x accumulation."""
    accumulation = view.accumulation or Value(None)
    value = view.option("global_batch_size")
    is_settled = "global_batch_size" not in view.unsettled
    if is_settled and value is not None and isinstance(value.data, int) and value.data > 0:
        if not is_share_of_batch(view, value):
            view.number("global_batch_size", samples_of(view, value))
        return
    divided = divided_batch(view)
    whole = divided[0] if divided is not None else shared_batch(view, "batch_size")
    if whole is not None and isinstance(accumulation.data, int):
        if whole.src and set(whole.src) == set(accumulation.src):
            return  # both stand in one line: whether one follows from the other is not seen
        times = 1 if is_worked_out_from(accumulation, whole) else accumulation.data
        product = Value(whole.data * times * machines_beside(view), whole.src)
        view.number("global_batch_size", product, "shared out among the processes")
        return
    batch, replicas = view.values.get("batch_size"), data_parallel_size(view)
    of_all = is_spread_by(view, "JAX") and not is_share(view) and accumulation.data in (None, 1)
    if batch is not None and replicas is None and of_all:
        view.keep("global_batch_size", batch.value, batch.spots, "such programs set the batch of all devices")
    known = batch is not None and isinstance(batch.value, int) and isinstance(accumulation.data, int)
    if batch is None or not known or takes_open_devices(view):
        return
    if replicas is None:
        keep_whole(view, Value(batch.value * accumulation.data, batch.spots))
        return
    if view.once(find_towers) is not None and not splits_among_towers(view):
        return  # whether each tower gets a batch of its own, or a part of one, is not seen
    shares = view.get("distributed") in ("DataParallel", "MXNet data parallel", LABEL)
    if (shares and view.once(trainer_arguments) is None) or splits_batches(view) or is_dealt_out(view):
        share_among_threads(view, batch, replicas, accumulation)
        return
    pieces = pieces_of_batch(view, batch.value) if accumulation.data == 1 else None
    accumulation = pieces or accumulation
    told = view.option("accumulation") is not None or bool(accumulation.src)
    if steps_unseen(view) and (not told or (replicas.data > 1 and not is_share(view))):
        return
    total = batch.value * replicas.data * accumulation.data
    spots = join_spots(Value(0, batch.spots[:1]), Value(0, replicas.src[:1]), Value(0, accumulation.src[:1]))
    note = f"{batch.value} x {replicas.data} processes x {accumulation.data} accumulated"
    view.keep("global_batch_size", total, spots, note)


def is_share_of_batch(view: View, value: Value) -> bool:
    """Tell what is called the whole batch and is less than a device's: one device's share of it, settled as such."""
    batch, replicas = view.values.get("batch_size"), data_parallel_size(view)
    worked_out = any(spot.path.endswith(".py") for spot in value.src[:1])  # a configuration means what it says
    if batch is None or type(batch.value) is not int or value.data >= batch.value or not worked_out:
        return False
    if replicas is not None and value.data * replicas.data == batch.value:
        view.keep("global_batch_size", batch.value, batch.spots, "shared out among the processes")
        view.correct("batch_size", value.data, value.src or batch.spots, "a process's share of the whole batch")
    return True


def splits_batches(view: View) -> bool:
    """Tell Keras' `fit` under a strategy that mirrors the model: what the data are cut into is split among replicas."""
    of_each = view.values["batch_size"].basis is Basis.EACH_REPLICA if "batch_size" in view.values else False
    mirrors = is_spread_by(view, "MirroredStrategy") and not of_each
    return mirrors and any(event.sure and event.short in ("fit", "fit_generator") for event in view.events)


def samples_of(view: View, whole: Value) -> Value:
    """Give a whole batch in samples that the program counts in tokens: so many sequences, accumulated so often."""
    rows = lettered(view, "T")
    batch, length, replicas = view.get("batch_size"), view.option("sequence_length"), data_parallel_size(view)
    if rows is not None and type(batch) is int and batch > 0 and whole.data % (batch * rows.data) == 0:
        return Value(whole.data // rows.data, join_spots(whole, rows))
    times = view.accumulation.data if view.accumulation is not None else None
    if length is None or replicas is None or not all(type(one) is int for one in (batch, length.data, times)):
        return whole
    samples = batch * replicas.data * times
    is_counted_in_tokens = whole.data != samples and whole.data == samples * length.data
    return Value(samples, join_spots(whole, length)) if is_counted_in_tokens else whole


def share_among_threads(view: View, batch: ProposedValue, replicas: Value, accumulation: Value) -> None:
    """Split the batch that one process makes among its GPUs, as `torch.nn.DataParallel` does."""
    view.keep("global_batch_size", batch.value * accumulation.data, batch.spots, WHOLE)
    if batch.value % replicas.data == 0:
        spots = (*batch.spots[:2], *replicas.src[:1])
        view.correct("batch_size", batch.value // replicas.data, spots, "shared among the GPUs of one process")


def is_worked_out_from(accumulation: Value, whole: Value) -> bool:
    """Tell how often a step accumulates where it follows from the whole batch, which then has all of it in it."""
    return bool(whole.src) and set(whole.src) < set(accumulation.src)


def machines_beside(view: View) -> int:
    """Count the machines that each share a batch of their own out among the processes that they start."""
    divided, started = divided_batch(view), view.run.about(ProcessSigns).started
    on_node = divided is not None and started is not None and divided[1].data is started.data
    nodes = view.get("num_nodes") if on_node else None
    return nodes if isinstance(nodes, int) else 1


def divided_batch(view: View) -> tuple[Value, Value] | None:
    """Give the whole batch where the code divides it by a number of processes that is not known, and that number."""
    for event in training_loaders(view):
        value = event.arg(1, "batch_size")
        for _ in range(4):
            if value is None or not isinstance(value.data, Unknown) or not value.data.parts:
                break
            if value.data.reason is Reason.DIVIDED and isinstance(value.data.parts[0].data, int):
                return value.data.parts[0], value.data.parts[1]
            value = value.data.parts[0]
    return None


RULES = (
    Rule(Subject.ACCUMULATION, "conditions on the step", from_conditions),
    Rule(Subject.ACCUMULATION, "options", accumulation_option),
    Rule(Subject.BATCH, "the command's share of a device", from_share),
    Rule(Subject.BATCH, "the loader", from_loader),
    Rule(Subject.BATCH, "what is shared out", from_division),
    Rule(Subject.BATCH, "options", from_option),
    Rule(Subject.BATCH, "letters of an own loader", from_letters),
    Rule(Subject.BATCH, "rollouts", find_rollout_batch),
    Rule(Subject.GLOBAL_BATCH, "batch, replicas and accumulation", find_global_batch),
)
