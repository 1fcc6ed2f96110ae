"""Drop the colours of a line whose escapes were lost as it was copied: `[32m` is then no half an hour."""

import re

from schedmate.readers.lines import visible
from schedmate.tools.late_patterns import late

ENDS = ("[0m", "[m", "[39m")
LOST = late(r"\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m")

BEGUN = re.compile(
    r"\[(?:[01];)?(?:3[0-7]|9[0-7])(?:;[01])?m(?=[^\s\]\d<,])(?!(?:s|secs?|ins?|inutes?)(?:\]|[ ,]{1,2}\d))"
)
"""A colour that everything stands in, and whose end was cut off; `[35ms]` and `[31min 20s]` are times."""


def uncoloured(raw: bytes | str) -> str:
    """Make a line visible, without colours that have their escape or have lost it."""
    text = visible(raw)
    if "[" in text and any(end in text for end in ENDS):
        return LOST.sub("", text)
    return BEGUN.sub("", text, 1) if text.startswith("[") and BEGUN.match(text) else text
