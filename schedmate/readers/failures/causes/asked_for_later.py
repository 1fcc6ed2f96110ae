"""Know what somebody asked for when all was over, a dump or a table of events: its place in the log tells no time."""

import re

from schedmate.readers.failures.case import Suspect

IN_A_TABLE = re.compile(r"^(?:\d{1,4}[smhd][\dsmh]{0,4} +)?(?:Warning|Normal) +[A-Z]\w+ +")
"""A row of the events that `kubectl` prints."""


def looks_back(one: Suspect) -> bool:
    """Tell what somebody asked for when all was over: a dump, or a row of a table of events."""
    return one.dumped or (one.sighting.raised is None and IN_A_TABLE.search(one.sighting.line.text) is not None)
