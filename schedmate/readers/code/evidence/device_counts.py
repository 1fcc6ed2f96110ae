"""How many devices an option names, how many one process sees, and over how many replicas a step is shared."""

from schedmate.knowledge.library_trainers import row_of_call
from schedmate.knowledge.strategies import group_of_option, parts_aside
from schedmate.readers.code.evidence.labels import is_spread_by
from schedmate.readers.code.evidence.placed_parts import LABEL as PLACED
from schedmate.readers.code.evidence.placed_parts import placed_parts
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.batch_requests import gpus_per_node
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Attributes, Config, Items, Value, held, is_constant
from schedmate.readers.code.values.whole_numbers import whole_count

DEEPEST = 6
MOST_OPTIONS = 2000

SERVED = frozenset({"tensor_parallel_size"})
"""Names of groups that a server's settings have, too."""


def data_parallel_size(view: View) -> Value | None:
    """Give how many processes share an optimizer step; those that share one copy of the model count once."""
    gpus, placed = view.values.get("num_gpus"), view.once(placed_parts)
    if placed is not None and view.get("distributed") in (None, PLACED):
        return Value(1, tuple(event.spot for event in placed.events))
    if view.get("distributed") == "none":
        return Value(1, view.values["distributed"].spots)
    if view.get("distributed") is None and view.get("num_gpus") != 1 and runs_in_copies(view):
        return None
    workers = ray_workers(view)
    if workers is None and view.run.about(ProcessSigns).actors and not is_spread_by(view, "DDP"):
        return None  # which of the remote objects learn, and which play, is not seen
    if workers is not None:
        size, spots = int(workers.data), workers.src
    elif gpus is not None and gpus.value:
        size, spots = int(gpus.value), gpus.spots
    elif gpus is not None and (many := view.run.facts.get("world_size")) is not None and type(many.data) is int:
        size, spots = many.data, many.src  # processes on CPUs
    else:
        return None
    for group in groups_of(view).values():
        if size % group.data:
            return None
        size //= group.data
    return Value(size, spots)


COPYING = frozenset({"mpirun", "mpiexec", "srun", "orterun", "mpiexec.hydra"})
"""Launchers that start anything several times, whether its copies know of one another or not."""


def runs_in_copies(view: View) -> bool:
    """Tell a program that was seen whole and that joins nothing, of which a launcher starts several: each is alone."""
    signs = view.run.about(ProcessSigns)
    joins = any(one is not None for one in (signs.joins, signs.wraps, signs.starts, signs.ray))
    copies = not COPYING.isdisjoint(name for name, _ in view.launch.launchers)
    return copies and not joins and not view.strategies and not view.is_partial


def ray_workers(view: View) -> Value | None:
    """Give the number of processes that Ray's trainer starts, whatever devices each of them has."""
    workers = view.run.facts.get("world_size") if view.run.about(ProcessSigns).ray is not None else None
    return workers if workers is not None and type(workers.data) is int else None


def groups_of(view: View) -> dict[str, Value]:
    """Give the model-parallel groups of more than one process, by their kind."""
    found: dict[str, Value] = {}
    configs = [value.data for _, value in view.run.configs if isinstance(value.data, dict)]
    for mapping in [*view.namespaces, *configs]:
        for name, value in own_options(mapping):
            kind = group_of_option().get(name)
            if kind is not None and is_constant(value) and type(value.data) is int and value.data > 1:
                found.setdefault(kind, value)
    if "tensor parallel" in found:
        found.pop("model parallel", None)
    return found


def own_options(mapping: Items | Attributes, depth: int = 0) -> list[tuple[str, Value]]:
    """Give names and values of a mapping and those inside it, the parts left out that serve other models."""
    found: list[tuple[str, Value]] = []
    for name, value in list(mapping.items())[:MOST_OPTIONS]:
        if not isinstance(name, str) or name in parts_aside() or (name in SERVED and serves_beside(mapping)):
            continue
        if isinstance(value.data, (Config, dict)) and depth < DEEPEST:
            found += own_options(value.data, depth + 1)
        elif isinstance(value.data, Instance) and value.data.cls.kind == "record" and depth < DEEPEST:
            found += own_options(value.data.attrs, depth + 1)
        else:
            found.append((name.replace("-", "_"), value))
    return found


def serves_beside(mapping: Items | Attributes) -> bool:
    """Tell settings of a trainer that lets a server of its own answer prompts: its groups are the server's."""
    return any(isinstance(name, str) and name.startswith(("vllm_", "use_vllm", "sglang_")) for name in mapping)


def visible_gpus(view: View) -> Value | None:
    """Give the GPUs that one node's process may see: what the program sets itself, else what the launch says."""
    return view.run.facts.get("visible") or gpus_per_node(view.launch)


def takes_all(view: View) -> bool:
    """Tell a program that works on every device that it sees; one that only counts them, where not all was seen."""
    signs = view.run.about(ProcessSigns)
    counted = signs.counts_devices and view.is_partial
    return signs.takes_all or counted or view.once(shared_by_library) is not None


def shared_by_library(view: View) -> Event | None:
    """Give the call of a library's trainer that shares each batch among all devices unless it is told one."""
    for event in view.events:
        row, trains = row_of_call(event.name) or ({}, False)
        made = held(event.owner, ExternalResult)
        told = {*event.kwargs, *(made.kwargs if made is not None else ())}
        if trains and "shares_unless" in row and told.isdisjoint(row["shares_unless"]):
            return event
    return None


def count_devices(devices: Value | None) -> int | None:
    """Read `4`, `[0, 1]`, `"0,1"`; None for all that are visible."""
    if devices is None or isinstance(devices.data, bool):
        return None
    if isinstance(devices.data, int):
        return devices.data if devices.data > 0 else None
    if isinstance(devices.data, (list, tuple)):
        return len(devices.data) or None
    if isinstance(devices.data, str):
        if devices.data.isdigit():
            return whole_count(devices.data)
        parts = [part for part in devices.data.split(",") if part.strip().isdigit()]
        return len(parts) if len(parts) > 1 or (devices.data.rstrip().endswith(",") and parts) else None
    return None
