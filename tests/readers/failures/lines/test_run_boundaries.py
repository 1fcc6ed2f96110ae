"""A heading, or an arrow with a date, begins another run; an arrow before a try of something else does not."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step} | loss {3 - step / 900:.4f}" for step in range(1, 90)]
DIED = ["Traceback (most recent call last):", '  File "/w/fit.py", line 9, in <module>', "    main()"]
MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79 GiB"
FAILED = "upload failed: no answer of the store"


@pytest.mark.parametrize(
    ("again", "runs"),
    [("--> attempt {} of 3", 1), ("==> attempt {}", 1), ("=== attempt {} ===", 3), ("==> attempt {} (2031-07-14)", 3)],
)
def test_a_try_behind_an_arrow_begins_no_run(tmp_path, again, runs):
    lines = [*STEPS, *DIED, MEMORY]
    for number in (2, 3):
        lines += [again.format(number), *(STEPS if runs > 1 else [FAILED]), *([*DIED, MEMORY] if runs > 1 else [])]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category != "none", found.attempts) == (True, runs)
