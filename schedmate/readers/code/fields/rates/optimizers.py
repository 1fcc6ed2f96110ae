"""Which optimizer, at what peak learning rate."""

from collections import Counter
from collections.abc import Sequence

from schedmate.knowledge.code_words import words
from schedmate.knowledge.optimizers import canonical, is_library_optimizer, named_after, of_function
from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.rates.first_rates import comes_later, told_rate
from schedmate.readers.code.fields.rates.judging_optimizers import without_judging
from schedmate.readers.code.fields.rates.learning_rates import (
    RATE_FIRST,
    default_rate,
    from_momentum,
    from_transformations,
    peak_of,
)
from schedmate.readers.code.fields.rates.scaled_rates import scaled_rate
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.value import (
    Attributes,
    External,
    Items,
    Unknown,
    Value,
    find_in,
    held,
    is_constant,
    mapping_of,
)

SEARCHES = frozenset({"find_lr", "lr_find", "lr_finder", "find_learning_rate", "lr_range_test", "suggest_lr"})

HOLDERS = ("Wrapper", "Container", "Optimizers", "Manager", "Builder", "Factory")
"""Parts of names of classes that hold an optimizer and are none."""

FACTORIES = words("training.factories")
STEPS = words("training.steps")
DESCRIBED = ("optimizer", "optim", "Optimizer", "OPTIMIZER", "optimizer_config", "optimizer_cfg")
KINDS = ("type", "name", "class", "class_name", "_target_", "NAME", "TYPE", "optimizer", "class_path")


def is_searched_for(events: list[Event]) -> bool:
    """Tell a rate that a search of the program's own finds: it makes an optimizer, and a later one's rate is open."""
    searching = [event for event in events if SEARCHES.intersection(event.functions)]
    later = [event.arg(1, "lr") for event in events if event not in searching]
    return bool(searching) and any(rate is not None and isinstance(rate.data, Unknown) for rate in later)


def from_calls(view: View) -> None:
    """Take the optimizers that are made on the path, with their rates."""
    events = without_judging(optimizer_events(view))
    if is_searched_for(events):
        view.rule_out("learning_rate")
    for event in view.named("ZeroRedundancyOptimizer"):
        inner = event.kwargs.get("optimizer_class")
        if inner is not None and isinstance(inner.data, External) and not events:
            view.keep("optimizer", canonical(inner.data.name.rpartition(".")[2]), (event.spot,))
    rates = [(event.spot, rate_of(view, event)) for event in events]
    open_places = {spot for spot, rate in rates if rate is not None and isinstance(rate.data, Unknown)}
    # One place that is come to on two ways with different rates has none for sure.
    unsure = {(event.spot, rate.data) for event, (_, rate) in zip(events, rates, strict=True)
              if not event.sure and rate is not None and is_constant(rate)}  # fmt: skip
    counts = Counter(spot for spot, _ in unsure)
    open_places |= {spot for spot in counts if counts[spot] > 1}
    rule_out_rivals(view, list(zip(events, (rate for _, rate in rates), strict=True)))
    # The optimizer whose rate the command chose counts most, as an actor's beside one of a single number.
    made = sorted(zip(events, rates, strict=True), key=lambda one: one[1][1] is None or not view.is_told(one[1][1]))
    for event, (spot, rate) in made:
        view.keep("optimizer", canonical(event.short), (spot,))
        later = rate is not None and comes_later(view, rate, event)
        view.number("learning_rate", rate if spot not in open_places and not later else None)


def rule_out_rivals(view: View, made: list[tuple[Event, Value | None]]) -> None:
    """Leave open what the objects disagree on between which only the run decides."""
    if not made or not all(event.rival for event, _ in made):
        return
    if len({canonical(event.short) for event, _ in made}) > 1:
        view.rule_out("optimizer")
    if len({rate.data if rate is not None and is_constant(rate) else None for _, rate in made}) > 1:
        view.rule_out("learning_rate")


def written_rate(view: View) -> None:
    """Take the peak of a rate that the program writes into its optimizer."""
    written = view.run.about(TrainingSigns).written_rate
    option = told_rate(view)
    if written is not None and option is not None and warms_up(written, option):
        written = option
    if written is not None and view.get("optimizer") is not None:
        view.number("learning_rate", written, "the peak of a schedule that is written out by hand")


def warms_up(written: Value, option: Value) -> bool:
    """Tell a rate that was seen while its schedule warms up: less than the option, which stands in the same file."""
    is_number = isinstance(option.data, (int, float)) and isinstance(written.data, (int, float))
    beside = not {spot.path for spot in option.src}.isdisjoint(spot.path for spot in written.src)
    return bool(is_number and beside and written.data < option.data)


