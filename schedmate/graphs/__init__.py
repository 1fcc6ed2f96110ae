"""How a reader and an agent work together: one graph a file, drawable with `schedmate graph NAME`."""

from collections.abc import Callable
from importlib import import_module

from schedmate.errors import InputError
from schedmate.graphs.state import Compiled

BUILDERS = {
    "classify": "schedmate.graphs.classify:build_classify_graph",
    "track": "schedmate.graphs.track:build_track_graph",
    "diagnose": "schedmate.graphs.diagnose:build_diagnose_graph",
    "advise": "schedmate.scheduling.estimators.advising:build_advise_graph",
    "extract": "schedmate.graphs.extract:build_extract_graph",
    "approve": "schedmate.graphs.approve:build_approval_graph",
    "recover": "schedmate.scheduling.recovery.your_loop:build_recovery_graph",
}
"""Each graph's name and its builder, as in langgraph.json; `advise` and `recover` stand with estimators and steps."""


def load_builder(name: str) -> Callable[..., Compiled]:
    """Import one graph's builder; importing all would cost seconds."""
    if name not in BUILDERS:
        raise InputError(f"there is no graph '{name}'", "graphs: " + ", ".join(sorted(BUILDERS)))
    module, function = BUILDERS[name].split(":")
    builder: Callable[..., Compiled] = getattr(import_module(module), function)
    return builder
