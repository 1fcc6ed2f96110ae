"""Who proposes values of a field, and with what certainty: the higher certainty wins, whoever is asked first."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from schedmate.readers.code.evidence.view import View


class Certainty(IntEnum):
    """What a proposal rests on, from what settles it to what is only likely."""

    CONFIGURED = 900
    """the configuration of a framework that trains by nothing else"""
    TOLD = 800
    """what the framework that runs the loop is told"""
    ENGINE = 700
    """what an engine or launcher around the loop is told"""
    NAMED = 600
    """what the command says by a name that means this and nothing else"""
    SEEN = 500
    """what calls on the followed path do"""
    DESCRIBED = 400
    """what a configuration or a record describes"""
    OPTION = 300
    """what an option of this meaning holds"""
    LIBRARY = 200
    """what a library does where it is told nothing"""
    LIKELY = 100
    """what names and places suggest"""


def certainty_word(certainty: int) -> str:
    """Name the kind of certainty that a number stands for."""
    return max((one for one in Certainty if one <= certainty), default=Certainty.LIKELY).name.lower()


@dataclass(frozen=True)
class Rule:
    """One way to find a value: about what, how certain, who proposes, and how it is found."""

    about: str | tuple[str, ...]
    certainty: int
    proposer: str
    propose: Callable[[View], None]
