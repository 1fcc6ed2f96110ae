"""What is proposed for the fields of a job: who stands highest is kept, what gave way is remembered."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from schedmate.readers.code.evidence.precedence import Certainty, Proposer
from schedmate.readers.code.evidence.unfilled_texts import has_gap, names_nothing
from schedmate.readers.code.values.value import SourceLocation, Value

NOBODY = Proposer("", Certainty.LIKELY, len(Certainty) * 1000)
"""Who speaks where no rule is asked: any rule knows better."""


class Basis(Enum):
    """What a value is taken from, where later rules ask for it; the words of each are for people."""

    WEIGHTS = "the weights that it starts from"
    CONFIGURATION = "the configuration's name"
    MAKER_FUNCTION = "the function that puts it together"
    EACH_REPLICA = "of each replica"
    LOST_LOOP = "its loop was lost"
    """The name or the mode of a program alone says that it trains."""


@dataclass(frozen=True)
class ProposedValue:
    """A field's value and the places that say so; `note` is for people, what later rules ask for is the `basis`."""

    value: Any  # Any: each field has a type of its own
    spots: tuple[SourceLocation, ...]
    note: str = ""
    by: Proposer = NOBODY
    basis: Basis | None = None


def is_open(field_name: str, value: object) -> bool:
    """Tell a text with a part that nobody has filled in, or that stands where a name is to come."""
    return isinstance(value, str) and (has_gap(value) or names_nothing(field_name, value))


MOST_REMEMBERED = 200
"""Of what gives way, for each field: nobody reads more, and a generated program has thousands."""
LARGEST = {"total_steps": 1e11, "epochs": 1e9, "learning_rate": 1e4}
"""What no job reaches: a larger number counts something else, as tokens."""


@dataclass
class Proposals:
    """What was proposed so far; later fields build on earlier ones."""

    values: dict[str, ProposedValue] = field(default_factory=dict, init=False)
    candidates: dict[str, list[ProposedValue]] = field(default_factory=dict, init=False)
    """All that was proposed, the values that gave way too."""
    strategies: dict[str, tuple[SourceLocation, ...]] = field(default_factory=dict, init=False)
    """How the work is spread, as frameworks say it: several may hold at once."""
    accumulation: Value | None = field(default=None, init=False)
    """Over how many backward passes gradients are gathered, as the most certain says it."""
    unsettled: set[str] = field(default_factory=set, init=False)
    """Fields that hang on what only the run knows, so that no default may fill them."""
    speaker: Proposer = field(default=NOBODY, init=False)

    def hangs_on_command(self, field_name: str) -> bool:
        """Tell a field that the command sets to what nobody has set; nobody says so here."""
        return False

    def number(self, field_name: str, value: Value | None, note: str = "", basis: Basis | None = None) -> bool:
        """Keep a number under a field, if it is a known positive one."""
        if value is None or isinstance(value.data, bool) or not isinstance(value.data, (int, float)):
            return False
        if value.data <= 0 or value.data != value.data or value.data > LARGEST.get(field_name, 1e15):
            return False
        return self.keep(field_name, value.data, value.src, note, basis)

    def keep(
        self,
        field_name: str,
        value: object,
        spots: tuple[SourceLocation, ...],
        note: str = "",
        basis: Basis | None = None,
    ) -> bool:
        """Propose a value for a field: who stands highest is kept, of equals the first; without a place none is."""
        places = tuple(spot for spot in spots if spot.path)
        if not places or value in (None, "") or is_open(field_name, value):
            return self.knows(field_name)  # nothing, or a word that names what nobody has set
        if self.speaker.certainty < Certainty.SEEN and self.hangs_on_command(field_name):
            return self.knows(field_name)  # what is described, or a default, is not what will be used
        told = note or (basis.value if basis is not None else "")
        found = ProposedValue(value, places[:3], told, self.speaker, basis)
        known = self.candidates.setdefault(field_name, [])
        if len(known) < MOST_REMEMBERED and all((found.value, found.spots) != (one.value, one.spots) for one in known):
            known.append(found)
        kept = self.values.setdefault(field_name, found)
        if found.by.rank < kept.by.rank:
            self.values[field_name] = found
        return True

    def proposals(self) -> dict[str, list[ProposedValue]]:
        """Give all that was proposed for each field, what was kept first, if anything was."""
        return {
            name: [
                *([kept] if kept.value is not None else ()),
                *(one for one in self.candidates.get(name, ()) if one is not kept),
            ]
            for name, kept in self.values.items()
        }

    def correct(self, field_name: str, value: object, spots: tuple[SourceLocation, ...], note: str = "") -> None:
        """Put a better value in the place of one that was kept, made from it; `CORRECTS` says who may."""
        self.values[field_name] = ProposedValue(value, spots, note, self.corrector(field_name))
        self.candidates.setdefault(field_name, []).insert(0, self.values[field_name])

    def corrector(self, field_name: str) -> Proposer:
        """Give who speaks, who has to be one of those that may correct a field."""
        if field_name not in self.speaker.corrects:
            raise LookupError(f"'{self.speaker.name}' does not stand for {field_name} in CORRECTS of precedence.py")
        return self.speaker

    def spreads(self, label: str, spots: tuple[SourceLocation, ...]) -> None:
        """Keep a way in which the work is spread, with the first place that says so."""
        self.strategies.setdefault(label, spots)

    def accumulates(self, value: Value | None) -> None:
        """Keep over how many backward passes gradients are gathered, if it is a known number."""
        if self.accumulation is None and value is not None and isinstance(value.data, int):
            self.accumulation = value

    @contextmanager
    def proposing(self, speaker: Proposer) -> Iterator[None]:
        """Say who proposes what is kept meanwhile."""
        before, self.speaker = self.speaker, speaker
        try:
            yield
        finally:
            self.speaker = before

    def rule_out(self, field_name: str) -> None:
        """Say that a field has no value here: who stands higher may know better, nobody else is heard."""
        self.values.setdefault(field_name, ProposedValue(None, (), by=self.speaker))

    def give_up(self, field_name: str) -> None:
        """Take back what was found of a field, for good; `CORRECTS` says who may."""
        self.values[field_name] = ProposedValue(None, (), by=self.corrector(field_name)._replace(rank=-1))

    def knows(self, field_name: str) -> bool:
        """Tell a field of which somebody has given a value, or has said that it has none."""
        return field_name in self.values

    def get(self, field_name: str) -> Any:  # Any: each field has a type of its own
        """Give a field's value; None when it was not found."""
        found = self.values.get(field_name)
        return found.value if found is not None else None
