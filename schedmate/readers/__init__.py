"""The minds without a model: no network, milliseconds, testable alone."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schedmate.readers.line_classes import ClassVerdict, LineClassifier
    from schedmate.readers.templates import mask_line

__all__ = ["ClassVerdict", "LineClassifier", "mask_line"]

PLACES = {"LineClassifier": "line_classes", "ClassVerdict": "line_classes", "mask_line": "templates"}


def __getattr__(name: str) -> Any:  # Any: a class or a function
    """Import the Log Classifier when it is asked for: most readers do without numpy."""
    if name in PLACES:
        return getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
