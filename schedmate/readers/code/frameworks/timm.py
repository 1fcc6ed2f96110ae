"""timm: networks that a repository registers under the names of the functions that make them; small helpers."""

from dataclasses import dataclass

from schedmate.readers.code.python.items import get_item
from schedmate.readers.code.python.modules.registries import remember_table
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import Value, is_unknown, join_spots, mapping_of

HOUSES = ("timm", "timm.models", "timm.models.registry", "timm.models._registry")
FACTORIES = ("timm", "timm.models", "timm.models.factory", "timm.models._factory")
HELPERS = ("timm.layers", "timm.layers.helpers", "timm.models.layers", "timm.models.layers.helpers")
TUPLES = {"to_1tuple": 1, "to_2tuple": 2, "to_3tuple": 3, "to_4tuple": 4}

PAIRS = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}
"""The same helpers in torch."""
ASIDE = ("model_name", "pretrained", "checkpoint_path", "scriptable", "exportable", "no_jit", "pretrained_cfg_overlay")
"""What timm keeps for itself."""


@dataclass
class TimmNetworks:
    """The functions that the repository registers, by their names."""

    table: Value | None = None


def networks(run: Run) -> Value:
    """Give the mapping that the repository's own networks are registered in."""
    kept = run.about(TimmNetworks)
    if kept.table is None:
        kept.table = Value({})
        remember_table(run, kept.table)
    return kept.table


def register(call: Call) -> Value | None:
    """Model `@register_model`: a function is filed under its own name."""
    made = call.need(0, "fn", Function)
    networks(call.run).data[made.data.name] = made
    return made


def create(call: Call) -> Value | None:
    """Model `create_model(name, pretrained, **more)`: what is None is left out."""
    name = call.need(0, "model_name", str)
    maker = get_item(call.run, networks(call.run), name, None)
    if not isinstance(maker.data, Function):
        return None
    given = {key: value for key, value in call.kwargs.items() if key not in ASIDE and value.data is not None}
    pretrained = call.arg(1, "pretrained") or Value(False)
    return call.run.call(maker, [pretrained], given, call.spot, call.scope)


def repeated(number: int) -> Hook:
    """Model `to_2tuple(x)`: what is no row is repeated."""

    def repeat(call: Call) -> Value | None:
        given = call.need(0, "x")
        if isinstance(given.data, (list, tuple)) or is_unknown(given):
            return given if not is_unknown(given) else None
        return Value((given,) * number, given.src)

    return repeat


def divisible(call: Call) -> Value | None:
    """Model `make_divisible(v, divisor=8, min_value=None, round_limit=0.9)`: never more than a tenth below."""
    number, divisor = call.constant(0, "v"), call.constant(1, "divisor", 8)
    limit = call.constant(3, "round_limit", 0.9)
    least = call.constant(2, "min_value") or divisor
    if not all(isinstance(one, (int, float)) for one in (number, divisor, limit, least)) or divisor < 1:
        return None
    rounded = max(least, int(number + divisor / 2) // divisor * divisor)
    return Value(rounded + divisor * (rounded < limit * number), call.sources())


ROUNDED, PLAIN = ("cosine", "tanh", "poly"), ("step", "multistep", "plateau")
"""Schedules behind whose cycles timm trains on at the lowest rate, and those that end with the epochs."""


def schedule(call: Call) -> Value | None:
    """Model `create_scheduler(args, optimizer)`: a schedule, and how many epochs it takes with those to cool down."""
    given = call.need(0, "args").data
    told = given.attrs if isinstance(given, (Instance, ExternalResult)) else mapping_of(Value(given))
    epochs, kind, cooling = (told.get(name) for name in ("epochs", "sched", "cooldown_epochs"))
    if epochs is None or kind is None or type(epochs.data) is not int or kind.data not in (*ROUNDED, *PLAIN):
        return None
    rounds = epochs
    if kind.data in ROUNDED:
        cycles = told.get("lr_cycle_limit")
        if cooling is None or type(cooling.data) is not int or (cycles is not None and cycles.data not in (None, 0, 1)):
            return None
        rounds = Value(epochs.data + cooling.data, join_spots(epochs, cooling)) if cooling.data else epochs
    made = call.made()
    return Value((made, rounds), rounds.src)


HOOKS: dict[str, Hook] = {
    **by_names("timm.scheduler.create_scheduler timm.scheduler.scheduler_factory.create_scheduler", schedule),
    **{f"{house}.register_model": register for house in HOUSES},
    **{f"{house}.create_model": create for house in FACTORIES},
    **{f"{house}.{name}": repeated(number) for house in HELPERS for name, number in TUPLES.items()},
    **{f"torch.nn.modules.utils.{name}": repeated(number) for name, number in PAIRS.items()},
    **by_names(" ".join(f"{house}.make_divisible" for house in HELPERS), divisible),
}
