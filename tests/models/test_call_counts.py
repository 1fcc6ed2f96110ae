"""Calls of models are counted where they are made, and whoever is handed the counts believes no more than a count."""

import asyncio
import json

import pytest

from schedmate.errors import ModelFailed
from schedmate.models.call_counts import CALLS, MOST_SERIES, CallCounts, families
from schedmate.models.llm import user
from tests.scripted_server import ScriptedServer, fails, says


@pytest.fixture(autouse=True)
def nothing_counted():
    CALLS.drained()


def ask(model, verdict):
    return asyncio.run(model.answer([user("what was it, in few words")], verdict))


def test_each_call_counts_with_its_tokens_and_its_failure(model_on, verdict, good):
    with ScriptedServer([says(good), says("no form"), says("none again"), fails(401)]) as server:
        model = model_on(server)
        ask(model, verdict)
        [answered] = CALLS.drained()
        assert (answered["model"], sum(answered["seconds"]), answered["failed"]) == ("scripted", 1, {})
        assert (answered["prompt_tokens"], answered["answer_tokens"]) == (6, len(json.dumps(good).split()))
        for _ in range(2):
            with pytest.raises(ModelFailed):
                ask(model, verdict)
    [failed] = CALLS.told()
    assert failed["failed"] == {"invalid": 1, "refused": 1}
    assert sum(failed["seconds"]) == 3, "a bad answer is asked for once more"


def test_a_server_that_is_not_there_is_a_failed_call(model_on, verdict):
    with ScriptedServer() as server:
        model = model_on(server, llm_attempts=1)
    with pytest.raises(ModelFailed):
        ask(model, verdict)
    [count] = CALLS.told()
    assert (count["failed"], sum(count["seconds"])) == ({"unreachable": 1}, 1)


def test_what_is_kept_is_no_call(model_on, verdict, good):
    with ScriptedServer([says(good)]) as server:
        model = model_on(server, llm_cache=True)
        assert ask(model, verdict) == ask(model, verdict)
    assert [sum(one["seconds"]) for one in CALLS.told()] == [1]


def test_counts_of_others_are_added_and_odd_ones_are_none():
    mine, theirs = CallCounts(), CallCounts()
    theirs.note("qwen", 0.3, (100, 5))
    theirs.note("qwen", 3.0, failure="timeout")
    mine.merge(json.loads(json.dumps(theirs.told())), "diagnose")
    mine.merge(theirs.drained(), "diagnose")
    assert theirs.told() == []
    [count] = mine.told()
    assert (count["task"], sum(count["seconds"]), count["prompt_tokens"]) == ("diagnose", 4, 200)
    assert count["failed"] == {"timeout": 2}
    row = {"task": "x", "model": "y", "seconds": [1] * 10, "total_s": 1.0, "prompt_tokens": 0, "answer_tokens": 0}
    for odd in (None, 3, "x", [3], [row | {"seconds": [1]}], [row | {"model": ["y"]}], [row | {"failed": {"a": "b"}}]):
        mine.merge(odd)
    assert mine.told() == [count]
    mine.merge([row | {"failed": {"made up": 3}}])
    assert not mine.told()[-1]["failed"]


def test_the_figures_have_bounded_labels():
    counts = CallCounts()
    for number in range(3 * MOST_SERIES):
        counts.note(f"model-{number}", 0.1, task="extract")
    told = {one.name: one.values for one in families({"loop": counts})}
    models = {labels["model"] for labels, _ in told["schedmate_model_failures_total"]}
    assert len(models) == MOST_SERIES + 1
    assert "other" in models
    calls = [value for labels, value in told["schedmate_model_call_seconds"] if labels[""] == "_count"]
    assert sum(calls) == 3 * MOST_SERIES
