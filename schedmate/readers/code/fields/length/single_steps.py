"""Calls of which each is one step of the weights, however they are carried out."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event

CARRIED = ("jax.lax.scan", "jax.lax.fori_loop", "jax.lax.while_loop")
"""Loops over what is carried along, of which one round stands for all."""


def is_one_step(view: View, event: Event) -> bool:
    """Tell a call that takes one step: the backward pass, a session's run that does so, what moves the weights."""
    if event.short == "backward" or event.name.endswith("Session.run"):
        return True
    moves = event.short == "apply_gradients" or event.name == "optax.apply_updates"
    return moves and not any(one.name in CARRIED and one.loops == event.loops for one in view.events)
