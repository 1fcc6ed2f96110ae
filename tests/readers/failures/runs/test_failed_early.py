"""A run that a launcher began once more may fail before its first step: it is known by what the first one said, too."""

from schedmate import diagnose

OPENING = [
    "loading the tokenizer of the lab from /w/tok.json",
    "the corpus has 41 shards, 3 of them are held out",
    "model: 24 layers, 16 heads, 1024 wide",
    "building the optimizer with 2 groups of weights",
    "compiling the kernels of the model took 7 s",
]
STEPS = [f"step {number}/9000 loss 2.{999 - number} lr 0.01" for number in range(1, 90)]
LOST = [
    "[rank3]: Traceback (most recent call last):",
    '[rank3]:   File "/w/fit.py", line 88, in <module>',
    "[rank3]:     fit(options)",
    "[rank3]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, remote process exited or there was "
    "a network error",
]
PORT = "n7:91:230 [3] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_2:1 Got async event : port error"
AGAIN = "I0405 10:11:12.000 71 api.py:883] [default] Worker group FAILED. 2/3 attempts left; will restart worker group"
MISSING = [
    "[rank0]: Traceback (most recent call last):",
    '[rank0]:   File "/w/fit.py", line 41, in <module>',
    "[rank0]:     state = load(path)",
    "[rank0]: FileNotFoundError: [Errno 2] No such file or directory: '/w/out/step_80/state.pt'",
]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_run_that_opened_again_is_the_one_that_counts(tmp_path):
    lines = [*OPENING, *STEPS, PORT, *LOST, AGAIN, *OPENING, *MISSING]
    found = read(tmp_path, lines)
    assert (found.category, found.root_line) == ("script", len(lines))


def test_what_ranks_print_late_is_no_run_of_its_own(tmp_path):
    found = read(tmp_path, [*OPENING, *STEPS, PORT, *LOST, AGAIN, *MISSING])
    assert (found.subcategory, found.root_line) == ("network", len(OPENING) + len(STEPS) + 1)


STOPPED = "slurmstepd: error: *** JOB 4411 ON n32 CANCELLED AT 2031-12-24T01:07:17 DUE TO PREEMPTION ***"


def test_a_line_or_two_behind_the_word_of_a_restart_are_of_the_run_before(tmp_path):
    found = read(tmp_path, [*STEPS, STOPPED, "validation at step 89: loss 2.31", "saving to /w/out/step_89"])
    assert (found.category, found.root_line) == ("infrastructure", len(STEPS) + 1)
