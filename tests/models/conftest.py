"""What the tests of models share: an answer's form, a clock that takes no time, and a model on a scripted server."""

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from schedmate.models.llm import open_model
from schedmate.settings import Settings


class Verdict(BaseModel):
    """A typical answer that feeds code."""

    cause: Literal["oom", "nccl"]
    line: int = Field(ge=1)
    note: str = Field(max_length=40)


class PromptClock:
    """Sleep at once, and remember for how long one would have slept."""

    def __init__(self):
        self.slept_s = []

    def now_s(self):
        return 1_000_000.0

    async def sleep(self, seconds):
        self.slept_s.append(seconds)


@pytest.fixture
def clock():
    return PromptClock()


@pytest.fixture
def verdict():
    return Verdict


@pytest.fixture
def good():
    return {"cause": "oom", "line": 3, "note": "gone"}


@pytest.fixture
def model_on(tmp_path, clock):
    """Open a model on a server; keyword arguments are settings."""

    def opened(server, **settings):
        defaults = {"llm_url": server.url, "llm_cache": False, "cache_dir": tmp_path}
        return open_model(Settings(**(defaults | settings)), clock)

    return opened
