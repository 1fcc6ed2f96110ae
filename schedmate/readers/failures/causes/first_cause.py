"""Choose the first cause among everything that looks like one.

A cause outranks whatever can be its effect; what the job outlived explains nothing while anything else does; of what
speaks about equally loud the first statement wins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from schedmate.readers.failures.causes.dead_threads import left_waiting
from schedmate.readers.failures.causes.every_try import first_of_tries
from schedmate.readers.failures.causes.failed_transfers import with_failed_transfers
from schedmate.readers.failures.causes.heralds import heralded
from schedmate.readers.failures.causes.killed_strangers import with_strangers_aside
from schedmate.readers.failures.causes.looking_back import CAUGHT_BY_PROGRAMS, earliest_of_loudest
from schedmate.readers.failures.causes.met_by_program import met_by_program
from schedmate.readers.failures.causes.numbered_tries import first_try
from schedmate.readers.failures.causes.others_pods import with_others_pods_aside
from schedmate.readers.failures.causes.precedence import (
    LEAST_SCORE,
    came_before_memory_ran_out,
    says_little,
)
from schedmate.readers.failures.causes.proofs_of_health import LEAST_SURVIVED_SCORE, last_proof_of_health
from schedmate.readers.failures.causes.said_above import said_before
from schedmate.readers.failures.causes.same_fault import (
    first_of_all_runs,
    first_statement,
    is_same_fault,
    last_statement,
)
from schedmate.readers.failures.causes.stated_in_words import said_in_words_before, stated_in_words
from schedmate.readers.failures.causes.suspect import Suspect
from schedmate.readers.failures.causes.suspects import SURVIVED_FACTOR, SURVIVED_HARDWARE_FACTOR, weigh_all
from schedmate.readers.failures.causes.told_parts import part_that_failed
from schedmate.readers.failures.causes.tries_without_end import with_tries_without_end
from schedmate.readers.failures.causes.uncatalogued_trouble import with_uncatalogued_aside
from schedmate.readers.failures.causes.watched_parts import first_of_part
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.readers.failures.survival.late_output import dies_natively, is_launchers_word
from schedmate.readers.failures.survival.said_beside import got_over
from schedmate.readers.failures.survival.shell_setup import explains
from schedmate.readers.failures.survival.survived import fell_silent, goes_on
from schedmate.readers.lines import Speaker

EXPLAINS = 0.2
"""How much a cause must count to explain effects away; a warning that nobody knows does not."""
DEMOTES = 0.4
"""How much it must count to make an effect of a line that mostly states a cause by itself."""
MOST_CHECKS = 16
SIGNAL_WEIGHT = 0.58


GOES_DOWN = frozenset({"node.reboot", "site.node_lost", "site.node_unhealthy", "wording.node"})
"""Entries that say that a machine goes down or is gone, and not why."""
PLANT = "plant"
"""What the catalogue calls a fault of the site's power or cooling."""


@dataclass(frozen=True, slots=True)
class CauseVerdict:
    """The first cause, None when the job was well; what else was weighed; the line that proves health."""

    root: Sighting | None
    suspects: tuple[Suspect, ...] = ()
    healthy: Sighting | None = None
    stalled_s: float | None = None
    chunks_read: int = 0
    chosen: Suspect | None = None
    """what decided the class; the root is its first statement"""


def locate(readings: Sequence[FailureReading]) -> CauseVerdict:
    """Weigh the sightings of all of a job's logs together."""
    sightings = [item for reading in readings for item in reading.suspects()]
    suspects, stalled_s = weigh_all(sightings, readings)
    suspects = with_tries_without_end(with_strangers_aside(suspects), readings)
    suspects = with_others_pods_aside(with_uncatalogued_aside(suspects, sightings, readings), readings)
    suspects = with_failed_transfers(suspects, readings)
    suspects, chosen = choose_living(suspects, readings)
    chosen = stated_in_words(chosen, readings)
    healthy = last_proof_of_health(sightings, suspects, readings)
    if healthy or chosen is None:
        return CauseVerdict(None, tuple(suspects), healthy, stalled_s)
    chosen = left_waiting(part_that_failed(chosen, suspects), suspects, readings)
    root = first_of_part(first_statement(chosen, suspects), suspects)
    root = first_of_tries(first_of_all_runs(root, readings), readings)
    root = first_try(said_before(met_by_program(root, suspects), readings), readings)
    root = said_in_words_before(heralded(root, suspects, readings), readings)
    return CauseVerdict(root, tuple(suspects), None, stalled_s, chosen=chosen)


