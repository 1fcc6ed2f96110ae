"""How many samples a job sees at once that only uses a network: by the loaders that it goes over, or as told."""

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.data_loaders import LOADERS, inner_values
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import COMMAND, Value


def chosen_batch(view: View) -> None:
    """Find the batch of a job that does not train: only one that its command or configuration chose for it."""
    names = option_names()["batch_size"]
    options = [value for place, value in view.options("batch_size") if "train" not in names[place]]
    value = options[0] if options else None
    entry = view.program.entry
    if value is not None and value.src and (entry is None or value.src[0].path != entry.path):
        path = value.src[0].path
        if path == COMMAND or not path.endswith(".py") or path in chosen_files(view):
            view.number("batch_size", value)


def batch_of_use(view: View) -> None:
    """Take the batch of the loaders of a job that only uses a model, where they agree."""
    loaders = gone_over(view, [event for event in view.events if event.short in LOADERS and event.sure])
    sizes = [size for event in loaders if (size := event.arg(1, "batch_size")) is not None]
    if sizes and len({str(size.data) for size in sizes}) == 1 and type(sizes[0].data) is int:
        view.number("batch_size", Value(sizes[0].data, sizes[0].src or (loaders[0].spot,)))


def gone_over(view: View, loaders: list[Event]) -> list[Event]:
    """Keep the loaders that loops go over, where any is seen to: those of the training may be made, and not be used."""
    loops = {id(loop): loop for event in view.events for loop in event.loops}
    used = [data for loop in loops.values() for data in inner_values(loop.items)]
    return [one for one in loaders if any(one.result.data is data for data in used)] or loaders


OF_USE = ("eval_batch_size", "predict_batch_size", "test_batch_size", "val_batch_size", "per_device_eval_batch_size")


def batch_of_use_by_name(view: View) -> None:
    """Take the option that means the batch of an evaluation, where only one of them is set."""
    found = [mapping[name] for mapping in view.namespaces for name in OF_USE if name in mapping]
    if len({str(value.data) for value in found}) == 1:
        view.number("batch_size", found[0])


def batch_that_is_read(view: View) -> None:
    """Take the option that a job which only uses a model reads, if it is the only one of this meaning."""
    names = option_names()["batch_size"]
    options = {str(value.data): value for place, value in view.options("batch_size") if "train" not in names[place]}
    if len(options) == 1 and view.all_read("batch_size"):
        view.number("batch_size", next(iter(options.values())))


def chosen_files(view: View) -> set[str]:
    """Give the files that the command itself names."""
    return {path for path in view.run.repository.trace.files if path in view.program.command}


RULES = (
    Rule(Subject.CHOSEN_BATCH, "loaders", batch_of_use),
    Rule(Subject.CHOSEN_BATCH, "what the command chose", chosen_batch),
    Rule(Subject.CHOSEN_BATCH, "options of an evaluation", batch_of_use_by_name),
    Rule(Subject.CHOSEN_BATCH, "options that are read", batch_that_is_read),
)
