"""What environments show and let do: gym's own by their ids, others by the spaces that they make, wrapped ones too."""

import math
from collections.abc import Callable

from schedmate.knowledge.code_words import words
from schedmate.knowledge.environment_spaces import Spaces, spaces_of
from schedmate.readers.code.libraries.data_lengths import SAMPLES
from schedmate.readers.code.python.attributes import get_attribute
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Attributes, Value, is_constant, sequence_of

SEEN, DONE = "observation_space", "action_space"

SINGLE = {SEEN: "single_observation_space", DONE: "single_action_space"}
"""How vectors of environments call the spaces of one of them."""
LIBRARIES = ("gym", "gymnasium")

SMALLEST = 84
"""How wide and high Atari's pictures are made, unless told otherwise."""


def box(call: Call, shape: tuple[int, ...]) -> Value:
    """Make a space of numbers of a shape."""
    sides = Value(tuple(Value(side, (call.spot,)) for side in shape), (call.spot,))
    return Value(ExternalResult("gymnasium.spaces.Box", [], {}, call.spot, attrs={"shape": sides}), (call.spot,))


def choice(call: Call, number: int) -> Value:
    """Make a space of things to choose from."""
    attrs = {"n": Value(number, (call.spot,)), "shape": Value(())}
    return Value(ExternalResult("gymnasium.spaces.Discrete", [], {}, call.spot, attrs=attrs), (call.spot,))


def make_environment(call: Call) -> Value | None:
    """Model `gym.make`: of an environment that is known by its id, its spaces are."""
    name = call.arg(0, "id")
    known = spaces_of(name.data) if name is not None and isinstance(name.data, str) else None
    if known is None:
        return None
    if truth(call.kwargs.get("continuous", Value(False))):
        known = Spaces(known.seen, numbers={"LunarLander": 2}.get(str(call.constant(0, "id")).partition("-")[0], 0))
    seen = box(call, known.seen) if known.seen else choice(call, known.states)
    attrs = {SEEN: seen}
    if known.choices or known.numbers:
        attrs[DONE] = choice(call, known.choices) if known.choices else box(call, (known.numbers,))
    return call.made(attrs)


def make_several(call: Call) -> Value | None:
    """Model `gym.make_vec` and `gym.vector.make`: several environments of one kind."""
    made = make_environment(call)
    return vector(call, made.data.attrs) if made is not None else None


def vector(call: Call, attrs: Attributes) -> Value:
    """Make a vector of environments out of the spaces of one."""
    spaces = {SINGLE[name]: space for name, space in attrs.items() if name in SINGLE}
    return call.made(spaces)


def gather(call: Call) -> Value | None:
    """Model `SyncVectorEnv([make, make])`: what the first function makes tells the spaces of all."""
    spaces = spaces_of_first(call)
    return vector(call, spaces) if spaces is not None else None


def stack_up(call: Call) -> Value | None:
    """Model the wrappers of Stable Baselines around functions that make environments, whose spaces are as of one."""
    spaces = spaces_of_first(call)
    return call.made(spaces) if spaces is not None else None


def spaces_of_first(call: Call) -> Attributes | None:
    """Give the spaces of what the first of the functions that make environments makes."""
    makers = sequence_of(call.arg(0, "env_fns"))
    if not makers or not isinstance(makers[0].data, Function):
        return None
    return spaces_in(call, call.run.call(makers[0], [], {}, call.spot))


def spaces_in(call: Call, environment: Value | None) -> Attributes:
    """Give the spaces that an environment is known to have."""
    if environment is None or not isinstance(environment.data, (Instance, ExternalResult)):
        return {}
    names = (SEEN, DONE, *SINGLE.values())
    found = {name: get_attribute(call.run, environment, name, None) for name in names}
    return {name: space for name, space in found.items() if isinstance(space.data, ExternalResult)}


Shape = tuple[int, ...]


def wrap_with(change: Callable[[Call, Shape], Shape | None]) -> Hook:
    """Model a wrapper by what it does to the shape of an observation; None: that is not known."""

    def hook(call: Call) -> Value | None:
        attrs = spaces_in(call, call.arg(0, "env"))
        seen = next((name for name in (SINGLE[SEEN], SEEN) if name in attrs), None)
        shape = shape_of(attrs[seen]) if seen is not None else None
        changed = change(call, shape) if shape is not None else None
        if seen is not None and shape != changed:
            del attrs[seen]
            attrs |= {seen: box(call, changed)} if changed is not None else {}
        return call.made(attrs)

    return hook


def shape_of(space: Value) -> Shape | None:
    """Give the shape of a space as numbers."""
    sides = space.data.attrs.get("shape") if isinstance(space.data, ExternalResult) else None
    numbers = [side.data for side in sequence_of(sides)]
    return tuple(numbers) if sides is not None and all(type(number) is int for number in numbers) else None


def told_number(call: Call, place: int, default: int | None, *names: str) -> int | None:
    """Give a whole number that a wrapper is told, under one of its names or at a place."""
    told = next((call.kwargs[name] for name in names if name in call.kwargs), call.arg(place))
    number = told.data if told is not None else default
    return number if type(number) is int and 0 < number < 10_000 else None


def stacked(call: Call, shape: Shape) -> Shape | None:
    """Put several pictures one behind the other."""
    number = told_number(call, 1, None, "num_stack", "stack_size")
    return (number, *shape) if number is not None else None


