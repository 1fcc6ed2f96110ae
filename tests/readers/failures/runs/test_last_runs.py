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
