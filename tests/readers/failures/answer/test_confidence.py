"""How sure an answer may be that leaves open what was behind its line."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step}/900 loss {3 - step / 1000:.4f}" for step in range(1, 60)]
OWN = '  File "/home/ann/acme/train.py", line 12, in <module>'
LIBRARY = '  File "/venv/lib/python3.11/site-packages/acme/core.py", line 40, in run'
GONE = "NVRM: Xid (PCI:0000:0f:00): 79, pid=4711, GPU has fallen off the bus."


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join([*STEPS, *lines]) + "\n")
    return diagnose(tmp_path / "job.log")


def raised(error, *frames):
    return ["Traceback (most recent call last):", *frames, error]


@pytest.mark.parametrize(
    "symptom",
    [
        "RuntimeError: CUDA error: unspecified launch failure",
        "RuntimeError: No CUDA GPUs are available",
        "RuntimeError: CUDA error: unknown error",
    ],
)
def test_what_may_have_several_causes_is_no_sure_answer(tmp_path, symptom):
    found = read(tmp_path, *raised(symptom, OWN))
    assert found.root_excerpt == symptom
    assert max(found.confidence, found.root_confidence) < 0.8


def test_what_the_driver_states_is_one(tmp_path):
    found = read(tmp_path, GONE, *raised("RuntimeError: CUDA error: unspecified launch failure", OWN))
    assert (found.category, found.root_excerpt) == ("infrastructure", GONE)
    assert found.confidence > 0.8


@pytest.mark.parametrize(("frames", "is_sure"), [((OWN,), True), ((OWN, LIBRARY), False)])
def test_an_exception_that_nobody_knows_is_the_programs_where_its_own_code_raised_it(tmp_path, frames, is_sure):
    found = read(tmp_path, *raised("acme.errors.OutOfPatience: the reader left", *frames))
    assert found.category == "script"
    assert (found.confidence >= 0.8) is is_sure