def rate_option(view: View) -> None:
    """Take the option of a job that trains."""
    if view.get("is_training"):
        said = view.said("learning_rate") if view.get("optimizer") is not None else []
        rate = told_rate(view)
        known = str(view.get("optimizer") or "Adam")
        if rate is not None and rate.data == 1 and known.startswith("Adam") and not view.is_told(rate):
            return  # the factor of some function: no optimizer was seen, or one that never goes by one
        if rate is None or not is_one_of_many(view, rate):
            view.number("learning_rate", rate or (said[0] if len(said) == 1 else None))


MOST_RATES = 2
"""A rate and one that it is changed to: more under one name are those of parts, of which none is the job's."""


def is_one_of_many(view: View, rate: Value) -> bool:
    """Tell the last of several rates that code hands on under one name, which no command or configuration gave."""
    if any(not spot.path.endswith(".py") for spot in rate.src):
        return False
    many = [values for name, values in view.run.reads.items() if any(one is rate for one in values)]
    rates = {one.data for values in many for one in values if type(one.data) in (int, float) and one.data > 0}
    return len(rates) > MOST_RATES


def library_rate(view: View) -> None:
    """Take the default of the optimizer that is made."""
    events = optimizer_events(view)
    if events:
        default_rate(view, events[0])


def name_option(view: View) -> None:
    """Take the option that names one."""
    name = view.option("optimizer")
    known = canonical(held(name, str) or "")
    if name is not None and known is not None and view.get("is_training"):
        view.keep("optimizer", known, name.src)


def from_references(view: View) -> None:
    """Take the optimizer's class that a configuration refers to without quotes, as gin does."""
    for mapping in view.namespaces:
        for name, value in mapping.items():
            kind = value.data.name if isinstance(value.data, External) else ""
            if "optim" in str(name).lower() and (known := canonical(kind)) is not None and view.get("is_training"):
                view.keep("optimizer", known, value.src)


def from_descriptions(view: View) -> None:
    """Take the optimizer that a chosen configuration describes: `optimizer: {type: SGD, lr: 0.1}`."""
    if not view.get("is_training"):
        return
    for mapping in [*view.chosen_configs, *view.namespaces]:
        for name in DESCRIBED:
            told = mapping.get(name) or described_within(mapping, name)
            if told is None or not isinstance(told.data, dict):
                continue
            kind = next((told.data[key] for key in KINDS if key in told.data), None)
            known = canonical(held(kind, str) or "")
            if kind is not None and known is not None:
                view.keep("optimizer", known, kind.src)
                for name in ("lr", "learning_rate"):
                    if name in told.data:
                        view.number("learning_rate", view.as_told(name, told.data[name]))


def described_within(mapping: Items | Attributes, name: str) -> Value | None:
    """Find a description inside what configures the optimizer's maker: `OptimizerBuilder: {optimizer: {type: ...}}`."""
    for key, value in mapping.items():
        if "optim" in str(key).lower() and isinstance(value.data, dict) and name in value.data:
            return mapping_of(value)[name]
    return None


def by_hand(view: View) -> None:
    """Tell gradient descent that is written out: a parameter's data changed by its gradient."""
    if not any(event.short == "backward" for event in view.training):
        return
    for event in view.named("add_", "sub_"):
        first = event.args[0].data if event.args else None
        if isinstance(first, External) and first.name.endswith((".grad", ".grad.data")):
            view.keep("optimizer", "SGD", (event.spot,), "gradient descent written out by hand")


def first_of(view: View, schedule: Value) -> Value | None:
    """Give what a schedule that is a function begins with, if it rises no higher afterwards."""
    rates = [view.run.call(schedule, [Value(step)]) for step in (0, 1, 1_000, 100_000)]
    numbers = [rate.data for rate in rates if isinstance(rate.data, (int, float))]
    return rates[0] if len(numbers) == len(rates) and numbers[0] == max(numbers) > 0 else None


def groups_of(value: Value) -> Sequence[Value]:
    """Give the groups of parameters that an optimizer gets, biases last; of a list of unknown length its first."""
    data = value.data
    groups = data if isinstance(data, (list, tuple)) else data.parts if isinstance(data, Unknown) else ()
    return sorted(groups, key=spares_decay)


def spares_decay(group: Value) -> bool:
    """Tell a group whose weights do not decay: biases and norms, whose rate is often a multiple of the others'."""
    decay = mapping_of(group).get("weight_decay")
    return decay is not None and decay.data == 0


RATE_NAMES = ("lr", "learning_rate", "step_size")


def rate_of(view: View, event: Event) -> Value | None:
    """Give the learning rate that an optimizer is made with; of a schedule its peak."""
    value = next((event.kwargs[name] for name in RATE_NAMES if name in event.kwargs), None)
    if value is not None and isinstance(value.data, Function):
        return first_of(view, value)
    if value is None:
        place = 0 if any(library in event.name for library in RATE_FIRST) else 1
        value = event.arg(place)
        if value is not None and not isinstance(value.data, (int, float, ExternalResult)):
            value = None
    if (value is None or value.data == 0) and event.args:
        rates = [mapping_of(group)["lr"] for group in groups_of(event.args[0]) if "lr" in mapping_of(group)]
        told = told_rate(view) if rates else None  # others are parts of it: `0.1 * args.lr` for what was trained before
        if rates:
            return next((rate for rate in rates if told is not None and rate.data == told.data), rates[0])
    if value is not None and isinstance(value.data, ExternalResult):
        return peak_of(value.data)
    return value


