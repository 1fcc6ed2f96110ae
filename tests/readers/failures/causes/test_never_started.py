"""Who waited for workers in vain says so; what kept one of them from starting its pod's events say, asked for later."""

import pytest

from schedmate import diagnose

WAITS = ["the head waits for its workers: 3 of 4 are here"] * 5
GAVE_UP = [
    "Traceback (most recent call last):",
    '  File "/w/head.py", line 31, in <module>',
    "    gather(options)",
    "ValueError: the run wants 32 boards, only 24 were found",
]
PAGE = ["Events:", "  Type     Reason       Age                 From     Message"]
NO_VOLUME = (
    '  Warning  FailedMount  59s (x21 over 31m)  kubelet  MountVolume.SetUp failed for volume "corpus": exit status 32'
)
STARTED = "  Normal   Started      40s                 kubelet  Started container fit"
STEPS = [f"step {number}/9000 loss 2.{900 - number}" for number in range(90)]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_event_goes_before_the_word_of_who_waited(tmp_path):
    found = read(tmp_path, [*WAITS, *GAVE_UP, *PAGE, NO_VOLUME])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "other", 12)


POD = "31m   Warning   FailedScheduling   pod/{}-worker-3   0/9 nodes are available: 9 Insufficient amd.com/gpu."
HEADS_NAME = ["I am kestrel-worker-0, the head"]


def test_a_row_that_names_its_pod_counts_if_the_log_knows_it(tmp_path):
    assert read(tmp_path, [*HEADS_NAME, *GAVE_UP, POD.format("kestrel")]).root_line == 6
    assert read(tmp_path, [*GAVE_UP, POD.format("kestrel")]).category == "script"
    assert read(tmp_path, [*HEADS_NAME, *GAVE_UP, POD.format("merlin")]).category == "script"


@pytest.mark.parametrize(
    "error",
    [
        "ValueError: the label 'owl' has only 2 recordings, fewer than the 4 folds",
        "KeyError: 'join'",
        "ValueError: shard 3/8 is empty",
        "requests.exceptions.ReadTimeout: timed out after 20 s",
    ],
)
def test_counts_and_waits_that_speak_of_no_peers_are_the_programs_own(tmp_path, error):
    assert read(tmp_path, [*WAITS, *GAVE_UP[:-1], error, *PAGE, NO_VOLUME]).root_line != len(WAITS) + 6


@pytest.mark.parametrize(
    "error",
    [
        "RuntimeError: Timed out after 601 seconds waiting for clients. 2/4 clients joined.",
        "TimeoutError: rank 3 did not connect within 10 minutes",
        "RuntimeError: not enough free workers",
        "ValueError: world_size 4 was asked for, 3 peers joined",
    ],
)
def test_those_that_speak_of_peers_are_not(tmp_path, error):
    found = read(tmp_path, [*WAITS, *GAVE_UP[:-1], error, *PAGE, NO_VOLUME])
    assert (found.category, found.subcategory) == ("infrastructure", "other")


@pytest.mark.parametrize(
    "lines",
    [
        [*STEPS, *GAVE_UP, *PAGE, NO_VOLUME],
        [*WAITS, *GAVE_UP, *PAGE, NO_VOLUME, STARTED],
        [*WAITS, *GAVE_UP[:-1], "ValueError: unknown optimizer 'adamx'", *PAGE, NO_VOLUME],
    ],
    ids=["steps were made", "the pod came", "nobody was waited for"],
)
def test_it_does_not_where_it_cannot_be_why(tmp_path, lines):
    assert read(tmp_path, lines).category == "script"
