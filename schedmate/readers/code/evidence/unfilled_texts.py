"""Texts that stand where the user or the program is to fill in a name, and are none."""

import re2

from schedmate.knowledge.option_names import field_of_name, squashed

GAPS = re2.compile(
    r"\$\{|\{[A-Za-z_][\w.]{0,60}(?::[^{}]{0,20})?\}|\?\?\?"
    r"|(?i)(?:^|/)paths?/to/|^<[^<>]{1,60}>$"
)
"""A variable that nobody has set, the hole of a template, OmegaConf's missing value, a folder of the user's."""

NOTHING = re2.compile(
    r"(?i)^(?:[^\pL\pN]*|x{3,}|\[[A-Z_ ]{1,30}\]|todo|tbd|fixme|none|null|n/?a|undefined|placeholder|change_?me)$"
)
"""What stands where a name is still to come, whole: dots, a word in brackets, as special tokens are, `TODO`, `none`."""
OF_NAMES = frozenset({"model_name", "dataset_name"})
"""Fields whose values are names."""
SAYS_NAME = ("name", "path", "nameorpath", "nameorid")
"""How options end that ask for a name: a value that only says so again is none."""


def names_nothing(field_name: str, text: str) -> bool:
    """Tell a text that stands for a name and is none: `...`, `[BLK]`, the option's own name as its default."""
    if field_name not in OF_NAMES:
        return False
    own = field_of_name().get(squashed(text))
    return NOTHING.search(text.strip()) is not None or (own is not None and squashed(text).endswith(SAYS_NAME))


def has_gap(text: str) -> bool:
    """Tell a text of which a part is still to be filled in: `run_{seed}`, `???`, `path/to/train.json`."""
    return GAPS.search(text) is not None
