"""A tracker's thread that loses its other half as the program ends did not end it."""

import pytest

from schedmate import diagnose

EPOCHS = [f"epoch {epoch} loss 0.{90 - epoch}" for epoch in range(1, 5)]
STARTED = [
    "Exception in thread ChkStopThr:",
    "Traceback (most recent call last):",
    '  File "/opt/acme/lib/python3.9/threading.py", line 973, in _bootstrap_inner',
    "    self.run()",
]
TRACKERS = '  File "/opt/acme/lib/python3.9/site-packages/wandb/sdk/wandb_run.py", line 286, in check_stop_status'
READERS = '  File "/opt/acme/lib/python3.9/site-packages/torch/utils/data/dataloader.py", line 86, in read'
GONE = "BrokenPipeError: [Errno 32] Broken pipe"
FULL = "OSError: [Errno 28] No space left on device"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("raised", [GONE, "ConnectionResetError: [Errno 104] Connection reset by peer", "EOFError"])
def test_a_trackers_thread_ended_nothing(tmp_path, raised):
    assert read(tmp_path, *EPOCHS, *STARTED, TRACKERS, raised).category == "none"


@pytest.mark.parametrize(("frame", "raised"), [(TRACKERS, FULL), (READERS, GONE)])
def test_a_full_disk_or_another_thread_counts(tmp_path, frame, raised):
    found = read(tmp_path, *EPOCHS, *STARTED, frame, raised)
    assert (found.category, found.root_line) == ("infrastructure", len(EPOCHS) + len(STARTED) + 2)
