"""The probes name what holds, what does not, and the flag that is missing."""

import pytest

from schedmate.models.model_check import check_model, tool_flags
from schedmate.settings import Settings
from tests.scripted_server import ScriptedServer, calls, obedient, says


def willing(body):
    return calls("report_ready", word="ready") if body.get("tools") else obedient(body)


def checked(turns=willing, settings=None, **server):
    with ScriptedServer(turns, **server) as running:
        found = check_model(Settings(llm_url=running.url, **(settings or {})))
    return {check.name: check for check in found}


def test_a_good_server_passes_every_probe():
    checks = checked()
    assert {check.status for check in checks.values()} == {"ok"}
    assert list(checks) == ["language model", "context length", "json_schema", "tool calling", "model speed"]
    assert checks["language model"].detail == "scripted"
    assert "8,192" in checks["context length"].detail
    assert "tokens/s" in checks["model speed"].detail


def test_missing_tool_flags_are_named():
    check = checked(tools=False, model="Qwen/Qwen3-8B")["tool calling"]
    assert check.status == "failed"
    assert "--enable-auto-tool-choice --tool-call-parser hermes" in check.remedy


@pytest.mark.parametrize(
    ("turn", "status", "words"),
    [
        (says('<tool_call>{"name": "report_ready", "arguments": {"word": "ready"}}</tool_call>'), "failed", "as text"),
        (says('{"name": "report_ready", "parameters": {"word": "ready"}}'), "failed", "as text"),
        (calls("report_ready", word=["not", "text"]), "failed", "bad call"),
        (says("I am ready."), "skipped", "called none"),
    ],
)
def test_tool_calls_are_told_apart(turn, status, words):
    check = checked(lambda body: turn if body.get("tools") else obedient(body))["tool calling"]
    assert check.status == status
    assert words in check.detail
    assert check.remedy


def test_a_server_that_ignores_schemas_is_found_out():
    check = checked(lambda body: says('{"seal": "hello"}'))["json_schema"]
    assert check.status == "failed"
    assert "ignores" in check.detail
    assert "--structured-outputs-config" in check.remedy


def test_padding_with_white_space_is_told_apart():
    check = checked(lambda body: says("{\n" + " " * 500, finish="length"))["json_schema"]
    assert "white space" in check.detail
    assert "disable_any_whitespace" in check.remedy


def test_a_server_that_refuses_schemas_is_said_so():
    check = checked(json_schema=False)["json_schema"]
    assert check.status == "failed"
    assert "400" in check.detail


def test_a_short_context_names_the_flag():
    check = checked(max_model_len=1024)["context length"]
    assert check.status == "failed"
    assert "--max-model-len" in check.remedy


def test_a_context_that_is_not_reported_can_be_set():
    assert "SCHEDMATE_LLM_CONTEXT_TOKENS" in checked(max_model_len=None)["context length"].remedy
    known = checked(max_model_len=None, settings={"llm_context_tokens": 9000})["context length"]
    assert (known.detail, known.remedy) == ("9,000 tokens", "")


def test_a_model_that_thinks_aloud_is_named():
    speed = checked(lambda body: says("<think>one, two"), model="Qwen3")["model speed"]
    assert "--reasoning-parser qwen3" in speed.remedy


def test_a_model_that_is_not_served_is_found_before_anything_else():
    checks = checked(settings={"llm_model": "other"})
    assert list(checks) == ["language model"]
    assert checks["language model"].status == "failed"
    assert "scripted" in checks["language model"].detail


def test_a_dead_server_is_one_failed_check():
    (check,) = check_model(Settings(llm_url="http://127.0.0.1:1/v1"))
    assert check.status == "failed"
    assert check.remedy


def test_a_hanging_probe_fails_alone():
    checks = checked(
        lambda body: says("", delay_s=30) if body.get("tools") else obedient(body), settings={"llm_timeout_s": 4}
    )
    assert {name for name, check in checks.items() if check.status == "failed"} == {"tool calling"}


def test_nothing_configured_is_absent_and_says_how_to_get_it():
    (check,) = check_model(Settings())
    assert check.status == "absent"
    assert "vllm serve" in check.remedy


@pytest.mark.parametrize(
    ("model", "parser"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", "hermes"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3_json"),
        ("mistralai/Mistral-7B", "mistral"),
        ("openai/gpt-oss-20b", "openai"),
    ],
)
def test_the_parser_follows_the_models_name(model, parser):
    assert tool_flags(model).endswith(parser)
