"""The name that a node of a configuration carries: `{_name_: s4, ...}`, `{_target_: package.Model}`."""

from schedmate.knowledge.models import is_generic
from schedmate.readers.code.values.value import External, Value

NAME_KEYS = (
    "_name_", "name", "model_name", "arch", "type", "model_type", "_target_", "class_path", "target", "class_name"
)  # fmt: skip
INNER_KEYS = ("layer", "backbone", "network", "net", "model", "encoder", "params", "init_args")


def name_in(value: Value, depth: int = 0) -> Value | None:
    """Give the text that names what a node configures; of a plain frame, what names its chief part."""
    if not isinstance(value.data, dict) or depth > 2:
        return None
    for key in NAME_KEYS:
        named = value.data.get(key)
        text = named.data.name if named is not None and isinstance(named.data, External) else None
        text = named.data if text is None and named is not None and isinstance(named.data, str) else text
        if named is not None and text:
            short = text.rpartition(".")[2] if "/" not in text and text.count(".") > 1 else text
            if not is_generic(short[:1].upper() + short[1:]):
                return Value(short, named.src)
    for key in INNER_KEYS:
        inner = value.data.get(key)
        if inner is not None and (found := name_in(inner, depth + 1)) is not None:
            return found
    return None
