"""Choose among suspects by the rules of `corrections`, and choose anew while the choice turns out to be got over."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Correction, JobCase, RuleTrace, Suspect, standing
from schedmate.readers.failures.causes.contest import Contest
from schedmate.readers.failures.causes.corrections import ALIVE, CAUSES, GOT_OVER, PICKS, Weights
from schedmate.readers.failures.causes.got_on import is_only_silent, says_so_before
from schedmate.readers.failures.causes.same_fault import last_statement
from schedmate.readers.failures.causes.suspects import as_got_over
from schedmate.readers.failures.sightings.sighting import Sighting

MOST_CHECKS = 16


def choose_living(suspects: Sequence[Suspect], case: JobCase) -> tuple[list[Suspect], Suspect | None]:
    """Choose, and choose anew while a rule knows that the choice was got over; what said the same before was, too.

    A choice for which nothing speaks but a silence stays the choice: only how sure it is, and whom it blames, is less.
    """
    for _ in range(MOST_CHECKS):
        chosen = choose(suspects, case)
        case = replace(case, suspects=suspects, chosen=chosen)
        if chosen is None or chosen.survived:
            return list(suspects), chosen
        over = next((rule for rule in case.asks(GOT_OVER) if case.tried(rule, chosen, case, otherwise=False)), None)
        if over is None:
            return list(suspects), replace(chosen, silent=True) if is_only_silent(chosen, case) else chosen
        last = last_statement(chosen, suspects)
        suspects = [cleared(one, over.name) if one is chosen or says_so_before(one, last) else one for one in suspects]
    return list(suspects), choose(suspects, case)


def choose(suspects: Sequence[Suspect], case: JobCase) -> Suspect | None:
    """Take whom the first pick gives."""
    return picked(suspects, case)[1]


def picked(suspects: Sequence[Suspect], case: JobCase) -> tuple[str, Suspect | None]:
    """Give the name of the pick that chose, and whom."""
    among = contest_of(suspects, case)[0]
    found = ((rule.name, case.tried(rule, among, otherwise=None)) for rule in case.asks(PICKS))
    return next(((name, one) for name, one in found if one is not None), ("", None))


def contest_of(suspects: Sequence[Suspect], case: JobCase) -> tuple[Contest, dict[int, str]]:
    """Give who is left, and by which rule others are not: of each that is left aside, by its identity."""
    alive, behind = left([one for one in suspects if one.heard], ALIVE, case)
    causes, aside = left([one for one in alive if not one.effect], CAUSES, case)
    return Contest(suspects, alive, causes), behind | aside


def left(
    suspects: Sequence[Suspect], rules: Sequence[Correction[Weights]], case: JobCase
) -> tuple[list[Suspect], dict[int, str]]:
    """Ask each rule in turn who is left, and note whom it leaves aside."""
    held, aside = list(suspects), dict[int, str]()
    for rule in case.asks(rules):
        stay = case.tried(rule, held, case, otherwise=held)
        kept = {id(one) for one in stay}
        aside |= {id(one): rule.name for one in held if id(one) not in kept}
        held = stay
    return held, aside


def cleared(one: Suspect, rule: str) -> Suspect:
    """Let a suspect count as outlived, by the rule that knows it."""
    if one.survived:
        return one
    over = as_got_over(one)
    return replace(over, history=(*one.history, RuleTrace(rule, standing(one), standing(over))))


def first_cause(suspects: Sequence[Suspect], stumbles: list[str]) -> Sighting | None:
    """Choose without reading on: for earlier attempts and for the paper's locator; note rules that had a fault."""
    chosen = choose(suspects, JobCase((), stumbles=stumbles))
    return chosen.sighting if chosen else None