def resized(call: Call, shape: Shape) -> Shape | None:
    """Change width and height, and leave the colours."""
    told = call.arg(1, "shape")
    sides = [side.data for side in sequence_of(told)] or [told.data if told is not None else None] * 2
    return (*sides, *shape[2:]) if all(type(side) is int and side > 0 for side in sides) else None


def greyed(call: Call, shape: Shape) -> Shape:
    """Take the colours away, or leave one of them."""
    keeps = truth(call.arg(1, "keep_dim") or Value(False))
    return (*shape[:2], 1) if keeps else shape[:2]


def prepared(call: Call, shape: Shape) -> Shape | None:
    """Make Atari's pictures small and grey."""
    side = told_number(call, 3, SMALLEST, "screen_size")
    grey = call.kwargs.get("grayscale_obs")
    if side is None or (grey is not None and grey.data is not True):
        return None
    return (side, side, 1) if truth(call.kwargs.get("grayscale_newaxis", Value(False))) else (side, side)


def make_box(call: Call) -> Value | None:
    """Model `gym.spaces.Box`, whose shape is told or that of its bounds."""
    told = call.arg(2, "shape")
    if told is None:
        bounds = call.arg(0, "low")
        length = call.run.libraries.length_of(call.run, bounds) if bounds is not None else None
        told = Value((length,), length.src) if length is not None and is_flat(bounds) else None
    sides = sequence_of(told)
    if not sides or not all(type(side.data) is int and side.data >= 0 for side in sides):
        return None
    return box(call, tuple(side.data for side in sides))


def is_flat(bounds: Value | None) -> bool:
    """Tell bounds that are a row of numbers from a table of them."""
    made = bounds.data if bounds is not None else None
    inside = made.args[0] if isinstance(made, ExternalResult) and made.args else bounds
    return inside is not None and all(is_constant(one) for one in sequence_of(inside))


def make_choice(call: Call) -> Value | None:
    """Model `gym.spaces.Discrete`."""
    number = call.arg(0, "n")
    return choice(call, number.data) if number is not None and type(number.data) is int and number.data > 0 else None


def begin(call: Call) -> Value | None:
    """Model `reset` of an environment that is known: what is seen, beside which later versions give a record."""
    made = call.owner.data if call.owner is not None else None
    shape = shape_of(made.attrs[SEEN]) if isinstance(made, ExternalResult) and SEEN in made.attrs else None
    if not shape:
        return None
    count = Value(shape[0], (call.spot,))
    seen = Value(ExternalResult(f"{call.name}[]", [], {}, call.spot, attrs={SAMPLES: count}), (call.spot,))
    attrs = {SAMPLES: count, "[0]": seen}
    return Value(ExternalResult(call.name, [], {}, call.spot, call.owner, attrs), (call.spot,))


def multiply(call: Call) -> Value | None:
    """Model `np.array(shape).prod()`."""
    made = call.owner.data if call.owner is not None else None
    numbers = [one.data for one in sequence_of(made.args[0])] if isinstance(made, ExternalResult) and made.args else []
    known = numbers and not call.args and all(type(number) is int for number in numbers)
    return Value(math.prod(numbers), made.args[0].src) if known and isinstance(made, ExternalResult) else None


WRAPPERS: dict[str, Hook] = {
    **dict.fromkeys(words("acting.keeping_wrappers"), wrap_with(lambda call, shape: shape)),
    **dict.fromkeys(("FrameStack", "FrameStackObservation"), wrap_with(stacked)),
    "ResizeObservation": wrap_with(resized),
    **dict.fromkeys(("GrayScaleObservation", "GrayscaleObservation"), wrap_with(greyed)),
    "AtariPreprocessing": wrap_with(prepared),
    "FlattenObservation": wrap_with(lambda call, shape: (math.prod(shape),)),
}
HOOKS: dict[str, Hook] = {
    **{f"{library}.make": make_environment for library in LIBRARIES},
    **dict.fromkeys(("gymnasium.make_vec", "gym.vector.make", "gymnasium.vector.make"), make_several),
    **{f"{library}.vector.{name}": gather for library in LIBRARIES for name in ("SyncVectorEnv", "AsyncVectorEnv")},
    **{f"{library}.wrappers.{name}": hook for library in LIBRARIES for name, hook in WRAPPERS.items()},
    **{f"{library}.spaces.Box": make_box for library in LIBRARIES},
    **{f"{library}.spaces.Discrete": make_choice for library in LIBRARIES},
    **dict.fromkeys(
        [
            f"stable_baselines3.common.{place}.{name}"
            for place in ("atari_wrappers", "monitor")
            for name in words("acting.keeping_wrappers")
        ],
        wrap_with(lambda call, shape: shape),
    ),
    "stable_baselines3.common.atari_wrappers.WarpFrame": wrap_with(lambda call, shape: (SMALLEST, SMALLEST, 1)),
    **{
        f"stable_baselines3.common.vec_env.{part}{name}": stack_up
        for part in ("", "dummy_vec_env.", "subproc_vec_env.")
        for name in ("DummyVecEnv", "SubprocVecEnv")
    },
    "numpy.array.prod": multiply,
}
ENDINGS: dict[str, Hook] = {"reset": begin}
