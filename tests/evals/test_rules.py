"""The eval of rules tells whose answers hang on which rule, and whether that was right."""

import argparse

from evals.rules import run

STEPS = "".join(f"step {step} loss 2.{step:03d} lr 0.01\n" for step in range(1, 41))
SAID = "cardwarden[n7]: card 5 was given up by its driver\n"
WAITED = "".join(
    f"[rank{rank}]:[E402 11:20:1{rank}.1 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600017 milliseconds before timing "
    "out.\n"
    for rank in range(4)
)
LABELS = "name,category,subcategory,root_line,root_span\nherald,infrastructure,gpu,41,1\nkey,script,,44,1\n"
KEY = "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\nKeyError: 'lr'\n"


def test_it_counts_what_fired_what_changed_and_what_was_right(tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "herald.log").write_text(STEPS + SAID + WAITED)
    (tmp_path / "key.log").write_text(STEPS + KEY)
    table, listed = run(argparse.Namespace(folders=[tmp_path], cases=True)).tables
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["firm cause"][0] == 1
    assert rows["stated in words"][0] == 1
    assert rows["first of tries"] == [0, 0, 0, 0, 0, 0]
    assert all(log.startswith(tmp_path.name) for _, log, _, _ in listed.rows)
