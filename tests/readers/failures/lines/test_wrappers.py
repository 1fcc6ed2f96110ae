"""What came up within a library that spreads a model over ranks is the library's; what it refuses is the program's."""

import pytest

from schedmate import diagnose

INSIDE = [
    "/opt/env/lib/python3.11/site-packages/torch/distributed/fsdp/_runtime_utils.py",
    "/opt/env/lib/python3.11/site-packages/deepspeed/runtime/zero/stage3.py",
    "/opt/env/lib/python3.11/site-packages/megatron/core/distributed/param_and_grad_buffer.py",
]
OUTSIDE = ["/opt/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", "/home/user/model.py"]


def read(tmp_path, path, error):
    frames = ['  File "/home/user/train.py", line 88, in <module>', f'  File "{path}", line 31, in _step']
    lines = ["Traceback (most recent call last):", frames[0], "    step()", frames[1], "    inner()", error]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("error", ["RuntimeError: bucket 3 holds 7 of 9 gradients", "AssertionError", "IndexError: 4"])
@pytest.mark.parametrize("path", INSIDE)
def test_what_breaks_within_a_wrapper_is_the_wrappers(tmp_path, path, error):
    assert read(tmp_path, path, error).category == "framework"


@pytest.mark.parametrize("path", INSIDE)
def test_what_a_wrapper_refuses_is_the_programs(tmp_path, path):
    assert read(tmp_path, path, "ValueError: all layers must have one dtype").category == "script"


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_breaks_elsewhere_is_the_programs(tmp_path, path):
    assert read(tmp_path, path, "RuntimeError: bucket 3 holds 7 of 9 gradients").category == "script"
