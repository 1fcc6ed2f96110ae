"""Where only a launcher says that a program left, the program's own last words say why."""

import pytest

from schedmate import diagnose

WINDING_UP = (
    "9: [rank9]:[W302 03:22:31.484328 TCPStore.cpp:106] [c10d] sendBytes failed on SocketImpl(fd=5, addr=[n3]:5188, "
    "remote=[n1]:2951): Broken pipe"
)
LEFT = "srun: error: n1: task 0: Exited with exit code 3"
OBJECTIONS = [
    "the label file names 81 kinds and the head has 80",
    "state of another shape: 412 tensors instead of 420",
    "24 groups instead of a multiple of 16",
    "the folder runs/7 already holds a run, quitting",
]


def steps(head):
    return [f"{head}epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(60)]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("head", ["0: ", "[rank0]: ", "", "2031-03-02 03:21:00 | INFO | check | "])
@pytest.mark.parametrize("said", OBJECTIONS[1:])
def test_its_last_objection_is_the_statement(tmp_path, head, said):
    found = read(tmp_path, [*steps(head), f"{head}{said}", WINDING_UP, LEFT])
    assert (found.category, found.root_line) == ("script", 61)


@pytest.mark.parametrize(
    "said",
    [
        *("reading part 7 of the corpus", "the label file names 80 kinds, all of them in the head"),
        *("FutureWarning: this call must be replaced by the new one", "You should probably train this on your task"),
    ],
)
def test_words_that_object_to_nothing_are_none(tmp_path, said):
    assert read(tmp_path, [*steps("0: "), f"0: {said}", WINDING_UP, LEFT]).root_line == 63


def test_what_another_rank_said_is_not(tmp_path):
    assert read(tmp_path, [*steps("0: "), f"4: {OBJECTIONS[1]}", WINDING_UP, LEFT]).root_line == 63


def test_what_a_signal_ended_had_no_last_words(tmp_path):
    ended = "srun: error: n1: task 0: Killed"
    assert read(tmp_path, [*steps("0: "), f"0: {OBJECTIONS[1]}", ended]).root_line == 62
