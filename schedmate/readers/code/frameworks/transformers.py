"""Hugging Face Transformers: arguments with the library's defaults, and the trainer that runs the loop by them."""

from schedmate.knowledge.optimizers import named_after
from schedmate.knowledge.trainers import argument_records
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer, optimizer_events
from schedmate.readers.code.evidence.precision_words import is_precision_open
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.nested import is_default, record_defaults
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Unknown, Value, unknown

OF_TRAINER = {"num_train_epochs", "per_device_train_batch_size"}
"""What only the arguments of this trainer hold."""


def trainer_arguments(view: View) -> ExternalResult | None:
    """Give the arguments of the Hugging Face trainer that is used."""
    if view.get("is_training") is None:
        return None
    made = [data for event in view.events if isinstance(data := event.result.data, ExternalResult)]
    for found in made:
        if found.attrs.keys() >= OF_TRAINER:
            return found
    for value in [*view.run.namespaces, *view.run.instances]:
        if hasattr(value.data, "attrs") and value.data.attrs.keys() >= OF_TRAINER:
            return ExternalResult("transformers.TrainingArguments", [], {}, value.data.spot, attrs=value.data.attrs)
    return None


def told(view: View) -> dict[str, Value]:
    """Give what those arguments hold; nothing where such a trainer is not used."""
    arguments = view.once(trainer_arguments)
    return arguments.attrs if arguments is not None else {}


def training_arguments(call: Call) -> Value | None:
    """Model `TrainingArguments(...)`: options that are not given have the library's defaults."""
    defaults = record_defaults(call.name, call.spot)
    if "**" in call.kwargs:
        defaults = {name: unknown("one of settings that are not known", call.kwargs["**"]) for name in defaults}
    attrs = {**defaults, **call.kwargs}
    return call.made(attrs)


def trainer_train(call: Call) -> Value | None:
    """Note that a trainer trains."""
    call.run.about(TrainingSigns).surely = call.spot
    return call.made(owner=call.owner)


def tell_optimizer(view: View) -> None:
    """Take the Hugging Face trainer's arguments; a rate that a search over hyperparameters tries is open."""
    if view.named("hyperparameter_search"):
        view.rule_out("learning_rate")
    if not (gets_optimizers(view) and optimizer_events(view)) and not is_left_to_own(view):
        view.number("learning_rate", told(view).get("learning_rate"))
        switch = told(view).get("adafactor")  # the older way to ask for it, which wins over `optim`
        asks = switch is not None and switch.data is True
        keep_optimizer(view, Value("Adafactor", switch.src) if switch and asks else told(view).get("optim"))


def is_left_to_own(view: View) -> bool:
    """Tell arguments that no trainer of the library's gets, in a program with an optimizer of its own or of optax."""
    classes = [value.data.cls for value in view.run.instances]
    called = [event.name for event in view.events if isinstance(event.result.data, ExternalResult)]
    trainers = [name for cls in classes for name in cls.outside()] + called
    own = [cls for cls in classes if named_after(cls.name) or any(name.endswith("Optimizer") for name in cls.outside())]
    stepped = any(event.name.startswith("optax.") for event in optimizer_events(view))
    return (bool(own) or stepped) and not any(name.endswith("Trainer") for name in trainers)


def gets_optimizers(view: View) -> bool:
    """Tell a trainer that is handed an optimizer, for which its own arguments count no more."""
    told = [event.kwargs["optimizers"] for event in view.events if "optimizers" in event.kwargs]
    pairs = [value.data for value in told if isinstance(value.data, (list, tuple))]
    return any(pair and isinstance(pair[0].data, ExternalResult) for pair in pairs)


def tell_duration(view: View) -> None:
    """Take steps where they are limited, else epochs."""
    steps = told(view).get("max_steps")
    if steps is not None and isinstance(steps.data, int) and steps.data > 0:
        view.number("total_steps", steps)
        view.rule_out("epochs")
    elif steps is None or not isinstance(steps.data, Unknown) or not is_default(told(view)["num_train_epochs"]):
        view.number("epochs", told(view).get("num_train_epochs"))


def tell_batch(view: View) -> None:
    """Take the micro-batch of a device."""
    view.number("batch_size", told(view).get("per_device_train_batch_size"))


def tell_accumulation(view: View) -> None:
    """Take over how many steps gradients are gathered."""
    view.accumulates(told(view).get("gradient_accumulation_steps"))


def tell_precision(view: View) -> None:
    """Take the switches of half precision."""
    for name in ("bf16", "fp16"):
        value = told(view).get(name)
        if value is not None and value.data is True:
            view.keep("precision", name, value.src)


def default_precision(view: View) -> None:
    """Take single precision where the trainer is asked for no other."""
    arguments = view.once(trainer_arguments)
    if arguments is not None and is_precision_open(view):
        asked = [arguments.attrs.get(name) for name in ("bf16", "fp16")]
        if all(value is not None and value.data is False for value in asked):
            view.keep("precision", "fp32", (arguments.spot,), "neither bf16 nor fp16 is asked for")


def tell_strategy(view: View) -> None:
    """Take the engines that the trainer is told to use."""
    for name, label in (("deepspeed", "DeepSpeed"), ("fsdp", "FSDP")) if told(view) else ():
        value = view.told.get(name) or told(view).get(name)
        if value is not None and not isinstance(value.data, Unknown) and truth(value):
            view.spreads(label, value.src)


ENDINGS: dict[str, Hook] = {**dict.fromkeys(argument_records(), training_arguments), "Trainer.train": trainer_train}
RULES = (
    Rule(Subject.DURATION, "Transformers", tell_duration),
    Rule(Subject.BATCH, "Transformers", tell_batch),
    Rule(Subject.ACCUMULATION, "Transformers", tell_accumulation),
    Rule(Subject.PRECISION, "Transformers", tell_precision),
    Rule(Subject.PRECISION, "Transformers' default", default_precision),
    Rule(Subject.DISTRIBUTED, "Transformers", tell_strategy),
    Rule(Subject.OPTIMIZER, "Transformers", tell_optimizer),
)
