"""The first of numbered tries that name what the root names is the root; tries that went well are another matter."""

import pytest

from schedmate import diagnose

STEPS = [f"packed shard {step}/900 in 0.{step:03d} s" for step in range(300)]
PATH = "/mnt/corpora/pile_v3/index.json"
STACK = ["Traceback (most recent call last):", '  File "/srv/data.py", line 33, in <module>', "    open_index(path)"]
MISSING = [*STACK, f"FileNotFoundError: [Errno 2] No such file or directory: '{PATH}'"]
HOST = "run-7-master-0.run-7.team.svc.cluster.local"
UNRESOLVED = f"[W socket.cpp:697] [c10d] The IPv4 network addresses of ({HOST}, 23456) cannot be retrieved (gai error: "
UNRESOLVED += "-3 - Temporary failure in name resolution)."
TRAINED = [f"step {step}/900 loss 2.{step:03d}" for step in range(300)]


def tries(path=PATH, numbers=range(1, 7)):
    return [f"data: no {path} yet, retry {number}/60 in 10 s" for number in numbers]


def spread(said):
    """Put progress of others between what is said."""
    return [line for place, one in enumerate(said) for line in (one, *STEPS[place * 30 : place * 30 + 30])]


def root_of(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log").root_line


def test_the_first_try_of_a_file_that_never_came_states_it(tmp_path):
    assert root_of(tmp_path, ["begun", *spread(tries()), *MISSING]) == 2


def test_the_first_try_of_a_host_that_nobody_knows_states_it(tmp_path):
    waits = [f"init-wait: cannot resolve {HOST.partition('.team')[0]}, try {number}" for number in range(1, 7)]
    assert root_of(tmp_path, ["begun", *spread(waits), UNRESOLVED, UNRESOLVED]) == 2


@pytest.mark.parametrize(
    "said",
    [
        tries("/mnt/corpora/pile_v3/index.json.gz"),
        tries(numbers=range(4, 9)),
        tries(numbers=(1, 2)),
        [*tries(), f"data: found {PATH}"],
    ],
)
def test_tries_of_another_thing_or_that_went_well_are_none(tmp_path, said):
    lines = ["begun", *spread(said), *MISSING]
    assert root_of(tmp_path, lines) == len(lines)


@pytest.mark.parametrize(
    ("said", "last"),
    [
        (tries(numbers=(1, 2, 3)), MISSING[-1]),
        (
            [f"save: {PATH} is locked, try {n}" for n in (1, 2, 3)],
            f"OSError: [Errno 28] No space left on device: '{PATH}'",
        ),
        (
            [f"init: connecting to 10.0.0.11:29500, attempt {n}" for n in (1, 2, 3)],
            "torch.distributed.DistNetworkError: failed to recv from 10.0.0.11:29500: Connection reset by peer",
        ),
    ],
)
def test_tries_far_behind_which_the_end_came_were_got_over(tmp_path, said, last):
    lines = [*said, "the data are read", *TRAINED, *STACK, last]
    assert root_of(tmp_path, lines) == len(lines)


def test_a_key_is_no_host(tmp_path):
    said = [f"fetching encoder weights, attempt {n}/5: Connection reset by peer" for n in (1, 2, 3)]
    lines = ["begun", *said, "weights: 481 MB in 9 s", *STACK, "KeyError: 'encoder.embed.weight'"]
    assert root_of(tmp_path, lines) == len(lines)


def test_of_two_series_the_last_one_counts(tmp_path):
    lines = ["begun", *spread(tries(numbers=range(1, 4))), *spread(tries()), *MISSING]
    assert root_of(tmp_path, lines) == 2 + 3 * 31


SLOW = "[rank {}] WARNING shelf.storage: part.{:05}.bin: SlowDown (503), retry {}/5 in 1.0s"
REFUSED = [
    *STACK,
    "botocore.exceptions.ClientError: An error occurred (503) when calling the GetObject operation (reached max "
    "retries: 5): Service Unavailable",
]


def bursts(number, times=5):
    return [SLOW.format(at % 8, at // 9, 1 + at * times // number) for at in range(number)]


def test_of_more_tries_than_a_scan_keeps_the_first_of_the_series_states_it(tmp_path):
    before = [line for at in range(40) for line in (SLOW.format(1, at, 1) + ", ok", *TRAINED[at * 5 : at * 5 + 5])]
    far = [*before, *TRAINED[200:230]]
    assert root_of(tmp_path, [*far, *bursts(150), *REFUSED]) == len(far) + 1
    among = [line for at, one in enumerate(bursts(150)) for line in (one, *["queue is low"] * (at % 3))]
    assert root_of(tmp_path, [*far, *among, *REFUSED]) == len(far) + 1
    well = [*bursts(60), "part.00006.bin is found", *bursts(90)]
    assert root_of(tmp_path, [*far, *well, *REFUSED]) == len(far) + 62
