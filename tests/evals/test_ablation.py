"""Leaving an entry out shows in the answer, and leaves no trace behind."""

import argparse
import os

from evals.ablation import left_out, run
from schedmate.graphs.diagnose import run_diagnose

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}, 2.1 it/s\n" for step in range(40))
HEAD = 'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\n'
LABELS = "name,category,subcategory,root_line,root_span\n"


def write(directory, name, text, category):
    (directory / f"{name}.log").write_text(STEPS + text, "utf-8")
    with (directory / "labels.csv").open("a", encoding="utf-8") as labels:
        labels.write(f"{name},{category},,{40 + text.count(chr(10))},1\n")


def test_what_hangs_on_one_entry_is_told_from_what_does_not(tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    kernel = "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
    write(tmp_path, "kernel", HEAD + kernel, "framework")
    write(tmp_path, "key", HEAD + "KeyError: 'lr'\n", "script")
    report = run(argparse.Namespace(directory=tmp_path, without=[]))
    rows = {row[0]: row[4] for row in report.tables[0].rows}
    assert rows == {"kernel": "wrong class", "key": "right"}
    together = run(argparse.Namespace(directory=tmp_path, without=["cuda.no_kernel_image"]))
    assert [row[0] for row in together.tables[0].rows] == ["kernel"]


def test_the_catalogue_is_whole_again_afterwards(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(STEPS + HEAD + "KeyError: 'lr'\n")
    cache = os.environ.get("SCHEDMATE_CACHE_DIR")
    with left_out(["python.key_error"]):
        assert run_diagnose(str(log), engine="built-in").failure_id == "python.exception"
    assert run_diagnose(str(log), engine="built-in").failure_id == "python.key_error"
    assert os.environ.get("SCHEDMATE_CACHE_DIR") == cache