def choose_living(suspects: list[Suspect], readings: Sequence[FailureReading]) -> tuple[list[Suspect], Suspect | None]:
    """Choose, and choose anew while the process that printed the choice simply goes on after it.

    Reading what stands around a line costs, so only those are looked at that would be chosen. Where the job ended badly
    later, and only effects say so, who fell silent at his trouble got over nothing, as far as anybody can tell.
    """
    for _ in range(MOST_CHECKS):
        chosen = choose(suspects)
        if chosen is not None and says_little(chosen, suspects, readings):
            suspects = [cleared(one) if one is chosen else one for one in suspects]
            continue
        if chosen is not None and chosen.survived and not explains_an_end(chosen, suspects):
            return suspects, None
        if chosen is None or chosen.survived or is_final(chosen) or is_missed_later(chosen, suspects):
            return suspects, chosen
        first, last = first_statement(chosen, suspects), last_statement(chosen, suspects)
        own, handled = readings[last.source], got_over(last, readings[last.source])
        if not (handled or goes_on(first, last, own)):
            return suspects, chosen
        if not handled and fell_silent(first, last, own) and any(follows_as_effect(one, last) for one in suspects):
            is_heard = any(tells_of_same_process(one, last) for one in suspects)
            return suspects, replace(chosen, silent=not is_heard)
        suspects = [cleared(one) if one is chosen or says_so_before(one, last) else one for one in suspects]
    return suspects, choose(suspects)


def explains_an_end(outlived: Suspect, suspects: Sequence[Suspect]) -> bool:
    """Tell what the job had outlived and may have ended it: something of a bad end is left, or it is loud."""
    if any(not one.survived and one.score >= LEAST_SCORE for one in suspects) or not is_hardware(outlived.sighting):
        return True
    return outlived.score * SURVIVED_FACTOR / SURVIVED_HARDWARE_FACTOR >= LEAST_SURVIVED_SCORE


def follows_as_effect(one: Suspect, last: Sighting) -> bool:
    """Tell what another's trouble may have led to later: peers that lost each other, or waited in vain."""
    return one.effect and not one.survived and one.score >= LEAST_SCORE and one.sighting.start > last.start


def tells_of_same_process(one: Suspect, last: Sighting) -> bool:
    """Tell a later line, of whatever weight, that a process prints of its own end, or that another prints of it."""
    item = one.sighting
    if item.source != last.source or item.start <= last.start or one.survived:
        return False
    rank = last.line.rank
    return item.line.speaker == last.line.speaker or (rank is not None and item.named.get("rank") == str(rank))


def is_missed_later(chosen: Suspect, suspects: Sequence[Suspect]) -> bool:
    """Tell a part of the environment that was not loaded, where a program then ended for want of it."""
    alive = (one.sighting for one in suspects if not one.survived and one.score >= LEAST_SCORE)
    return any(explains(chosen.sighting, later) for later in alive)


def says_so_before(one: Suspect, last: Sighting) -> bool:
    """Tell an earlier line of the same fault: what its last statement was got over, it was too."""
    item = one.sighting
    return item.source == last.source and item.start <= last.start and not one.effect and is_same_fault(item, last)


def cleared(one: Suspect) -> Suspect:
    """Let a suspect count as outlived."""
    return one if one.survived else replace(one, score=one.score * SURVIVED_FACTOR, survived=True)


