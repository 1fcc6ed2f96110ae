"""Who says built-in has no model asked; a mistyped word is refused, by every way in which it comes in."""

import asyncio
import dataclasses
import json
from typing import TypedDict

import pytest
from typer.testing import CliRunner

import schedmate
from schedmate.choices import EngineChoice, ReaderChoice, checked
from schedmate.cli import make_app
from schedmate.errors import InputError
from schedmate.graphs import BUILDERS, load_builder
from schedmate.graphs.extract import run_extract
from schedmate.history.live_rows import ActionRow
from schedmate.models.llm import open_model
from schedmate.scheduling.live import reader_worker
from schedmate.scheduling.live.service import ServiceOptions
from schedmate.scheduling.recovery.life import Life, row_fields
from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.your_loop import CheckpointBook, open_recoveries
from schedmate.settings import get_settings
from schedmate.watching.service import WatchOptions
from tests.scheduling.recovery.other_loop import Files, Looks, begun
from tests.scripted_server import ScriptedServer

WRONG = ("builtin", "built_in", "Built-in", "bilt-in", " built-in", "both", "none", "", None, 0, ["built-in"])
OF_A_LOG, OF_CODE = ("diagnose", "track", "classify"), ("extract", "advise")
READERS = (*OF_A_LOG, *OF_CODE)


@pytest.fixture
def server(monkeypatch):
    with ScriptedServer() as running:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", running.url)
        monkeypatch.setenv("SCHEDMATE_LLM_CACHE", "false")
        monkeypatch.setenv("SCHEDMATE_LLM_ATTEMPTS", "1")
        get_settings.cache_clear()
        yield running


@pytest.fixture
def site(tmp_path):
    """A log and a repository of which much stays open."""
    (tmp_path / "job.log").write_text("kolo=1 ubytek=3.0\nkolo=2 ubytek=2.0\ntrain.py: error: no such thing here\n")
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "run.sh").write_text("python go.py\n")
    (tmp_path / "repo" / "go.py").write_text("import strange\nstrange.train(open('night.cfg'))\n")
    return tmp_path


def given(site, name):
    return (
        {"path": str(site / "job.log")} if name in OF_A_LOG else {"repo": str(site / "repo"), "command": "python go.py"}
    )


def by_verb(site, name, engine):
    place, *rest = given(site, name).items()
    getattr(schedmate, name)(place[1], **dict(rest), engine=engine)


def by_graph(site, name, engine):
    asyncio.run(load_builder(name)().ainvoke(given(site, name), context={"engine": engine}))


def by_a_part(context_schema, context):
    """Ask by a graph of which ours is a part."""

    def ask(site, name, engine):
        from langgraph.graph import END, START, StateGraph

        words = given(site, name)
        graph = StateGraph(TypedDict("Theirs", dict.fromkeys(words, str)), context_schema=context_schema)
        graph.add_node("ours", load_builder(name)())
        graph.add_edge(START, "ours")
        graph.add_edge("ours", END)
        asyncio.run(graph.compile().ainvoke(words, context=context(engine)))

    return ask


@dataclasses.dataclass(slots=True)
class Theirs:
    engine: str
    tenant: str = "ours"


def by_context(site, name, engine):
    """Ask with a context that somebody has made."""
    kind = load_builder(name)().context_schema
    asyncio.run(load_builder(name)().ainvoke(given(site, name), context=kind(engine=engine)))


def by_batch(site, name, engine):
    pytest.importorskip("pyarrow", reason="needs the extra batch")
    pytest.importorskip("fsspec", reason="needs the extra batch")
    from schedmate.batch.run import Batch, run

    run(Batch(name, [next(iter(given(site, name).values()))], site / "out.parquet", engine, workers=1))


def by_batchs_reader(site, name, engine):
    from schedmate.batch.reader_worker import read

    read({"source": next(iter(given(site, name).values())), "verb": name, "engine": engine})


def by_loops_reader(site, name, engine):
    words = given(site, name)
    job = {"job_id": "1", "command": words.get("command", ""), "user": "ada"}
    asked = {"log": words.get("path"), "workdir": words.get("repo", "/dev/null"), "job": job, "data_dir": str(site)}
    reader_worker.WORK[name](json.loads(json.dumps(asked | {"engine": engine})))


WAYS = {
    "verb": (READERS, by_verb),
    "graph": (READERS, by_graph),
    "context": (READERS, by_context),
    "part": (READERS, by_a_part(None, lambda engine: {"engine": engine, "tenant": "ours"})),
    "part with a context": (READERS, by_a_part(Theirs, Theirs)),
    "batch": (("diagnose",), by_batch),
    "reader of a batch": (("diagnose", "track", "classify", "extract"), by_batchs_reader),
    "reader of the loop": (("diagnose", "extract", "advise"), by_loops_reader),
}
EACH = [pytest.param(name, way, id=f"{name} by {way}") for way, (names, _) in WAYS.items() for name in names]


def ask(site, name, way, engine):
    WAYS[way][1](site, name, engine)


