"""Flower: a client's `fit` is called once a round, by a server or in a simulation; the local epochs are its own."""

from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, Instance, Partial
from schedmate.readers.code.values.run import Call, Hook, NotModelled, by_names
from schedmate.readers.code.values.value import Value, held, unknown

MAKERS = (Function, BoundMethod, Partial)
"""What makes a client when a simulation asks for one."""


def start_client(call: Call) -> Value | None:
    """Model `start_client(server_address=..., client=...)`: it answers the server until that lets it go."""
    return fit(call, call.need(1, "client", Instance))


def simulate(call: Call) -> Value | None:
    """Model `start_simulation(client_fn=make, ...)`, whose clients share all GPUs that Ray sees."""
    call.run.about(ProcessSigns).takes_all = True
    return fit(call, made_by(call, call.need(0, "client_fn")))


def run_app(call: Call) -> Value | None:
    """Model `run_simulation(server_app=..., client_app=ClientApp(client_fn=make), ...)`."""
    app = held(call.need(1, "client_app"), ExternalResult)
    make = (app.kwargs.get("client_fn") or next(iter(app.args), None)) if app is not None else None
    if make is None:
        raise NotModelled
    call.run.about(ProcessSigns).takes_all = True
    return fit(call, made_by(call, make))


def made_by(call: Call, make: Value) -> Value:
    """Follow how a client is made: which one it is only the run knows."""
    if not isinstance(make.data, MAKERS):
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
