"""A second opinion on a diagnosis: what a model said, whether that needs another question, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schedmate.agents import failure_merge as merge
from schedmate.agents.failure_judge import CauseClaim, Judgement, claim_of, component_in, error_type_of, judge
from schedmate.agents.failure_settle import settle
from schedmate.agents.failure_support import doubt_of, states_it_before, suspect_at
from schedmate.agents.failure_window import LogWindow, window_of
from schedmate.models.llm import LanguageModel
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.reading import FailureReading
from schedmate.schemas import Diagnosis

NEAR_LINES = 3


@dataclass(frozen=True)
class Opinion:
    """What a model claims of a job, held beside what the built-in says."""

    judgement: Judgement
    seen: LogWindow
    claim: CauseClaim
    built: CauseClaim
    doubt: str
    """why the log does not bear the claim out; empty where it does"""
    same_class: bool
    same_place: bool
    goes_before: bool = False
    """the log itself puts the claim's line before the built-in's"""
    settled: CauseClaim | None = None
    asked_again: bool = False

    def is_open(self, found: Diagnosis) -> bool:
        """Tell whether a second question can change anything: both claims are borne out, and the built-in may yield.

        A place can always be made better, or less sure, by who agrees on the class.
        """
        if self.doubt or (self.same_class and (self.same_place or self.claim.line is None)):
            return False
        return self.same_class or found.confidence <= merge.FIRM


async def ask(
    model: LanguageModel, found: Diagnosis, verdict: CauseVerdict, readings: Sequence[FailureReading]
) -> Opinion:
    """Let a model judge the lines that may decide, and check what it claims."""
    judgement, seen = await judge(model, window_of(verdict, readings))
    claim, built = claim_of(judgement, seen), built_claim(found, verdict, seen)
    doubt = doubt_of(claim, found, verdict, readings)
    before = claim.line is not None and states_it_before(claim.line, verdict)
    same_class, same_place = claim.is_class_of(found), is_same_place(claim, verdict)
    return Opinion(judgement, seen, claim, built, doubt, same_class, same_place, before)


async def ask_again(model: LanguageModel, opinion: Opinion) -> Opinion:
    """Let it choose between the two lines alone."""
    return replace(opinion, settled=await settle(model, opinion.built, opinion.claim, opinion.seen), asked_again=True)


def built_claim(found: Diagnosis, verdict: CauseVerdict, seen: LogWindow) -> CauseClaim:
    """Write the built-in's answer as a claim."""
    root = verdict.root
    return CauseClaim(error_type_of(found), seen.find(seen.begins[root.source] + root.number) if root else None)


def is_same_place(claim: CauseClaim, verdict: CauseVerdict) -> bool:
    """Tell whether a claim's line is the built-in's, or of the same traceback."""
    root, line = verdict.root, claim.line
    if root is None or line is None:
        return root is None and line is None
    here = suspect_at(line.source, line.line, verdict)
    near = line.source == root.source and abs(line.line - root.number) <= NEAR_LINES
    return near or (here is not None and (here.sighting.source, here.sighting.number) == (root.source, root.number))


def merged(found: Diagnosis, opinion: Opinion) -> Diagnosis:
    """Join both answers."""
    component = component_in(opinion.judgement, opinion.seen)
    if opinion.same_class:
        if opinion.settled is opinion.claim and opinion.claim.line:
            may_move = found.root_confidence <= merge.FIRM or opinion.goes_before
            return (merge.moved if may_move else merge.misplaced)(found, opinion.claim, opinion.seen)
        return merge.agreed(found, opinion.same_place, component)
    if opinion.doubt:
        return merge.disputed(found, opinion.claim, opinion.doubt, shaken=False)
    if not opinion.asked_again:
        return merge.disputed(found, opinion.claim, "the built-in's line is the surer one", shaken=True)
    if opinion.settled is opinion.claim:
        return merge.corrected(found, opinion.claim, opinion.judgement, opinion.seen, component)
    why = (
        "took the built-in's line when it was asked again" if opinion.settled else "took neither line when asked again"
    )
    return merge.disputed(found, opinion.claim, why, shaken=opinion.settled is None)


def alone(found: Diagnosis, opinion: Opinion) -> Diagnosis:
    """Take what the model said as it stands, as the paper does; only its line must have been shown."""
    component = component_in(opinion.judgement, opinion.seen)
    return merge.corrected(found, opinion.claim, opinion.judgement, opinion.seen, component)
