"""Over how many replicas of the model an optimizer step is shared."""

from schedmate.knowledge.strategies import group_of_option, parts_aside
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Attributes, Config, Items, Value, is_constant

DEEPEST = 6
MOST_OPTIONS = 2000


def data_parallel_size(view: View) -> Value | None:
    """Give how many processes share an optimizer step; those that share one copy of the model count once."""
    gpus = view.values.get("num_gpus")
    if view.get("distributed") == "none":
        return Value(1, view.values["distributed"].spots)
    if gpus is None or not gpus.value:
        return None
    size = int(gpus.value)
    for group in groups_of(view).values():
        if size % group.data:
            return None
        size //= group.data
    return Value(size, gpus.spots)


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
        if not isinstance(name, str) or name in parts_aside():
            continue
        if isinstance(value.data, (Config, dict)) and depth < DEEPEST:
            found += own_options(value.data, depth + 1)
        elif isinstance(value.data, Instance) and value.data.cls.kind == "record" and depth < DEEPEST:
            found += own_options(value.data.attrs, depth + 1)
        else:
            found.append((name.replace("-", "_"), value))
    return found
