"""Tell a stack that a logger printed as part of a warning: what it states was caught."""

import re

from schedmate.readers.lines import Line

AS_WARNING = re.compile(r"^(?:\[?WARN(?:ING)?\b|\[W \d\d)|^.{1,80}[-|:\[( ]WARN(?:ING)?[\])]?(?:[-:| ]|$)")
"""How loggers name the level, where it was not read as part of a prefix; `[W 12:00:00 ...` is tornado's."""
OF_TROUBLE = re.compile(
    r"\b(?:[Cc]aught|[Ee]xception|[Ee]rrors?|[Ff]ail(?:ed|s|ure|ing)?|[Cc]ould not|[Cc]ouldn't|[Cc]annot|[Cc]an't"
    r"|[Uu]nable|(?:not|n't) (?:be )?(?:loaded|found|available|installed|started|read|opened|reached|sent|saved))\b"
)
"""A warning about something else may stand above the stack of a crash by chance."""
OTHERS = ("NCCL WARN", "Warning: ")
"""What no logger of Python's says: a library's word before it gives up, a line of the module `warnings`."""


def tells_of_trouble(line: Line) -> bool:
    """Tell a logger's warning that something went wrong: a stack right below is a part of it."""
    warns = line.level == "W" or AS_WARNING.match(line.text)
    return bool(warns and OF_TROUBLE.search(line.text)) and not any(word in line.text for word in OTHERS)
