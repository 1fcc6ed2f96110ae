"""A mere warning, a tracker's word, pods that were cleared away: nobody died of them."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 2 step {step} loss {3 - step / 100:.3f}" for step in range(60)]
WARNED = (
    "/opt/env/lib/python3.11/site-packages/imagelib/io.py:13: UserWarning: Failed to load the extension: "
    "'/opt/env/lib/imagelib.so: undefined symbol: _ZN3c106ivalue'"
)


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_nobody_dies_of_a_warning(tmp_path):
    assert read(tmp_path, WARNED, "  warn(", "[rank0] pass 1: 0.44", "[rank0] pass 2: 0.39").category == "none"
    traced = ["Traceback (most recent call last):", '  File "/w/a.py", line 3, in <module>', "    import imagelib.ops"]
    died = read(tmp_path, WARNED, *traced, "ImportError: /opt/env/lib/ops.so: undefined symbol: _ZN3c106ivalue")
    assert died.category == "framework"


@pytest.mark.parametrize(
    "said",
    [
        "WARNING hub: HTTPSConnectionPool(host='hub.lab', port=443): Read timed out.",
        "2031-04-05 11:12:13 | WARNING | lab.trainer | OOM: CUDA out of memory. Tried to allocate 68.00 MiB",
        "COMET ERROR: HTTPSConnectionPool(host='hub.lab', port=443): Read timed out. (read timeout=10)",
        "lab.Task - 2031 clearml.storage - ERROR - HTTPSConnectionPool(host='hub.lab', port=443): Read timed out.",
    ],
)
def test_a_warning_alone_ended_nothing(tmp_path, said):
    on = [f"reading the pages of volume {volume}" for volume in ("two", "three", "four")]
    assert read(tmp_path, "reading the data of the lab", said, *on).category == "none"
    died = read(tmp_path, "reading the data of the lab", said, "srun: error: node7: task 0: Exited with exit code 1")
    assert died.category != "none"


def test_what_runs_the_program_for_a_tracker_tells_its_end(tmp_path):
    assert (
        read(tmp_path, *STEPS, "2031/04/05 11:12:13 ERROR mlflow.cli: === Run (ID '9') failed ===").category != "none"
    )


FULL = "[Errno 28] No space left on device"
LAST_WORDS = [
    ["2031-04-05 11:12:13.101 | WARNING  | fit:fit:97 - loss is nan, stopping training"],
    [f"WARNING: could not write /d/9.pt: {FULL}", "WARNING: giving up after 3 tries, aborting training"],
    ["2031-04-05 11:12:13,101 - fit - WARNING - [Errno 122] Disk quota exceeded: '/d/9.pt'; stopping here"],
    ["[2031-04-05 11:12:13,101][fit][WARNING] - No CUDA GPUs are available; exiting"],
    ["WARNING: [Errno 2] No such file or directory: '/d/7.tar' - nothing is left to read"],
    ["WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 1): java.lang.OutOfMemoryError: Java heap space"],
    ["WARNING: CUDA out of memory. Tried to allocate 68.00 MiB", "the job exits"],
    ["WARNING: CUDA out of memory. Tried to allocate 68.00 MiB", "the last state is in /d/9.pt"],
    ["WARNING: CUDA out of memory. Tried to allocate 68.00 MiB", "skipping the evaluation", "the program ends"],
    [f"WARNING: could not write /d/9.pt: {FULL}", "one more line", "and another line", "a third line is said"],
]


def test_a_warning_of_what_is_left_out_ended_nothing(tmp_path):
    out = (
        "(pid=39) | WARNING: ran out of memory: CUDA out of memory. Tried to allocate 1.50 GiB (GPU 0; 15.75 GiB total)"
    )
    assert read(tmp_path, *[out, "(pid=39)  Skipping batch"] * 3).category == "none"
    assert read(tmp_path, out).category == "framework"


@pytest.mark.parametrize("said", LAST_WORDS)
def test_a_warning_behind_which_nothing_goes_on_may_be_the_last_word(tmp_path, said):
    assert read(tmp_path, *STEPS, *said).category != "none"


@pytest.mark.parametrize(
    "said",
    [
        ["[neptune] CUDA out of memory. Tried to allocate 68.00 MiB", "[neptune] the training was left"],
        ["mlflow.exceptions.MlflowException: request failed: HTTPConnectionPool(host='m.lab'): Max retries exceeded"],
    ],
)
def test_a_host_or_an_exception_of_a_trackers_name_is_no_tracker(tmp_path, said):
    assert read(tmp_path, *STEPS, *said).category != "none"


@pytest.mark.parametrize(
    "said",
    [
        "[neptune] [error  ] HTTPConnectionPool(host='hub.lab', port=443): Read timed out.",
        "2031/04/05 11:12:13 WARNING mlflow.tracking.client: HTTPConnectionPool(host='hub.lab'): Read timed out.",
    ],
)
def test_a_trackers_own_word_ended_nothing(tmp_path, said):
    assert read(tmp_path, *STEPS, said).category == "none"


@pytest.mark.parametrize(
    "said",
    [
        "WARN YarnAllocator: Container from a bad node: container_123 on host: node9. Exit status: 137.",
        "NCCL WARN Call to ibv_modify_qp failed",
    ],
)
def test_what_is_warned_of_a_machine_is_a_fact(tmp_path, said):
    assert read(tmp_path, "reading the data of the lab", said).category == "infrastructure"


def test_pods_that_are_cleared_away_behind_the_last_words_ended_nothing(tmp_path):
    steps = [f"step {step}/5000 loss {3 - step / 1000:.3f}" for step in range(0, 300, 10)]
    gone = ['pod "tune-worker-0" deleted', 'pytorchjob.kubeflow.org "tune" deleted']
    assert read(tmp_path, *steps, *gone).category == "other"
    short = [f"pass {number}: train 0.{90 - number} valid 0.{91 - number}" for number in range(1, 7)]
    assert read(tmp_path, *short, "table of results written to out.csv", *gone).category == "none"


def test_a_tracker_ends_no_program(tmp_path):
    assert read(tmp_path, "pass 1 done", "pass 2 done", "wandb: WARNING Unable to upload: HTTP 503").category == "none"
