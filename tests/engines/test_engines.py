"""The same questions to every kind of model: the scripted server always, real engines where they are set up.

`make test-vllm` starts vLLM and runs this against it; `make test-outlines` runs it with a model in this process.
"""

import asyncio
import os
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from schedmate.errors import ModelFailed
from schedmate.models.gateway import Gateway
from schedmate.models.llm import Reply, Tool, open_model, system, user
from schedmate.models.model_check import check_model
from schedmate.selftest import selftest
from schedmate.settings import Settings
from tests.scripted_server import ScriptedServer, calls, obedient

VLLM_URL = os.environ.get("VLLM_TEST_URL", "")
TINY_MODEL = os.environ.get("OUTLINES_TEST_MODEL", "")
CONTEXT_TOKENS = 4096

BARE = bool(VLLM_URL) and "VLLM_TEST_BARE" in os.environ
QUIET = [pytest.mark.filterwarnings(f"ignore::{kind}:torch\\..*") for kind in ("DeprecationWarning", "FutureWarning")]
"""torch warns of its own old parts while it is imported."""

KINDS = ["scripted"]
if VLLM_URL and not BARE:
    KINDS.append(pytest.param("vllm", marks=pytest.mark.vllm))
if TINY_MODEL:
    KINDS.append(pytest.param("outlines", marks=[pytest.mark.outlines, *QUIET]))


class Part(BaseModel):
    kind: Literal["gpu", "node"]
    name: str | None = Field(max_length=12)


class Verdict(BaseModel):
    cause: Literal["oom", "nccl", "xid"]
    line: int = Field(ge=1, le=99_999)
    sure: bool
    note: str = Field(max_length=40)
    parts: list[Part] = Field(max_length=2)


class Rambling(BaseModel):
    text: str


class ReadFile(BaseModel):
    path: str = Field(max_length=20)
    first_line: int = Field(1, ge=1, le=999)


READ = Tool(name="read_file", description="Read a file.", arguments=ReadFile)


def willing(body):
    return calls("report_ready", word="ready") if body.get("tools") else obedient(body)


def said(question):
    """Give the answer, or the reason for which there is none: random weights may say anything or nothing."""
    try:
        return asyncio.run(question)
    except ModelFailed as failure:
        return failure.reason


@pytest.fixture
def scripted():
    with ScriptedServer(willing, max_model_len=CONTEXT_TOKENS) as server:
        yield Settings(llm_url=server.url, llm_cache=False)


@pytest.fixture(scope="session")
def vllm():
    return Settings(llm_url=VLLM_URL, llm_cache=False)


@pytest.fixture(scope="session")
def outlines():
    return Settings(llm=f"outlines:{TINY_MODEL}", llm_cache=False, llm_context_tokens=CONTEXT_TOKENS)


@pytest.fixture(params=KINDS)
def settings(request):
    return request.getfixturevalue(request.param)


def test_many_answers_at_once_are_all_valid(settings):
    model = open_model(settings)

    async def all_of_them():
        return await asyncio.gather(*(model.answer([user(f"Why did job {n} die?")], Verdict) for n in range(12)))

    answers = asyncio.run(all_of_them())
    assert len(answers) == 12
    assert all(isinstance(answer, Verdict) for answer in answers)


def test_the_model_says_what_it_holds(settings):
    facts = asyncio.run(open_model(settings).facts())
    assert facts.context_tokens == CONTEXT_TOKENS
    assert facts.name


def test_tokens_are_counted(settings):
    model = open_model(settings)
    few, many = (asyncio.run(model.count_tokens("out of memory " * times)) for times in (1, 100))
    assert 0 < few < 100 < many


def test_a_log_that_is_too_long_is_cut_and_answered(settings):
    log = "step 1 loss 2.0\n" * 5000 + "CUDA out of memory"
    answer = asyncio.run(open_model(settings).answer([system("You read logs."), user(log)], Verdict))
    assert isinstance(answer, Verdict)


def test_free_words_are_a_reply_or_a_typed_failure(settings):
    reply = said(open_model(settings).chat([user("hello")], [READ], answer_tokens=32))
    assert reply in ("truncated", "invalid") or reply.text or reply.tool_calls


def test_a_model_that_does_not_stop_is_an_answer_or_a_typed_failure(settings):
    answer = said(open_model(settings).answer([user("go on")], Rambling, answer_tokens=64))
    assert answer == "truncated" or isinstance(answer, Rambling)


def test_tools_work_without_tool_calling(settings):
    model = open_model(settings)
    assert isinstance(model, Gateway)
    model.calls_tools = False
    reply = said(model.chat([user("What is in a.py?")], [READ], answer_tokens=200))
    if isinstance(reply, Reply):
        assert reply.text or [call.name for call in reply.tool_calls] == ["read_file"]
        assert all(not call.problem for call in reply.tool_calls)
    else:
        assert reply == "truncated"


def test_the_self_test_finds_nothing_wrong(settings, tmp_path):
    checks = {check.name: check for check in selftest(settings.model_copy(update={"data_dir": tmp_path}))}
    assert checks["language model"].status == checks["context length"].status == "ok"
    assert checks["tool calling"].status in ("ok", "skipped")
    assert checks["json_schema"].status == "ok"
    assert "tokens/s" in checks["model speed"].detail


@pytest.mark.vllm
@pytest.mark.skipif(not BARE, reason="needs a vLLM without our flags: make test-vllm")
def test_flags_that_vllm_lacks_are_named_and_got_by_without(vllm):
    tools = {check.name: check for check in check_model(vllm)}["tool calling"]
    assert tools.status == "failed"
    assert "--enable-auto-tool-choice --tool-call-parser" in tools.remedy
    model = open_model(vllm)
    assert isinstance(model, Gateway)
    assert said(model.chat([user("What is in a.py?")], [READ]))
    assert not model.calls_tools
