"""Say in one line what becomes of a job: what its fault allows, and what the plan makes of that."""

from schedmate.readers.failures.advice.check_commands import shared_disk
from schedmate.readers.failures.answer.how_ended import (
    LAST_STEP,
    PROOF,
    SAID,
    is_asked_to_end,
    is_by_hand,
    is_end_unknown,
    is_out_of_time,
    is_proven_well,
    reached_limit,
    stopped_at,
)
from schedmate.schemas import Diagnosis


def headline(diagnosis: Diagnosis) -> str:
    """Say whether a restart helps; of a job without a failure, how it ended."""
    if diagnosis.category == "none":
        return how_it_ended(diagnosis)
    if diagnosis.running_again_line is not None:
        return f"it was started again at line {diagnosis.running_again_line:,} and got on since"
    if is_by_hand(diagnosis):
        return "somebody ended it"
    if is_asked_to_end(diagnosis):
        return "something outside ended it; by whom, the log does not say"
    if diagnosis.should_restart == "no" and is_out_of_time(diagnosis):
        return "its time was over: give it more, or let it go on from a checkpoint"
    if diagnosis.should_restart == "no":
        return f"a restart would {'meet the same limit' if reached_limit(diagnosis) else 'fail again'}"
    where = " on other hardware" if diagnosis.should_restart == "elsewhere" else ""
    shared = shared_disk(diagnosis)
    condition = f", if {shared} is the node's own" if shared else ""
    held = held_because(diagnosis)
    if held:
        return f"a restart{where} may help{condition}; held until somebody looks: {held}"
    return f"a restart{where} helps{condition}"


def held_because(diagnosis: Diagnosis) -> str:
    """Give why the plan holds a job that a restart could help; empty where it restarts it."""
    kinds = [action.kind for action in diagnosis.actions]
    if "restart" in kinds or "requeue" in kinds:
        return ""
    return next((action.reason for action in diagnosis.actions if action.kind == "hold"), "")


def how_it_ended(diagnosis: Diagnosis) -> str:
    """Say of a job without a failure what proves that it ended well, or that nothing does."""
    notes = {one.note for one in diagnosis.evidence}
    if is_proven_well(diagnosis):
        if PROOF in notes:
            return "its log says that it ended well"
        return "it did its last step" if LAST_STEP in notes else "it is said to have ended well"
    if not is_end_unknown(diagnosis):
        return ""
    if any(note.startswith(SAID) for note in diagnosis.notes):
        return "its log does not say why it ended"
    place = stopped_at(diagnosis)
    return f"its log stops{f' at {place}' if place else ''} and does not say how it ended"
