"""How labelled logs grow when a watch is measured."""

from evals.watch import PIECE_S, by_clock

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
