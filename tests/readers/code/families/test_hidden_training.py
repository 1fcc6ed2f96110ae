"""Training that no library's call shows at first sight: in a forward pass, in a method's name, in what is told."""

import pytest

LIBRARY = "import torch\nimport fewshotlib\n{made}\nworker.{call}\n"


@pytest.mark.parametrize(
    ("made", "call", "trains"),
    [
        ("worker = fewshotlib.SAC(1)", "train(steps=4000)", True),
        ("worker = fewshotlib.SAC(1)", "train(epochs=3)", True),
        ("worker = fewshotlib.EditTrainer(1)", "run()", True),
        ("worker = fewshotlib.SAC(1)", "train()", None),
        ("worker = fewshotlib.SAC(1)", "train(mode=True)", None),
        ("worker = fewshotlib.Evaluator(1)", "run()", None),
    ],
)
def test_work_of_libraries_is_told_as_training(read, made, call, trains):
    assert read({"go.py": LIBRARY.format(made=made, call=call)}, "python go.py").is_training is trains
