"""Keras: models that grow layer by layer, generators that cut the data, and what `fit` takes where it is not told."""

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, held, join_spots

FITS = {"fit": (2, 3), "fit_generator": (-1, 2)}
"""Calls that train, and at which places they are told the batch and the epochs."""
CUTTERS = {
    "flow": 2,
    "flow_from_directory": 5,
    "flow_from_dataframe": 9,
    "image_dataset_from_directory": 5,
    "text_dataset_from_directory": 4,
    "audio_dataset_from_directory": 4,
    "timeseries_dataset_from_array": 5,
}
"""Calls that cut data into batches, and at which place they are told of what size."""


def add_layer(call: Call) -> Value | None:
    """Model `model.add(layer)`: a model made empty grows by it."""
    call.own(ExternalResult).args.append(call.need(0, "layer"))
    return Value(None)


def is_keras(event: Event) -> bool:
    """Tell Keras' calls from those of other libraries, and `fit` of a network from that of what prepares data."""
    prepares = event.short in FITS and "preprocessing" in event.name
    return ("keras" in event.name or "tensorflow" in event.name) and not prepares


def tell_default(view: View, name: str, field_name: str, event: Event) -> None:
    """Propose what Keras takes where a call is not told."""
    value = library_config(name).get(field_name)
    if value is not None:
        keep_default(view, field_name, event, value, f"{name}: {field_name} = {value}")


def tell_cut(view: View) -> None:
    """Take the batch that a generator or a folder's data are cut into, and the default where they are not told."""
    for event in view.named(*CUTTERS):
        if not is_keras(event) or (view.get("is_training") and is_for_evaluation(event)):
            continue
        size = event.arg(CUTTERS[event.short], "batch_size")
        if size is not None:
            view.number("batch_size", size)
        else:
            tell_default(view, f"keras.{event.short}", "batch_size", event)


def is_for_evaluation(event: Event) -> bool:
    """Tell data of an evaluation by their subset, their folder or the name that they are given."""
    subset = held(event.kwargs.get("subset"), str)
    if subset is not None:
        return subset != "training"
    made = event.result.data
    names = " ".join(made.names if isinstance(made, ExternalResult) else [])
    if "train" not in names.lower() and not tells_evaluation(names, "splits"):
        names += " ".join(["", *(held(event.arg(0), str) or "").split("/")[-2:]])
    return tells_evaluation(names, "splits") and "train" not in names.lower()


def tell_fit(view: View) -> None:
    """Take batch and epochs of `fit` by their places."""
    for event in view.named(*FITS):
        batch, epochs = (event.arg(place) if is_keras(event) else None for place in FITS[event.short])
        view.number("batch_size", batch)
        if not (epochs is not None and epochs.data == 1 and event.loops):  # a part of each round of a loop
            view.number("epochs", epochs)


def tell_fits_in_a_row(view: View) -> None:
    """Add up the epochs of one model that is fitted several times, as it is when its base is frozen at first."""
    fits = sorted(filter(is_keras, view.named(*FITS)), key=lambda one: (one.spot.path, one.spot.line))
    models = {id(event.owner.data) for event in fits if event.owner is not None}
    begun = [event.kwargs.get("initial_epoch") for event in fits[1:]]  # be it a model that was loaded again
    goes_on = all(one is not None and one.data != 0 for one in begun)
    alone = all(event.sure and event.owner is not None and not event.loops for event in fits)
    if len(fits) < 2 or not alone:
        return
    if not (len(models) == 1 or goes_on):
        leave_lengths_open(view, fits)
        return
    total, told = 0, []
    for event in fits:
        epochs = event.arg(FITS[event.short][1], "epochs", "nb_epoch") or Value(1, (event.spot,))
        begins = event.kwargs.get("initial_epoch")
        if type(epochs.data) is not int or epochs.data < 1:
            return
        told.append(epochs)
        first = 0 if begins is None else begins.data if type(begins.data) is int else total
        total += max(0, epochs.data - first)
    view.number("epochs", Value(total, join_spots(*told)), f"{len(fits)} times one after the other")


def leave_lengths_open(view: View, fits: list[Event]) -> None:
    """Leave open how long a job trains that fits several models, each for another number of epochs."""
    told = [event.arg(FITS[event.short][1], "epochs", "nb_epoch") or Value(1) for event in fits]
    if len({str(epochs.data) for epochs in told}) > 1:
        view.rule_out("epochs")
        view.rule_out("total_steps")


def tell_fit_defaults(view: View) -> None:
    """Take what `fit` does where no call tells it: one epoch, and of plain arrays batches of 32."""
    fits = [event for event in view.named(*FITS) if is_keras(event)]
    told = any(event.arg(FITS[event.short][1], "epochs", "nb_epoch") is not None for event in fits)
    for event in fits:
        if event.short != "fit":
            continue
        if event.arg(2, "batch_size") is None and event.arg(1, "y") is not None:
            tell_default(view, "keras.Model.fit", "batch_size", event)
        if not told and not event.loops:
            tell_default(view, "keras.Model.fit", "epochs", event)


ENDINGS: dict[str, Hook] = {"Sequential.add": add_layer}
RULES = (
    Rule(Subject.DURATION, "Keras' fits, one after the other", tell_fits_in_a_row),
    Rule(Subject.DURATION, "what Keras' fit is told", tell_fit),
    Rule(Subject.BATCH, "what Keras cuts", tell_cut),
    Rule(Subject.BATCH, "Keras' own defaults", tell_fit_defaults),
)
