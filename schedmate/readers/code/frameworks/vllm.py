"""vLLM: an engine on as many GPUs as its groups have members, on one where it is told nothing."""

from schedmate.readers.code.evidence.precision_words import keep_precision
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import Value, product

GROUPS = {"tensor_parallel_size": "TP", "pipeline_parallel_size": "PP"}


def engines(view: View) -> list[Event]:
    """Give the engines of a job that only uses a model; beside a trainer they are no measure of the job."""
    made = [event for event in view.events if event.name in ("vllm.LLM", "vllm.AsyncLLMEngine") and event.sure]
    return [event for event in made if view.get("is_training") is False and "**" not in event.kwargs][:1]


def sizes_of(engine: Event) -> dict[str, Value]:
    """Give the size of each group of the engine."""
    one = Value(1, (engine.spot,))
    return {label: engine.kwargs.get(name, one) for name, label in GROUPS.items()}


def tell_processes(view: View) -> None:
    """Multiply the engine's groups."""
    for engine in view.once(engines):
        view.number("num_gpus", product(*sizes_of(engine).values()))


def tell_strategy(view: View) -> None:
    """Name the groups of more than one GPU; an engine on one GPU spreads nothing."""
    for engine in view.once(engines):
        sizes = sizes_of(engine)
        for label, size in sizes.items():
            if type(size.data) is int and size.data > 1:
                view.spreads(label, size.src or (engine.spot,))
        if all(size.data == 1 for size in sizes.values()):
            view.keep("distributed", "none", (engine.spot,), "an engine on one GPU")


def tell_precision(view: View) -> None:
    """Take the type that the engine is told to compute in."""
    for engine in view.once(engines):
        keep_precision(view, engine.kwargs.get("dtype"), engine.spot)


RULES = (
    Rule(Subject.CASTS, "vLLM", tell_precision),
    Rule(Subject.PROCESSES, "vLLM", tell_processes),
    Rule(Subject.DISTRIBUTED, "vLLM", tell_strategy),
)
