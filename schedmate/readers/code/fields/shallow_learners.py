"""Jobs that fit no network: scikit-learn, XGBoost, LightGBM and CatBoost, whose estimators name what is learned."""

from schedmate.knowledge.code_words import meanings, words
from schedmate.knowledge.models import family_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import SHALLOW
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.batch_requests import gpus_per_node
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value

NAMES = meanings("training.shallow_names")

ENDS = meanings("training.shallow_tasks")
"""How estimators' names end that learn something, and what they learn; scalers and encoders are none."""
DEEP = frozenset(words("training.libraries"))
TEXT = words("training.text_vectorizers")


def fitted(view: View) -> list[tuple[Event, str]]:
    """Give the estimators that are fitted, where the job trains no network."""
    fits = (event for event in view.named("fit", "fit_predict") if event.name.startswith(SHALLOW))
    named = ((event, event.name.split(".")[-2]) for event in fits)
    return [(event, name) for event, name in named if name.endswith(tuple(ENDS))] if not view.get("is_training") else []


def name_framework(view: View) -> None:
    """Name the library of what is fitted first."""
    for event, _ in fitted(view)[:1]:
        library = event.name.partition(".")[0]
        view.keep("framework", NAMES[library], (event.spot, *view.import_spot(library)))


def name_model(view: View) -> None:
    """Name the estimator that is fitted first; a network that works its features out is not the model."""
    for event, name in fitted(view)[:1]:
        view.keep("model_name", name, (event.spot,))
        family = family_of(name)
        if family is not None:
            view.keep("model_type", family.kind, (event.spot,))
        for other in ("param_size", "model_type"):
            view.rule_out(other)


def tell_task(view: View) -> None:
    """Take what kind of estimator is fitted; one of vectorized text learns from text."""
    for event, name in fitted(view)[:1]:
        meaning = next(task for end, task in ENDS.items() if name.endswith(end))
        text = view.named(*TEXT)
        view.keep("task", "NLP" if text else "tabular", (event.spot, *(one.spot for one in text[:1])))
        view.keep("task_fine", f"text {meaning}" if text else meaning, (event.spot,))


def runs_alone(view: View) -> None:
    """Say that nothing is spread: such libraries compute in one process."""
    for event, _ in fitted(view)[:1]:
        if not view.launch.ranks:
            view.keep("distributed", "none", (event.spot,), "fitted in one process")


ON_GPUS = ("gpu", "cuda")
GPU_LIBRARIES = frozenset(words("libraries.accelerating"))

SWITCHES = ("tree_method", "device", "device_type", "task_type", "predictor")
"""How such libraries are told to compute on a GPU."""


def works_elsewhere(view: View) -> bool:
    """Tell a job that puts such libraries on a GPU as a whole, or starts other programs too: they may do anything."""
    told = {str(word.data).partition(".")[0] for word in view.launch.words[:4]}
    started = view.run.about(ProcessSigns)
    return not GPU_LIBRARIES.isdisjoint(view.imports | told) or bool(started.commands) or started.starts is not None


def trains_no_network(view: View) -> None:
    """Say no where an estimator is surely fitted and no library of networks is on the path, whatever else was lost."""
    for event, _ in fitted(view)[:1]:
        if event.sure and view.imports.isdisjoint(DEEP) and not works_elsewhere(view):
            view.keep("is_training", False, (event.spot,), "an estimator is fitted: no network is trained")


def computes_on_cpu(view: View) -> None:
    """Count no GPU where nothing that is fitted is told to use one, and no library of networks is on the path."""
    found = fitted(view)
    if not found or not view.imports.isdisjoint(DEEP) or gpus_per_node(view.launch) is not None:
        return
    if works_elsewhere(view):
        return
    made = [event.owner.data for event, _ in found if event.owner is not None]
    known = [one for one in made if isinstance(one, ExternalResult)]
    settings = [setting for one in known for setting in one.kwargs.items()]
    if len(known) < len(found) or any(name == "**" or asks_for_gpu(name, value) for name, value in settings):
        return
    view.keep("num_gpus", 0, (found[0][0].spot,), "such libraries compute on the CPU unless they are told otherwise")


def asks_for_gpu(name: str, value: Value) -> bool:
    """Tell a setting that means a GPU, or may."""
    if name not in SWITCHES:
        return False
    return not isinstance(value.data, str) or any(word in value.data.lower() for word in ON_GPUS)


RULES = (
    Rule(Subject.IS_TRAINING, "what is fitted", trains_no_network),
    Rule(Subject.PROCESSES, "what is fitted", computes_on_cpu),
    Rule(Subject.FRAMEWORK, "what is fitted", name_framework),
    Rule(Subject.MODEL, "what is fitted", name_model),
    Rule(Subject.TASK, "what is fitted", tell_task),
    Rule(Subject.DISTRIBUTED, "what is fitted", runs_alone),
)
