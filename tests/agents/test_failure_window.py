"""A model sees the root, each candidate, the end and the other ranks' first errors, with true numbers and gaps."""

import re
from dataclasses import replace

import pytest

from schedmate.agents.failure_window import as_text, window_of
from schedmate.readers.failures.answer.classify import classify
from schedmate.readers.failures.answer.confidence import calibrated, is_doubtful, reasons, signs_of
from schedmate.readers.failures.causes.first_cause import locate
from schedmate.readers.failures.reading import read_log
from schedmate.tools.logfile import open_log

XID = "May  1 12:00:00 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."
RAISED = ["Traceback (most recent call last):", '  File "train.py", line 9, in <module>', "KeyError: 'labels'"]


@pytest.fixture
def read(tmp_path):
    """Write logs, locate, and give the verdict with the readings."""
    opened = []

    def reading(*logs):
        readings = []
        for source, lines in enumerate(logs):
            path = tmp_path / f"rank_{source}.log"
            path.write_text("\n".join(lines) + "\n")
            log = open_log(path)
            opened.append(log)
            readings.append(read_log(log, source, source if len(logs) > 1 else None))
        return locate(readings), readings

    yield reading
    for log in opened:
        log.close()


def words(count, kind="loading"):
    return [f"{kind} shard number {'x' * (number % 50)} of the corpus" for number in range(count)]


def test_candidates_far_from_the_root_and_the_end_are_shown_with_true_numbers(read):
    lines = [*words(300), XID, *words(300, "step"), *RAISED, *words(300, "closing"), "the very last line"]
    text = as_text(window_of(*read(lines)))
    assert f"301| {XID}" in text
    assert "604| KeyError: 'labels'" in text
    assert f"{len(lines)}| the very last line" in text
    for number, shown in re.findall(r"^(\d+)\| (.*)$", text, re.M):
        assert lines[int(number) - 1].strip() == shown
    numbers = [int(number) for number in re.findall(r"^(\d+)\|", text, re.M)]
    gaps = [int(gap.replace(",", "")) for gap in re.findall(r"\[\.\.\. ([\d,]+) lines are not shown\]", text)]
    assert len(numbers) + sum(gaps) == max(numbers)


def test_of_a_fault_that_is_said_again_and_again_the_first_is_shown(read):
    steps = [f"step {number} loss {9 / number:.3f}" for number in range(1, 295)]
    verdict, readings = read([XID, *steps[:98], *RAISED, *steps[98:196], *RAISED, *steps[196:], *RAISED])
    *others, last = (replace(one, survived=False) for one in verdict.suspects)
    verdict = verdict._replace(suspects=(*others, replace(last, score=0.9)))
    assert {102, 304} <= set(window_of(verdict, readings).marked)


def test_in_little_room_the_candidates_stay(read):
    lines = [*words(300), XID, *words(300, "step"), *RAISED, *words(300, "closing")]
    window = window_of(*read(lines)).within(1500)
    text = as_text(window)
    assert len(text) < 2500
    assert "GPU has fallen off the bus" in text
    assert "KeyError" in text
    assert set(window.marked) == {301, 604}


def test_each_rank_has_its_first_error_shown_and_one_count_runs_through_all(read):
    logs = [[*words(40), f"ERROR rank {rank} found its shard broken in way {'q' * rank}"] for rank in range(3)]
    window = window_of(*read(*logs))
    text = as_text(window)
    for rank in range(3):
        assert f"{41 * (rank + 1)}| ERROR rank {rank}" in text
    assert "[log 2 of 3 begins with line 42]" in text
    line = window.find(82)
    assert line
    assert (line.source, line.line) == (1, 41)


def test_signs_of_doubt_are_told_and_make_an_answer_doubtful(read):
    sure, doubtful = [*words(40), XID], [*words(40), "FATAL: grxl plonk zzyzx"]
    for lines, expected in ((sure, False), (doubtful, True)):
        verdict, readings = read(lines)
        found = classify(verdict, readings)
        signs = signs_of(found, verdict, readings)
        answer = calibrated(found, found, signs)
        assert is_doubtful(answer, signs) is expected
        assert any("no known failure" in text for text in reasons(signs)) is expected
        assert answer.confidence >= 0.8 if not expected else answer.confidence < 0.6
