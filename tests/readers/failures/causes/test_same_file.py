"""What another program met with the same file, or the file system, states the fault first, whatever steps followed."""

import pytest

from schedmate import diagnose

STEPS = [f"iteration {step}/9000 | loss {3 - step / 900:.4f} and more words than any buffer" for step in range(1, 240)]
STACK = ["Traceback (most recent call last):", '  File "/w/save.py", line 88, in <module>', "    finalize()"]
DENIED = "[Errno 13] Permission denied: '/p/a/ckpt/iter_{}/__0_1.pt'"
HELPER = "async_writer[785]: worker 1: PermissionError: " + DENIED
SHIPPER = "vector[1902]: ERROR sink: write to {}/vector/buffer-0.dat failed: Read-only file system (os error 30)"
READ_ONLY = "OSError: [Errno 30] Read-only file system: '/local/ckpt/iter_7'"


def root_of(tmp_path, before, last):
    lines = [*STEPS[:20], before, *STEPS[20:], *STACK, last]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log").root_line


@pytest.mark.parametrize(
    ("before", "last"),
    [(HELPER.format(7), f"RuntimeError: Worker failure: {DENIED.format(7)}"), (SHIPPER.format("/local"), READ_ONLY)],
)
def test_the_first_word_of_the_same_file_is_the_root(tmp_path, before, last):
    assert root_of(tmp_path, before, last) == 21


FIRST = "resume: [Errno 2] No such file or directory: '/p/a/best.pt', first start"
FULL = "[Errno 28] No space left on device: '/{}/9.pt'"


@pytest.mark.parametrize(
    ("before", "last"),
    [
        (FIRST, "FileNotFoundError: [Errno 2] No such file or directory: '/p/a/best.pt'"),
        (f"ERROR cache: {FULL.format('mnt/local')}", f"OSError: {FULL.format('mnt/ckpt')}"),
        (f"ERROR cache: {FULL.format('scratch/run7')}", f"OSError: {FULL.format('scratch/run7')}"),
        (SHIPPER.format("/mnt/local"), READ_ONLY.replace("/local", "/mnt/ckpt")),
    ],
)
def test_what_was_there_or_free_meanwhile_is_another_matter(tmp_path, before, last):
    assert root_of(tmp_path, before, last) == len(STEPS) + 5


@pytest.mark.parametrize(
    ("before", "last"),
    [(HELPER.format(6), f"RuntimeError: Worker failure: {DENIED.format(7)}"), (SHIPPER.format("/data"), READ_ONLY)],
)
def test_another_file_or_file_system_is_another_matter(tmp_path, before, last):
    assert root_of(tmp_path, before, last) == len(STEPS) + 5
