"""All who propose values: the frameworks, and what fields find by themselves."""

from functools import lru_cache
from importlib import import_module
from pkgutil import walk_packages

from schedmate.readers.code import fields
from schedmate.readers.code.adapters import MODELS
from schedmate.readers.code.evidence.precedence import Proposer, proposer_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View

FIELDS = tuple(found.name for found in walk_packages(fields.__path__, f"{fields.__name__}.") if not found.ispkg)
"""Every file of this room may propose values."""
LONGEST_NOTE = 200


@lru_cache(maxsize=1)
def rules() -> dict[Subject, tuple[tuple[Proposer, Rule], ...]]:
    """Collect the rules of all frameworks and fields by what they are about, who stands highest first."""
    found: dict[Subject, list[tuple[Proposer, Rule]]] = {subject: [] for subject in Subject}
    for name in (*MODELS, *FIELDS):
        for rule in getattr(import_module(name), "RULES", ()):
            for about in (rule.about,) if isinstance(rule.about, Subject) else rule.about:
                found[about].append((proposer_of(about, rule.proposer), rule))
    return {about: tuple(sorted(some, key=lambda one: one[0].rank)) for about, some in found.items()}


def ask(view: View, about: Subject) -> None:
    """Let all who know something of a subject propose; who stands highest is kept, the others are remembered."""
    for proposer, rule in rules()[about]:
        let_propose(view, rule, proposer)


def let_propose(view: View, rule: Rule, proposer: Proposer) -> None:
    """Let one propose; one that stumbles over what strangers wrote leaves the rest of the reading as it is."""
    if any(map(view.knows, proposer.silent_once)):
        return
    with view.proposing(proposer):
        try:
            rule.propose(view)
        except Exception as error:  # whatever it is: what others propose must not be lost with it
            view.run.note(
                f"{rule.proposer} stumbles over a fault of the reader: {type(error).__name__}: {error}"[:LONGEST_NOTE]
            )
