"""Say how a job ended, as far as is known: well, by somebody's hand, or without a word of it."""

from collections.abc import Sequence

from schedmate.knowledge.evaluation_words import evaluation_words
from schedmate.knowledge.own_limits import is_own_limit
from schedmate.readers.failures.lines.steps import StepMark, counts_of
from schedmate.schemas import Diagnosis
from schedmate.tools.late_patterns import late_re2

PROOF, LAST_STEP, LAST_WELL, LAST_LINE = "proof of health", "its last step", "last healthy step", "last line"
"""What the evidence calls lines that tell how far a job came."""
SAID, SAID_WELL = "ended with ", late_re2(r"^ended with .{1,80}: well$")
"""How the note begins that tells of an end beside the log, and the whole of it where that was well."""
ONLY_BEGAN = "what begins"
"""How the note opens that tells of a run behind the one that is asked about."""
BY_HAND = late_re2(r"cancel|interrupt$|interrupted$|by_person|by_user")
"""What the ids of ends have in common that somebody wanted."""
ASKED_TO_END = frozenset(
    {
        *("python.terminated", "exit.terminated", "scheduler.slurm_task_ended", "distributed.elastic_terminated"),
        *("distributed.launcher_signalled", "paddle.terminated"),
    }
)
"""Something outside ended it; whether a person, the scheduler or a script did, is not said."""
BY_ITS_CODE = frozenset({"launchers.program_ended", "launchers.program_signalled"})
"""What a launcher says of an end, of which the code or the signal gives the class."""
OUT_OF_TIME = late_re2(r"(?:time_limit|timeout|deadline|cpu_time)$")
"""How the ids of ends end that came because the job's time was over."""
COUNTER = late_re2(
    r"(?i)\b(?:global_?|train_?)?(step|iteration|iter|epoch|batch|update|episode)s?\b[\s:=#\[(]{0,3}"
    r"(\d[\d,]{0,15})(?:\s?(?:/|of)\s?(\d[\d,]{0,15}))?"
)

EVALUATION = late_re2(rf"(?i)\b(?:{'|'.join(sorted(evaluation_words('names')))})(?:[\s:\]]|$)")
"""A line about an evaluation; `val_loss` may stand behind a step of training."""
BARE = late_re2(r"\b(\d[\d,]{0,15})/(\d[\d,]{0,15})\b")


def is_by_hand(diagnosis: Diagnosis) -> bool:
    """Tell a job that somebody ended: nothing of it has to be mended, and nothing may bring it back."""
    return diagnosis.category == "other" and bool(BY_HAND.search(diagnosis.failure_id or ""))


def is_out_of_time(diagnosis: Diagnosis) -> bool:
    """Tell a job that used up the time that it was given: more of it, or a checkpoint, brings it on."""
    return diagnosis.category == "other" and bool(OUT_OF_TIME.search(diagnosis.failure_id or ""))


def reached_limit(diagnosis: Diagnosis) -> bool:
    """Tell a job that ran into what it was given, time, memory or disk, from one that failed."""
    return is_out_of_time(diagnosis) or is_own_limit(diagnosis.failure_id)


def is_asked_to_end(diagnosis: Diagnosis) -> bool:
    """Tell a job that was ended from outside, nobody knows by whom."""
    asked = diagnosis.failure_id in BY_ITS_CODE and diagnosis.category == "other"
    return (asked or diagnosis.failure_id in ASKED_TO_END) and diagnosis.should_restart == "no"


def is_proven_well(diagnosis: Diagnosis) -> bool:
    """Tell whether anything says that a job without a failure ended well: its log, or what knows of its end."""
    said = [note for note in diagnosis.notes if note.startswith(SAID)]
    if diagnosis.category != "none" or not all(SAID_WELL.search(note) for note in said):
        return False  # what knows of the end counts more than the log
    return bool(said) or any(one.note in {PROOF, LAST_STEP} for one in diagnosis.evidence)


def is_end_unknown(diagnosis: Diagnosis) -> bool:
    """Tell a job of which nothing says how it ended: no failure, and no proof that all was well."""
    return diagnosis.category == "none" and diagnosis.root_line is None and not is_proven_well(diagnosis)


def came_to_its_end(marks: Sequence[StepMark], last: str) -> bool:
    """Tell by its last line of progress that a run did all it was to do: 120/120, or 3/3 epochs of 120/120.

    A bar without a name may be that of one epoch, or of data that were made ready.
    """
    named = COUNTER.findall(last)
    counts = [counts_of(mark.step) for mark in marks]
    if not named or not counts or not counts[-1] or EVALUATION.search(last):
        return False
    if named[0][0].lower() == "batch" or not all(total for _, _, total in named):
        return False
    if any(whole is not None and done < whole for done, whole in counts[-1]):
        return False
    wholes = [one[0][1] or 0 for one in counts if one]
    if wholes[-1] < max(wholes):
        return False  # something shorter than the run: an evaluation, or data that were made ready
    outer = [one[0][0] for one in counts if one]
    return outer == sorted(outer)  # what falls back is counted within something longer


def stopped_at(diagnosis: Diagnosis) -> str:
    """Name the place of the last healthy step: `step 290 of 5000`; empty where there is none."""
    quote = next((one.quote for one in diagnosis.evidence if one.note in {LAST_WELL, LAST_STEP}), "")
    named = [(name.lower(), done, total) for name, done, total in COUNTER.findall(quote)]
    if not any(total for _, _, total in named):
        named += [("", done, total) for done, total in BARE.findall(quote)][:1]
    told = [f"{name} {done}".strip() + (f" of {total}" if total else "") for name, done, total in named[:2]]
    return ", ".join(told)
