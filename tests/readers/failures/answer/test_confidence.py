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


@pytest.mark.parametrize(("kind", "is_sure"), [("KeyError", True), ("TypeError", True), ("RuntimeError", False)])
def test_some_kinds_tell_whose_fault_it_is_whoever_noticed_it(tmp_path, kind, is_sure):
    found = read(tmp_path, *raised(f"{kind}: 'position_ids'", OWN, LIBRARY))
    assert found.category == "script"
    assert (found.confidence >= 0.8) is is_sure


def test_what_an_end_explains_makes_it_no_less_sure(tmp_path):
    over = "slurmstepd: error: *** JOB 4711 ON gpu17 CANCELLED AT 2026-03-01T12:00:00 DUE TO TIME LIMIT ***"
    lost = "NET/IB : Got completion from peer 10.0.0.9<46933> with status=12 opcode=32600 len=0 vendor err 129 (Recv)"
    alone, beside = read(tmp_path, over), read(tmp_path, over, lost, lost.replace("10.0.0.9", "10.0.0.7"))
    assert alone.failure_id == beside.failure_id
    assert beside.confidence >= 0.8


@pytest.mark.parametrize(
    "met", ["curl: (6) Could not resolve host: hooks.example.org", "slurmstepd: error: container_p_join: setns failed"]
)
def test_what_is_met_when_the_run_was_done_is_no_sure_answer(tmp_path, met):
    done = "Training complete. Model saved to out/best.pt"
    assert read(tmp_path, met).confidence >= 0.8
    assert read(tmp_path, done, met).confidence < 0.8
    assert read(tmp_path, done, *STEPS, met).confidence >= 0.8
