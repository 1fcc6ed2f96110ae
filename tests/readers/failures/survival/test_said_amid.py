"""What another writer says while a program dies, in the middle of its stack and behind it, is no sign of its life."""

import pytest

from schedmate import diagnose

BEATS = [
    "[companion] alive, 3 of 3 probes",
    "shipper: 4 pages sent, 0 waiting",
    "pulse ok for pod fit-0",
    "lease renewed: 1",
]
PYTHON = [
    "Traceback (most recent call last):",
    '  File "/srv/lea/fit.py", line 31, in <module>',
    "    fit(options)",
    '  File "/srv/lea/fit.py", line 12, in fit',
    "    step(batch)",
    '  File "/srv/lea/step.py", line 9, in step',
    "    return scale(batch)",
]
JULIA = [
    "ERROR: LoadError: UndefVarError: `pears` not defined in `Orchard`",
    "Stacktrace:",
    *(
        line
        for at in range(1, 12)
        for line in (f"  [{at}] macro expansion", f"    @ ~/orchard/src/tree.jl:{at} [inlined]")
    ),
    "in expression starting at /srv/lea/orchard.jl:4",
]
GLOG = [
    "*** SIGSEGV (@0x0) received by PID 28865 (TID 0x7efe25d2cac0) from PID 0; stack trace: ***",
    *(f"    @     0x7efe23f18d{at:02x} (unknown)" for at in range(24)),
]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def beside(lines, every=2):
    """Let the companions speak behind every second line."""
    told = []
    for at, line in enumerate(lines):
        told += [line, BEATS[at // every % len(BEATS)]] if at % every == every - 1 else [line]
    return told


@pytest.mark.parametrize("dying", [JULIA, GLOG], ids=["julia", "glog"])
def test_who_speaks_between_the_calls_of_a_stack_is_another(tmp_path, dying):
    before = [f"sorting tree {tree}" for tree in range(12)]
    alone = read(tmp_path, [*before, *dying])
    both = read(tmp_path, [*beside(before), *beside(dying), *BEATS, *BEATS])
    assert alone.category != "none"
    assert (both.category, both.root_excerpt) == (alone.category, alone.root_excerpt)


def test_what_the_program_says_behind_its_stack_is_a_sign_of_life(tmp_path):
    """Between one stack and the next it may speak, too."""
    trees = [f"sorting tree {tree}" for tree in range(40)]
    caught = ["tree 7 is left out:", *PYTHON, "ValueError: no such tree", "the next tree is taken"]
    assert read(tmp_path, [*trees[:8], *caught, *trees[8:20], *caught, *trees[20:]]).category == "none"


def test_what_another_writer_says_over_and_over_opens_no_run(tmp_path):
    deep = [
        line
        for at in range(9)
        for line in (f'  File "/srv/lea/part{at}.py", line {at + 2}, in part', "    part(batch)")
    ]
    first = [*PYTHON, *deep, "OSError: [Errno 101] Network is unreachable"]
    again = [*PYTHON, *deep, "orchard.Unreachable: <open error [Errno 101] Network is unreachable>"]
    lines = [*first, "", "During handling of the above exception, another exception occurred:", "", *again]
    found = read(tmp_path, beside(lines))
    assert found.root_excerpt == first[-1]
    assert found.attempts == 1


def test_the_source_under_a_call_is_known_behind_another_writers_line(tmp_path):
    met = [*PYTHON, "OSError: [Errno 101] Network is unreachable"]
    again = [
        *PYTHON[:-1],
        "    raise Unreachable(err)",
        "orchard.Unreachable: <open error [Errno 101] Network is unreachable>",
    ]
    lines = [*met, "", "During handling of the above exception, another exception occurred:", "", *again]
    places = []
    for name, told in (("alone", lines), ("beside", beside(lines))):
        (tmp_path / name).mkdir()
        places.append(read(tmp_path / name, told).root_excerpt)
    assert places[0] == places[1]
