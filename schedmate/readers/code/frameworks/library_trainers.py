"""Trainers of many libraries, each known by an entry of a table: what they are told, and their defaults."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from schedmate.knowledge.code_words import words
from schedmate.knowledge.library_trainers import Row, row_of_call
from schedmate.knowledge.optimizers import is_library_optimizer
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.reinforcement import algorithm_of
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer, optimizer_events
from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Value, is_constant, sequence_of

NUMBERS = ("batch_size", "epochs", "total_steps", "learning_rate")
NAMES = ("model_name", "dataset_name")

PARCELS = ("args", "kwargs", "params", "parameters", "config", "hparams", "hyperparameters", "dict", "opts", "_info")
"""How arguments end that hold others: `optimizer_params`, `trainer_kwargs`."""
ASIDE = words("training.arguments_aside")

HALF = ("fp16", "use_amp", "amp", "bf16")
"""Switches of half precision."""
DEEPEST, MOST_ITEMS = 4, 200

WORDS = {"cpu": 0, "mps": 0, "cuda": 1, "gpu": 1}
"""How a word for a device begins, and how many GPUs it means."""


@dataclass
class ToldTrainer:
    """A trainer that the program uses: its entry, its call, and what it is told, the nearest first."""

    row: Row
    event: Event
    settings: list[tuple[str, Value]]
    """Fields, or words of the entry, and what is told of them."""
    made: list[str]
    """The dotted names of what is trained and its makers, the nearest first."""


def told_trainer(view: View) -> ToldTrainer | None:
    """Give the trainer whose call trains, with all that this call and those beside it tell."""
    found: ToldTrainer | None = None
    beside: list[tuple[str, Value]] = []
    for event in view.events:
        known = row_of_call(event.name)
        if known is None or (found is not None and known[0] is not found.row):
            continue
        row, trains = known
        if trains and found is not None:
            continue
        settings = list(settings_of(row, event))
        if not trains:  # of what stands beside the training only the entry's own words are sure to be about it
            own = {*row.get("keys", {}).values(), "optimizer", "learning_rate", "gpu_switch"}
            settings = [(field, value) for field, value in settings if field in own]
        if trains:
            found = ToldTrainer(row, event, settings, makers(event))
        else:
            beside += settings
    if found is None:
        return telling_only(view, beside)
    found.settings += beside
    return found


def telling_only(view: View, settings: list[tuple[str, Value]]) -> ToldTrainer | None:
    """Give the trainer that a program settles by its calls and then drives by a loop of its own."""
    for event in view.events:
        known = row_of_call(event.name)
        if known is not None and view.training:
            return ToldTrainer(known[0], event, settings, makers(event))
    return None


def makers(event: Event) -> list[str]:
    """Name a call and what made its object, the nearest first."""
    found, owner = [event.name], event.owner
    while owner is not None and isinstance(owner.data, ExternalResult) and len(found) < DEEPEST:
        found.append(owner.data.callee)
        owner = owner.data.owner
    return found


def settings_of(row: Row, event: Event) -> Iterator[tuple[str, Value]]:
    """Give what a call tells, then what made its object, then what those were handed of the same library."""
    inner = tuple(row.get("inner", ())) + tuple(row["prefixes"])
    parts = Parts(row, inner)
    yield from parts.arguments(event.short, event.args, event.kwargs, 0)
    owner, depth = event.owner, 0
    while owner is not None and isinstance(owner.data, ExternalResult) and depth < DEEPEST:
        made, depth = owner.data, depth + 1
        yield from parts.arguments(made.short, made.args, {**made.kwargs, **made.attrs}, 0)
        owner = made.owner


@dataclass
class Parts:
    """The parts of one call, each of which is read once, however many others hold it."""

    row: Row
    inner: tuple[str, ...]
    """How the names of those begin whose arguments count."""
    read: set[int] = field(default_factory=set)

    def arguments(
        self, short: str, args: list[Value], named: dict[str, Value], depth: int
    ) -> Iterator[tuple[str, Value]]:
        """Give the arguments of one call by their meaning, and those of what they hold."""
        for word, place in self.row.get("places", {}).get(short, {}).items():
            if place < len(args):
                yield word, args[place]
        for name, value in [*named.items()][:MOST_ITEMS]:
            meaning = meaning_of(self.row, name)
            if meaning:
                yield meaning, value
            packed = inside(value) if name.lower().endswith(PARCELS) else {}
            if packed and self.is_new(value.data, depth):
                yield from self.arguments("", [], packed, depth + 1)
        for value in [*args, *named.values()][:MOST_ITEMS]:
            made = self.handed_in(value)
            if made is not None and self.is_new(made, depth):
                kind = "optimizer" if is_library_optimizer(made.callee) else "handed"
                yield kind, Value(made.callee, (made.spot,))
                yield from self.arguments(made.short, made.args, {**made.kwargs, **made.attrs}, depth + 1)

    def handed_in(self, value: Value) -> ExternalResult | None:
        """Give what the library made, alone or in a row: what the first of several is told is not the others'."""
        for one in [value, *sequence_of(value)[:MOST_ITEMS]]:
            data = one.data if isinstance(one, Value) else None
            if isinstance(data, ExternalResult) and data.callee.startswith(self.inner):
                return data
        return None

    def is_new(self, data: object, depth: int) -> bool:
        """Tell whether something is not too deep within others and was not read before."""
        if depth >= DEEPEST or id(data) in self.read:
            return False
        self.read.add(id(data))
        return True


