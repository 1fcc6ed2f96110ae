"""fastai: learners that are made by one call of data and network, and told to train by another."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import FASTAI_CALLS
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Value, held

LEARNERS = {
    "vision_learner": "CV", "cnn_learner": "CV", "create_cnn": "CV", "unet_learner": "CV",
    "text_classifier_learner": "NLP", "language_model_learner": "NLP", "tabular_learner": "tabular",
    "collab_learner": "tabular", "Learner": "",
}  # fmt: skip
"""Calls that make a learner, and what it learns from."""
FINE = {
    "vision_learner": "image classification", "cnn_learner": "image classification",
    "create_cnn": "image classification", "unet_learner": "semantic segmentation",
    "text_classifier_learner": "text classification", "language_model_learner": "language modeling",
    "tabular_learner": "tabular prediction", "collab_learner": "recommendation",
}  # fmt: skip

FIRST_MODULES = {"fastai.basic_train", "fastai.vision", "fastai.text", "fastai.tabular"}
"""Modules that give anything by a star in fastai 1 alone."""
TYPES = {"tabular_learner": "mlp"}

BUNCHES = ("DataLoaders", "DataBunch", "DataBunch.create", "databunch", "dataloaders")
"""How the classes and methods end that cut data into batches."""


def learners(view: View) -> list[Event]:
    """Give the calls that make learners, less a teacher's, from whom another network learns."""
    made = [event for event in view.named(*LEARNERS) if event.name.startswith("fastai")]
    return [event for event in made if not any("teacher" in name.lower() for name in names_of(event))]


def names_of(event: Event) -> list[str]:
    """Give the names under which the program holds what a call made."""
    made = event.result.data
    return made.names if isinstance(made, ExternalResult) else []


def trainings(view: View) -> list[Event]:
    """Give the calls that tell a learner to train."""
    made = [event for event in view.named(*FASTAI_CALLS, "fit") if event.name.startswith("fastai")]
    return [event for event in made if event.name.split(".")[-2] in LEARNERS]


def tell_model(view: View) -> None:
    """Take the network that a learner is given by its maker: `vision_learner(dls, resnet34)`."""
    for event in learners(view):
        given = event.arg(1, "arch", "base_arch", "model")
        name = given.data.name.rpartition(".")[2] if given is not None and isinstance(given.data, External) else ""
        view.keep("model_name", name, (event.spot,))
        view.keep("model_type", TYPES.get(event.short), (event.spot,))


def tell_task(view: View) -> None:
    """Take what the learner is made for."""
    for event in learners(view):
        if LEARNERS[event.short]:
            view.keep("task", LEARNERS[event.short], (event.spot,))
            view.keep("task_fine", FINE[event.short], (event.spot,))


def tell_batch(view: View) -> None:
    """Take the batch that the data are cut into, 64 where they are not told."""
    for event in view.events:
        named = event.name.startswith("fastai") and any(part.endswith(BUNCHES) for part in event.name.split(".")[-2:])
        if not named:
            continue
        size = event.arg(-1, "bs", "batch_size")
        if size is not None:
            view.number("batch_size", size)
        else:
            keep_default(
                view, "batch_size", event, library_config("fastai.DataLoaders")["batch_size"], "fastai: bs = 64"
            )


def tell_optimizer(view: View) -> None:
    """Take the optimizer of the learner, Adam where it is not told, and the peak of the first call that trains."""
    for event in learners(view):
        told = event.arg(-1, "opt_func", "opt")
        if told is None:
            keep_default(view, "optimizer", event, "Adam", "fastai: opt_func = Adam")
        elif isinstance(told.data, External):
            view.keep("optimizer", told.data.name.rpartition(".")[2], told.src or (event.spot,))
    for event in trainings(view)[:1]:
        rate = event.arg(1, "base_lr" if event.short == "fine_tune" else "lr_max", "max_lr", "lr")
        own = [made.arg(-1, "lr") for made in learners(view)] if event.short != "fine_tune" else []
        rate = rate or next((one for one in own if one is not None), None)
        version = version_of(view)
        if rate is not None:
            view.number("learning_rate", peak_of(rate))
        elif version is not None:
            default = library_config(f"{version}.{event.short}").get("learning_rate")
            keep_default(view, "learning_rate", event, default, f"fastai: {event.short} at {default}")


def version_of(view: View) -> str | None:
    """Tell fastai 2 from fastai 1 by what only one of them has; they train at other rates by default."""
    modules = set(view.run.imports)
    if any(name.endswith(".all") or name.startswith("fastai.data") for name in modules) or view.named("vision_learner"):
        return "fastai"
    if modules & FIRST_MODULES or view.named("create_cnn", "databunch"):
        return "fastai1"
    return None


def peak_of(rate: Value) -> Value | None:
    """Give the highest of the rates that layers get: `slice(low, high)`."""
    made = held(rate, ExternalResult)
    if made is not None and made.short == "slice":
        return made.args[-1] if made.args else None
    return rate


def tell_data(view: View) -> None:
    """Take the set that fastai fetches: `untar_data(URLs.PETS)`."""
    for event in view.named("untar_data"):
        given = event.arg(0, "url")
        if given is not None and isinstance(given.data, External) and ".URLs." in given.data.name:
            view.keep("dataset_name", given.data.name.rpartition(".")[2], given.src or (event.spot,))


RULES = (
    Rule(Subject.DATA, "what fastai fetches", tell_data),
    Rule(Subject.MODEL, "fastai's learner", tell_model),
    Rule(Subject.TASK, "fastai's learner", tell_task),
    Rule(Subject.BATCH, "fastai's data", tell_batch),
    Rule(Subject.OPTIMIZER, "fastai's learner", tell_optimizer),
)
