"""A traceback that was pasted with an indent or kept by a journal, and words that only imagine a fault."""

import pytest

from schedmate import diagnose

TRACE = [
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    raise RuntimeError('out of paper')",
    "RuntimeError: out of paper",
]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("dress", ["    ", "\t", "Apr 01 10:00:07 n7 python[4711]: ", "> "])
def test_a_traceback_is_read_in_any_dress(tmp_path, dress):
    found = read(tmp_path, [dress + line for line in ("loading", *TRACE)])
    assert (found.failure_id, found.root_line) == ("python.runtime_error", 5)


@pytest.mark.parametrize(
    "imagined",
    [
        "gpu42:  the setting is old; it may lead to wrong results of the accelerator",
        "INFO runner.py:9] Graphs take 2 GiB. If you are running out of memory, take fewer",
    ],
)
def test_what_is_only_imagined_is_no_cause(tmp_path, imagined):
    found = read(tmp_path, [imagined, "slurm_script: line 23: 4273 Killed                  python serve.py"])
    assert found.root_line == 2
