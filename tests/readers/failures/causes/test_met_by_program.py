"""What a driver noted of a program's own fault is placed where the program met it, if it tells where."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step}/900 loss 2.{step:03d}" for step in range(40)]
XID = "Feb  4 02:47:29 n-12 kernel: NVRM: Xid (PCI:0000:81:00): {}, pid=330342, name=python, {}"
FAULT = XID.format(31, "Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC1 GPCCLIENT_T1_3 faulted @ 0x7f_1000")
OFF = XID.format(79, "GPU has fallen off the bus.")
STACK = ["Traceback (most recent call last):", '  File "fit.py", line 33, in <module>', "    out = gather(x, i)"]
ILLEGAL = "RuntimeError: CUDA error: an illegal memory access was encountered"


def root_of(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join([*STEPS, *lines]) + "\n")
    return diagnose(tmp_path / "job.log").root_line - len(STEPS)


@pytest.mark.parametrize("rank", ["", "[rank2]: "])
def test_the_exception_that_names_the_code_is_the_place(tmp_path, rank):
    raised = [rank + line for line in [*STACK, ILLEGAL]]
    assert root_of(tmp_path, [FAULT, *raised]) == 5
    assert root_of(tmp_path, [*raised, FAULT]) == 4


def test_without_one_or_of_a_broken_device_it_is_what_the_driver_says(tmp_path):
    assert root_of(tmp_path, [FAULT, "Aborted (core dumped)"]) == 1
    assert root_of(tmp_path, [FAULT, "[rank2]: " + ILLEGAL]) == 1
    assert root_of(tmp_path, [OFF, *STACK, ILLEGAL]) == 1
    assert root_of(tmp_path, [FAULT, *["waiting for the others"] * 80, *STACK, ILLEGAL]) == 1


WARNED = "W0904 02:53:34.747478 9 bfc_allocator.cc:497] Allocator (GPU_0_bfc) ran out of memory trying to allocate 9GiB"
NO_MEMORY = (
    "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9046 bytes."
)


def test_what_was_asked_for_and_where_the_exception_tells(tmp_path):
    assert root_of(tmp_path, [WARNED, *STACK, NO_MEMORY]) == 5
    assert root_of(tmp_path, [WARNED, "reported once more", WARNED, *STACK, NO_MEMORY]) == 7
    assert root_of(tmp_path, ["ERROR: " + NO_MEMORY.partition(": ")[2], *STACK, NO_MEMORY]) == 1
