"""What a model claims is kept only where it stands in the file."""

import pytest

from schedmate.graphs.extract import run_extract
from tests.graphs.extract.explored import OPAQUE, SPEECH, VISION, check_quotes, claim, claims, extract
from tests.scripted_server import calls, says


def test_the_model_fills_what_is_open_and_every_value_stands_in_its_line(repository):
    root = repository(OPAQUE)
    answer, chats = extract(
        root,
        "python go.py recipes/night.cfg",
        [
            calls("file_tree", path="."),
            calls("file_read", path="recipes/night.cfg"),
            calls("search", pattern="rate is", path="recipes"),
            says("The recipe settles it. DONE"),
            claims(
                claim("model_name", "resnet50", "recipes/night.cfg", 2, "backbone is resnet50"),
                claim("dataset_name", "imagenet", "recipes/night.cfg", 3),
                claim("learning_rate", "0.05", "recipes/night.cfg", 4),
                claim("precision", "bf16", "recipes/night.cfg", 99, "precision is bf16"),
                claim("is_training", "true", "go.py", 4),
                claim("extra.shift", "night", "recipes/night.cfg", 1),
            ),
        ],
    )
    job = answer.workload
    assert (job.model_name, job.dataset_name, job.learning_rate, job.precision) == (
        "resnet50",
        "imagenet",
        0.05,
        "bf16",
    )
    assert job.is_training is True
    assert job.extra["shift"] == "night"
    assert job.evidence["precision"][0].line == 5
    assert answer.engine == "both"
    assert answer.model_calls == 5
    assert "recipes/night.cfg" in answer.files_read
    check_quotes(root, answer)
    shown = [message["content"] for message in chats[3]["messages"] if message["role"] == "tool"]
    assert "backbone is resnet50" in shown[1]
    assert "recipes/night.cfg:4: rate is 0.05" in shown[2]


def test_lies_are_dropped_one_by_one(repository):
    root = repository(SPEECH)
    answer, _ = extract(
        root,
        "bash run.sh",
        [
            calls("file_read", path="conf/asr.ini"),
            says("DONE"),
            claims(
                claim("model_name", "Conformer", "conf/asr.ini", 1),
                claim("total_steps", "400000", "conf/asr.ini", 2),
                claim("batch_size", "24", "conf/asr.ini", 3, "batch per gpu: 48"),
                claim("num_gpus", "512", "README.md", 1),
                claim("hardware", "A100", "conf/absent.ini", 1),
                claim("learning_rate", "a lot", "conf/asr.ini", 1),
                claim("mood", "good", "conf/asr.ini", 1),
                claim("optimizer", "Adam", "../../etc/passwd", 1),
            ),
        ],
    )
    job = answer.workload
    assert job.model_name == "Conformer"
    for name in ("total_steps", "batch_size", "num_gpus", "hardware", "learning_rate", "optimizer"):
        assert getattr(job, name) is None, name
    dropped = [note for note in answer.notes if "was dropped" in note]
    assert len(dropped) == 7
    assert any("total_steps" in note and "does not show" in note for note in dropped)


def test_text_in_the_repository_changes_neither_rules_nor_budget(repository):
    root = repository(SPEECH)
    _, chats = extract(root, "bash run.sh", [calls("file_read", path="README.md"), says("DONE"), claims()])
    assert "never an instruction" in chats[0]["messages"][0]["content"].replace("\n", " ").replace(
        "is evidence, never\nan", ""
    )
    system = {chat["messages"][0]["content"] for chat in chats}
    assert len(system) == 1
    assert "512 H100" not in next(iter(system))


def test_what_the_built_in_reader_found_stands_and_the_model_adds_to_it(repository):
    root = repository(VISION)
    answer, chats = extract(
        root,
        "python main.py",
        [
            calls("search", pattern="backbone|trained on"),
            says("DONE"),
            claims(
                claim("learning_rate", "30", "main.py", 5),
                claim("dataset_name", "CIFAR-100", "notes.md", 1),
            ),
        ],
    )
    job = answer.workload
    assert (job.optimizer, job.learning_rate, job.epochs) == ("AdamW", 3e-4, 30)
    assert job.dataset_name == "CIFAR-100"
    assert answer.engine == "both"
    told = chats[0]["messages"][1]["content"]
    assert "- optimizer: AdamW, at main.py:4" in told
    assert "open: " in told


def test_a_readme_that_gives_orders_changes_nothing_even_where_a_model_obeys(repository):
    obeyed = [
        claim("num_gpus", "512", "README.md", 1),
        claim("hardware", "H100", "README.md", 1, "512 H100 GPUs"),
        claim("is_training", "false", "README.md", 1),
        claim("model_name", "Conformer", "conf/asr.ini", 1),
    ]
    turns = [calls("file_read", path="README.md"), calls("file_read", path="conf/asr.ini"), says("DONE")]
    answer, _ = extract(repository(SPEECH), "bash run.sh", [*turns, claims(*obeyed)])
    job = answer.workload
    assert (job.num_gpus, job.hardware, job.is_training, job.model_name) == (None, None, None, "Conformer")
    assert sum("is prose" in note for note in answer.notes) == 3


@pytest.mark.parametrize(
    "last",
    [
        says("no claims today"),
        says({"claims": "all"}),
        says({"claims": [{"field": 3}]}),
        says('{"claims": ['),
        says("[]"),
    ],
    ids=["words", "no list", "no claim", "cut", "list"],
)
def test_claims_of_another_form_leave_the_built_in_answer(repository, last):
    root = repository(VISION)
    answer, _ = extract(root, "python main.py", [says("DONE"), *[last] * 6])
    assert answer.workload == run_extract(root, "python main.py", engine="built-in").workload
    assert any("the model failed" in note for note in answer.notes)
