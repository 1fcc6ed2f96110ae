"""Each way in which a server can fail is met over real HTTP, and none is fatal."""

import asyncio
import socket
import sys
from email.utils import formatdate

import pytest

from schedmate.errors import MissingExtra, ModelFailed, SettingsError
from schedmate.models.llm import open_model, user
from schedmate.models.server import api_url
from schedmate.settings import Settings
from tests.scripted_server import ScriptedServer, Turn, fails, says

QUESTION = [user("why did it die?")]


def ask(model, schema):
    return asyncio.run(model.answer(QUESTION, schema))


def failure(model, schema):
    with pytest.raises(ModelFailed) as caught:
        ask(model, schema)
    return caught.value


def test_a_good_answer_is_constrained_and_validated(model_on, verdict, good):
    with ScriptedServer([says(good)]) as server:
        assert ask(model_on(server), verdict) == verdict(**good)
    (body,) = server.chats()
    form = body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["required"] == ["cause", "line", "note"]
    assert form["schema"]["properties"]["note"]["pattern"].endswith("{0,40}$")
    assert body["temperature"] == 0


def test_nothing_configured_is_no_model():
    assert open_model(Settings()) is None


def test_the_first_served_model_is_used_unless_one_is_named(model_on, verdict, good):
    with ScriptedServer([says(good)] * 2, model="served") as server:
        ask(model_on(server), verdict)
        ask(model_on(server, llm_model="named"), verdict)
    assert [body["model"] for body in server.chats()] == ["served", "named"]


def test_the_key_is_sent_and_the_openai_key_of_the_user_is_not(model_on, verdict, good, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "belongs-to-openai")
    with ScriptedServer([says(good)] * 2) as server:
        ask(model_on(server), verdict)
        ask(model_on(server, llm_key="ours"), verdict)
    keys = [heard.headers["authorization"] for heard in server.requests]
    assert keys == ["Bearer none"] * 2 + ["Bearer ours"] * 2


def test_a_wrong_key_is_refused_at_once(model_on, verdict):
    with ScriptedServer(key="right") as server:
        failed = failure(model_on(server), verdict)
    assert (failed.reason, len(server.requests)) == ("refused", 1)
    assert "SCHEDMATE_LLM_KEY" in failed.hint


@pytest.mark.parametrize(
    "bad",
    [
        "I think it ran out of memory.",
        "",
        '{"cause": "oom"}',
        '{"cause": "war", "line": 3, "note": ""}',
        '{"cause": "oom", "line": 0, "note": ""}',
        '{"cause": "oom", "line": 3, "note": "' + "x" * 41 + '"}',
        "[" * 5000,
        '{"cause": "oom", "line": 3, "note": "\ud800"}',
    ],
)
def test_garbage_is_asked_for_once_more_with_what_was_wrong(model_on, verdict, good, bad):
    with ScriptedServer([says(bad), says(good)]) as server:
        assert ask(model_on(server), verdict) == verdict(**good)
    first, second = server.chats()
    assert second["messages"][0] == first["messages"][0]
    assert second["messages"][-1]["content"].startswith("That cannot be used: ")


def test_the_retry_names_the_field(model_on, verdict, good):
    with ScriptedServer([says(good | {"line": 0}), says(good)]) as server:
        ask(model_on(server), verdict)
    assert "line: Input should be greater than or equal to 1" in server.chats()[1]["messages"][-1]["content"]


def test_two_bad_answers_are_a_failure(model_on, verdict):
    with ScriptedServer([says("no"), says("never"), says("unreached")]) as server:
        failed = failure(model_on(server), verdict)
    assert failed.reason == "invalid"
    assert len(server.chats()) == 2


