"""How long an agent learns, as the command or its configuration says it: steps in all, or rounds of so many."""

from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.length.limits_of_steps import is_no_total, is_of_each_round
from schedmate.readers.code.values.value import Value, product

ROUNDS, IN_ROUND = ("num_iterations", "n_iterations"), ("training_steps", "train_steps")


def told_steps(view: View) -> list[Value]:
    """Give the steps that the command tells an agent to take in all, in rounds whose number follows from them."""
    steps = view.option("total_steps")
    is_whole = steps is not None and not is_no_total(view, steps) and not is_of_each_round(view, steps)
    return [steps] if is_whole and steps is not None else []


def told_epochs(view: View) -> Value | None:
    """Give the epochs that the command tells an agent as such: others are rounds over what it has just seen."""
    names = option_names()["epochs"]
    return next((one for rank, one in view.options("epochs") if "epoch" in names[rank] and view.is_told(one)), None)


def steps_of_rounds(view: View) -> Value | None:
    """Multiply rounds of an agent by the steps of each, where both are set: Dopamine trains, evaluates and goes on."""
    names = option_names()["total_steps"]
    found = {names[rank]: value for rank, value in reversed(view.options("total_steps")) if type(value.data) is int}
    rounds, steps = ([found[name] for name in asked if name in found] for asked in (ROUNDS, IN_ROUND))
    return product(rounds[0], steps[0]) if rounds and steps else None
