"""A stack is read behind whatever stands before all of its lines, and where only its head has words before it."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.lines.tracebacks import TracebackReader
from schedmate.readers.lines import Line, clean

STACK = [
    *("Traceback (most recent call last):", '  File "/nm/fit.py", line 88, in <module>', "    main()"),
    *('  File "/nm/corpus.py", line 117, in read', "    rec = json.loads(line)"),
    "json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 81920 (char 81919)",
]
HEADS = [
    "task 3: ",
    "rank 3 (n-1): ",
    "3/16 n-1: ",
    "worker 3 on n-1> ",
    "n-1[rank3]: ",
    "rank3@n-1: ",
    "R3 ",
    "n-1 - 3 - ",
]
LOST = "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.3]:1337{}"
STEPS = [f"step {step}/900 loss 2.{step:03d}" for step in range(40)]


def raised_in(lines):
    reader = TracebackReader()
    return [one for at, line in enumerate(lines, 1) if (one := reader.take(at, at, clean(line)))]


@pytest.mark.parametrize("head", HEADS)
def test_a_head_before_all_lines_is_taken_off(tmp_path, head):
    other = head.replace("3", "7")
    lines = [*STEPS, *(head + line for line in STACK), *(other + LOST.format(at) for at in range(4))]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == ("script", len(STEPS) + len(STACK))


def test_stacks_of_two_that_cut_through_each_other_are_told_apart():
    both = [head + line for line in STACK for head in ("task 3: ", "task 5: ")]
    found = raised_in(both)
    assert [(one.name, len(one.frames), one.leaves) for one in found] == [("JSONDecodeError", 2, True)] * 2


def test_what_stands_before_a_stacks_head_alone_is_no_head():
    found = raised_in(["data: cannot read the shard: " + STACK[0], *STACK[1:]])
    assert [(one.name, len(one.frames)) for one in found] == [("JSONDecodeError", 2)]
    assert raised_in([f"task 3: {STACK[0]}", *(f"task 5: {line}" for line in STACK[1:])]) == []


def test_heads_are_few_and_short():
    reader = TracebackReader()
    for at in range(200):
        reader.take(at, at, Line(f"{at} {'x' * (at % 100)}: {STACK[0]}"))
    assert len(reader.heads.known) == 64
    assert max(map(len, reader.heads.known)) <= 80