def inside(value: Value) -> dict[str, Value]:
    """Give what a mapping, or a row of pairs, holds by names."""
    if isinstance(value.data, dict):
        return {key: one for key, one in value.data.items() if isinstance(key, str)}
    pairs = [item.data for item in sequence_of(value)[:MOST_ITEMS] if isinstance(item, Value)]
    known = [pair for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
    return {pair[0].data: pair[1] for pair in known if isinstance(pair[0].data, str)}


def meaning_of(row: Row, name: str) -> str:
    """Give the field, or the word of the entry, that an argument's name means."""
    if name in row.get("keys", {}):
        return str(row["keys"][name])
    if name in row.get("gpu_switches", ()):
        return "gpu_switch"
    if name in row.get("unless_told", ()):
        return "unless_told"
    if name in HALF:
        return "half"
    if name.startswith(ASIDE):
        return ""
    meaning = field_of_name().get(squashed(name), ("", 0))[0]
    return meaning if meaning in NUMBERS or meaning == "optimizer" else ""


def tell_training(view: View) -> None:
    """Such a call trains."""
    told = view.once(told_trainer)
    if told is not None:
        view.keep("is_training", True, (told.event.spot,))


def tell_framework(view: View) -> None:
    """Name the library with what computes beneath it."""
    told = view.once(told_trainer)
    if told is not None:
        view.keep("framework", told.row["framework"], (told.event.spot,))


def tell_task(view: View) -> None:
    """Say what all that such a trainer trains learns."""
    told = view.once(told_trainer)
    if told is not None and "task" in told.row:
        view.keep("task", told.row["task"], (told.event.spot,))


def tell_settings(view: View) -> None:
    """Take what the trainer is told; where it is told nothing of a field, its default."""
    told = view.once(told_trainer)
    if told is None:
        return
    given: set[str] = set()
    for meaning, value in told.settings:
        given.add(meaning)
        take_setting(view, told.row, meaning, value, given)
    if "unless_told" not in given:
        fill_defaults(view, told, given)


def take_setting(view: View, row: Row, field: str, value: Value, given: set[str]) -> None:
    """Take one thing that the trainer is told."""
    if field in NUMBERS:
        view.number(field, value)
    elif field == "optimizer":
        keep_optimizer(view, value)
    elif field == "stop":
        take_trigger(view, value, given)
    elif field == "gpu_switch":
        take_switch(view, value, row)
    elif field == "half":
        keep_switch(view, value)


def fill_defaults(view: View, told: ToldTrainer, given: set[str]) -> None:
    """Keep the library's defaults of what is not given, be it to something that is not known."""
    if given & {"epochs", "total_steps"}:
        given |= {"epochs", "total_steps"}
    given |= {"precision"} if "half" in given else set()
    if optimizer_events(view):
        given |= {"optimizer", "learning_rate"}
    for name, default in told.row.get("defaults", {}).items():
        if name not in given and name != "num_gpus":
            keep_default(view, name, told.event, default, f"{told.event.short}: {name} = {default}")


def tell_devices(view: View) -> None:
    """Take on how many GPUs the library works by itself, where nothing else says it."""
    told = view.once(told_trainer)
    default = told.row.get("defaults", {}).get("num_gpus") if told is not None else None
    if told is not None and default is not None and all(word != "gpu_switch" for word, _ in told.settings):
        keep_default(view, "num_gpus", told.event, default, f"{told.event.short}: num_gpus = {default}")


def take_trigger(view: View, value: Value, given: set[str]) -> None:
    """Take when training stops: `(20, "epoch")`."""
    parts = sequence_of(value)
    if len(parts) == 2 and isinstance(parts[1].data, str):
        field = "epochs" if parts[1].data.startswith("epoch") else "total_steps"
        view.number(field, Value(parts[0].data, parts[0].src or value.src))
        given.add(field)


def take_switch(view: View, value: Value, row: Row) -> None:
    """Take whether a GPU is used, or on how many: a truth, a device's name or number, a list of devices."""
    count = None
    if isinstance(value.data, (list, tuple)):
        counts = [devices_in(one) for one in value.data]
        count = sum(one for one in counts if one is not None) if counts and None not in counts else None
    else:
        count = devices_in(value)
    if count is not None and not started_in_ranks(view.launch):  # else each process has its own
        view.keep("num_gpus", count, value.src)
    if count is not None and count > 1 and "several" in row:
        view.keep("distributed", row["several"], value.src)


def devices_in(value: Value) -> int | None:
    """Count the GPUs of one word for a device: none or one; None where it is not known."""
    data = value.data
    if isinstance(data, bool):
        return int(data)
    if isinstance(data, int):
        return int(data >= 0)
    if isinstance(data, str):
        return next((count for word, count in WORDS.items() if data.lower().startswith(word)), None)
    if isinstance(data, ExternalResult) and data.short in ("gpu", "cpu"):
        return int(data.short == "gpu")
    if isinstance(data, ExternalResult) and data.callee == "torch.device" and data.args and is_constant(data.args[0]):
        return devices_in(data.args[0])
    return None


def tell_model(view: View) -> None:
    """Name the model: by what the trainer is told, or by the class or module of what is trained."""
    told = view.once(told_trainer)
    if told is None:
        return
    keep_name(view, told, "model_name")
    kind = told.row.get("model")
    handed = [str(value.data) for word, value in told.settings if word == "handed"]
    for dotted in handed if kind == "handed" else told.made if kind is not None else ():
        parts = [part for part in dotted.split(".") if part[:1].isupper() or kind == "module"]
        for part in reversed(parts):
            name = next((part.removesuffix(end) for end in told.row.get("endings", ()) if part.endswith(end)), part)
            if algorithm_of(name) is not None:
                view.keep("model_name", name, (told.event.spot,))


def tell_data(view: View) -> None:
    """Name the data that the trainer is told by name."""
    told = view.once(told_trainer)
    if told is not None:
        keep_name(view, told, "dataset_name")


def keep_name(view: View, told: ToldTrainer, field: str) -> None:
    """Keep the text or the class that the trainer is told for a field."""
    for name, value in told.settings:
        data = value.data.name.rpartition(".")[2] if isinstance(value.data, External) else value.data
        if name == field and isinstance(data, str) and data:
            view.keep(field, data, value.src or (told.event.spot,))


RULES = (
    Rule(Subject.IS_TRAINING, "a library's trainer", tell_training),
    Rule(Subject.FRAMEWORK, "a library's trainer", tell_framework),
    Rule(Subject.PROCESSES, "a library's trainer", tell_devices),
    Rule(Subject.TRAINER, "a library's trainer", tell_settings),
    Rule(Subject.MODEL, "a library's trainer", tell_model),
    Rule(Subject.DATA, "a library's trainer", tell_data),
    Rule(Subject.TASK, "a library's trainer", tell_task),
)
