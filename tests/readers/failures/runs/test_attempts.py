"""One end opens one run, however many machines' launchers say that it begins; runs that failed alike failed once."""

import pytest

from schedmate import diagnose

OPENING = ["launcher: starting train.py on this machine", "  max_restarts     : 0", "  monitor_interval : 5"]
FAILED = [
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    model.load_state_dict(state)",
    "RuntimeError: Error(s) in loading state_dict for Net:",
    "\tsize mismatch for head.weight: copying a param with shape torch.Size([10, 4]) from checkpoint, the shape in "
    "current model is torch.Size([12, 4]).",
]
AGAIN = "[launcher] attempt 1 failed, restarting (1 left)"
OTHER = [*FAILED[:-2], "RuntimeError: the index holds no shard"]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("machines", [1, 2, 9])
@pytest.mark.parametrize("said", [[], [AGAIN]])
def test_launchers_of_several_machines_open_one_run(tmp_path, machines, said):
    found = read(tmp_path, [*OPENING * machines, *OTHER, *said, *OPENING * machines, *FAILED])
    assert found.attempts == 2
    assert found.failure_id == "torch.state_dict_mismatch"


PREPARING = [f"Map (num_proc=16): {10 * n}%|##   | {n}/10 [00:0{n}<00:05, 4.89it/s]" for n in range(1, 9)]
TRAINING = [f"Epoch 1: {10 * n}%|##   | {n}/10 [00:0{n}<00:05, 4.89it/s, loss=2.{n}]" for n in range(1, 9)]


@pytest.mark.parametrize("between", [[], PREPARING, TRAINING])
def test_the_first_run_states_what_ended_all_of_them(tmp_path, between):
    lines = [*OPENING, *between, *FAILED, AGAIN, *OPENING, *between, *FAILED]
    assert read(tmp_path, lines).root_line == lines.index(FAILED[3]) + 1


@pytest.mark.parametrize(("between", "former", "again"), [(TRAINING, FAILED, []), ([], OTHER, [AGAIN])])
def test_the_last_run_states_it_where_nobody_tried_again_or_one_ended_otherwise(tmp_path, between, former, again):
    lines = [*OPENING, *between, *former, *again, *OPENING, *between, *FAILED]
    assert read(tmp_path, lines).root_line == len(lines) - 1


USAGE = ["usage: grasp.py [-h] [--date DATE]", "grasp.py: error: unrecognized arguments: test1"]


@pytest.mark.parametrize(("more", "category"), [(30, "none"), (1, "script")])
def test_a_program_that_was_called_again_and_ran_was_called_rightly_then(tmp_path, more, category):
    opening = ["+ echo where it is logged: output/log.txt", "where it is logged: output/log.txt", "the camera is open"]
    seen = [f"picture of the {place} table: 1 apple" for place in ["left", "right", "third"] * 10]
    found = read(tmp_path, [*opening, *USAGE, *opening, *seen[:more]])
    assert found.category == category
