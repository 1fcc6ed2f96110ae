"""What a node met of a server or of the way out of its network takes no node out of service."""

import pytest

from schedmate import diagnose

STACK = ["Traceback (most recent call last):", '  File "/app/fetch.py", line 7, in <module>', "    fetch(address)"]
PLACED = "  Normal   Scheduled    4m    default-scheduler  Successfully assigned lab/fit-0 to kiln-b22.lab.example"
MOUNT = '  Warning  FailedMount  95s   kubelet            MountVolume.SetUp failed for volume "corpus" : exit status 32'
SILENT_SERVER = "Output: mount.nfs: Connection timed out"


@pytest.fixture
def found(tmp_path):
    def read(*lines):
        (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
        return diagnose(tmp_path / "job.log", engine="built-in")

    return read


def test_a_volume_whose_server_is_silent_cordons_no_node(found):
    answer = found("Events:", PLACED, MOUNT, SILENT_SERVER)
    assert answer.failure_id == "scheduler.k8s_volume_mount"
    assert [action.kind for action in answer.actions] == ["restart", "notify"]


@pytest.mark.parametrize(
    ("raised", "failure", "said"),
    [
        ("OSError: [Errno 101] Network is unreachable", "network.no_way_out", "offline mode"),
        ("OSError: [Errno 113] No route to host", "network.no_route", "away from the host"),
    ],
)
def test_what_has_no_way_to_a_whole_network_is_told_from_a_host_that_cannot_be_reached(found, raised, failure, said):
    answer = found(*STACK, raised)
    assert (answer.failure_id, answer.subcategory) == (failure, "network")
    assert said in answer.advice
