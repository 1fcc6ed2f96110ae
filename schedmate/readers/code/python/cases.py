"""Which case of a `match` the run takes, for the patterns by which programs choose."""

import ast

from schedmate.readers.code.python.operators import compare
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import Unknown, Value, is_constant

DEEPEST = 20


def is_taken(run: Run, case: ast.match_case, subject: Value, scope: Scope) -> bool | None:
    """Tell whether a case is taken, its condition included; None where that is not known."""
    fits = pattern_fits(run, case.pattern, subject, scope)
    if fits is False or case.guard is None:
        return fits
    holds = truth(run.evaluate(case.guard, scope))
    return False if holds is False else holds if fits else None


def pattern_fits(run: Run, pattern: ast.pattern, subject: Value, scope: Scope, depth: int = 0) -> bool | None:
    """Tell whether a pattern fits, and give its names what they stand for."""
    if depth > DEEPEST:
        return None
    if isinstance(pattern, ast.MatchAs):
        fits = pattern_fits(run, pattern.pattern, subject, scope, depth + 1) if pattern.pattern is not None else True
        if pattern.name is not None and fits is not False:
            run.journal.put(scope.home_of(pattern.name), pattern.name, subject)
        return fits
    if isinstance(pattern, ast.MatchOr):
        ways = [pattern_fits(run, one, subject, scope, depth + 1) for one in pattern.patterns]
        return True if True in ways else None if None in ways else False
    if isinstance(subject.data, Unknown):
        return None
    if isinstance(pattern, ast.MatchSequence):
        return sequence_fits(run, pattern, subject, scope, depth)
    if isinstance(pattern, ast.MatchValue):
        return compare(ast.Eq(), subject, run.evaluate(pattern.value, scope))
    if isinstance(pattern, ast.MatchSingleton) and is_constant(subject):
        return pattern.value is subject.data
    return None


def sequence_fits(run: Run, pattern: ast.MatchSequence, subject: Value, scope: Scope, depth: int) -> bool | None:
    """Tell whether the items of a row fit one by one."""
    if not isinstance(subject.data, (list, tuple)):
        return False if is_constant(subject) else None
    starred = any(isinstance(one, ast.MatchStar) for one in pattern.patterns)
    if starred or not run.has_known_length(subject):
        return None
    if len(pattern.patterns) != len(subject.data):
        return False
    pairs = zip(pattern.patterns, subject.data, strict=True)
    fits = [pattern_fits(run, one, item, scope, depth + 1) for one, item in pairs]
    return False if False in fits else None if None in fits else True
