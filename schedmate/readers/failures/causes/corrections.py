"""All that corrects which line is the first cause, in the order in which it is asked: what, and why.

A rule gets what it corrects and the `JobCase`, and gives that back, corrected or as it was. `diagnose --explain` prints
which rules did something; `python -m evals rules` counts how often each decided, and was right.
"""

from collections.abc import Callable, Sequence

from schedmate.readers.failures.case import Correction, Fact, JobCase, Suspect
from schedmate.readers.failures.causes import contest
from schedmate.readers.failures.causes.asked_for_later import with_dumps_back
from schedmate.readers.failures.causes.dead_threads import left_waiting
from schedmate.readers.failures.causes.differing_collectives import with_differing_collectives
from schedmate.readers.failures.causes.driver_knew import what_driver_knew
from schedmate.readers.failures.causes.early_leavers import with_early_leavers
from schedmate.readers.failures.causes.ends_from_outside import in_light_of_ends
from schedmate.readers.failures.causes.ends_nothing import says_little
from schedmate.readers.failures.causes.every_try import first_of_tries
from schedmate.readers.failures.causes.failed_transfers import with_failed_transfers
from schedmate.readers.failures.causes.got_on import was_handled, went_on
from schedmate.readers.failures.causes.helpers_aside import with_helpers_aside
from schedmate.readers.failures.causes.killed_strangers import with_strangers_aside
from schedmate.readers.failures.causes.launchers_signals import without_what_launchers_ended
from schedmate.readers.failures.causes.led_to import first_that_led, what_led_to_it
from schedmate.readers.failures.causes.met_by_program import met_by_program
from schedmate.readers.failures.causes.never_started import what_never_started
from schedmate.readers.failures.causes.numbered_tries import first_try
from schedmate.readers.failures.causes.others_pods import with_others_pods_aside
from schedmate.readers.failures.causes.own_programs import of_its_own_program
from schedmate.readers.failures.causes.printed_late import with_late_words
from schedmate.readers.failures.causes.proofs_of_health import last_proof_of_health
from schedmate.readers.failures.causes.reasons import with_native_words, with_reasons
from schedmate.readers.failures.causes.replaced_pods import with_replaced_pods
from schedmate.readers.failures.causes.said_above import said_before
from schedmate.readers.failures.causes.same_fault import first_of_all_runs, first_stated
from schedmate.readers.failures.causes.slowed_down import what_slowed_it
from schedmate.readers.failures.causes.stated_in_words import said_in_words_before, stated_in_words
from schedmate.readers.failures.causes.told_by_event import told_by_event
from schedmate.readers.failures.causes.told_parts import part_that_failed
from schedmate.readers.failures.causes.tries_without_end import with_tries_without_end
from schedmate.readers.failures.causes.uncatalogued_trouble import with_uncatalogued_aside
from schedmate.readers.failures.causes.watched_parts import first_of_part
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.dying_helpers import without_dying_helpers
from schedmate.readers.failures.survival.old_news import with_habits, with_old_news
from schedmate.readers.failures.survival.other_trials import without_ends_of_trials
from schedmate.readers.failures.survival.outcomes import (
    HOW_KNOWN,
    with_headings,
    with_repeats,
    with_what_ended_it,
    without_what_was_caught,
)

Statements = Callable[[Sequence[Sighting], JobCase], list[Sighting]]
Fates = Callable[[Sequence[Fact], JobCase], list[Fact]]
Weights = Callable[[Sequence[Suspect], JobCase], list[Suspect]]
Judgement = Callable[[Suspect, JobCase], bool]
Pick = Callable[[contest.Contest], Suspect | None]
Proof = Callable[[Sequence[Suspect], JobCase], Sighting | None]
Choice = Callable[[Suspect, JobCase], Suspect]
Place = Callable[[Sighting, JobCase], Sighting]

STATEMENTS: tuple[Correction[Statements], ...] = (
    Correction("other calls", "ranks that wait in different calls were never in one", with_differing_collectives),
    Correction("early leaver", "a rank whose data ended leaves the others waiting", with_early_leavers),
    Correction("dying helpers", "processes that die all the time end nothing", without_dying_helpers),
)
"""What a line states."""

FATES: tuple[Correction[Fates], ...] = (
    Correction("repeat", "what repeats an earlier line shares its fate", with_repeats),
    Correction("caught", "a process that raised something else later had caught it", without_what_was_caught),
    Correction("other trials", "others are at work behind the end of a trial", without_ends_of_trials),
    Correction("heading", "what stands right above a stack says what was tried there", with_headings),
    Correction("habit", "what was got over many times is got over once more", with_habits),
    Correction("just before the end", "what stands just before a late end is as close to it", with_what_ended_it),
)
"""What became of it, beside the steps that were made behind it."""

