"""Why what is followed is left before its end: a block, a program, the whole reading."""

from typing import NamedTuple

from schedmate.readers.code.values.value import Value


class BudgetSpent(Exception):
    """Say that the budget is spent: what was found so far stands."""


class ProgramRaised(Exception):
    """Say that the code followed raises here."""


class ProgramExited(ProgramRaised):
    """Say that the program followed ends here."""


class ControlFlow(NamedTuple):
    """Why a block was left before its end."""

    kind: str
    value: Value | None = None
