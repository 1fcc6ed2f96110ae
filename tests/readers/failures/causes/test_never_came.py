"""A pod that never started, and a check that failed to its last try, explain who waited, whatever others did."""

import pytest

from schedmate import diagnose

WORK = [
    f"warm-up: step {place}/900 loss 2.{place:03d} and more words than any buffer may hold" for place in range(1, 300)
]
EVENT = "2031-07-27T22:{:02d}:49.006904Z [event] {} pod/w-4: {}"
PULL = EVENT.format(13, "Warning Failed", 'Failed to pull image "reg.local/t:1": connection refused')
WAITED = (
    "w-2 torch.distributed.DistNetworkError: The client socket has timed out after 7200000ms while trying to connect"
)
LISTS = "n19: entrypoint: nvidia-smi -L lists {} of 8 GPUs, check {} of 20"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_pod_whose_image_never_came_is_what_the_others_waited_for(tmp_path):
    backs_off = EVENT.format(14, "Warning Failed", "Error: ImagePullBackOff")
    found = read(tmp_path, PULL, backs_off, *WORK, f"{WAITED} to (w-0, 29500).")
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_image_pull", 1)


def test_a_pod_beside_the_job_is_not_waited_for(tmp_path):
    beside = PULL.replace("pod/w-4", "pod/board-6c9")
    found = read(tmp_path, beside, *WORK, f"{WAITED} to (w-0, 29500).")
    assert found.failure_id == "distributed.store_timeout"


def test_a_check_that_ended_before_the_first_step_is_not_waited_for(tmp_path):
    checks = [LISTS.format(7, number).replace("20", "3") for number in range(1, 4)]
    found = read(tmp_path, *checks, *WORK, f"{WAITED} to (w-0, 29500).")
    assert found.failure_id == "distributed.store_timeout"


@pytest.mark.parametrize("later", [EVENT.format(20, "Normal Started", "Started container main"), "w-4 1: is up"])
def test_a_pod_that_is_heard_later_came(tmp_path, later):
    found = read(tmp_path, PULL, *WORK[:200], later, *WORK[200:], f"{WAITED} to (w-0, 29500).")
    assert found.failure_id == "distributed.store_timeout"


@pytest.mark.parametrize(("tries", "failure"), [(20, "gpu.missing_devices"), (8, "distributed.store_timeout")])
def test_a_check_that_failed_to_its_last_try_is_too(tmp_path, tries, failure):
    checks = [LISTS.format(7, number) for number in range(1, tries + 1)]
    lines = [line for place in range(20) for line in (*checks[place : place + 1], *WORK[place * 14 : place * 14 + 14])]
    found = read(tmp_path, *lines, f"{WAITED} to (w-0, 29500).")
    assert found.failure_id == failure
    assert found.root_line == (1 if tries == 20 else len(lines) + 1)
