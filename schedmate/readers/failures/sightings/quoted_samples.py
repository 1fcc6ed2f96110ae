"""Tell a line that shows a piece of a program's data: what stands in its quotes happened to nobody."""

import re2

from schedmate.readers.failures.sightings.sighting import Sighting

SHOWS = re2.compile(
    r"(?i)\b(?:e\.g\.|examples?|samples?|prompts?|questions?|answers?|targets?|references?|hypothes[ie]s|hyp|pred"
    r"(?:iction|icted)?s?|generated|generation|decoded|titles?|captions?|tickets?|sentences?|transcripts?"
    r"|completions?|corpus|ground truth|labels?)\b[^\"'\x60]{1,60}[\"'\x60]"
)
"""How a program introduces a piece of its data that it quotes."""
QUOTED = re2.compile(r"""\"[^\"]*(?:\"|$)|\x60[^\x60]*\x60|(?:^|[\s:=(\[])'[^']*'""")
RAISED = re2.compile(r"\b\w+(?:Error|Exception)\b")


def is_shown_only(item: Sighting) -> bool:
    """Tell words of trouble that stand in the quotes of a line that shows data, and nowhere else in it."""
    text = item.line.text
    if item.raised or item.failure is None or not SHOWS.search(text):
        return False
    around = QUOTED.sub(" ", text)
    if around == text or RAISED.search(around):
        return False
    pattern = item.failure.pattern
    return not (pattern and re2.search(pattern, around))
