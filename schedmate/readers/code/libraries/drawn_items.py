"""Objects that are drawn by chance from several of one class, as federated programs draw their clients."""

from schedmate.readers.code.python.items import any_of
from schedmate.readers.code.values.run import Call, Hook, NotModelled, by_names
from schedmate.readers.code.values.value import Value


def draw_one(call: Call) -> Value | None:
    """Model `random.choice(clients)`: what stands for any of them."""
    one = any_of(call.need(0, "seq", (list, tuple)).data)
    if one is None:
        raise NotModelled
    return one


def draw_some(call: Call) -> Value | None:
    """Model `random.sample(clients, k)`: a list of which one item stands for all, and whose length is open."""
    one = draw_one(call)
    if one is None:
        return None
    drawn = [one]
    call.run.grown[id(drawn)] = drawn
    return Value(drawn, (call.spot,))


def draw(call: Call) -> Value | None:
    """Model `numpy.random.choice(clients, size)`: one without a size."""
    return draw_some(call) if call.arg(1, "size") is not None else draw_one(call)


HOOKS: dict[str, Hook] = {
    "random.choice": draw_one,
    **by_names("random.sample random.choices", draw_some),
    "numpy.random.choice": draw,
}
