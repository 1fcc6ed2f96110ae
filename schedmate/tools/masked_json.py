"""Mask the secrets of whole answers that leave the machine."""

import json
from typing import Any

from schedmate.tools.masking import mask_text
from schedmate.tools.plain_text import plain


def clean(value: dict[str, Any]) -> dict[str, Any]:
    """Mask the secrets of every text in a JSON object."""
    return {str(name): cleaned(each) for name, each in value.items()}


def cleaned(value: Any) -> Any:  # Any: JSON of whatever shape
    """Mask the secrets of every text in some JSON."""
    if isinstance(value, str):
        return mask_text(plain(value))
    if isinstance(value, dict):
        return clean(value)
    if isinstance(value, list | tuple):
        return [cleaned(each) for each in value]
    return json.loads(json.dumps(value, default=str))
