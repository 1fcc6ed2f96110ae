"""TensorFlow and Keras: steps on replicas, and models that are compiled and fitted."""

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.library_trainers import row_of_call
from schedmate.knowledge.optimizers import canonical, named_after
from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import (
    External,
    Unknown,
    Value,
    held,
    mapping_of,
    product,
    sequence_of,
    unknown,
)

REPLICAS = "num_replicas_in_sync"


def run_on_replicas(call: Call) -> Value | None:
    """Model `strategy.run(step, args=(batch,))`: the step is followed as one replica takes it."""
    args = call.arg(1, "args")
    return call.run.call(call.need(0, "fn"), list(sequence_of(args)), {}, call.spot, call.scope)


def is_whole(run: Run, settings: Value) -> bool:
    """Tell settings of which each is known by its name."""
    return isinstance(settings.data, dict) and run.has_known_length(settings)


def optimizer_of(call: Call) -> Value | None:
    """Model `optimizers.get("sgd")`, and `get` and `deserialize` of a mapping with a class's name and its settings."""
    given = call.need(0, "identifier" if call.name.endswith("get") else "config")
    told = mapping_of(given)
    name, settings = (told.get("class_name"), mapping_of(told.get("config"))) if told else (given, {})
    known = canonical(held(name, str) or "")
    if name is None or known is None:
        return None
    kwargs = {key: value for key, value in settings.items() if isinstance(key, str) and key != "name"}
    given_settings = told.get("config")
    if given_settings is not None and not is_whole(call.run, given_settings):
        kwargs.setdefault("learning_rate", unknown("settings that were not read", given_settings))
    made = Value(External(f"{call.name.rpartition('.')[0]}.{known}"), name.src)
    return call.run.call(made, [], kwargs, call.spot, call.scope)


def feed_replicas(call: Call) -> Value | None:
    """Model `strategy.distribute_datasets_from_function(make)`, which is handed the place of each input."""
    place = Value(ExternalResult("tensorflow.distribute.InputContext", [], {}, call.spot), (call.spot,))
    return call.run.call(call.need(0, "dataset_fn"), [place], {}, call.spot, call.scope)


def choose(call: Call) -> Value | None:
    """Model `tf.cond(test, one, other)`: either may be what runs."""
    ways = (call.kwargs.get("fn1") or call.arg(1, "true_fn"), call.kwargs.get("fn2") or call.arg(2, "false_fn"))
    known = [way for way in ways if way is not None]
    return call.run.call(unknown("one of two ways", *known), [], {}, call.spot, call.scope)


def keep_parts(call: Call) -> Value | None:
    """Model `tf.train.Checkpoint(model=net, optimizer=opt)`: what it saves is found in it under these names."""
    return call.made({name: value for name, value in call.kwargs.items() if not name.startswith("*")})


OTHERS = ("jax.", "optax.", "torch.", "mxnet.", "paddle.")
"""How calls of libraries begin in which something else than a model of Keras' may learn."""
FITS = ("fit", "fit_generator", "train_on_batch", "train_step")


def compiled(view: View) -> list[Event]:
    """Give the calls that compile a model, but those of a library that has words of its own for it.

    Where another library surely trains and no model is fitted, what is compiled only stands in for another one.
    """
    if not view.named(*FITS) and any(event.sure and event.name.startswith(OTHERS) for event in view.training):
        return []
    return [event for event in view.named("compile") if row_of_call(event.name) is None]


def tell_optimizer(view: View) -> None:
    """Take the optimizer that Keras compiles a model with, by name or as an object."""
    for event in compiled(view):
        value = event.kwargs.get("optimizer") or event.arg(0)
        name = canonical(held(value, str) or "")
        if value is not None and name is not None:
            view.keep("optimizer", name, value.src)
            keep_keras_rate(view, name, value)


CHANGED = frozenset({"Adadelta"})
"""Optimizers whose rate is another from one version of Keras to the next: 1.0, later 0.001."""


def tell_compiled_again(view: View) -> None:
    """Take the optimizer that the only fitted model is compiled with by name, be others compiled with objects."""
    fitted = {id(event.owner.data) for event in view.named("fit", "fit_generator") if event.owner is not None}
    made = [event for event in compiled(view) if event.owner is not None and id(event.owner.data) in fitted]
    value = made[0].kwargs.get("optimizer") or made[0].arg(0) if len(fitted) == len(made) == 1 else None
    name = canonical(held(value, str) or "")
    if value is None or name is None or not made[0].sure:
        return
    view.keep("optimizer", name, value.src)
    if name in CHANGED:
        view.rule_out("learning_rate")
    else:
        keep_keras_rate(view, name, value)


def tell_own_optimizer(view: View) -> None:
    """Take an optimizer of the repository's own that Keras compiles a model with."""
    for event in view.named("compile"):
        made = held(event.kwargs.get("optimizer"), Instance)
        name = named_after(made.cls.name) if made is not None and event.sure else None
        if made is not None and name is not None:
            view.keep("optimizer", name, (made.spot, event.spot))


