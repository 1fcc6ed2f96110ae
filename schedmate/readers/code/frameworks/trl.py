"""TRL's first PPO trainer, which is told each step: its batch is what one process plays, accumulation included."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import is_ppo_step
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import Value


def steps(view: View) -> list[Event]:
    """Give the steps that such a trainer is told."""
    return [event for event in view.events if is_ppo_step(event)]


def tell_accumulation(view: View) -> None:
    """Say that the batch is whole already."""
    for event in steps(view)[:1]:
        view.accumulates(Value(1, (event.spot,)))


def tell_optimizer(view: View) -> None:
    """Take Adam, with which it updates where it is handed no optimizer."""
    made = [event for event in view.named("PPOTrainer") if "optimizer" not in event.kwargs]
    for event in made[:1] if steps(view) else ():
        keep_default(view, "optimizer", event, "Adam", "PPOTrainer: optimizer = Adam")


RULES = (
    Rule(Subject.ACCUMULATION, "TRL's PPO", tell_accumulation),
    Rule(Subject.OPTIMIZER, "TRL's PPO", tell_optimizer),
)
