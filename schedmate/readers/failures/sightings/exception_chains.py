"""Class exceptions by what stands with them: what they led to, what they were met in, what is printed under them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.lines.exceptions import innermost
from schedmate.readers.failures.lines.tracebacks import Raised
from schedmate.readers.failures.sightings.launcher_reports import by_its_code, end_in
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN
from schedmate.readers.lines import Speaker
from schedmate.tools.late_patterns import late

EXPLAINED_FACTOR = 0.6
"""Of an exception of Python's own that the program caught and put into words of its own."""
BLOCK_LINES, BLOCK_SIGHTINGS = 1000, 32

LEAST_CALLS, SAME_CHARS = 2, 40
"""How deep in calls of its own what a library does instead fails; so much of a message another one hands on."""
WORDS = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""The words of a function's name, with or without underscores."""
ENDS = late(
    r"(?i)(?:exit|clos(?:e|ed|ing)|tear|teardown|clean(?:ed|ing|up)?|shut|shutdown|finish(?:ed|ing)?"
    r"|finali[sz](?:e|ed|ing)|abort(?:ed|ing)?|stop(?:ped|ping)?|end(?:ed|ing)?|del|destroy|dispose|release|rollback"
    r"|terminate|kill|interrupt(?:ed)?|report(?:ed|ing)?|log(?:ged|ging)?|notif(?:y|ied)|exception|crash(?:ed)?)"
)
"""A word of what is called because of an exception, to end things or to tell of it."""
LOG_IN = late(r"(?i)log_?(?:in|on)(?:_|$)")
"""No word of telling anything."""
HANDED = late(
    r"[(,=] ?\*{0,2}(?:e|ex|exc|err|error|exception|exc_info|exc_val(?:ue)?|tb|traceback)(?:\.\w{1,40})? ?[,)]"
    r"|\bexc_info\(|\bformat_exc\("
)
"""How one is called who is handed the exception: he ends things by it, or tells of it."""
NEAR_LINES = 4
"""How far below an exception that introduces it the end of a process is told."""


def with_their_chains(items: Sequence[Sighting]) -> list[Sighting]:
    """Class an exception of which only the kind is known by what an entry knows of those that it led to.

    A client's `TimeoutError: timed out` says little; what the client makes of it, that its server did not answer.
    """
    joined: list[Sighting] = []
    known: dict[Speaker, Failure | None] = {}
    behind: dict[Speaker, Raised] = {}
    for item in reversed(behind_their_own_words(items)):
        raised = item.raised
        assert item.failure
        assert raised
        speaker = item.line.speaker
        later = None if is_fallen_back_from(raised, behind.get(speaker)) else known.get(speaker)
        behind[speaker] = raised
        if later and raised.fatal and item.failure.role == "root" and is_only_a_kind(item.failure):
            item = replace(item, failure=later._replace(weight=max(later.weight, item.failure.weight)))
        failure = item.failure
        assert failure
        sure = failure.role == "root" and not is_only_a_kind(failure)
        known[speaker] = (failure if sure else later) if raised.follows else None
        joined.append(item)
    return joined[::-1]


def behind_their_own_words(items: Sequence[Sighting]) -> list[Sighting]:
    """Let one of Python's own exceptions count less where the program caught it and says in its own words what it
    means, and any that was caught: had the clause not failed that says which, or by a library that did otherwise then.
    """
    told: list[Sighting] = []
    explained: dict[Speaker, bool] = {}
    meant: dict[Speaker, bool] = {}
    behind: dict[Speaker, Raised] = {}
    for item in reversed(items):
        raised, failure, speaker = item.raised, item.failure, item.line.speaker
        assert raised
        assert failure
        yields = (explained.get(speaker, False) and is_bare(raised)) or meant.get(speaker, False)
        yields = yields or is_fallen_back_from(raised, behind.get(speaker))
        behind[speaker] = raised
        meant[speaker] = raised.follows and raised.fatal and failed_in_its_clause(raised)
        explained[speaker] = raised.follows and (yields or (explains_itself(raised) and raised.fatal))
        if yields and failure.role == "root" and is_only_a_kind(failure):
            item = replace(item, failure=failure._replace(weight=failure.weight * EXPLAINED_FACTOR))
        told.append(item)
    return told[::-1]


