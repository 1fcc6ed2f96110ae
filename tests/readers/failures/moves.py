"""Ask which rules chose the first cause of a log and moved it."""

from schedmate.readers.failures.causes.first_cause import locate
from schedmate.readers.failures.reading import read_log
from schedmate.tools.logfile import open_log


def verdict_of(path, text, left_out=()):
    """Weigh one log."""
    path.write_text(text)
    with open_log(path) as log:
        return locate([read_log(log)], frozenset(left_out))


def rules_of(path, text):
    """Name the rules that chose the root and moved it, in order."""
    return [move.rule for move in verdict_of(path, text).moves]


def asked_of(verdict):
    """Name the rules that did something: to any line, or to the choice."""
    return {step.rule for one in verdict.suspects for step in one.history} | {move.rule for move in verdict.moves}
