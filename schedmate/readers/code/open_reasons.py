"""Why a field stays open, where the code or the command says what it hangs on."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Unknown, Value

BY_OPTION = ("batch_size", "epochs", "total_steps", "learning_rate")


def open_reasons(view: View) -> list[str]:
    """Give `field is open: reason` for fields whose option or launcher names something that is not set here."""
    if view.get("is_training") is False:
        return []
    reasons: dict[str, str] = {}
    for name in BY_OPTION:
        if view.get(name) is None:
            reasons[name] = next((why for _, value in view.declared(name) if (why := why_of(value))), "")
    launch = view.launch
    if view.get("num_gpus") is None:
        reasons["num_gpus"] = why_of(launch.total) or why_of(launch.per_node) or why_of(launch.nodes)
    if view.get("num_nodes") is None:
        reasons["num_nodes"] = why_of(launch.nodes)
    return [f"{name} is open: {why}" for name, why in reasons.items() if why]


def why_of(value: Value | None) -> str:
    """Give what an unknown value says of itself."""
    return value.data.why[:160] if value is not None and isinstance(value.data, Unknown) else ""
