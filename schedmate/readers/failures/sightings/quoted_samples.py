"""Tell a line whose words of trouble happened to nobody.

It quotes a piece of data, shows what a model wrote or what somebody set, or counts that there was none.
"""

import re

import re2

from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late, late_re2

SHOWS = re2.compile(
    r"(?i)\b(?:e\.g\.|examples?|samples?|prompts?|questions?|answers?|targets?|references?|hypothes[ie]s|hyp|pred"
    r"(?:iction|icted)?s?|generated|generation|decoded|titles?|captions?|tickets?|sentences?|transcripts?"
    r"|completions?|corpus|ground truth|labels?)\b[^\"'\x60]{1,60}[\"'\x60]"
)
"""How a program introduces a piece of its data that it quotes."""
QUOTED = late_re2(r"""\"[^\"]*(?:\"|$)|\x60[^\x60]*\x60|(?:^|[\s:=(\[])'[^']*'""")

OBJECTS = late_re2(
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
RAISED = late_re2(r"\b\w+(?:Error|Exception)\b")

WRITTEN = re2.compile(
    r"(?i)(?:^|[\]>|] {0,4}|[-:] )(?:(?:generated|decoded) )?(?:text|samples?|generated|completions?|continuations?"
    r"|generations?|model output)(?: \d{1,6})? ?[(\[](?:[^)\]]{0,20}\b)?"
    r"(?:t|temp|temperature|top_?[pk]|greedy|beam|prompt)"
    r"\b[^)\]]{0,30}[)\]]:? "
    r"|(?:^|[\]>|] {0,4}|[-:] )(?:(?:generated|decoded) (?:text|samples?)|generated|completions?|continuations?)"
    r"(?: ?#?\d{1,6})?(?: ?[:>]|[-=]>) "
    r"|^\W{0,2}(?:(?:user|input|test) )?prompts?(?: ?#?\d{1,6})?: ?\S"
    r"|^\W{0,2}(?:gen|generated|samples?|generation)\W{1,3}(?:prompt|temp|t)\w{0,10}\s?[:=]"
)
"""How a program introduces what its model wrote, or what it was asked."""
NUMBERED = re2.compile(r"(?i)(?:^|[\]>|] {0,4}|[-:] )samples?(?: ?#?\d{1,9}| ?[(\[][^)\]]{1,30}[)\]])?: ")
"""What may introduce it, or a piece of data that is objected to: no machine's fault either way."""
SET = re.compile(
    r"['\"]?\b([A-Za-z_][\w.-]{0,80})(?:['\"]?\s?[:=]\s{0,4}(?:'[^']{0,2000}'|\"[^\"]{0,2000}\")|\s?=\s?\[[^\]]{0,2000}\])"
)
"""A name, and what somebody set it to, in quotes or brackets."""
TOLD = re.compile(r"(?i)[\"']?\b(?:msg|message|log|text|event)[\"']?\s?[:=]\s?[\"']")
"""How the message of a structured line begins."""
LISTED = re2.compile(
    r"^(?:\S{1,60} ){0,3}(?P<variable>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=| ?\([^)]{1,30}\): ?)"
    r"(?:'[^']*'|\"[^\"]*\"|\S*)$"
    r"|^\|? ?(?P<row>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+) {1,60}\| [^|]{1,200}\|$"
    r"|^- (?P<item>[\w.-]{1,40}): ?(?:'[^']*'|\"[^\"]*\")"
    r"|^(?:\S{1,60} ){0,3}(?P<list>[\w./-]{1,80})\s?[:=]\s?\[[\w ,.'\"/-]*\],?$"
)
"""A line that is nothing but a setting: a variable of the shell, a row or an item of a list, a name and a list."""
TELLING = frozenset(
    {
        *("exc_info", "last_error", "error_message", "err_msg", "error_msg", "error_type", "exception_type"),
        *("exit_reason", "exit_code", "event_type", "msg", "message", "error", "stderr", "stdout", "status", "state"),
        *("reason", "failure_reason", "last_state", "termination_reason", "status_message", "event", "xid", "last_log"),
    }
)
"""Names whose value is a statement, and was set by nobody."""
WORD = late(r"[A-Z]?[a-z]+|[A-Z]+")
"""One word of a name, whether points, lines or capitals part them."""
TELLING_LAST = frozenset(
    {
        *("error", "errors", "err", "message", "msg", "reason", "reasons", "status", "state", "stderr", "stdout"),
        *("exception", "stacktrace", "traceback", "event", "events", "detail", "details", "description", "failure"),
        *("fault", "faults", "alert", "alerts", "cause", "condition", "health", "diagnosis", "original", "log", "oom"),
        *("line", "lines", "exc", "problem", "problems", "issue", "tail", "output"),
    }
)
TELLING_FIRST = frozenset(
    {"stderr", "stdout", "exception", "error", "reason", "kernel", "dmesg", "err", "exc", "kmsg", "crash", "last"}
)

OF_ORDERS = frozenset(
    {
        *("on", "if", "when", "for", "ignore", "ignored", "retry", "known", "expected", "match", "matching", "watch"),
        *("skip", "allowed", "commit", "pattern", "patterns", "filter", "filters", "regex", "rules", "codes", "model"),
        *("generated", "sample", "prompt", "keywords", "template", "format", "policy", "action", "handler"),
    }
)
"""Words that end or begin such a name, if it has none that tells of an order: what is to be done on which errors."""


def is_shown_only(item: Sighting) -> bool:
    """Tell words of trouble that stand in the quotes of a line that shows data, and nowhere else in it."""
    text = item.line.text
    if item.raised or item.failure is None or not SHOWS.search(text):
        return False
    around = QUOTED.sub(" ", text)
    if around == text or RAISED.search(around) or OBJECTS.search(around):
        return False
    return not is_stated_in(around, item)


def is_written_only(item: Sighting) -> bool:
    """Tell words of trouble that stand in what a model wrote."""
    text = item.line.text
    if item.raised or item.failure is None:
        return False
    found = WRITTEN.search(text)
    if found is None and item.failure.category == "infrastructure":
        found = NUMBERED.search(text)
    return found is not None and not is_stated_in(text[: found.start()], item)


def is_set_only(item: Sighting) -> bool:
    """Tell words of trouble that stand in what somebody set, and nowhere else in their line."""
    text = item.line.text
    if item.raised or item.failure is None or not item.failure.pattern:
        return False
    listed = LISTED.search(text)
    if listed is not None and not is_telling(next(name for name in listed.groups() if name)):
        return True
    told = TOLD.sub(" ", text)
    around = SET.sub(lambda found: f"{found[1]}='_'" if was_set(found[1]) else found[0], told)
    return around != told and not is_stated_in(around, item)


def was_set(name: str) -> bool:
    """Tell the name of a setting, of several words or in capitals, from one whose value is a statement."""
    several = any(mark in name for mark in "_.-") or name.isupper()
    return several and not is_telling(name)


def is_telling(name: str) -> bool:
    """Tell a name whose value is what somebody met: an error's message, a reason, a host's or a part's own word."""
    if name.lower() in TELLING or name.endswith(("Error", "Exception", "Warning")) or name[-1].isdigit():
        return True
    words = [word.lower() for word in WORD.findall(name)]
    if not words or not OF_ORDERS.isdisjoint(words):
        return False
    return words[-1] in TELLING_LAST or words[0] in TELLING_FIRST


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
