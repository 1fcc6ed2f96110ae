"""The training call and the loader that feeds it: the likeliest among those on the path."""

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.readers.code.evidence.training_calls import is_optimizer_step, makes_updates
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Unknown, Value, held

UPDATES = frozenset(words("training.updates"))


COMPILED = "function()"
"""How calls of a function end that Keras or Theano made of a graph."""

LATER = re2.compile(r"(?i)fine_?tune|linear_?(?:eval|prob)")
"""How functions are called by which a program goes on with a network that it has trained before."""


def best_training_event(view: View) -> Event | None:
    """Give the training call with the most loops around it, the backward pass before anything else."""
    events = [event for event in view.training if event.short in UPDATES or makes_updates(event)]
    events = run_in_sessions(view, events) or events or view.training
    first = [event for event in events if not any(map(LATER.search, event.functions))]
    events = without_beginnings(view, first or events)
    sure = [event for event in events if event.sure]
    return max(at_steps(view, sure or events), key=lambda event: len(event.loops), default=None)


BEFORE = re2.compile(r"(?i)^_*pre_?train")
"""How functions are called in which a program makes a network ready that it trains afterwards."""


def without_beginnings(view: View, events: list[Event]) -> list[Event]:
    """Leave out what makes a network ready, where a program that is not called after it trains elsewhere, too."""
    main = [event for event in events if not any(map(BEFORE.search, event.functions))]
    return main if main and "pretrain" not in view.launch.name.lower().replace("_", "") else events


def at_steps(view: View, events: list[Event]) -> list[Event]:
    """Keep the calls that go with an optimizer's step, beside which others only look where the inputs lead.

    Adversarial training works gradients out again and again for one step of the weights.
    """
    steps = [event.loops for event in view.training if is_optimizer_step(event) and event.sure]
    inside = [event for event in events if event.loops in steps]
    deepest = max(events, key=lambda event: len(event.loops), default=None)
    looks = deepest is not None and bool(deepest.loops) and not any(deepest.loops[-1] in loops for loops in steps)
    return inside if inside and looks else events


def run_in_sessions(view: View, steps: list[Event]) -> list[Event]:
    """Give the runs of a TensorFlow 1 session, or of a compiled function, that carry out a step of the graph's."""
    made = [event.result.data for event in steps if isinstance(event.result.data, ExternalResult)]
    return [event for event in view.named("run", COMPILED) if made and carries_out(event, made)]


def carries_out(event: Event, made: list[ExternalResult]) -> bool:
    """Tell a session that is asked for one of some operations, the operation's own `run`, a function with updates."""
    if event.short == COMPILED:
        compiled = event.owner.data if event.owner is not None else None
        updates = compiled.kwargs.get("updates") if isinstance(compiled, ExternalResult) else None
        return updates is not None and fetches(updates, made)
    if event.name.lower().endswith("session.run"):
        asked = event.arg(0, "fetches")
        return asked is not None and fetches(asked, made)
    return event.owner is not None and fetches(event.owner, made)


GROUPS = frozenset(("group", "tuple", "identity", "with_dependencies"))
"""What TensorFlow makes one operation of several with."""
DEEPEST = 6


def fetches(value: Value, made: list[ExternalResult], depth: int = 0) -> bool:
    """Tell whether one of some operations is among what a session is asked for, or in a group of theirs."""
    data = value.data
    if depth > DEEPEST or any(data is one for one in made):
        return depth <= DEEPEST
    inside: list[Value] = []
    if isinstance(data, (list, tuple)):
        inside = list(data)
    elif isinstance(data, dict):
        inside = list(data.values())
    elif isinstance(data, ExternalResult) and data.short in GROUPS:
        inside = data.args
    elif isinstance(data, Unknown):
        inside = list(data.parts)
    return any(fetches(item, made, depth + 1) for item in inside)


LOADERS = frozenset(words("data.loaders"))


def shuffles(loader: Event) -> int:
    """Tell a loader that mixes its data, itself or by its sampler, from one that is told to keep their order."""
    own, sampler = loader.kwargs.get("shuffle"), held(loader.kwargs.get("sampler"), ExternalResult)
    told = sampler.kwargs.get("shuffle") if sampler is not None else None
    if (own is not None and own.data is True) or (told is not None and told.data is True):
        return 1
    return -1 if told is not None and told.data is False else 0


def training_loaders(view: View) -> list[Event]:
    """Give the loaders that training may go over, the likeliest first; those of evaluation are left out."""
    made = [event for event in view.events if event.short in LOADERS]
    loaders = [event for event in made if not any(map(LATER.search, event.functions))] or made
    looped = looped_over(view)
    rated = []
    for place, event in enumerate(loaders):
        names = " ".join(event.result.data.names if isinstance(event.result.data, ExternalResult) else [])
        if "train" not in names.lower() and not tells_evaluation(names, "splits"):
            names += " " + " ".join([*named_hooks(event), *event.functions[-2:]])
        used = any(event.result.data is data for data in looped)
        aside, for_training = tells_evaluation(names, "splits"), "train" in names.lower()
        rated.append((-2 * used - for_training - shuffles(event) + 3 * (aside and not for_training), place, event))
    rated.sort(key=lambda row: row[:2])
    return [event for score, _, event in rated if score < 2]


def looped_over(view: View) -> list[object]:
    """Give what the loops around the training call go over, and what that wraps."""
    training = best_training_event(view)
    return [data for loop in (training.loops if training is not None else ()) for data in inner_values(loop.items)]


def chosen_between(view: View) -> list[Event]:
    """Give the loaders of which the run goes over one, as it decides."""
    looped = looped_over(view)
    loaders = [one for one in view.named(*LOADERS) if any(one.result.data is data for data in looped)]
    return loaders if len(loaders) > 1 and not any(one.sure for one in loaders) else []


def sampled_batch(sampler: Value | None) -> Value | None:
    """Give the size of the batches that a sampler makes: torch's own, or a class of the repository built on it."""
    made = sampler.data if sampler is not None else None
    if isinstance(made, Instance):
        kept = made.attrs.get("batch_size")
        if kept is not None:
            return kept
        made = made.native.data if made.native is not None else None
    if isinstance(made, ExternalResult):
        return made.kwargs.get("batch_size") or (made.args[1] if len(made.args) > 1 else None)
    return None


HOOK = "_dataloader"
"""How the methods end by which Lightning asks for its data."""


def named_hooks(event: Event) -> list[str]:
    """Name the methods for data of training or evaluation in which a loader is made, however deep."""
    return [name for name in event.functions if name.endswith(HOOK) and not name.startswith("_")]


def inner_values(value: Value, depth: int = 0) -> list[object]:
    """Give an iterable and what it wraps."""
    data = value.data
    found: list[object] = [data]
    inside = data.args if isinstance(data, ExternalResult) else getattr(data, "parts", ())
    for part in inside if depth < 5 else ():
        found += inner_values(part, depth + 1)
    return found
