"""Who proposes values of a subject, and how he finds them; `precedence.py` says whose value is kept."""

from collections.abc import Callable
from dataclasses import dataclass

from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View


@dataclass(frozen=True)
class Rule:
    """One way to find a value: about what, who proposes, and how it is found."""

    about: Subject | tuple[Subject, ...]
    proposer: str
    propose: Callable[[View], None]