def is_final(one: Suspect) -> bool:
    """Tell what no process goes on after: an end, by hand or in its launcher's word, native code's last words, what
    the machine states, or tries in vain.
    """
    item = one.sighting
    told = one.in_vain or is_end(item) or is_launchers_word(item) or dies_natively(item)
    return told or (is_hardware(item) and not CAUGHT_BY_PROGRAMS.search(item.line.text))


def choose(suspects: Sequence[Suspect]) -> Suspect | None:
    """Take the earliest of the loudest, of causes first, else of what may be effects, else of what was outlived."""
    alive = without_consequences([one for one in suspects if not one.survived and one.score >= LEAST_SCORE])
    causes = [one for one in alive if not one.effect]
    noticed = [one for one in suspects if one.maybe and one.score > 0 and is_end(one.sighting)]
    if noticed and causes and all(one.dumped or was_foretold(one, noticed[-1]) for one in causes):
        return noticed[-1]
    causes = without_what_was_foretold(causes)
    ended = any(is_end(one.sighting) for one in causes)
    firm = [one for one in causes if one.score >= DEMOTES and not may_follow(one)]
    if firm:
        causes = [one for one in causes if not may_follow(one) or came_before_memory_ran_out(one, firm)]
    if any(says_what_failed(one) for one in causes):
        causes = [one for one in causes if not is_seen_from_afar(one)]
    if ended or any(one.score >= EXPLAINS for one in causes if not may_follow(one)):
        return earliest_of_loudest(causes)
    late = [one for one in suspects if one.maybe and one.score > 0 and may_explain(one, alive)]
    if any(died_of_signal(one) for one in alive):
        late = [one for one in late if is_end(one.sighting)]
    if late and alive:
        return max(late, key=lambda one: (one.sighting.source, one.sighting.start))
    if any(one.score >= EXPLAINS for one in causes):
        return earliest_of_loudest(causes)
    if alive:
        return earliest_of_loudest(alive)
    return earliest_of_loudest([one for one in suspects if one.survived and one.score >= LEAST_SURVIVED_SCORE])


def without_what_was_foretold(causes: Sequence[Suspect]) -> list[Suspect]:
    """Leave out that a machine goes down or is lost where it was said before that it is taken away."""
    notices = [one for one in causes if is_end(one.sighting)]
    return [one for one in causes if not any(was_foretold(one, notice) for notice in notices)]


def was_foretold(one: Suspect, notice: Suspect) -> bool:
    """Tell what follows where a machine was said to be taken away: it goes down, and others lose it."""
    item, told = one.sighting, notice.sighting
    failure, end = item.failure, told.failure
    if failure is None or end is None or end.category != "infrastructure" or item.source != told.source:
        return False
    of_machine = failure.id in GOES_DOWN or is_seen_from_afar(one) or is_unknown(one)
    return item.start > told.start and (of_machine or (failure.subcategory == "node" and not failure.pattern))


def without_consequences(alive: Sequence[Suspect]) -> list[Suspect]:
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


def may_explain(late: Suspect, alive: Sequence[Suspect]) -> bool:
    """Tell what may have ended the job: a part that was back explains ranks that lost each other, nobody's hand."""
    return not is_hardware(late.sighting) or any(one.effect for one in alive)


def died_of_signal(one: Suspect) -> bool:
    """Tell a launcher's word that a process was ended by a signal: no exception does that."""
    failure = one.sighting.failure
    return failure is not None and failure.role == "cascade" and failure.weight >= SIGNAL_WEIGHT and one.effect


def may_follow(one: Suspect) -> bool:
    """Tell a line that states a cause, and that a peer's death produces as well."""
    return bool(one.sighting.failure and "peer" in one.sighting.failure.after) and not is_end(one.sighting)


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


def first_cause(suspects: Sequence[Suspect]) -> Sighting | None:
    """Choose without reading on: for earlier attempts and for the paper's locator."""
    chosen = choose(suspects)
    return chosen.sighting if chosen else None
