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
