"""Where the trail of a field ended that stays open: what it hangs on, or that nothing followed speaks of it."""

from dataclasses import dataclass
from enum import StrEnum

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.device_counts import takes_all
from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.trained_network import find_network
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value
from schedmate.readers.code.verify import FIELDS, TRAINING_ONLY

LONGEST_REASON = 160


class EndKind(StrEnum):
    """How a trail ends, in the words that users read."""

    NO_TRAINING = "the job does not train"
    NO_PROGRAM = "the program is not here"
    NO_CONFIGURATION = "a configuration is not here"
    HANGS_ON_RUN = "it hangs on what only the run knows"
    BUILT_ON_OPEN = "it is made of what is open itself"
    NOT_FOLLOWED = "the path was not followed to its end"
    RULED_OUT = "a rule has closed it"
    UNSAID = "nothing on the followed path says it"


@dataclass(frozen=True)
class TrailEnd:
    """Where the trail of one field ended."""

    ending: EndKind
    what: str = ""
    spots: tuple[SourceLocation, ...] = ()

    def __str__(self) -> str:
        return f"{self.ending}: {self.what}" if self.what else str(self.ending)


MADE_OF = {"global_batch_size": ("batch_size", "num_gpus"), "task_fine": ("task",), "param_size": ("model_name",)}


def trail_ends(view: View) -> dict[str, TrailEnd]:
    """Tell for each field that stays open where its trail ended."""
    return {name: trail_end(view, name) for name in FIELDS if view.get(name) is None}


def trail_end(view: View, name: str) -> TrailEnd:
    """Tell where one field's trail ended: what is missing first, then what is unknown, then what was not seen."""
    if name in TRAINING_ONLY and view.get("is_training") is False:
        return TrailEnd(EndKind.NO_TRAINING)
    if not view.program.found:
        return TrailEnd(EndKind.NO_PROGRAM, view.launch.name, (view.launch.spot,))
    value = next((one for one in deciding_values(view, name) if why_of(one)), None)
    if value is not None:
        return TrailEnd(EndKind.HANGS_ON_RUN, why_of(value), value.src)
    if name in ("num_gpus", "distributed") and (takes_all(view) or view.launch.ranks):
        return TrailEnd(EndKind.HANGS_ON_RUN, "the program takes every GPU that it sees")
    if name in view.unsettled:
        return TrailEnd(EndKind.HANGS_ON_RUN, "a call decides it that may not be made")
    if (closed := view.values.get(name)) is not None and closed.by.name:
        return TrailEnd(EndKind.RULED_OUT, f"{closed.by.name}, {closed.by.certainty.name.lower()}")
    gaps = view.run.gaps
    if Gap.CONFIGURATION in gaps:
        return TrailEnd(EndKind.NO_CONFIGURATION, gaps[Gap.CONFIGURATION])
    of = [part for part in MADE_OF.get(name, ()) if view.get(part) is None]
    if of:
        return TrailEnd(EndKind.BUILT_ON_OPEN, ", ".join(of))
    if not view.is_whole:
        return TrailEnd(EndKind.NOT_FOLLOWED, gaps.get(Gap.PATH, ""))
    return TrailEnd(EndKind.UNSAID)


def deciding_values(view: View, name: str) -> list[Value]:
    """Give what decides a field: options of its meaning, the launcher's counts, arguments of the call that uses it."""
    found = [value for _, value in view.declared(name)]
    found += [value for values in (view.run.reads.get(one, ()) for one in names_of(name)) for value in values]
    launch = view.launch
    if name == "num_gpus":
        found += [one for one in (launch.total, launch.per_node, launch.nodes) if one is not None]
    elif name == "num_nodes":
        found += [one for one in (launch.nodes,) if one is not None]
    elif name == "batch_size":
        found += argument_of(training_loaders(view)[:1], "batch_size")
    elif name == "learning_rate":
        found += argument_of(optimizer_events(view)[:1], "lr")
    elif name == "model_name":
        network = view.once(find_network)
        found += [network] if network is not None else []
    return found


def argument_of(calls: list[Event], name: str) -> list[Value]:
    """Give the second argument of calls, with the call as its place where it has none."""
    found = [(event.arg(1, name), event.spot) for event in calls]
    return [Value(value.data, value.src or (spot,)) for value, spot in found if value is not None]


def names_of(name: str) -> tuple[str, ...]:
    """Give the option names of a field."""
    return option_names().get(name, ())


def open_reasons(view: View) -> list[str]:
    """Give `field is open: reason` for the fields of which the code or the command says what they hang on."""
    if view.get("is_training") is False:
        return []
    asked = ("batch_size", "epochs", "total_steps", "learning_rate", "num_gpus", "num_nodes")
    reasons = {name: said_of(view, name) for name in asked if view.get(name) is None}
    return [f"{name} is open: {why}" for name, why in reasons.items() if why]


def said_of(view: View, name: str) -> str:
    """Give what an option or the launcher itself says of a field's being open."""
    launch = view.launch
    counts = {"num_gpus": (launch.total, launch.per_node, launch.nodes), "num_nodes": (launch.nodes,)}
    values = counts[name] if name in counts else [value for _, value in view.declared(name)]
    return next((why for value in values if (why := why_of(value))), "")


def why_of(value: Value | None) -> str:
    """Give what an unknown value says of itself."""
    return value.data.why[:LONGEST_REASON] if value is not None and isinstance(value.data, Unknown) else ""
