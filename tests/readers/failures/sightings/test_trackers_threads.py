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


BELOW = [
    '  File "/opt/acme/lib/python3.9/site-packages/torch/distributed/distributed_c10d.py", line 71, in broadcast',
    '  File "/opt/acme/lib/python3.9/site-packages/torch/utils/data/_utils/pin_memory.py", line 8, in take',
    '  File "/opt/acme/lib/python3.9/site-packages/ray/util/queue.py", line 8, in get',
]


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("name", ["mlflow/tracking", "aim/sdk", "torch/utils/tensorboard"])
def test_what_comes_up_in_another_library_below_a_tracker_counts(tmp_path, below, name):
    lines = [*EPOCHS, *STARTED, TRACKERS.replace("wandb/sdk", name), below, GONE]
    assert read(tmp_path, *lines).root_line == len(lines)


def test_what_comes_up_in_python_itself_below_a_tracker_is_the_trackers(tmp_path):
    below = '  File "/opt/acme/lib/python3.9/socket.py", line 704, in readinto'
    assert read(tmp_path, *EPOCHS, *STARTED, TRACKERS, below, GONE).category == "none"


COMETS = [
    "COMET ERROR: Streaming error",
    "Traceback (most recent call last):",
    '  File "/opt/acme/lib/python3.9/site-packages/comet_ml/comet.py", line 117, in _loop',
    "    self.ws_connection.send(messages)",
]
REFUSED = "ValueError: Could not connect to server after multiple tries."


def test_what_a_tracker_prints_of_its_own_calls_ended_nothing(tmp_path):
    assert read(tmp_path, *EPOCHS, *COMETS, REFUSED).category == "none"


@pytest.mark.parametrize(("frame", "raised"), [(None, FULL), ('  File "train.py", line 3, in <module>', REFUSED)])
def test_what_goes_up_through_the_program_or_is_of_the_host_counts(tmp_path, frame, raised):
    stack = [COMETS[1], *([frame, "    main()"] if frame else []), *COMETS[2:]]
    assert read(tmp_path, *EPOCHS, *stack, raised).root_line == len(EPOCHS) + len(stack) + 1


PACKAGES = "/opt/acme/lib/python3.9/site-packages"


def test_what_goes_up_through_a_program_that_is_run_as_a_module_counts(tmp_path):
    calls = [f'  File "{PACKAGES}/wandb/sdk/init.py", line {n}, in call_{n}' for n in range(7)]
    top = [
        '  File "<frozen runpy>", line 198, in _run_module_as_main',
        f'  File "{PACKAGES}/fitter/cli.py", line 7, in fit',
    ]
    found = read(tmp_path, COMETS[1], *top, *calls, "wandb.errors.UsageError: api_key not configured (no-tty).")
    assert found.failure_id == "hub.wandb_auth"


def test_what_only_the_user_can_mend_counts(tmp_path):
    asked = "wandb.errors.UsageError: api_key not configured (no-tty)."
    assert (
        read(tmp_path, *COMETS[:-2], *[line.replace("comet_ml", "wandb") for line in COMETS[2:]], asked).root_line == 5
    )


@pytest.mark.parametrize(
    "told",
    [
        "2031-04-05 11:12:13,001 - clearml.Task - WARNING - ### TASK STOPPED - USER ABORTED - STATUS CHANGED ###",
        "User aborted: stopping task (3)",
    ],
)
def test_a_tracker_that_was_told_to_stop_the_task_ended_it(tmp_path, told):
    assert read(tmp_path, *EPOCHS, told).category == "other"
