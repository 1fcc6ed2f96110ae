"""Trouble in a pod's start is over where Kubernetes' events tell of a later stage of the same pod."""

import pytest

from schedmate import diagnose

HEAD = "LAST SEEN   TYPE      REASON             OBJECT            MESSAGE"
WAITED = "9m          Warning   FailedScheduling   pod/train-w-3     0/9 nodes are available: 9 Insufficient gpus."
PLACED = "8m          Normal    Scheduled          pod/train-w-3     Successfully assigned ml/train-w-3 to node-4"
OTHERS = "8m          Normal    Scheduled          pod/train-w-4     Successfully assigned ml/train-w-4 to node-5"
PULL = '7m          Warning   Failed             pod/train-w-3     Failed to pull image "reg.local/t:1": not found'
PULLED = '6m          Normal    Pulled             pod/train-w-3     Successfully pulled image "reg.local/t:1" in 41s'
OVER = "Warning  DeadlineExceeded  2m31s  job-controller  Job was active longer than specified deadline"


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("trouble", [[WAITED, PLACED], [WAITED, PULL, PULLED], [PULL, PULLED]])
def test_a_pod_that_got_on_was_not_held_up(tmp_path, trouble):
    assert read(tmp_path, [HEAD, *trouble, OVER]).failure_id == "scheduler.k8s_deadline"


@pytest.mark.parametrize("after", [[], [OTHERS], [PLACED]])
def test_a_pod_that_did_not_is_held_up(tmp_path, after):
    lines = [HEAD, WAITED, *after] if PLACED not in after else [HEAD, PULL, *after]
    assert read(tmp_path, lines).root_line == 2
    assert read(tmp_path, lines).category == "infrastructure"


REFUSED = "ssh: connect to host fit-worker-1.fit.lab.svc port 22: Connection refused"
PAGE = [
    "Events:",
    "  Type     Reason   Age                From     Message",
    '  Normal   Pulling  9m (x4 over 11m)   kubelet  Pulling image "registry.lab.example/fit:31.2"',
    '  Warning  Failed   9m (x4 over 11m)   kubelet  Failed to pull image "registry.lab.example/fit:31.2": 503',
]
TABLE = [
    f"fit-worker-{board % 5} of rack {chr(97 + board % 26)} holds Accelerator-9 96GB, none of it in use"
    for board in range(60)
]


def test_what_is_printed_behind_a_page_of_events_says_nothing_of_its_pod(tmp_path):
    (tmp_path / "job.log").write_text(
        "\n".join([*["launcher waits for its workers", REFUSED] * 9, *PAGE, *TABLE]) + "\n"
    )
    found = diagnose(tmp_path / "job.log")
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_image_pull", 18 + len(PAGE))


def test_steps_that_are_made_behind_it_do(tmp_path):
    steps = [f"step {number}/900 loss 2.{900 - number}" for number in range(1, 99)]
    (tmp_path / "job.log").write_text(
        "\n".join([*["launcher waits for its workers", REFUSED] * 9, *PAGE, *steps]) + "\n"
    )
    assert diagnose(tmp_path / "job.log").category == "none"
