"""Who is left to be the first cause: who is left aside behind another's word, and the ways to choose among the rest.

A cause outranks whatever can be its effect; what the job outlived explains nothing while anything else does; of what
speaks about equally loud the first statement wins.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.cut_transfers import came_before_memory_ran_out
from schedmate.readers.failures.causes.looking_back import earliest_of_loudest
from schedmate.readers.failures.causes.proofs_of_health import LEAST_SURVIVED_SCORE
from schedmate.readers.failures.causes.suspects import SURVIVED_FACTOR, SURVIVED_HARDWARE_FACTOR
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.lines import Speaker

EXPLAINS = 0.2
"""How much a cause must count to explain effects away; a warning that nobody knows does not."""
DEMOTES = 0.4
"""How much it must count to make an effect of a line that mostly states a cause by itself."""
SIGNAL_WEIGHT = 0.58

GOES_DOWN = frozenset({"node.reboot", "site.node_lost", "site.node_unhealthy", "wording.node"})
"""Entries that say that a machine goes down or is gone, and not why."""
NO_ROOM = "scheduler.k8s_unschedulable"
"""What is said of pods that take the place of those whose machine was taken away."""
PLANT = "plant"
"""What the catalogue calls a fault of the site's power or cooling."""


class Contest(NamedTuple):
    """All suspects, those that the job did not get over, and those of them that may be its cause."""

    suspects: Sequence[Suspect]
    alive: Sequence[Suspect]
    causes: Sequence[Suspect]


def without_consequences(alive: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Leave out what nobody knows behind an effect that is known of the same process: it only could be resembled."""
    effects: dict[tuple[int, Speaker], int] = {}
    for one in alive:
        if one.effect and one.sighting.failure and not one.sighting.failure.general:
            speaker = one.sighting.source, one.sighting.line.speaker
            effects[speaker] = min(effects.get(speaker, one.sighting.start), one.sighting.start)
    return [one for one in alive if not (is_unknown(one) and follows(one, effects))]


def follows(one: Suspect, effects: Mapping[tuple[int, Speaker], int]) -> bool:
    """Tell a line behind the first effect that its own process met."""
    item = one.sighting
    return item.start > effects.get((item.source, item.line.speaker), item.start)


def is_unknown(one: Suspect) -> bool:
    """Tell a line that neither an entry nor its words can class."""
    return one.sighting.failure is not None and one.sighting.failure.id == UNKNOWN_ID


def without_what_was_foretold(causes: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Leave out that a machine goes down or is lost where it was said before that it is taken away."""
    notices = [one for one in causes if is_end(one.sighting)]
    return [one for one in causes if not any(was_foretold(one, notice) for notice in notices)]


def was_foretold(one: Suspect, notice: Suspect) -> bool:
    """Tell what follows where a machine was said to be taken away: it goes down, others lose it, and what is to take
    the place of its pods may find no room.
    """
    item, told = one.sighting, notice.sighting
    failure, end = item.failure, told.failure
    if failure is None or end is None or end.category != "infrastructure" or item.source != told.source:
        return False
    of_machine = failure.id in GOES_DOWN or failure.id == NO_ROOM or is_seen_from_afar(one) or is_unknown(one)
    return item.start > told.start and (of_machine or (failure.subcategory == "node" and not failure.pattern))


def without_what_may_follow(causes: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Leave out what a peer's death produces as well, where a firm cause is known; a card's lost transfer may stay."""
    firm = [one for one in causes if one.score >= DEMOTES and not may_follow(one)]
    if not firm:
        return list(causes)
    return [one for one in causes if not may_follow(one) or came_before_memory_ran_out(one, firm)]


def may_follow(one: Suspect) -> bool:
    """Tell a line that states a cause, and that a peer's death produces as well."""
    return bool(one.sighting.failure and "peer" in one.sighting.failure.after) and not is_end(one.sighting)


def without_what_is_seen_from_afar(causes: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Leave out that a machine does not answer, where a daemon or a driver states what became of one."""
    if not any(says_what_failed(one) for one in causes):
        return list(causes)
    return [one for one in causes if not is_seen_from_afar(one)]


def is_seen_from_afar(one: Suspect) -> bool:
    """Tell that a machine does not answer any more, as others see it, whatever became of it."""
    return one.sighting.failure is not None and "machine" in one.sighting.failure.after


def says_what_failed(one: Suspect) -> bool:
    """Tell a line of a daemon or a driver that states what became of a machine or its site."""
    failure = one.sighting.failure
    if failure is None or one.score < EXPLAINS or is_seen_from_afar(one) or failure.subcategory == "network":
        return False
    of_the_site = failure.daemon or failure.fault == PLANT
    return (of_the_site and failure.category == "infrastructure") or is_hardware(one.sighting)


def noticed_end(among: Contest) -> Suspect | None:
    """Give the last notice of an end, where each cause only looks back or follows from it."""
    told = [one for one in among.suspects if one.maybe and one.score > 0 and is_end(one.sighting)]
    causes = [one for one in among.alive if not one.effect]
    if told and causes and all(one.dumped or was_foretold(one, told[-1]) for one in causes):
        return told[-1]
    return None


def firm_cause(among: Contest) -> Suspect | None:
    """Give the cause, where one counts enough and no peer's death produces it, or somebody ended the job."""
    ended = any(is_end(one.sighting) for one in among.causes)
    firm = ended or any(one.score >= EXPLAINS for one in among.causes if not may_follow(one))
    return earliest_of_loudest(among.causes) if firm else None


def late_cause(among: Contest) -> Suspect | None:
    """Give the last of what may have lain in buffers, where something is left to explain."""
    late = [one for one in among.suspects if one.maybe and one.score > 0 and may_explain(one, among.alive)]
    if any(died_of_signal(one) for one in among.alive):
        late = [one for one in late if is_end(one.sighting) or (one.dumped and is_hardware(one.sighting))]
    return max(late, key=lambda one: one.sighting.place) if late and among.alive else None


def may_explain(late: Suspect, alive: Sequence[Suspect]) -> bool:
    """Tell what may have ended the job: a part that was back explains ranks that lost each other, nobody's hand."""
    return not is_hardware(late.sighting) or any(one.effect for one in alive)


def died_of_signal(one: Suspect) -> bool:
    """Tell a launcher's word that a process was ended by a signal: no exception does that, but for want of a device
    run times end themselves so.
    """
    failure = one.sighting.failure
    return failure is not None and failure.role == "cascade" and failure.weight >= SIGNAL_WEIGHT and one.effect


def any_cause(among: Contest) -> Suspect | None:
    """Give a cause that a peer's death may produce as well."""
    return earliest_of_loudest(among.causes) if any(one.score >= EXPLAINS for one in among.causes) else None


def only_effect(among: Contest) -> Suspect | None:
    """Give the loudest of all that is left, mostly effects."""
    return earliest_of_loudest(among.alive)


def outlived_cause(among: Contest) -> Suspect | None:
    """Give the loudest of what the job got over: nothing else is known. Of a machine nothing is told then but what
    would be loud enough of anything.
    """
    over = earliest_of_loudest([one for one in among.suspects if one.survived and one.score >= LEAST_SURVIVED_SCORE])
    if over is None or not is_hardware(over.sighting):
        return over
    as_of_anything = over.score * SURVIVED_FACTOR / SURVIVED_HARDWARE_FACTOR
    return over if as_of_anything >= LEAST_SURVIVED_SCORE else None
