"""Chats with tools: right calls come through validated, wrong ones come back with what is wrong."""

import asyncio

import pytest
from pydantic import BaseModel, Field

from schedmate.errors import ModelFailed
from schedmate.models.llm import Tool, system, user
from tests.scripted_server import ScriptedServer, Turn, calls, fails, says


class ReadFile(BaseModel):
    path: str = Field(max_length=100)
    first_line: int = 1


READ = Tool(name="read_file", description="Read a file.", arguments=ReadFile)
TALK = [system("You read code."), user("What is it?")]


def chat(model, messages=TALK, tools=(READ,)):
    return asyncio.run(model.chat(messages, tools))


def test_a_conversation_with_tools_goes_on_over_several_turns(model_on):
    script = [calls("read_file", path="train.py"), calls("read_file", path="conf.yaml", first_line=9), says("A GPT.")]
    with ScriptedServer(script) as server:
        model, talk = model_on(server), list(TALK)
        while (reply := chat(model, talk)).tool_calls:
            talk.append(reply.message())
            talk += [call.result(f"text of {call.arguments['path']}") for call in reply.tool_calls]
    assert reply.text == "A GPT."
    last = server.chats()[-1]["messages"]
    assert [message["role"] for message in last] == ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert last[-1]["content"] == "text of conf.yaml"
    assert last[-1]["tool_call_id"] == last[-2]["tool_calls"][0]["id"]


def test_defaults_are_filled_in_and_optional_for_the_model(model_on):
    with ScriptedServer([calls("read_file", path="a")]) as server:
        (call,) = chat(model_on(server)).tool_calls
    assert call.arguments == {"path": "a", "first_line": 1}
    assert server.chats()[0]["tools"][0]["function"]["parameters"]["required"] == ["path"]


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (("delete_file", {"path": "/"}), "there is no tool 'delete_file'; there are: read_file"),
        (("read_file", "{path: broken"), "wrong arguments"),
        (("read_file", {"path": 7}), "wrong arguments: path"),
        (("read_file", {}), "wrong arguments: path: Field required"),
    ],
)
def test_a_wrong_call_carries_its_problem_and_can_be_replayed(model_on, call, problem):
    with ScriptedServer([Turn(tool_calls=(call,)), says("sorry")]) as server:
        model = model_on(server)
        reply = chat(model)
        (wrong,) = reply.tool_calls
        assert wrong.problem.startswith(problem)
        assert chat(model, [*TALK, reply.message(), wrong.result(wrong.problem)]).text == "sorry"
    assert server.chats()[1]["messages"][2]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_arguments_that_are_no_object_are_asked_for_once_more(model_on):
    with ScriptedServer([Turn(tool_calls=(("read_file", "[1]"),)), calls("read_file", path="a")]) as server:
        assert chat(model_on(server)).tool_calls[0].arguments["path"] == "a"
    assert "one JSON object" in server.chats()[1]["messages"][-1]["content"]


def test_a_call_written_as_text_is_understood(model_on):
    text = '<think>hm</think>I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'
    with ScriptedServer([says(text)]) as server:
        reply = chat(model_on(server))
    assert reply.text == "I look."
    assert reply.tool_calls[0].arguments["path"] == "a"


def test_thoughts_are_not_part_of_a_reply(model_on):
    with ScriptedServer([says("<think>secret</think>plain")]) as server:
        assert chat(model_on(server), tools=()).text == "plain"


def test_a_call_that_nobody_offered_is_not_made(model_on):
    with ScriptedServer([calls("read_file", path="a"), says("fine")]) as server:
        assert chat(model_on(server), tools=()).text == "fine"


def test_an_empty_reply_is_asked_for_once_more(model_on):
    with ScriptedServer([says(""), says("there"), says(""), says("")]) as server:
        model = model_on(server)
        assert chat(model).text == "there"
        with pytest.raises(ModelFailed) as caught:
            chat(model)
    assert caught.value.reason == "invalid"


def test_a_reply_that_was_cut_off_says_so(model_on):
    with ScriptedServer([says("It is a", finish="length")]) as server:
        assert chat(model_on(server)).truncated


def test_a_server_without_tool_calling_gets_steps_in_json(model_on):
    script = [says({"tool": "read_file", "arguments": {"path": "a.py"}}), says({"tool": "finish", "text": "done"})]
    with ScriptedServer(script, tools=False) as server:
        model, talk = model_on(server), list(TALK)
        step = chat(model, talk)
        (call,) = step.tool_calls
        assert call.arguments["path"] == "a.py"
        talk += [step.message(), call.result("import torch")]
        reply = chat(model, talk)
        asyncio.run(model.answer([*talk, user("So?")], ReadFile))
    assert (reply.text, reply.tool_calls) == ("done", ())
    offered = [("tools" in body, "response_format" in body) for body in server.chats()]
    assert offered == [(True, False), (False, True), (False, True), (False, True)]
    roles = {message["role"] for body in server.chats()[1:] for message in body["messages"]}
    assert "tool" not in roles
    assert server.chats()[-2]["messages"][-2]["content"] == "Result of read_file:\nimport torch"


def test_a_request_that_is_refused_either_way_leaves_tool_calling_on(model_on):
    script = [fails(400, "odd"), fails(400, "odd"), fails(400, "odd"), calls("read_file", path="a")]
    with ScriptedServer(script) as server:
        model = model_on(server)
        with pytest.raises(ModelFailed, match="odd"):
            chat(model)
        assert chat(model).tool_calls
    assert "tools" in server.chats()[-1]
