"""Tell a line whose words of trouble happened to nobody: it quotes a piece of data, or counts that there was none."""

import re2

from schedmate.readers.failures.sightings.sighting import Sighting

SHOWS = re2.compile(
    r"(?i)\b(?:e\.g\.|examples?|samples?|prompts?|questions?|answers?|targets?|references?|hypothes[ie]s|hyp|pred"
    r"(?:iction|icted)?s?|generated|generation|decoded|titles?|captions?|tickets?|sentences?|transcripts?"
    r"|completions?|corpus|ground truth|labels?)\b[^\"'\x60]{1,60}[\"'\x60]"
)
"""How a program introduces a piece of its data that it quotes."""
QUOTED = re2.compile(r"""\"[^\"]*(?:\"|$)|\x60[^\x60]*\x60|(?:^|[\s:=(\[])'[^']*'""")
OBJECTS = re2.compile(
    r"(?i)^\W?(?:error|fatal|critical)\b"
    r"|\b(?:fail(?:s|ed)?|cannot|could not|unable|not found|missing|corrupt\w*|broken)\b"
)
"""What a program says of the piece itself, or of what it wanted to do with it."""
KINDS = r"(?:uncorrect\w+|unrecover\w+|(?:double|multi)[- ]bit|(?:data )?corruptions?|DBEs?|ECC)"
COUNTS = r"(?:[ _-](?:ecc|memory|volatile|aggregate|errors?|events?|counts?|counters?|total)){0,3}"
NONE = re2.compile(
    rf"(?i)\b(?:no|0|zero) (?:(?:new|more|other|such|silent|data|ecc|memory|pending|volatile|aggregate) ){{0,3}}{KINDS}"
    rf"(?:{COUNTS}| was| were| detected| found| seen)\b"
    rf"|\b{KINDS}{COUNTS}(?: ?[:=]| is| are|) (?:0|none|no|zero)(?:$|[ ,;|)])|\b{KINDS}{COUNTS}[:=]0(?:$|[ ,;|)])"
    rf"|\b{KINDS} (?:was |were )?(?:not|never) (?:detected|found|seen)\b"
    r"|\bcorruption (?:checks?|tests?|scans?|probes?)(?: \S{1,20}){0,4} (?:passed|ok|done|started|begins|is on)\b"
)
"""How a report says that nothing of the kind was met."""
RAISED = re2.compile(r"\b\w+(?:Error|Exception)\b")


def is_shown_only(item: Sighting) -> bool:
    """Tell words of trouble that stand in the quotes of a line that shows data, and nowhere else in it."""
    text = item.line.text
    if item.raised or item.failure is None or not SHOWS.search(text):
        return False
    around = QUOTED.sub(" ", text)
    if around == text or RAISED.search(around) or OBJECTS.search(around):
        return False
    return not is_stated_in(around, item)


def is_counted_as_none(item: Sighting) -> bool:
    """Tell what a machine's report only names to say that it has not met it."""
    text = item.line.text
    if item.failure is None or item.failure.category != "infrastructure" or not NONE.search(text):
        return False
    return not is_stated_in(NONE.sub(" ", text), item)


def is_stated_in(part: str, item: Sighting) -> bool:
    """Tell whether a part of its line is enough for an entry to know a sighting."""
    pattern = item.failure.pattern if item.failure else ""
    return bool(pattern) and re2.search(pattern, part) is not None
