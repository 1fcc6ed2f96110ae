"""`kubectl describe` prints a pod's state, and below it the event that says why."""

from schedmate import diagnose

STATE = ["    State:          Waiting", "      Reason:       ImagePullBackOff", "Events:"]
SCHEDULED = "  Normal   Scheduled  14m   default-scheduler  Successfully assigned lab/fit-0 to n-31"
PULL = (
    '  Warning  Failed     9m    kubelet            Failed to pull image "hub.example/fit:1": unexpected status from '
    "HEAD request to https://hub.example/v2/fit/manifests/1: 502 Bad Gateway"
)


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(["waiting for 4 workers", *lines]) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_event_says_why(tmp_path):
    found = read(tmp_path, [*STATE, SCHEDULED, PULL])
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_image_pull", 6)


def test_a_state_without_an_event_of_it_stands_for_itself(tmp_path):
    assert read(tmp_path, [*STATE, SCHEDULED]).root_line == 3
    assert read(tmp_path, [*STATE, *["  kept"] * 90, PULL]).root_line == 3


def test_an_event_of_another_pod_says_nothing(tmp_path):
    assert read(tmp_path, [*STATE, "  <none>", "Name:         other-9", SCHEDULED, PULL]).root_line == 3
