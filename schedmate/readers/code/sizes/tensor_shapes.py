"""How many numbers a tensor holds that code makes as a parameter: `nn.Parameter(torch.zeros(1, 197, dim))`."""

from math import ceil, isqrt, prod

from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Unknown, Value

TENSORS = ("torch.autograd.Variable", "torch.Tensor", "torch.FloatTensor", "torch.LongTensor", "torch.cuda.FloatTensor")
"""What holds numbers that are not learned, unless they are made a parameter."""
FILLED = ("zeros", "ones", "empty", "randn", "rand", "full", "randint", "Tensor", "FloatTensor", "normal")
"""Calls that are told a shape."""
SPREAD = ("arange", "linspace", "eye")

ALIKE = (
    "zeros_like", "ones_like", "randn_like", "empty_like", "rand_like", "Parameter", "tensor", "as_tensor",
    "from_numpy", "array", "asarray", "log", "exp", "abs", "sqrt", "sign", "tril", "triu", "cholesky",
)  # fmt: skip
"""Calls that give as many numbers as they are given."""
TAKEN_APART = ("qr", "lu")
"""Calls whose parts are as large as the matrix that they are given where that is square."""
KEEPING = frozenset(
    [
        "clone", "detach", "float", "double", "half", "bfloat16", "long", "int", "to", "cuda", "cpu", "type", "astype",
        "numpy", "contiguous", "view", "reshape", "transpose", "permute", "t", "flatten", "unsqueeze", "squeeze", "log",
        "exp", "abs", "sqrt", "sign", "clamp", "mul", "div", "add", "sub", "tanh", "sigmoid", "tril", "triu", "copy",
    ]
)  # fmt: skip
"""Methods of tensors that leave how many numbers there are; so do those that end with `_`."""
DEEPEST = 12


def numbers_in(value: Value | None, depth: int = 0) -> int:
    """Count the numbers of a tensor."""
    data = value.data if value is not None else None
    if depth > DEEPEST or value is None:
        raise NotCounted("a parameter's shape is not known")
    if isinstance(data, (int, float)):
        return 1
    if isinstance(data, (list, tuple)):
        return sum(numbers_in(item, depth + 1) for item in data)
    if isinstance(data, ExternalResult):
        return numbers_made(data, depth)
    if isinstance(data, Unknown):
        # Arithmetic and an initializer leave a tensor's shape: the largest part of a product is the tensor.
        sizes = [numbers_in(part, depth + 1) for part in data.parts if isinstance(part.data, (ExternalResult, Unknown))]
        if sizes:
            return max(sizes)
    if isinstance(data, External) and data.owner is not None and data.name.endswith((".T", ".data")):
        return numbers_in(data.owner, depth + 1)
    raise NotCounted("a parameter's shape is not known")


def numbers_made(made: ExternalResult, depth: int) -> int:
    """Count the numbers of what a call makes."""
    sides = made.kwargs.get("size") or made.kwargs.get("shape")
    if made.short in FILLED:
        given = [sides] if sides is not None else made.args
        if len(given) == 1 and isinstance(given[0].data, (list, tuple)):
            if made.short == "FloatTensor":
                return numbers_in(given[0], depth + 1)
            given = list(given[0].data)
        elif made.short == "full":
            raise NotCounted("a parameter's shape is not known")
        given = [one for one in given if not isinstance(one.data, float)]
        if all(isinstance(one.data, int) for one in given):
            return prod(int(one.data) for one in given)
        raise NotCounted("a parameter's shape is not known")
    if made.short in SPREAD and made.args:
        return numbers_spread(made.short, [one.data for one in made.args])
    if made.short in ("diag", *TAKEN_APART) and made.args and is_square(made.args[0], depth + 1):
        whole = numbers_in(made.args[0], depth + 1)
        return isqrt(whole) if made.short == "diag" else whole
    if made.short in ALIKE and made.args:
        return numbers_in(made.args[0], depth + 1)
    if made.owner is not None and (made.short in (*KEEPING, "repeat") or made.short.endswith("_")):
        return numbers_in(made.owner, depth + 1) * (times_repeated(made) if made.short == "repeat" else 1)
    if made.args and made.short.endswith("_"):
        return numbers_in(made.args[0], depth + 1)
    raise NotCounted("a parameter's shape is not known")


def times_repeated(made: ExternalResult) -> int:
    """Count how often a tensor stands in one that repeats it."""
    times = [one.data for one in made.args]
    if not times or not all(type(one) is int for one in times) or made.kwargs:
        raise NotCounted("a parameter's shape is not known")
    return prod(times)


def numbers_spread(short: str, given: list[object]) -> int:
    """Count the numbers of a row from one to another, and of a matrix with ones on its diagonal."""
    whole = [one for one in given if isinstance(one, int)]
    if len(whole) < len(given) or len(given) > 3:
        raise NotCounted("a parameter's shape is not known")
    if short == "eye":
        return whole[0] * (whole[1] if len(whole) > 1 else whole[0])
    if short == "linspace":
        if len(whole) < 3:
            raise NotCounted("a parameter's shape is not known")
        return whole[2]
    start, end = (0, whole[0]) if len(whole) == 1 else whole[:2]
    return ceil((end - start) / (whole[2] if len(whole) > 2 else 1))


def is_square(value: Value, depth: int) -> bool:
    """Tell a matrix that is seen to be as wide as it is long, and the parts of one."""
    made = value.data
    if isinstance(made, Unknown) and len(made.parts) == 1:
        whole = made.parts[0].data
        return isinstance(whole, ExternalResult) and whole.short in TAKEN_APART and is_square(Value(whole), depth + 1)
    if not isinstance(made, ExternalResult) or depth > DEEPEST or not made.args:
        return False
    if made.short in FILLED:
        sides = made.args if len(made.args) > 1 else made.args[0].data
        return isinstance(sides, (list, tuple)) and len(sides) == 2 and sides[0].data == sides[1].data
    if made.short == "eye":
        return len(made.args) == 1
    return made.short in (*ALIKE, *TAKEN_APART) and is_square(made.args[0], depth + 1)


def is_plain(callee: str) -> bool:
    """Tell a function that gives numbers and tensors, which are no parameters."""
    return callee.startswith(
        ("torch.", "numpy.", "math.", "paddle.", "functools.", "einops.", "jax.numpy.", "torch_geometric.")
    )