WEIGHTS: tuple[Correction[Weights], ...] = (
    Correction("looks back", "in a dump nothing tells a line from older trouble but its clock", with_dumps_back),
    Correction("printed late", "the steps behind it may have lain in buffers", with_late_words),
    Correction("old news", "what was said and outlived several times says nothing new", with_old_news),
    Correction("launcher's signal", "whom his launcher ended died of no fault of his", without_what_launchers_ended),
    Correction("helper", "what a shell did not find, or a scheduler refused, was done without", with_helpers_aside),
    Correction("native words", "native code logs why before it raises a bare RuntimeError", with_native_words),
    Correction("reason", "a warning of the same fault says why an exception came", with_reasons),
    Correction("end", "an end from outside explains what one produces, and what is printed after it", in_light_of_ends),
)
"""What it counts."""

RIVALS: tuple[Correction[Weights], ...] = (
    Correction("stranger", "a kill that only the kernel speaks of may be of any process there", with_strangers_aside),
    Correction("tries without end", "nobody saw the tries succeed, and nothing else is told", with_tries_without_end),
    Correction("uncatalogued", "words that nobody catalogued yield to who states the end", with_uncatalogued_aside),
    Correction("others' pods", "a table of a cluster lists pods of others", with_others_pods_aside),
    Correction("replaced pod", "only the pod that took its place could not start", with_replaced_pods),
    Correction("failed transfer", "what tries met goes before the word that gives up", with_failed_transfers),
)
"""What it counts beside all else that is known of the job."""

ALIVE: tuple[Correction[Weights], ...] = (
    Correction("behind an effect", "unknown words behind an effect are of it", contest.without_consequences),
)

CAUSES: tuple[Correction[Weights], ...] = (
    Correction("foretold", "a machine that was said to be taken away goes down", contest.without_what_was_foretold),
    Correction("may follow", "a peer's death produces it as well", contest.without_what_may_follow),
    Correction("seen from afar", "a driver or a daemon knows why", contest.without_what_is_seen_from_afar),
)
"""Who is left aside."""

PICKS: tuple[Correction[Pick], ...] = (
    Correction("noticed end", "all causes follow from a notice of the end, or look back", contest.noticed_end),
    Correction("firm cause", "the earliest of the loudest causes", contest.firm_cause),
    Correction("late cause", "the last of what may have lain in buffers; only effects are left", contest.late_cause),
    Correction("any cause", "the earliest of the loudest, though a peer's death may produce it", contest.any_cause),
    Correction("only an effect", "no cause is told: the earliest of the loudest effects", contest.only_effect),
    Correction("got over", "nothing else is told than what the job got over", contest.outlived_cause),
)
"""Who is chosen: the first that gives anybody."""

GOT_OVER: tuple[Correction[Judgement], ...] = (
    Correction("ends nothing", "no program ends of a warning, or of a tracker's word", says_little),
    Correction("handled", "the lines beside it say that it was caught, skipped, tried again", was_handled),
    Correction("went on", "the process that printed it went on", went_on),
)
"""Why the choice is none: another is chosen then."""

PROOFS: tuple[Correction[Proof], ...] = (
    Correction(
        "proof of health",
        "it says that the job ended well, and nothing of weight stands behind it",
        last_proof_of_health,
    ),
)
"""What shows that the job was well, whoever was chosen."""

CHOICES: tuple[Correction[Choice], ...] = (
    Correction("slowed down", "who ends a job that crawls does not say what slows it", what_slowed_it),
    Correction("stated in words", "the choice leaves open why; somebody stated it in plain words", stated_in_words),
    Correction("never started", "who waited for a pod in vain does not know what kept it", what_never_started),
    Correction("driver knew", "a driver had told why a call to its device would fail", what_driver_knew),
    Correction("part that failed", "a part's own word goes before what processes met of it", part_that_failed),
    Correction("left waiting", "ranks only waited; a thread that fed them had died, or one never came", left_waiting),
    Correction(
        "led to", "who had no device, mount or driver any more dies of it later, in other words", what_led_to_it
    ),
    Correction("own program", "a crash is the program's own where no stack is named under it", of_its_own_program),
)
"""What decides the class in place of the choice."""

PLACES: tuple[Correction[Place], ...] = (
    Correction("first statement", "an earlier line states the same fault", first_stated),
    Correction("event", "a pod's state is a word; the event below it says why", told_by_event),
    Correction("first of part", "a machine or a watcher had spoken of trouble with that part", first_of_part),
    Correction("first of all runs", "every run so far ended so before its first step", first_of_all_runs),
    Correction("first of tries", "the job's own starter began all runs, and each died of this", first_of_tries),
    Correction("met by program", "the program's exception names the code, its driver does not", met_by_program),
    Correction(
        "said before", "NCCL, a key, a report's head, or the program that left says just above why", said_before
    ),
    Correction("first try", "the numbered tries of the same thing began earlier", first_try),
    Correction("said in words", "who was at fault had been told in plain words just before", said_in_words_before),
    Correction("first in a chain", "a quiet word of what leads to such an end stands before it", first_that_led),
)
"""Where it was stated first."""

TABLES = (STATEMENTS, FATES, WEIGHTS, RIVALS, ALIVE, CAUSES, PICKS, GOT_OVER, PROOFS, CHOICES, PLACES)


def reasons() -> dict[str, str]:
    """Give why each rule is right, by its name."""
    return HOW_KNOWN | {rule.name: rule.why for table in TABLES for rule in table}