def from_instances(view: View) -> None:
    """Find optimizers that the repository defines itself."""
    for value in view.run.instances:
        data = value.data
        if not isinstance(data, Instance) or any(part in data.cls.name for part in HOLDERS):
            continue
        outside = data.cls.outside()
        above = next((name for name in outside if is_library_optimizer(name)), None)
        own = [event for event in view.training if event.owner is not None and event.owner.data is data]
        steps = [event for event in own if event.short in STEPS]  # an algorithm that is told to `learn` is none
        if steps or above is not None or any(name.endswith("Optimizer") for name in outside):
            known = named_after(data.cls.name) or (canonical(above) if above is not None else None)
            view.keep("optimizer", known or data.cls.name, (data.spot,))
            made = next((event for event in view.events if event.result.data is data), None)
            if made is not None:
                view.number("learning_rate", rate_by_name(made, data) or rate_of(view, made))
            for event in steps:
                given = event.arg(1, "lr", "learning_rate", "stepsize", "step_size")
                if given is not None and isinstance(given.data, float) and given.data < 1:
                    view.number("learning_rate", given)


def rate_by_name(made: Event, optimizer: Instance) -> Value | None:
    """Give what an optimizer of the repository's own is made with, in the place in which it takes its rate."""
    begins = next((one.attrs["__init__"] for one in optimizer.cls.lineage() if "__init__" in one.attrs), None)
    function = held(begins, Function)
    names = list(parameters_of(function))[1:] if function is not None else []
    bound = dict(zip(names, made.args, strict=False)) | made.kwargs
    value = bound.get("lr") or bound.get("learning_rate")
    return peak_of(value.data) if value is not None and isinstance(value.data, ExternalResult) else value


RATES = words("training.rates")


def from_functions(view: View) -> None:
    """Take a function of the repository's own that is named after an optimizer, with the rate that it is given."""
    for event in view.training:
        owner = event.owner.data if event.owner is not None else None
        if isinstance(owner, Function) and event.short == "apply_gradients":
            known = of_function(owner.name)
            view.keep("optimizer", known, (event.spot,))
            names = [name for name in RATES if name != "alpha" or known != "RMSprop"]  # there it smooths, as in torch
            view.number("learning_rate", event.arg(-1, *names))


def from_factories(view: View) -> None:
    """Take what functions that make optimizers by name are told: timm, torch.optim by getattr, MXNet's Trainer."""
    for event in view.named(*FACTORIES):
        named = event.arg(3, "optimizer") if event.short == "optimize_loss" else event.kwargs.get("optimizer")
        for value in (event.kwargs.get("opt"), named, event.arg(1)):
            if value is not None and is_constant(value) and isinstance(value.data, str) and canonical(value.data):
                view.keep("optimizer", canonical(value.data), value.src)
        view.number("learning_rate", event.kwargs.get("lr"))
        if event.short == "optimize_loss":
            rate = event.arg(2, "learning_rate")
            made = held(rate, ExternalResult)
            view.number("learning_rate", peak_of(made) if made is not None else rate)
        if event.short.endswith("Trainer"):
            view.number("learning_rate", find_in(event.arg(2, "optimizer_params"), "learning_rate"))


RULES = (
    Rule(Subject.OPTIMIZER, "calls on the path", from_calls),
    Rule(Subject.OPTIMIZER, "optax's transformations", from_transformations),
    Rule(Subject.OPTIMIZER, "transformations with momentum", from_momentum),
    Rule(Subject.OPTIMIZER, "a schedule over a rate of one", scaled_rate),
    Rule(Subject.OPTIMIZER, "classes that options refer to", from_references),
    Rule(Subject.OPTIMIZER, "descriptions in configurations", from_descriptions),
    Rule(Subject.OPTIMIZER, "the repository's own optimizers", from_instances),
    Rule(Subject.OPTIMIZER, "functions that are optimizers", from_functions),
    Rule(Subject.OPTIMIZER, "functions that make optimizers", from_factories),
    Rule(Subject.OPTIMIZER, "descent written out by hand", by_hand),
    Rule(Subject.OPTIMIZER, "a schedule written out by hand", written_rate),
    Rule(Subject.OPTIMIZER, "options", rate_option),
    Rule(Subject.OPTIMIZER, "the library's default", library_rate),
    Rule(Subject.OPTIMIZER, "options that name an optimizer", name_option),
)
