"""What pools of processes and threads are handed is followed as if it ran here."""

import pytest

HEAD = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, get_context
from joblib import Parallel, delayed
x = None
def work(rate, rows=3):
    global x
    x = [rate, rows]
def unpack(told):
    work(told["rate"], told["rows"])
"""


@pytest.mark.parametrize(
    "way",
    [
        "with ProcessPoolExecutor(2) as pool:\n    pool.submit(work, 0.5, rows=8).result()",
        "with Pool(2) as pool:\n    pool.starmap(work, [(0.5, 8)])",
        "pool = Pool()\npool.map(unpack, [{'rate': 0.5, 'rows': 8}, {'rate': 0.5, 'rows': 8}])",
        "pool = Pool()\npool.apply_async(work, (0.5,), {'rows': 8})",
        "Parallel(n_jobs=2)(delayed(work)(0.5, 8) for seed in range(2))",
        "get_context('spawn').Process(target=work, args=(0.5, 8)).start()",
    ],
)
def test_the_work_is_followed(outcome, way):
    assert outcome(f"{HEAD}{way}\n") == [0.5, 8]


def test_what_differs_between_items_is_open(follow):
    _, names = follow(HEAD + "Pool().map(unpack, [{'rate': 0.5, 'rows': 8}, {'rate': 0.25, 'rows': 8}])\n")
    rate, rows = names["x"].data
    assert rows.data == 8
    assert rate.data not in (0.5, 0.25)
