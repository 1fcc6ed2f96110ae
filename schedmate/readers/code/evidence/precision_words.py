"""What names and numbers of a precision mean."""

from schedmate.readers.code.values.value import External, Value

WORDS = (
    ("bfloat16", "bf16"),
    ("bf16", "bf16"),
    ("float16", "fp16"),
    ("fp16", "fp16"),
    ("half", "fp16"),
    ("fp8", "fp8"),
    ("float8", "fp8"),
    ("float32", "fp32"),
    ("fp32", "fp32"),
    ("float64", "fp64"),
    ("double", "fp64"),
    ("tf32", "fp32"),
)
NUMBERS = {
    "16": "fp16",
    "16-mixed": "fp16",
    "16-true": "fp16",
    "32": "fp32",
    "32-true": "fp32",
    "64": "fp64",
    "bf16-mixed": "bf16",
    "bf16-true": "bf16",
    "no": "fp32",
}


def precision_of(value: Value | None) -> str | None:
    """Read a precision off a value: a name, a number of bits, a dtype."""
    if value is None or isinstance(value.data, bool):
        return None
    data = value.data
    text = (
        str(data)
        if isinstance(data, (str, int))
        else data.name.rpartition(".")[2]
        if isinstance(data, External)
        else ""
    )
    text = text.lower().strip()
    if text in NUMBERS:
        return NUMBERS[text]
    return next((name for word, name in WORDS if word in text), None)
