"""Several answers to one question: the majority counts, each sample is one of its own, no majority is no answer."""

import asyncio
from typing import Literal

import pytest

from schedmate.errors import ModelFailed
from schedmate.models.llm import user
from schedmate.models.voting import Voted, elected
from tests.scripted_server import ScriptedServer, says


class Cause(Voted):
    """A class, and the line that shows it."""

    line: int
    cause: Literal["disk", "bug", "network"]

    def vote(self):
        return self.cause

    def preference(self):
        return self.line


def cause(line, name):
    return Cause(line=line, cause=name)


def test_the_majority_counts_and_of_those_the_commonest_line():
    said = [cause(4, "disk"), cause(9, "bug"), cause(7, "bug"), cause(7, "bug"), cause(4, "disk")]
    assert elected(said, "m") == 2
    assert elected([cause(1, "bug"), cause(2, "bug")], "m") == 0


def test_no_majority_is_no_answer():
    with pytest.raises(ModelFailed, match="2 answers that do not agree"):
        elected([cause(1, "bug"), cause(1, "disk")], "m")


def by_seed(answers):
    """Serve the answer that belongs to a request's seed; the greedy request has none."""
    return lambda body: says(answers[body.get("seed", 0)].model_dump())


def ask(model, schema=Cause):
    return asyncio.run(model.answer([user("why did it die?")], schema))


def test_samples_have_their_own_seeds_and_the_first_is_greedy(model_on):
    with ScriptedServer(by_seed([cause(1, "disk"), cause(2, "bug"), cause(3, "bug")])) as server:
        assert ask(model_on(server, llm_votes=3)) == cause(2, "bug")
    told = sorted((body.get("seed", 0), body["temperature"]) for body in server.chats())
    assert told == [(0, 0), (1, 0.7), (2, 0.7)]


def test_each_sample_is_kept_for_the_next_time(model_on):
    with ScriptedServer(by_seed([cause(1, "disk"), cause(2, "bug"), cause(3, "bug")])) as server:
        once, twice = (ask(model_on(server, llm_votes=3, llm_cache=True)) for _ in range(2))
        assert once == twice == cause(2, "bug")
        assert len(server.chats()) == 3
        assert ask(model_on(server, llm_cache=True)) == cause(1, "disk")
        assert len(server.chats()) == 3


def test_what_nobody_can_vote_on_is_asked_once(model_on, verdict, good):
    with ScriptedServer([says(good)]) as server:
        ask(model_on(server, llm_votes=3), verdict)
    assert len(server.chats()) == 1
