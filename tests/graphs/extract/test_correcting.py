"""A model may correct what the built-in only guessed, where code bears it out and it stands by it unasked-for-whom."""

import re

import pytest

from schedmate.graphs.extract import run_extract
from tests.graphs.extract.explored import GRAPHS, SPEECH, claim, claims, extract
from tests.scripted_server import calls, says

LIKELY = {
    "main.py": """
        import torch
        from parts import net, data
        LR = 0.3
        optimizer = torch.optim.SGD(net.parameters(), lr=LR)
        for epoch in range(30):
            net(data).backward()
            optimizer.step()
    """,
    "notes.md": "The corpus is CIFAR-100.\n",
}


def settles(claimed, choice):
    """Claim, and when asked again choose as told: the claim's side, the other, or neither."""

    def turn(body):
        schema = str(body.get("response_format", ""))
        if "choices" in schema:
            told = body["messages"][-1]["content"]
            rows = re.findall(r"^([AB]): (.*), at (\S+):\d+: ", told, re.M)
            mine = next(letter for letter, value, path in rows if path == claimed["path"])
            letter = {"stands": mine, "yields": "AB".replace(mine, "")}.get(choice, "neither")
            return says({"choices": [{"words": "", "field": claimed["field"], "choice": letter}]})
        return claims(claimed) if "claims" in schema else says("DONE")

    return turn


@pytest.mark.parametrize(("choice", "epochs"), [("stands", 12), ("yields", 30), ("neither", 30)])
def test_the_command_corrects_a_value_of_the_code_when_the_model_stands_by_it(repository, choice, epochs):
    root = repository(LIKELY)
    command = "python main.py the_last_epoch 12"
    built = run_extract(root, command, engine="built-in").workload
    assert built.epochs == 30
    answer, _ = extract(root, command, settles(claim("epochs", "12", "command", 1), choice), engine="model")
    assert answer.workload.epochs == epochs
    if choice == "stands":
        assert answer.engine == "both"
        assert any(re.match(r"epochs was 30.*, by main.py:\d+: corrected by a model", note) for note in answer.notes)
    else:
        assert answer.engine == "built-in"
        assert any("a model says epochs is 12" in note for note in answer.notes)


def test_what_the_followed_path_does_stands_and_the_models_word_is_a_note(repository):
    root = repository(LIKELY | {"other.py": "LR = 0.7\n"})
    claimed = claim("learning_rate", "0.7", "other.py", 1)
    answer, chats = extract(root, "python main.py", settles(claimed, "stands"), engine="model")
    assert answer.workload.learning_rate == 0.3
    assert any("a model says learning_rate is 0.7, at other.py:1" in note for note in answer.notes)
    assert not any("choices" in str(chat.get("response_format")) for chat in chats)


def test_words_without_a_call_are_asked_for_one_and_then_end_it(repository):
    root = repository(GRAPHS)
    turns = [says("I think I should look."), calls("file_read", path="settings.txt"), says("Hm."), says("Well.")]
    answer, chats = extract(
        root, "python launch.py", [*turns, claims(claim("dataset_name", "cora", "settings.txt", 1))]
    )
    assert answer.workload.dataset_name == "cora"
    assert "Use one tool now" in chats[1]["messages"][-1]["content"]
    assert any("called no tool" in note for note in answer.notes)


def test_the_finish_tool_ends_it(repository):
    answer, chats = extract(repository(GRAPHS), "python launch.py", [calls("finish", found="all"), claims()])
    assert len(chats) == 2
    assert any("the model was done" in note for note in answer.notes)


def test_paths_from_the_working_directory_work_and_wrong_ones_get_near_names(repository):
    root = repository({"jobs/launch.py": GRAPHS["launch.py"], "jobs/settings.txt": GRAPHS["settings.txt"]})
    turns = [
        calls("file_read", path="setings.txt"),
        calls("file_read", path="settings.txt"),
        says("DONE"),
        claims(claim("dataset_name", "cora", "jobs/settings.txt", 1)),
    ]
    answer, chats = extract(root, "python jobs/launch.py", turns)
    pages = [message["content"] for message in chats[-1]["messages"] if message["role"] == "tool"]
    assert "there is jobs/settings.txt" in pages[0]
    assert answer.workload.dataset_name == "cora"


def test_the_launch_script_is_shown_at_once(repository):
    _, chats = extract(repository(SPEECH), "bash run.sh", [says("DONE"), claims()])
    assert "engine.start conf/asr.ini" in chats[0]["messages"][1]["content"]


def test_the_papers_way_is_a_model_alone_with_two_tools(repository):
    root = repository(LIKELY)
    turns = [calls("file_read", path="main.py"), calls("finish"), claims(claim("epochs", "30", "main.py", 5))]
    answer, chats = extract(root, "python main.py", turns, engine="paper")
    assert [tool["function"]["name"] for tool in chats[0]["tools"]] == ["file_tree", "file_read", "finish"]
    assert "found so far" not in chats[0]["messages"][1]["content"]
    assert (answer.workload.epochs, answer.workload.optimizer, answer.engine) == (30, None, "model")
