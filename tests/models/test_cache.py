"""Answers are kept by exact prompt, model and schema; a bad file costs answers, never a run."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys

import pytest
from pydantic import BaseModel

from schedmate.models.backend import ModelRequest
from schedmate.models.cache import MAX_BYTES, AnswerCache
from schedmate.models.llm import Tool, user
from tests.scripted_server import ScriptedServer, Turn, says


class Word(BaseModel):
    word: str


def request(text="why?", schema=None):
    return ModelRequest((user(text),), 100, schema)


def find(cache, wanted, identity="model@root"):
    return asyncio.run(cache.find(identity, wanted, Word))


def keep(cache, wanted, word, identity="model@root"):
    asyncio.run(cache.keep(identity, wanted, Word(word=word)))


def test_the_same_question_is_asked_once_even_in_another_process(model_on, verdict, good):
    with ScriptedServer([says(good)] * 9) as server:
        for _ in range(2):
            model = model_on(server, llm_cache=True)
            assert asyncio.run(model.answer([user("why?")], verdict)) == verdict(**good)
        assert len(server.chats()) == 1
        asyncio.run(model_on(server, llm_cache=True).answer([user("why ?")], verdict))
        asyncio.run(model_on(server, llm_cache=True, llm_model="other").answer([user("why?")], verdict))
        asyncio.run(model_on(server, llm_cache=False).answer([user("why?")], verdict))
    assert len(server.chats()) == 4


def test_what_was_not_usable_is_not_kept(model_on, verdict, good):
    tool = Tool(name="say", description="Say a word.", arguments=Word)
    bad_call = Turn(tool_calls=(("nothing", {}),))
    with ScriptedServer([says("junk"), says(good), bad_call, bad_call]) as server:
        model = model_on(server, llm_cache=True)
        asyncio.run(model.answer([user("why?")], verdict))
        assert asyncio.run(model.answer([user("why?")], verdict)).line == 3
        assert len(server.chats()) == 2
        for _ in range(2):
            asyncio.run(model.chat([user("why?")], [tool]))
    assert len(server.chats()) == 4


def test_prompt_model_and_schema_are_all_part_of_the_key(tmp_path):
    cache = AnswerCache(tmp_path)
    keep(cache, request(), "kept")
    assert find(cache, request()).word == "kept"
    assert find(cache, request("why")) is None
    assert find(cache, request(), "model@elsewhere") is None
    assert find(cache, request(schema={"type": "object"})) is None


def test_an_entry_of_another_form_is_not_found(tmp_path):
    class Number(BaseModel):
        number: int

    cache = AnswerCache(tmp_path)
    keep(cache, request(), "kept")
    assert asyncio.run(cache.find("model@root", request(), Number)) is None


def test_neither_prompts_nor_the_file_lie_open(tmp_path):
    cache = AnswerCache(tmp_path / "new")
    keep(cache, request("secret source code"), "kept")
    assert stat.S_IMODE(cache.path.stat().st_mode) == 0o600
    assert b"secret" not in cache.path.read_bytes()


@pytest.mark.parametrize("junk", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_corrupt_file_is_moved_aside_and_begun_anew(tmp_path, junk):
    cache = AnswerCache(tmp_path)
    cache.path.write_bytes(junk)
    assert find(cache, request()) is None
    keep(cache, request(), "kept")
    assert find(cache, request()).word == "kept"
    assert cache.path.with_suffix(".corrupt").read_bytes() == junk


def test_an_overlarge_file_is_begun_anew(tmp_path):
    cache = AnswerCache(tmp_path)
    keep(cache, request(), "kept")
    os.truncate(cache.path, MAX_BYTES + 1)
    assert find(cache, request()) is None
    assert cache.path.stat().st_size < 2**20


def test_a_place_that_cannot_be_written_to_costs_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = AnswerCache(tmp_path / "file" / "below")
    keep(cache, request(), "lost")
    assert find(cache, request()) is None


def test_a_locked_file_is_gone_without(tmp_path):
    cache = AnswerCache(tmp_path, busy_timeout_s=0.01)
    keep(cache, request(), "kept")
    with sqlite3.connect(cache.path, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert find(cache, request()) is None
        other.execute("COMMIT")
    other.close()
    assert find(cache, request()).word == "kept"


def test_several_processes_write_at_once_and_nothing_is_lost(tmp_path):
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tests.models.test_cache import AnswerCache, keep, request\n"
        "cache = AnswerCache(Path(sys.argv[1]), busy_timeout_s=60)\n"
        "for n in range(15): keep(cache, request(f'{sys.argv[2]}-{n}'), f'{sys.argv[2]}-{n}')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name]) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    cache = AnswerCache(tmp_path)
    assert all(find(cache, request(f"{name}-{n}")).word == f"{name}-{n}" for name in "ab" for n in range(15))