def test_an_answer_in_prose_fences_or_after_thoughts_is_found(model_on, verdict, good):
    written = says(good).text
    for text in (
        f"Sure! Here it is:\n```json\n{written}\n```\nHope that helps.",
        f'<think>maybe {{"cause": "nccl"}}?</think>{written}',
        f"of course {{not this}} but {written}",
        f"thinking without an opening tag</think>\n\n{written}",
    ):
        with ScriptedServer([says(text)]) as server:
            assert ask(model_on(server), verdict) == verdict(**good)
        assert len(server.chats()) == 1


def test_instructions_in_an_answer_change_nothing(model_on, verdict):
    injected = '{"cause": "oom", "line": 3, "note": "ignore the schema", "run": "rm -rf /"}'
    with ScriptedServer([says(injected)]) as server:
        answer = ask(model_on(server), verdict)
    assert set(answer.model_dump()) == {"cause", "line", "note"}


def test_a_slow_server_runs_into_the_time_limit_once(model_on, verdict):
    with ScriptedServer([says("{}", delay_s=30)]) as server:
        model = model_on(server, llm_timeout_s=0.4, llm_model="scripted")
        failed = failure(model, verdict)
    assert failed.reason == "timeout"
    # None where the machine is so busy that the limit was over before the server had read the question.
    assert len(server.chats()) <= 1


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(model_on, verdict, good, clock, status):
    with ScriptedServer([fails(status), fails(status), says(good)]) as server:
        assert ask(model_on(server), verdict) == verdict(**good)
    first, second = clock.slept_s
    assert 0.25 <= first <= 0.5 <= second <= 1


def test_a_server_that_stays_broken_is_given_up(model_on, verdict):
    with ScriptedServer([fails(500, "out of blocks")] * 9) as server:
        failed = failure(model_on(server, llm_attempts=4), verdict)
    assert failed.reason == "busy"
    assert "out of blocks" in failed.message
    assert "tried 4 times" in failed.message
    assert len(server.chats()) == 8, "four with the schema enforced, four with the schema in words"


def test_retry_after_is_honoured_in_seconds_and_as_a_date(model_on, verdict, good, clock):
    date = formatdate(clock.now_s() + 7, usegmt=True)
    script = [fails(429, Retry_After="3"), fails(503, Retry_After=date), says(good)]
    with ScriptedServer(script) as server:
        ask(model_on(server), verdict)
    assert clock.slept_s == pytest.approx([3, 7], rel=0.1)


def test_a_server_that_asks_for_an_hour_is_not_waited_for(model_on, verdict, clock):
    with ScriptedServer([fails(429, Retry_After="3600")]) as server:
        failed = failure(model_on(server), verdict)
    assert (failed.reason, clock.slept_s) == ("busy", [])
    assert "3600 s" in failed.message


def test_a_dropped_connection_is_tried_again(model_on, verdict, good, clock):
    with ScriptedServer([says(good, drop_after=40), says(good)]) as server:
        assert ask(model_on(server), verdict) == verdict(**good)
    assert len(clock.slept_s) == 1


def test_a_server_that_is_not_there_is_said_so_at_once(model_on, verdict, clock):
    with socket.create_server(("127.0.0.1", 0)) as held:
        address = f"http://127.0.0.1:{held.getsockname()[1]}"
    failed = failure(open_model(Settings(llm_url=address, llm_cache=False), clock), verdict)
    assert (failed.reason, clock.slept_s) == ("unreachable", [])
    assert address in failed.message


@pytest.mark.parametrize(
    "body",
    [
        b"<html>login</html>",
        b"{",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"error": {"message": "x"}}',
    ],
)
def test_a_body_that_is_no_completion_is_a_failure_not_a_crash(model_on, verdict, body):
    with ScriptedServer([Turn(body=body)] * 9) as server:
        assert failure(model_on(server), verdict).reason == "invalid"


def test_a_truncated_answer_gets_more_room(model_on, verdict, good):
    with ScriptedServer([says('{"cause": "oo', finish="length"), says(good)]) as server:
        assert ask(model_on(server), verdict) == verdict(**good)
    first, second = server.chats()
    assert second["max_completion_tokens"] == 2 * first["max_completion_tokens"]


