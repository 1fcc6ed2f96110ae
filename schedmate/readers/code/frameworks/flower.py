"""Flower: a client's `fit` is called once a round, by a server or in a simulation; the local epochs are its own."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import CALLABLES, BoundMethod, ExternalResult, Instance
from schedmate.readers.code.values.run import Call, Hook, NotModelled, by_names
from schedmate.readers.code.values.value import Value, find_in, held, unknown


def start_client(call: Call) -> Value | None:
    """Model `start_client(server_address=..., client=...)`: it answers the server until that lets it go."""
    return fit(call, call.need(1, "client", Instance))


def simulate(call: Call) -> Value | None:
    """Model `start_simulation(client_fn=make, ...)`."""
    share_gpus(call, call.kwargs.get("client_resources"))
    return fit(call, made_by(call, call.need(0, "client_fn")))


def run_app(call: Call) -> Value | None:
    """Model `run_simulation(server_app=..., client_app=ClientApp(client_fn=make), ...)`."""
    app = held(call.need(1, "client_app"), ExternalResult)
    make = (app.kwargs.get("client_fn") or next(iter(app.args), None)) if app is not None else None
    if make is None:
        raise NotModelled
    share_gpus(call, find_in(call.kwargs.get("backend_config"), "client_resources"))
    return fit(call, made_by(call, make))


def share_gpus(call: Call, resources: Value | None) -> None:
    """Note that clients go to all GPUs that Ray sees, where each is given one or a part of one; by itself none is."""
    each = find_in(resources, "num_gpus")
    if each is not None and isinstance(each.data, (int, float)) and each.data > 0:
        call.run.about(ProcessSigns).takes_all = True


def made_by(call: Call, make: Value) -> Value:
    """Follow how a client is made: which one it is only the run knows."""
    if not isinstance(make.data, CALLABLES):
        raise NotModelled
    return call.run.call(make, [unknown("which client it is")], {}, call.spot, call.scope)


def fit(call: Call, client: Value) -> Value | None:
    """Follow a client's training, with the weights and settings that come from the server."""
    if not isinstance(client.data, Instance):
        return None
    method = get_attribute(call.run, client, "fit", None)
    if isinstance(method.data, BoundMethod):
        sent = [unknown("what the server sends"), unknown("the server's settings")]
        places = len(method.data.function.node.args.args) - 1
        call.run.call(method, sent[:places], {}, call.spot, call.scope)
    return None


def give_client(call: Call) -> Value | None:
    """Model `client.to_client()`: the same client for whoever calls it."""
    return call.owner


SIMULATIONS = ("start_simulation", "run_simulation")
"""Functions that have clients trained on this machine."""
STARTS = (*SIMULATIONS, "start_client", "start_numpy_client")
"""Functions by which clients are asked to train."""


def tell_rounds(view: View) -> None:
    """Leave open how long it takes where clients go over their data anew in each round; by itself there is one."""
    for event in view.of("flwr.", *STARTS):
        config = event.kwargs.get("config")
        rounds = held(config, ExternalResult)
        count = rounds.kwargs.get("num_rounds", next(iter(rounds.args), Value(1))) if rounds is not None else config
        if event.short != "start_simulation" or (count is not None and count.data != 1):
            view.rule_out("epochs")
            view.rule_out("total_steps")


def tell_gpus(view: View) -> None:
    """Leave open on how many GPUs it runs where clients are given none, or maybe none: Ray hides them from those."""
    if view.of("flwr.", *SIMULATIONS) and not view.run.about(ProcessSigns).takes_all:
        view.rule_out("num_gpus")


HOOKS: dict[str, Hook] = {
    **by_names(
        "flwr.client.start_client flwr.client.start_numpy_client flwr.client.app.start_client"
        " flwr.client.app.start_numpy_client",
        start_client,
    ),
    **by_names("flwr.simulation.start_simulation flwr.simulation.app.start_simulation", simulate),
    "flwr.simulation.run_simulation": run_app,
    **by_names("flwr.client.NumPyClient.to_client flwr.client.Client.to_client", give_client),
}
RULES = (
    Rule(Subject.DURATION, "Flower", tell_rounds),
    Rule(Subject.PROCESSES, "Flower", tell_gpus),
)
