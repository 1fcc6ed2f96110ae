"""With a server, without one, replayed, or with one that dies: the answer is whole."""

import asyncio

import pytest

from schedmate.agents.recording import ModelRecorder, Recorded
from schedmate.errors import InputError
from schedmate.graphs.extract import build_extract_graph, run_extract
from schedmate.models.llm import open_model
from schedmate.schemas import Extraction
from schedmate.settings import Settings
from tests.graphs.extract.explored import GRAPHS, OPAQUE, VISION, claim, claims, extract
from tests.scripted_server import ScriptedServer, Turn, calls, fails, says


@pytest.mark.parametrize(
    "turns",
    [[fails(500)] * 9, [says("")] * 9, [calls("file_tree", path="."), *[fails(503)] * 9]],
    ids=["broken", "mute", "dies"],
)
def test_a_model_that_fails_leaves_the_built_in_answer(repository, turns):
    root = repository(VISION)
    alone = run_extract(root, "python main.py", engine="built-in")
    answer, _ = extract(root, "python main.py", turns)
    assert answer.workload == alone.workload
    assert answer.engine == "built-in"
    assert any("the model failed" in note for note in answer.notes)


def test_a_recorded_exploration_can_be_replayed_without_a_server(repository):
    root = repository(OPAQUE)
    turns = [
        calls("file_read", path="recipes/night.cfg"),
        says("DONE"),
        claims(claim("model_name", "resnet50", "recipes/night.cfg", 2)),
    ]
    with ScriptedServer(turns, max_model_len=32768) as running:
        model = ModelRecorder(open_model(Settings(llm_url=running.url, llm_cache=False)))
        first = run_extract(root, "python go.py x", speaker=model)
    again = run_extract(root, "python go.py x", speaker=Recorded(model.replies, model.known))
    assert again.workload == first.workload
    assert again.files_read == first.files_read
    changed = root / "recipes" / "night.cfg"
    changed.write_text("nothing of the kind\n" * 5)
    assert run_extract(root, "python go.py x", speaker=Recorded(model.replies, model.known)).workload.model_name is None


def test_plain_walk_and_langgraph_give_the_same_answer(repository):
    root = repository(VISION)
    plain = run_extract(root, "python main.py", engine="built-in")
    asked = {"repo": str(root), "command": "python main.py"}
    final = asyncio.run(build_extract_graph().ainvoke(asked, context={"engine": "built-in"}))
    compiled = Extraction.model_validate(final["extraction"])
    assert compiled.model_copy(update={"elapsed_s": 0}) == plain.model_copy(update={"elapsed_s": 0})


def test_a_working_directory_outside_the_repository_is_refused(repository):
    root = repository(GRAPHS)
    for workdir in ("..", "absent", str(root.parent)):
        with pytest.raises(InputError):
            run_extract(root, "python launch.py", workdir, engine="built-in")


def test_a_server_that_dies_midway_is_told_of_and_counted(repository):
    root = repository(GRAPHS)
    turns = [calls("file_tree", path="."), calls("file_read", path="settings.txt"), Turn(text="x" * 99, drop_after=20)]
    answer, _ = extract(root, "python launch.py", [*turns, *[fails(502)] * 9])
    assert answer.engine == "built-in"
    assert answer.workload.dataset_name is None
    assert answer.model_calls == 3
    assert any("the built-in answer is kept" in note for note in answer.notes)
