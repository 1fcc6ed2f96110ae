"""How labelled logs grow when a watch is measured."""

from evals.watch import AFTER_S, PIECE_S, by_clock

STEPS = [b"2026-03-01 10:%02d:00 step %d loss 2.0\n" % (at, at) for at in range(20)]
DUMP = [
    b"===== dmesg of n2 =====\n",
    b"[Sat Aug  9 00:03:44 2025] EDAC MC3: 1 CE\n",
    b"[Sat Aug  9 13:11:41 2025] mce: MCE\n",
]


def test_a_log_grows_by_its_own_clock_and_the_report_behind_it_comes_at_once():
    pieces = by_clock([*STEPS, *DUMP])
    assert pieces[-1][0].endswith(b"".join(DUMP))
    assert sum(pause_s for _, pause_s in pieces[:-1]) == 19 * 60


def test_the_clock_of_a_report_at_the_end_is_not_that_of_a_log_without_one():
    pieces = by_clock([b"step %d loss 2.0\n" % at for at in range(300)] + DUMP)
    assert {pause_s for _, pause_s in pieces[:-1]} == {PIECE_S}
    assert b"".join(data for data, _ in pieces).count(b"\n") == 303


STACK = [b"Traceback (most recent call last):\n", b'  File "t.py", line 1, in <module>\n', b"    x[3]\n"]


def test_a_traceback_comes_whole_with_what_is_said_of_it():
    raised = [*STACK, b"IndexError: out of range\n", b"skipping sample 17\n"]
    lines = [b"step %d loss 2.0\n" % at for at in range(30)]
    for place in range(10, 20):
        pieces = by_clock([*lines[:place], *raised, *lines[place:]])
        assert any(b"".join(raised) in data for data, _ in pieces), place


def test_of_two_clocks_that_of_most_lines_is_the_logs():
    lines = [b"Jun 20 14:%02d:09 n1 step %d loss 2.0\n" % (at, at) for at in range(20)]
    lines.insert(10, b"2025-06-20 14:10:02 node-termination-handler: hello\n")
    assert sum(pause_s for _, pause_s in by_clock(lines)[:-1]) == 19 * 60


def test_what_a_buffer_held_comes_together():
    steps = [b"2026-03-01 10:%02d:00 step %d loss 2.0\n" % (at, at) for at in range(20)]
    warned = b"2026-03-01 10:08:00 a warning\n"
    pieces = by_clock([*steps[:4], warned, *steps[4:]])
    assert {pause_s for _, pause_s in pieces[:-1]} == {4 * 60}


def test_a_traceback_at_the_end_is_followed_by_the_long_pause():
    """Wherever the last cut falls in it, an hour goes by after its last line."""
    frames = [b'  File "/home/u/train.py", line %d, in step\n' % at for at in range(60)]
    raised = [b"Traceback (most recent call last):\n", *frames, b"RuntimeError: got signal: 15\n"]
    for count in range(60, 120):
        pieces = by_clock([*(b"step %d loss 2.0\n" % at for at in range(count)), *raised])
        assert pieces[-1][1] == AFTER_S
