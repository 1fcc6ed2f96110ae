"""How a line speaks: as a fact, a warning, one try of several, or an announcement of what is raised later."""

from collections.abc import Iterable, Mapping

import re2

from schedmate.readers.failures.scan import Sighting

SOFT_FACTOR = 0.35
ENDED_FACTOR = 0.25
"""A time limit or a cancelling hand ends what has long hung: any cause before it is the better answer."""
HARDWARE_WEIGHT = 0.85
WARNS = re2.compile(r"\bWARNING\b|\bWarning:|^\[W\b|^W\d{3,8} |^[WI] \S{1,200}:\d+\]")
"""What calls itself a warning; NCCL writes WARN for what kills, so that word alone is not soft."""
TRIES_ON = re2.compile(
    r"\b[Rr]etry|\b(?:attempt|try) \d+ ?(?:of|/) ?\d+|\bwill (?:re)?try\b|falling back|thrown while requesting"
)
GAVE_UP = re2.compile(
    r"(?i)(?:retry|retries|attempts).{0,40}(?:exceeded|exhausted|failed)|exceed.{0,20}retr|\bg(?:ave|iving) up\b"
    r"|failed after \d+|no (?:more )?(?:retries|attempts)"
)
"""What speaks of retries because they are over."""
LEAST_WORDS_CHARS, MOST_WORDS_CHARS, MOST_WORDS = 16, 60, 64


def tone_factor(item: Sighting) -> float:
    """Weigh how a line speaks: a warning counts less, and a limit or a hand only ends what has gone wrong before.

    A fact about the machine is one whatever the level it is logged at: Ray warns of dead nodes, kernels of dead GPUs.
    """
    warns = item.line.level in {"W", "I"} or WARNS.search(item.line.text)
    tries_on = TRIES_ON.search(item.line.text) and not GAVE_UP.search(item.line.text)
    if tries_on or (warns and not is_hardware(item)):
        return SOFT_FACTOR
    return ENDED_FACTOR if is_root(item) and item.failure and item.failure.category == "other" else 1.0


def is_hardware(item: Sighting) -> bool:
    """Tell a fact about the machine, as its kernel or driver states it, from an exception that a program may catch."""
    failure = item.failure
    if failure is None or item.raised:
        return False
    machine = failure.category == "infrastructure" and failure.subcategory != "other"
    return machine and failure.weight >= HARDWARE_WEIGHT


def is_root(item: Sighting) -> bool:
    """Tell a line that states a cause."""
    return item.failure is not None and item.failure.role == "root"


def words_raised(items: Iterable[Sighting]) -> dict[str, Sighting]:
    """Collect what exceptions that ended a program say, each with the first that says it."""
    raised: dict[str, Sighting] = {}
    for item in items:
        said = item.raised.message if item.raised and item.raised.fatal else ""
        if len(said) >= LEAST_WORDS_CHARS and len(raised) < MOST_WORDS:
            raised.setdefault(said[:MOST_WORDS_CHARS], item)
    return raised


def announces(item: Sighting, raised: Mapping[str, Sighting]) -> bool:
    """Tell a logged line whose words an exception of the same rank repeats afterwards: it counts where it is raised."""
    if item.raised or not raised:
        return False
    later = (other for words, other in raised.items() if words in item.line.text and other.start > item.start)
    return any(may_share(item.line.rank, other.line.rank) for other in later)


def may_share(one: int | None, other: int | None) -> bool:
    """Tell whether two lines may come from one rank."""
    return one is None or other is None or one == other
