"""SpeechBrain: what its Brain is given of networks, and what a run of it does where it is told nothing."""

from schedmate.knowledge.models import family_of
from schedmate.readers.code.evidence.precision_words import keep_precision
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, held, mapping_of

WEIGHTS = ("source", "pretrained_model_name_or_path", "pretrained_path")
"""Under which names a library's network is told whose weights it starts from."""


def brains(view: View) -> list[Event]:
    """Give the Brains that are made."""
    return [event for event in view.named("Brain") if event.name.startswith("speechbrain.") and event.sure]


def setting(brain: Event, name: str) -> Value | None:
    """Give an option of the run, which wins over the same one among the hyperparameters."""
    options = (mapping_of(brain.arg(place, key)) for place, key in ((3, "run_opts"), (2, "hparams")))
    return next((mapping[name] for mapping in options if name in mapping and mapping[name].data is not None), None)


def tell_model(view: View) -> None:
    """Name the model after the weights that one of its modules starts from, else after the module with a known name."""
    for brain in view.once(brains):
        modules = [made for one in mapping_of(brain.arg(0, "modules")).values() if (made := held(one, ExternalResult))]
        for made in modules:
            source = next((made.kwargs[name] for name in WEIGHTS if name in made.kwargs), None)
            if source is not None and isinstance(source.data, str) and family_of(source.data) is not None:
                view.keep("model_name", source.data, (*source.src, made.spot, brain.spot))
        for made in modules:
            if family_of(made.short) is not None:
                view.keep("model_name", made.short, (made.spot, brain.spot))


def tell_processes(view: View) -> None:
    """Count the one device of one process; DataParallel takes what there is."""
    for brain in view.once(brains):
        device, shared = setting(brain, "device"), setting(brain, "data_parallel_backend")
        if started_in_ranks(view.launch) or (shared is not None and shared.data is not False):
            continue
        on_cpu = device is not None and device.data == "cpu"
        view.keep("num_gpus", 0 if on_cpu else 1, (brain.spot,), "one process of SpeechBrain's works on one device")


def tell_accumulation(view: View) -> None:
    """Take over how many batches gradients are gathered."""
    for brain in view.once(brains):
        view.accumulates(setting(brain, "grad_accumulation_factor") or Value(1, (brain.spot,)))


def tell_precision(view: View) -> None:
    """Take the precision, which is single where nothing else is said."""
    for brain in view.once(brains):
        mixed, told = setting(brain, "auto_mix_prec"), setting(brain, "precision")
        if mixed is not None and mixed.data is True:
            view.keep("precision", "fp16", mixed.src or (brain.spot,), "auto_mix_prec")
        keep_precision(view, told)
        if all(one is None or one.data is False for one in (mixed, told)):
            view.keep("precision", "fp32", (brain.spot,), "default of speechbrain.Brain: precision = fp32")


RULES = (
    Rule(Subject.MODEL, "SpeechBrain's modules", tell_model),
    Rule(Subject.PROCESSES, "SpeechBrain", tell_processes),
    Rule(Subject.ACCUMULATION, "SpeechBrain", tell_accumulation),
    Rule(Subject.PRECISION, "SpeechBrain", tell_precision),
)
