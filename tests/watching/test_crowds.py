"""What a watch tells where there is more to read than there is time for, or where readers are lost."""

import os
import signal
import time

from schedmate.watching import service
from schedmate.watching.service import serve

TRACEBACK = """Traceback (most recent call last):
  File "/home/u/train.py", line 41, in <module>
    loss = table[batch["kind"]]
KeyError: 'kind'
"""
LIMIT_S = 120.0


def test_answers_are_heard_however_long_the_looks_take(site):
    site.now_s = time.time() - 300
    site.train("a.log", 1, 20)
    site.write("a.log", TRACEBACK)
    until_s = time.monotonic() + LIMIT_S
    serve(site.watch, 0.0, lambda: bool(site.told) or time.monotonic() > until_s, lambda: None)
    assert site.kinds == ["died"]


def test_of_many_logs_found_at_once_some_are_read_in_each_look(site, monkeypatch):
    monkeypatch.setattr(service, "FIRST_BUDGET_S", 0.0)
    for number in range(5):
        site.train(f"{number}.log", 1, 3, look=False)
        site.write(f"{number}.log", TRACEBACK)
    site.look()
    assert site.watch.unread == 4
    assert site.watch.is_busy
    site.pass_by(60)
    assert site.watch.unread == 0
    assert site.kinds == ["died"] * 5


def test_who_may_be_dead_does_not_wait_until_others_are_worked_out(site, monkeypatch):
    monkeypatch.setattr(service, "BUDGET_S", 0.0)
    for step in range(1, 30):
        site.now_s += 5
        for number in range(20):
            if number != 7 or step < 20:
                site.write(f"{number}.log", f"step {step}/1000 loss {5 / step:.4f}\n")
            elif step == 20:
                site.write("7.log", TRACEBACK)
                died_s = site.now_s
        site.look()
    assert site.kinds == ["died"]
    assert site.told[0].at_s - died_s <= 30


def test_a_death_whose_reader_was_killed_is_read_again(site):
    site.train("a.log", 1, 20)
    site.write("a.log", TRACEBACK)
    site.now_s += 2
    site.watch.look(site.now_s)
    site.now_s += 18
    site.watch.look(site.now_s)
    [(helper, _)] = site.watch.pool.busy.values()
    os.killpg(helper.process.pid, signal.SIGKILL)
    site.pass_by(30)
    assert site.kinds == ["died"]


def test_a_death_that_no_reader_lives_through_is_told_all_the_same(site):
    site.train("a.log", 1, 20)
    site.write("a.log", "srun: error: n1: task 3: Killed\n")
    for _ in range(60):
        site.now_s += 10
        site.watch.look(site.now_s)
        for helper, _ in [*site.watch.pool.busy.values()]:
            os.killpg(helper.process.pid, signal.SIGKILL)
            helper.process.wait()
            site.watch.pipes.sleep(10.0)
    assert site.kinds == ["died"]
    assert "its log could not be read" in site.told[0].said
