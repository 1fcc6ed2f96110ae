"""All prefixes tried at once find what one after the other would."""

import pytest

from schedmate.readers.prefixes import ANY_PREFIX, PREFIXES, first_prefix

LINES = [
    "",
    "loss 3.1 at step 40",
    "[rank5]: out of paint",
    "(rank 5) out of paint",
    "Rank 5 | out of paint",
    "[5@shed-02] out of paint",
    "[worker3]:[rank19]: out of paint",
    "[1,7]<stdout>: out of paint",
    "logs/task_4.err: out of paint",
    "(Painter pid=4411, ip=10.9.8.7) out of paint",
    "(raylet) out of paint",
    "[pod/brush-0/main] out of paint",
    "brush-worker-3 main out of paint",
    "brush-2  | out of paint",
    "shed-02:311:316 [1] NCCL INFO out of paint",
    "  12: out of paint",
    "shed-02: out of paint",
    "8f11ac02 [rank=7] || out of paint",
    "8f11ac02 || out of paint",
    "         || out of paint",
    "Shed: [  12.345678] out of paint",
    "shed kernel: out of paint",
    "shed-02 rank5: out of paint",
    "shed-02/rank 5 | out of paint",
    "shed-02 [  12.345678] out of paint",
    "stderr F out of paint",
    "> > out of paint",
    "    14\tout of paint",
    "[" * 300,
    "shed-02: " * 100,
]


@pytest.mark.parametrize("line", LINES)
def test_the_first_that_fits_is_found(line: str) -> None:
    found = first_prefix(line)
    wanted = next((match for one in PREFIXES if (match := one.match(line[:400]))), None)
    assert (found and (found.re, found.span(), found.groupdict())) == (
        wanted and (wanted.re, wanted.span(), wanted.groupdict())
    )


def test_each_prefix_has_one_group() -> None:
    assert ANY_PREFIX.groups == len(PREFIXES)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("8f11ac02 [rank=7] || out of paint", {"rank": "7"}),
        ("8f11ac02 || out of paint", {"rank": None}),
        ("deadbeef [rank=7] | out of paint", None),
        ("rank1 [ 121.000001] out of paint", None),
        ("shed-02 rank5: out of paint", {"host": "shed-02", "rank": "5"}),
        ("epoch-02 rank5: out of paint", None),
        ("the brush of rank5: out of paint", None),
        ("shed-02 [  12.345678] out of paint", {"host": "shed-02"}),
        ("took [  12.345678] out of paint", None),
    ],
)
def test_who_speaks_is_told(line: str, told: dict[str, str | None] | None) -> None:
    found = first_prefix(line)
    assert (found and found.groupdict()) == told
