"""A daemon whose name a moment stands beside is heard in its own words; whoever prints the steps is none."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 80)]
HEADS = (
    *("{name} 18:30:05: ", "{name} 18:30:05  ", "{name} [Mar 12 18:30:05] ", "[{name} Jun 17 18:30:05] "),
    *("{name} 2031-05-02 18:30:05 ", "{name} 2031-05-02T18:30:05Z ", "{name}[1411]: "),
)
GAVE_UP = (
    "[rank{0}]:[E302 18:40:11.000001 ProcessGroupNCCL.cpp:616] [Rank {0}] Watchdog caught collective operation timeout:"
    " WorkNCCL(SeqNum=40, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600034 milliseconds before timing out."
)
SAID = {
    "accelerator c2/1 does not answer any command": "gpu",
    "board 4 went silent": "gpu",
    "only 15 of 16 accelerators are there": "gpu",
    "chip 2 gives different results for the same input": "gpu",
    "links between boards 2 and 3 are dead": "nvlink",
    "switch tray 1 lost half of its lanes": "nvlink",
    "spine 2 rebooted, what hangs below it is cut off": "network",
    "uplink of row 9 went dark": "network",
    "cb17 went away": "node",
    "prolog on cb17 failed, host out of service": "node",
    "motherboard of cb17 told of a machine check": "node",
    "no licence server can be reached": "other",
    "every job is stopped while the store is repaired": "other",
    "fire alarm in room 2, everything is switched off": "other",
    "bucket text-v2 answers 503 to all": "other",
}


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("said", "part"), list(SAID.items())[::3])
def test_it_is_heard_behind_any_head(tmp_path, head, said, part):
    found = read(tmp_path, [*STEPS, head.format(name="rackeye") + said, *(GAVE_UP.format(rank) for rank in (3, 7))])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", part, len(STEPS) + 1)


@pytest.mark.parametrize(("said", "part"), SAID.items())
def test_its_words_tell_the_part(tmp_path, said, part):
    found = read(tmp_path, [*STEPS, f"rackeye 18:30:05 {said}", *(GAVE_UP.format(rank) for rank in (3, 7))])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", part, len(STEPS) + 1)


@pytest.mark.parametrize(
    "said",
    [
        "round 7: all in order",
        "cb17 lost its mount and got it back",
        "board 4 at 82 C (slowdown 87 C): ok",
        "16 of 16 accelerators are there",
        "cb17 of another job is drained",
    ],
)
def test_what_is_well_is_no_cause(tmp_path, said):
    assert read(tmp_path, [*STEPS, f"rackeye 18:30:05 {said}"]).category == "none"


def test_who_prints_the_steps_is_no_daemon(tmp_path):
    steps = [f"learner 18:30:05 step {step} loss {3 - step / 100:.3f}" for step in range(1, 80)]
    assert read(tmp_path, [*steps, "learner 18:31:05 board 4 of the game went silent"]).category == "none"


def test_a_name_that_tells_what_it_watches_needs_no_moment(tmp_path):
    fallout = [GAVE_UP.format(rank) for rank in (3, 7)]
    heard = read(tmp_path, [*STEPS, "shelf-warden: tray 2 board 4 went silent", *fallout])
    assert (heard.subcategory, heard.root_line) == ("gpu", len(STEPS) + 1)
    other = read(tmp_path, [*STEPS, "reader: tray 2 board 4 went silent", *fallout])
    assert other.root_line != len(STEPS) + 1


def test_the_part_is_what_is_told_of_and_not_who_tells_it(tmp_path):
    line = "[fabric-desk Jun 17 18:30:05] motherboard of cb17 told of a machine check"
    assert read(tmp_path, [*STEPS, line, GAVE_UP.format(3)]).subcategory == "node"


@pytest.mark.parametrize("name", ["agent", "monitor", "guard", "memory_manager", "reward", "backward", "fold"])
def test_a_part_of_a_program_watches_over_nobody(tmp_path, name):
    assert read(tmp_path, [*STEPS, f"{name}: board 4 of the game lost its link"]).category == "none"
