"""What several samples of one question agree on: dearer than one answer, steadier where a model wavers."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence

from pydantic import BaseModel

from schedmate.counts import how_many
from schedmate.errors import ModelFailed

TEMPERATURE = 0.7
"""Of every sample but the first, which is the greedy one."""


class Voted(BaseModel):
    """An answer that can be voted on."""

    @abstractmethod
    def vote(self) -> Hashable:
        """Give what more than half must agree on."""

    def preference(self) -> Hashable:
        """Give what is chosen among those that agree; the commonest wins, the earliest of equals."""
        return None


def elected(answers: Sequence[Voted], name: str) -> int:
    """Tell which answer stands for the majority; none is a failure, and the built-in answer then stands."""
    decision, votes = Counter(answer.vote() for answer in answers).most_common(1)[0]
    if 2 * votes <= len(answers):
        raise ModelFailed(f"{name} gave {how_many(len(answers), 'answer')} that do not agree", reason="invalid")
    agreed = [place for place, answer in enumerate(answers) if answer.vote() == decision]
    preferred = Counter(answers[place].preference() for place in agreed).most_common(1)[0][0]
    return next(place for place in agreed if answers[place].preference() == preferred)
