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


@pytest.mark.parametrize("kind", ["multiprocessing.Process", "threading.Thread", "torch.multiprocessing.Process"])
def test_a_class_that_extends_a_process_runs_when_it_is_started(outcome, kind):
    code = f"""
    import {kind.rpartition(".")[0]}
    x = None
    class Base({kind}):
        def run(self):
            global x
            x = [self.rate, self.work()]
    class Worker(Base):
        def __init__(self, rate):
            super().__init__()
            self.rate = rate
        def work(self):
            return 8
    workers = []
    for place in range(2):
        workers.append(Worker(0.5))
        workers[-1].start()
    """
    assert outcome(code) == [0.5, 8]


def test_a_process_that_runs_nothing_of_its_own_is_no_worker(outcome):
    code = "import threading\nclass Quiet(threading.Thread):\n    rows = 3\none = Quiet()\none.start()\nx = one.rows\n"
    assert outcome(code) == 3


@pytest.mark.parametrize(
    "way", ["threading.Thread(target=leave).start()", "Leaver().start()"], ids=["a target", "a class of its own"]
)
def test_a_worker_that_ends_does_not_end_the_program(outcome, way):
    code = f"""
    import sys, threading
    def leave():
        sys.exit(1)
    class Leaver(threading.Thread):
        def run(self):
            leave()
    x = 3
    {way}
    x = 4
    """
    assert outcome(code) == 4


ACTORS = {
    "beast.py": """
        import argparse
        import threading

        import gym
        import torch

        class PlayerNet(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(4, 32, 8)
                self.core = torch.nn.LSTM(32, 32)

        def learn(flags, model, optimizer):
            step = 0
            while step < flags.frames_in_all:
                loss = model(torch.zeros(1, 4, 84, 84)).sum()
                loss.backward()
                optimizer.step()
                step += 80

        parser = argparse.ArgumentParser()
        parser.add_argument("--env", default="PongNoFrameskip-v4")
        parser.add_argument("--frames_in_all", type=int, default=100000)
        parser.add_argument("--num_threads", type=int, default=2)
        flags = parser.parse_args()
        game = gym.make(flags.env)
        model = PlayerNet()
        optimizer = torch.optim.RMSprop(model.parameters(), lr=4e-4)
        threads = []
        for number in range(flags.num_threads):
            thread = threading.Thread(target=learn, args=(flags, model, optimizer))
            thread.start()
            threads.append(thread)
        """,
}


def test_a_loop_that_starts_threads_repeats_nothing(read):
    found = read(ACTORS, "python beast.py --frames_in_all 5000 --num_threads 4")
    assert (found.total_steps, found.epochs) == (5000, None)


BESIDE = """
import asyncio
import torch

def fit(rate):
    net = torch.nn.Linear(3, 3)
    sgd = torch.optim.SGD(net.parameters(), lr=rate)
    for epoch in range(3):
        net(torch.rand(3)).sum().backward()
        sgd.step()

async def main():
    {told}

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("told", "rate"),
    [
        ("await asyncio.to_thread(fit, 0.2)", 0.2),
        ("await asyncio.get_running_loop().run_in_executor(None, fit, 0.2)", 0.2),
        ("await asyncio.sleep(1)", None),
    ],
)
def test_what_a_loop_of_events_runs_beside_itself(read, told, rate):
    job = read({"go.py": BESIDE.format(told=told)}, "python go.py")
    assert (job.is_training is True, job.learning_rate) == (rate is not None, rate)
