"""A last run counts where it did more than begin: a server that answered, a program that met no bad end."""

import pytest

from schedmate import diagnose

UP = ["INFO:     Started server process [4412]", "INFO:     Application startup complete."]
MEMORY = [
    "Traceback (most recent call last):",
    '  File "/srv/front.py", line 12, in <module>',
    "    warm_up()",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB.",
]
KEY = ["Traceback (most recent call last):", '  File "/app/run.py", line 8, in <module>', "    run()", "KeyError: 'b'"]
ASKED = ['INFO:     10.0.0.4:51110 - "POST /v1/embed HTTP/1.1" 200 OK']
REFUSED = ['INFO:     10.0.0.4:51110 - "GET /ready HTTP/1.1" 503 Service Unavailable']


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize("after", [[], REFUSED])
def test_a_server_that_came_up_once_more_may_die_once_more(tmp_path, rounds, after):
    found = read(tmp_path, [*[*UP, *MEMORY] * rounds, *UP, *after])
    assert found.failure_id == "cuda.out_of_memory"


def test_a_server_that_answers_is_well(tmp_path):
    assert read(tmp_path, [*[*UP, *MEMORY] * 2, *UP, *ASKED]).category == "none"


@pytest.mark.parametrize("end", ["+ exit 3", "run.sh exited with status 3", "step copy: failed"])
def test_a_last_run_that_ends_badly_did_not_get_on(tmp_path, end):
    begun = ["nohup: ignoring input", *(f"shelf {number} of books is read" for number in range(12))]
    longer = ["nohup: ignoring input", *(f"shelf {number} of books is read" for number in range(30))]
    assert read(tmp_path, [*[*begun, *KEY] * 2, *longer, end]).failure_id == "python.key_error"
    assert read(tmp_path, [*[*begun, *KEY] * 2, *longer]).category == "none"


def test_a_kill_that_ends_the_log_is_of_the_run_that_had_said_a_lot(tmp_path):
    """Whatever counts no steps, a shell's last word is of what ran last; what is said as a run begins is not."""
    steps = [f"epoch {epoch} loss 0.{90 - epoch}" for epoch in range(1, 20)]
    opened = ["lab: reading the shelves of the archive", "lab: the catalogue has 4711 books"]
    said = [f"shelf {'abcdefgh'[number % 8]} of {'klmnopqr'[number // 8]} is read" for number in range(60)]
    long, short = ([*opened, *steps, "Killed", *opened, *said[:count], "Killed"] for count in (60, 3))
    assert read(tmp_path, long).root_line == len(long)
    assert read(tmp_path, short).root_line == len(opened) + len(steps) + 1


MISUSED = ["usage: fit.py [-h] [--lr LR]", "fit.py: error: unrecognized arguments: --rate 3"]


def test_who_says_a_lot_behind_a_program_that_refused_its_arguments_is_another(tmp_path):
    said = [f"shelf {number} of books is read" for number in range(60)]
    assert read(tmp_path, [*MISUSED, *said]).category == "none"
    for lines in ([*MISUSED, *said[:9]], [*said, *MISUSED], [*MISUSED, *["once more"] * 60]):
        assert read(tmp_path, lines).failure_id == "script.argparse_usage"
    ranks = [f"[rank1]: {line}" for line in MISUSED]
    assert read(tmp_path, [*ranks, *said]).failure_id == "script.argparse_usage"


def test_the_state_of_a_job_and_its_gpus_is_no_other_program(tmp_path):
    """An epilogue may be long: tables and settings, which say nothing of what went on."""
    table = [f"| N/A  3{gpu}C  P0   7{gpu}W / 700W | {gpu} MiB / 81559MiB | 0% Default |" for gpu in range(24)]
    settings = [f"   JobState=FAILED Number{number}=({number})" for number in range(30)]
    assert read(tmp_path, [*MISUSED, *table, *settings]).failure_id == "script.argparse_usage"


@pytest.mark.parametrize(("rounds", "runs"), [(1, 1), (2, 2)])
def test_a_run_that_only_began_is_told_of_and_not_taken_for_the_one_that_died(tmp_path, rounds, runs):
    died = [*UP, *MEMORY] * rounds
    found = read(tmp_path, [*died, *UP])
    assert (found.attempts, found.root_line) == (runs + 1, len(UP) + len(MEMORY))
    assert f"what begins at line {len(died) + 1} does not say how it ended" in found.notes
    assert sum(note.startswith("attempt ") for note in found.notes) == runs - 1


def test_where_the_last_run_died_no_other_is_told_of_behind_it(tmp_path):
    found = read(tmp_path, [*UP, *MEMORY] * 2)
    assert found.attempts == 2
    assert not any("does not say how it ended" in note for note in found.notes)
