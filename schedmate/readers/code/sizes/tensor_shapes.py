"""How many numbers a tensor holds that code makes as a parameter: `nn.Parameter(torch.zeros(1, 197, dim))`."""

from math import isqrt, prod

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
    "from_numpy", "array", "asarray", "log", "exp", "abs", "sqrt", "sign", "tril", "triu", "qr", "lu", "cholesky",
)  # fmt: skip
"""Calls that give as many numbers as they are given; so does each part of a square matrix."""
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
    if made.short in SPREAD and made.args and isinstance(made.args[0].data, int):
        wide = made.args[0].data
        return int(wide * wide) if made.short == "eye" else int(wide)
    if made.short == "diag" and made.args:
        return isqrt(numbers_in(made.args[0], depth + 1))
    if made.short in ALIKE and made.args:
        return numbers_in(made.args[0], depth + 1)
    if made.owner is not None and made.short.islower():
        return numbers_in(made.owner, depth + 1)
    if made.args and made.short.endswith("_"):
        return numbers_in(made.args[0], depth + 1)
    raise NotCounted("a parameter's shape is not known")


def is_plain(callee: str) -> bool:
    """Tell a function that gives numbers and tensors, which are no parameters."""
    return callee.startswith(
        ("torch.", "numpy.", "math.", "paddle.", "functools.", "einops.", "jax.numpy.", "torch_geometric.")
    )
