"""The table of policies: loads, seeds and runs that are remembered."""

import argparse

import pytest

from evals import policy
from schedmate.traces.generating import generate


@pytest.fixture
def options(monkeypatch, tmp_path):
    monkeypatch.setattr(policy, "generate", lambda like, seed: generate(like, jobs=150, days=0.2, seed=seed))
    parser = argparse.ArgumentParser()
    policy.add_arguments(parser)
    policy.world.cache_clear()
    asked = "--traces seren-like --policies fifo --saving real --legible 0.5 --loads 1,2 --first-seed 3"
    yield parser.parse_args([*asked.split(), "--logs", str(tmp_path), "--keep", str(tmp_path / "kept")])
    policy.world.cache_clear()


def test_each_load_is_a_row_and_what_was_played_is_remembered(options):
    first = policy.measured(options, lambda line: None)
    assert list(first) == [
        (row, "real", name) for row in ("seren-like", "seren-like x 2") for name in ("fifo", "schedmate")
    ]
    again = policy.measured(options, lambda line: None)
    assert first == again
    assert len((options.keep / "runs.jsonl").read_text("utf-8").splitlines()) == 4
    assert {summary.seed for summaries in first.values() for summary in summaries} == {3}


def test_a_heavier_load_is_the_same_jobs_in_less_time(options):
    whole, pressed = policy.world(options.data, "seren-like", 3), policy.world(options.data, "seren-like", 3, 2.0)
    assert len(whole.trace) == len(pressed.trace)
    assert pressed.trace.submit_s[-1] == pytest.approx(whole.trace.submit_s[-1] / 2, rel=0.05, abs=60)


def test_a_share_that_invented_logs_gave_is_called_so(options):
    options.legible, options.loads, said = None, "1", []
    policy.measured(options, said.append)
    assert said[0].startswith("100% of invented logs (there is no ")