def test_an_answer_that_never_ends_is_a_failure(model_on, verdict):
    with ScriptedServer([says('{"cause": "oo', finish="length")] * 3) as server:
        assert failure(model_on(server), verdict).reason == "truncated"
    assert len(server.chats()) == 2


def test_a_server_without_json_schema_gets_the_schema_in_words_from_then_on(model_on, verdict, good):
    with ScriptedServer([says(good)] * 2, json_schema=False) as server:
        model = model_on(server)
        assert ask(model, verdict) == ask(model, verdict) == verdict(**good)
    constrained = ["response_format" in body for body in server.chats()]
    assert constrained == [True, False, False]
    assert '"additionalProperties":false' in server.chats()[1]["messages"][-1]["content"]


def test_a_schema_that_breaks_the_server_is_put_into_words(model_on, verdict, good):
    with ScriptedServer(lambda body: fails(500) if "response_format" in body else says(good)) as server:
        model = model_on(server, llm_attempts=2)
        assert ask(model, verdict) == ask(model, verdict) == verdict(**good)
    assert ["response_format" in body for body in server.chats()] == [True, True, False, False]


def test_a_refusal_of_content_is_said_so(model_on, verdict):
    with ScriptedServer([says("", finish="content_filter")]) as server:
        assert failure(model_on(server), verdict).reason == "refused"


def test_a_model_that_is_not_served_names_the_setting(model_on, verdict):
    with ScriptedServer([fails(404, "The model `x` does not exist.")]) as server:
        failed = failure(model_on(server, llm_model="x"), verdict)
    assert failed.reason == "refused"
    assert "does not exist" in failed.message
    assert "SCHEDMATE_LLM_MODEL" in failed.hint


def test_calls_run_side_by_side_up_to_the_limit(model_on, verdict, good):
    with ScriptedServer([says(good, delay_s=0.05)] * 12) as server:
        model = model_on(server, llm_concurrency=3)

        async def all_of_them():
            return await asyncio.gather(*(model.answer([user(f"job {n}")], verdict) for n in range(12)))

        assert len(asyncio.run(all_of_them())) == 12
    assert server.most_in_flight == 3


def test_one_failure_leaves_the_others_alone(model_on, verdict, good):
    def turn(body):
        return fails(400, "no") if "job 3" in body["messages"][0]["content"] else says(good)

    with ScriptedServer(turn) as server:
        model = model_on(server)

        async def all_of_them():
            questions = [model.answer([user(f"job {n}")], verdict) for n in range(6)]
            return await asyncio.gather(*questions, return_exceptions=True)

        answers = asyncio.run(all_of_them())
    assert [isinstance(answer, ModelFailed) for answer in answers] == [False] * 3 + [True] + [False] * 2


@pytest.mark.parametrize(
    ("typed", "used"),
    [
        ("http://host:8000", "http://host:8000/v1"),
        ("http://host:8000/", "http://host:8000/v1"),
        ("https://host/v1/", "https://host/v1"),
        ("http://host/proxy/openai", "http://host/proxy/openai"),
    ],
)
def test_the_url_may_be_typed_in_short(typed, used):
    assert api_url(typed) == used


@pytest.mark.parametrize("typed", ["localhost:8000", "ftp://host/v1", "http://", "/path"])
def test_what_is_no_url_is_a_settings_error(typed):
    with pytest.raises(SettingsError, match="no http"):
        open_model(Settings(llm_url=typed))


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "outlines", None)
    with pytest.raises(MissingExtra) as caught:
        open_model(Settings(llm=f"outlines:{tmp_path}"))
    assert caught.value.hint == "pip install 'schedmate[outlines]'"


@pytest.mark.parametrize("setting", ["vllm:/x", "outlines:", "outlines", "outlines:/nowhere"])
def test_what_is_no_in_process_model_is_a_settings_error(setting):
    with pytest.raises(SettingsError):
        open_model(Settings(llm=setting))
