"""A log comes down to its statements, with their numbers and first lines, in bounded memory."""

from schedmate.readers.statements import gather_statements
from schedmate.tools.logfile import open_log


def gathered(tmp_path, content, **how):
    path = tmp_path / "a.log"
    path.write_bytes(content)
    with open_log(path) as log:
        return gather_statements(log, **how)


def test_counts_first_lines_and_quotes(tmp_path):
    rows = [
        b"starting on node-1",
        b"",
        *(b"step %d loss 0.%d" % (step, step) for step in range(100)),
        b"\x1b[31mboom\x1b[0m",
    ]
    found = gathered(tmp_path, b"\n".join(rows))
    assert [(it.template, it.line, it.count) for it in found.found] == [
        ("starting on node-<num>", 1, 1),
        ("step <num> loss <num>", 3, 100),
        ("boom", 103, 1),
    ]
    assert found.found[1].quote == "step 0 loss 0.0"
    assert found.found[2].quote == "boom"
    assert found.lines == 102


def test_memory_is_bounded_and_what_is_left_out_is_counted(tmp_path):
    words = ["".join(chr(97 + (number // 26**place) % 26) for place in range(3)) for number in range(1000)]
    found = gathered(tmp_path, "\n".join(words).encode(), most=10)
    assert len(found.found) == 10
    assert found.crowded_out == 990
    assert found.lines == 1000


def test_progress_is_told_up_to_the_end(tmp_path):
    heard = []
    gathered(tmp_path, b"x\n" * 50_000, advance=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (100_000, 100_000)
    assert heard == sorted(heard)
    assert len(heard) == 3


def test_empty_binary_and_endless_lines(tmp_path):
    assert gathered(tmp_path, b"").lines == 0
    assert gathered(tmp_path, bytes(range(256)) * 2000).lines > 0
    found = gathered(tmp_path, b"a" * 3_000_000)
    assert len(found.found[0].quote) <= 300