def explains_itself(raised: Raised) -> bool:
    """Tell an exception of the program's own making, raised by the program's own code: it says what that means."""
    own = bool(raised.frames) and innermost(raised) is raised.frames[-1]
    return own and "." in raised.qualified and bool(raised.message)


def failed_in_its_clause(raised: Raised) -> bool:
    """Tell what came up where a program names the exceptions that it catches: the names themselves are wrong."""
    return bool(raised.frames) and raised.frames[-1].code.startswith("except ")


def is_fallen_back_from(raised: Raised, later: Raised | None) -> bool:
    """Tell what a library met of its own calls, caught, and did something else for, which then failed by itself.

    What only puts the same into other words is raised where it was caught, or names it; and what fails as things are
    closed behind an exception, or as somebody is told of it, is no way around it.
    """
    if later is None or not later.follows or not raised.frames or innermost(raised) is not None:
        return False
    caught = raised.frames[0]
    same = [
        at for at, frame in enumerate(later.frames) if (frame.path, frame.function) == (caught.path, caught.function)
    ]
    further = later.frames[same[-1] + 1 :] if same else ()
    if len(further) < LEAST_CALLS or any(ends_or_tells(frame.function) for frame in further):
        return False
    if HANDED.search(later.frames[same[-1]].code):
        return False
    told, named = raised.message[:SAME_CHARS], raised.name in later.line.text.removeprefix(raised.qualified)
    return not named and not (told and told in later.line.text)


def ends_or_tells(function: str) -> bool:
    """Tell by its name what is called to end things, or to tell of an exception."""
    return any(ENDS.fullmatch(word) for word in WORDS.findall(LOG_IN.sub("", function)))


def is_bare(raised: Raised) -> bool:
    """Tell one of Python's own exceptions."""
    return "." not in raised.qualified


def without_what_ends_led_to(items: Iterable[Sighting]) -> Iterator[Sighting]:
    """Give no weight to what a process met while it handled its own end, which somebody outside had asked for."""
    ending: dict[Speaker, bool] = {}
    for item in items:
        assert item.failure
        assert item.raised
        speaker = item.line.speaker
        led_to = item.raised.follows and ending.get(speaker, False)
        asked_for = item.failure.category == "other"
        ending[speaker] = led_to or asked_for
        yield shrugged_off(item) if led_to and not asked_for else item


def with_their_blocks(items: list[Sighting]) -> list[Sighting]:
    """Class an exception whose message only begins on its line by what the lines under it state.

    A compiler back end prints the source that it was given first, and its complaint last.
    """
    return [with_what_stands_below(item, stated_below(item, items, at)) for at, item in enumerate(items)]


def with_what_stands_below(item: Sighting, below: Sighting | None) -> Sighting:
    """Class an exception by a line under it; one without a word of its own has that line's place, too."""
    if below is None:
        return item
    known = replace(item, failure=below.failure)
    says_nothing = item.raised is not None and not item.raised.message and item.failure and item.failure.role == "root"
    return replace(known, number=below.number, start=below.start, line=below.line) if says_nothing else known


def stated_below(item: Sighting, items: Sequence[Sighting], at: int) -> Sighting | None:
    """Give the first line under an open exception that states a cause, before the next exception.

    One that carries the news of a process that ended takes the code that is told under it.
    """
    if not item.line.text.endswith((":", "root error(s) found.")) or not item.failure:
        return None
    carries = item.failure.role == "cascade"
    if not carries and not (item.raised and is_only_a_kind(item.failure)):
        return None
    for other in islice(items, at + 1, at + 1 + BLOCK_SIGHTINGS):
        if other.raised or other.number > item.number + BLOCK_LINES or other.line.speaker != item.line.speaker:
            return None
        if not carries and other.failure and other.failure.role == "root" and not is_only_a_kind(other.failure):
            return other
        if (end := end_in(other)) and end.meaning and other.number - item.number <= NEAR_LINES:
            return by_its_code(other)
    return None


def is_only_a_kind(failure: Failure) -> bool:
    """Tell a failure of which only the kind is known."""
    return failure.general or failure.wording or not failure.pattern


def shrugged_off(item: Sighting) -> Sighting:
    """Give an exception without its stack no weight where the line before says that Python passed over it."""
    failure = item.failure or UNKNOWN
    return replace(item, failure=failure._replace(role="teardown", weight=0.0)) if failure.role == "root" else item
