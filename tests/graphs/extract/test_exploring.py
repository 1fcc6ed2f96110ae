"""A model explores over real HTTP: tools, wrong calls, budgets, pages, secrets."""

import asyncio

import pytest

from schedmate.agents.explorer import Budget
from schedmate.graphs.extract import build_extract_graph, run_extract
from schedmate.graphs.extract_state import ExtractContext, ExtractState
from schedmate.graphs.walk import with_channels
from schedmate.models.llm import open_model
from schedmate.settings import Settings, get_settings
from schedmate.tools.reading_trace import ReadingTrace
from tests.graphs.extract.explored import GRAPHS, claim, claims, extract
from tests.scripted_server import ScriptedServer, Turn, calls, says


def test_wrong_calls_are_answered_and_do_not_end_the_exploration(repository):
    root = repository(GRAPHS)
    answer, chats = extract(
        root,
        "python launch.py",
        [
            Turn(tool_calls=(("file_read", '{"path": '),), finish="tool_calls"),
            calls("file_read", path="../outside.txt"),
            calls("file_read", path="settings.txt", start_line=1),
            says("DONE"),
            claims(claim("dataset_name", "cora", "settings.txt", 1), claim("epochs", "200", "settings.txt", 3)),
        ],
    )
    assert (answer.workload.dataset_name, answer.workload.epochs) == ("cora", 200)
    replies = [message["content"] for message in chats[-1]["messages"] if message["role"] == "tool"]
    assert "cannot be carried out" in replies[0]
    assert "leads out of the repository" in replies[1]


def test_secrets_and_absolute_paths_are_never_shown_to_the_model(repository):
    root = repository({**GRAPHS, ".env": "TOKEN=abc123def456\n", "k.py": f'key = "hf_{"a1B2" * 8}"\n'})
    _, chats = extract(
        root,
        "python launch.py",
        [
            calls("file_read", path=".env"),
            calls("file_read", path="/etc/passwd"),
            calls("file_read", path="k.py"),
            says("DONE"),
            claims(),
        ],
        budget=Budget(steps=9),
    )
    seen = str(chats)
    assert "abc123def456" not in seen
    assert "root:" not in seen
    assert "a1B2a1B2" not in seen


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(steps=3), "3 steps"),
        (Budget(files=2), "2 files"),
        (Budget(tokens=30), "30 tokens"),
    ],
)
def test_budgets_end_the_exploration_and_claims_are_still_asked_for(repository, budget, reason):
    files = {f"m{number}.txt": f"note {number}\n" * 20 for number in range(20)}
    root = repository({**GRAPHS, **files})

    def turn(body):
        if body.get("response_format"):
            return claims(claim("dataset_name", "cora", "settings.txt", 1))
        return calls("file_read", path=f"m{len(body['messages']) // 2}.txt")

    answer, chats = extract(root, "python launch.py", turn, budget=budget)
    assert answer.workload.dataset_name == "cora"
    assert any(f"the budget of {reason} was spent" in note for note in answer.notes)
    assert len(chats) <= 6


def test_models_without_tool_calling_explore_too(repository):
    root = repository(GRAPHS)

    def turn(body):
        schema = str(body.get("response_format", ""))
        if "claims" in schema:
            return claims(claim("dataset_name", "cora", "settings.txt", 1))
        read = any("net = GCN" in str(message.get("content")) for message in body["messages"])
        if read:
            return says({"tool": "finish", "text": "DONE"})
        return says({"tool": "file_read", "arguments": {"path": "settings.txt", "start_line": 1}})

    answer, _ = extract(root, "python launch.py", turn, tools=False)
    assert answer.workload.dataset_name == "cora"


def test_the_trace_hears_of_files_and_thoughts(repository):
    root = repository(GRAPHS)
    heard = []
    turn = Turn(
        text="The settings will tell.", tool_calls=(("file_read", {"path": "settings.txt"}),), finish="tool_calls"
    )
    with ScriptedServer([turn, says("DONE"), claims()], max_model_len=32768) as running:
        model = open_model(Settings(llm_url=running.url, llm_cache=False))
        run_extract(root, "python launch.py", trace=ReadingTrace(listener=heard.append), speaker=model)
    asked = [(step.tool, step.asked) for step in heard]
    thought = asked.index(("think", "The settings will tell."))
    assert asked[thought + 1] == ("file_read", "settings.txt")


def test_a_token_in_the_command_is_not_told(repository):
    token = "hf_" + "a1B2" * 8
    _, chats = extract(repository(GRAPHS), f"HF_TOKEN={token} python launch.py", [says("DONE"), claims()])
    assert token not in str(chats)
    assert "python launch.py" in str(chats)


def test_a_tool_that_there_is_none_of_is_answered_and_three_wrong_calls_end_it(repository):
    root = repository(GRAPHS)
    turns = [calls("shell", command="cat /etc/passwd"), calls("run_python", code="1"), calls("file_write", path="x")]
    answer, chats = extract(
        root, "python launch.py", [*turns, claims(claim("dataset_name", "cora", "settings.txt", 1))]
    )
    assert answer.workload.dataset_name == "cora"
    assert any("could not be carried out" in note for note in answer.notes)
    assert len(chats) == 4
    assert not (root / "x").exists()


def test_what_was_shown_is_not_shown_twice(repository):
    again = calls("file_read", path="settings.txt")
    answer, chats = extract(repository(GRAPHS), "python launch.py", [again, again, again, again, claims()])
    replies = [message["content"] for message in chats[-1]["messages"] if message["role"] == "tool"]
    assert "dataset = cora" in replies[0]
    assert all("shown already" in reply for reply in replies[1:])
    assert answer.files_read.count("settings.txt") == 1


def test_long_files_are_paged_to_the_models_context(repository):
    lines = "".join(f"option_{number} = {number}\n" for number in range(4_000))
    root = repository({**GRAPHS, "long.cfg": lines + "optimizer = Lion\n"})
    turns = [
        calls("file_read", path="long.cfg"),
        calls("file_read", path="long.cfg", start_line=3_990),
        says("DONE"),
        claims(claim("optimizer", "Lion", "long.cfg", 4_001)),
    ]
    answer, chats = extract(root, "python launch.py", turns)
    pages = [message["content"] for message in chats[-1]["messages"] if message["role"] == "tool"]
    assert answer.workload.optimizer == "Lion"
    assert len(pages[0]) < 4 * 32768 / 6 + 200
    assert "go on with start_line=" in pages[0]
    assert "optimizer = Lion" in pages[1]


def test_langgraph_keeps_what_was_said_as_messages(repository, monkeypatch):
    root = repository(GRAPHS)
    turns = [calls("file_read", path="settings.txt"), says("DONE"), claims(claim("epochs", "200", "settings.txt", 3))]

    async def walked():
        given = {"repo": str(root), "command": "python launch.py"}
        return [
            state
            async for state in build_extract_graph().astream(
                given, context=ExtractContext("model"), stream_mode="updates"
            )
        ]

    with ScriptedServer(turns) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        get_settings.cache_clear()
        told = asyncio.run(walked())
    get_settings.cache_clear()
    said = [message for update in told for node in update.values() for message in (node or {}).get("messages", ())]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "tool", "assistant"]
    assert "epochs = 200" in said[3]["content"]
    state = with_channels(ExtractState).__annotations__["messages"]
    kept = state.__metadata__[0]([], said)
    assert [message.type for message in kept] == ["system", "human", "ai", "tool", "ai"]
    assert kept[2].tool_calls[0]["name"] == "file_read"
