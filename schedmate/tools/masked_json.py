"""Change every text of a whole answer: mask its secrets where it leaves the machine, name what it was read from."""

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


def renamed(value: Any, path: str, name: str) -> Any:  # Any: JSON of whatever shape
    """Let an answer speak of what was asked about, not of where a copy of it lay."""
    if isinstance(value, str):
        return value.replace(path, name)
    if isinstance(value, dict):
        return {key: renamed(each, path, name) for key, each in value.items()}
    return [renamed(each, path, name) for each in value] if isinstance(value, list) else value
