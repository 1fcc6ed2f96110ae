"""Training whose loop lies in a library that nobody here knows: it calls what the program's class fills in."""

import sys

from schedmate.knowledge.code_words import words
from schedmate.knowledge.libraries import WITHOUT_TRAINING
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, is_known
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class, Instance

DEEP = words("training.libraries")

FILLED_IN = ("train_step", "training_step", "train_epoch", "train_one_epoch", "train_iter")
"""Methods that a loop elsewhere calls for each step or epoch."""
STARTS = frozenset(("main", "run", "start", "launch", "execute"))
"""Methods by which such a loop is begun."""
STARTERS = frozenset(words("training.starters"))
"""How functions are called that start what they are given."""
OTHER_MODES = frozenset(words("training.other_modes"))


def begun(view: View) -> Event | None:
    """Give the call that begins an unknown library's loop, whose step of training the program's class fills in."""
    told = {word_text(word).lower() for word in view.launch.words[1:]}
    if told & OTHER_MODES or not view.imports.intersection(DEEP):
        return None
    starts = (event for event in view.events if event.sure and begins(event.short) and not is_known(event.name))
    return next((event for event in starts if fills_in_a_step(event)), None)


def by_filled_in_steps(view: View) -> None:
    """Take a class that fills in an unknown library's step of training and is then told to run."""
    event = view.once(begun)
    if event is not None:
        view.keep("is_training", True, (event.spot,), "its class fills in a step of a loop that lies elsewhere")


def begins(name: str) -> bool:
    """Tell `run`, and what ends in it: `new_run`."""
    return not STARTS.isdisjoint(words_of(name)[-1:])


def starts_elsewhere(event: Event) -> bool:
    """Tell that a library which nobody here knows starts what the program handed it: `farm.launch(program)`."""
    library = event.name.partition(".")[0]
    is_plain = library in WITHOUT_TRAINING | sys.stdlib_module_names or not library.isidentifier()
    return event.sure and event.short in STARTERS and not (is_plain or is_known(event.name))


def lies_elsewhere(view: View) -> bool:
    """Tell a job of which only such a call says that it trains: how its work is spread was not seen."""
    event, found = view.once(begun), view.values.get("is_training")
    if event is not None and found is not None and found.spots == (event.spot,):
        return True
    lost = found is not None and found.basis is Basis.LOST_LOOP
    return lost and any(map(starts_elsewhere, view.events))


def fills_in_a_step(event: Event) -> bool:
    """Tell a method of which the program's class has only the parts that it calls."""
    owner = event.owner.data if event.owner is not None else None
    made = owner.cls if isinstance(owner, Instance) else owner
    return isinstance(made, Class) and any(made.find(name) is not None for name in FILLED_IN)


RULES = (Rule(Subject.IS_TRAINING, "steps that are filled in", by_filled_in_steps),)
