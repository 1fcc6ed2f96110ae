"""Where a program gives up on a transfer, what its tries met of the service is the cause, at the first of them."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step}/900 loss {3 - step / 1000:.4f}" for step in range(1, 60)]
TRY = (
    "WARNING: uploader.retrying: Attempt {}/10 failed. Exception type: ClientError, message: An error occurred "
    "(ServiceUnavailable) when calling the UploadPart operation (reached max retries: 4): Service is unable to handle "
    "request."
)
CACHED = "WARNING hub: HTTP 429 Too Many Requests for url: https://hub.example.org/api, using cached copy"
STACK = ["Traceback (most recent call last):", '  File "/srv/train.py", line 9, in <module>', "    save(model)"]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def tries(count):
    return [TRY.format(number) for number in range(1, count + 1)]


@pytest.mark.parametrize("said", ["Failed to upload s3://models/ep0", "could not save s3://models/ep0: no more tries"])
def test_the_service_goes_before_the_word_of_who_gave_up(tmp_path, said):
    lines = [*STEPS, *tries(9), *STACK, f"RuntimeError: {said}"]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("hub.s3_outage", len(STEPS) + 1)


@pytest.mark.parametrize(
    "lines",
    [
        [*STEPS, *tries(1), *STACK, "RuntimeError: Failed to upload s3://models/ep0"],
        [*tries(9), *STEPS, *STACK, "RuntimeError: Failed to upload s3://models/ep0"],
        [*STEPS, *tries(9), *STACK, "RuntimeError: the loss is not finite"],
        [*STEPS, *tries(9), *STACK, "ValueError: Unable to load weights: size mismatch for lm_head.weight"],
        [*STEPS, *[CACHED] * 3, *STACK, "RuntimeError: Failed to fetch the plan"],
    ],
)
def test_one_try_tries_long_before_and_words_of_something_else_do_not(tmp_path, lines):
    assert read(tmp_path, lines).category == "script"
