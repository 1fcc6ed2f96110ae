"""A prompt is cut to what the model holds, by the server's own count where it has one."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.errors import ModelFailed
from schedmate.models.fitting import SHORTEST, common_level, cut, estimate, shortened
from schedmate.models.llm import system, user
from tests.scripted_server import ScriptedServer, fails, says

RULES = system("Rules. " * 20)


def spoken_to(server):
    return server.chats()[-1]["messages"]


def test_a_prompt_that_fits_is_sent_as_it_is_and_not_counted(model_on, verdict, good):
    with ScriptedServer([says(good)]) as server:
        asyncio.run(model_on(server).answer([RULES, user("short")], verdict))
    assert [heard.path for heard in server.requests] == ["/v1/models", "/v1/chat/completions"]


def test_the_servers_count_decides_where_the_guess_is_too_high(model_on, verdict, good):
    long = user("word-of-twenty-chars " * 2000)
    with ScriptedServer([says(good)], max_model_len=8192) as server:
        asyncio.run(model_on(server).answer([long], verdict))
    assert "/tokenize" in [heard.path for heard in server.requests]
    assert spoken_to(server)[0]["content"] == long.content


@pytest.mark.parametrize("tokenize", [True, False])
def test_what_is_too_long_loses_its_middle(model_on, verdict, good, tokenize):
    log = user("first line\n" + "step 1 loss 2.0 \n" * 20_000 + "CUDA out of memory")
    with ScriptedServer([says(good)], max_model_len=4096, tokenize=tokenize) as server:
        asyncio.run(model_on(server).answer([RULES, log], verdict))
    rules, sent = (message["content"] for message in spoken_to(server))
    assert rules == RULES.content
    assert sent.startswith("first line")
    assert sent.endswith("CUDA out of memory")
    assert "characters left out" in sent
    assert len(sent.split()) < 4096 - 1024


def test_a_huge_text_is_not_sent_to_be_counted(model_on, verdict, good):
    with ScriptedServer([says(good)], max_model_len=4096) as server:
        asyncio.run(model_on(server).answer([user("step 1 loss 2.0\n" * 50_000)], verdict))
    assert all(len(str(heard.body)) < 100_000 for heard in server.requests)


def test_a_counter_that_fails_once_is_asked_again(model_on):
    with ScriptedServer() as server:
        model = model_on(server, llm_attempts=1, llm_timeout_s=3)
        server.stalled.set()
        assert asyncio.run(model.count_tokens("one two three")) > 3
        server.stalled.clear()
        assert asyncio.run(model.count_tokens("one two three")) == 3


def test_the_setting_overrides_what_the_server_reports(model_on, verdict, good):
    with ScriptedServer([says(good)], max_model_len=100_000) as server:
        asyncio.run(model_on(server, llm_context_tokens=4096).answer([user("x " * 50_000)], verdict))
    assert len(spoken_to(server)[0]["content"].split()) < 4096


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        "the request exceeds the available context size",
    ],
)
def test_a_server_that_counts_otherwise_gets_a_shorter_prompt(model_on, verdict, good, said):
    with ScriptedServer([fails(400, said), says(good)], tokenize=False) as server:
        asyncio.run(model_on(server).answer([user("word " * 2000)], verdict))
    first, second = (len(body["messages"][0]["content"]) for body in server.chats())
    assert second < first * 0.6


def test_rules_that_do_not_fit_at_all_are_a_failure(model_on, verdict):
    with ScriptedServer(max_model_len=512) as server, pytest.raises(ModelFailed, match="does not fit"):
        asyncio.run(model_on(server).answer([system("x " * 9000)], verdict))


def test_counting_asks_the_server_and_guesses_otherwise(model_on):
    with ScriptedServer() as server:
        assert asyncio.run(model_on(server).count_tokens("one two three")) == 3
    with ScriptedServer(tokenize=False) as server:
        assert asyncio.run(model_on(server).count_tokens("one two three")) >= 7


@given(st.lists(st.integers(0, 100_000), max_size=8), st.integers(1, 200_000))
def test_exactly_the_excess_is_taken_from_the_longest(lengths, excess):
    lengths = sorted(lengths, reverse=True)
    level = common_level(lengths, excess)
    gone = sum(max(0, length - level) for length in lengths)
    assert level >= SHORTEST
    assert level == SHORTEST or excess <= gone < excess + len(lengths)


@given(st.text(max_size=2000), st.integers(100, 1000))
def test_a_cut_text_keeps_to_its_length(text, length):
    assert len(cut(text, length)) <= max(length, 60)
    assert cut(text, len(text)) == text


def test_small_messages_are_left_alone_while_a_large_one_can_give(verdict):
    small, large = user("a" * 1000), user("b" * 100_000)
    assert shortened([small, large], 50_000)[0] == small


def test_the_guess_counts_bytes():
    assert estimate("日本語") > estimate("abc")
    assert estimate("\ud800") >= 1
