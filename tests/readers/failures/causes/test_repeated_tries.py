"""What fails in the same words each time it is tried again, up to the end of the log, is why nothing is done."""

import pytest

from schedmate import diagnose

SAME = [
    (
        "I0731 06:15:{0}.726761 14011 retry.py:71] Retry: caught exception: _RunLoop while running "
        "tensorflow.python.framework.errors_impl.InvalidArgumentError: Cannot add function 'body_17'",
        "framework",
    ),
    ("WARNING:queue:RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB, will retry in 30 s", "framework"),
    ("FileNotFoundError: [Errno 2] No such file or directory: '/data/train.bin'; retry in 5 s", "script"),
]
BETWEEN = ["Waiting for 1.52 seconds before retrying.", "the trainer is started"]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("failed", "category"), SAME)
def test_three_tries_that_failed_alike_will_not_be_mended_by_one_more(tmp_path, failed, category):
    lines = [line for second in (22, 42, 58) for line in (failed.format(second), *BETWEEN)]
    found = read(tmp_path, "the graph is built", *lines)
    assert (found.category, found.root_line) == (category, 2)
    assert found.confidence < 0.8


@pytest.mark.parametrize(("failed", "_"), SAME)
def test_two_tries_or_steps_behind_them_are_no_failure(tmp_path, failed, _):
    twice = [line for second in (22, 42) for line in (failed.format(second), *BETWEEN)]
    assert read(tmp_path, "the graph is built", *twice).category == "none"
    steps = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(1, 9)]
    assert read(tmp_path, "the graph is built", *twice, failed.format(58), *BETWEEN, *steps).category == "none"


def test_what_is_skipped_each_time_is_not_tried_again(tmp_path):
    skipped = [f"could not read /data/{n % 2}.jpg: truncated file, skipping it" for n in range(9)]
    assert read(tmp_path, "the set is read", *skipped).category == "none"


NO_NAME = "W client: upload to logs.acme.io failed: Temporary failure in name resolution, will retry"
NO_SPACE = "E cache: No space left on device, retrying in /scratch"
GOES_ON = [
    ["the name is found again, 7 rows were sent"],
    ["recall on the held-out pages is 0.71"],
    ["Saved checkpoint /out/net.pt"],
    ["fit is over, the net is in /out", "bye"],
]


@pytest.mark.parametrize("tried", [NO_NAME, NO_SPACE, SAME[1][0]])
@pytest.mark.parametrize("behind", GOES_ON)
def test_a_program_that_says_anything_else_behind_its_tries_goes_on(tmp_path, tried, behind):
    assert read(tmp_path, "the pages are read", *[tried] * 4, *behind).category == "none"


@pytest.mark.parametrize("tried", [NO_NAME, NO_SPACE, SAME[1][0]])
def test_so_does_one_that_says_another_thing_after_each_try_or_had_made_steps(tmp_path, tried):
    each = [line for name in "abcd" for line in (f"page {name}.txt is read", tried)]
    assert read(tmp_path, "reading", *each).category == "none"
    steps = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(1, 9)]
    assert read(tmp_path, *steps, *[tried] * 4).category == "none"


@pytest.mark.parametrize("end", [[], ["still waiting for the cache"], ["----------------"]])
def test_who_waits_or_is_ended_had_done_nothing_else(tmp_path, end):
    found = read(tmp_path, "the pages are read", *[NO_NAME] * 3, *end)
    assert (found.subcategory, found.root_line) == ("network", 2)


def test_tries_of_long_before_the_end_show_nothing_of_it(tmp_path):
    tries = ["the pages are read", *[NO_NAME] * 3]
    assert read(tmp_path, *tries, *["still waiting for the cache"] * 9).subcategory == "network"
    assert read(tmp_path, *tries, *["still waiting for the cache"] * 900).category == "none"


def test_what_is_warned_of_between_tries_goes_before_them_and_what_was_before_does_not(tmp_path):
    warned = "WARNING: VFS: file-max limit 65536 reached"
    assert read(tmp_path, "the pages are read", *[NO_NAME, warned] * 3).root_excerpt == warned
    assert read(tmp_path, "the pages are read", warned, *[NO_NAME] * 3).root_excerpt == NO_NAME
