"""Optimizers of networks that only judge what another one makes: their rates are not those of the job's network."""

import re2

from schedmate.readers.code.fields.networks.networks_beside import is_judge
from schedmate.readers.code.fields.networks.trained_network import origin
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import held

NAMED = re2.compile(
    r"(?i)^(?:d|dis|disc|discr|discriminator)_?(?:opt|optim|optimi[sz]er|solver)$"
    r"|^(?:opt|optim|optimi[sz]er|solver)_?(?:d|dis|disc|discr|discriminator)$"
)
"""How programs call the optimizer of a discriminator."""


def judges(event: Event) -> bool:
    """Tell an optimizer of a judging network, by that network or by its own name."""
    made = held(event.result, ExternalResult)
    if made is not None and any(NAMED.match(name.rpartition(".")[2]) for name in made.names):
        return True
    network = origin(event.arg(0, "params", "parameters"))
    return network is not None and isinstance(network.data, (Instance, ExternalResult)) and is_judge(network)


def without_judging(events: list[Event]) -> list[Event]:
    """Leave out the optimizers of judging networks, where there are others."""
    others = [event for event in events if not judges(event)]
    return others or events