@pytest.mark.parametrize(("name", "way"), EACH)
def test_built_in_asks_no_model_and_a_mistyped_word_is_refused(site, server, name, way):
    ask(site, name, way, "built-in")
    for wrong in ("builtin", None):
        with pytest.raises(InputError, match="engine"):
            ask(site, name, way, wrong)
    assert server.requests == []


@pytest.mark.parametrize("name", READERS)
def test_a_verb_asks_a_model_from_within_a_loop_of_asyncio_too(site, server, name):
    async def ask_there():
        ask(site, name, "verb", "model")

    asyncio.run(ask_there())
    assert server.chats() or name == "advise"


@pytest.mark.parametrize(
    ("name", "way"), [("diagnose", "batch"), ("extract", "verb"), ("track", "part"), ("classify", "graph")]
)
def test_the_model_would_have_been_asked_about_these(site, server, name, way):
    ask(site, name, way, "model")
    assert server.chats()


@pytest.mark.parametrize("name", READERS)
def test_what_a_graph_is_told_has_its_words_in_the_published_schema(name):
    words = load_builder(name)().get_context_jsonschema()["properties"]["engine"]["enum"]
    assert words == ["auto", "built-in", "model", *(["paper"] if name not in ("diagnose", "classify") else [])]


def test_all_graphs_that_read_are_asked_here():
    assert {*BUILDERS} - {*READERS} == {"approve", "recover"}, "these are told what was read"


def test_a_mistyped_locator_is_refused(site, server):
    with pytest.raises(InputError, match="locator 'foo'"):
        schedmate.diagnose(site / "job.log", locator="foo", engine="built-in")
    with pytest.raises(InputError, match="locator 'foo'"):
        load_builder("diagnose")().invoke(given(site, "diagnose"), context={"engine": "built-in", "locator": "foo"})


def test_a_speaker_is_not_heard_either_where_no_model_is_to_be_asked(site, server):
    found = run_extract(site / "repo", "python go.py", engine="built-in", speaker=open_model(get_settings()))
    assert (found.engine, server.requests) == ("built-in", [])


@pytest.mark.parametrize("wrong", ["Suggest", "ACT", "act ", "supervise", "", None])
def test_a_mistyped_mode_of_recovery_does_nothing(wrong, tmp_path):
    cluster = Files(tmp_path)
    with (
        open_recoveries(cluster, tmp_path / "checkpoints.sqlite3", {"health_check": Looks(cluster)}) as recoveries,
        pytest.raises(InputError, match="there is no mode"),
    ):
        recoveries.begin("7/1", begun(wrong))
    assert not (tmp_path / "asked").exists()
    with pytest.raises(InputError, match="there is no mode"):
        ServiceOptions(tmp_path, (), mode=wrong)


def test_a_step_of_a_mode_that_nobody_knows_is_observed(tmp_path):
    """What lies in a checkpoint may be of another version."""
    cluster = Files(tmp_path)
    life = Life(CheckpointBook(cluster, STEPS))
    row = ActionRow(1, 0.0, 7, 1, 0, "restart", "", "it died", "later", "planned", 0.0, "")
    told = life.look({**begun("later"), "steps": [row_fields(row)], "at": 1})
    assert (told["turn"], told["event"]) == ("leave", "observed")


@pytest.mark.parametrize("wrong", WRONG)
def test_a_loop_and_a_watch_do_not_start_with_it(wrong, tmp_path):
    with pytest.raises(InputError, match="engine"):
        ServiceOptions(tmp_path, (), engine=wrong)
    with pytest.raises(InputError, match="engine"):
        WatchOptions((str(tmp_path),), engine=wrong)


@pytest.mark.parametrize("wrong", ["builtin", "both", ""])
@pytest.mark.parametrize("command", ["diagnose", "track", "classify", "extract", "advise", "batch diagnose", "up"])
def test_every_command_refuses_it(site, command, wrong):
    words = [*command.split(), *([] if command == "up" else [str(site / "job.log")]), "--engine", wrong]
    words += ["--out", str(site / "out.parquet")] if "batch" in command else []
    told = CliRunner().invoke(make_app(), words)
    assert (told.exit_code, "--engine" in told.output) == (2, True), told.output


def test_a_recording_is_not_replayed_where_no_model_is_to_speak(site):
    words = ["extract", str(site / "repo"), "--engine", "built-in", "--replay", str(site / "none.json")]
    told = CliRunner().invoke(make_app(), words)
    assert isinstance(told.exception, InputError)
    assert "--replay" in str(told.exception)


def test_what_is_refused_is_named_with_what_there_is():
    checked("engine", "paper", ReaderChoice)
    with pytest.raises(InputError, match="there is no engine 'paper'") as refused:
        checked("engine", "paper", EngineChoice)
    assert refused.value.hint == "it is one of auto, built-in, model"
    with pytest.raises(InputError) as refused:
        checked("engine", "x" * 10_000, EngineChoice)
    assert len(str(refused.value)) < 200
