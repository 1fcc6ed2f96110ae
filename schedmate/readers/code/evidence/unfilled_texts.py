"""Texts that stand where the user or the program is to fill in a name, and are none."""

import re2

GAPS = re2.compile(
    r"\$\{|\{[A-Za-z_][\w.]{0,60}(?::[^{}]{0,20})?\}|\?\?\?"
    r"|(?i)(?:^|/)paths?/to/|^<[^<>]{1,60}>$"
)
"""A variable that nobody has set, the hole of a template, OmegaConf's missing value, a folder of the user's."""


def has_gap(text: str) -> bool:
    """Tell a text of which a part is still to be filled in: `run_{seed}`, `???`, `path/to/train.json`."""
    return GAPS.search(text) is not None