def keep_keras_rate(view: View, name: str, value: Value) -> None:
    """Take Keras' default learning rate of an optimizer that is only named."""
    rate = library_config(f"keras.optimizers.{name}").get("learning_rate")
    if rate is not None and value.src:
        note = f"default of keras.optimizers.{name}: learning_rate = {rate}"
        view.keep("learning_rate", rate, (value.src[0].as_default(note),), note)


def tell_steps(view: View) -> None:
    """Work out the steps of Keras' only `fit`, where it is told how many an epoch has."""
    calls = [event for event in view.named("fit", "fit_generator") if "steps_per_epoch" in event.kwargs]
    if len({event.spot for event in calls}) != 1:
        return
    if "initial_epoch" not in calls[0].kwargs:
        total = product(calls[0].kwargs["steps_per_epoch"], calls[0].kwargs.get("epochs") or Value(1))
        view.number("total_steps", total, "steps x epochs")


def tell_duration(view: View) -> None:
    """Take the epochs of `fit`, and its steps."""
    for event in view.named("fit", "fit_generator"):
        epochs = event.kwargs.get("epochs") or event.kwargs.get("nb_epoch")
        if not (epochs is not None and epochs.data == 1 and event.loops):  # a part of each round of a loop
            view.number("epochs", epochs)
    tell_steps(view)


def tell_batch(view: View) -> None:
    """Take the batch of `fit`, else the one that the data are cut into."""
    for event in view.named("fit"):
        view.number("batch_size", event.kwargs.get("batch_size"))
    sizes = [
        event.arg(0, "batch_size") for event in view.named("batch", "padded_batch") if cuts_what_trains(view, event)
    ]
    option = view.option("batch_size")
    if option is not None and view.is_told(option) and option.data != 1:
        sizes = [
            size for size in sizes if size is None or size.data != 1 or view.is_told(size)
        ]  # one item after another
    for size in sizes if all(map(is_told_size, sizes)) else ():  # which of several trains is not said
        made = held(size, ExternalResult)
        if made is not None and made.short == "get_per_replica_batch_size":
            view.number("global_batch_size", next(iter(made.args), None), "shared out among the replicas")
            continue
        share = share_of_replica(size)
        view.number("batch_size", share or size, basis=Basis.EACH_REPLICA if share is not None else None)


def cuts_what_trains(view: View, event: Event) -> bool:
    """Tell a call that cuts TensorFlow's data, of which no name says that they are an evaluation's."""
    cuts = "data" in event.name.lower() or "tfds" in event.name or "tensorflow" in event.name
    return cuts and not (view.get("is_training") and cuts_for_evaluation(event))


def is_told_size(size: Value | None) -> bool:
    """Tell a size that is known, or is shared out among replicas."""
    return held(size, Unknown) is None or share_of_replica(size) is not None


def share_of_replica(size: Value | None) -> Value | None:
    """Give K of a batch of `K * strategy.num_replicas_in_sync`, whose replicas are not counted."""
    open_size = held(size, Unknown)
    if open_size is None or open_size.reason is not Reason.MULTIPLIED:
        return None
    replicas = [one for one in open_size.parts if isinstance(one.data, External) and one.data.name.endswith(REPLICAS)]
    told = [one for one in open_size.parts if type(one.data) is int]
    return told[0] if len(replicas) == len(told) == 1 else None


def mirror(call: Call) -> Value | None:
    """Model `MirroredStrategy(["GPU:0", "GPU:1"])`, which has a replica on each device that it is told."""
    devices = sequence_of(call.arg(0, "devices"))
    attrs = {REPLICAS: Value(len(devices), (call.spot,))} if devices else {}
    return call.made(attrs)


def cuts_for_evaluation(event: Event) -> bool:
    """Tell data of an evaluation by the name that they are given or the function that makes them."""
    made = event.result.data
    names = made.names if isinstance(made, ExternalResult) and made.names else list(event.functions[-1:])
    return tells_evaluation(" ".join(names), "splits") and not any("train" in name.lower().split("_") for name in names)


STRATEGIES = ("MirroredStrategy", "MultiWorkerMirroredStrategy", "TPUStrategy", "OneDeviceStrategy", "Strategy")

HOOKS: dict[str, Hook] = {
    **by_names("tensorflow.cond tensorflow.compat.v1.cond", choose),
    "tensorflow.train.Checkpoint": keep_parts,
}
FEEDS = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")
ENDINGS: dict[str, Hook] = {
    "MirroredStrategy": mirror,
    **by_names("optimizers.get optimizers.deserialize", optimizer_of),
    **dict.fromkeys(FEEDS, feed_replicas),
    **{f"{strategy}.{way}": run_on_replicas for strategy in STRATEGIES for way in ("run", "experimental_run_v2")},
}
RULES = (
    Rule(Subject.DURATION, "Keras", tell_duration),
    Rule(Subject.BATCH, "Keras", tell_batch),
    Rule(Subject.OPTIMIZER, "what Keras compiles by name", tell_compiled_again),
    Rule(Subject.OPTIMIZER, "what Keras compiles", tell_own_optimizer),
    Rule(Subject.OPTIMIZER, "Keras", tell_optimizer),
)
